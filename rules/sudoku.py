"""Sudoku: every digit once in each row, column and box."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cache

from ggtp.errors import OptionError
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
from ggtp.game.building.puzzles import SOLO, SOLVED, PuzzleRules, numbered, solo_result
from ggtp.game.building.turns import TurnGame, TurnPosition
from ggtp.game.building.twin import counter, ends_without_moves, facts, worth

BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""How many rows and columns a box has, by the size of the square."""
PUZZLES = {
    4: (
        "...232...123..4.",
        "....24...3.4..13",
        "2.4...2.4...3...",
    ),
    6: (
        "..42.5.1.34.153...42.5.1......261...",
        "..5.16.6..2...256..5..32........4..3",
        "....1......5.5....4.3....3.25.1...36",
    ),
    9: (
        "3.9....21...9..87.8.62.1439..13..265584627......195..446..7....1.........27..365.",
        "5..723....4...1..38.9.46...385.9.62..64.....997..6234.6..1....41.......2.93....7.",
        "5..6....3...52.8..6.4...2....5....382498..57...3...1.949..87.......4..8.3582.....",
        "...986...9..........35..67....8..3.7..52.....8...67....6.19..832..7...46.1...27..",
        "429......5..............69....6..27....91.....9537...1....314......64.5..4..9..62",
        ".1...6..58....7...2..94...87.45.91..9..............78.1.3....6....3..4......985..",
        ".4.9...6.....685....3.....282....1.....35.....76..2..99..8.3......4..7..7......8.",
    ),
}
"""By size, from the easiest on. Each has one solution."""


TYPED = re.compile(r"r?\s*([1-9])[\s/]*c?\s*([1-9])\s*=?\s*([1-9])")


