"""An engine as a process: its command line, its end, and what it leaves behind (nothing)."""

import os
import signal
import socket
import subprocess
import sys
import textwrap

import pytest

from ggtp.catalogue import Catalogue
from ggtp.kit.engine import Engine
from ggtp.kit.front.shared_move import Slate
from ggtp.kit.program import Program
from ggtp.kit.session import Session
from ggtp.transport.client import Channel

SECONDS = 60
"""Only for a test that fails; one that passes never waits so long."""

SCRIPT = """
    import sys
    from ggtp.kit import Engine, run

    class Sample(Engine):
        name = "Sample"
        version = "1.2"
        instant = {instant}

        def choose(self, game, budget):
            {choose}

    sys.exit(run(Sample()))
"""
FIRST = "return game.moves()[0]"
CRASH = "raise RuntimeError('out of ideas')"
FOREVER = "\n                ".join(["", "while not budget.should_stop():", "    pass", "return 'A1'"])
DEAF = "\n                ".join(["", "while True:", "    pass"])


@pytest.fixture(name="program")
def make_program(tmp_path):
    """Writes an engine program; gives its command line."""

    def write(choose=FIRST, instant=False):
        path = tmp_path / "sample.py"
        path.write_text(textwrap.dedent(SCRIPT.format(choose=choose, instant=instant)))
        return [sys.executable, str(path)]

    return write


