"""Conversations of several rounds, written as generators that wait for promises.

`answer = yield from promise` waits until the promise is kept and gives its value, or raises what broke it. A `Task`
steps such a generator; it needs no event loop, only somebody who keeps or breaks promises.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Generic, TypeAlias, TypeVar

from ggtp.errors import CommandError, RuleFailed

T = TypeVar("T")

Conversation: TypeAlias = Generator["Promise[Any]", None, T]
"""Yields the promises that it waits for, and returns a T. Nobody looks into these promises but who waits for them."""


class Withdrawn(CommandError):
    """What was waited for is not wanted any more."""


class Promise(Generic[T]):
    """A T that will come, or an error."""

    __slots__ = ("_error", "_task", "_values", "done")

    def __init__(self) -> None:
        self.done = False
        self._values: tuple[T, ...] = ()
        """The value, once there is one."""
        self._error: CommandError | None = None
        self._task: Task[Any] | None = None

    def keep(self, value: T) -> None:
        """Here is the value; whoever waits goes on. A second answer counts for nothing."""
        if not self.done:
            self.done, self._values = True, (value,)
            self._wake()

    def fail(self, error: CommandError) -> None:
        """There will be no value; whoever waits gets the error."""
        if not self.done:
            self.done, self._error = True, error
            self._wake()

    def _wake(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.advance()

    def __iter__(self) -> Conversation[T]:
        """Wait for the value, in a generator: `yield from promise`.

        Raises:
            CommandError: what broke the promise.
        """
        if not self.done:
            yield self
        if self._error is not None:
            raise self._error
        return self._values[0]

    def wake(self, task: Task[Any]) -> None:
        """Let `task` go on when the promise is kept or broken."""
        self._task = task


class Task(Generic[T]):
    """A conversation on its way. At its end one of two is called, once: with what it returns, or with its error."""

    __slots__ = ("_awaited", "_conversation", "_done", "_failed")

    def __init__(
        self,
        conversation: Conversation[T],
        done: Callable[[T], None],
        failed: Callable[[CommandError | RuleFailed], None],
    ) -> None:
        self._conversation = conversation
        self._done = done
        self._failed = failed
        self._awaited: Promise[Any] | None = None

    def advance(self) -> None:
        """Run up to the next promise that is not kept yet."""
        try:
            promise = next(self._conversation)
        except StopIteration as stop:
            self._done(stop.value)
        except (CommandError, RuleFailed) as error:
            self._failed(error)
        else:
            self._awaited = promise
            promise.wake(self)

    def interrupt(self) -> None:
        """Break the promise that is waited for; what comes of it later counts for nothing."""
        if self._awaited is not None:
            self._awaited.fail(CommandError("Interrupted."))
