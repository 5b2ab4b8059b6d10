"""Board games in GDL, move by move against models that were written another way.

A model is a small program of its own: the bundled rule of the same game where there is one,
else a few lines over a dictionary of squares. Random games are played in both at once, and
who is to move, which moves are legal, when it is over and who gets what must be the same.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any, Protocol

import pytest
from support.paths import RULES

from ggtp.game import Position, Standing
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.language.syntax import Term

GAMES = RULES / "gdl"
LETTERS = "abcdefghi"
POINTS = {Standing.WIN: 100, Standing.DRAW: 50, Standing.LOSS: 0}
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
SLANTING = ((1, 1), (1, -1), (-1, 1), (-1, -1))

Square = tuple[int, int]


class Model(Protocol):
    """A game in play."""

    mover: str

    def legal(self) -> set[str]:
        """The moves of the player to move, as the rulesheet writes them."""

    def play(self, move: str) -> None:
        """Makes one of them."""

    def goals(self) -> dict[str, int] | None:
        """Who gets what; None before the end."""


def name(square: Square) -> str:
    return f"{LETTERS[square[0] - 1]} {square[1]}"


def squares_of(words: Iterable[str]) -> list[Square]:
    numbers = [LETTERS.index(word) + 1 if word in LETTERS else int(word) for word in words]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def words_of(move: str) -> list[str]:
    return move.strip("()").split()


def beyond(square: Square, way: Square, times: int = 1) -> Square:
    return square[0] + way[0] * times, square[1] + way[1] * times


def payoff(winner: str | None, players: tuple[str, str]) -> dict[str, int]:
    return {player: 50 if winner is None else 100 * (player == winner) for player in players}


def has_row(own: set[Square], length: int) -> bool:
    return any(
        all(beyond(square, way, times) in own for times in range(length))
        for square in own
        for way in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


class TwoPlayers:
    """Pieces on squares, and two players."""

    players: tuple[str, str] = ("white", "black")
    size = 8

    def __init__(self) -> None:
        self.board: dict[Square, str] = {}
        self.mover = self.players[0]
        numbers = range(1, self.size + 1)
        self.squares = list(product(numbers, numbers))

    @property
    def other(self) -> str:
        return self.players[self.mover == self.players[0]]

    def pass_on(self) -> None:
        self.mover = self.other

    def of(self, player: str) -> set[Square]:
        return {square for square, owner in self.board.items() if owner == player}

    def free(self, square: Square) -> bool:
        return square in self.squares and square not in self.board

    def rays(self, start: Square) -> Iterator[Square]:
        """The empty squares that a queen on the square can go to."""
        for way in STRAIGHT + SLANTING:
            square = beyond(start, way)
            while self.free(square):
                yield square
                square = beyond(square, way)


class Native:
    """A bundled rule, its moves written as in the rulesheet."""

    def __init__(self, module: str, write: Callable[[str], str], **options: str) -> None:
        rules: Any = importlib.import_module(f"ggtp.rules.{module}").RULES
        self.position: Position = rules.start(options)
        self.write = write
        self.turn()

    def turn(self) -> None:
        players = self.position.turn().players
        self.player = players[0] if players else ""
        self.mover = self.player.lower()

    def named(self) -> dict[str, str]:
        return {self.write(move): move for move in self.position.moves(self.player)}

    def legal(self) -> set[str]:
        return set(self.named())

    def play(self, move: str) -> None:
        self.position = self.position.play({self.player: self.named()[move]}).position
        self.turn()

    def goals(self) -> dict[str, int] | None:
        result = self.position.result()
        if result is None:
            return None
        return {player.lower(): POINTS[standing] for player, standing in result.standings.items()}


class Knightthrough(TwoPlayers):
    def __init__(self) -> None:
        super().__init__()
        self.board = {(x, y): "white" if y < 3 else "black" for x, y in self.squares if y in (1, 2, 7, 8)}

    def legal(self) -> set[str]:
        up = 1 if self.mover == "white" else -1
        own = self.of(self.mover)
        moves = [(start, beyond(start, way)) for start in own for way in ((1, 2 * up), (-1, 2 * up), (2, up), (-2, up))]
        return {f"(move {name(a)} {name(b)})" for a, b in moves if b in self.squares and b not in own}

    def play(self, move: str) -> None:
        start, end = squares_of(words_of(move)[1:])
        self.board[end] = self.board.pop(start)
        self.pass_on()

    def goals(self) -> dict[str, int] | None:
        row = 8 if self.other == "white" else 1
        over = not self.of(self.mover) or any(y == row for _, y in self.of(self.other))
        return payoff(self.other, self.players) if over else None


class Draughts(TwoPlayers):
    players = ("black", "white")

    def __init__(self, kings: bool = True, barrel: bool = False) -> None:
        super().__init__()
        self.kings, self.barrel = kings, barrel
        self.board = {(x, y): "wm" if y < 4 else "bm" for x, y in self.squares if (x + y) % 2 == 0 and y not in (4, 5)}
        self.chain: Square | None = None
        self.count = 0

    def on(self, square: Square, way: Square, times: int) -> Square:
        x, y = beyond(square, way, times)
        return ((x - 1) % 8 + 1, y) if self.barrel else (x, y)

    def ways(self, square: Square) -> list[Square]:
        piece = self.board[square]
        return [way for way in SLANTING if piece[1] == "k" or way[1] == (1 if piece[0] == "w" else -1)]

    def captures(self, square: Square) -> list[Square]:
        own = self.board[square][0]
        return [
            way
            for way in self.ways(square)
            if self.board.get(self.on(square, way, 1), own)[0] != own and self.free(self.on(square, way, 2))
        ]

    def legal(self) -> set[str]:
        own = [square for square, piece in self.board.items() if piece[0] == self.mover[0]]
        takers = [self.chain] if self.chain else own
        jumps = {(square, self.on(square, way, 2)) for square in takers for way in self.captures(square)}
        if jumps:
            return {f"(jump {name(a)} {name(b)})" for a, b in jumps}
        steps = {(square, self.on(square, way, 1)) for square in own for way in self.ways(square)}
        return {f"(move {name(a)} {name(b)})" for a, b in steps if self.free(b)}

    def play(self, move: str) -> None:
        word, *rest = words_of(move)
        start, end = squares_of(rest)
        crowned = False
        if word == "jump":
            way = next(way for way in self.captures(start) if self.on(start, way, 2) == end)
            del self.board[self.on(start, way, 1)]
        piece = self.board.pop(start)
        if self.kings and piece[1] == "m" and end[1] == (8 if piece[0] == "w" else 1):
            piece, crowned = piece[0] + "k", True
        self.board[end] = piece
        self.chain = end if word == "jump" and not crowned and self.captures(end) else None
        if self.chain is None:
            self.pass_on()
        self.count += 1

    def goals(self) -> dict[str, int] | None:
        if not self.legal():
            return payoff(self.other, self.players)
        return payoff(None, self.players) if self.kings and self.count == 200 else None


class Pawns(TwoPlayers):
    def __init__(self) -> None:
        super().__init__()
        self.board = {(x, y): "white" if y == 2 else "black" for x, y in self.squares if y in (2, 7)}
        self.passed: Square | None = None

    def legal(self) -> set[str]:
        up, home = (1, 2) if self.mover == "white" else (-1, 7)
        found = []
        for start in self.of(self.mover):
            ahead, far = beyond(start, (0, up)), beyond(start, (0, 2 * up))
            found += [(start, ahead)] if self.free(ahead) else []
            found += [(start, far)] if self.free(ahead) and self.free(far) and start[1] == home else []
            askew = [beyond(start, (side, up)) for side in (1, -1)]
            found += [(start, end) for end in askew if self.board.get(end) == self.other or end == self.passed]
        return {f"(move {name(a)} {name(b)})" for a, b in found}

    def play(self, move: str) -> None:
        start, end = squares_of(words_of(move)[1:])
        if end == self.passed and end[0] != start[0]:
            del self.board[end[0], start[1]]
        self.board[end] = self.board.pop(start)
        middle = (start[0], (start[1] + end[1]) // 2)
        self.passed = middle if abs(start[1] - end[1]) == 2 else None
        self.pass_on()

    def goals(self) -> dict[str, int] | None:
        row = 8 if self.other == "white" else 1
        if not self.of(self.mover) or any(y == row for _, y in self.of(self.other)):
            return payoff(self.other, self.players)
        return None if self.legal() else payoff(None, self.players)


class Reversi(TwoPlayers):
    players = ("black", "white")

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__()
        low, high = size // 2, size // 2 + 1
        self.board = {(low, low): "white", (high, high): "white", (low, high): "black", (high, low): "black"}

    def turned(self, player: str, square: Square) -> set[Square]:
        found: set[Square] = set()
        for way in STRAIGHT + SLANTING if self.free(square) else ():
            line, at = set(), beyond(square, way)
            while self.board.get(at, player) != player:
                line.add(at)
                at = beyond(at, way)
            found |= line if at in self.board else set()
        return found

    def places(self, player: str) -> set[str]:
        return {f"(place {name(square)})" for square in self.squares if self.turned(player, square)}

    def legal(self) -> set[str]:
        return self.places(self.mover) or {"pass"}

    def play(self, move: str) -> None:
        if move != "pass":
            (square,) = squares_of(words_of(move)[1:])
            self.board.update(dict.fromkeys({square, *self.turned(self.mover, square)}, self.mover))
        self.pass_on()

    def goals(self) -> dict[str, int] | None:
        if self.places(self.mover) or self.places(self.other):
            return None
        black, white = (len(self.of(player)) for player in self.players)
        return payoff(None if black == white else self.players[white > black], self.players)


class Pentago(TwoPlayers):
    size = 6

    def __init__(self) -> None:
        super().__init__()
        self.turning = False

    def legal(self) -> set[str]:
        if self.turning:
            quarters = product(("left", "right"), ("bottom", "top"), ("clockwise", "counterclockwise"))
            return {f"(rotate {' '.join(words)})" for words in quarters}
        return {f"(place {x} {y})" for x, y in self.squares if (x, y) not in self.board}

    def play(self, move: str) -> None:
        word, *rest = words_of(move)
        if word == "place":
            self.board[int(rest[0]), int(rest[1])] = self.mover
        else:
            left, bottom = 1 + 3 * (rest[0] == "right"), 1 + 3 * (rest[1] == "top")
            before = dict(self.board)
            for i, j in product(range(3), repeat=2):
                # What was a column from left to right is then a row from top to bottom.
                to = (j, 2 - i) if rest[2] == "clockwise" else (2 - j, i)
                self.board.pop((left + to[0], bottom + to[1]), None)
                if (left + i, bottom + j) in before:
                    self.board[left + to[0], bottom + to[1]] = before[left + i, bottom + j]
            self.pass_on()
        self.turning = word == "place"

    def goals(self) -> dict[str, int] | None:
        winners = [player for player in self.players if has_row(self.of(player), 5)]
        if winners or (len(self.board) == 36 and not self.turning):
            return payoff(winners[0] if len(winners) == 1 else None, self.players)
        return None


class Quarto(TwoPlayers):
    players = ("first", "second")
    size = 4
    pieces = {"".join(letters) for letters in product("dl", "ts", "rosq")}
    traits = ((0, "d"), (0, "l"), (1, "t"), (1, "s"), (2, "ro"), (2, "sq"), (2, "rs"), (2, "oq"))

    def __init__(self) -> None:
        super().__init__()
        self.hand = ""

    def legal(self) -> set[str]:
        if self.hand:
            return {f"(place {x} {y})" for x, y in self.squares if (x, y) not in self.board}
        return {f"(give {piece})" for piece in self.pieces - set(self.board.values())}

    def play(self, move: str) -> None:
        word, *rest = words_of(move)
        if word == "give":
            self.hand = rest[0]
            self.pass_on()
        else:
            self.board[int(rest[0]), int(rest[1])] = self.hand
            self.hand = ""

    def goals(self) -> dict[str, int] | None:
        for place, letters in self.traits:
            if has_row({square for square, piece in self.board.items() if piece[place] in letters}, 4):
                return payoff(self.mover, self.players)
        return payoff(None, self.players) if len(self.board) == 16 else None


class Hex(TwoPlayers):
    players = ("red", "blue")

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__()

    def legal(self) -> set[str]:
        return {f"(place {name(square)})" for square in self.squares if square not in self.board}

    def play(self, move: str) -> None:
        (square,) = squares_of(words_of(move)[1:])
        self.board[square] = self.mover
        self.pass_on()

    def goals(self) -> dict[str, int] | None:
        index = 1 if self.other == "red" else 0
        own = self.of(self.other)
        found = {square for square in own if square[index] == 1}
        waiting = list(found)
        while waiting:
            square = waiting.pop()
            near = {beyond(square, way) for way in (*STRAIGHT, (1, -1), (-1, 1))} & own - found
            found |= near
            waiting += near
        return payoff(self.other, self.players) if any(square[index] == self.size for square in found) else None


class Amazons(TwoPlayers):
    def __init__(self) -> None:
        super().__init__()
        self.board = dict.fromkeys(((1, 3), (3, 1), (6, 1), (8, 3)), "white")
        self.board |= dict.fromkeys(((1, 6), (3, 8), (6, 8), (8, 6)), "black")
        self.archer: Square | None = None

    def legal(self) -> set[str]:
        if self.archer:
            return {f"(fire {name(square)})" for square in self.rays(self.archer)}
        return {f"(move {name(start)} {name(end)})" for start in self.of(self.mover) for end in self.rays(start)}

    def play(self, move: str) -> None:
        word, *rest = words_of(move)
        if word == "move":
            start, self.archer = squares_of(rest)
            self.board[self.archer] = self.board.pop(start)
        else:
            self.board[squares_of(rest)[0]] = "arrow"
            self.archer = None
            self.pass_on()

    def goals(self) -> dict[str, int] | None:
        return None if self.legal() else payoff(self.other, self.players)


class Gomoku(TwoPlayers):
    players = ("black", "white")
    size = 15

    def legal(self) -> set[str]:
        return {f"(place {x} {y})" for x, y in self.squares if (x, y) not in self.board}

    def play(self, move: str) -> None:
        x, y = map(int, words_of(move)[1:])
        self.board[x, y] = self.mover
        self.pass_on()

    def goals(self) -> dict[str, int] | None:
        if has_row(self.of(self.other), 5):
            return payoff(self.other, self.players)
        return payoff(None, self.players) if len(self.board) == 225 else None


def drop(move: str) -> str:
    return f"(drop {LETTERS.index(move.lower()) + 1})"


def mark(move: str) -> str:
    return f"(mark {LETTERS.index(move[0].lower()) + 1} {move[1]})"


def go(move: str) -> str:
    return f"(move {move[0]} {move[1]} {move[3]} {move[4]})"


MODELS: dict[str, tuple[Callable[[], Model], int]] = {
    "tictactoe": (lambda: Native("tictactoe", mark), 20),
    "connectfour": (lambda: Native("connectfour", drop), 10),
    "connect3": (lambda: Native("connectfour", drop, columns="4", rows="4", connect="3"), 20),
    "breakthrough": (lambda: Native("breakthrough", go), 3),
    "breakthrough_small": (lambda: Native("breakthrough", go, columns="5", rows="5"), 15),
    "knightthrough": (Knightthrough, 5),
    "checkers": (Draughts, 6),
    "checkers_barrel": (lambda: Draughts(kings=False, barrel=True), 6),
    "pawnwhopping": (Pawns, 15),
    "othello": (lambda: Reversi(8), 2),
    "reversi_small": (lambda: Reversi(6), 5),
    "pentago": (Pentago, 5),
    "quarto": (Quarto, 8),
    "hex": (lambda: Hex(9), 2),
    "hex_small": (lambda: Hex(5), 8),
    "amazons": (Amazons, 2),
    "gomoku": (Gomoku, 1),
}
"""For each game how to make its model, and how many games to play."""


@cache
def machine_of(game: str) -> Interpreter:
    return Interpreter(parse_strictly((GAMES / f"{game}.gdl").read_text(), f"{game}.gdl"))


def lockstep(game: str, model: Model, rng: random.Random) -> int:
    """Plays one game in both, and says how long it took."""
    machine = machine_of(game)
    state = machine.initial()
    roles = {str(role): role for role in machine.roles}
    for count in range(1000):
        goals = model.goals()
        assert machine.terminal(state) == (goals is not None)
        if goals is not None:
            assert {role: machine.goal(state, roles[role]) for role in roles} == goals
            return count
        moves: dict[str, dict[str, Term]] = {
            role: {str(move): move for move in machine.legal(state, roles[role])} for role in roles
        }
        assert [role for role in roles if list(moves[role]) != ["noop"]] == [model.mover]
        assert set(moves[model.mover]) == model.legal()
        text = rng.choice(sorted(moves[model.mover]))
        joint = {roles[role]: moves[role][text if role == model.mover else "noop"] for role in roles}
        state = machine.next(state, joint)
        model.play(text)
    raise AssertionError("the game does not end")


@pytest.mark.slow
@pytest.mark.parametrize("game", MODELS)
def test_random_games_agree_with_the_model(game: str) -> None:
    make, games = MODELS[game]
    rng = random.Random(f"lockstep {game}")
    lengths = [lockstep(game, make(), rng) for _ in range(games)]
    assert min(lengths) > 1


def test_the_models_play_what_matters() -> None:
    """Games that never show a king, a chain of jumps, a pass or a pawn taken in passing would prove little."""
    rng = random.Random(4)
    seen: set[str] = set()
    for _ in range(15):
        draughts, pawns, reversi = Draughts(), Pawns(), Reversi(6)
        while draughts.goals() is None:
            seen |= {"chain"} if draughts.chain else set()
            seen |= {"king"} if any(piece[1] == "k" for piece in draughts.board.values()) else set()
            draughts.play(rng.choice(sorted(draughts.legal())))
        while pawns.goals() is None:
            passed = pawns.passed
            taken = passed and any(move.endswith(f" {name(passed)})") for move in pawns.legal())
            seen |= {"en passant"} if taken else set()
            pawns.play(rng.choice(sorted(pawns.legal())))
        while reversi.goals() is None:
            seen |= {"pass"} if reversi.legal() == {"pass"} else set()
            reversi.play(rng.choice(sorted(reversi.legal())))
    assert seen == {"chain", "king", "en passant", "pass"}
