"""Refusals name a way out."""

from __future__ import annotations

import pytest
from support.tournaments import find_rules

from ggtp.game.remedies import cannot_play, either


@pytest.mark.parametrize(
    ("rule", "able", "sentence"),
    [
        ("KuhnPoker", ["ISMCTS", "Determinized"], ", which has secrets: try Determinized or ISMCTS."),
        ("TicTacToe", ["D", "C", "B", "A"], ": try A, B or C."),
        ("TicTacToe", [], "."),
    ],
)
def test_a_refusal_names_engines_that_can_play(rule: str, able: list[str], sentence: str) -> None:
    assert cannot_play("MCTS", find_rules(rule), able) == f"Engine MCTS can't play {rule}{sentence}"


def test_names_are_joined_by_or() -> None:
    assert [either(names) for names in (["A"], ["A", "B"], ["A", "B", "C"])] == ["A", "A or B", "A, B or C"]
