"""Fixtures of these tests."""

from support.driving import play

__all__ = ["play"]
