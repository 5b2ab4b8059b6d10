"""PegSolitaire: jump over a neighbour, which is taken away, until one peg is left."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from ggtp.game import (
    Cell,
    Grid,
    Move,
    Note,
    Option,
    Picture,
    Position,
    Result,
)
from ggtp.game.building.puzzles import SOLO, SOLVED, PuzzleRules, solo_result
from ggtp.game.building.turns import TurnGame, TurnPosition
from ggtp.game.building.twin import counter, ends_without_moves, facts, worth

PEG, HOLE, NOWHERE = Cell("●", "first", ascii="o"), Cell("·", "empty", ascii="."), Cell(" ")
LINES = ((1, 0), (0, 1), (-1, 0), (0, -1))
SLANT = ((1, 1), (-1, -1))
STEP = 10
"""What each peg costs beside the last."""


class PegBoard:
    """The holes of a board by their places, columns from the left and rows from the top."""

    def __init__(self, rows: Sequence[tuple[int, int]], start: str, *, triangle: bool = False) -> None:
        """Each row from its first column to its last; a triangle's holes have neighbours askew too."""
        self.places = tuple((x, y) for y, (first, last) in enumerate(rows) for x in range(first, last + 1))
        self.names = tuple(f"{'abcdefg'[x]}{y + 1}" for x, y in self.places)
        self.start = start
        self.triangle = triangle
        self.full = (1 << len(self.places)) - 1
        numbers = {place: index for index, place in enumerate(self.places)}
        self.jumps = tuple(
            (index, numbers[x + dx, y + dy], numbers[x + 2 * dx, y + 2 * dy])
            for index, (x, y) in enumerate(self.places)
            for dx, dy in (*LINES, *(SLANT if triangle else ()))
            if (x + 2 * dx, y + 2 * dy) in numbers and (x + dx, y + dy) in numbers
        )
        """Every jump: from, over, to."""


BOARDS = {
    "english": PegBoard([(2, 4), (2, 4), (0, 6), (0, 6), (0, 6), (2, 4), (2, 4)], "d4"),
    "european": PegBoard([(2, 4), (1, 5), (0, 6), (0, 6), (0, 6), (1, 5), (2, 4)], "c1"),
    "triangle": PegBoard([(0, row) for row in range(5)], "a1", triangle=True),
}


