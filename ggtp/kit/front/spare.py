"""Somebody who follows the play by its plain rules and always has a legal move at hand.

It is a process of its own, beside an engine that may be busy loading, compiling and thinking when a move is wanted.
It answers nothing; its moves go on a slate.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import suppress

from ggtp.errors import GgtpError
from ggtp.game import Move, Rules
from ggtp.kit.engine import Budget, Engine, Game
from ggtp.kit.front.shared_move import NOTHING, Slate
from ggtp.kit.session import HAVE_TO_PLAY, Session, read_command

QUIET = (b"list_", b"get_", b"told_message", b"connect_engine")
"""How commands begin that change nothing here."""
NOW, LATER = b"+", b"-"


class Anything(Engine):
    """Plays whatever is allowed."""

    name = "Spare"
    instant = True

    def choose(self, game: Game, budget: Budget) -> Move:
        """Any move; nobody asks."""
        return game.moves()[0]


def follow(lines: Iterable[bytes], slate: Slate, find_rules: Callable[[str], Rules]) -> None:
    """Follow what the referee says, and note a move for each request, if possible before it comes.

    Args:
        lines: each with two words in front: the number of the last request, this one included; and `NOW`, or `LATER`
            where it is enough to follow it together with the next one that says `NOW`.
        slate: where to note moves.
        find_rules: finds rules by name or path.
    """
    session = Session(Anything(), find_rules, lambda text: None)
    rng = random.Random()
    kept: list[bytes] = []
    for line in lines:
        number, when, said = line.split(b" ", 2)
        kept.append(said)
        if when == LATER:
            continue
        for each in kept:
            asked = _hear(session, each)
        kept.clear()
        if session.ended:
            return
        moves = session.ahead()
        slate.note(int(number) + (not asked), rng.choice(moves) if moves else NOTHING)


def _hear(session: Session, line: bytes) -> bool:
    """Follow a line; whether it is a request."""
    if not line.startswith(QUIET):
        with suppress(GgtpError):
            command = read_command(line)
            if command is not None and command.name == HAVE_TO_PLAY:
                return True
            if command is not None:
                session.answer(command)
    return False
