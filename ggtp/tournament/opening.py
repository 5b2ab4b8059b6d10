"""Random openings: a few moves at random from a start position, after which no player is much ahead."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ggtp.game import CHANCE, Position, TurnKind
from ggtp.tournament.standings.scoring import seat_scores

MOST_TRIES = 8
"""How many openings are looked at; the most balanced one is taken."""
PLAYOUTS = 12
"""How many random games tell how balanced an opening is: enough to find what is lost already."""
MOST_PLIES = 60
"""After so many moves such a game counts as even. More would take seconds in games as long as Chess."""


def random_opening(
    position: Position, players: Sequence[str], plies: int, tolerance: float, seed: int
) -> tuple[str, ...] | None:
    """Moves at random, each `PLAYER MOVE`; None where the game is always over by then.

    Args:
        position: where they begin.
        players: the rule's players.
        plies: how many turns to play; turns of chance come besides.
        tolerance: how far the mean score of a player in random games from there may be from that of all players, up
            to 0.5, which is always so.
        seed: what chance begins from; the same has the same moves.
    """
    rng = random.Random(seed)
    best: tuple[float, tuple[str, ...]] | None = None
    for _ in range(MOST_TRIES):
        found = _moves(position, plies, rng)
        if found is None:
            continue
        moves, reached = found
        off = imbalance(reached, players, rng) if tolerance < 0.5 else 0.0
        if best is None or off < best[0]:
            best = (off, moves)
        if off <= tolerance:
            break
    return None if best is None else best[1]


def _moves(position: Position, plies: int, rng: random.Random) -> tuple[tuple[str, ...], Position] | None:
    """Turns at random, and chance up to the next turn of a player; None where the game is over then."""
    made: list[str] = []
    while (turn := position.turn()).kind is not TurnKind.OVER and (plies or CHANCE in turn.players):
        plies -= CHANCE not in turn.players
        chosen = _choices(position, rng)
        made += [f"{player} {move}" for player, move in chosen.items()]
        position = position.play(chosen).position
    return None if turn.kind is TurnKind.OVER else (tuple(made), position)


def _choices(position: Position, rng: random.Random) -> dict[str, str]:
    """A move at random of everybody who is to move."""
    return {
        player: position.draw(rng) if player == CHANCE else rng.choice(position.moves(player))
        for player in position.turn().players
    }


def imbalance(position: Position, players: Sequence[str], rng: random.Random) -> float:
    """How far the mean score of a player in random games is from that of all players, at most, from 0 to 1."""
    sums = dict.fromkeys(players, 0.0)
    for _ in range(PLAYOUTS):
        reached = position
        for _ in range(MOST_PLIES):
            if reached.turn().kind is TurnKind.OVER:
                break
            reached = reached.play(_choices(reached, rng)).position
        result = reached.result()
        scores = dict.fromkeys(players, 0.5) if result is None else seat_scores(result, "rank")
        for player in players:
            sums[player] += scores.get(player, 0.5)
    mean = sum(sums.values()) / len(players)
    return max(abs(total - mean) for total in sums.values()) / PLAYOUTS
