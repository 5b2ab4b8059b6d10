"""One text given to one reader, within a budget of processor time: what it has shown, or what went wrong."""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from ggtp.bench.attack.fuzz.corpus import skeleton
from ggtp.bench.attack.tally import Kind
from ggtp.errors import GgtpError, RuleFailed
from ggtp.game.guard import RuleInterrupted

FRAMES = 4
"""How many of the innermost frames of an error tell it from others."""


class Wrong(Exception):
    """A promise was broken."""

    def __init__(self, kind: Kind, what: str) -> None:
        super().__init__(what)
        self.kind: Kind = kind


class Exhausted(BaseException):
    """The budget is used up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a text."""

    shown: str
    """Equal where nothing new was seen."""
    kind: Kind | None = None
    """What went wrong, if anything did."""
    what: str = ""


class Budget:
    """Processor time, which a busy machine does not use up; what computes by right may use it up all the same."""

    def __init__(self) -> None:
        self._may_compute = False

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Around what may take long by right, since a person could interrupt it: it is given up, and nothing is wrong.

        A rule's own method is given up in the way in which a referee does it.
        """
        before, self._may_compute = self._may_compute, True
        try:
            yield
        except Exhausted:
            raise GivenUp("it computes for long") from None
        finally:
            self._may_compute = before

    @contextmanager
    def seconds(self, seconds: float) -> Iterator[None]:
        """Raise `Exhausted` after so much processor time."""

        def ring(_number: int, _frame: FrameType | None) -> None:
            raise Exhausted

        before = signal.signal(signal.SIGPROF, ring)
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)


class GivenUp(GgtpError):
    """What computes by right has used the budget up."""


def attempt(run: Callable[[str, Budget], str], text: str, seconds: float) -> Outcome:
    """Give a text to a reader.

    Args:
        run: reads it; returns in some words what it was, and raises `Wrong`, or a `GgtpError` where it refuses it.
        text: the text.
        seconds: of processor time.
    """
    budget = Budget()
    try:
        with budget.seconds(seconds):
            return Outcome(f"done {run(text, budget)}")
    except Wrong as wrong:
        return Outcome(f"wrong {wrong.kind}", wrong.kind, str(wrong))
    except GgtpError as error:
        bug = _bug(error)
        if bug is not None:
            return _bad(bug, "tracebacks", f"a rule failed by an error of ours: {_words(bug)}")
        return Outcome(f"{type(error).__name__} {skeleton(str(error), text)} {_places(error)}")
    except Exhausted as error:
        return _bad(error, "hung", f"it took more than {seconds:g} s of processor time")
    except MemoryError as error:
        error.__traceback__ = None
        gc.collect()
        return Outcome("out of memory", "leaked", "it took all the memory that there was")
    except (Exception, RuleInterrupted) as error:  # noqa: BLE001 - what it was is what is looked for
        return _bad(error, "tracebacks", _words(error))


def _bad(error: BaseException, kind: Kind, what: str) -> Outcome:
    return Outcome(f"{type(error).__name__} {_places(error)}", kind, f"{what} at {_places(error)}")


def _bug(error: GgtpError) -> BaseException | None:
    """The error that a rule in data has failed by, where it is no refusal."""
    cause = error.__cause__
    if not isinstance(error, RuleFailed) or cause is None or isinstance(cause, GgtpError | RuleInterrupted):
        return None
    return cause


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]


def _places(error: BaseException) -> str:
    """The innermost lines of code that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return " ".join(f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in frames)


def bound_depth() -> None:
    """Give the process the usual depth of calls, whatever its parent has set."""
    sys.setrecursionlimit(1000)
