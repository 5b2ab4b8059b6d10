"""The subcommands of `ggtp`, one module each; loaded only when used."""
