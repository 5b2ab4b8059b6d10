"""Looks at an engine: one check after the other, each with a talk that works."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from ggtp.arena.conformance import conversation, playing
from ggtp.arena.conformance.subject import Subject
from ggtp.arena.conformance.talk import Broken
from ggtp.arena.conformance.verdict import Check, Verdict
from ggtp.catalogue import EngineSpec
from ggtp.errors import EngineError, GgtpError
from ggtp.game import Rules
from ggtp.referee.settings import Settings

Look = Callable[[Subject, Check], Awaitable[None]]

CHECKS: dict[str, Look] = {
    "start": conversation.start,
    "options": conversation.options,
    "values": conversation.values,
    "game": conversation.game,
    "questions": conversation.questions,
    "answers": conversation.answers,
    "bad lines": conversation.bad_lines,
    "moves": playing.moves,
    "hidden turns": playing.hidden_turns,
    "lateness": playing.lateness,
    "thinking": playing.thinking,
    "withdrawal": playing.withdrawal,
    "illegal move": playing.illegal_move,
    "undo and redo": playing.undo_and_redo,
    "end": conversation.end,
}
"""The checks, in order."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """An engine, and the game and options with which it is looked at."""

    spec: EngineSpec
    rules: Rules
    reference: str
    """The name of the rule, or the path of its file."""
    values: Mapping[str, str]
    """The rule's options."""
    options: Mapping[str, str]
    """The engine's own options."""
    player: str
    games: int = 2
    seed: int = 0
    settings: Settings = field(default_factory=partial(Settings.defaults, {}))
    """A referee's: how long an answer may take, and what an engine may use."""


async def examine(wanted: Wanted, report: Callable[[Check], None] = lambda _check: None) -> Verdict:
    """Look at an engine, and tell each check as soon as it is done."""
    subject = Subject(
        wanted.spec, wanted.rules, wanted.reference, wanted.values, wanted.options, wanted.player, wanted.games,
        wanted.seed, wanted.settings,
    )  # fmt: skip
    checks: list[Check] = []
    try:
        for name, look in CHECKS.items():
            check = Check(name)
            if checks and checks[0].grade == "failed":
                check.skip("it did not start")
            elif subject.refused and name not in ("end",):
                check.skip("it does not play this game")
            else:
                await _look(subject, look, check)
            checks.append(check)
            report(check)
    finally:
        await subject.close()
    return Verdict(wanted.spec.name, wanted.rules.name, wanted.player, tuple(checks))


async def _look(subject: Subject, look: Look, check: Check) -> None:
    """Carry a check out; where the talk breaks, that is what is wrong, and the next one has a new talk."""
    try:
        await look(subject, check)
    except Broken as broken:
        check.fail(str(broken))
        await subject.close()
    except (EngineError, GgtpError) as error:
        check.fail(str(error))
        await subject.close()
    except asyncio.CancelledError:
        await subject.close()
        raise
