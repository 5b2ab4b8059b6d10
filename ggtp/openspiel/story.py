"""What a player was told of a game of OpenSpiel, ready to be compared, and stories that may explain it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

SUITS = "♠♥♦♣"


class Told(NamedTuple):
    """An observation, ready to be compared."""

    actor: int
    """-1 is chance, -2 the umpire who tells what is new."""
    text: str
    mark: str
    """Of the news; empty where nothing is new."""
    following: str = ""
    refused: bool = False
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Words of the news that follow one another."""


@dataclass(slots=True)
class Turn:
    """A turn of a history."""

    state: Any
    """Before it."""
    action: int
    done: int
    """How many observations were explained before it."""
    free: bool
    """Whether something else might have looked the same."""
    chance: bool


@dataclass(slots=True)
class Story:
    """One way in which it may have been, as far as it explains what was observed."""

    turns: list[Turn]
    state: Any
    done: int
    telling: bool = False
    """Whether it ends between a move and what is told of it."""
    gap: float = 1.0
    """How far it is from what was told next, from 0 to 1."""
    missing: frozenset[str] = frozenset()
    """Words that were told next, and would not have been."""

    def explains(self, count: int) -> bool:
        """Whether it explains so many observations, and the game still goes on."""
        return self.done == count and (self.telling or not self.state.is_terminal())

    def actions(self) -> list[int]:
        """The library's numbers, from the start."""
        return [turn.action for turn in self.turns]

    def add(self, action: int, after: Any, *, told: int, free: bool, chance: bool, telling: bool = False) -> bool:
        """Adds a turn of which so much is told; always true."""
        self.turns.append(Turn(self.state, action, self.done, free, chance))
        self.state = after
        self.done += told
        self.telling = telling
        return True


def after_of(state: Any, action: int) -> Any:
    """The state after an action that is known to be legal."""
    after = state.clone()
    after.apply_action(action)
    return after


def alike(move: str, outcome: str) -> bool:
    """Whether a move and an outcome of chance speak of the same card: both end in its name."""
    return move.rpartition(" ")[2].endswith(card_of(outcome))


def pairs_of(text: str) -> frozenset[tuple[str, str]]:
    """Every word, where it is, every two that follow one another, and cards that follow the sign of their suit."""
    words = text.split()
    found = set(pairwise(words))
    suit = ""
    for number, word in enumerate(words):
        found |= {(word, ""), (word, str(number))}
        suit = word if word in SUITS else suit
        found.add((suit + word, ""))
    return frozenset(found)


def card_of(outcome: str) -> str:
    return outcome.rpartition(" ")[2].strip("()")
