"""Conversations of several rounds: promises that are kept, broken, or kept too late."""

from __future__ import annotations

import pytest

from ggtp.errors import CommandError, GgtpError
from ggtp.protocol.waiting import Conversation, Promise, Task


class Finish:
    """Remembers how a task ended."""

    def __init__(self) -> None:
        self.calls: list[str | GgtpError] = []

    def task(self, conversation: Conversation[str]) -> Task[str]:
        return Task(conversation, self.calls.append, self.calls.append)


def collect(*promises: Promise[int]) -> Conversation[str]:
    values = []
    for promise in promises:
        values.append((yield from promise))
    return " ".join(map(str, values))


def test_a_task_waits_for_one_promise_after_the_other() -> None:
    one, two, done = Promise[int](), Promise[int](), Finish()
    done.task(collect(one, two)).advance()
    one.keep(1)
    assert not done.calls
    two.keep(2)
    assert done.calls == ["1 2"]


def test_promises_that_are_kept_already_are_not_waited_for() -> None:
    one, two, done = Promise[int](), Promise[int](), Finish()
    two.keep(2)
    done.task(collect(one, two)).advance()
    one.keep(1)
    assert done.calls == ["1 2"]


def test_a_broken_promise_is_raised_where_it_is_waited_for() -> None:
    one, done = Promise[int](), Finish()
    caught = []

    def careful() -> Conversation[str]:
        try:
            yield from one
        except CommandError as error:
            caught.append(str(error))
        return "all the same"

    done.task(careful()).advance()
    one.fail(CommandError("no"))
    assert (caught, done.calls) == (["no"], ["all the same"])


def test_an_error_ends_the_task() -> None:
    one, two, done = Promise[int](), Promise[int](), Finish()
    error = CommandError("no")
    done.task(collect(one, two)).advance()
    one.fail(error)
    assert done.calls == [error]


def test_what_comes_second_counts_for_nothing() -> None:
    one, done = Promise[int](), Finish()
    done.task(collect(one)).advance()
    one.keep(1)
    one.keep(2)
    one.fail(CommandError("third"))
    assert done.calls == ["1"]


def test_an_interrupt_breaks_what_is_waited_for() -> None:
    one, two, done = Promise[int](), Promise[int](), Finish()
    task = done.task(collect(one, two))
    task.advance()
    one.keep(1)
    task.interrupt()
    two.keep(2)
    assert list(map(str, done.calls)) == ["Interrupted."]


def test_a_conversation_without_rounds() -> None:
    done = Finish()
    done.task(collect()).advance()
    assert done.calls == [""]


def test_a_long_row_of_kept_promises_does_not_exhaust_the_stack() -> None:
    promises = [Promise[int]() for _ in range(5000)]
    for promise in promises:
        promise.keep(1)
    done = Finish()
    done.task(collect(*promises)).advance()
    assert len(done.calls) == 1


def test_other_exceptions_are_let_out() -> None:
    promise, done = Promise[None](), Finish()

    def waits() -> Conversation[str]:
        yield from promise
        raise ZeroDivisionError

    done.task(waits()).advance()
    with pytest.raises(ZeroDivisionError):
        promise.keep(None)
    assert not done.calls
