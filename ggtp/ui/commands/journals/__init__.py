"""Subcommands that read journals and write other files: exported games, merged and repaired journals."""
