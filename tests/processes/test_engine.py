"""Engine programs from start to end: what they leave behind, what they may use, and what we hear of it."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ggtp.processes import family
from ggtp.processes.engine import EngineProcess, Limits
from ggtp.transport import stdio

pytestmark = pytest.mark.process

QUICK = Limits(grace_seconds=0.05, stop_seconds=0.1)
FOREVER = "import time; print('up', flush=True); time.sleep(300)"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + FOREVER
TALK = """
import os
for _ in range(200):
    os.write(1, b'o' * 65536)
    os.write(2, b'e' * 65536)
os.write(2, b'\\nbye')
"""
BROOD = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.fork()                               # a child
if os.fork() == 0:
    os.setsid()                         # one in a session of its own
    if os.fork() == 0:                  # whose parent is dead
        time.sleep(300)
    os._exit(0)
if os.fork() == 0:                      # one without our environment
    os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)"], {})
print('up', flush=True)
time.sleep(300)
"""

STRAY = """
import os, resource, sys, time
LIMIT = resource.RLIMIT_RTTIME
while resource.getrlimit(LIMIT) == resource.prlimit(os.getppid(), LIMIT):
    time.sleep(0.001)                   # whoever is made before we are marked gets away
NEW = "import os, time; print('up', os.getpid(), flush=True); time.sleep(300)"
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:                  # in a session of its own, its parent dead, and nothing in its environment
        os.execve(sys.executable, [sys.executable, "-S", "-c", NEW], {})
    os._exit(0)
os.wait()
time.sleep(300)
"""


def start(ear: Any, program: str, limits: Limits = QUICK, **more: Any) -> EngineProcess:
    return EngineProcess.start(
        [sys.executable, "-S", "-c", program],
        env=os.environ,
        limits=limits,
        on_exit=ear.on_exit,
        on_limit=ear.on_limit,
        **more,
    )


