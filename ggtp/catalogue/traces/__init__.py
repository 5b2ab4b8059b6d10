"""Recorded games, checked against the project's players."""
