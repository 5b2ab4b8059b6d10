"""What a reader does with a text is told as an outcome, and its time and memory are bounded."""

from __future__ import annotations

import pytest

from ggtp.bench.attack.fuzz.trial import Budget, Outcome, Wrong, attempt
from ggtp.errors import CommandError, RuleFailed


def raising(error: BaseException) -> Outcome:
    def read(_text: str, _budget: Budget) -> str:
        raise error

    return attempt(read, "text", 5)


def failed(cause: BaseException | None) -> RuleFailed:
    error = RuleFailed("fuzz", "play", "", "why")
    error.__cause__ = cause
    return error


def test_what_is_read_and_what_is_refused_is_right() -> None:
    assert attempt(lambda text, _: text.upper(), "abc", 5) == Outcome("done ABC")
    assert raising(CommandError("no")).kind is None
    assert raising(failed(CommandError("no"))).kind is None
    assert raising(failed(None)).kind is None


def test_other_errors_are_found() -> None:
    outcome = raising(IndexError("list index out of range"))
    assert outcome.kind == "tracebacks"
    assert outcome.what.startswith("IndexError: list index out of range at ")
    assert raising(failed(IndexError("x"))).kind == "tracebacks"
    assert raising(RecursionError("x")).kind == "tracebacks"
    assert raising(MemoryError()).kind == "leaked"
    assert raising(Wrong("doubled", "twice")) == Outcome("wrong doubled", "doubled", "twice")


def endless(_text: str, _budget: Budget) -> str:
    while True:
        pass


@pytest.mark.slow
def test_what_takes_too_long_is_found() -> None:
    assert attempt(endless, "", 0.1).kind == "hung"


@pytest.mark.slow
def test_what_may_compute_is_given_up() -> None:
    def computing(text: str, budget: Budget) -> str:
        with budget.computing():
            return endless(text, budget)

    outcome = attempt(computing, "", 0.1)
    assert (outcome.kind, "computes for long" in outcome.shown) == (None, True)