def run(argv, lines=""):
    return subprocess.run(argv, input=lines, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.fixture(name="start")
def make_start():
    """Starts an engine on pipes; whatever the test did, none is left."""
    started = []

    def start(argv):
        process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate(timeout=SECONDS)


def say(process, *lines):
    """Say lines that are answered at once, and give the answers."""
    answers = []
    for line in lines:
        process.stdin.write(line + "\n")
        process.stdin.flush()
        answers.append(process.stdout.readline().rstrip("\n"))
    return answers


READY = ("connect_engine", "set_option rule TicTacToe", "start")


@pytest.mark.process
def test_version_and_help(program):
    assert run([*program(), "--version"]).stdout == "Sample 1.2\n"
    done = run([*program(), "--help"])
    assert done.returncode == 0
    for word in ("endpoint", "--rule", "--player", "--log", "--version"):
        assert word in done.stdout


@pytest.mark.process
def test_a_wrong_command_line(program):
    assert run([*program(), "--depth", "3"]).returncode == 2
    done = run([*program(), "--rule", "Tictac"])
    assert done.returncode == 2
    assert done.stderr.startswith("Sample: No rule named Tictac.")
    assert run([*program(), "--rule", "TicTacToe", "--player", "Square"]).returncode == 2
    assert run([*program(), "nowhere"]).returncode == 1
    assert run([*program(), "--log", "/nowhere/at/all"]).returncode == 2


@pytest.mark.process
def test_nobody_at_the_address(program):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound and not listening: connecting is refused
        done = run([*program(), f"127.0.0.1:{unused.getsockname()[1]}"])
    assert done.returncode == 1
    assert done.stderr.startswith("Sample: no referee at")
    assert "Traceback" not in done.stderr


@pytest.mark.process
@pytest.mark.parametrize("instant", [False, True])
def test_a_referee_that_sets_no_options(program, instant):
    argv = [*program(instant=instant), "--rule", "Nim", "--rule-options", "heaps=2 3", "--player", "Right"]
    lines = "connect_engine\nget_option player\nstart\nget_table 0\nmade_move Left take 2 from A\ndisconnect_engine\n"
    done = run(argv, lines)
    assert done.stdout.splitlines() == [
        "acknowledge",
        "reply Right",
        "acknowledge",
        "reply 2 3 normal Left",
        "acknowledge",
        "acknowledge",
    ]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
@pytest.mark.parametrize("instant", [False, True])
def test_a_crash_is_reported_and_ends_the_process(program, start, instant):
    process = start(program(CRASH, instant))
    say(process, *READY)
    process.stdin.write("have_to_play\n")
    process.stdin.flush()
    assert process.wait(SECONDS) == 1
    assert "RuntimeError: out of ideas" in process.stderr.read()
    assert process.stdout.read() == ""


@pytest.mark.process
@pytest.mark.parametrize("choose", [FIRST, FOREVER, DEAF], ids=["idle", "thinking", "deaf"])
def test_it_ends_when_the_channel_closes(program, start, choose):
    process = start(program(choose))
    say(process, *READY)
    if choose != FIRST:
        process.stdin.write("have_to_play\n")
    assert say(process, "get_result 0") == ["reply none"]
    process.stdin.close()
    process.stdin = None
    assert process.wait(SECONDS) == 0


@pytest.mark.process
@pytest.mark.parametrize("choose", [FOREVER, DEAF], ids=["thinking", "deaf"])
def test_it_ends_after_goodbye_though_it_thinks(program, start, choose):
    process = start(program(choose))
    say(process, *READY)
    process.stdin.write("have_to_play\n")
    assert say(process, "disconnect_engine") == ["acknowledge"]
    assert process.wait(SECONDS) == 0


@pytest.mark.process
def test_an_interrupt_is_not_for_engines_and_termination_is(program, start):
    process = start(program(FOREVER))
    say(process, *READY)
    process.stdin.write("have_to_play\n")
    process.send_signal(signal.SIGINT)
    assert say(process, "get_result 0") == ["reply none"]
    process.terminate()
    assert process.wait(SECONDS) == -signal.SIGTERM


@pytest.mark.process
def test_what_is_printed_does_not_come_between(program):
    choose = "print('thinking'); return game.moves()[0]"
    lines = "\n".join([*READY, "have_to_play"])
    done = run(program(choose, instant=True), f"{lines}\ndisconnect_engine\n")
    assert done.stdout.splitlines() == ["acknowledge"] * 3 + ["select_move A1", "acknowledge"]
    assert done.stderr == "thinking\n"


@pytest.mark.process
def test_a_log_of_all_that_is_said(program, tmp_path):
    log = tmp_path / "log"
    run([*program(), "--log", str(log)], "connect_engine\nget_table 0\n")
    assert [line.split(maxsplit=1)[1] for line in log.read_text().splitlines()] == [
        "> connect_engine",
        "< acknowledge",
        "> get_table 0",
        "< invalid_table_number",
        "(end)",
    ]


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes a look every two seconds")
@pytest.mark.parametrize("choose", [FIRST, DEAF], ids=["idle", "deaf"])
def test_it_does_not_outlive_who_started_it(program, choose):
    """The channel stays open in our hands; only the parent of the engine dies."""
    to_engine, our_end = os.pipe()
    from_engine, engine_end = os.pipe()
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal, subprocess, sys; subprocess.Popen(sys.argv[1:]); signal.pause()",
            *program(choose),
        ],
        stdin=to_engine,
        stdout=engine_end,
    )
    os.close(to_engine)
    os.close(engine_end)
    with os.fdopen(our_end, "w", buffering=1) as said, os.fdopen(from_engine) as heard:
        for line in READY:
            said.write(line + "\n")
            assert heard.readline() == "acknowledge\n"
        said.write("have_to_play\n" if choose == DEAF else "")
        said.write("get_result 0\n")
        assert heard.readline() == "reply none\n"
        parent.kill()
        parent.wait(SECONDS)
        assert heard.read() == ""  # comes back when the last process that could write is gone


class Telling(Channel):
    """A referee who says some lines, and looks at the slate before each."""

    def __init__(self, slate, lines):
        self.seen, self._slate, self._lines = [], slate, list(lines)

    def receive(self, timeout=None):
        self.seen.append(self._slate.read(1))
        return self._lines.pop(0).encode() if self._lines else None

    def send(self, line):
        pass

    def flush(self):
        pass

    def close(self):
        pass


def test_what_is_noted_before_anything_was_searched_is_any_move() -> None:
    class Idle(Engine):
        name = "Idle"

        def choose(self, game, budget):
            raise AssertionError

    slate = Slate()
    channel = Telling(slate, [*READY, *["start"] * 40])
    find_rules = Catalogue.from_environment({}).find_rules
    Program(Session(Idle(), find_rules, lambda text: None), channel, print, slate=slate).serve()
    noted = {move for move in channel.seen if move is not None}
    assert noted <= {column + row for column in "ABC" for row in "123"}
    assert len(noted) > 3, "the first of all may be the worst"
