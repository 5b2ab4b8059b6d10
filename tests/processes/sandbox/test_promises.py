"""What a sandbox keeps an engine from, tried by a program that means harm, in every kind of sandbox that runs here."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES

from ggtp.processes import family
from ggtp.processes.engine import EngineProcess, Limits
from ggtp.processes.sandbox import box
from ggtp.processes.sandbox.available import Available
from ggtp.processes.sandbox.box import Confinement
from ggtp.processes.sandbox.landlock import Landlock, tried
from ggtp.processes.sandbox.layout import Referee
from ggtp.processes.sandbox.policy import Kind, Sandbox

pytestmark = [pytest.mark.process, pytest.mark.slow]

BUBBLEWRAP = pytest.param(
    "bubblewrap", marks=pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not installed")
)
LANDLOCK = pytest.param(
    "landlock", marks=pytest.mark.skipif(not isinstance(tried(), Landlock), reason="the kernel has no Landlock")
)
EVIL = FAKES / "evil_program.py"
QUICK = Limits(grace_seconds=0.05, stop_seconds=0.1)
DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        new = "import time; print('up', flush=True); time.sleep(300)"
        os.execve(sys.executable, [sys.executable, "-S", "-c", new], {})
    os._exit(0)
time.sleep(300)
"""


@pytest.fixture
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kind:
    """A kind of sandbox, as if there were no better one."""
    wanted: Kind = request.param
    if wanted == "landlock":
        found = tried()
        assert isinstance(found, Landlock)
        there = Available(None, "bubblewrap is not installed", found)
        monkeypatch.setattr(box, "available", lambda: there)
    return wanted


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home folder of the referee's user, with a secret and a play file."""
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "work").mkdir()
    (tmp_path / "work/open.ggtp").write_text("# GGTP play file\n")
    return tmp_path


@pytest.fixture
def port() -> Iterator[int]:
    """A port of the loopback interface that somebody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def confinement(home: Path, sandbox: Sandbox = Sandbox()) -> Confinement:  # noqa: B008 (it is frozen)
    return Confinement(sandbox, Referee(str(home), str(home / "work")), (str(FAKES),))


async def until(condition: Callable[[], object], seconds: float = 20) -> None:
    """Wait for what nobody tells us of."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 (the kernel sets no event for what is looked at here)
            await asyncio.sleep(0.005)


@asynccontextmanager
async def running(
    ear: Any,
    home: Path,
    *argv: str,
    limits: Limits = QUICK,
    sandbox: Sandbox = Sandbox(),  # noqa: B008 (it is frozen)
) -> AsyncIterator[EngineProcess]:
    process = EngineProcess.start(
        argv,
        env={"PATH": os.environ["PATH"]},
        limits=limits,
        on_exit=ear.on_exit,
        on_limit=ear.on_limit,
        confinement=confinement(home, sandbox),
    )
    try:
        yield process
    finally:
        await process.stop()


