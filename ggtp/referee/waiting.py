"""Conversations of several rounds, written as generators: they yield a promise and get its value.

`answer = yield promise` waits until the promise is kept, and raises what broke it. A `Task`
steps such a generator; it needs no event loop, only somebody who keeps or breaks promises.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from ggtp.errors import CommandError

Conversation: TypeAlias = Generator["Promise", Any, str]
"""Yields promises; what it returns is the answer to the supervisor."""


class Withdrawn(CommandError):
    """What was waited for is not wanted any more."""


class Promise:
    """A value that will come, or an error."""

    __slots__ = ("_error", "_task", "_value", "done")

    def __init__(self) -> None:
        self.done = False
        self._value: object = None
        self._error: CommandError | None = None
        self._task: Task | None = None

    def keep(self, value: object) -> None:
        """Here is the value; whoever waits goes on. A second answer counts for nothing."""
        if not self.done:
            self.done, self._value = True, value
            self._wake()

    def fail(self, error: CommandError) -> None:
        """There will be no value; whoever waits gets the error."""
        if not self.done:
            self.done, self._error = True, error
            self._wake()

    def _wake(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.advance(self)

    def deliver(self, conversation: Conversation) -> Promise:
        """Hand the value or the error to the generator and answer what it waits for next."""
        if self._error is not None:
            return conversation.throw(self._error)
        return conversation.send(self._value)

    def wait(self, task: Task) -> None:
        """Let `task` go on when the promise is kept."""
        self._task = task


class Task:
    """A conversation on its way. `finished` is called once, with its answer or its error."""

    __slots__ = ("_awaited", "_conversation", "_finished")

    def __init__(self, conversation: Conversation, finished: Callable[[str, CommandError | None], None]) -> None:
        self._conversation = conversation
        self._finished = finished
        self._awaited: Promise | None = None

    def begin(self) -> None:
        """Run up to the first promise that is not kept yet."""
        begun = Promise()
        begun.keep(None)
        self.advance(begun)

    def advance(self, promise: Promise) -> None:
        """Go on with what was promised."""
        while True:
            try:
                promise = promise.deliver(self._conversation)
            except StopIteration as stop:
                self._finished(stop.value, None)
                return
            except CommandError as error:
                self._finished("", error)
                return
            if not promise.done:
                self._awaited = promise
                promise.wait(self)
                return

    def interrupt(self) -> None:
        """Break the promise that is waited for; what comes of it later counts for nothing."""
        if self._awaited is not None:
            self._awaited.fail(CommandError("Interrupted."))
