"""Conversations of several rounds, written as generators that wait for promises.

`answer = yield from promise` waits until the promise is kept and gives its value, or raises what broke it. A `Task`
steps such a generator; it needs no event loop, only somebody who keeps or breaks promises.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Generic, Protocol, TypeAlias, TypeVar

from ggtp.errors import CommandError, GgtpError

T = TypeVar("T")


class Awaited(Protocol):
    """A promise of whatever type, as it looks to whoever steps a conversation that waits for it."""

    def wake(self, go_on: Callable[[], None]) -> None:
        """Have `go_on` called when the promise is kept or broken."""

    def fail(self, error: GgtpError) -> None:
        """Break the promise, unless it is kept."""


Conversation: TypeAlias = Generator[Awaited, None, T]
"""Yields the promises that it waits for, and returns a T. Only the conversation itself reads their values."""


class Withdrawn(CommandError):
    """What was waited for is not wanted any more."""


class Promise(Generic[T]):
    """A T that will come, or an error."""

    __slots__ = ("_error", "_go_on", "_values", "done")

    def __init__(self) -> None:
        self.done = False
        self._values: tuple[T, ...] = ()
        """The value, once there is one."""
        self._error: GgtpError | None = None
        self._go_on: Callable[[], None] | None = None

    def keep(self, value: T) -> None:
        """Here is the value; whoever waits goes on. A second answer counts for nothing."""
        if not self.done:
            self.done, self._values = True, (value,)
            self._wake()

    def fail(self, error: GgtpError) -> None:
        """There will be no value; whoever waits gets the error."""
        if not self.done:
            self.done, self._error = True, error
            self._wake()

    def wake(self, go_on: Callable[[], None]) -> None:
        """Have `go_on` called when the promise is kept or broken."""
        self._go_on = go_on

    def _wake(self) -> None:
        go_on, self._go_on = self._go_on, None
        if go_on is not None:
            go_on()

    def __iter__(self) -> Generator[Awaited, None, T]:
        """Wait for the value, in a generator: `yield from promise`.

        Raises:
            GgtpError: what broke the promise.
        """
        if not self.done:
            yield self
        if self._error is not None:
            raise self._error
        return self._values[0]


class Task(Generic[T]):
    """A conversation on its way. At its end one of two is called, once: with what it returns, or with its error."""

    __slots__ = ("_awaited", "_conversation", "_done", "_failed")

    def __init__(
        self, conversation: Conversation[T], done: Callable[[T], None], failed: Callable[[GgtpError], None]
    ) -> None:
        self._conversation = conversation
        self._done = done
        self._failed = failed
        self._awaited: Awaited | None = None

    def advance(self) -> None:
        """Run up to the next promise that is not kept yet."""
        try:
            promise = next(self._conversation)
        except StopIteration as stop:
            self._done(stop.value)
        except GgtpError as error:
            self._failed(error)
        else:
            self._awaited = promise
            promise.wake(self.advance)

    def interrupt(self) -> None:
        """Break the promise that is waited for; what comes of it later counts for nothing."""
        if self._awaited is not None:
            self._awaited.fail(CommandError("Interrupted."))
