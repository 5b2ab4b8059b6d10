"""Plays rules at random, as a referee would ask them."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ggtp.game import CHANCE, Position, Rules, TurnKind

MOST_MOVES = 2000
"""Positions with more moves are seen, and not played on."""


def play_at_random(rules: Rules, options: Mapping[str, str], rng: random.Random, turns: int) -> str:
    """Play some turns; returns how it went, in a few words that are the same for games that go alike."""
    players = rules.players(rules.complete(options))
    position = rules.start(options)
    made = 0
    for _ in range(turns):
        turn = position.turn()
        if turn.kind is TurnKind.OVER:
            break
        moves = {player: _choice(position, player, rng) for player in turn.players}
        for player in players:
            position.view(player)
        position = position.play(moves).position
        made += 1
    position.view(None)
    position.key()
    position.picture(players[0] if players else None)
    result = position.result()
    return f"{len(players)} players, {made.bit_length()} turns, {'over' if result is not None else 'open'}"


def _choice(position: Position, player: str, rng: random.Random) -> str:
    if player == CHANCE:
        return position.draw(rng)
    moves = position.moves(player)
    return moves[int(rng.random() * min(len(moves), MOST_MOVES))]
