"""What rules may tell engines beyond the contract: each kind of advice is a protocol with one method.

Rules and positions give what they have and leave the rest out. Whoever wants advice calls the function of the
method's name, `advice.likely(position, player)`, which knows what to do where a rule gives none. A class that names
the protocol among its bases has its signature checked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Protocol, cast

from ggtp.game.model import Move, Observation, Player, Position, Rules

HORIZON = 3
"""How many turns engines play on before they ask for an estimate, where the rule does not say: more playouts find out
more than longer ones."""


# Advice of positions.


class Searcher(Protocol):
    """A position that changes in place, with moves as integers: the fast path for engines.

    Players are numbered as in `Rules.players`. Only for turns of one player and no chance.
    """

    def to_move(self) -> int:
        """The player to move, or -1 when the game is over."""

    def legal(self) -> Sequence[int]:
        """The moves of the player to move; empty when the game is over."""

    def play(self, move: int) -> None:
        """Make a legal move."""

    def undo(self) -> None:
        """Take the last move back."""

    def scores(self) -> Sequence[float]:
        """Every player's score from 0 to 100 when the game is over."""

    def key(self) -> Hashable:
        """Equal for equal positions."""

    def text(self, move: int) -> Move:
        """The canonical text of a legal move."""

    def number(self, move: Move) -> int:
        """The integer of a legal move's canonical text."""


class HasSearcher(Protocol):
    """A position with a fast path."""

    __slots__ = ()

    def searcher(self) -> Searcher | None:
        """The fast path for engines; None where this position has none."""


class Determinizes(Protocol):
    """A position of a game with secrets."""

    __slots__ = ()

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        """A full position that looks the same to `player`, drawn at random; None where the rule can't tell."""


class Estimates(Protocol):
    """A position that can be judged at a glance."""

    __slots__ = ()

    def estimate(self, player: Player) -> float | None:
        """What the player may expect at the end, in the rule's points; None where the rule can't tell.

        Where the rule counts no points, 100 is a win and 0 a loss. Asked of full positions only, by engines that do
        not play on to the end.
        """


class LikelyMoves(Protocol):
    """A position in which some moves are not worth a thought."""

    __slots__ = ()

    def likely(self, player: Player) -> Sequence[Move]:
        """Those of the player's moves that are worth a thought, as far as that player can know: at least one.

        Engines that try moves at random look at no others.
        """


class CasualMoves(Protocol):
    """A position in which moves at random tell little."""

    __slots__ = ()

    def casual(self, player: Player, rng: random.Random) -> Move:
        """A move that the player would make without much thought, as far as that player can know.

        Playouts are made of such moves.
        """


def searcher(position: Position) -> Searcher | None:
    """The fast path for engines, where the rule has one."""
    if hasattr(position, "searcher"):
        return cast(HasSearcher, position).searcher()
    return None


def determinize(position: Position, player: Player, rng: random.Random) -> Position | None:
    """A full position that looks the same to `player`: the position itself, where the rule keeps nothing secret."""
    if hasattr(position, "determinize"):
        return cast(Determinizes, position).determinize(player, rng)
    return position


def determinizes(position: Position) -> bool:
    """Whether the rule has its own way to draw a position that looks the same."""
    return hasattr(position, "determinize")


def estimate(position: Position, player: Player) -> float | None:
    """What the player may expect at the end; None where the rule can't tell."""
    if hasattr(position, "estimate"):
        return cast(Estimates, position).estimate(player)
    return None


def likely(position: Position, player: Player) -> Sequence[Move]:
    """The player's moves that are worth a thought: all of them, where the rule does not say better."""
    if hasattr(position, "likely"):
        return cast(LikelyMoves, position).likely(player)
    return position.moves(player)


def casual(position: Position, player: Player, rng: random.Random) -> Move:
    """A move made without much thought: any likely one, where the rule does not say better."""
    if hasattr(position, "casual"):
        return cast(CasualMoves, position).casual(player, rng)
    return rng.choice(likely(position, player))


# Advice of rules.


class HasHorizon(Protocol):
    """Rules whose positions are better judged sooner or later than those of others."""

    horizon: int
    """How many turns an engine should play on at random before it asks for an estimate: 0 where a position is better
    judged as it stands, as in an auction."""


class HasTwin(Protocol):
    """Rules that somebody has written in the Game Description Language, too."""

    def twin(self, options: Mapping[str, str]) -> str | None:
        """The same game, with these completed options, as a text in that language; see `building.twin`.

        None where there is none for these options. Games that have one can be solved.
        """


class Imagines(Protocol):
    """Rules of a game with secrets that know better than to sample histories, as `hidden.sampling` does."""

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """A full position that explains all that `player` has observed since the start, drawn at random; or None."""


class ImaginesSoon(Protocol):
    """Rules that look at many positions before they draw one."""

    def imagine_soon(
        self,
        player: Player,
        values: Mapping[str, str],
        seen: Sequence[Observation],
        rng: random.Random,
        should_stop: Callable[[], bool],
    ) -> Position | None:
        """As `imagine`, and once it should stop with no more care than it takes to find one."""


class NearlyImagines(Protocol):
    """Rules that can make do where nothing explains all that was observed."""

    def nearly(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """A position that explains most of what `player` has observed, on its turn; or None."""


def horizon(rules: Rules) -> int:
    """How many turns an engine should play on at random before it asks for an estimate."""
    if hasattr(rules, "horizon"):
        return cast(HasHorizon, rules).horizon
    return HORIZON


def twin(rules: Rules, options: Mapping[str, str]) -> str | None:
    """The same game as a text in the Game Description Language; None for most rules."""
    if hasattr(rules, "twin"):
        return cast(HasTwin, rules).twin(options)
    return None


def imagine(
    rules: Rules, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
) -> Position | None:
    """A full position that explains all that `player` has observed; None where the rule has no way to find one."""
    if hasattr(rules, "imagine"):
        return cast(Imagines, rules).imagine(player, values, seen, rng)
    return None


def imagines(rules: Rules) -> bool:
    """Whether the rule has its own way to imagine positions."""
    return hasattr(rules, "imagine")


def imagine_soon(
    rules: Rules,
    player: Player,
    values: Mapping[str, str],
    seen: Sequence[Observation],
    rng: random.Random,
    should_stop: Callable[[], bool],
) -> Position | None:
    """As `imagine`, with less care once it should stop, where the rule makes a difference."""
    if hasattr(rules, "imagine_soon"):
        return cast(ImaginesSoon, rules).imagine_soon(player, values, seen, rng, should_stop)
    return imagine(rules, player, values, seen, rng)


def nearly(
    rules: Rules, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
) -> Position | None:
    """A position that explains most of what `player` has observed; None where the rule has no way to find one."""
    if hasattr(rules, "nearly"):
        return cast(NearlyImagines, rules).nearly(player, values, seen, rng)
    return None
