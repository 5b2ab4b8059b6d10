"""Games that end before their rule ends them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.runs import plan_of, tictactoe
from support.tables import play

pytestmark = pytest.mark.process


@pytest.mark.parametrize(
    ("rules", "end", "scores", "plies"),
    [
        ({"length": 4}, "length", {"Cross": 0.5, "Circle": 0.5}, 4),
        ({"length": 3, "length_result": "void"}, "void", {}, 3),
        ({"solver_nodes": 100_000}, "solved", {"Cross": 0.5, "Circle": 0.5}, 1),
    ],
)
def test_adjudication(tmp_path: Path, rules: dict[str, Any], end: str, scores: dict[str, float], plies: int) -> None:
    ((played, _),) = play(tictactoe(tmp_path, adjudicate=rules))
    assert (played.end, played.scores, len(played.moves)) == (end, scores, plies)
    assert played.reason.startswith("adjudicated: ")


def test_engines_agree_that_one_has_lost() -> None:
    data = {
        "player": [{"name": name, "engine": "Minimax", "options": {"Time": 0}} for name in ("Minimax", "B")],
        "rule": [{"rule": "TicTacToe", "start": [{"moves": ["Cross A1", "Circle B1"]}]}],
        "adjudicate": {"resign_score": 5, "resign_moves": 1},
    }
    seats = {"Cross": "Minimax", "Circle": "B"}
    ((played, _),) = play(plan_of(data), seats=seats)
    assert (played.end, played.scores) == ("agreed", {"Cross": 1.0, "Circle": 0.0})
    # Circle has agreed after its move; whether others were made before its answer came depends on the machine.
    assert played.moves[:4] == ("Cross A1", "Circle B1", "Cross A3", "Circle A2")