class PegGame(TurnGame[int]):
    """A state has a bit for each hole with a peg; a move is the number of its jump on the board."""

    players = (SOLO,)

    def __init__(self, board: PegBoard, start: str, finish: str) -> None:
        self.board = board
        self.goal = board.names.index(start) if finish == "start" else -1
        self.first = board.full ^ 1 << board.names.index(start)

    def legal(self, state: int) -> Sequence[int]:
        return [
            number
            for number, (origin, over, target) in enumerate(self.board.jumps)
            if state >> origin & 1 and state >> over & 1 and not state >> target & 1
        ]

    def to_move(self, state: int) -> int:
        return 0 if self.legal(state) else -1

    def after(self, state: int, move: int) -> int:
        origin, over, target = self.board.jumps[move]
        return state ^ (1 << origin | 1 << over | 1 << target)

    def name(self, state: int, move: int) -> Move:
        origin, _, target = self.board.jumps[move]
        return f"{self.board.names[origin]}-{self.board.names[target]}"

    def read(self, state: int, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        typed = re.fullmatch(r"([a-g][1-7])[-x>:\s]*([a-g][1-7])", text.casefold())
        name = "-".join(typed.groups()) if typed else ""
        return [name] if name in moves else ()

    def hint(self, state: int, moves: Mapping[Move, int]) -> str:
        return f"write the holes that a peg leaves and reaches, as in {next(iter(moves))}"

    def result(self, state: int) -> Result | None:
        if self.legal(state):
            return None
        left = state.bit_count()
        solved = left == 1 and (self.goal < 0 or state >> self.goal & 1 == 1)
        score = SOLVED if solved else max(0, SOLVED - STEP * max(1, left - 1))
        reason = "one peg is left" if left == 1 else f"{left} pegs are left"
        return solo_result(score, reason)

    def key(self, state: int) -> Hashable:
        return (self.board.names, self.goal, state)

    def search_key(self, state: int) -> Hashable:
        return state

    def view(self, state: int) -> str:
        marks: dict[int, str] = {}
        for index, (_, y) in enumerate(self.board.places):
            marks[y] = marks.get(y, "") + ("o" if state >> index & 1 else ".")
        return "/".join(marks.values())

    def picture(self, state: int) -> Picture:
        board = self.board
        depth, width = max(y for _, y in board.places) + 1, max(x for x, _ in board.places) + 1
        # A triangle is drawn with half steps, so that every hole is between two of the next row.
        cells = [[NOWHERE] * (2 * width - 1 if board.triangle else width) for _ in range(depth)]
        for index, (x, y) in enumerate(board.places):
            column = depth - 1 - y + 2 * x if board.triangle else x
            cells[y][column] = PEG if state >> index & 1 else HOLE
        grid = Grid(
            tuple(map(tuple, cells)),
            columns=() if board.triangle else tuple("abcdefg"[:width]),
            row_labels=tuple(str(row + 1) for row in range(depth)),
        )
        notes = [Note(f"{state.bit_count()} pegs", "muted")]
        if board.triangle:
            notes.append(Note("holes of a row are a to e from the left", "muted"))
        return Picture((grid, *notes))


@cache
def pegs_of(board: str, start: str, finish: str) -> PegGame:
    """The game on that board, made once."""
    return PegGame(BOARDS[board], start, finish)


class PegSolitaire(PuzzleRules):
    """One player, Solo; a move is the holes that a peg leaves and reaches, `d2-d4`."""

    name = "PegSolitaire"
    title = "jump until one peg is left"
    own_options = (
        Option("board", "english", "which board: of 33 holes, of 37, or of 15", choices=tuple(BOARDS)),
        Option("finish", "anywhere", "where the last peg has to be", choices=("anywhere", "start")),
        Option("hole", "d4", "which hole is empty at the start", choices=("d4",)),
    )

    def options(self, values: Mapping[str, str] | None = None) -> tuple[Option, ...]:
        """Which holes there are depends on the board."""
        *others, hole = self.own_options
        board = BOARDS[others[0].canonical((values or {}).get("board", others[0].default))]
        return (*others, replace(hole, default=board.start, choices=board.names))

    def begin(self, options: Mapping[str, str]) -> Position:
        game = pegs_of(options["board"], options["hole"], options["finish"])
        return TurnPosition(game, game.first)

    def twin(self, options: Mapping[str, str]) -> str | None:
        game = pegs_of(options["board"], options["hole"], options["finish"])
        names, pegs = game.board.names, game.first.bit_count()
        jumps = [
            (game.name(0, number), *(names[hole] for hole in jump)) for number, jump in enumerate(game.board.jumps)
        ]
        points = {made: max(0, SOLVED - STEP * max(1, pegs - made - 1)) for made in range(pegs - 1)}
        last = [f"(<= (goal solo {SOLVED}) (true (made {pegs - 1})))"]
        if game.goal >= 0:
            last = [
                f"(<= (goal solo {SOLVED}) (true (made {pegs - 1})) (true (peg {names[game.goal]})))",
                f"(<= (goal solo {SOLVED - STEP}) (true (made {pegs - 1})) (not (true (peg {names[game.goal]}))))",
            ]
        return "\n".join(
            [
                "(role solo)",
                *facts("jump", jumps),
                *(f"(init (peg {name}))" for hole, name in enumerate(names) if game.first >> hole & 1),
                *counter("made", pegs - 1),
                "(<= (legal solo ?m) (jump ?m ?a ?b ?c) (true (peg ?a)) (true (peg ?b)) (not (true (peg ?c))))",
                "(<= (next (peg ?c)) (does solo ?m) (jump ?m ?a ?b ?c))",
                "(<= (next (peg ?x)) (true (peg ?x)) (does solo ?m) (jump ?m ?a ?b ?c)"
                " (distinct ?x ?a) (distinct ?x ?b))",
                "(<= (done ?n) (true (made ?n)))",
                *worth(SOLO, "done", points),
                *last,
                *ends_without_moves(SOLO),
            ]
        )


RULES = PegSolitaire()
