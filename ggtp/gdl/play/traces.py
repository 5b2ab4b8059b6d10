"""Checks a player against a recorded game, and says in words where they first differ.

A trace has the initial state and some playouts; for every state its facts, whether it is
terminal, every role's legal moves and the joint move that was made, at the end the goals.
Everything is compared as sets of canonical texts; large sets are recorded as the SHA-1 of
their sorted texts, one a line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Term

Record: TypeAlias = Mapping[str, Any]
"""One line of a trace file, as JSON gives it."""

S = TypeVar("S")

SHOWN = 5
"""How many elements of a difference are listed."""


class Machine(Protocol[S]):
    """What every player of a rulesheet offers; `S` is whatever it takes for a state."""

    @property
    def roles(self) -> tuple[Term, ...]:
        """The players, in the order of the text."""

    def initial(self) -> S:
        """The state in which the game begins."""

    def facts(self, state: S) -> Collection[Term]:
        """The facts that hold in the state."""

    def legal(self, state: S, role: Term) -> Sequence[Term]:
        """The moves that the role may make."""

    def next(self, state: S, moves: Mapping[Term, Term]) -> S:
        """The state after the roles' moves."""

    def terminal(self, state: S) -> bool:
        """Whether the game is over."""

    def goal_values(self, state: S, role: Term) -> Sequence[Term]:
        """All goals that the rules give the role in the state."""


class _Difference(Exception):
    """The player and the trace differ; the text says how."""


def first_difference(machine: Machine[S], record: Record) -> str | None:
    """The first difference between the player and the trace, as one sentence; None if they agree throughout.

    A trace that holds an `error` instead of a game agrees with everything.
    """
    if "error" in record:
        return None
    try:
        _check(machine, record)
    except _Difference as difference:
        return str(difference)
    return None


def sha1(texts: Iterable[str]) -> str:
    """The hash of a set of texts: sorted, joined by newlines."""
    return hashlib.sha1("\n".join(sorted(texts)).encode(), usedforsecurity=False).hexdigest()


def _check(machine: Machine[S], record: Record) -> None:
    roles = list(map(str, machine.roles))
    if roles != list(record["roles"]):
        raise _Difference(f"the roles are {', '.join(roles)} instead of {', '.join(record['roles'])}")
    start = machine.initial()
    facts = _texts(machine.facts(start))
    _compare("the initial state", facts, set(record["initial"]))
    for number, playout in enumerate(record["playouts"], 1):
        _check_playout(machine, start, playout, f"playout {number}")


def _check_playout(machine: Machine[S], state: S, playout: Record, where: str) -> None:
    before: set[str] = set()
    for step in playout["steps"]:
        here = f"{where}, state {step['n']}"
        facts = _texts(machine.facts(state))
        if "add" in step or "del" in step:
            _compare(f"{here}: the facts", facts, (before - set(step["del"])) | set(step["add"]))
        if sha1(facts) != step["sha1"]:
            raise _Difference(f"{here}: the facts have another hash ({len(facts)} facts instead of {step['facts']})")
        if machine.terminal(state) != step["terminal"]:
            raise _Difference(f"{here}: it is {'not ' if step['terminal'] else ''}terminal")
        if "goals" in step:
            _check_goals(machine, state, step["goals"], here)
        if "legal" in step:
            _check_legal(machine, state, step["legal"], here)
        if "move" in step:
            moves = dict(zip(machine.roles, map(parse_term, step["move"]), strict=True))
            state = machine.next(state, moves)
        before = facts


def _check_goals(machine: Machine[S], state: S, goals: Record, here: str) -> None:
    for role in machine.roles:
        expected = goals[str(role)]
        texts = {str(value) for value in expected} if isinstance(expected, list) else {str(expected)}
        _compare(f"{here}: the goals of {role}", _texts(machine.goal_values(state, role)), texts)


def _check_legal(machine: Machine[S], state: S, legal: Record, here: str) -> None:
    for role in machine.roles:
        found = _texts(machine.legal(state, role))
        expected = legal[str(role)]
        if isinstance(expected, list):
            _compare(f"{here}: the moves of {role}", found, set(expected))
        elif sha1(found) != expected["sha1"]:
            count = expected["count"]
            raise _Difference(f"{here}: the moves of {role} have another hash ({len(found)} instead of {count})")


def _texts(terms: Iterable[Term]) -> set[str]:
    return set(map(str, terms))


def _compare(what: str, found: set[str], expected: set[str]) -> None:
    if found == expected:
        return
    parts = []
    for word, texts in (("missing", sorted(expected - found)), ("in excess", sorted(found - expected))):
        if texts:
            more = f" and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
            parts.append(f"{word} {', '.join(texts[:SHOWN])}{more}")
    raise _Difference(f"{what}: {'; '.join(parts)}")
