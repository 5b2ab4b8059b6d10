"""Two machines: cut cables, engines and referees that die, and crowds at the door. Real programs, real networks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cable import REFEREE, Cable, laid
from support.network import Keys

PORT = 9150
SILENCE = 1.5
"""Seconds without a sign of life after which a connection is lost: short, for nothing else is waited for here."""

HALF_OPEN = """
import resource, socket, sys
host, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
greeting = b"\\xff" + bytes(7) + b"\\x01\\x7f\\x03\\x01CURVE" + bytes(47)
kept = []
for number in range(count):
    connection = socket.create_connection((host, port), 20)
    try:
        connection.sendall((b"", greeting[:11], greeting, b"GET / HTTP/1.1\\r\\n\\r\\n")[number % 4])
    except OSError:
        pass
    kept.append(connection)
print(len(kept), flush=True)
sys.stdin.read()
"""


@pytest.fixture(name="cable")
def lay_cable() -> Iterator[Cable]:
    with laid() as cable:
        yield cable


class Remote:
    """`ggtp engine` on the other machine."""

    def __init__(self, cable: Cable, keys: Keys, name: str, engine: str | Path) -> None:
        words = ["--connect", f"{REFEREE}:{PORT}", "--server-key", keys.referee.public.hex()]
        words += ["--key", str(keys.path(name)), "--silence", str(SILENCE)]
        self._popen = subprocess.Popen(
            [*cable.there, sys.executable, "-m", "ggtp", "engine", str(engine), *words],
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.log: list[str] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        assert self._popen.stderr
        for line in self._popen.stderr:
            self.log.append(line.decode())

    def kill(self) -> None:
        """End it, with its engine, as a power cut does."""
        os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def end(self) -> None:
        if self._popen.poll() is None:
            self._popen.terminate()
            self._popen.wait()
        self._thread.join(20)
        assert self._popen.stderr
        self._popen.stderr.close()


@pytest.fixture(name="remote")
def make_remote(cable: Cable) -> Iterator[Callable[..., Remote]]:
    made: list[Remote] = []

    def start(*arguments: Any) -> Remote:
        made.append(Remote(cable, *arguments))
        return made[-1]

    yield start
    for one in made:
        one.end()


def serve(program: Any, cable: Cable, keys: Keys, folder: Path) -> Any:
    """A referee on the first machine, with an open door, at a game of TicTacToe."""
    folder_config = folder / "config" / "ggtp"
    folder_config.mkdir(parents=True, exist_ok=True)
    prefix = [*cable.here, "env", f"XDG_CONFIG_HOME={folder / 'config'}"]
    for name, path in (("key", keys.ring.own), ("known_keys", keys.ring.known)):
        link = folder_config / name
        if not link.exists():
            os.link(path, link)
    referee = program(prefix=prefix, cwd=folder)
    referee.do(f"set_option network_silence {int(SILENCE * 1000)}", f"listen {REFEREE}:{PORT}")
    return referee


def begin(referee: Any) -> None:
    referee.do("set_option wait off", "set_rule TicTacToe", "set_engine Cross remote:alice")


def moves(referee: Any) -> list[str]:
    said: str = referee.ask("list_played_moves")
    return [] if said == "none" else said.split(", ")


def free(referee: Any) -> str:
    """A move that Circle may make."""
    listed: str = referee.ask("list_possible_moves")
    return listed.partition("=")[2].split(",")[0]


def test_a_cut_cable_is_noticed_at_both_ends_and_mended(
    cable: Cable, program: Any, remote: Any, engines: Any, until: Any, tmp_path: Path
) -> None:
    keys = Keys(tmp_path, "alice")
    referee = serve(program, cable, keys, tmp_path)
    alice = remote(keys, "alice", engines.bad("tcp"))
    begin(referee)
    referee.do("start")
    until(lambda: len(moves(referee)) == 1)
    cable.cut()
    since = len(referee.lines)
    referee.do(f"play Circle {free(referee)}")
    referee.heard(since, "Fault of Cross .remote:alice., lost: ")
    referee.heard(since, "Waiting for remote:alice of Cross")
    until(lambda: any("lost" in line for line in alice.log))
    assert referee.ask("get_result") == "none"
    cable.mend()
    until(lambda: len(moves(referee)) == 3, 40.0)
    assert sum("connected to" in line for line in alice.log) == 2
    assert referee.quit() == 0


def test_an_engine_that_is_killed_gets_its_seat_back_when_it_is_started_again(
    cable: Cable, program: Any, remote: Any, engines: Any, until: Any, tmp_path: Path
) -> None:
    keys = Keys(tmp_path, "alice")
    referee = serve(program, cable, keys, tmp_path)
    first = remote(keys, "alice", engines.bad("tcp"))
    begin(referee)
    referee.do("start")
    until(lambda: len(moves(referee)) == 1)
    played = moves(referee)
    since = len(referee.lines)
    first.kill()
    referee.heard(since, "Waiting for remote:alice of Cross")
    referee.do(f"play Circle {free(referee)}")
    remote(keys, "alice", engines.bad("stdio"))
    until(lambda: len(moves(referee)) == 3, 40.0)
    assert moves(referee)[:1] == played
    assert referee.quit() == 0


def test_a_referee_that_is_killed_goes_on_from_its_play_file(
    cable: Cable, program: Any, remote: Any, engines: Any, until: Any, tmp_path: Path
) -> None:
    keys = Keys(tmp_path, "alice")
    referee = serve(program, cable, keys, tmp_path)
    alice = remote(keys, "alice", engines.bad("tcp"))
    begin(referee)
    referee.do("save_file evening.ggtp", "start")
    until(lambda: len(moves(referee)) == 1)
    referee.do(f"play Circle {free(referee)}")
    until(lambda: len(moves(referee)) == 3)
    played = moves(referee)
    referee.signal(signal.SIGKILL)
    referee.wait()
    again = serve(program, cable, keys, tmp_path)
    again.do("set_option wait off", "load_file evening.ggtp")
    assert moves(again) == played
    assert again.ask("list_connections") == "alice engine 10.213.77.2 at the table"
    again.do(f"play Circle {free(again)}")
    until(lambda: len(moves(again)) == 5)
    assert sum("connected to" in line for line in alice.log) == 2
    assert again.quit() == 0


def test_ten_thousand_half_open_connections_change_nothing_for_others(
    cable: Cable, program: Any, remote: Any, engines: Any, until: Any, tmp_path: Path
) -> None:
    import resource

    count = min(10_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 100)
    keys = Keys(tmp_path, "alice", "bob")
    referee = serve(program, cable, keys, tmp_path)
    remote(keys, "alice", engines.bad("tcp"))
    begin(referee)
    referee.do("set_engine Circle Random", "set_option keep_plays off")
    grown = referee.watch_memory()
    crowd = subprocess.Popen(
        [*cable.there, sys.executable, "-c", HALF_OPEN, REFEREE, str(PORT), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert crowd.stdout is not None
        played = 0
        arrived: list[bytes] = []
        counter = threading.Thread(target=lambda: arrived.append(crowd.stdout.readline()), daemon=True)
        counter.start()
        while counter.is_alive() or not played:
            if played < 30:
                referee.do("start")
                until(lambda: referee.ask("get_result") != "none")
                played += 1
            else:
                counter.join(0.1)
        assert int(arrived[0]) == count
        assert referee.ask("list_faults") == "0"
        assert len(os.listdir(f"/proc/{referee.pid}/fd")) < 400
        assert grown() < 64 << 20
        # Who knows how to behave still gets in while they are all there, from the same address.
        remote(keys, "bob", engines.bad("tcp"))
        referee.do("set_engine Circle remote:bob", "start")
        until(lambda: referee.ask("get_result") != "none")
        assert referee.ask("list_faults") == "0"
    finally:
        crowd.kill()
        crowd.wait()
        for pipe in (crowd.stdin, crowd.stdout):
            assert pipe is not None
            pipe.close()
    assert referee.quit() == 0


def test_a_person_whose_cable_was_cut_finds_the_seat_and_the_table_again(
    cable: Cable, program: Any, until: Any, tmp_path: Path
) -> None:
    keys = Keys(tmp_path, "carol")
    referee = serve(program, cable, keys, tmp_path)
    words = [f"{REFEREE}:{PORT}", "--server-key", keys.referee.public.hex(), "--key", str(keys.path("carol"))]
    carol = program("join", *words, "--silence", str(SILENCE), prefix=cable.there)
    referee.do("set_rule PhantomTicTacToe", "set_engine Cross person:carol", "start")
    carol.news("It is your turn.")
    carol.do("play B2")
    cable.cut()
    since = len(carol.lines)
    referee.heard(0, "carol has left; the seat of Cross is kept")
    carol.heard(since, "^# the connection to the referee is lost; trying again")
    referee.do("play Circle B2", "play Circle C3")
    cable.mend()
    text = carol.heard(since, "You are Cross in PhantomTicTacToe(.|\n)*It is your turn.", 40.0)
    assert "C3" not in text
    assert "-> 2 ? X ?" in text
    assert carol.ask("list_played_moves") == "Cross B2, Circle ?"
    carol.do("play A1")
    assert referee.ask("list_played_moves") == "Cross B2, Circle C3, Cross A1"
    assert referee.quit() == 0
    assert carol.wait() == 0
