"""TreasureHunt: two sides of two partners, each of whom knows half of where their side's treasure is.

North knows the column and South the row, and so do East and West of theirs. In turns everybody digs somewhere. What is
known by two can only be put together by talking: the rule lets partners send each other messages.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence

from ggtp.errors import IllegalMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    EMPTY,
    HIDDEN,
    OVER,
    Cell,
    Grid,
    Move,
    Note,
    Observation,
    Option,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Seen,
    Standing,
    Talk,
    Traits,
    Turn,
    Verdict,
    letters,
    number,
    single,
)
from ggtp.game.advice import Determinizes, Imagines
from ggtp.game.picture import Tone

PLAYERS = ("North", "East", "South", "West")
SIDES = (("North", "South"), ("East", "West"))
TURNS = tuple(single(player) for player in PLAYERS)
FOUND = " found"
"""What is put behind a move that has found a treasure, for everybody."""
PRIVATE, PUBLIC, OFF = TALK = ("private", "public", "off")
MARKS = ("n", "e")
TONES: tuple[Tone, Tone] = ("first", "second")


def side_of(player: Player) -> int:
    """The side of a player."""
    return PLAYERS.index(player) % 2


def knows_column(player: Player) -> bool:
    """Whether it is the column that a player knows; else it is the row."""
    return player in ("North", "East")


class TreasureHuntPosition(Position, Determinizes):
    """Where the treasures are, and where each side has dug."""

    __slots__ = ("_dug", "_found", "_size", "_treasures")

    def __init__(
        self,
        size: int,
        treasures: tuple[Move, ...] = (),
        dug: tuple[tuple[Move, ...], tuple[Move, ...]] = ((), ()),
        found: tuple[bool, bool] = (False, False),
    ) -> None:
        self._size = size
        self._treasures = treasures
        self._dug = dug
        self._found = found

    def _cells(self) -> list[Move]:
        return [f"{column}{row}" for row in range(1, self._size + 1) for column in letters(self._size)]

    def _turns(self) -> int:
        """How often somebody has dug."""
        return len(self._dug[0]) + len(self._dug[1])

    def turn(self) -> Turn:
        if len(self._treasures) < len(SIDES):
            return CHANCE_TURN
        turns = self._turns()
        # Both sides dig as often: who begins has no advantage. An odd number of cells ends in the middle of a round.
        everywhere = turns == len(SIDES) * self._size**2
        over = everywhere or (any(self._found) and turns % len(PLAYERS) == 0)
        return OVER if over else TURNS[turns % len(PLAYERS)]

    def moves(self, player: Player) -> Sequence[Move]:
        if player not in self.turn().players:
            return ()
        if player == CHANCE:
            return self._cells()
        dug = self._dug[side_of(player)]
        return [cell for cell in self._cells() if cell not in dug]

    def chance(self) -> Sequence[tuple[Move, int]]:
        return [(cell, 1) for cell in self._cells()] if len(self._treasures) < len(SIDES) else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        if player == CHANCE:
            after = TreasureHuntPosition(self._size, (*self._treasures, move), self._dug, self._found)
            return Verdict(after, ((player, move),))
        side = side_of(player)
        dug, found = list(self._dug), list(self._found)
        dug[side] = (*dug[side], move)
        found[side] = found[side] or self._treasures[side] == move
        after = TreasureHuntPosition(self._size, self._treasures, (dug[0], dug[1]), (found[0], found[1]))
        return Verdict(after, ((player, move),))

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        if actor != CHANCE:
            return move + FOUND if self._treasures[side_of(actor)] == move else move
        if observer not in SIDES[len(self._treasures)]:
            return HIDDEN
        return f"{move[0]}{HIDDEN}" if knows_column(observer) else f"{HIDDEN}{move[1:]}"

    def result(self) -> Result | None:
        if self.turn() is not OVER:
            return None
        both = all(self._found)
        standings, scores = {}, {}
        for player in PLAYERS:
            lucky = self._found[side_of(player)]
            standings[player] = Standing.DRAW if both else Standing.WIN if lucky else Standing.LOSS
            scores[player] = 50 if both else 100 if lucky else 0
        who = "both sides" if both else " and ".join(SIDES[self._found.index(True)])
        return Result(standings, scores, f"{who} have found their treasure")

    def _known(self, player: Player | None) -> str:
        if player is None:
            return " ".join(self._treasures) or "nothing hidden"
        if len(self._treasures) <= side_of(player):
            return "nothing hidden"
        treasure = self._treasures[side_of(player)]
        return f"column {treasure[0]}" if knows_column(player) else f"row {treasure[1:]}"

    def view(self, player: Player | None) -> str:
        places = [" ".join(dug) or "nowhere" for dug in self._dug]
        found = ", ".join("-".join(side) for side, yes in zip(SIDES, self._found, strict=True) if yes) or "nobody"
        hidden = len(self._treasures)
        return f"{self._known(player)}; {hidden} hidden; dug {places[0]} / {places[1]}; found by {found}"

    def key(self) -> Hashable:
        return (self._size, self._treasures, tuple(map(frozenset, self._dug)), self._found, self._turns())

    def picture(self, player: Player | None) -> Picture:
        def cell(place: Move) -> Cell:
            marks = "".join(mark for mark, dug in zip(MARKS, self._dug, strict=True) if place in dug)
            lucky = any(yes and place == treasure for yes, treasure in zip(self._found, self._treasures, strict=False))
            if lucky:
                return Cell("*", "good")
            if not marks:
                return EMPTY
            return Cell(marks if len(marks) == 1 else "+", TONES[MARKS.index(marks)] if len(marks) == 1 else "muted")

        rows = range(self._size, 0, -1)
        columns = letters(self._size)
        grid = Grid(
            tuple(tuple(cell(f"{column}{row}") for column in columns) for row in rows),
            columns=tuple(columns),
            row_labels=tuple(str(row) for row in rows),
        )
        return Picture((grid, Note(f"known: {self._known(player)}", "muted")))

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        treasures = tuple(self._somewhere(side, treasure, player, rng) for side, treasure in enumerate(self._treasures))
        return TreasureHuntPosition(self._size, treasures, self._dug, self._found)

    def _somewhere(self, side: int, treasure: Move, player: Player, rng: random.Random) -> Move:
        """A place where a treasure may be, for all that a player knows."""
        if self._found[side]:
            return treasure
        places = [cell for cell in self._cells() if cell not in self._dug[side]]
        if side == side_of(player):
            places = [cell for cell in places if _fits(cell, player, treasure)]
        return rng.choice(places)


def _fits(cell: Move, player: Player, treasure: Move) -> bool:
    """Whether a place is in the column, or the row, that the player knows."""
    return cell[0] == treasure[0] if knows_column(player) else cell[1:] == treasure[1:]


class TreasureHunt(Rules, Imagines):
    """North and South against East and West; with the option talk, partners may send messages."""

    name = "TreasureHunt"
    title = "partners who know half of a place each, and may talk"
    traits = Traits(min_players=4, max_players=4, chance=True, hidden=True)
    own_options = (
        number("size", 5, 3, 9, "how many columns and rows there are"),
        Option("talk", PRIVATE, "whether partners may send messages, and who hears them", choices=TALK),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return TreasureHuntPosition(int(options["size"]))

    def talk(self, options: Mapping[str, str]) -> Talk | None:
        return None if options["talk"] == OFF else Talk(SIDES, private=options["talk"] == PRIVATE, most=3, length=80)

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        told = [it for it in seen if isinstance(it, Seen)]
        hidden = [it.text for it in told if it.actor == CHANCE]
        digs = [(it.actor, it.text) for it in told if it.actor != CHANCE]
        position: Position = self.begin(self.complete(values))
        for side, text in enumerate(hidden):
            own = [(dug.removesuffix(FOUND), dug.endswith(FOUND)) for who, dug in digs if side_of(who) == side]
            lucky = [cell for cell, yes in own if yes]
            misses = {cell for cell, yes in own if not yes} if not lucky else set[Move]()
            places = lucky or [cell for cell in position.moves(CHANCE) if cell not in misses]
            places = [cell for cell in places if position.seen(CHANCE, cell, player) == text]
            if not places:
                return None
            position = position.play({CHANCE: rng.choice(places)}).position
        for who, dug in digs:
            position = position.play({who: dug.removesuffix(FOUND)}).position
        return position


RULES = TreasureHunt()
