"""Bridges: the program's options become ours, its faults last words, and time is handed on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.programs import fake_program, living

from ggtp.errors import EngineError, EngineTimedOut
from ggtp.game import Move, Option, number, switch
from ggtp.kit import Budget, Game
from ggtp.kit.bridge import bridge
from ggtp.kit.bridge.bridge import PRESS, Bridge, Clock, Setting, public_name, run_bridge
from ggtp.kit.settings import Settings

SECONDS = 60

FAKE = """
    import sys
    print("ready", flush=True)
    for line in sys.stdin:
        word = line.strip()
        if word == "quit":
            break
        if word == "stop":
            print("move", "B2", flush=True)
        elif word == "think":
            print("thinking", flush=True)
        elif word == "go":
            print("move", "A1", flush=True)
"""

OFFERED = (
    Setting("Skill Level", number("Skill_Level", 20, 0, 20, "")),
    Setting("Threads", number("Threads", 1, 1, 8, "")),
    Setting("Use Book", switch("Use_Book", False, ""), {"on": "true", "off": "false"}),
    Setting("Clear Hash", Option("Clear_Hash", "", choices=(PRESS,))),
    Setting("Memory", number("Memory", 5, 1, 8, "")),
    Setting("skill level", number("Skill_Level", 1, 0, 2, "")),
    Setting("", Option("", "")),
)


class Sample(Bridge):
    """A bridge to the fake."""

    kind = "sample"
    question = "go"

    def greet(self) -> Iterable[Setting]:
        self.program.expect("ready", SECONDS)
        return OFFERED

    def choose(self, game: Game, budget: Budget) -> Move:
        self.program.send(self.question)
        return self.await_answer(budget, "move", stop=("stop",)).partition(" ")[2]


@pytest.fixture(name="sample")
def make_sample(tmp_path: Path) -> Iterator[Sample]:
    made = Sample([fake_program(tmp_path / "fake", FAKE)])
    made.open()
    yield made
    made.close()
    assert not made.program.running


def values(sample: Sample, **changes: str) -> dict[str, str]:
    return Settings(sample.options).values | changes


@pytest.mark.process
def test_options_of_the_program_are_ours_in_one_word_each(sample: Sample) -> None:
    names = [option.name for option in sample.options]
    assert names == ["Skill_Level", "Use_Book", "Clear_Hash", "Memory_", "move_time", "time_control"]
    assert sample.name == "sample:fake"


@pytest.mark.process
def test_the_program_is_told_what_has_changed_and_once(sample: Sample) -> None:
    assert sample.unsent(values(sample)) == []
    changed = values(sample, Skill_Level="3", Use_Book="on", threads="64", memory="7", Memory_="6")
    assert sample.unsent(changed) == [("Skill Level", "3"), ("Threads", "8"), ("Use Book", "true"), ("Memory", "6")]
    assert sample.unsent(changed) == []
    assert sample.unsent(values(sample, Use_Book="on")) == [("Skill Level", "20"), ("Threads", "1"), ("Memory", "5")]


@pytest.mark.process
def test_a_button_is_pressed_as_often_as_it_was_set(sample: Sample) -> None:
    sample.changed("Clear_Hash", PRESS)
    sample.changed("Skill_Level", "3")
    assert sample.unsent(values(sample)) == [("Clear Hash", None)]
    assert sample.unsent(values(sample)) == []


@pytest.mark.parametrize(("name", "word"), [("Skill Level", "Skill_Level"), ('a="b", c', "a_b_c"), (" \x07 ", "")])
def test_names_fit_into_a_command(name: str, word: str) -> None:
    assert public_name(name) == word


def budget(seconds: float | None) -> Budget:
    return Budget(seconds, lambda: 0.0)


@pytest.mark.process
@pytest.mark.parametrize(
    ("seconds", "control", "clock"),
    [
        (None, "", Clock(1.0)),
        (5.0, "", Clock(4.99)),
        (0.0, "", Clock(0.001)),
        (5.0, "move=5000, bank=0, increment=0", Clock(4.99)),
        (30.0, "move=0, bank=60000, increment=500", Clock(29.99, bank=True, increment=0.5)),
        (5.0, "move=5000, bank=60000", Clock(4.99)),
        (2.0, "move=5000, bank=60000", Clock(1.99, bank=True)),
        (2.0, "bank=much", Clock(1.99)),
    ],
)
def test_what_the_program_is_told_of_time(sample: Sample, seconds: float | None, control: str, clock: Clock) -> None:
    assert sample.clock(values(sample, time_control=control), budget(seconds)) == clock


@pytest.mark.process
def test_an_answer_comes_by_itself_or_when_time_is_over(sample: Sample) -> None:
    sample.program.send("go")
    assert sample.await_answer(Budget(SECONDS), "move", stop=("stop",)) == "move A1"
    sample.program.send("think")
    heard: list[str] = []
    assert sample.await_answer(Budget(0.05), "move", stop=("stop",), heard=heard.append) == "move B2"
    assert heard in (["thinking"], [])


@pytest.mark.process
def test_a_program_that_does_not_stop_is_a_fault(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "STOP_SECONDS", 0.05)
    with pytest.raises(EngineTimedOut, match="fake has not answered with move within"):
        sample.await_answer(Budget(0.0), "move", stop=("think",))


@pytest.mark.process
def test_nothing_is_left_of_a_program_that_does_not_greet(tmp_path: Path) -> None:
    sample = Sample([fake_program(tmp_path / "fake", "print('go away')")])
    with pytest.raises(EngineError, match="fake has ended with exit status 0"):
        sample.open()
    assert not sample.program.running


def test_a_command_line_without_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_bridge(Sample, ["-"]) == 2
    assert "name the program behind --" in capsys.readouterr().err


MAIN = """
    import sys
    from ggtp.kit import Budget
    from ggtp.kit.bridge.bridge import Bridge, run_bridge

    class Sample(Bridge):
        kind = "sample"

        def greet(self):
            self.program.expect("ready", 30)
            return ()

        def choose(self, game, budget):
            self.program.send("go")
            return self.await_answer(budget, "move").partition(" ")[2]

    sys.exit(run_bridge(Sample))
