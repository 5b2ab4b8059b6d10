"""What a game is: rules, positions, turns, moves, results.

A rule's author writes a `Rules` object and an immutable `Position`; everything else in the
house (referee, engines, prompt, tournaments) is made of what these two promise.

A move is its canonical text: what the protocol carries, a play file holds and a person
types. What a rule may tell engines beyond its contract is in `advice`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import ClassVar, TypeAlias

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game.building.symmetry import Symmetry
from ggtp.game.options import Option, complete
from ggtp.game.picture import Note, Picture

Player: TypeAlias = str
Move: TypeAlias = str
Score: TypeAlias = int | Fraction

CHANCE: Player = "Chance"
"""The pseudo player whose moves are dice, deals and shuffles."""

HIDDEN: Move = "?"
"""How a move is written for an observer who may not know it."""


class TurnKind(Enum):
    """Who decides now."""

    SINGLE = "single"
    """One player."""
    JOINT = "joint"
    """All the listed players, nobody seeing another's choice before all have chosen."""
    RACE = "race"
    """Any of the listed players; the first to move counts, and after `delay` the default is played."""
    CHANCE = "chance"
    """Nobody: the referee draws from `Position.chance`."""
    OVER = "over"
    """Nobody: the game has a result."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, and how it is taken."""

    kind: TurnKind
    players: tuple[Player, ...] = ()
    delay: float | None = None
    """Seconds that the rule gives for this turn; None leaves it to the clocks. A race needs one."""
    default: Mapping[Player, Move] = field(default_factory=dict)
    """What is played when the delay of a race, or of a tick, is over."""
    sealed: bool = False
    """Whether what a player can do here is secret, so that the time of an answer would tell it.

    A joint turn or a race is sealed if only some of the players can do more than pass and the others may not know
    who; a single turn if the move may be refused as a try. Whether it is sealed must not depend on a secret. The
    referee lets the others learn of such a turn at instants that do not depend on it either. The default of a sealed
    race is that everybody passes.
    """

    def movers(self, rng: random.Random, first: Player | None = None) -> tuple[Player, ...]:
        """Return the players who move: all of them, or in a race `first` if it takes part, and else any one."""
        if self.kind is not TurnKind.RACE:
            return self.players
        return (first if first is not None and first in self.players else rng.choice(self.players),)


OVER = Turn(TurnKind.OVER)
CHANCE_TURN = Turn(TurnKind.CHANCE, (CHANCE,))


def single(player: Player, *, sealed: bool = False) -> Turn:
    """The turn of one player; sealed if a move may be refused because of a secret."""
    return Turn(TurnKind.SINGLE, (player,), sealed=sealed)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that a player was free to try and that the umpire did not let stand."""

    player: Player
    move: Move
    reason: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """What the umpire says; `to` is None when all may hear it."""

    text: str
    to: Player | None = None


@dataclass(slots=True)  # made for every move, in playouts too: frozen would cost three times as much
class Verdict:
    """What came of the moves that were handed to `Position.play`."""

    position: Position
    """The position afterwards. A refused try may change it: the player has learned something."""
    made: tuple[tuple[Player, Move], ...] = ()
    """The moves that stand, in order of effect."""
    refused: tuple[Refusal, ...] = ()
    announcements: tuple[Announcement, ...] = ()


class Standing(Enum):
    """How a player stands when the game is over."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, for every player."""

    standings: Mapping[Player, Standing]
    scores: Mapping[Player, Score] = field(default_factory=dict)
    """Points, for the players that the rule gives any."""
    reason: str = ""
    """One sentence for people: `three in a row`, `Circle forfeits: no answer in time`."""


def result_by_scores(scores: Mapping[Player, Score], reason: str = "") -> Result:
    """The most points win, alone; shared by several they draw; everybody else has lost."""
    best = max(scores.values())
    leaders = [player for player, score in scores.items() if score == best]
    top = Standing.WIN if len(leaders) == 1 else Standing.DRAW
    return Result({player: top if player in leaders else Standing.LOSS for player in scores}, dict(scores), reason)


def result_by_winner(players: Sequence[Player], winner: Player | None, reason: str = "") -> Result:
    """100 points to the winner and none to the others; 50 each where there is no winner."""
    if winner is None:
        return Result(dict.fromkeys(players, Standing.DRAW), dict.fromkeys(players, 50), reason)
    return result_by_scores({player: 100 if player == winner else 0 for player in players}, reason)


@dataclass(frozen=True, slots=True)
class Traits:
    """What kind of game it is, declared before any play so that engines can refuse early."""

    min_players: int = 2
    max_players: int = 2
    chance: bool = False
    """There are chance turns."""
    hidden: bool = False
    """Some player may not know everything, or may try moves that are refused."""
    joint: bool = False
    """There are turns in which several players choose at once."""
    race: bool = False
    """There are turns in which the first to move counts."""
    zero_sum: bool = True
    """What one player gains the others lose."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Who plays together, and what partners may say to each other besides their moves."""

    sides: tuple[tuple[Player, ...], ...]
    """The sides; players of one side may send each other messages."""
    private: bool = True
    """Whether the other sides hear nothing of it, not even that something was said."""
    most: int = 4
    """How many messages a player may send between two steps of the play."""
    length: int = 200
    """How many characters a message may have."""

    def partners(self, player: Player) -> tuple[Player, ...]:
        """The others of a player's side."""
        return tuple(other for side in self.sides if player in side for other in side if other != player)

    def hears(self, player: Player, sender: Player, receiver: Player) -> bool:
        """Whether a player hears what one says to another; the one who says it does."""
        return not self.private or player in (sender, receiver)


