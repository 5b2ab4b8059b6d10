"""Minimax, over compiled games and over positions of rules in Python."""
