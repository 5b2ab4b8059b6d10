"""Checkers: men step askew, jump over what they take, and become kings; English, Brazilian and international."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ggtp.game import (
    Cell,
    Grid,
    Move,
    Note,
    Option,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    letters,
    number,
    result_by_winner,
)
from ggtp.game.building.turns import TurnGame, TurnPosition

BLACK, WHITE = "Black", "White"
PLAYERS = (BLACK, WHITE)
MEN, KINGS = "bw", "BW"
CELLS = {
    "b": Cell("●", "first", ascii="b"),
    "w": Cell("○", "second", ascii="w"),
    "B": Cell("♚", "first", ascii="B"),
    "W": Cell("♔", "second", ascii="W"),
}
WAYS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Steps to the east and downwards; the first two lead up, the others down."""


@dataclass(frozen=True, slots=True)
class Variant:
    """In what the national games differ."""

    size: int
    men_take_backwards: bool = False
    flying_kings: bool = False
    take_most: bool = False
    first: int = 0
    """Who begins: Black, at the top, in the English game, else White."""


VARIANTS = {
    "english": Variant(8),
    "brazilian": Variant(8, men_take_backwards=True, flying_kings=True, take_most=True, first=1),
    "international": Variant(10, men_take_backwards=True, flying_kings=True, take_most=True, first=1),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A whole move: the squares that a piece stops at, what it takes, and its name."""

    stops: tuple[int, ...]
    taken: tuple[int, ...] = ()
    name: Move = ""


@dataclass(frozen=True, slots=True)
class CheckersState:
    """A letter for each dark square, capitals for kings; who is to move; moves since a man moved or was taken."""

    squares: str
    to_move: int
    quiet: int = 0
    found: list[dict[int, Step]] = field(default_factory=list, compare=False, repr=False)
    """The legal moves, once they have been asked for."""


class CheckersGame(TurnGame[CheckersState]):
    """Dark squares are numbered from the upper left as players do; a move's number is made of its ends."""

    players = PLAYERS

    def __init__(self, variant: Variant, limit: int) -> None:
        self.variant = variant
        self.limit = limit
        size, half = variant.size, variant.size // 2
        self.count = size * half
        places = [(index % half * 2 + (index // half + 1) % 2, index // half) for index in range(self.count)]
        numbers = {place: index for index, place in enumerate(places)}
        self.places = tuple(places)
        self._rays = tuple(
            tuple(
                tuple(
                    numbers[x + east * far, y + down * far]
                    for far in range(1, size)
                    if (x + east * far, y + down * far) in numbers
                )
                for east, down in WAYS
            )
            for x, y in places
        )
        """From each square, those along the four diagonals."""
        self._far = (range(self.count - half, self.count), range(half))
        """The rows in which the men of Black and of White become kings."""
        self._named = {f"{'abcdefghij'[x]}{size - y}": index for (x, y), index in numbers.items()}

    def start(self) -> CheckersState:
        """Full rows of men, with two empty rows between them."""
        men = (self.variant.size // 2 - 1) * (self.variant.size // 2)
        return CheckersState("b" * men + "." * (self.count - 2 * men) + "w" * men, self.variant.first)

    def _jumps(self, squares: str, origin: int, king: bool, mover: int) -> Iterator[tuple[int, int]]:
        """What a piece can take from where it is, and where it can land."""
        foes = (MEN[1 - mover], KINGS[1 - mover])
        forward = (2, 3) if mover == 0 else (0, 1)
        for way, ray in enumerate(self._rays[origin]):
            if not king and not self.variant.men_take_backwards and way not in forward:
                continue
            far = king and self.variant.flying_kings
            for index, square in enumerate(ray):
                if squares[square] in foes:
                    for landing in ray[index + 1 :] if far else ray[index + 1 : index + 2]:
                        if squares[landing] != ".":
                            break
                        yield square, landing
                    break
                if squares[square] != "." or not far:
                    break

    def _takings(
        self, squares: str, stops: tuple[int, ...], taken: tuple[int, ...], king: bool, mover: int
    ) -> Iterator[Step]:
        """Every way to go on taking to the end. What is taken stays where it was until then, and bars the way."""
        went_on = False
        for square, landing in self._jumps(squares, stops[-1], king, mover):
            went_on = True
            # A piece that was jumped over is no foe any more, and no empty square either.
            after = squares[:square] + "#" + squares[square + 1 :]
            crowned = not king and landing in self._far[mover]
            if crowned and not self.variant.men_take_backwards:
                yield Step((*stops, landing), (*taken, square))
            else:
                yield from self._takings(after, (*stops, landing), (*taken, square), king, mover)
        if not went_on and taken:
            yield Step(stops, taken)

    def _steps(self, squares: str, origin: int, king: bool, mover: int) -> Iterator[Step]:
        forward = (2, 3) if mover == 0 else (0, 1)
        for way, ray in enumerate(self._rays[origin]):
            if king or way in forward:
                for square in ray if king and self.variant.flying_kings else ray[:1]:
                    if squares[square] != ".":
                        break
                    yield Step((origin, square))

    def moves(self, state: CheckersState) -> dict[int, Step]:
        """The legal moves by their numbers: who can take has to."""
        if state.found:
            return state.found[0]
        squares, mover = state.squares, state.to_move
        pieces = [(at, mark == KINGS[mover]) for at, mark in enumerate(squares) if mark in (MEN[mover], KINGS[mover])]
        takings: list[Step] = []
        for origin, king in pieces:
            lifted = squares[:origin] + "." + squares[origin + 1 :]
            takings += self._takings(lifted, (origin,), (), king, mover)
        if self.variant.take_most and takings:
            most = max(len(step.taken) for step in takings)
            takings = [step for step in takings if len(step.taken) == most]
        steps = takings or [step for origin, king in pieces for step in self._steps(squares, origin, king, mover)]
        state.found.append(self._numbered(steps) if state.quiet < self.limit else {})
        return state.found[0]

    def _numbered(self, steps: Sequence[Step]) -> dict[int, Step]:
        """The moves under the names that players use, by their ends; further ones between the same ends count on.

        Ways that begin and end alike and take the same pieces are one move.
        """
        found: dict[int, Step] = {}
        for step in {(*step.stops[:1], step.stops[-1], frozenset(step.taken)): step for step in steps}.values():
            number = step.stops[0] * self.count + step.stops[-1]
            while number in found:
                number += self.count**2
            found[number] = replace(step, name=("x" if step.taken else "-").join(str(at + 1) for at in step.stops))
        return found

    def to_move(self, state: CheckersState) -> int:
        return state.to_move if self.moves(state) else -1

    def legal(self, state: CheckersState) -> Sequence[int]:
        return list(self.moves(state))

    def after(self, state: CheckersState, move: int) -> CheckersState:
        step = self.moves(state)[move]
        squares, mover = list(state.squares), state.to_move
        piece, squares[step.stops[0]] = squares[step.stops[0]], "."
        for square in step.taken:
            squares[square] = "."
        arrival = step.stops[-1]
        man = piece in MEN
        squares[arrival] = KINGS[mover] if man and arrival in self._far[mover] else piece
        return CheckersState("".join(squares), 1 - mover, 0 if man or step.taken else state.quiet + 1)

    def name(self, state: CheckersState, move: int) -> Move:
        return self.moves(state)[move].name

    def read(self, state: CheckersState, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """The first and the last square are enough where they mean one move; squares may be called as in chess."""
        parts = re.split(r"[-x:>\s]+", text.strip().casefold())
        if len(parts) == 1 and (pair := re.fullmatch(r"([a-j]\d+)([a-j]\d+)", parts[0])):
            parts = list(pair.groups())
        stops = [self._named.get(part, int(part) - 1 if re.fullmatch(r"[0-9]{1,2}", part) else -1) for part in parts]
        steps = self.moves(state).values()
        exact = [step.name for step in steps if list(step.stops) == stops]
        return exact or [step.name for step in steps if [step.stops[0], step.stops[-1]] == stops]

    def hint(self, state: CheckersState, moves: Mapping[Move, int]) -> str:
        taking = "; you have to take" if any("x" in name for name in moves) else ""
        return f"write the numbers of the squares, as in {next(iter(moves))}{taking}"

    def result(self, state: CheckersState) -> Result | None:
        if self.moves(state):
            return None
        if state.quiet >= self.limit:
            return result_by_winner(PLAYERS, None, f"{self.limit} moves without a capture or a man's move")
        loser = PLAYERS[state.to_move]
        left = any(mark in state.squares for mark in (MEN[state.to_move], KINGS[state.to_move]))
        reason = f"{loser} can't move" if left else f"{loser} has no pieces left"
        return result_by_winner(PLAYERS, PLAYERS[1 - state.to_move], reason)

    def key(self, state: CheckersState) -> Hashable:
        return (self.variant, self.limit, state.squares, state.to_move, state.quiet)

    def search_key(self, state: CheckersState) -> Hashable:
        return (state.squares, state.to_move, state.quiet if 2 * state.quiet > self.limit else 0)

    def view(self, state: CheckersState) -> str:
        half = self.variant.size // 2
        rows = "/".join(state.squares[start : start + half] for start in range(0, self.count, half))
        return f"{rows} {PLAYERS[state.to_move]} {state.quiet}{'' if self.moves(state) else ' over'}"

    def picture(self, state: CheckersState) -> Picture:
        size = self.variant.size
        board = [[Cell(" ") for _ in range(size)] for _ in range(size)]
        for index, (x, y) in enumerate(self.places):
            mark = state.squares[index]
            board[y][x] = CELLS.get(mark) or Cell(str(index + 1), "empty")
        grid = Grid(
            tuple(map(tuple, board)),
            columns=tuple(label.lower() for label in letters(size)),
            row_labels=tuple(str(row) for row in range(size, 0, -1)),
            chequered=True,
        )
        result = self.result(state)
        if result:
            return Picture((grid, Note(result.reason, "mark")))
        taking = ", who has to take" if any(step.taken for step in self.moves(state).values()) else ""
        return Picture((grid, Note(f"{PLAYERS[state.to_move]} to move{taking}", "muted")))


@cache
def checkers_of(variant: str, limit: int) -> CheckersGame:
    """The game of that kind, made once."""
    return CheckersGame(VARIANTS[variant], limit)


class Checkers(Rules):
    """Players Black and White; moves by the squares' numbers, `11-15`, `15x22`, `6x15x22`."""

    name = "Checkers"
    title = "men step askew, jump over what they take, and become kings"
    own_options = (
        Option("variant", "english", "whose rules: english, brazilian or international", choices=tuple(VARIANTS)),
        number("quiet_moves", 80, 10, 200, "how many moves in a row without a capture or a man's move draw"),
    )

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        game = checkers_of(options["variant"], int(options["quiet_moves"]))
        return TurnPosition(game, game.start())


RULES = Checkers()
