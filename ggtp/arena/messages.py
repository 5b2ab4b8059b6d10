"""The messages between a tournament's runner and the workers that play its games, each a line of JSON with a tag.

`Order` goes to a worker and `News` comes back. Lines are decoded where they arrive; behind that there are values,
and `match` tells them apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from ggtp.tournament.facts import MoveFacts
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Job

LINE_BYTES = 64 * 2**20
"""The longest line; a game may have very many moves."""


class Message(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower):
    """What all messages share: the name of the class is the tag."""


class Begin(Message, frozen=True):
    """The first line: the plan, and how many games are played at a time."""

    plan: Plan
    slots: int


class Play(Message, frozen=True):
    """Play a game."""

    job: Job


class Withdraw(Message, frozen=True):
    """Give back the games that were not begun."""


class Resize(Message, frozen=True):
    """Play this many games at a time from now on."""

    slots: int


class Judge(Message, frozen=True):
    """End a game, begun or not, with these scores of its seats."""

    game: str
    scores: Mapping[str, float]
    reason: str


class Ask(Message, frozen=True):
    """Say a line to the referee of a running game."""

    number: int
    """The answer has the same."""
    game: str
    line: str
    who: str


class Alive(Message, frozen=True):
    """The worker is not stuck."""


class Moved(Message, frozen=True):
    """Moves of a running game that were not reported yet."""

    game: str
    attempt: int
    begin: int
    """How many moves come before them."""
    moves: tuple[str, ...]
    banks: Mapping[str, float]
    """Seat to the seconds left in its bank after them."""
    facts: tuple[MoveFacts, ...] = ()
    """The facts of these moves, as far as they are known."""


class Answer(Message, frozen=True):
    """What the referee of a game said to a line."""

    number: int
    text: str


class Withdrawn(Message, frozen=True):
    """Games that were not begun."""

    jobs: tuple[Job, ...]


class Played(Message, frozen=True):
    """A game has ended."""

    game: Game
    case: str
    """The text of its case file, where anything went wrong."""


Order: TypeAlias = Begin | Play | Withdraw | Resize | Judge | Ask
News: TypeAlias = Alive | Moved | Answer | Withdrawn | Played

_ORDERS: msgspec.json.Decoder[Order] = msgspec.json.Decoder(Order)
_NEWS: msgspec.json.Decoder[News] = msgspec.json.Decoder(News)


def encode(message: Message) -> bytes:
    """A message as a line, without its end."""
    try:
        return msgspec.json.encode(message)
    except UnicodeEncodeError:  # a file's name or a program's words hold what is no text
        return json.dumps(msgspec.to_builtins(message), ensure_ascii=False).encode("utf-8", "replace")


def decode_order(line: bytes) -> Order:
    """The order that a line holds.

    Raises:
        ValueError: it holds none.
    """
    return _ORDERS.decode(line)


def decode_news(line: bytes | str) -> News:
    """The news that a line holds.

    Raises:
        ValueError: it holds none.
    """
    return _NEWS.decode(line)
