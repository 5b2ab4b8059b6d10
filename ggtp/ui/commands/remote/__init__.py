"""The subcommands that talk to other machines."""
