"""Conversations of several rounds: promises that are kept, broken, or kept too late."""

from __future__ import annotations

import pytest

from ggtp.errors import CommandError
from ggtp.referee.waiting import Conversation, Promise, Task


class Finish:
    """Remembers how a task ended."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, CommandError | None]] = []

    def __call__(self, answer: str, error: CommandError | None) -> None:
        self.calls.append((answer, error))


def collect(*promises: Promise) -> Conversation:
    values = []
    for promise in promises:
        values.append(str((yield promise)))
    return " ".join(values)


def test_a_task_waits_for_one_promise_after_the_other() -> None:
    one, two, done = Promise(), Promise(), Finish()
    Task(collect(one, two), done).begin()
    one.keep(1)
    assert not done.calls
    two.keep(2)
    assert done.calls == [("1 2", None)]


def test_promises_that_are_kept_already_are_not_waited_for() -> None:
    one, two, done = Promise(), Promise(), Finish()
    two.keep(2)
    Task(collect(one, two), done).begin()
    one.keep(1)
    assert done.calls == [("1 2", None)]


def test_a_broken_promise_is_raised_where_it_is_waited_for() -> None:
    one, done = Promise(), Finish()
    caught = []

    def careful() -> Conversation:
        try:
            yield one
        except CommandError as error:
            caught.append(str(error))
        return "all the same"

    Task(careful(), done).begin()
    one.fail(CommandError("no"))
    assert (caught, done.calls) == (["no"], [("all the same", None)])


def test_an_error_ends_the_task() -> None:
    one, two, done = Promise(), Promise(), Finish()
    error = CommandError("no")
    Task(collect(one, two), done).begin()
    one.fail(error)
    assert done.calls == [("", error)]


def test_what_comes_second_counts_for_nothing() -> None:
    one, done = Promise(), Finish()
    Task(collect(one), done).begin()
    one.keep("first")
    one.keep("second")
    one.fail(CommandError("third"))
    assert done.calls == [("first", None)]


def test_an_interrupt_breaks_what_is_waited_for() -> None:
    one, two, done = Promise(), Promise(), Finish()
    task = Task(collect(one, two), done)
    task.begin()
    one.keep(1)
    task.interrupt()
    two.keep(2)
    assert [str(error) for _, error in done.calls] == ["Interrupted."]


def test_a_conversation_without_rounds() -> None:
    done = Finish()
    Task(collect(), done).begin()
    assert done.calls == [("", None)]


def test_a_long_row_of_kept_promises_does_not_exhaust_the_stack() -> None:
    promises = [Promise() for _ in range(5000)]
    for promise in promises:
        promise.keep("x")
    done = Finish()
    Task(collect(*promises), done).begin()
    assert len(done.calls) == 1


def test_other_exceptions_are_let_out() -> None:
    promise, done = Promise(), Finish()

    def waits() -> Conversation:
        yield promise
        raise ZeroDivisionError

    Task(waits(), done).begin()
    with pytest.raises(ZeroDivisionError):
        promise.keep(None)
    assert not done.calls
