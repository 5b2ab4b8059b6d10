"""Fixtures of these tests."""

from support.catalogues import world

__all__ = ["world"]