def said(tools: Any, home: Path, program: str, sandbox: Sandbox = Sandbox()) -> str:  # noqa: B008 (it is frozen)
    """What a program in Python prints in a sandbox before it ends."""
    words = ""

    async def play() -> None:
        nonlocal words
        ear = tools.Ear()
        async with running(ear, home, sys.executable, "-S", "-c", program, sandbox=sandbox) as process:
            await ear.until(lambda: ear.exits)
            words = process.last_words()

    asyncio.run(play())
    return words


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK], indirect=True)
def test_no_attack_gets_anything(
    tools: Any, home: Path, port: int, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "1")
    name = f"ggtp-test-{os.getpid()}"

    async def play() -> None:
        ear = tools.Ear()
        words = (str(home), str(home / "work/open.ggtp"), str(os.getpid()), str(port), name)
        async with running(ear, home, sys.executable, str(EVIL), *words) as process:
            await ear.until(lambda: ear.exits)
            assert process.protection.kind == kind
            found = json.loads(process.last_words().splitlines()[-1])
            assert found["tried"] == 18
            assert found["got"] == {}

    with socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        abstract.bind("\0" + name)
        abstract.listen()
        datagrams.bind(("127.0.0.1", port))
        asyncio.run(play())
        with pytest.raises(BlockingIOError):
            datagrams.recv(10, socket.MSG_DONTWAIT)
    assert not list(home.rglob("evil"))


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK], indirect=True)
def test_what_is_asked_for_is_had(tools: Any, home: Path, port: int, kind: Kind) -> None:
    (home / "deep").mkdir()
    (home / "logs").mkdir()
    (home / "deep/book").write_text("e4")
    program = f"""
import socket
print(open({str(home / "deep/book")!r}).read())
open({str(home / "logs/log")!r}, "w").write("logged")
socket.create_connection(("127.0.0.1", {port}))
print("connected", flush=True)
"""
    asked = Sandbox(network=True, reads=(str(home / "deep"),), writes=(str(home / "logs"),))
    assert said(tools, home, program, asked).splitlines() == ["e4", "connected"]
    assert (home / "logs/log").read_text() == "logged"


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK], indirect=True)
def test_statuses_and_signals_are_those_of_the_engine(tools: Any, home: Path, kind: Kind) -> None:
    async def play() -> None:
        for program, status in (("exit 3", 3), ("kill -9 $$", -9), ("kill -11 $$", -11)):
            ear = tools.Ear()
            async with running(ear, home, "sh", "-c", program):
                await ear.until(lambda: ear.exits)  # noqa: B023 (it is awaited here)
                assert ear.exits == [status]

    asyncio.run(play())


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK], indirect=True)
def test_nothing_stays_open_here_or_on_the_disk(tools: Any, home: Path, kind: Kind, descriptors: Any) -> None:
    private: list[str] = []

    async def play(*argv: str, port: int) -> None:
        ear = tools.Ear()
        process = EngineProcess.start(
            argv,
            env={"PATH": os.environ["PATH"]},
            limits=QUICK,
            on_exit=ear.on_exit,
            on_limit=ear.on_limit,
            confinement=replace(confinement(home), port=port),
            on_listener=lambda listener: listener.close(),
        )
        private.append(process._box.scratch)
        await process.stop()

    async def several() -> None:
        await play("true", port=0)
        before = descriptors()
        for port in (0, 4711):
            await play("true", port=port)
            await play("sleep", "300", port=port)
            await play("/usr/bin/env", "no-such-program", port=port)
        assert descriptors() == before

    asyncio.run(several())
    assert not any(folder and os.path.exists(folder) for folder in private)


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK], indirect=True)
@pytest.mark.parametrize("how", ["stop", "kill_now", "exit"])
def test_nothing_is_left_of_a_daemon(tools: Any, home: Path, kind: Kind, how: str) -> None:
    async def play() -> None:
        async with running(tools.Ear(), home, sys.executable, "-S", "-c", DAEMON) as process:
            await until(lambda: "up" in process.last_words())
            pids = family.find(process._token, (process.pid,), process._marks)
            assert len(pids) >= 2
            if how == "kill_now":
                process.kill_now()
            elif how == "exit":
                os.kill(process.pid, 9)
            await process.stop()
            await until(lambda: not any(family._is_alive(str(pid)) for pid in pids), 5)

    asyncio.run(play())


@pytest.mark.parametrize("kind", [BUBBLEWRAP], indirect=True)
def test_a_kind_end_reaches_the_engine(tools: Any, home: Path, kind: Kind) -> None:
    program = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit("goodbye"))
print("up", flush=True)
time.sleep(300)
"""

    async def play() -> None:
        limits = Limits(grace_seconds=0.05, stop_seconds=10)
        async with running(tools.Ear(), home, sys.executable, "-S", "-c", program, limits=limits) as process:
            await until(lambda: "up" in process.last_words())
            await process.stop()
        assert process.last_words() == "goodbye"
        assert process.status == 1

    asyncio.run(play())


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK], indirect=True)
def test_a_play_file_that_comes_into_a_folder_it_sees_is_told(tools: Any, home: Path, kind: Kind) -> None:
    (home / "deep").mkdir()
    hidden = home / "deep/hidden.ggtp"
    hidden.write_text("mine")

    async def play() -> None:
        sandbox = Sandbox(reads=(str(home / "deep"),), hides=(str(hidden),))
        async with running(tools.Ear(), home, "sleep", "300", sandbox=sandbox) as process:
            assert process.sees(str(home / "deep/later.ggtp"))
            assert not process.sees(str(home / "work/later.ggtp"))

    asyncio.run(play())
    program = f"print(open({str(hidden)!r}).read() or 'nothing')"
    words = said(tools, home, program, Sandbox(reads=(str(home / "deep"),), hides=(str(hidden),)))
    assert "mine" not in words


REFEREE = """
import asyncio, os, sys
from ggtp.processes.engine import EngineProcess
from ggtp.processes.sandbox import box
from ggtp.processes.sandbox.available import Available
from ggtp.processes.sandbox.landlock import tried
from ggtp.processes.sandbox.layout import Referee
from ggtp.processes.sandbox.policy import Sandbox
async def main():
    kind, program = sys.argv[1:]
    if kind == "landlock":
        there = Available(None, "", tried())
        box.available = lambda: there
    confinement = box.Confinement(Sandbox(), Referee("/nowhere", "/nowhere"))
    argv = [sys.executable, "-S", "-c", program]
    environ = {"PATH": os.environ["PATH"]}
    process = EngineProcess.start(argv, env=environ, on_exit=print, on_limit=print, confinement=confinement)
    while "up" not in process.last_words():
        await asyncio.sleep(0.01)
    print(process._token, process.pid, process._marks[0], process.protection.kind, flush=True)
    await asyncio.sleep(300)
