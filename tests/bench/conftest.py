"""Fixtures of these tests."""

from support.command_line import run

__all__ = ["run"]
