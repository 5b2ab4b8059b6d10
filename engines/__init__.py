"""Guests: engine programs and their descriptions; installed as ggtp.engines and found by name."""
