"""ChineseCheckers: armies hop across a star of 121 holes, two, three, four or six of them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

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
    Traits,
    number,
    result_by_scores,
    result_by_winner,
)
from ggtp.game.building.turns import TurnGame, TurnPosition
from ggtp.game.picture import Tone

COLOURS = ("Red", "Green", "Blue", "Yellow", "White", "Purple")
TONES: tuple[Tone, ...] = ("sixth", "third", "fifth", "fourth", "first", "second")
PASS = "pass"
LENGTHS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
"""How many holes each row has, from the top."""
ROWS = "ABCDEFGHIJKLMNOPQ"
MIDDLE, WIDTH = 12, 25
PLACES = tuple((MIDDLE - length + 1 + 2 * index, row) for row, length in enumerate(LENGTHS) for index in range(length))
"""Where each hole is: half steps from the left, and the row."""
NUMBERS = {place: index for index, place in enumerate(PLACES)}
WAYS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
HOLES = tuple(f"{ROWS[row]}{index + 1}" for row, length in enumerate(LENGTHS) for index in range(length))
"""The name of each hole: its row, and its place in the row."""


def _beside(hole: int, far: int) -> tuple[int, ...]:
    """The holes so many steps away in each direction; -1 where there is none."""
    x, y = PLACES[hole]
    return tuple(NUMBERS.get((x + far * east, y + far * down), -1) for east, down in WAYS)


NEAR = tuple(_beside(hole, 1) for hole in range(len(PLACES)))
BEYOND = tuple(_beside(hole, 2) for hole in range(len(PLACES)))


def _points() -> tuple[frozenset[int], ...]:
    """The six points of the star, clockwise from the top."""
    rows = [[hole for hole, (_, y) in enumerate(PLACES) if y == row] for row in range(17)]
    top = {hole for row in rows[:4] for hole in row}
    bottom = {hole for row in rows[13:] for hole in row}
    upper_right = {hole for row in range(4, 8) for hole in rows[row][row - 8 :]}
    lower_right = {hole for row in range(9, 13) for hole in rows[row][8 - row :]}
    upper_left = {hole for row in range(4, 8) for hole in rows[row][: 8 - row]}
    lower_left = {hole for row in range(9, 13) for hole in rows[row][: row - 8]}
    return tuple(map(frozenset, (top, upper_right, lower_right, bottom, lower_left, upper_left)))


POINTS = _points()
SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""Which points of the star are taken, by how many play."""


@dataclass(frozen=True, slots=True)
class StarState:
    """Whose piece is in each hole, as a digit or a dot; who is to move; how many moves were made; who has won."""

    holes: str
    to_move: int
    ply: int = 0
    winner: int = -1


