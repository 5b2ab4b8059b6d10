"""The child that checks a trace: which player it takes, and what it says of it. `test_traces` runs it as a process."""

from __future__ import annotations

from typing import Any

import pytest
from support.paths import RULES

from ggtp.catalogue.traces import child
from ggtp.catalogue.traces.child import fault_of_record, verdict
from ggtp.errors import NotCompiled, RulesError

TICTACTOE = (RULES / "gdl" / "tictactoe.gdl").read_text("utf-8")
EMPTY: dict[str, Any] = {"roles": ["cross", "circle"], "initial": [], "playouts": []}


def ask(kernel: str, record: dict[str, Any] = EMPTY) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    said: list[dict[str, Any]] = []
    request = {"text": TICTACTOE, "record": record, "kernel": kernel}
    return verdict({**request, "megabytes": 4096, "compile_seconds": 30, "cache": None}, said.append), said


@pytest.mark.parametrize("error", [NotCompiled("Too big."), RulesError("No way.")])
def test_the_interpreter_stands_in_where_any_player_will_do(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(request: dict[str, Any]) -> None:
        raise error

    monkeypatch.setattr(child, "compile_game", fail)
    answer, said = ask("any")
    assert said == [{"note": str(error)}, {"kernel": "interpreter"}]
    assert answer["why"].startswith("the initial state: in excess")
    answer, said = ask("single")
    assert said == []
    assert answer["verdict"] == ("skipped" if isinstance(error, NotCompiled) else "failed")


def test_a_player_with_a_bug_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(machine: object, record: object) -> None:
        raise KeyError("mark")

    monkeypatch.setattr(child, "first_difference", fail)
    assert ask("interpreter")[0] == {"verdict": "failed", "why": "the player has a bug: KeyError: 'mark'"}


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        (EMPTY, None),
        ({}, "KeyError: 'roles'"),
        (EMPTY | {"roles": 5}, "TypeError: 'int' object is not iterable"),
        (EMPTY | {"playouts": [{}]}, "KeyError: 'steps'"),
        (EMPTY | {"playouts": [{"steps": [{"n": 0}]}]}, "KeyError: 'facts'"),
        (
            EMPTY | {"playouts": [{"steps": [{"n": 0, "facts": 1, "sha1": "", "terminal": 0, "move": ["x"]}]}]},
            "step 0 has 1 moves for 2 roles",
        ),
        (
            EMPTY | {"playouts": [{"steps": [{"n": 0, "facts": 1, "sha1": "", "terminal": 1, "goals": {}}]}]},
            "KeyError: 'cross'",
        ),
    ],
)
def test_faults_of_records(record: dict[str, Any], fault: str | None) -> None:
    assert fault_of_record(record) == fault
