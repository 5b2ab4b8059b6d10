"""Go as a game of turns: captures, kinds of ko, the count. The options are the rules' affair."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from ggtp.game.building.goboard import GoBoard
from ggtp.game.building.turns import TurnGame
from ggtp.game.model import Move, Result, result_by_winner
from ggtp.game.notation import format_score
from ggtp.game.picture import Cell, Grid, Note, Picture

BLACK, WHITE = "Black", "White"
PLAYERS = (BLACK, WHITE)
PASS = "pass"
EMPTY_POINT, STAR = Cell("·", "empty", ascii="."), Cell("+", "empty")
STONES = (Cell("●", "first", ascii="X"), Cell("○", "second", ascii="O"))
LATEST = (Cell("●", "mark", ascii="X"), Cell("○", "mark", ascii="O"))
SUPERKO = ("simple", "positional", "situational")
FULL_HANDICAP = 9
SMALL = 4

Boards: TypeAlias = frozenset[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Choices:
    """The points that may be played, those that only ko closes, and what is taken, by the bit of its point."""

    open: list[int]
    closed: list[int]
    taken: dict[int, int]


@dataclass(frozen=True, slots=True)
class GoState:
    """The stones, who is to move, and which boards may not be made again."""

    stones: tuple[int, int]
    to_move: int
    banned: Boards
    passes: int = 0
    captured: tuple[int, int] = (0, 0)
    """How many stones Black has captured, and White."""
    ply: int = 0
    last: int = -1
    took: int = 0
    """How many stones the last move has captured."""
    peak: int = 0
    """The most stones of all boards that may not come back, where those are many."""
    found: list[Choices] = field(default_factory=list, compare=False, repr=False)
    """What the player may do, once it has been asked for."""


@dataclass(frozen=True)
class GoGame(TurnGame[GoState]):
    """A move is the number of its point; the number after the last is a pass."""

    board: GoBoard
    komi: Fraction
    ko: str
    territory: bool
    suicide: bool
    limit: int
    """The game ends after so many moves at the latest."""

    players = PLAYERS

    def _situation(self, stones: tuple[int, int], to_move: int) -> tuple[int, ...]:
        return (*stones, to_move) if self.ko == "situational" else stones

    def _over(self, state: GoState) -> bool:
        return state.passes >= 2 or state.ply >= self.limit

    def _made(self, state: GoState, bit: int, taken: int) -> tuple[int, int]:
        """The stones after a stone is put there and what it takes is gone, the own ones if it has no liberty."""
        mover = state.to_move
        own, other = state.stones[mover] | bit, state.stones[1 - mover] & ~taken
        chain = self.board.chain(bit, own)
        if not self.board.near(chain) & ~(own | other):
            own ^= chain
        return (own, other) if mover == 0 else (other, own)

    def _choices(self, state: GoState) -> Choices:
        if state.found:
            return state.found[0]
        mover = state.to_move
        own, other = state.stones[mover], state.stones[1 - mover]
        breathing, taken = self.board.survey(own, other)
        stones = (own | other).bit_count()
        # A stone that takes nothing makes a board with more stones than this one: often there was none such.
        sure = breathing & ~sum(taken) if stones >= state.peak else 0
        choices = Choices([], [], taken)
        empty = self.board.full & ~(own | other)
        for point, bit in enumerate(self.board.bits):
            if bit & sure:
                choices.open.append(point)
            elif bit & empty:
                alive = bit & breathing or bit in taken
                # A stone that only takes itself would be a pass in disguise.
                if not alive and not (self.suicide and self.board.near(bit) & own):
                    continue
                made = self._made(state, bit, taken.get(bit, 0))
                again = self._situation(made, 1 - mover) in state.banned
                (choices.closed if again else choices.open).append(point)
        state.found.append(choices)
        return choices

    def to_move(self, state: GoState) -> int:
        return -1 if self._over(state) else state.to_move

    def legal(self, state: GoState) -> Sequence[int]:
        return () if self._over(state) else [*self._choices(state).open, len(self.board.names)]

    def after(self, state: GoState, move: int) -> GoState:
        mover = state.to_move
        if move == len(self.board.names):
            stones, passes, captured, took = state.stones, state.passes + 1, state.captured, 0
        else:
            bit, passes = self.board.bits[move], 0
            stones = self._made(state, bit, self._choices(state).taken.get(bit, 0))
            dead = [before.bit_count() - now.bit_count() for before, now in zip(state.stones, stones, strict=True)]
            dead[mover] += 1
            captured, took = (state.captured[0] + dead[1], state.captured[1] + dead[0]), dead[1 - mover]
        if self.ko == "simple":
            banned: Boards = frozenset((state.stones,))
            peak = 0
        else:
            banned = state.banned | {self._situation(stones, 1 - mover)}
            peak = max(state.peak, (stones[0] | stones[1]).bit_count())
        return GoState(stones, 1 - mover, banned, passes, captured, state.ply + 1, move, took, peak)

    def name(self, state: GoState, move: int) -> Move:
        return PASS if move == len(self.board.names) else self.board.names[move]

    def hint(self, state: GoState, moves: Mapping[Move, int]) -> str:
        return "a move is an empty point, as D4, or pass"

    def why_not(self, state: GoState, text: str) -> str:
        typed = text.upper()
        if typed not in self.board.names:
            return ""
        point = self.board.names.index(typed)
        if (state.stones[0] | state.stones[1]) & self.board.bits[point]:
            return f"there is a stone on {typed}"
        if point in self._choices(state).closed:
            return f"{typed} would repeat a position, which is against ko"
        return f"a stone on {typed} would have no liberty"

    def points(self, state: GoState) -> tuple[Fraction, Fraction]:
        """The points of both players as the board stands: every stone on it counts as alive."""
        found = [Fraction(0), self.komi]
        for player, ground in enumerate(self.board.territory(*state.stones)):
            found[player] += ground.bit_count()
            found[player] += state.captured[player] if self.territory else state.stones[player].bit_count()
        return found[0], found[1]

    def result(self, state: GoState) -> Result | None:
        if not self._over(state):
            return None
        black, white = self.points(state)
        winner = None if black == white else BLACK if black > white else WHITE
        reason = f"Black {format_score(black)} points, White {format_score(white)}"
        return result_by_winner(PLAYERS, winner, reason if state.passes >= 2 else f"{reason} after {state.ply} moves")

    def key(self, state: GoState) -> Hashable:
        return (self, state.stones, state.to_move, state.banned, state.passes, state.captured, state.ply)

    def search_key(self, state: GoState) -> Hashable:
        # Small boards are searched to the end, where the whole history counts; on others a ko that is fresh does.
        ko: Hashable = state.banned if self.board.size <= SMALL else state.last if state.took == 1 else -1
        return (state.stones, state.to_move, state.passes, ko)

    def _marks(self, state: GoState) -> list[str]:
        black, white = state.stones
        return ["X" if bit & black else "O" if bit & white else "." for bit in self.board.bits]

    def view(self, state: GoState) -> str:
        size, marks = self.board.size, self._marks(state)
        rows = "/".join("".join(marks[start : start + size]) for start in range(0, size * size, size))
        closed = (
            "" if self._over(state) else "".join(f" {self.board.names[point]}" for point in self._choices(state).closed)
        )
        last = "-" if state.last < 0 else self.name(state, state.last)
        counts = " ".join(map(str, (*state.captured, state.passes, state.ply)))
        mover = "-" if self._over(state) else PLAYERS[state.to_move]
        suicide = " suicide" if self.suicide else ""
        return (
            f"{rows} {mover} {counts} {last} komi {format_score(self.komi)}{suicide}{' ko' if closed else ''}{closed}"
        )

    def picture(self, state: GoState) -> Picture:
        size, black, white = self.board.size, *state.stones
        stars, cells = set(self.board.stars()), []
        for point, bit in enumerate(self.board.bits):
            pictures = LATEST if point == state.last else STONES
            empty = STAR if point in stars else EMPTY_POINT
            cells.append(pictures[0] if bit & black else pictures[1] if bit & white else empty)
        rows = tuple(tuple(cells[start : start + size]) for start in range(size * size - size, -1, -size))
        grid = Grid(rows, columns=self.board.labels, row_labels=tuple(str(row) for row in range(size, 0, -1)))
        captured = (
            f"captured by Black {state.captured[0]}, by White {state.captured[1]}; komi {format_score(self.komi)}"
        )
        result = self.result(state)
        if result:
            return Picture((grid, Note(captured, "muted"), Note(result.reason, "mark")))
        passed = f"; {PLAYERS[1 - state.to_move]} has passed" if state.passes else ""
        return Picture((grid, Note(captured, "muted"), Note(f"{PLAYERS[state.to_move]} to move{passed}", "muted")))
