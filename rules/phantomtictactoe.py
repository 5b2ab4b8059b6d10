"""PhantomTicTacToe: TicTacToe in which neither player sees the other's moves.

Who tries a square that the opponent holds is told so, and tries another. Nobody else hears of it.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations

from ggtp.errors import IllegalMove
from ggtp.game import (
    EMPTY,
    HIDDEN,
    OVER,
    Announcement,
    Cell,
    Move,
    Note,
    Observation,
    Picture,
    Player,
    Position,
    Refusal,
    Result,
    Rules,
    Seen,
    Traits,
    Turn,
    Verdict,
    result_by_winner,
    single,
)
from ggtp.game.advice import Determinizes, Imagines
from ggtp.game.building.boards import SquareBoard, bits
from ggtp.game.building.symmetry import ALL, Symmetry, board_symmetries

CROSS, CIRCLE = "Cross", "Circle"
PLAYERS = (CROSS, CIRCLE)
TURNS = tuple(single(player, sealed=True) for player in PLAYERS)
MARKS = "XO"
CELLS = {"X": Cell("X", "first"), "O": Cell("O", "second"), ".": EMPTY, "?": Cell("?", "muted")}
BOARD = SquareBoard(3, 3)
SQUARES, NUMBERS = BOARD.names, BOARD.numbers
FULL = (1 << BOARD.size) - 1
WON = tuple(any(stones & line == line for line in BOARD.line_masks(3)) for stones in range(FULL + 1))
"""Whether a player with these stones, a bit each, has three in a row."""
TAKEN = "the square is taken"


class PhantomTicTacToePosition(Position, Determinizes):
    """The stones of both players as bits, A1 the lowest, and which of the opponent's each has found."""

    __slots__ = ("_found", "_stones", "_to_move")

    def __init__(self, stones: tuple[int, int], found: tuple[int, int], to_move: int) -> None:
        self._stones = stones
        self._found = found
        self._to_move = to_move

    def _over(self) -> bool:
        # Only the player who has just moved can have made three in a row.
        return WON[self._stones[1 - self._to_move]] or self._stones[0] | self._stones[1] == FULL

    def _winner(self) -> Player | None:
        return PLAYERS[1 - self._to_move] if WON[self._stones[1 - self._to_move]] else None

    def turn(self) -> Turn:
        return OVER if self._over() else TURNS[self._to_move]

    def moves(self, player: Player) -> Sequence[Move]:
        if player != PLAYERS[self._to_move] or self._over():
            return ()
        known = self._stones[self._to_move] | self._found[self._to_move]
        return [square for index, square in enumerate(SQUARES) if not known >> index & 1]

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(f"No move named {move} for player {player}.")
        mover, stone = self._to_move, 1 << NUMBERS[move]
        if self._stones[1 - mover] & stone:
            found = _with(self._found, mover, stone)
            after = PhantomTicTacToePosition(self._stones, found, mover)
            return Verdict(after, refused=(Refusal(player, move, TAKEN),))
        after = PhantomTicTacToePosition(_with(self._stones, mover, stone), self._found, 1 - mover)
        words = (Announcement(f"The board was {BOARD.text(after._marks(None))}"),) if after._over() else ()
        return Verdict(after, ((player, move),), announcements=words)

    def result(self) -> Result | None:
        if not self._over():
            return None
        winner = self._winner()
        return result_by_winner(PLAYERS, winner, "three in a row" if winner else "the board is full")

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        return move if actor == observer else HIDDEN

    def _marks(self, player: Player | None) -> str:
        """What stands on each square, as far as the player knows: `?` may be empty or the opponent's."""
        cross, circle = self._stones
        unknown = "."
        if player == CROSS:
            circle, unknown = self._found[0], "?"
        elif player == CIRCLE:
            cross, unknown = self._found[1], "?"
        return "".join(
            "X" if cross >> index & 1 else "O" if circle >> index & 1 else unknown for index in range(BOARD.size)
        )

    def _state(self) -> str:
        """What everybody knows: how many stones there are, and whose turn it is or how it ended."""
        counts = " ".join(
            f"{player} {stones.bit_count()}" for player, stones in zip(PLAYERS, self._stones, strict=True)
        )
        if not self._over():
            return f"{counts} {PLAYERS[self._to_move]} to move"
        winner = self._winner()
        return f"{counts} {winner} won" if winner else f"{counts} drawn"

    def view(self, player: Player | None) -> str:
        text = f"{BOARD.text(self._marks(player))} {self._state()}"
        if player is not None:
            return text
        finds = (
            f"{name} found {' '.join(SQUARES[index] for index in bits(found)) or '-'}"
            for name, found in zip(PLAYERS, self._found, strict=True)
        )
        return "; ".join((text, *finds))

    def key(self) -> Hashable:
        return (self._stones, self._found, self._to_move)

    def picture(self, player: Player | None) -> Picture:
        counts = [f"{name} {stones.bit_count()}" for name, stones in zip(PLAYERS, self._stones, strict=True)]
        state = self._state().split(" ", 4)[-1]
        notes = [f"stones: {', '.join(counts)}; {state}"] if player is not None else self.view(None).split("; ")[1:]
        return Picture((BOARD.grid([CELLS[mark] for mark in self._marks(player)]), *(Note(text) for text in notes)))

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        if player not in PLAYERS:
            return self
        me = PLAYERS.index(player)
        winner = self._winner() if self._over() else None
        return _draw_world(
            me,
            own=self._stones[me],
            found=self._found[me],
            count=self._stones[1 - me].bit_count(),
            to_move=self._to_move,
            winner=None if winner is None else PLAYERS.index(winner),
            rng=rng,
        )