asyncio.run(main())
"""


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK], indirect=True)
def test_nothing_survives_a_referee_that_is_killed(kind: Kind) -> None:
    async def play() -> None:
        referee = await asyncio.create_subprocess_exec(sys.executable, "-c", REFEREE, kind, DAEMON, stdout=-1)
        assert referee.stdout
        told = (await asyncio.wait_for(referee.stdout.readline(), 30)).decode().split()
        assert told[3] == kind
        pids = family.find(told[0], (int(told[1]),), (int(told[2]),))
        assert len(pids) >= 2
        referee.kill()
        await referee.wait()
        await until(lambda: not any(family._is_alive(str(pid)) for pid in pids), 10)

    asyncio.run(play())


MEMFD = "import os\nh = os.memfd_create('x')\nfor _ in range(64): os.write(h, bytes(1 << 20))\n"
SHM = "h = open('/dev/shm/x', 'wb')\nfor _ in range(64): h.write(bytes(1 << 20)); h.flush()\n"
SCRATCH = "h = open('/tmp/x', 'wb')\nfor _ in range(64): h.write(bytes(1 << 20)); h.flush()\n"
EMPTY = "import os\nfor i in range(64 << 10): os.close(os.open(f'/tmp/{i}', os.O_CREAT | os.O_WRONLY))\n"


@pytest.mark.parametrize("kind", [BUBBLEWRAP], indirect=True)
@pytest.mark.parametrize("program", [MEMFD, SHM, SCRATCH, EMPTY], ids=["memfd", "shm", "tmp", "empty"])
def test_files_in_memory_count(tools: Any, home: Path, kind: Kind, program: str) -> None:
    async def play() -> None:
        ear = tools.Ear()
        limits = replace(QUICK, memory_bytes=48 << 20, watch_seconds=0.02)
        wait = "import time\ntime.sleep(300)"
        async with running(ear, home, sys.executable, "-S", "-c", program + wait, limits=limits):
            await ear.until(lambda: ear.limits)
            assert "MiB of memory, but engine_memory allows only 48." in ear.limits[0]

    asyncio.run(play())


@pytest.mark.parametrize("kind", [BUBBLEWRAP], indirect=True)
def test_private_folders_are_bounded(tools: Any, home: Path, kind: Kind) -> None:
    program = """
import errno
for folder in ("/tmp", "/dev/shm"):
    try:
        with open(folder + "/x", "wb") as file:
            for _ in range(64): file.write(bytes(1 << 20))
    except OSError as error:
        print(errno.errorcode[error.errno], flush=True)
"""
    small = Sandbox(scratch_bytes=8 << 20, shared_bytes=8 << 20)
    assert {*said(tools, home, program, small).split()} <= {"ENOSPC", "EFBIG"}


@pytest.mark.parametrize("kind", [BUBBLEWRAP], indirect=True)
def test_the_processes_of_the_sandbox_do_not_count(tools: Any, home: Path, kind: Kind) -> None:
    async def play() -> None:
        ear = tools.Ear()
        limits = replace(QUICK, processes=2, watch_seconds=0.01)
        program = "import os, time\nos.fork()\nprint('up', flush=True)\ntime.sleep({})\n"
        wait = program.format("0.3") + "os.fork()\ntime.sleep(300)"
        async with running(ear, home, sys.executable, "-S", "-c", wait, limits=limits):
            await ear.until(lambda: ear.limits)
            assert ear.limits[0] in (
                "It has 3 processes, but engine_processes allows only 2.",
                "It has 4 processes, but engine_processes allows only 2.",
            )

    asyncio.run(play())


@pytest.mark.parametrize("kind", [BUBBLEWRAP], indirect=True)
def test_a_socket_of_the_sandboxs_own_network_is_handed_out(tools: Any, home: Path, kind: Kind) -> None:
    program = "import socket\nsocket.create_connection(('127.0.0.1', 4711)).sendall(b'hello')\n"
    heard: list[bytes] = []
    came = threading.Event()

    def accept(listener: socket.socket) -> None:
        with listener:
            connection, _ = listener.accept()
            with connection:
                heard.append(connection.recv(100))
        came.set()

    async def play() -> None:
        ear = tools.Ear()
        process = EngineProcess.start(
            [sys.executable, "-S", "-c", program],
            env={"PATH": os.environ["PATH"]},
            limits=QUICK,
            on_exit=ear.on_exit,
            on_limit=ear.on_limit,
            confinement=replace(confinement(home), port=4711),
            on_listener=lambda listener: threading.Thread(target=accept, args=(listener,), daemon=True).start(),
        )
        try:
            await ear.until(lambda: ear.exits)
            assert ear.exits == [0], process.last_words()
            assert await asyncio.to_thread(came.wait, 10)
        finally:
            await process.stop()

    asyncio.run(play())
    assert heard == [b"hello"]
