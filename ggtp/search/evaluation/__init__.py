"""Heuristic values of positions: general heuristics, and weights learned from playouts."""
