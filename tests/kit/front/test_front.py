"""An engine with a front: an answer comes in time, whatever the engine does, and nothing is left of either."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ggtp.kit.front.front import Front
from ggtp.protocol.messages import Command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has fronts")

SECONDS = 60
"""Only for a test that fails; one that passes never waits so long."""
SCRIPT = """
    import os, signal, sys, time
    from ggtp.kit import Engine, run

    class Sample(Engine):
        name = "Sample"
        guarded = True
        spare = {spare}
        follows = {follows}

        def choose(self, game, budget):
            {choose}

        def follow(self, game):
            time.sleep(1000)

    sys.exit(run(Sample()))
"""
HANGS = "time.sleep(1000)"
SUGGESTS = "\n                ".join(
    [
        "",
        "game.suggest('C3')",
        "game.suggest('B2')",
        "while not budget.withdrawn:",
        "    time.sleep(0.01)",
        "return 'A1'",
    ]
)
ANSWERS = "return 'C1'"
READY = ("connect_engine", "set_option rule TicTacToe", "set_option player Cross", "start")
SQUARES = {column + row for column in "ABC" for row in "123"}

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture(name="start")
def make_start(tmp_path: Path) -> Iterator[Start]:
    """Starts an engine with a front; whatever the test did, none is left."""
    started = []

    def start(choose: str = HANGS, *args: str, follows: bool = False, spare: bool = True) -> subprocess.Popen[str]:
        path = tmp_path / "sample.py"
        path.write_text(textwrap.dedent(SCRIPT.format(choose=choose, follows=follows, spare=spare)))
        pipe = subprocess.PIPE
        process = subprocess.Popen([sys.executable, str(path), *args], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate(timeout=SECONDS)


def say(process: subprocess.Popen[str], *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()


def hear(process: subprocess.Popen[str], count: int = 1) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().rstrip("\n") for _ in range(count)]


def ready(process: subprocess.Popen[str]) -> None:
    say(process, *READY)
    assert hear(process, len(READY)) == ["acknowledge"] * len(READY)


def children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


class Nobody:
    """A rear and a channel that nothing is asked of."""

    handle = -1


@pytest.mark.parametrize(("late", "earlier"), [(0.0, 0.0), (0.02, 0.02), (7.0, 0.05)])
def test_what_a_request_waited_for_the_front_is_part_of_its_time(late: float, earlier: float) -> None:
    prompt, tardy = (Front(Nobody(), Nobody(), clock=lambda: 100.0) for _ in range(2))  # type: ignore[arg-type]
    for front, seconds in ((prompt, 0.0), (tardy, late)):
        front._asked(Command("have_to_play", ("50",)), seconds)
    assert prompt._due is not None
    assert tardy._due == pytest.approx(prompt._due - earlier)


class Stuck:
    """A rear that is heard, and whose words never come to an end; and a channel with one request."""

    def __init__(self) -> None:
        self.handle, self._write = os.pipe()
        os.write(self._write, b"!")
        self._requests = [b"have_to_play 50"]
        self.sent: list[bytes] = []
        self.answered, self.over = threading.Event(), threading.Event()

    def read(self) -> None:
        self.over.wait(SECONDS)

    def rehearse(self, request: int) -> None:
        """Nothing is learned from it."""

    def best(self, request: int) -> str:
        return f"move {request}"

    def tell(self, line: bytes, command: Command | None, request: int) -> None:
        """Nobody hears it."""

    def hang_up(self) -> None:
        os.close(self._write)

    def end(self) -> int:
        return 7

    def receive(self) -> bytes | None:
        if self._requests:
            return self._requests.pop()
        self.answered.wait(SECONDS)
        return None

    def send(self, line: bytes) -> None:
        self.sent.append(line)

    def flush(self) -> None:
        self.answered.set()

    def close(self) -> None:
        """There is nothing to close."""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="with one processor there is one thread that watches")
def test_a_thread_that_stands_still_does_not_hold_up_the_other() -> None:
    stuck = Stuck()
    front = Front(stuck, stuck)  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as pool:  # the thread that serves is not as others are
        assert pool.submit(front.serve).result(SECONDS) == 7
    stuck.over.set()
    assert stuck.sent == [b"select_move move 1"]


@pytest.mark.process
def test_an_engine_that_hangs_moves_in_time_again_and_again(start: Start) -> None:
    process = start(HANGS)
    ready(process)
    free = set(SQUARES)
    for _ in range(3):
        say(process, "have_to_play 100")
        (answer,) = hear(process)
        word, move = answer.split()
        assert word == "select_move"
        assert move in free
        reply = min(free - {move})
        free -= {move, reply}
        say(process, f"made_move Cross {move}", f"made_move Circle {reply}")
        assert hear(process, 2) == ["acknowledge"] * 2


@pytest.mark.process
def test_the_best_so_far_is_sent(start: Start) -> None:
    process = start(SUGGESTS)
    ready(process)
    for limit in (200, 1000, 5000, 30000):  # on a busy machine it may take a while until it has begun to think
        say(process, f"have_to_play {limit}")
        (answer,) = hear(process)
        if answer == "select_move B2":
            return
        say(process, "undone_move")
        assert hear(process) == ["acknowledge"]
    pytest.fail("what was suggested was not sent")


@pytest.mark.process
def test_who_answers_in_time_is_heard_once(start: Start) -> None:
    process = start(ANSWERS)
    ready(process)
    say(process, "have_to_play 100000", "get_option player", "have_to_play")
    assert sorted(hear(process, 3)) == ["reply Cross", "select_move C1", "select_move C1"]


@pytest.mark.process
def test_without_a_limit_nobody_answers_for_it(start: Start) -> None:
    process = start(HANGS)
    ready(process)
    say(process, "have_to_play", "get_table 0", "undone_move")
    assert [line.split()[0] for line in hear(process, 2)] == ["reply", "acknowledge"]


@pytest.mark.process
def test_what_the_engine_has_not_come_to_is_acknowledged_first(start: Start) -> None:
    """It is stuck while it is told a move: the spare process knows what can be played then."""
    process = start(HANGS, follows=True)
    ready(process)
    say(process, "made_move Cross A1", "made_move Circle B2", "have_to_play 300")
    *acknowledged, answer = hear(process, 3)
    assert acknowledged == ["acknowledge"] * 2
    assert answer.split()[0] == "select_move"
    assert answer.split()[1] in SQUARES


@pytest.mark.process
def test_both_end_with_the_referee(start: Start) -> None:
    process = start(HANGS)
    ready(process)
    assert len(children(process.pid)) == 2, "the engine and the spare process"
    say(process, "have_to_play 100000", "disconnect_engine")
    assert hear(process) == ["acknowledge"]
    assert process.wait(SECONDS) == 0
    process = start(HANGS)
    ready(process)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(SECONDS) == 0
    process.stdin = None


@pytest.mark.process
def test_the_engine_ends_with_its_front(start: Start) -> None:
    process = start(HANGS)
    ready(process)
    left = [os.pidfd_open(pid) for pid in children(process.pid)]
    process.kill()
    process.wait(SECONDS)
    for handle in left:
        assert select.select([handle], [], [], SECONDS)[0], "it has not ended"
        os.close(handle)


@pytest.mark.process
@pytest.mark.parametrize(
    ("choose", "status"),
    [
        ("os._exit(3)", 3),
        ("os.kill(os.getpid(), signal.SIGSEGV); time.sleep(9)", -signal.SIGSEGV),
        ("raise RuntimeError('no')", 1),
    ],
)
def test_the_front_ends_as_its_engine_does(start: Start, choose: str, status: int) -> None:
    process = start(choose)
    ready(process)
    say(process, "have_to_play 100000")
    assert process.wait(SECONDS) == status


@pytest.mark.process
def test_a_wrong_command_line(start: Start) -> None:
    process = start(HANGS, "--rule", "Tictac")
    assert process.wait(SECONDS) == 2
    assert process.stderr is not None
    assert process.stderr.read().startswith("Sample: No rule named Tictac.")
    assert start(HANGS, "nowhere").wait(SECONDS) == 1


@pytest.mark.process
def test_all_that_is_said_can_be_logged(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = start(SUGGESTS, "--log", str(log))
    ready(process)
    say(process, "have_to_play 100")
    (answer,) = hear(process)
    say(process, "disconnect_engine")
    assert process.wait(SECONDS) == 0
    assert f"< {answer}\n" in log.read_text()


@pytest.mark.process
def test_without_a_spare_process_a_game_with_secrets_is_answered_in_time(start: Start) -> None:
    process = start(HANGS, "-", "--rule", "PhantomTicTacToe", "--player", "Cross", spare=False)
    say(process, "connect_engine", "start", "have_to_play 200")
    assert hear(process, 2) == ["acknowledge"] * 2
    assert hear(process)[0].removeprefix("select_move ") in SQUARES
    assert len(children(process.pid)) == 1
    say(process, "disconnect_engine")
    assert hear(process) == ["acknowledge"]
    assert process.wait(SECONDS) == 0
