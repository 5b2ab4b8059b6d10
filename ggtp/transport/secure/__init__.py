"""Wires to other machines, with keys."""
