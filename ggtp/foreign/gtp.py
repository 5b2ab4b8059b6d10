"""The Go Text Protocol, version 2: lines of commands, and answers that end with an empty line.

    17 play black D4        =17
                            (an empty line)

> Remove all occurrences of CR and other control characters except for HT and LF. For each line
> with a hash sign (#), remove all text following and including this character. Convert all
> occurrences of HT to SPACE. Discard any empty or white-space only lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PROTOCOL_VERSION = "2"
PASS, RESIGN = "pass", "resign"
BLACK, WHITE = "black", "white"

MOST_ID = 31
"""Digits of a number before a command: the protocol wants 31 bits, and anything longer is no number."""

COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


class GtpError(Exception):
    """A command that is refused; the text is what is said behind the question mark."""


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """A line of a controller."""

    number: str
    """As it was written; empty where there is none."""
    name: str
    args: tuple[str, ...] = ()


def read_command(line: str) -> GtpCommand | None:
    """The command of a line; None where there is none."""
    text = "".join(char for char in line.replace("\t", " ") if char.isprintable()).partition("#")[0]
    words = text.split()
    number = ""
    if words and words[0].isascii() and words[0].isdigit() and len(words[0]) <= MOST_ID:
        number = words.pop(0)
    if not words:
        return None if not number else GtpCommand(number, "")
    return GtpCommand(number, words[0], tuple(words[1:]))


def success(command: GtpCommand, text: str = "") -> str:
    """The answer of who has done it."""
    return _answer("=", command, text)


def failure(command: GtpCommand, text: str) -> str:
    """The answer of who refuses."""
    return _answer("?", command, text)


def _answer(sign: str, command: GtpCommand, text: str) -> str:
    # An empty line would end the answer.
    lines = [line.rstrip() or "." for line in text.strip("\n").splitlines()]
    between = "\n" if lines and text.startswith("\n") else " "  # a picture begins on a line of its own
    return f"{sign}{command.number}{between}{chr(10).join(lines)}".rstrip(" ") + "\n\n"


@dataclass(frozen=True, slots=True)
class GtpAnswer:
    """What an engine has answered."""

    done: bool
    text: str


def begins_answer(line: str) -> bool:
    """Whether an answer begins with this line."""
    return line.startswith(("=", "?"))


def read_answer(lines: Sequence[str]) -> tuple[str, GtpAnswer]:
    """The number and the answer in the lines before the empty one."""
    first = lines[0]
    rest = first[1:]
    number = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    text = "\n".join((rest[len(number) :].strip(), *lines[1:]))
    return number, GtpAnswer(first.startswith("="), text)


def read_colour(text: str) -> str:
    """`black` or `white`.

    Raises:
        GtpError: it is neither.
    """
    colour = COLOURS.get(text.lower())
    if colour is None:
        raise GtpError("invalid color")
    return colour
