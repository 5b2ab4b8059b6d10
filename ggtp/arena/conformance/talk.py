"""A plain talk with one engine: a line is said, and what comes back is looked at, with nothing forgiven."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ggtp.catalogue import EngineSpec
from ggtp.driver.link import EngineLink
from ggtp.errors import RemoteProtocolError, with_last_words
from ggtp.protocol.codec import decode_answer, shown
from ggtp.protocol.commands import ENGINE
from ggtp.protocol.messages import Answer, AnswerKind, Command
from ggtp.protocol.utterances import utterance
from ggtp.referee.effects import Bounds


class Broken(Exception):
    """The talk can't go on: the engine is gone, silent, or says what nobody can read."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A move that an engine has selected, and when."""

    move: str
    at: float


class Talk:
    """Order of operations: `open`; `ask`, `tell` and `move` as often as wanted; `close`."""

    def __init__(self, spec: EngineSpec, bounds: Bounds, answer_seconds: float, rule: str = "") -> None:
        """A talk that has not begun.

        Args:
            spec: the engine.
            bounds: what it may use.
            answer_seconds: how long an answer may take.
            rule: the name or path of its rule.
        """
        self.answer_seconds = answer_seconds
        self.asked = 0
        """The number of questions that were answered."""
        self.selections: list[Selection] = []
        """The moves that came and were not taken yet."""
        self.slowest = 0.0
        """The seconds that the slowest answer took."""
        self.pending = 0
        """The number of moves that it was asked for and that have not come yet."""
        self._lines: asyncio.Queue[tuple[bytes, float]] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._why = ""
        self._link = EngineLink(spec, bounds, self._heard, self._failed, rule=rule)

    async def open(self) -> None:
        """Start the engine.

        Raises:
            EngineFailedToStart: it did not start.
        """
        await self._link.start()

    @property
    def pid(self) -> int | None:
        """The engine's process."""
        return self._link.pid

    async def close(self) -> None:
        """See it to its end."""
        await self._link.stop(kindly=False)

    async def gone(self, seconds: float) -> bool:
        """Return whether it ends by itself within these seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._gone.wait()
        except TimeoutError:
            return False
        return True

    def tell(self, line: bytes) -> None:
        """Say a line, whatever it is."""
        self._link.send([line])

    async def ask(self, name: str, *args: str, seconds: float | None = None) -> Answer:
        """Say a command of Table 2 and return its answer; moves that come meanwhile are kept.

        Raises:
            Broken: no answer, or one of the wrong kind.
        """
        command = Command(name, args)
        began = time.monotonic()
        self.tell(utterance(command).line)
        answer = await self.answer(str(command), seconds)
        self.slowest = max(self.slowest, time.monotonic() - began)
        if answer.kind not in ENGINE[name].answers:
            raise Broken(f"{shown(str(command))}: {answer.kind.value} is no answer to it.")
        self.asked += 1
        return answer

    async def answer(self, about: str, seconds: float | None = None) -> Answer:
        """The next line that is no move.

        Raises:
            Broken: it does not come, or can't be read.
        """
        until = time.monotonic() + (self.answer_seconds if seconds is None else seconds)
        while True:
            answer, at = await self._next(about, until)
            if answer.kind is AnswerKind.SELECT_MOVE:
                self._selected(answer, at, about)
            elif answer.kind is not AnswerKind.TELL_MESSAGE:
                return answer

    def ask_move(self, milliseconds: int | None) -> float:
        """Ask for a move; when that was."""
        self.pending += 1
        args = () if milliseconds is None else (str(milliseconds),)
        self.tell(utterance(Command("have_to_play", args)).line)
        return time.monotonic()

    async def move(self, seconds: float) -> Selection:
        """The move that was asked for.

        Raises:
            Broken: it does not come within these seconds, or something else does.
        """
        until = time.monotonic() + seconds
        while not self.selections:
            answer, at = await self._next("have_to_play", until)
            if answer.kind is AnswerKind.SELECT_MOVE:
                self._selected(answer, at, "have_to_play")
            elif answer.kind is not AnswerKind.TELL_MESSAGE:
                raise Broken(f"have_to_play: {answer.kind.value} came, which nobody asked for.")
        return self.selections.pop(0)

    async def anything(self, seconds: float) -> str:
        """Return a line that comes within these seconds although nothing was asked; an empty text as a rule.

        Raises:
            Broken: the engine is gone.
        """
        try:
            line, _ = await self._line("", time.monotonic() + seconds)
        except Broken:
            if self._gone.is_set():
                raise
            return ""
        return shown(line.decode(errors="backslashreplace"))

    def drop(self) -> Sequence[Selection]:
        """Forget the moves that came and those that were asked for; those that had come."""
        stale, self.selections, self.pending = self.selections, [], 0
        return stale

    def _selected(self, answer: Answer, at: float, about: str) -> None:
        if not self.pending:
            raise Broken(f"{shown(about)}: select_move {shown(answer.text)} came, which nobody asked for.")
        self.pending -= 1
        self.selections.append(Selection(answer.text, at))

    async def _next(self, about: str, until: float) -> tuple[Answer, float]:
        line, at = await self._line(about, until)
        try:
            return decode_answer(line), at
        except RemoteProtocolError as error:
            raise Broken(f"{shown(about)}: {error}: {error.line or 'an empty line'}") from None

    async def _line(self, about: str, until: float) -> tuple[bytes, float]:
        if self._lines.empty() and self._gone.is_set():
            raise Broken(f"{shown(about)}: {self._why}")
        hearing = asyncio.ensure_future(self._lines.get())
        going = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait(
                (hearing, going), timeout=max(0.0, until - time.monotonic()), return_when=asyncio.FIRST_COMPLETED
            )
            if hearing.done():
                return hearing.result()
            if going.done():
                raise Broken(f"{shown(about)}: {self._why}")
            raise Broken(f"{shown(about)}: nothing came in time.")
        finally:
            hearing.cancel()
            going.cancel()

    def _heard(self, line: bytes, at: float) -> None:
        self._lines.put_nowait((line, at))

    def _failed(self, fault: str, what: str, last_words: str) -> None:
        self._why = with_last_words(what, last_words)
        self._gone.set()