class OpenMoves(tuple[Move, ...]):
    """Moves too many to list: these are typical ones, and `patterns` says in words what else there is.

    `Position.parse` accepts the others too.
    """

    patterns: tuple[str, ...]

    def __new__(cls, moves: Sequence[Move], patterns: Sequence[str]) -> OpenMoves:
        """Typical moves, and patterns such as `raise 40..2000`."""
        self = super().__new__(cls, moves)
        self.patterns = tuple(patterns)
        return self


@dataclass(frozen=True, slots=True)
class Seen:
    """A player was told of a move, masked as `Position.seen` says."""

    actor: Player
    text: Move


@dataclass(frozen=True, slots=True)
class Refused:
    """A player's own move was refused."""

    move: Move
    reason: str = ""


Observation: TypeAlias = Seen | Refused


class Position(ABC):
    """Where a game stands: immutable, so that undoing is keeping the old one.

    An author must write `turn`, `moves`, `play`, `result`, `view` and `key`; the rest has a
    default that is right for games without chance and without secrets.
    """

    __slots__ = ()

    @abstractmethod
    def turn(self) -> Turn:
        """Whose turn it is."""

    @abstractmethod
    def moves(self, player: Player) -> Sequence[Move]:
        """The moves that `player` may TRY now, as far as that player can know.

        Names are unique, not empty, without commas, tabs, newlines or double blanks. Empty
        when it is not the player's turn. For `CHANCE`, every outcome that can be listed.
        """

    @abstractmethod
    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        """What comes of these canonical moves: one for a single, race or chance turn, all for a joint one.

        Raises:
            IllegalMove: a move that its player may not even try. Nothing has changed.
        """

    @abstractmethod
    def result(self) -> Result | None:
        """How the game ended; None exactly as long as the turn is not `OVER`."""

    @abstractmethod
    def view(self, player: Player | None) -> str:
        """What the player knows, as one line of canonical text; None stands for the referee, who knows all.

        Two positions with the same view are the same to that player: same moves, same picture.
        """

    @abstractmethod
    def key(self) -> Hashable:
        """Equal exactly for positions that are equal in every respect that matters to the game."""

    def picture(self, player: Player | None) -> Picture:
        """What to draw for that player, or for the referee."""
        return Picture((Note(self.view(player)),))

    def parse(self, player: Player, text: str) -> Move:
        """The canonical move that the text means.

        Raises:
            MalformedMove, IllegalMove, AmbiguousMove: it means none that `player` may try now.
        """
        moves = self.moves(player)
        if text in moves:
            return text
        folded = " ".join(text.split()).casefold()
        found = [move for move in moves if move.casefold() == folded]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(f"{text} may be {' or '.join(found)}.")
        if not moves:
            raise IllegalMove(f"It is not {player}'s turn.")
        raise MalformedMove(f"No move named {text} for player {player}.")

    def chance(self) -> Sequence[tuple[Move, int]]:
        """At a chance turn: every outcome and its weight."""
        return ()

    def draw(self, rng: random.Random) -> Move:
        """At a chance turn: an outcome, drawn by the weights. Override where outcomes can't be listed."""
        outcomes = self.chance()
        return rng.choices([move for move, _ in outcomes], [weight for _, weight in outcomes])[0]

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        """What `observer` is told of a move that `actor` makes in this position; `HIDDEN` for nothing at all.

        Engines hear no announcements. In a game with secrets, what an engine must know of what the umpire
        says is put behind the move, or behind what is told of it; the one who moves is told so, too.
        """
        return move

    def spoken(self, actor: Player, move: Move, observer: Player) -> str:
        """What a person in `observer`'s seat is told of a move: words for what is seen; empty where nothing is."""
        return self.seen(actor, move, observer)


class Rules(ABC):
    """The rules of a game: who plays, with which options, from which position."""

    name: ClassVar[str]
    """What `set_rule` calls it: letters, digits, `_`, `-`, `/`."""
    title: ClassVar[str] = ""
    """One line for people."""
    traits: ClassVar[Traits] = Traits()
    own_options: ClassVar[tuple[Option, ...]] = ()
    first_player_open: ClassVar[bool] = False
    """Whether anybody may begin; then there is an option `starting_player`."""
    text: str | None = None
    """The rules themselves, for rules that are data and that an engine may be told (`rule_text`)."""

    @abstractmethod
    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        """The players' names in seating order, for completed options."""

    @abstractmethod
    def begin(self, options: Mapping[str, str]) -> Position:
        """The first position, for completed options. An open first player is `starting_player`, after dice or deals."""

    def options(self, values: Mapping[str, str] | None = None) -> tuple[Option, ...]:
        """All options, `starting_player` included where there is one, given the values set so far."""
        if not self.first_player_open:
            return self.own_options
        own = {option.name for option in self.own_options}
        chosen = {name: value for name, value in (values or {}).items() if name in own}
        names = self.players(complete(self.own_options, chosen))
        return (*self.own_options, Option("starting_player", names[0], "who moves first", choices=names))

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        """Every option with its value: the given one, or the default.

        Raises:
            OptionError: an unknown name, or a value that it does not take.
        """
        return complete(self.options(values), values)

    def start(self, values: Mapping[str, str] | None = None) -> Position:
        """The first position with these options, defaults for the others."""
        return self.begin(self.complete(values or {}))

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        """How plays can be turned or mirrored and be the same plays, with these completed options; see `symmetry`."""
        return ()

    def start_clock(self, options: Mapping[str, str]) -> float:
        """The seconds that an engine has before the first move, where the supervisor has not said otherwise."""
        return 0.0

    def talk(self, options: Mapping[str, str]) -> Talk | None:
        """Which messages partners may send each other, with these completed options; None for none at all.

        Messages are part of the play, through the referee, and no part of any position.
        """
        return None
