"""RushHour: slide cars out of the way until the red one can leave."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from ggtp.game import (
    Cell,
    Grid,
    Move,
    Note,
    Option,
    Picture,
    Position,
    Result,
    number,
)
from ggtp.game.building.boards import SquareBoard
from ggtp.game.building.puzzles import SOLO, SOLVED, LevelRules, solo_result
from ggtp.game.building.turns import TurnGame, TurnPosition
from ggtp.game.building.twin import counter, ends_without_moves, facts
from ggtp.game.picture import Tone

SIZE, EXIT = 6, 2
"""Squares each way, and the row with the way out, at its right end."""
BOARD = SquareBoard(SIZE, SIZE)
RED = "X"
WORDS = (("up", "down"), ("left", "right"))
DIRECTIONS = {
    **dict.fromkeys("u^", ("up",)),
    **dict.fromkeys("dv", ("down",)),
    **dict.fromkeys("l<", ("left",)),
    **dict.fromkeys("r>", ("right",)),
    "-": ("up", "left"),
    "+": ("down", "right"),
    "": ("up", "down", "left", "right"),
}
"""What a sign may mean; without one a car goes where it can."""
LEVELS = (
    "BA..DDBA...EXX...E...OOOCC..........",
    "DC..FFDCBB.AXXG..A.OG.EE.O.....O....",
    "CEEHH.C...DIXX..DI...A.....AGGFFBB..",
    "AA..OFEE..OFXX..OG..PPPG...CC..BBDD.",
    "GD.OOOGDAAEEXX...HBB...HFF...CPPP..C",
    "..HODD..HOGBXXFOGBAAFEEC.....C......",
    ".EE.....OD.BXXOD.BCCO...HAA...HGGFF.",
    "FFHHA.JJB.A.XXB.....C.EE..CGGIDDOOOI",
    "......CC..P.XX..P.FFBBP..DOOO..DAAEE",
    "OBDIIHOBDFAHOXXFAGC..J.GC..J..KKEE..",
    "GAJJEHGAKKEHXXIBF.D.IBF.D..C.....C..",
    ".CAA...CIDGGXXIDFOEHHBFOE..BJO....J.",
    ".DFFCC.DEBBOXXEP.OAGGP.OAHHP..II....",
)
"""The squares row by row; X is the red car."""

State: TypeAlias = tuple[tuple[int, ...], int]
"""Where each car begins in its row or column, and how many moves were made."""


@dataclass(frozen=True, slots=True)
class Car:
    """What of a car never changes."""

    letter: str
    level: bool
    """Whether it stands in a row, and not in a column."""
    line: int
    """Its row or column."""
    length: int


class RushHourGame(TurnGame[State]):
    """A move is the number of a car times ten, plus how far it goes, plus five."""

    players = (SOLO,)

    def __init__(self, level: str, limit: int) -> None:
        self.level = level
        self.limit = limit
        self.cars: list[Car] = []
        starts = []
        for letter in sorted(set(level) - {"."}, key=lambda mark: (mark != RED, mark)):
            squares = [at for at, mark in enumerate(level) if mark == letter]
            row, column = divmod(squares[0], SIZE)
            level_car = squares[1] == squares[0] + 1
            self.cars.append(Car(letter, level_car, row if level_car else column, len(squares)))
            starts.append(column if level_car else row)
        self.first: State = (tuple(starts), 0)

    def squares(self, car: int, start: int) -> range:
        """The squares of a car that begins there."""
        what = self.cars[car]
        first = what.line * SIZE + start if what.level else start * SIZE + what.line
        step = 1 if what.level else SIZE
        return range(first, first + what.length * step, step)

    def _marks(self, state: State) -> list[str]:
        marks = ["."] * SIZE * SIZE
        for index, start in enumerate(state[0]):
            for square in self.squares(index, start):
                marks[square] = self.cars[index].letter
        return marks

    def _out(self, state: State) -> bool:
        return state[0][0] + self.cars[0].length == SIZE

    def legal(self, state: State) -> Sequence[int]:
        return () if self._out(state) or state[1] >= self.limit else list(self._slides(state))

    def _slides(self, state: State) -> Iterator[int]:
        marks = self._marks(state)
        for index, (car, start) in enumerate(zip(self.cars, state[0], strict=True)):
            for way in (-1, 1):
                for far in range(1, SIZE):
                    begin = start + way * far
                    if begin < 0 or begin + car.length > SIZE:
                        break
                    squares = self.squares(index, begin)
                    if marks[squares[0] if way < 0 else squares[-1]] != ".":
                        break
                    yield index * 10 + way * far + 5

    def to_move(self, state: State) -> int:
        return 0 if self.legal(state) else -1

    def after(self, state: State, move: int) -> State:
        car, far = divmod(move, 10)
        starts = list(state[0])
        starts[car] += far - 5
        return (tuple(starts), state[1] + 1)

    def name(self, state: State, move: int) -> Move:
        index, far = divmod(move, 10)
        car = self.cars[index]
        return f"{car.letter} {WORDS[car.level][far > 5]} {abs(far - 5)}"

    def read(self, state: State, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """`A right 2`, `AR2`, `A+2`, `A>2`; a car that can go one way only needs no direction."""
        typed = re.fullmatch(r"([a-z])\s*(up|down|left|right|[udlr<>^v+-]?)\s*([1-5]?)", text.casefold())
        if not typed:
            return ()
        letter, word, far = typed.groups()
        said = [f"{letter} {direction} {far or 1}" for direction in DIRECTIONS[word[:1]]]
        return [name for name in moves if name.casefold() in said]

    def hint(self, state: State, moves: Mapping[Move, int]) -> str:
        return f"write a car, where it goes and how far, as in {next(iter(moves))}"

    def result(self, state: State) -> Result | None:
        if self._out(state):
            return solo_result(SOLVED, f"the red car is out after {state[1]} moves")
        if self.legal(state):
            return None
        return solo_result(0, f"the red car is not out after {state[1]} moves")

    def key(self, state: State) -> Hashable:
        return (self.level, self.limit, state)

    def search_key(self, state: State) -> Hashable:
        return state

    def view(self, state: State) -> str:
        return f"{BOARD.text(self._marks(state))} {state[1]} of {self.limit}"

    def picture(self, state: State) -> Picture:
        marks = self._marks(state)
        rows = []
        for row in range(SIZE):
            cells = [
                Cell("·", "empty", ascii=".") if mark == "." else Cell(mark, self._tone(mark))
                for mark in marks[row * SIZE : row * SIZE + SIZE]
            ]
            wall = Cell("→", "good", ascii=">") if row == EXIT else Cell("|", "muted")
            rows.append((Cell("|", "muted"), *cells, wall))
        edge = (Cell("+", "muted"), *(Cell("-", "muted") for _ in range(SIZE)), Cell("+", "muted"))
        note = Note(f"{state[1]} moves; X has to get out at the right", "muted")
        return Picture((Grid((edge, *rows, edge)), note))

    def _tone(self, letter: str) -> Tone:
        car = next(car for car in self.cars if car.letter == letter)
        return "sixth" if letter == RED else "first" if car.level else "fourth"


def read_level(text: str) -> str:
    """A level as we write it.

    Raises:
        ValueError: why it is none.
    """
    level = re.sub(r"[/|\s]", "", text).upper().replace("0", ".").replace("-", ".")
    if len(level) != SIZE * SIZE or not re.fullmatch(r"[A-Z.]+", level):
        raise ValueError("a level has 36 squares, each a dot or a car's letter")
    for letter in set(level) - {"."}:
        squares = [at for at, mark in enumerate(level) if mark == letter]
        row = squares == list(range(squares[0], squares[-1] + 1)) and squares[0] // SIZE == squares[-1] // SIZE
        column = squares == list(range(squares[0], squares[-1] + 1, SIZE))
        if not (row or column) or len(squares) not in (2, 3):
            raise ValueError(f"{letter} is no car: it has two or three squares in a row or in a column")
    red = [at for at, mark in enumerate(level) if mark == RED]
    if not red or red[0] // SIZE != EXIT or red[-1] // SIZE != EXIT:
        raise ValueError("the red car, X, is in the third row")
    if red[-1] % SIZE == SIZE - 1:
        raise ValueError("the red car is out already")
    return level


@cache
def rush_hour_of(level: str, limit: int) -> RushHourGame:
    """The game of a level, made once."""
    return RushHourGame(level, limit)


class RushHour(LevelRules):
    """One player, Solo; a move is a car, where it goes and how far: `A right 2`."""

    name = "RushHour"
    title = "slide cars out of the way until the red one can leave"
    levels = LEVELS
    own_options = (
        Option("level", "1", f"the number of a level, 1 to {len(LEVELS)}, or its 36 squares row by row"),
        number("max_moves", 300, 1, 2000, "after how many moves the game is lost"),
    )

    def read_level(self, text: str) -> str:
        return read_level(text)

    def begin(self, options: Mapping[str, str]) -> Position:
        game = self._game(options)
        return TurnPosition(game, game.first)

    def _game(self, options: Mapping[str, str]) -> RushHourGame:
        return rush_hour_of(self.level(options), int(options["max_moves"]))

    def twin(self, options: Mapping[str, str]) -> str | None:
        game = self._game(options)
        slides, crossed, covered = [], [], []
        for index, car in enumerate(game.cars):
            name = car.letter.casefold()
            for start in range(SIZE - car.length + 1):
                covered += [(name, start, f"s{square}") for square in game.squares(index, start)]
                for end in range(SIZE - car.length + 1):
                    if start != end:
                        move = f"({name} {WORDS[car.level][end > start]} {abs(end - start)})"
                        slides.append((move, name, start, end))
                        way = range(min(start, end), max(start, end) + 1)
                        squares = {square for place in way for square in game.squares(index, place)}
                        free = squares - set(game.squares(index, start))
                        crossed += [(name, start, end, f"s{square}") for square in sorted(free)]
        red, out = RED.casefold(), SIZE - game.cars[0].length
        return "\n".join(
            [
                "(role solo)",
                *facts("slide", slides),
                *facts("crosses", crossed),
                *facts("covers", covered),
                *(
                    f"(init (at {car.letter.casefold()} {start}))"
                    for car, start in zip(game.cars, game.first[0], strict=True)
                ),
                *counter("made", game.limit),
                "(<= (taken ?s) (true (at ?c ?p)) (covers ?c ?p ?s))",
                "(<= (blocked ?c ?p ?q) (true (at ?c ?p)) (crosses ?c ?p ?q ?s) (taken ?s))",
                "(<= (legal solo ?m) (slide ?m ?c ?p ?q) (true (at ?c ?p)) (not (blocked ?c ?p ?q)))",
                "(<= (moved ?c) (does solo ?m) (slide ?m ?c ?p ?q))",
                "(<= (next (at ?c ?q)) (does solo ?m) (true (at ?c ?p)) (slide ?m ?c ?p ?q))",
                "(<= (next (at ?c ?p)) (true (at ?c ?p)) (not (moved ?c)))",
                f"(<= out (true (at {red} {out})))",
                "(<= terminal out)",
                f"(<= terminal (true (made {game.limit})))",
                *ends_without_moves(SOLO),
                "(<= (goal solo 100) out)",
                "(<= (goal solo 0) (not out))",
            ]
        )


RULES = RushHour()
