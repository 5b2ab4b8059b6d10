"""Notes on the moves of a game: the time that each took, the time left, and what the engine told of its search.

An engine is asked for its last search when it is told its own move: outside of its clock, and together with a line
that is sent anyway. An engine that has never told anything is asked ever more seldom.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ggtp.game import Player
from ggtp.protocol.messages import AnswerKind, Command
from ggtp.protocol.text import unquote
from ggtp.protocol.utterances import utterance
from ggtp.protocol.waiting import Conversation, Task
from ggtp.referee.effects import LinkId
from ggtp.referee.engines import Link

LAST_SEARCH = "last_search"
"""The option by which an engine tells of its search, also while it goes on."""

FACTS = ("value", "score", "depth", "seldepth", "nodes", "playouts", "line")
"""The facts of a search that are kept."""
MOST_LETTERS = 200
"""How much is kept of one fact."""
MOST_READ = 4096
"""How much of an answer is read: an engine may list every move that it has looked at."""
MOST_NOTES = 20_000
"""The later moves of a game have no notes: its result has to stay a line."""
MOST_SKIPPED = 256
"""At most this many moves of an engine that has never told anything pass before it is asked again: one that begins from
a book of openings tells nothing of its first moves."""

SLOW_SECONDS = 0.1
MOST_SLOW = 3
"""An engine that takes longer than that for this many answers in a row is not asked again."""
MOST_FORGIVEN = 0.002
"""The seconds of an answer that are taken off its clock, where it was asked for its next move meanwhile. Engines answer
in less; more would let one think for nothing before it answers, which at 100 ms a move would tell."""

_QUESTION = utterance(Command("get_option", (LAST_SEARCH,)))
_ITEM = re.compile(r'[ \t]*("(?:\\.|[^"\\])*"|[^,="]*)=("(?:\\.|[^"\\])*"|[^,]*)(?:,|$)')


@dataclass(slots=True)
class MoveNote:
    """The facts of a move."""

    player: Player
    seconds: float | None = None
    """The time that the player's engine took; None where no engine was asked."""
    left: float | None = None
    """The seconds left in the player's bank after it, where there is one."""
    search: Mapping[str, str] = field(default_factory=dict)
    """What its engine told of the search, some of `FACTS`."""


@dataclass(slots=True)
class _Telling:
    """Whether an engine tells of its searches."""

    waiting: int = 0
    """How many questions it has not answered yet."""
    skip: int = 0
    """How many of its moves pass before it is asked again."""
    gap: int = 1
    """How many moves there were between the latest two questions; 0: it tells, and is asked after each move."""
    slow: int = 0
    """How many answers in a row took long."""

    def answered(self, facts: Mapping[str, str], seconds: float) -> None:
        """It has answered, with or without facts, after so many seconds."""
        self.waiting -= 1
        self.slow = self.slow + 1 if seconds > SLOW_SECONDS else 0
        if facts:
            self.gap = self.skip = 0
        elif self.gap:
            self.gap = min(2 * self.gap, MOST_SKIPPED)
            self.skip = self.gap - 1


class MoveNotes:
    """The notes of the game at a table, in the order of its moves. Nothing is noted unless it is `wanted`."""

    def __init__(self) -> None:
        self.wanted = False
        self.kept: list[MoveNote] = []
        self._spent: dict[Player, float] = {}
        self._telling: dict[LinkId, _Telling] = {}

    def clear(self) -> None:
        """Another game begins, or the same one from another place: answers that are still to come count for nothing."""
        self.kept = []
        self._spent.clear()

    def spent(self, player: Player, seconds: float) -> None:
        """A player's engine has thought, for its next move."""
        if self.wanted:
            self._spent[player] = self._spent.get(player, 0.0) + seconds

    def made(self, player: Player, left: float | None) -> None:
        """A move was made; where there is a bank, this is left in it."""
        if self.wanted and len(self.kept) < MOST_NOTES:
            seconds = self._spent.pop(player, None)
            self.kept.append(MoveNote(player, seconds, None if seconds is None else left))

    def ask(self, link: Link) -> None:
        """The latest move is that of an engine, which has been told so: ask it about its search, if it may tell."""
        if not self.wanted or LAST_SEARCH not in link.listed or len(self.kept) >= MOST_NOTES:
            return
        telling = self._telling.setdefault(link.number, _Telling())
        if telling.slow >= MOST_SLOW:
            return
        if telling.skip:
            telling.skip -= 1
            return
        telling.waiting += 1
        note, sent = self.kept[-1], link.now

        def told(facts: Mapping[str, str]) -> None:
            telling.answered(facts, link.now - sent)
            note.search = facts
            if link.asked_at is not None:  # it was asked for its next move meanwhile, and answers in order
                link.asked(link.asked_at + min(link.now - link.asked_at, MOST_FORGIVEN))

        Task(_conversation(link), told, lambda _error: told({})).advance()

    def awaited(self, link: LinkId) -> bool:
        """Return whether an engine still has to answer such a question."""
        telling = self._telling.get(link)
        return telling is not None and telling.waiting > 0


def _conversation(link: Link) -> Conversation[Mapping[str, str]]:
    answer = yield from link.ask(_QUESTION, patient=True)
    return facts_of(answer.text) if answer.kind is AnswerKind.REPLY else {}


def facts_of(text: str) -> dict[str, str]:
    """Those of `FACTS` that an answer such as `value=61.5, depth=7, line=a b` has."""
    found: dict[str, str] = {}
    place = 0
    while place < min(len(text), MOST_READ) and (item := _ITEM.match(text, place)):
        place = item.end()
        name = unquote(item[1])
        if name in FACTS:
            found[name] = unquote(item[2])[:MOST_LETTERS]
    return found
