"""Engines that keep the protocol pass every check, and each breach of it is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.conformance import looked_at
from support.runs import engine

from ggtp.arena.conformance.examination import CHECKS
from ggtp.arena.conformance.verdict import Verdict

pytestmark = pytest.mark.process


def grades(verdict: Verdict) -> dict[str, str]:
    return {check.name: check.grade for check in verdict.checks}


def test_a_good_engine_fails_nothing(tmp_path: Path) -> None:
    verdict = looked_at(engine(tmp_path, "good"))
    assert verdict.conforms, verdict.data()
    found = grades(verdict)
    assert tuple(found) == tuple(CHECKS)
    assert found.pop("hidden turns") == "skipped"
    # It takes any value for its options, and selects the first free square again.
    assert found.pop("values") == found.pop("illegal move") == "warning"
    assert set(found.values()) == {"ok"}


@pytest.mark.parametrize(
    ("words", "failed"),
    [
        (("--fault", "exit0", "--at", "list_options"), "start"),
        (("--fault", "wrong-answer", "--at", "get_option"), "options"),
        (("--fault", "wrong-answer", "--at", "list_option_choices"), "options"),
        (("--fault", "binary", "--at", "get_table"), "questions"),
        (("--fault", "exit1", "--at", "no_such_command"), "bad lines"),
        (("--fault", "illegal"), "moves"),
        (("--fault", "exit1"), "moves"),
        (("--fault", "hang", "--at", "made_move"), "moves"),
        (("--fault", "unasked", "--at", "undone_move"), "withdrawal"),
        (("--fault", "wrong-answer", "--at", "redone_move"), "undo and redo"),
        (("--fault", "exit1", "--at", "illegal_move"), "illegal move"),
        (("--fault", "wrong-answer", "--at", "disconnect_engine"), "end"),
    ],
)
def test_a_breach_is_found_where_it_is_made(tmp_path: Path, words: tuple[str, ...], failed: str) -> None:
    verdict = looked_at(engine(tmp_path, "bad", *words))
    assert not verdict.conforms
    assert grades(verdict)[failed] == "failed"
    (details,) = [check.details for check in verdict.checks if check.name == failed]
    assert details


def test_after_a_breach_the_other_checks_go_on(tmp_path: Path) -> None:
    found = grades(looked_at(engine(tmp_path, "bad", "--fault", "exit1", "--at", "undone_move")))
    assert (found["withdrawal"], found["undo and redo"]) == ("failed", "failed")
    assert (found["moves"], found["end"]) == ("ok", "ok")


def test_an_engine_that_refuses_its_game_is_not_played_with() -> None:
    verdict = looked_at("Minimax", "KuhnPoker")
    found = grades(verdict)
    assert (found["start"], found["game"], found["moves"], found["end"]) == ("ok", "failed", "skipped", "ok")


def test_hidden_turns_are_looked_at() -> None:
    found = grades(looked_at("Random", "KuhnPoker"))
    assert (found["hidden turns"], found["moves"]) == ("ok", "ok")
    assert "failed" not in found.values()