def _with(pair: tuple[int, int], index: int, stone: int) -> tuple[int, int]:
    return (pair[0] | stone, pair[1]) if index == 0 else (pair[0], pair[1] | stone)


def _subsets(squares: Sequence[int], count: int) -> Iterator[int]:
    for chosen in combinations(squares, count):
        yield sum(1 << square for square in chosen)


def _could_end(stones: int, found: int) -> bool:
    """Whether one of the stones can have been the game's last.

    The opponent had no time to find it, and without it there was no three in a row yet.
    """
    return any(not WON[stones ^ 1 << square] for square in bits(stones & ~found))


def _draw_world(
    me: int, *, own: int, found: int, count: int, to_move: int, winner: int | None, rng: random.Random
) -> PhantomTicTacToePosition | None:
    """A position that looks like this to player `me`, each that can have come about being as likely as any other.

    Drawn are the opponent's stones that `me` has not found, and those of `me` that the opponent has found.
    """
    over = winner is not None or own.bit_count() + count == BOARD.size
    unknown = [square for square in range(BOARD.size) if not (own | found) >> square & 1]
    worlds = []
    for rest in _subsets(unknown, count - found.bit_count()) if count >= found.bit_count() else ():
        others = found | rest
        if WON[others] != (winner == 1 - me) or WON[own] != (winner == me):
            continue
        for size in range(own.bit_count() + 1):
            for theirs in _subsets(list(bits(own)), size):
                # The game ended with a move of the player who is not to move, and at once.
                last, hits = (own, theirs) if to_move != me else (others, found)
                if not over or _could_end(last, hits):
                    worlds.append((others, theirs))
    if not worlds:
        return None
    others, theirs = rng.choice(worlds)
    if me == 0:
        return PhantomTicTacToePosition((own, others), (found, theirs), to_move)
    return PhantomTicTacToePosition((others, own), (theirs, found), to_move)


class PhantomTicTacToe(Rules, Imagines):
    """Players Cross and Circle, moves A1 to C3; a try on a square that is taken is refused."""

    name = "PhantomTicTacToe"
    title = "TicTacToe without seeing the opponent's moves"
    traits = Traits(hidden=True)
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return PhantomTicTacToePosition((0, 0), (0, 0), PLAYERS.index(options["starting_player"]))

    def imagine(
        self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
    ) -> Position | None:
        """As `determinize`, for a game that is going on as far as the player can tell."""
        me = PLAYERS.index(player)
        to_move = PLAYERS.index(self.complete(values)["starting_player"])
        own = found = count = 0
        for observation in seen:
            if not isinstance(observation, Seen):
                found |= 1 << NUMBERS[observation.move]
                continue
            to_move = 1 - to_move
            if observation.actor == player:
                own |= 1 << NUMBERS[observation.text]
            else:
                count += 1
        winner = me if WON[own] else None
        if winner is None and own.bit_count() + count == BOARD.size and WON[FULL ^ own]:
            winner = 1 - me
        return _draw_world(me, own=own, found=found, count=count, to_move=to_move, winner=winner, rng=rng)

    def symmetries(self, options: Mapping[str, str]) -> Sequence[Symmetry]:
        return board_symmetries(SQUARES, BOARD.columns, ALL)


RULES = PhantomTicTacToe()
