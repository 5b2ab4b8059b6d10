"""Reads a level: where which sprites are at the start."""

from __future__ import annotations

from dataclasses import dataclass

from ggtp.vgdl.language.definition import Game
from ggtp.vgdl.language.faults import Fault, Severity, as_error, errors

SCREEN = 800
"""Pixels of the longer side of a level, where the game does not say how big a square is."""
MOST_SIDE = 500
MOST_UNKNOWN = 25
"""With more letters that mean nothing a game ends before it has begun."""


@dataclass(frozen=True, slots=True)
class Level:
    """Squares, and the types of the sprites on them, in the order in which these are made."""

    width: int
    height: int
    block: int
    """How many pixels a square is wide and high."""
    placed: tuple[tuple[int, int, int], ...]
    """Type, column and row."""
    unknown: int = 0
    """How many letters mean nothing."""

    @property
    def playable(self) -> bool:
        """Whether the game goes beyond its first tick."""
        return self.unknown <= MOST_UNKNOWN


def parse_level(text: str, game: Game, path: str = "") -> Level:
    """The level of a text that has no errors.

    Raises:
        RulesError: it has some; placed at the first, and naming the others.
    """
    level, faults = survey_level(text, game)
    if level is None or errors(faults):
        raise as_error(faults, text, path)
    return level


def survey_level(text: str, game: Game) -> tuple[Level | None, list[Fault]]:
    """The level as far as it can be understood, and all that is wrong with its text."""
    faults: list[Fault] = []
    lines = text.removeprefix("\ufeff").splitlines()
    if not any(line.strip() for line in lines):
        return None, [Fault("the level is empty", 1, 1)]
    width, height = len(lines[0]), len(lines)
    if not 0 < width <= MOST_SIDE or height > MOST_SIDE:
        return None, [Fault(f"a level has 1 to {MOST_SIDE} columns and rows, not {width} x {height}", 1, 1)]
    placed: list[tuple[int, int, int]] = []
    unknown = avatars = 0
    for row, line in enumerate(lines):
        if len(line.rstrip()) > width:
            message = f"the row has {len(line)} letters, the first one {width}"
            faults.append(Fault(message, row + 1, width + 1, Severity.WARNING))
        for column, letter in enumerate(line[:width]):
            if letter not in game.mapping:
                if letter != " ":
                    unknown += 1
                    faults.append(Fault(f"the letter {letter} is not in the LevelMapping", row + 1, column + 1))
                continue
            for number in game.mapping[letter]:
                word = game.types[number].word
                if word is None:
                    continue
                if word.avatar:
                    avatars += 1
                    if avatars > 1:  # only the first stays
                        message = "there is an avatar already: this one is left out"
                        faults.append(Fault(message, row + 1, column + 1, Severity.WARNING))
                        continue
                placed.append((number, column, row))
    if not avatars:
        faults.append(Fault("there is no avatar in the level", 1, 1))
    block = game.square_size or max(2, SCREEN // max(width, height))
    return Level(width, height, block, tuple(placed), unknown), faults
