"""Guests: the rules of games, one file a game; installed as ggtp.rules and found by name."""