async def until(condition: Callable[[], object], seconds: float = 10) -> None:
    """Wait for what nobody tells us of."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 (the kernel sets no event for what is looked at here)
            await asyncio.sleep(0.002)


@asynccontextmanager
async def running(ear: Any, program: str, limits: Limits = QUICK, **more: Any) -> AsyncIterator[EngineProcess]:
    process = start(ear, program, limits, **more)
    try:
        if "'up'" in program and "stdio_wire" not in more:
            await until(lambda: "up" in process.last_words())
        yield process
    finally:
        await process.stop()
        assert family.find(process._token) == set()
        assert not exists(process.pid), "not reaped"


def exists(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}")


@pytest.mark.parametrize(
    ("program", "status"),
    [("", 0), ("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 11)", -signal.SIGSEGV)],
)
def test_the_end_is_told_once(tools: Any, program: str, status: int) -> None:
    async def play() -> None:
        ear = tools.Ear()
        async with running(ear, program) as process:
            await ear.until(lambda: ear.exits)
            assert ear.exits == [status]
            assert process.status == status
        assert ear.exits == [status]

    asyncio.run(play())


def test_last_words(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        program = (
            "import sys; print('said'); sys.stderr.write('\\x1b[31mTraceback\\x1b[0m\\0\\nbad \\udcff\\n'); sys.exit(1)"
        )
        async with running(ear, program) as process:
            await ear.until(lambda: ear.exits)
            assert process.last_words().splitlines()[0] == "Traceback"
        assert process.last_words().startswith("Traceback\nbad"), "they are kept"
        async with running(ear, "print('only said')") as process:
            await ear.until(lambda: len(ear.exits) == 2)
            assert process.last_words() == "only said"

    asyncio.run(play())


def test_what_it_prints_never_stops_it(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        async with running(ear, TALK) as process:
            await ear.until(lambda: ear.exits)
            assert process.last_words().endswith("\nbye")
            assert len(process._err._bytes) <= 2 * QUICK.words_bytes

    asyncio.run(play())


def test_a_kind_end(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        limits = Limits(grace_seconds=10, stop_seconds=10)
        program = "import sys; print('up', file=sys.stderr, flush=True); sys.stdin.readline()"
        wire = await stdio.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        async with running(ear, program, limits, stdio_wire=wire) as process:
            await until(lambda: ear.ready and process.last_words() == "up")
            wire.send([b"disconnect_engine"])
        assert process.status == 0
        assert ear.exits == [], "who stops it knows that it ends"
        wire.close()

    asyncio.run(play())


@pytest.mark.parametrize(("program", "number"), [(FOREVER, signal.SIGTERM), (DEAF, signal.SIGKILL)])
def test_a_firm_end(tools: Any, program: str, number: int) -> None:
    async def play() -> None:
        ear = tools.Ear()
        async with running(ear, program) as process:
            begun = time.monotonic()
            await asyncio.gather(process.stop(), process.stop())
            assert time.monotonic() - begun < 5
            assert process.status == -number
            await process.stop()
            process.kill_now()
        assert ear.calls == []

    asyncio.run(play())


def test_an_unkind_end(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        async with running(ear, FOREVER, Limits(grace_seconds=100, stop_seconds=100)) as process:
            await process.stop(kindly=False)
            assert process.status == -signal.SIGKILL

    asyncio.run(play())


@pytest.mark.parametrize("how", ["stop", "kill_now", "cancel", "exit"])
def test_the_whole_family_goes(tools: Any, how: str) -> None:
    async def play() -> None:
        ear = tools.Ear()
        async with running(ear, BROOD) as process:
            await until(lambda: len(family.find(process._token, (process.pid,))) >= 5)
            pids = family.find(process._token, (process.pid,))
            if how == "kill_now":
                process.kill_now()
            elif how == "cancel":
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(process.stop(), 0.01)
            elif how == "exit":
                os.kill(process.pid, signal.SIGKILL)
                await ear.until(lambda: ear.exits)
                await process.stop()
            else:
                await process.stop()
            await until(lambda: not any(family._is_alive(str(pid)) for pid in pids), 2)

    asyncio.run(play())


@pytest.mark.skipif(sys.platform != "linux", reason="processes are marked on Linux only")
@pytest.mark.parametrize("how", ["stop", "unkindly", "kill_now", "exit"])
def test_a_process_that_has_given_up_everything_goes_too(tools: Any, how: str) -> None:
    async def play() -> None:
        ear = tools.Ear()
        async with running(ear, STRAY) as process, running(ear, FOREVER) as other:
            stray = int(process.last_words().split()[-1])
            assert stray not in family.find(process._token, (process.pid,)), "by the other signs it is nobody's"
            assert {stray, process.pid} <= family.find(process._token, (process.pid,), process._marks)
            if how == "kill_now":
                process.kill_now()
            elif how == "exit":
                os.kill(process.pid, signal.SIGKILL)
                await ear.until(lambda: ear.exits)
                await process.stop()
            else:
                await process.stop(kindly=how == "stop")
            assert not family._is_alive(str(stray))
            assert family._is_alive(str(other.pid)), "an engine beside it is none of its family"

    asyncio.run(play())


def test_without_a_loop(tools: Any) -> None:
    async def play() -> EngineProcess:
        process = start(tools.Ear(), DEAF)
        await until(lambda: process.last_words() == "up")
        return process

    process = asyncio.run(play())
    process.kill_now()
    assert not exists(process.pid)
    assert process.last_words() == "up"


def test_without_pidfd(tools: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")

    async def play() -> None:
        ear = tools.Ear()
        async with running(ear, "raise SystemExit(3)"):
            await ear.until(lambda: ear.exits)
            assert ear.exits == [3]
        async with running(ear, FOREVER) as process:
            pass
        assert process.status == -signal.SIGTERM

    asyncio.run(play())


def test_too_much_memory(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        limits = Limits(memory_bytes=64 << 20, watch_seconds=0.02, grace_seconds=0, stop_seconds=0.1)
        async with running(ear, "x = [b'm' * (1 << 20) for _ in range(128)]\n" + FOREVER, limits):
            await ear.until(lambda: ear.limits)
            assert "MiB of memory, but engine_memory allows only 64." in ear.limits[0]
            await asyncio.sleep(0.1)
            assert len(ear.limits) == 1

    asyncio.run(play())


def test_shared_memory_counts_once(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        limits = Limits(memory_bytes=128 << 20, watch_seconds=0.02, grace_seconds=0, stop_seconds=0.1)
        program = "import os\nx = b'm' * (64 << 20)\nfor _ in range(4):\n  if os.fork() == 0: break\n" + FOREVER
        async with running(ear, program, limits) as process:
            await until(lambda: len(family.descendants(process.pid)) == 5)
            await asyncio.sleep(0.2)
            assert ear.limits == []

    asyncio.run(play())


def test_memory_that_grows_faster_than_we_look(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        limits = Limits(memory_bytes=64 << 20, watch_seconds=100)
        async with running(ear, "import time; time.sleep(0.1); x = bytearray(1 << 30)", limits) as process:
            await ear.until(lambda: ear.exits)
            assert ear.exits == [1]
            assert "MemoryError" in process.last_words()

    asyncio.run(play())


def test_too_many_processes(tools: Any) -> None:
    async def play() -> None:
        ear = tools.Ear()
        limits = Limits(processes=3, watch_seconds=0.02, grace_seconds=0, stop_seconds=0.1)
        async with running(ear, "import os\nfor _ in range(3):\n  if os.fork() == 0: break\n" + FOREVER, limits):
            await ear.until(lambda: ear.limits)
            assert ear.limits == ["It has 4 processes, but engine_processes allows only 3."]

    asyncio.run(play())


def test_a_process_that_can_hardly_be_looked_into_keeps_nobody_else_waiting(
    tools: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, others_go_on = threading.Event(), threading.Event()
    went_on: list[bool] = []
    find = family.find

    def slow(*args: Any) -> set[int]:
        looking.set()
        went_on.append(others_go_on.wait(20.0))
        return find(*args)

    async def play() -> None:
        limits = Limits(processes=3, watch_seconds=0.002, grace_seconds=0, stop_seconds=0.1)
        async with running(tools.Ear(), FOREVER, limits):
            monkeypatch.setattr(family, "find", slow)
            await until(looking.is_set)
            others_go_on.set()

    asyncio.run(play())
    assert all(went_on)
    assert len(went_on) > 1, "while it plays, and when it is stopped"


def test_no_core_files_and_a_session_of_its_own(tools: Any) -> None:
    async def play() -> None:
        async with running(tools.Ear(), FOREVER) as process:
            assert resource.prlimit(process.pid, resource.RLIMIT_CORE) == (0, 0)
            assert os.getsid(process.pid) == process.pid

    asyncio.run(play())


def test_nothing_stays_open(tools: Any, descriptors: Any) -> None:
    async def play() -> None:
        async with running(tools.Ear(), ""):
            pass
        before = descriptors()
        for _ in range(10):
            await play_once(tools.Ear())
        assert descriptors() == before

    async def play_once(ear: Any) -> None:
        wire = await stdio.open_wire(ear.on_line, ear.on_lost, ear.on_ready, limit=1000)
        async with running(ear, "print('hello')", stdio_wire=wire):
            await ear.until(lambda: ear.exits and ear.lost)
            assert ear.lines == [b"hello"]
        async with running(ear, FOREVER):
            pass

    asyncio.run(play())


@pytest.mark.skipif(sys.platform != "linux", reason="processes are marked on Linux only")
def test_a_process_that_has_given_up_everything_does_not_survive_a_killed_referee() -> None:
    program = f"""
