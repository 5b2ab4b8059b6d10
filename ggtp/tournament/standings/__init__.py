"""How a tournament stands while it is played."""
