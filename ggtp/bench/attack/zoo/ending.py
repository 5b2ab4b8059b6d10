"""Ways to end, and not to."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine


def exit0(_engine: EvilEngine, _answer: str) -> None:
    """End with status 0."""
    os._exit(0)


def exit1(_engine: EvilEngine, _answer: str) -> None:
    """End with status 1 and words."""
    os.write(2, b"bad_engine: the table of \x1b[1mopenings\x1b[0m is broken\nbad_engine: giving up\n")
    os._exit(1)


def crash(_engine: EvilEngine, _answer: str) -> None:
    """End by SIGSEGV."""
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def aborts(_engine: EvilEngine, _answer: str) -> None:
    """End by SIGABRT, as a failed assertion does."""
    os.write(2, b"evil: evil.c:58: search: Assertion `depth > 0' failed.\n")
    os.abort()


def kills_itself(_engine: EvilEngine, _answer: str) -> None:
    """End by SIGKILL."""
    os.kill(os.getpid(), signal.SIGKILL)


def answers_and_exits(engine: EvilEngine, answer: str) -> None:
    """Answer, and end before anything else comes."""
    engine.send(answer)
    os._exit(0)


def stops_itself(engine: EvilEngine, _answer: str) -> None:
    """Stop, as by Ctrl-Z."""
    os.kill(os.getpid(), signal.SIGSTOP)
    engine.rest()


def hang(engine: EvilEngine, _answer: str) -> None:
    """Do nothing."""
    engine.rest()


def deaf(engine: EvilEngine, answer: str) -> None:
    """Answer once more."""
    engine.send(answer)
    engine.rest()


def ignores_term(engine: EvilEngine, _answer: str) -> None:
    """Stay, whatever is said or signalled."""
    engine.rest()
