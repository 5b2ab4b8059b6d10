"""Recorded games replayed by our player: every state, move, end and goal.

Our own few are checked in every run. Where games that another player has recorded lie beside this checkout, a sample
of quick ones is checked as well, and all of them with GGTP_ALL_TRACES=1 in the environment, each within
GGTP_TRACE_SECONDS (120).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from support.corpus import gdl_records, is_own

from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.faults import errors
from ggtp.gdl.language.parse import parse, parse_term
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.language.validate import validate
from ggtp.gdl.play.traces import first_difference, sha1

ALL = os.environ.get("GGTP_ALL_TRACES", "") not in ("", "0")
SECONDS = int(os.environ.get("GGTP_TRACE_SECONDS", "120"))
QUICK = 0.1
"""A game is in the sample if the recording player needed at most so many seconds..."""
EACH = 5
"""... and then every so manieth."""


def records() -> list[tuple[Path, dict[str, Any]]]:
    found = list(gdl_records())
    if ALL:
        return found
    own = [(path, record) for path, record in found if is_own(path)]
    others = [(path, record) for path, record in found if not is_own(path) and "error" not in record]
    return own + [(path, record) for path, record in others if record["cpu_s"] <= QUICK][::EACH]


@contextmanager
def limit(seconds: int) -> Iterator[None]:
    """Ends the test's own time earlier than the alarm that holds for every test."""

    def late(number: int, frame: object) -> None:
        pytest.fail(f"too slow: more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    left = signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(left)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(("path", "record"), [pytest.param(*item, id=item[0].stem) for item in records()])
def test_a_recorded_game(path: Path, record: dict[str, Any]) -> None:
    sheet = parse(path.read_bytes().decode("utf-8"))
    assert len(sheet.rules) == record.get("rules", len(sheet.rules))
    assert errors(validate(sheet)) == []
    if "error" not in record:
        with limit(SECONDS):
            assert first_difference(Interpreter(sheet), record) is None


# The runner itself, with a record of our own.

COUNTER = """
    (role one) (role two)
    (init (n 0)) (init (odd (noop)))
    (succ 0 1) (succ 1 2)
    (<= (legal ?r (add ?x)) (role ?r) (true (n ?x)))
    (<= (legal two pass) (true (n 0)))
    (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
    (<= terminal (true (n 2)))
    (<= (goal one 100) (true (n 2)))
    (<= (goal two 10) (true (n 2)))
"""


def facts(*texts: str) -> dict[str, Any]:
    return {"facts": len(texts), "sha1": sha1(texts)}


RECORD: dict[str, Any] = {
    "roles": ["one", "two"],
    "initial": ["(n 0)", "(odd (noop))"],
    "playouts": [
        {
            "steps": [
                {
                    "n": 0,
                    **facts("(n 0)", "(odd (noop))"),
                    "terminal": False,
                    "legal": {"one": ["(add 0)"], "two": {"count": 2, "sha1": sha1(["(add 0)", "pass"])}},
                    "move": ["(add 0)", "pass"],
                },
                {
                    "n": 1,
                    **facts("(n 1)"),
                    "add": ["(n 1)"],
                    "del": ["(n 0)", "(odd (noop))"],
                    "terminal": False,
                    "legal": {"one": ["(add 1)"], "two": ["(add 1)"]},
                    "move": ["(add 1)", "(add 1)"],
                },
                {"n": 2, **facts("(n 2)"), "terminal": True, "goals": {"one": 100, "two": ["10"]}},
            ],
        }
    ],
}


def difference(record: dict[str, Any]) -> str | None:
    return first_difference(Interpreter(parse(COUNTER)), record)


def test_agreement() -> None:
    assert difference(RECORD) is None
    assert difference({"error": "killed"}) is None


def test_hashes_are_those_of_the_sorted_lines() -> None:
    assert sha1([]) == "da39a3ee5e6b4b0d3255bfef95601890afd80709"
    assert sha1(["b", "a"]) == sha1(["a", "b"]) == "fcd127ffa1016069006ad91f3f361248f9bdf272"


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("roles",), ["two", "one"], "the roles are one, two instead of two, one"),
        (
            ("initial",),
            ["(n 0)", "(n 5)"],
            "the initial state: missing (n 5); in excess (odd (noop))",
        ),
        (
            ("playouts", 0, "steps", 0, "sha1"),
            "?",
            "playout 1, state 0: the facts have another hash (2 facts instead of 2)",
        ),
        (("playouts", 0, "steps", 1, "add"), ["(n 1)", "(n 3)"], "playout 1, state 1: the facts: missing (n 3)"),
        (("playouts", 0, "steps", 1, "terminal"), True, "playout 1, state 1: it is not terminal"),
        (("playouts", 0, "steps", 2, "terminal"), False, "playout 1, state 2: it is terminal"),
        (
            ("playouts", 0, "steps", 0, "legal", "one"),
            [],
            "playout 1, state 0: the moves of one: in excess (add 0)",
        ),
        (
            ("playouts", 0, "steps", 0, "legal", "two", "sha1"),
            "?",
            "playout 1, state 0: the moves of two have another hash (2 instead of 2)",
        ),
        (
            ("playouts", 0, "steps", 2, "goals", "one"),
            50,
            "playout 1, state 2: the goals of one: missing 50; in excess 100",
        ),
        (
            ("playouts", 0, "steps", 2, "goals", "two"),
            [],
            "playout 1, state 2: the goals of two: in excess 10",
        ),
    ],
)
def test_the_first_difference_in_words(path: tuple[Any, ...], value: object, said: str) -> None:
    record = deepcopy(RECORD)
    *way, last = path
    place: Any = record
    for step in way:
        place = place[step]
    place[last] = value
    assert difference(record) == said


def test_long_differences_are_cut() -> None:
    record = deepcopy(RECORD)
    record["initial"] += [f"(m {number})" for number in range(7)]
    said = difference(record)
    assert said == "the initial state: missing (m 0), (m 1), (m 2), (m 3), (m 4) and 2 more"


class Cheat(Interpreter):
    """Plays with other states than sets of facts could be, and forgets a move."""

    def legal(self, state: frozenset[Term], role: Term) -> list[Term]:
        return [move for move in super().legal(state, role) if move != parse_term("pass")]

    def next(self, state: frozenset[Term], moves: Mapping[Term, Term]) -> frozenset[Term]:
        assert set(moves) == set(self.roles)
        return super().next(state, moves)


def test_another_player_with_the_same_verbs() -> None:
    said = first_difference(Cheat(parse(COUNTER)), RECORD)
    assert said == "playout 1, state 0: the moves of two have another hash (1 instead of 2)"
