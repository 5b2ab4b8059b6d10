"""Playouts over positions: the loop that all searches share, and policies that choose its moves."""
