"""What fits an option's choices, and what is beyond them."""

from __future__ import annotations

import pytest

from ggtp.arena.conformance.conversation import beyond, fits, kind_of


@pytest.mark.parametrize(
    ("value", "choices", "good"),
    [
        ("3", "1..64", True), ("0", "1..64", False), ("65", "1..64", False), ("-3", "..5", True), ("9", "1..", True),
        ("deep", "1..64", False), ("on", "on, off", True), ("On", "on, off", False), ("x", "any", True),
        ("none", "1..3", True), ("", "on, off", True), ("a, b", '"a, b", c', True), ("x", "read-only", True),
    ],
)  # fmt: skip
def test_a_value_fits_its_choices(value: str, choices: str, good: bool) -> None:
    assert fits(value, choices) is good


@pytest.mark.parametrize(
    ("choices", "values"),
    [("1..64", ["0", "65"]), ("..5", ["6"]), ("on, off", ["no_such_value"]), ("any", []), ("press", [])],
)
def test_values_beyond_the_choices(choices: str, values: list[str]) -> None:
    assert beyond(choices) == values


@pytest.mark.parametrize(
    ("choices", "kind"),
    [
        ("on, off", "switch"), ("1..64", "number"), ("..5", "number"), ("calm, wild", "choice"), ("any", "text"),
        ("read-only", "read-only"), ("press", "press"),
    ],
)  # fmt: skip
def test_kinds_of_options(choices: str, kind: str) -> None:
    assert kind_of(choices) == kind
