"""Tables: full positions that an engine thinks possible, kept in step with what it is told.

> When a move is validated, all the tables are updated. If the game is an incomplete information
> one, the validated move could be illegal on some tables.

Such a table is given up here (None), and a new one is sampled by whoever keeps it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from ggtp.errors import MoveError
from ggtp.game import CHANCE, HIDDEN, Move, Player, Position, Refused, TurnKind, Verdict

DRAWS = 20
"""How often a chance turn is drawn before its outcomes are gone through one by one."""
JOINT_TRIES = 50
"""How many combinations of moves are tried for a joint turn of which little is seen."""
FIRST_TRIES = 200
"""How many moves are tried for a turn of one player."""


@dataclass(frozen=True, slots=True)
class Table:
    """A position, and what was seen of a joint turn that is not complete."""

    position: Position
    pending: tuple[tuple[Player, Move], ...] = ()


def follow(table: Table, actor: Player, text: Move, observer: Player, rng: random.Random) -> Table | None:
    """The table after `actor` made a move of which `observer` was told `text`; None where it does not fit."""
    position = table.position
    turn = position.turn()
    if actor not in turn.players:
        return None
    if turn.kind is not TurnKind.JOINT:
        ended = None
        for move in islice(_candidates(position, actor, text, observer, rng), FIRST_TRIES):
            after = _played(position, {actor: move})
            if after is not None and after.turn().kind is not TurnKind.OVER:
                return Table(after)
            ended = ended or after
        # Most moves do not end the game, so one that does is believed only where nothing else fits.
        return Table(ended) if ended is not None else None
    pending = (*table.pending, (actor, text))
    if len(pending) < len(turn.players):
        return Table(position, pending)
    for _ in range(JOINT_TRIES):
        drawn = {player: next(_candidates(position, player, seen, observer, rng), None) for player, seen in pending}
        moves = {player: move for player, move in drawn.items() if move is not None}
        if len(moves) < len(drawn):
            return None
        after = _played(position, moves)
        if after is not None:
            return Table(after)
    return None


def refuse(table: Table, refusal: Refused, player: Player) -> Table | None:
    """The table after the player's own move was refused; None where it would have stood, or for another reason."""
    verdict = _verdict(table.position, {player: refusal.move})
    if verdict is None:
        return None
    for refused in verdict.refused:
        if refused.player == player and refusal.reason in ("", refused.reason):
            return Table(verdict.position)
    return None


def _candidates(position: Position, actor: Player, text: Move, observer: Player, rng: random.Random) -> Iterator[Move]:
    """Moves of the actor that look like `text` to the observer, in random order."""
    if actor == CHANCE:
        for _ in range(DRAWS):
            move = position.draw(rng)
            if position.seen(actor, move, observer) == text:
                yield move
    moves = position.moves(actor)
    if text != HIDDEN and text not in moves:
        # Where there are too many moves to list, this may be one all the same.
        with suppress(MoveError):
            move = position.parse(actor, text)
            if position.seen(actor, move, observer) == text:
                yield move
    fitting = [move for move in moves if position.seen(actor, move, observer) == text]
    rng.shuffle(fitting)
    yield from fitting


def _played(position: Position, moves: dict[Player, Move]) -> Position | None:
    """The position after the moves, provided that all of them stand."""
    verdict = _verdict(position, moves)
    if verdict is None or verdict.refused:
        return None
    return verdict.position


def _verdict(position: Position, moves: dict[Player, Move]) -> Verdict | None:
    try:
        return position.play(moves)
    except MoveError:
        return None
