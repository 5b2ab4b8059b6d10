"""Searches for plans side by side, each in a process of its own."""
