"""Puzzles: games of one player, whose levels are chosen by number or given as text."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from ggtp.errors import OptionError
from ggtp.game.advice import HasTwin
from ggtp.game.model import Player, Result, Rules, Standing, Traits

SOLO: Player = "Solo"
SOLVED = 100
"""The score of a puzzle that is solved."""
NUMBER = re.compile(r"[0-9]{1,4}")


def solo_result(score: int, reason: str) -> Result:
    """Return the result of a puzzle: a win if it is solved, and a loss with any other score."""
    return Result({SOLO: Standing.WIN if score == SOLVED else Standing.LOSS}, {SOLO: score}, reason)


def numbered(text: str, levels: Sequence[str], what: str) -> str | None:
    """Return the level with that number, counted from 1; None if the text is not a number.

    Args:
        text: the option's value.
        levels: the levels that have numbers.
        what: the value for the error message: `level 20`.

    Raises:
        OptionError: there is no level with that number.
    """
    if not NUMBER.fullmatch(text):
        return None
    if not 1 <= int(text) <= len(levels):
        raise OptionError(f"No {what}: there are 1 to {len(levels)}.")
    return levels[int(text) - 1]


class PuzzleRules(Rules, HasTwin):
    """Rules of a game of one player, Solo."""

    traits = Traits(min_players=1, max_players=1, zero_sum=False)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return (SOLO,)


class LevelRules(PuzzleRules):
    """Rules of a puzzle with an option `level`, whose value is a number or the level itself."""

    levels: ClassVar[tuple[str, ...]]
    """The levels that have numbers, as `read_level` returns them."""

    @abstractmethod
    def read_level(self, text: str) -> str:
        """Return the canonical text of a level that somebody has typed.

        Raises:
            ValueError: the text is not a level; the message says why.
        """

    def complete(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return every option with its value; a level is checked and canonical."""
        options = super().complete(values)
        text = options["level"]
        if numbered(text, self.levels, f"level {text}") is None:
            try:
                options["level"] = self.read_level(text)
            except ValueError as error:
                raise OptionError(f"No level: {error}.") from None
        return options

    def level(self, options: Mapping[str, str]) -> str:
        """Return the level that completed options choose."""
        text = options["level"]
        return numbered(text, self.levels, f"level {text}") or text
