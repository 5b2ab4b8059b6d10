"""The facts of a move, read from the words of an engine."""

from __future__ import annotations

import msgspec
import pytest

from ggtp.tournament.facts import MOST_NUMBER, NOTHING, MoveFacts, both, facts_from, trimmed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("61.5", 61.5),
        ("Cross 38.5 Circle 61.5", 61.5),
        ("Circle 0", 0.0),
        ("Cross 38.5", None),
        ("101", None),
        ("nan", None),
        ("", None),
        ("much", None),
    ],
)
def test_a_value_is_the_player_s_own(text: str, value: float | None) -> None:
    assert facts_from("Circle", None, None, {"value": text}).value == value


def test_numbers_are_numbers_or_nothing() -> None:
    facts = facts_from("Cross", 0.123456, 9.87654, {"depth": "12", "nodes": "x", "playouts": "9" * 19})
    assert (facts.seconds, facts.left, facts.depth, facts.nodes) == (0.1235, 9.877, 12, MOST_NUMBER)
    assert facts_from("Cross", None, None, {"depth": "-1", "nodes": "9" * 40}) == NOTHING


def test_what_is_not_known_takes_no_room() -> None:
    assert msgspec.to_builtins(NOTHING) == {}
    assert msgspec.to_builtins(MoveFacts(seconds=0.5, score="cp 35")) == {"seconds": 0.5, "score": "cp 35"}
    assert trimmed([NOTHING, MoveFacts(depth=1), NOTHING]) == (NOTHING, MoveFacts(depth=1))


def test_facts_are_put_together_by_their_moves() -> None:
    one, two = MoveFacts(depth=1), MoveFacts(depth=2)
    assert both((one, two), 1, [two]) == (one, two)
    assert both((one,), 3, [two]) == (one, NOTHING, NOTHING, two)
    assert both((one,), 3, []) == (one,)
