"""Marks for some of the cases that a test is parametrised by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def slow_where(where: Callable[[Case], bool], cases: Iterable[Case]) -> list[object]:
    """Return the cases; those for which the condition holds are marked `slow`."""
    return [pytest.param(case, marks=pytest.mark.slow) if where(case) else case for case in cases]


def process_where(where: Callable[[Case], bool], cases: Iterable[Case]) -> list[object]:
    """Return the cases; those for which the condition holds are marked `process`."""
    return [pytest.param(case, marks=pytest.mark.process) if where(case) else case for case in cases]
