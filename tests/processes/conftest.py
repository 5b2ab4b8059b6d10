"""Fixtures of these tests."""

from support.wires import descriptors, ends, tools

__all__ = ["descriptors", "ends", "tools"]
