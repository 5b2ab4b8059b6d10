"""One-player games solved by answer set programming."""