class SudokuGame(TurnGame[str]):
    """A state has a digit or a dot for each cell; a move is the cell's number times ten plus the digit."""

    players = (SOLO,)

    def __init__(self, size: int, puzzle: str) -> None:
        self.size = size
        self.puzzle = puzzle
        self.digits = "123456789"[:size]
        high, wide = BOXES[size]
        cells = range(size * size)
        places = [(cell // size, cell % size, cell // size // high * size + cell % size // wide) for cell in cells]
        self.peers = tuple(
            tuple(
                other
                for other in cells
                if other != cell and any(a == b for a, b in zip(places[cell], places[other], strict=True))
            )
            for cell in cells
        )
        """For each cell, those of the same row, column or box."""
        self.names = tuple(f"r{cell // size + 1}c{cell % size + 1}" for cell in cells)

    def open_digits(self, state: str, cell: int) -> str:
        """The digits that no other cell of the same row, column or box has."""
        taken = {state[peer] for peer in self.peers[cell]}
        return "".join(digit for digit in self.digits if digit not in taken)

    def legal(self, state: str) -> Sequence[int]:
        return [
            cell * 10 + int(digit)
            for cell, mark in enumerate(state)
            if mark == "."
            for digit in self.open_digits(state, cell)
        ]

    def to_move(self, state: str) -> int:
        return 0 if any(mark == "." and self.open_digits(state, cell) for cell, mark in enumerate(state)) else -1

    def after(self, state: str, move: int) -> str:
        cell, digit = divmod(move, 10)
        return f"{state[:cell]}{digit}{state[cell + 1 :]}"

    def name(self, state: str, move: int) -> Move:
        cell, digit = divmod(move, 10)
        return f"{self.names[cell]}={digit}"

    def read(self, state: str, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """`r4c5 7`, `457` and `4 5 7` mean r4c5=7."""
        typed = TYPED.fullmatch(text.casefold())
        name = f"r{typed[1]}c{typed[2]}={typed[3]}" if typed else ""
        return [name] if name in moves else ()

    def why_not(self, state: str, text: str) -> str:
        typed = TYPED.fullmatch(text.casefold())
        if not typed or any(int(digit) > self.size for digit in typed.groups()):
            return ""
        row, column, digit = map(int, typed.groups())
        cell = (row - 1) * self.size + column - 1
        if state[cell] != ".":
            return f"there is a {state[cell]} in {self.names[cell]}"
        same = next(peer for peer in self.peers[cell] if state[peer] == str(digit))
        return f"there is a {digit} in {self.names[same]}, which is of the same row, column or box"

    def hint(self, state: str, moves: Mapping[Move, int]) -> str:
        return f"write row, column and a digit that fits, as in {next(iter(moves))}"

    def result(self, state: str) -> Result | None:
        if self.to_move(state) >= 0:
            return None
        open_cells = state.count(".")
        if not open_cells:
            return solo_result(SOLVED, "every cell is filled")
        asked = self.puzzle.count(".")
        score = 100 * (asked - open_cells) // asked
        return solo_result(score, f"no digit fits into {open_cells} cells")

    def key(self, state: str) -> Hashable:
        return (self.puzzle, state)

    def view(self, state: str) -> str:
        rows = (state[start : start + self.size] for start in range(0, len(state), self.size))
        return "/".join(rows) + f" of {self.puzzle}"

    def picture(self, state: str) -> Picture:
        high, wide = BOXES[self.size]
        rows: list[tuple[Cell, ...]] = []
        for row in range(self.size):
            if row and row % high == 0:
                rows.append(self._line([Cell("-", "muted")] * self.size, wide, Cell("+", "muted")))
            cells = []
            for cell in range(row * self.size, (row + 1) * self.size):
                stuck = state[cell] == "." and not self.open_digits(state, cell)
                given = self.puzzle[cell] != "."
                cells.append(
                    Cell(
                        state[cell],
                        "bad" if stuck else "empty" if state[cell] == "." else "plain" if given else "first",
                    )
                )
            rows.append(self._line(cells, wide, Cell("|", "muted")))
        labels = [str(row + 1) for row in range(self.size)]
        for row in range(self.size - high, 0, -high):
            labels.insert(row, "")
        columns = [cell.text for cell in self._line([Cell(digit) for digit in self.digits], wide, Cell(""))]
        return Picture(
            (
                Grid(tuple(rows), columns=tuple(columns), row_labels=tuple(labels)),
                Note(f"{state.count('.')} cells are open", "muted"),
            )
        )

    def _line(self, cells: Sequence[Cell], wide: int, between: Cell) -> tuple[Cell, ...]:
        """A row with something between the boxes."""
        parts: list[Cell] = []
        for index, cell in enumerate(cells):
            parts += [between] * (index > 0 and index % wide == 0) + [cell]
        return tuple(parts)


@cache
def sudoku_of(size: int, puzzle: str) -> SudokuGame:
    """The game of a puzzle, made once."""
    return SudokuGame(size, puzzle)


class Sudoku(PuzzleRules):
    """One player, Solo; a move is a digit for a cell, `r4c5=7`: row 4 from the top, column 5 from the left."""

    name = "Sudoku"
    title = "every digit once in each row, column and box"
    own_options = (
        Option("size", "9", "how many digits there are", choices=tuple(map(str, BOXES))),
        Option("puzzle", "1", "the number of a puzzle, or all cells row by row with dots for the open ones"),
    )

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        """Every option; a puzzle is checked."""
        options = super().complete(values)
        self._puzzle(options)
        return options

    def _puzzle(self, options: Mapping[str, str]) -> str:
        size, text = int(options["size"]), options["puzzle"]
        listed = numbered(text, PUZZLES[size], f"puzzle {text} of size {size}")
        if listed is not None:
            return listed
        cells = re.sub(r"[\s/|+-]", "", text).replace("0", ".")
        if len(cells) != size * size or re.search(rf"[^.1-{size}]", cells):
            raise OptionError(f"A puzzle of size {size} has {size * size} cells, each one of 1 to {size} or a dot.")
        game = sudoku_of(size, cells)
        if any(mark != "." and mark not in game.open_digits(cells, cell) for cell, mark in enumerate(cells)):
            raise OptionError("No puzzle: a digit stands twice in a row, a column or a box.")
        return cells

    def begin(self, options: Mapping[str, str]) -> Position:
        puzzle = self._puzzle(options)
        return TurnPosition(sudoku_of(int(options["size"]), puzzle), puzzle)

    def twin(self, options: Mapping[str, str]) -> str | None:
        game = sudoku_of(int(options["size"]), self._puzzle(options))
        names, cells, asked = game.names, range(len(game.puzzle)), game.puzzle.count(".")
        fills = [(f"{names[cell]}={digit}", names[cell], digit) for cell in cells for digit in game.digits]
        points = {made: 100 * made // asked for made in range(asked + 1)}
        return "\n".join(
            [
                "(role solo)",
                *facts("fill", fills),
                *facts("peer", ((names[cell], names[peer]) for cell in cells for peer in game.peers[cell])),
                *(f"(init (has {names[cell]} {game.puzzle[cell]}))" for cell in cells if game.puzzle[cell] != "."),
                *counter("made", asked),
                "(<= (filled ?c) (true (has ?c ?d)))",
                "(<= (clash ?c ?d) (peer ?c ?p) (true (has ?p ?d)))",
                "(<= (legal solo ?m) (fill ?m ?c ?d) (not (filled ?c)) (not (clash ?c ?d)))",
                "(<= (next (has ?c ?d)) (true (has ?c ?d)))",
                "(<= (next (has ?c ?d)) (does solo ?m) (fill ?m ?c ?d))",
                "(<= (done ?n) (true (made ?n)))",
                *worth(SOLO, "done", points),
                *ends_without_moves(SOLO),
            ]
        )


RULES = Sudoku()
