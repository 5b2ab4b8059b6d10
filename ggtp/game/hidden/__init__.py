"""Imagining what a player does not see: positions and histories that explain what it has observed."""
