"""A full position that explains what one player has observed, for rules that can't draw one themselves.

The game is played again from the start. A history that runs into a contradiction is thrown away and another is tried;
where that does not help, one is mended until it explains everything.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from ggtp.errors import GgtpError
from ggtp.game import advice
from ggtp.game.hidden.histories import Historian, History
from ggtp.game.hidden.observing import observed
from ggtp.game.model import Observation, Player, Position, Rules, TurnKind

__all__ = ["anywhere", "imagine", "nearly", "observed", "sample"]

TRIES = 200
"""How many histories are tried: enough for games of a few hidden moves, and done in well under a second."""
ROUNDS = 20
"""How many turns are made up, where nothing explains what was seen, until it is the player's turn."""
FRESH = 10
"""How many of them are begun from nothing; the others mend the one before."""


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
    position = advice.imagine_soon(rules, player, values, observations, rng, should_stop)
    if position is not None:
        return position
    return sample(rules, player, values, observations, rng, tries, should_stop)


def sample(
    rules: Rules,
    player: Player,
    values: Mapping[str, str],
    observations: Sequence[Observation],
    rng: random.Random,
    tries: int = TRIES,
    should_stop: Callable[[], bool] = lambda: False,
) -> Position | None:
    """As `imagine`, by histories alone, whatever the rule can do itself."""
    historian = Historian(player, rng)
    found = None
    for _ in range(min(FRESH, tries)):
        if should_stop():
            return None
        found = historian.begin(rules.start(values), observations)
        if found.explains(observations):
            return found.position
    if found is None:
        return None
    mended = historian.mend(found, observations, tries - FRESH, should_stop)
    return mended.position if mended.explains(observations) else None


def nearly(
    rules: Rules,
    player: Player,
    values: Mapping[str, str],
    observations: Sequence[Observation],
    rng: random.Random,
) -> Position | None:
    """A position on the player's turn that explains most of what it has observed, where none explains everything.

    What the player may do there is most likely what it may do in truth: it follows from what it knows.
    """
    position = _by_rule(rules, player, values, observations, rng)
    if position is not None:
        return position
    historian = Historian(player, rng)
    known = _longest(rules, player, values, observations, rng)
    for _ in range(FRESH):
        begun = known or historian.begin(rules.start(values), observations)
        position = historian.go_on(begun, observations, ROUNDS)
        if position is not None:
            return position
    return None


def anywhere(
    rules: Rules, player: Player, values: Mapping[str, str], turns: int, rng: random.Random
) -> Position | None:
    """A position on the player's turn after about so many turns of a game at random; None where none was found."""
    historian = Historian(player, rng)
    best: Position | None = None
    distance = 0
    for _ in range(FRESH):
        position = rules.start(values)
        for count in range(turns + ROUNDS):
            turn = position.turn()
            if turn.kind is TurnKind.OVER:
                break
            if player in turn.players and (best is None or abs(turns - count) < distance):
                best, distance = position, abs(turns - count)
            position = position.play(historian.anything(position, turn, None)).position
    return best


def _by_rule(
    rules: Rules, player: Player, values: Mapping[str, str], observations: Sequence[Observation], rng: random.Random
) -> Position | None:
    try:
        position = advice.nearly(rules, player, values, observations, rng)
    except (GgtpError, LookupError, ValueError):
        return None  # rules may rely on what was observed being of their game
    return position if position is not None and player in position.turn().players else None


def _longest(
    rules: Rules, player: Player, values: Mapping[str, str], observations: Sequence[Observation], rng: random.Random
) -> History | None:
    """The most of the observations, from the first on, that the rule can explain: what explains more explains less."""
    found: History | None = None
    least, most = 1, len(observations)
    while least <= most:
        middle = (least + most) // 2
        try:
            position = advice.imagine_soon(rules, player, values, observations[:middle], rng, lambda: True)
        except (GgtpError, LookupError, ValueError):
            position = None
        if position is None:
            most = middle - 1
        else:
            found, least = History((), position, middle), middle + 1
    return found
