"""The Universal Chess Interface as engines hear and speak it: lines of a tool in, values out.

> If the engine or the GUI receives an unknown command or token it should just ignore it and
> try to parse the rest of the string in this line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

START_POSITION = "startpos"
NO_MOVE = "0000"
MOST_DIGITS = 18
MOST_SPIN = 2**31 - 1
"""Tools hold the bounds of an option in 32 bits."""

FLAGS = ("infinite", "ponder")
NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")


@dataclass(frozen=True, slots=True)
class Place:
    """`position`: where to begin, and what was played from there."""

    fen: str
    """Empty for the usual beginning."""
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Go:
    """`go`: how long to think. Times are in milliseconds."""

    infinite: bool = False
    ponder: bool = False
    wtime: int | None = None
    btime: int | None = None
    winc: int = 0
    binc: int = 0
    movestogo: int = 0
    movetime: int | None = None
    depth: int = 0
    nodes: int = 0
    mate: int = 0
    searchmoves: tuple[str, ...] = ()


def read_position(words: Sequence[str]) -> Place | None:
    """What stands behind `position`; None where it makes no sense."""
    cut = words.index("moves") if "moves" in words else len(words)
    where, moves = words[:cut], tuple(words[cut + 1 :])
    if list(where[:1]) == [START_POSITION]:
        return Place("", moves)
    if list(where[:1]) == ["fen"] and len(where) > 1:
        return Place(" ".join(where[1:]), moves)
    return None


def read_go(words: Sequence[str]) -> Go:
    """What stands behind `go`; what is no number counts as not said."""
    found: dict[str, object] = {}
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in FLAGS:
            found[word] = True
        elif word in NUMBERS and index < len(words) and _is_number(words[index]):
            found[word] = int(words[index])
            index += 1
        elif word == "searchmoves":
            rest = list(words[index:])
            end = next((place for place, name in enumerate(rest) if name in FLAGS + NUMBERS), len(rest))
            found[word] = tuple(rest[:end])
            index += end
    return Go(**found)  # type: ignore[arg-type]  # every name is a field, with a value of its kind


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS


def read_option(words: Sequence[str]) -> tuple[str, str]:
    """What stands behind `setoption`: a name and a value, both with blanks inside; empty where there is none."""
    text = list(words)
    if text[:1] == ["name"]:
        text = text[1:]
    cut = text.index("value") if "value" in text else len(text)
    return " ".join(text[:cut]), " ".join(text[cut + 1 :])


def option_line(name: str, default: str, choices: Sequence[str]) -> str:
    """How an option of an engine of ours is told; `choices` are those of `list_option_choices`."""
    if set(choices) == {"on", "off"}:
        return f"option name {name} type check default {'true' if default == 'on' else 'false'}"
    low, dots, high = choices[0].partition("..") if len(choices) == 1 else ("", "", "")
    if dots and _is_number(low) and _is_number(high):
        high = str(min(int(high), MOST_SPIN))
        return f"option name {name} type spin default {default} min {low} max {high}"
    if len(choices) > 1:
        return f"option name {name} type combo default {default} " + " ".join(f"var {choice}" for choice in choices)
    return f"option name {name} type string default {default or '<empty>'}"


def option_value(value: str, choices: Sequence[str]) -> str:
    """A value of a tool's as ours."""
    if set(choices) == {"on", "off"}:
        return {"true": "on", "false": "off"}.get(value.lower(), value)
    return "" if value == "<empty>" else value
