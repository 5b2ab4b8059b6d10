"""KIF text → s-expressions, every symbol and list with its line and column.

The text is read as the reference reader reads it: a comment goes from `;` to the end of its
line, lines end with LF, CR or both, parentheses are tokens, and all else between white space
is a symbol, in lower case. There are no strings and no `|...|`: quotes and bars are letters
like any others. Closing parentheses that close nothing are skipped and reported in
`Reading.strays`, since old rule files have them; a list that is never closed is an error.

Reading takes no recursion and its costs are bounded by `MAX_CHARACTERS` and `MAX_DEPTH`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ggtp.gdl.language.faults import Fault, as_error

MAX_CHARACTERS = 16_000_000
"""The longest known rulesheets have about a million characters."""

MAX_DEPTH = 100
"""How many lists may be open at once. Rules need about ten; everything that walks a term may recurse this deep."""

_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT = re.compile(r";[^\r\n]*")
# Control characters that are no white space, and halves of surrogate pairs, which no encoding can write.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff]")


class Place(NamedTuple):
    """Where something stands in the text; both count from one, and (0, 0) is nowhere."""

    line: int
    column: int


NOWHERE = Place(0, 0)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A word of the text, in lower case."""

    text: str
    place: Place

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class SList:
    """A list; its place is that of its opening parenthesis."""

    items: tuple[Expression, ...]
    place: Place

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Expression: TypeAlias = Symbol | SList


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read."""

    expressions: tuple[Expression, ...]
    strays: tuple[Place, ...] = ()
    """Closing parentheses that closed nothing, and were skipped."""


def read(text: str, path: str = "") -> Reading:
    """All expressions of the text, in order.

    Raises:
        RulesError: a list that is never closed, lists nested too deeply, a character that no
            text should have, or too long a text. `path` is only for the message.
    """
    if len(text) > MAX_CHARACTERS:
        fault = Fault(f"The text has more than {MAX_CHARACTERS} characters.", "No rulesheet is that long.")
        raise as_error(fault, "", path)
    top: list[Expression] = []
    items = top
    open_lists: list[tuple[list[Expression], Place]] = []
    """The lists around the present one, each with the place where the list inside it was opened."""
    strays: list[Place] = []
    for number, line in enumerate(_lines(text), 1):
        code = line.partition(";")[0]
        if found := _FORBIDDEN.search(code):
            name = f"U+{ord(found.group()):04X}"
            fault = Fault(f"A character that no text should have: {name}.", "Remove it.", number, found.start() + 1)
            raise as_error(fault, text, path)
        for match in _TOKEN.finditer(code):
            token, place = match.group(), Place(number, match.start() + 1)
            if token == "(":
                if len(open_lists) == MAX_DEPTH:
                    fault = Fault(f"More than {MAX_DEPTH} lists are open here.", "Close some of them.", *place)
                    raise as_error(fault, text, path)
                open_lists.append((items, place))
                items = []
            elif token != ")":
                items.append(Symbol(token.lower(), place))
            elif open_lists:
                outer, start = open_lists.pop()
                outer.append(SList(tuple(items), start))
                items = outer
            else:
                strays.append(place)
    if open_lists:
        # When one parenthesis is missing, the outermost open list is the rule that lacks it.
        fault = Fault("This list is never closed.", "Add the missing ')'.", *open_lists[0][1])
        raise as_error(fault, text, path)
    return Reading(tuple(top), tuple(strays))


def words(text: str) -> str:
    """All words and parentheses of a text, without reading it any further: texts that have the same are the same."""
    code = _COMMENT.sub("", text.removeprefix("\ufeff"))
    return " ".join(code.replace("(", " ( ").replace(")", " ) ").lower().split())


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # A byte order mark is no part of the first line; editors do not count it as a column either.
    lines[0] = lines[0].removeprefix("\ufeff")
    return lines
