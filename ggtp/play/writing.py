"""Play files as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ggtp.play.play import MOVE

HEADER = "# GGTP play file"
"""The first line of a file that we have written."""


def saved_lines(lines: Iterable[str], options: Mapping[str, str]) -> tuple[str, ...]:
    """The file of the game at a table: its recorded lines, and the referee's options that were set."""
    settings = {name: f"set_option {name} {value}" for name, value in options.items()}
    # Last, since plays that were kept must not be lost when the file is run.
    keeps = settings.pop("keep_plays", None)
    return (HEADER, *settings.values(), *lines, *(() if keeps is None else (keeps,)))


def game_lines(rule: str, options: Mapping[str, str], moves: Iterable[str] = ()) -> list[str]:
    """The lines of a game that is known by its rule, the rule's options, and its moves, each `PLAYER MOVE`."""
    return [
        f"set_rule {rule}",
        *(f"set_rule_option {name} {value}" for name, value in options.items()),
        "start",
        *(f"{MOVE}{move}" for move in moves),
    ]
