"""Lists in parentheses, as messages between game managers and players carry them, with their spelling kept.

    >>> read("( PLAY m.1 (( mark 1 3 ) noop ) )")
    ('PLAY', 'm.1', (('mark', '1', '3'), 'noop'))

The reader of rules (`ggtp.gdl.language.reader`) knows no capitals and keeps places; here the other end
may tell `Mark` from `mark`, and wants its own words back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from ggtp.errors import RemoteProtocolError

Expression: TypeAlias = "str | tuple[Expression, ...]"
"""A word, or a list."""

MOST_DEPTH = 200
"""How many lists may be open at once: no game needs more, and nothing of ours runs out of stack before."""

SHOWN = 60

_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT = re.compile(r";[^\n]*")


def read_all(text: str) -> tuple[Expression, ...]:
    """Every expression of the text.

    Raises:
        RemoteProtocolError: parentheses that do not match, or too many of them.
    """
    items: list[Expression] = []
    outer: list[list[Expression]] = []
    for found in _TOKEN.finditer(_COMMENT.sub(" ", text)):
        token = found.group()
        if token == "(":
            if len(outer) == MOST_DEPTH:
                raise RemoteProtocolError(f"more than {MOST_DEPTH} open parentheses", text[:SHOWN])
            outer.append(items)
            items = []
        elif token != ")":
            items.append(token)
        elif outer:
            done = tuple(items)
            items = outer.pop()
            items.append(done)
        else:
            raise RemoteProtocolError("a parenthesis that closes nothing", text[:SHOWN])
    if outer:
        raise RemoteProtocolError("a parenthesis that is never closed", text[:SHOWN])
    return tuple(items)


def read(text: str) -> Expression:
    """The one expression of the text.

    Raises:
        RemoteProtocolError: there is none, or more than one.
    """
    found = read_all(text)
    if len(found) != 1:
        raise RemoteProtocolError("one expression is needed", text[:SHOWN])
    return found[0]


def write(expression: Expression) -> str:
    """The text as game managers write it, with blanks inside the parentheses: `( mark 1 3 )`."""
    if isinstance(expression, str):
        return expression
    return " ".join(("(", *map(write, expression), ")"))


def write_list(expressions: Iterable[Expression]) -> str:
    """A list of rules or of moves inside a message: `(( mark 1 3 ) noop )`."""
    return f"({' '.join(map(write, expressions))} )"


def move_expression(move: str) -> Expression:
    """A move of rules in GDL, which the house writes without its outer parentheses, as an expression.

    Raises:
        RemoteProtocolError: it is none.
    """
    found = read_all(move)
    return found[0] if len(found) == 1 else found


def move_name(expression: Expression) -> str:
    """A move as the house writes it: `mark 1 3`."""
    text = _plain(expression)
    return text[1:-1] if len(expression) > 1 and not isinstance(expression, str) else text


def _plain(expression: Expression) -> str:
    return expression if isinstance(expression, str) else f"({' '.join(map(_plain, expression))})"
