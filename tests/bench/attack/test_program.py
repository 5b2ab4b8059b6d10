"""A program at the other end of pipes: what it says, how it ends, and what it leaves."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.program import Ended, Folders, Hung, Program
from ggtp.bench.attack.traces import Traces

pytestmark = pytest.mark.process


@pytest.fixture(name="program")
def make_program(site: Site) -> Iterator[Program]:
    program = Program(Folders(site.folder), Traces(), site.variables)
    yield program
    program.end()


def test_it_answers_and_quits(program: Program) -> None:
    assert program.say("set_rule TicTacToe").done
    assert not program.say("play Cross A1").done
    program.tell("start", "play Cross A1", "list_played_moves")
    assert [program.answer().done for _ in range(3)] == [True, True, True]
    assert program.heard[-1] == "= Cross A1"
    assert program.descriptors() > 3
    assert set(program.traces.processes()) == {program.pid}
    program.tell("quit")
    assert program.wait() == 1, "a command was refused"
    assert program.errors == ""
    assert program.traces.processes() == {}


def test_a_killed_program_is_noticed(program: Program) -> None:
    program.say("get_version")
    program.signal(signal.SIGKILL)
    with pytest.raises(Ended, match="status -9 after 'get_version'"):
        program.say("get_version")


def test_a_silent_program_is_noticed(program: Program) -> None:
    program.say("get_version")
    program.signal(signal.SIGSTOP)
    with pytest.raises(Hung, match="no answer to 'get_version' in time"):
        program.say("get_version", 0.1)
    with pytest.raises(Hung, match="it did not read"):
        program.tell("#" * (1 << 20), seconds=0.1)