class StarGame(TurnGame[StarState]):
    """A move is its hole of departure times 121 plus its hole of arrival; a pass is -1."""

    def __init__(self, players: tuple[Player, ...], rounds: int) -> None:
        self.players = players
        self.limit = rounds * len(players)
        seats = SEATS[len(players)]
        self.homes = tuple(POINTS[seat] for seat in seats)
        self.goals = tuple(POINTS[(seat + 3) % 6] for seat in seats)

    def start(self, first: int) -> StarState:
        """Every army at home."""
        holes = ["."] * len(PLACES)
        for player, home in enumerate(self.homes):
            for hole in home:
                holes[hole] = str(player)
        return StarState("".join(holes), first)

    def to_move(self, state: StarState) -> int:
        return -1 if state.winner >= 0 or state.ply >= self.limit else state.to_move

    def legal(self, state: StarState) -> Sequence[int]:
        if self.to_move(state) < 0:
            return ()
        found, own = [], str(state.to_move)
        for origin, mark in enumerate(state.holes):
            if mark == own:
                found += [origin * len(HOLES) + target for target in sorted(self._reached(state.holes, origin))]
        return found or [-1]

    def _reached(self, holes: str, origin: int) -> set[int]:
        """Where the piece can step or hop; the piece itself is out of its own way."""
        empty = holes[:origin] + "." + holes[origin + 1 :]
        hopped, todo = {origin}, [origin]
        while todo:
            here = todo.pop()
            for over, target in zip(NEAR[here], BEYOND[here], strict=True):
                if target >= 0 and target not in hopped and empty[over] != "." and empty[target] == ".":
                    hopped.add(target)
                    todo.append(target)
        return (hopped | {near for near in NEAR[origin] if near >= 0 and empty[near] == "."}) - {origin}

    def after(self, state: StarState, move: int) -> StarState:
        following = (state.to_move + 1) % len(self.players)
        if move < 0:
            return StarState(state.holes, following, state.ply + 1)
        origin, target = divmod(move, len(HOLES))
        holes = list(state.holes)
        holes[origin], holes[target] = ".", holes[origin]
        goal = self.goals[state.to_move]
        # A full goal counts even if some others are in it, or one piece left at home would bar everybody.
        own = sum(holes[hole] == str(state.to_move) for hole in goal)
        full = 2 * own > len(goal) and all(holes[hole] != "." for hole in goal)
        return StarState("".join(holes), following, state.ply + 1, state.to_move if full else -1)

    def name(self, state: StarState, move: int) -> Move:
        if move < 0:
            return PASS
        origin, target = divmod(move, len(HOLES))
        return f"{HOLES[origin]}-{HOLES[target]}"

    def read(self, state: StarState, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        typed = re.fullmatch(r"([a-q]\d{1,2})[-x>:\s]*([a-q]\d{1,2})", text.casefold())
        name = "-".join(typed.groups()).upper() if typed else ""
        return [name] if name in moves else ()

    def hint(self, state: StarState, moves: Mapping[Move, int]) -> str:
        return f"write the holes that a piece leaves and reaches, as in {next(iter(moves))}"

    def result(self, state: StarState) -> Result | None:
        if self.to_move(state) >= 0:
            return None
        if state.winner >= 0:
            winner = self.players[state.winner]
            return result_by_winner(self.players, winner, f"{winner} is across")
        each = Fraction(100, len(self.players))
        return result_by_scores(dict.fromkeys(self.players, each), f"nobody is across after {state.ply} moves")

    def key(self, state: StarState) -> Hashable:
        return (self.players, self.limit, state)

    def search_key(self, state: StarState) -> Hashable:
        return (state.holes, state.to_move)

    def view(self, state: StarState) -> str:
        rows, start = [], 0
        for length in LENGTHS:
            rows.append(state.holes[start : start + length])
            start += length
        mover = self.to_move(state)
        return f"{'/'.join(rows)} {self.players[mover] if mover >= 0 else '-'} {state.ply}"

    def picture(self, state: StarState) -> Picture:
        board = [[Cell(" ") for _ in range(WIDTH)] for _ in LENGTHS]
        first_in_row = [sum(LENGTHS[:row]) for row in range(len(LENGTHS))]
        for hole, (x, y) in enumerate(PLACES):
            mark = state.holes[hole]
            if mark == ".":
                board[y][x] = Cell(str(hole - first_in_row[y] + 1), "empty")
            else:
                board[y][x] = Cell(self.players[int(mark)][0], TONES[int(mark)])
        grid = Grid(tuple(map(tuple, board)), row_labels=tuple(ROWS))
        result = self.result(state)
        if result:
            return Picture((grid, Note(result.reason, "mark")))
        return Picture((grid, Note(f"{self.players[state.to_move]} to move", TONES[state.to_move])))


class ChineseCheckers(Rules):
    """Two, three, four or six players; a move is the holes that a piece leaves and reaches, `D2-E6`."""

    name = "ChineseCheckers"
    title = "armies hop across a star"
    traits = Traits(min_players=2, max_players=6)
    own_options = (
        Option("players", "2", "how many play", choices=("2", "3", "4", "6")),
        number("rounds", 200, 10, 300, "after how many rounds the game is a draw"),
    )
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return COLOURS[: int(options["players"])]

    def begin(self, options: Mapping[str, str]) -> Position:
        players = self.players(options)
        game = StarGame(players, int(options["rounds"]))
        return TurnPosition(game, game.start(players.index(options["starting_player"])))


RULES = ChineseCheckers()