import asyncio, os, sys
from ggtp.processes.engine import EngineProcess
async def main():
    argv = [sys.executable, "-S", "-c", {STRAY!r}]
    process = EngineProcess.start(argv, env=os.environ, on_exit=print, on_limit=print)
    while "up" not in process.last_words():
        await asyncio.sleep(0.01)
    print(process.last_words(), flush=True)
    await asyncio.sleep(300)
asyncio.run(main())
"""

    async def play() -> None:
        referee = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=-1)
        assert referee.stdout
        stray = (await asyncio.wait_for(referee.stdout.readline(), 20)).decode().split()[-1]
        assert family._is_alive(stray)
        referee.kill()
        await referee.wait()
        await until(lambda: not family._is_alive(stray))

    asyncio.run(play())


def test_nobody_survives_a_killed_referee(tmp_path: Path) -> None:
    program = f"""
import asyncio, os, sys
from ggtp.processes.engine import EngineProcess
async def main():
    argv = [sys.executable, "-S", "-c", {BROOD!r}]
    process = EngineProcess.start(argv, env=os.environ, on_exit=print, on_limit=print)
    while "up" not in process.last_words():
        await asyncio.sleep(0.01)
    print(process._token, flush=True)
    await asyncio.sleep(300)
asyncio.run(main())
"""

    async def play() -> None:
        referee = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=-1)
        assert referee.stdout
        token = (await asyncio.wait_for(referee.stdout.readline(), 20)).decode().strip()
        pids = family.find(token)
        assert len(pids) >= 5
        referee.kill()
        await referee.wait()
        await until(lambda: not any(family._is_alive(str(pid)) for pid in pids))
        await until(lambda: not family.find(token))  # some were made after we looked

    asyncio.run(play())