"""
TALK = "connect_engine\nset_option rule TicTacToe\nstart\nhave_to_play\n"


def run_main(tmp_path: Path, code: str, said: str = TALK) -> subprocess.CompletedProcess[str]:
    main = fake_program(tmp_path / "main.py", MAIN)
    argv = [sys.executable, main, "-", "--", fake_program(tmp_path / "fake", code)]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with suppress(OSError):
            process.stdin.write(said)
            process.stdin.flush()
        # Its input stays open: it ends by itself, and not because nobody is there any more.
        process.wait(SECONDS)
        return subprocess.CompletedProcess(argv, process.returncode, process.stdout.read(), process.stderr.read())


@pytest.mark.process
def test_a_bridge_is_an_engine_program(tmp_path: Path) -> None:
    done = run_main(tmp_path, FAKE, "connect_engine\nlist_options\ndisconnect_engine\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1].startswith("reply move_time, time_control, rule")


@pytest.mark.process
def test_a_program_that_ends_is_the_bridges_last_words(tmp_path: Path) -> None:
    code = "import sys\nprint('ready', flush=True)\ninput()\nsys.exit('out of ideas')"
    done = run_main(tmp_path, code)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "sample:fake: fake has ended with exit status 1. Its last words: out of ideas"
    )
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_a_program_that_is_none_is_refused_before_we_connect(tmp_path: Path) -> None:
    done = run_main(tmp_path, "import sys; sys.exit('wrong number')")
    assert (done.returncode, done.stdout) == (1, "")
    assert "fake has ended with exit status 1. Its last words: wrong number" in done.stderr


@pytest.mark.process
def test_a_program_does_not_outlive_a_bridge_that_is_killed(tmp_path: Path) -> None:
    main = fake_program(tmp_path / "main.py", MAIN)
    deaf = "import os, threading\nprint('ready', flush=True)\nopen('pid', 'w').write(str(os.getpid()))\n"
    program = fake_program(tmp_path / "fake", f"{deaf}threading.Event().wait()")
    # As another referee than ours would start it.
    variables = {name: value for name, value in os.environ.items() if name != "GGTP_ENGINE"}
    argv, pipe = [sys.executable, main, "-", "--", program], subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, text=True, cwd=tmp_path, env=variables) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("connect_engine\n")
        process.stdin.flush()
        assert process.stdout.readline() == "acknowledge\n"
        until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
        process.kill()
    until(lambda: not living(int((tmp_path / "pid").read_text())))


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
