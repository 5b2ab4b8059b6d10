"""What a player observes of a turn, and which moves would have looked like that."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from ggtp.errors import MoveError
from ggtp.game.model import CHANCE, Move, Observation, Player, Position, Refused, Seen, Turn, TurnKind, Verdict


def observed(position: Position, verdict: Verdict, player: Player) -> list[Observation]:
    """What `player` learns when the moves handed to `position.play` had this verdict."""
    found: list[Observation] = [Seen(actor, position.seen(actor, move, player)) for actor, move in verdict.made]
    found += [Refused(refusal.move, refusal.reason) for refusal in verdict.refused if refusal.player == player]
    return found


def agrees(told: Sequence[Observation], wanted: Sequence[Observation]) -> bool:
    """Whether a turn was told as wanted: in any order, and a refusal without a reason fits any reason."""
    silent = {item.move for item in wanted if isinstance(item, Refused) and not item.reason}
    heard = (Refused(item.move) if isinstance(item, Refused) and item.move in silent else item for item in told)
    return Counter(heard) == Counter(wanted)


def ahead_of(turn: Turn, observations: Sequence[Observation], done: int) -> Sequence[Observation]:
    """The observations that may be of this turn, after so many others."""
    return observations[done : done + (len(turn.players) if turn.kind is TurnKind.JOINT else 1)]


def actors_of(turn: Turn, player: Player, following: Observation) -> tuple[Player, ...]:
    """Who moves: in a race the one who was observed next."""
    if turn.kind is not TurnKind.RACE:
        return turn.players
    return (following.actor if isinstance(following, Seen) else player,)


def candidates(
    position: Position, actor: Player, player: Player, ahead: Sequence[Observation], rng: random.Random
) -> Sequence[tuple[Move, int]]:
    """The moves of `actor` that `player` would have observed as one of those ahead, with their weights."""
    if actor == CHANCE:
        return _outcomes(position, player, ahead[0], rng)
    if actor == player:
        return [(move, 1) for move in _own(position, player, ahead)]
    moves = position.moves(actor)
    told = _told(actor, ahead)
    if told is not None:
        moves = [move for move in moves if position.seen(actor, move, player) == told] or _typed(position, actor, told)
    return [(move, 1) for move in moves]


def fits(position: Position, actor: Player, move: Move, player: Player, ahead: Sequence[Observation]) -> bool:
    """Whether a move of somebody else, listed or not, is one of the candidates."""
    told = _told(actor, ahead)
    if told is None:
        return actor not in (CHANCE, player) and move in position.moves(actor)
    return move in position.moves(actor) and position.seen(actor, move, player) == told


def _told(actor: Player, ahead: Sequence[Observation]) -> Move | None:
    return next((item.text for item in ahead if isinstance(item, Seen) and item.actor == actor), None)


def _own(position: Position, player: Player, ahead: Sequence[Observation]) -> Sequence[Move]:
    """The move of the player's own of which it was told so: the move, and perhaps the umpire's words behind it."""
    for item in ahead:
        if isinstance(item, Refused):
            return (item.move,)
        if item.actor == player:
            moves, told = position.moves(player), item.text
            if told in moves:
                return (told,)
            return (next((move for move in moves if position.seen(player, move, player) == told), told),)
    return ()


def _typed(position: Position, actor: Player, told: Move) -> Sequence[Move]:
    """A move that is not listed, since there are too many, but that was seen."""
    try:
        return (position.parse(actor, told),)
    except MoveError:
        return ()


def _outcomes(
    position: Position, player: Player, following: Observation, rng: random.Random
) -> Sequence[tuple[Move, int]]:
    """The outcomes that the player would have observed like that."""
    if not isinstance(following, Seen) or following.actor != CHANCE:
        return ()
    listed = position.chance()
    if listed:
        return [(move, weight) for move, weight in listed if position.seen(CHANCE, move, player) == following.text]
    # Too many outcomes to list: what was seen in full happened; of what was not, any may have.
    move = position.draw(rng)
    return [(move if position.seen(CHANCE, move, player) == following.text else following.text, 1)]
