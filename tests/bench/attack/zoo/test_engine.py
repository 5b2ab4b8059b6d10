"""The program, with the standard streams as its wire."""

from __future__ import annotations

import sys

import pytest

from ggtp.bench.attack.zoo import engine
from ggtp.processes.dialogue import Dialogue


def talk(*words: str) -> Dialogue:
    return Dialogue([sys.executable, "-S", engine.__file__, "-", *words], env={})


@pytest.mark.process
def test_a_good_engine_answers_and_goes_when_it_is_told() -> None:
    program = talk()
    for line, answer in ((b"connect_engine", b"acknowledge"), (b"have_to_play", b"select_move A1")):
        program.tell(line)
        assert program.hear(60) == answer + b"\n"
    program.tell(b"disconnect_engine")
    assert program.hear(60) == b"acknowledge\n"
    assert program.end(60) == 0


@pytest.mark.process
def test_a_way_happens_at_its_moment_or_at_another() -> None:
    program = talk("--fault", "illegal", "--say", "Z9")
    program.tell(b"have_to_play")
    assert program.hear(60) == b"select_move Z9\n"
    program.end(60)
    program = talk("--fault", "exit1-at-start", "--at", "connect_engine")
    program.tell(b"connect_engine")
    assert program.hear(60) == b""
    assert program.end(60) == 1
