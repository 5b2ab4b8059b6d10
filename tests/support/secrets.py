"""Games with secrets, looked at by their players: what each was told, and whether imagined positions explain it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from ggtp.game import CHANCE, Move, Observation, Player, Position, Rules, TurnKind, advice
from ggtp.game.checks.examine import choose
from ggtp.game.hidden.sampling import observed

Told = dict[Player, list[Observation]]


def random_game(
    rules: Rules, rng: random.Random, values: Mapping[str, str] | None = None
) -> Iterator[tuple[Position, Told, dict[Player, Move]]]:
    """The positions of a game at random, what everybody had been told there, and what was played next."""
    position = rules.start(values)
    told: Told = {player: [] for player in rules.players(rules.complete(values or {}))}
    while position.turn().kind is not TurnKind.OVER:
        moves = choose(position, rng)
        yield position, told, moves
        verdict = position.play(moves)
        for player, heard in told.items():
            heard += observed(position, verdict, player)
        position = verdict.position
    yield position, told, {}


def looks(position: Position, player: Player) -> tuple[object, ...]:
    """Every byte that a player can get out of a position."""
    turn, picture = position.turn(), position.picture(player)
    return (
        position.view(player),
        tuple(position.moves(player)),
        picture.plain(),
        picture.plain(ascii_only=True),
        (turn.kind, turn.players, turn.delay),
        position.result(),
    )


def compare_imagined(
    rules: Rules, rng: random.Random, values: Mapping[str, str] | None = None, every: int = 1
) -> tuple[int, int]:
    """Along a game at random, what is drawn for a player looks like the truth.

    Returns:
        How many positions were compared, and how many of them were not the true one.
    """
    compared = other_worlds = 0
    for number, (position, told, moves) in enumerate(random_game(rules, rng, values)):
        if number % every and moves:
            continue
        for player, heard in told.items():
            drawn = [advice.determinize(position, player, rng)]
            if moves:
                drawn.append(advice.imagine(rules, player, values or {}, heard, rng))
            for other in drawn:
                assert other is not None, (player, position.view(None))
                assert looks(other, player) == looks(position, player)
                compared += 1
                other_worlds += other.key() != position.key()
    return compared, other_worlds


def heard(
    rules: Rules, history: Sequence[Mapping[Player, Move]], player: Player, values: Mapping[str, str] | None = None
) -> list[object]:
    """All that a player gets to know in a play: what is told, what the umpire says, how everything looks."""
    position = rules.start(values)
    known: list[object] = [looks(position, player)]
    for moves in history:
        verdict = position.play(moves)
        known += observed(position, verdict, player)
        known += [words.text for words in verdict.announcements if words.to in (None, player)]
        position = verdict.position
        known.append(looks(position, player))
    return known


def history_of(rules: Rules, rng: random.Random, values: Mapping[str, str] | None = None) -> list[dict[Player, Move]]:
    """The moves of a game at random."""
    return [moves for _, _, moves in random_game(rules, rng, values) if moves]


def deals_in(history: Sequence[Mapping[Player, Move]]) -> list[int]:
    """Where in a play chance moves."""
    return [index for index, moves in enumerate(history) if CHANCE in moves]
