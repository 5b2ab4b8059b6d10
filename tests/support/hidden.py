"""What the tests of rules with secrets share: games at random, and whether a player learns more than it is told."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from ggtp.game import CHANCE, Observation, Player, Position, Rules, TurnKind, advice
from ggtp.game.checks.examine import choose
from ggtp.game.hidden.sampling import observed


def walk(
    rules: Rules, values: Mapping[str, str], rng: random.Random, most: int = 3000
) -> Iterator[tuple[Position, Mapping[Player, Sequence[Observation]]]]:
    """The positions of a game at random, each with what every player has observed up to it."""
    position = rules.start(values)
    told: dict[Player, list[Observation]] = {player: [] for player in rules.players(rules.complete(values))}
    yield position, told
    for _ in range(most):
        if position.turn().kind is TurnKind.OVER:
            return
        verdict = position.play(choose(position, rng))
        for player, heard in told.items():
            heard += observed(position, verdict, player)
        position = verdict.position
        yield position, told
    raise AssertionError("the game does not end")


def look(position: Position, player: Player) -> tuple[object, ...]:
    """All that a player is shown."""
    turn = position.turn()
    return (
        position.view(player),
        list(position.moves(player)),
        position.picture(player).plain(),
        (turn.kind, turn.players),
        position.result() is None,
    )


def assert_blind(position: Position, other: Position, player: Player, rng: random.Random) -> None:
    """Two positions that are the same to a player look the same, and go on looking so while it is told the same."""
    assert look(other, player) == look(position, player)
    assert other.turn().kind is position.turn().kind
    turn = position.turn()
    if turn.kind is TurnKind.OVER:
        return
    moves = choose(position, rng)
    if turn.kind is TurnKind.CHANCE:
        return
    theirs = choose(other, rng)
    for mover in theirs:
        if mover == player and player in moves:
            theirs[mover] = moves[mover]
    if set(moves) != set(theirs):
        return
    first, second = position.play(moves), other.play(theirs)
    if (
        observed(position, first, player) == observed(other, second, player)
        and first.position.turn() == second.position.turn()
        and [words for words in first.announcements if words.to in (None, player)]
        == [words for words in second.announcements if words.to in (None, player)]
    ):
        assert look(first.position, player) == look(second.position, player)


def assert_sampled(
    rules: Rules, values: Mapping[str, str], rng: random.Random, share: float = 1.0, most: int = 3000
) -> int:
    """Along a game, what is determinized and what is imagined looks as the position does; says how many were compared.

    Args:
        share: how many of the positions are looked at.
    """
    compared = 0
    for position, told in walk(rules, values, rng, most):
        if rng.random() > share:
            continue
        for player, observations in told.items():
            other = advice.determinize(position, player, rng)
            assert other is not None
            assert_blind(position, other, player, rng)
            compared += 1
            if position.turn().kind is not TurnKind.OVER:
                imagined = advice.imagine(rules, player, values, observations, rng)
                assert imagined is not None
                assert look(imagined, player) == look(position, player)
                compared += 1
    return compared


def drawn(position: Position, rng: random.Random) -> Position:
    """The position after chance has drawn as often as it is its turn."""
    while position.turn().kind is TurnKind.CHANCE:
        position = position.play({CHANCE: position.draw(rng)}).position
    return position
