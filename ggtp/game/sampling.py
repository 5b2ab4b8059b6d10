"""A full position that explains what one player has observed, for rules that can't draw one themselves.

The game is played again from the start. Where the player knows what happened, that happens;
where not, something is drawn that would have looked the same. A history that runs into a
contradiction is thrown away and another is tried.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ggtp.errors import IllegalMove, MoveError
from ggtp.game.model import CHANCE, Move, Observation, Player, Position, Refused, Rules, Seen, Turn, TurnKind, Verdict

TRIES = 200
"""How many histories are tried: enough for games of a few hidden moves, and done in well under a second."""
UNSEEN = 100
"""How many turns in a row may pass of which the player observes nothing, such as refused tries of others."""


def imagine(
    rules: Rules,
    player: Player,
    values: Mapping[str, str],
    observations: Sequence[Observation],
    rng: random.Random,
    tries: int = TRIES,
    should_stop: Callable[[], bool] = lambda: False,
) -> Position | None:
    """A full position of a game that still goes on and that explains all that `player` has observed.

    Drawn at random, but not each position as likely as any other. A joint turn's moves are
    observed one by one, in any order.

    Args:
        values: the options that were set, as for `Rules.start`.
        observations: all since the start, the player's own moves included.
        tries: how many histories to try at most.
        should_stop: whether to give up, asked before every history and now and then in one.

    Returns:
        The position, or None where none was found.
    """
    position = rules.imagine(player, values, observations, rng)
    if position is not None:
        return position
    for _ in range(tries):
        if should_stop():
            break
        position = _replay(rules.start(values), player, observations, rng, should_stop)
        if position is not None:
            return position
    return None


def observed(position: Position, verdict: Verdict, player: Player) -> list[Observation]:
    """What `player` learns when the moves handed to `position.play` had this verdict."""
    found: list[Observation] = [Seen(actor, position.seen(actor, move, player)) for actor, move in verdict.made]
    found += [Refused(refusal.move, refusal.reason) for refusal in verdict.refused if refusal.player == player]
    return found


def _replay(
    position: Position,
    player: Player,
    observations: Sequence[Observation],
    rng: random.Random,
    should_stop: Callable[[], bool],
) -> Position | None:
    """One history to the end of the observations, or None where it contradicts them."""
    done = unseen = 0
    while done < len(observations):
        moves = _draw_moves(position, player, observations, done, rng)
        if moves is None or should_stop():
            return None
        try:
            verdict = position.play(moves)
        except IllegalMove:
            return None
        told = observed(position, verdict, player)
        if not _agree(told, observations[done : done + len(told)]):
            return None
        unseen = 0 if told else unseen + 1
        if unseen > UNSEEN:
            return None
        done += len(told)
        position = verdict.position
    return None if position.turn().kind is TurnKind.OVER else position


def _agree(told: Sequence[Observation], wanted: Sequence[Observation]) -> bool:
    """Whether a turn was told as wanted: in any order, and a refusal without a reason fits any reason."""
    silent = {item.move for item in wanted if isinstance(item, Refused) and not item.reason}
    heard = (Refused(item.move) if isinstance(item, Refused) and item.move in silent else item for item in told)
    return Counter(heard) == Counter(wanted)


def _draw_moves(
    position: Position, player: Player, observations: Sequence[Observation], done: int, rng: random.Random
) -> dict[Player, Move] | None:
    """Moves for this turn that agree with the next observations, or None where there are none."""
    turn = position.turn()
    if turn.kind is TurnKind.OVER:
        return None
    if turn.kind is TurnKind.CHANCE:
        outcome = _draw_chance(position, player, observations[done], rng)
        return None if outcome is None else {CHANCE: outcome}
    ahead = (
        observations[done : done + len(turn.players)] if turn.kind is TurnKind.JOINT else observations[done : done + 1]
    )
    moves = {}
    for actor in _actors(turn, player, ahead[0]):
        move = _draw_move(position, actor, player, ahead, rng)
        if move is None:
            return None
        moves[actor] = move
    return moves


def _actors(turn: Turn, player: Player, following: Observation) -> tuple[Player, ...]:
    """Who moves: in a race the one who was observed next."""
    if turn.kind is not TurnKind.RACE:
        return turn.players
    return (following.actor if isinstance(following, Seen) else player,)


def _draw_move(
    position: Position, actor: Player, player: Player, ahead: Sequence[Observation], rng: random.Random
) -> Move | None:
    """A move of `actor` that `player` would have observed as one of those ahead."""
    if actor == player:
        for item in ahead:
            if isinstance(item, Refused):
                return item.move
            if item.actor == player:
                return _own_move(position, player, item.text)
        return None
    moves = position.moves(actor)
    told = next((item.text for item in ahead if isinstance(item, Seen) and item.actor == actor), None)
    if told is not None:
        moves = [move for move in moves if position.seen(actor, move, player) == told] or _typed(position, actor, told)
    return rng.choice(moves) if moves else None


def _own_move(position: Position, player: Player, told: Move) -> Move:
    """The move of the player's own of which it was told so: the move, and perhaps the umpire's words behind it."""
    moves = position.moves(player)
    if told in moves:
        return told
    return next((move for move in moves if position.seen(player, move, player) == told), told)


def _typed(position: Position, actor: Player, told: Move) -> Sequence[Move]:
    """A move that is not listed, since there are too many, but that was seen."""
    try:
        return (position.parse(actor, told),)
    except MoveError:
        return ()


def _draw_chance(position: Position, player: Player, following: Observation, rng: random.Random) -> Move | None:
    """An outcome that the player would have observed like that."""
    if not isinstance(following, Seen) or following.actor != CHANCE:
        return None
    outcomes = [
        (move, weight) for move, weight in position.chance() if position.seen(CHANCE, move, player) == following.text
    ]
    if outcomes:
        return rng.choices([move for move, _ in outcomes], [weight for _, weight in outcomes])[0]
    if position.chance():
        return None
    # Too many outcomes to list: what was seen in full happened; of what was not, any may have.
    move = position.draw(rng)
    return move if position.seen(CHANCE, move, player) == following.text else following.text
