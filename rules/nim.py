"""Nim: take as many as you like from one heap; the last one taken wins, or loses."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

from ggtp.errors import OptionError
from ggtp.game import Move, Note, Option, Picture, Player, Position, Rules, letters, switch
from ggtp.game.building.turns import ENDED, TurnPosition, WinnerGame

PLAYERS = ("Left", "Right")
MOST_HEAPS, MOST_STONES = 12, 99
LABELS = letters(MOST_HEAPS)
STRIDE = MOST_STONES + 1
SHORT = re.compile(r"([A-Z])[ -]?([1-9][0-9]?)")
TAKES = [
    [tuple(heap * STRIDE + stones for stones in range(1, count + 1)) for count in range(MOST_STONES + 1)]
    for heap in range(MOST_HEAPS)
]
"""For each heap and how many are in it: the moves that take of it."""

State: TypeAlias = tuple[tuple[int, ...], int]
"""How many are left in each heap, and whose turn it is, also when nothing is left."""


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


class NimGame(WinnerGame[State]):
    """A move is the number of its heap times `STRIDE` plus the stones that are taken."""

    players = PLAYERS

    def __init__(self, misere: bool) -> None:
        """The game in which taking the last one loses, or wins."""
        self.misere = misere

    def to_move(self, state: State) -> int:
        return state[1] if any(state[0]) else ENDED

    def legal(self, state: State) -> Sequence[int]:
        found: list[int] = []
        for takes, count in zip(TAKES, state[0], strict=False):
            found += takes[count]
        return found

    def after(self, state: State, move: int) -> State:
        heaps = list(state[0])
        heap, stones = divmod(move, STRIDE)
        heaps[heap] -= stones
        return (tuple(heaps), 1 - state[1])

    def winner(self, state: State) -> int:
        # The player to move finds nothing: the other one has taken the last.
        return state[1] if self.misere else 1 - state[1]

    def reason(self, state: State) -> str:
        return f"{PLAYERS[1 - state[1]]} took the last one"

    def name(self, state: State, move: int) -> Move:
        heap, stones = divmod(move, STRIDE)
        return f"take {stones} from {LABELS[heap]}"

    def read(self, state: State, text: str, moves: Mapping[Move, int]) -> Sequence[Move]:
        """`B 2`, `b2` and `b-2` are short for `take 2 from B`."""
        short = SHORT.fullmatch(text.upper())
        name = f"take {short[2]} from {short[1]}" if short else ""
        return [name] if name in moves else ()

    def why_not(self, state: State, text: str) -> str:
        short = SHORT.fullmatch(text.upper())
        return f"heap {short[1]} has not {short[2]} to take" if short else ""

    def key(self, state: State) -> Hashable:
        return (state, self.misere)

    def search_key(self, state: State) -> Hashable:
        return state

    def view(self, state: State) -> str:
        return f"{' '.join(map(str, state[0]))} {'misere' if self.misere else 'normal'} {self.mover(state)}"

    def picture(self, state: State) -> Picture:
        # A matchstick each, from the left, as people lay them.
        heaps = zip(LABELS, state[0], strict=False)
        return Picture(tuple(Note(f"{label} {'|' * heap} {heap}") for label, heap in heaps))


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
        return TurnPosition(NimGame(options["misere"] == "on"), (read_heaps(options["heaps"]), to_move))


RULES = Nim()
