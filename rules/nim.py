"""Nim: take as many as you like from one heap; the last one taken wins, or loses."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence

from ggtp.errors import IllegalMove, MoveError, OptionError
from ggtp.game import (
    OVER,
    Move,
    Note,
    Option,
    Picture,
    Player,
    Position,
    Result,
    Rules,
    Searcher,
    Turn,
    Verdict,
    letters,
    result_by_winner,
    single,
    switch,
)
from ggtp.game.advice import HasSearcher

LEFT, RIGHT = "Left", "Right"
PLAYERS = (LEFT, RIGHT)
TURNS = tuple(single(player) for player in PLAYERS)
MOST_HEAPS, MOST_STONES = 12, 99
LABELS = letters(MOST_HEAPS)
STRIDE = MOST_STONES + 1
NAMED = re.compile(r"take ([1-9][0-9]?) from ([A-Z])")
SHORT = re.compile(r"([A-Z])[ -]?([1-9][0-9]?)")


def move_text(number: int) -> Move:
    """The name of a move, which is the number of its heap times `STRIDE` plus the stones that are taken."""
    heap, stones = divmod(number, STRIDE)
    return f"take {stones} from {LABELS[heap]}"


def move_number(text: Move) -> int:
    """The number of a name, or -1 where it is none."""
    named = NAMED.fullmatch(text)
    if not named or named[2] not in LABELS:
        return -1
    return LABELS.index(named[2]) * STRIDE + int(named[1])


def listed(heaps: Sequence[int]) -> list[int]:
    """The numbers of all moves."""
    return [index * STRIDE + stones for index, heap in enumerate(heaps) for stones in range(1, heap + 1)]


def read_heaps(text: str) -> tuple[int, ...]:
    """The heaps that the option `heaps` means.

    Raises:
        OptionError: they are none, or too many, or too big.
    """
    words = text.replace(",", " ").split()
    good = 1 <= len(words) <= MOST_HEAPS and all(re.fullmatch(r"[1-9][0-9]?", word) for word in words)
    if not good:
        raise OptionError(
            f"No value {text} for option heaps: it takes 1 to {MOST_HEAPS} heaps of 1 to {MOST_STONES}, as in 1 3 5 7."
        )
    return tuple(int(word) for word in words)


class NimPosition(Position, HasSearcher):
    """How many are left in each heap, and whose turn it is."""

    __slots__ = ("_heaps", "_misere", "_to_move")

    def __init__(self, heaps: tuple[int, ...], to_move: int, misere: bool) -> None:
        self._heaps = heaps
        self._to_move = to_move
        self._misere = misere

    def turn(self) -> Turn:
        return TURNS[self._to_move] if any(self._heaps) else OVER

    def moves(self, player: Player) -> Sequence[Move]:
        return [move_text(number) for number in listed(self._heaps)] if player == PLAYERS[self._to_move] else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        number = move_number(move)
        heap, stones = divmod(number, STRIDE)
        if player != PLAYERS[self._to_move] or number < 0 or heap >= len(self._heaps) or stones > self._heaps[heap]:
            raise IllegalMove(f"No move named {move} for player {player}.")
        heaps = (*self._heaps[:heap], self._heaps[heap] - stones, *self._heaps[heap + 1 :])
        return Verdict(NimPosition(heaps, 1 - self._to_move, self._misere), ((player, move),))

    def parse(self, player: Player, text: str) -> Move:
        """`B 2`, `b2` and `b-2` are short for `take 2 from B`."""
        short = SHORT.fullmatch(text.strip().upper())
        try:
            return super().parse(player, f"take {short[2]} from {short[1]}" if short else text)
        except MoveError as error:
            if short and self.moves(player):
                raise IllegalMove(f"Heap {short[1]} has not {short[2]} to take.") from error
            raise

    def result(self) -> Result | None:
        if any(self._heaps):
            return None
        # The player to move finds nothing: the other one has taken the last.
        winner = PLAYERS[self._to_move] if self._misere else PLAYERS[1 - self._to_move]
        return result_by_winner(PLAYERS, winner, f"{PLAYERS[1 - self._to_move]} took the last one")

    def view(self, player: Player | None) -> str:
        kind = "misere" if self._misere else "normal"
        turn = PLAYERS[self._to_move] if any(self._heaps) else "-"
        return f"{' '.join(map(str, self._heaps))} {kind} {turn}"

    def key(self) -> Hashable:
        return (self._heaps, self._to_move, self._misere)

    def picture(self, player: Player | None) -> Picture:
        # A matchstick each, from the left, as people lay them.
        return Picture(
            tuple(Note(f"{label} {'|' * heap} {heap}") for label, heap in zip(LABELS, self._heaps, strict=False))
        )

    def searcher(self) -> Searcher:
        return NimSearcher(self._heaps, self._to_move, self._misere)


class NimSearcher:
    """The heaps as a list; a move is as in `move_text`."""

    __slots__ = ("_heaps", "_history", "_left", "_misere", "_to_move")

    def __init__(self, heaps: Sequence[int], to_move: int, misere: bool) -> None:
        self._heaps = list(heaps)
        self._left = sum(heaps)
        self._to_move = to_move
        self._misere = misere
        self._history: list[int] = []

    def to_move(self) -> int:
        return self._to_move if self._left else -1

    def legal(self) -> Sequence[int]:
        return listed(self._heaps)

    def play(self, move: int) -> None:
        heap, stones = divmod(move, STRIDE)
        self._heaps[heap] -= stones
        self._left -= stones
        self._to_move = 1 - self._to_move
        self._history.append(move)

    def undo(self) -> None:
        heap, stones = divmod(self._history.pop(), STRIDE)
        self._heaps[heap] += stones
        self._left += stones
        self._to_move = 1 - self._to_move

    def scores(self) -> Sequence[float]:
        winner = self._to_move if self._misere else 1 - self._to_move
        return (100.0, 0.0) if winner == 0 else (0.0, 100.0)

    def key(self) -> Hashable:
        return (tuple(self._heaps), self._to_move)

    def text(self, move: int) -> Move:
        return move_text(move)

    def number(self, move: Move) -> int:
        return move_number(move)


class Nim(Rules):
    """Players Left and Right; a move is `take 2 from B`."""

    name = "Nim"
    title = "take from heaps until nothing is left"
    own_options = (
        Option("heaps", "1 3 5 7", "how many are in each heap"),
        switch("misere", False, "whether taking the last one loses"),
    )
    first_player_open = True

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        options = super().complete(values)
        options["heaps"] = " ".join(map(str, read_heaps(options["heaps"])))
        return options

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        to_move = PLAYERS.index(options["starting_player"])
        return NimPosition(read_heaps(options["heaps"]), to_move, options["misere"] == "on")


RULES = Nim()
