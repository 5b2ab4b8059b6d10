"""`ggtp join` as a process, beside a real referee; see also tests/process/test_network.py."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.network import SECONDS, Keys

from ggtp.driver.remote.outpost import Referee
from ggtp.transport.secure.curve import new_key
from ggtp.ui.commands.remote.join import Guest
from ggtp.ui.console.environment import Environment


class Host:
    """`ggtp serve` in a process of its own, at a game of TicTacToe where carol is Cross."""

    def __init__(self, folder: Path) -> None:
        self.keys = Keys(folder, "carol")
        words = ["--key", str(self.keys.ring.own), "--known", str(self.keys.ring.known)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ggtp", "serve", "127.0.0.1:0", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        self.address = self.hear("-> Listening at ").split()[3].removeprefix("tcp://")
        for line in ("set_rule TicTacToe", "set_engine Cross person:carol", "start"):
            self.say(line)

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self, start: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(start):
                return line.rstrip("\n")
        pytest.fail(f"{start} was not heard")

    def words(self, name: str = "carol") -> list[str]:
        key = ["--key", str(self.keys.path(name)), "--server-key", self.keys.referee.public.hex()]
        return [sys.executable, "-m", "ggtp", "join", self.address, *key]

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(SECONDS)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.fixture(name="host")
def make_host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path)
    yield host
    host.end()


@pytest.mark.process
def test_lines_of_a_pipe_are_said_one_after_the_other(host: Host) -> None:
    said = "# a comment\nplay B2\nlist_played_moves\nnonsense\nleave\n"
    done = subprocess.run(host.words(), input=said, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    closing = [line for line in done.stdout.splitlines() if line[:2] in ("= ", "? ")]
    assert closing == [
        "= Done",
        "= Cross B2",
        "? Unknown command nonsense. Use help to see the commands.",
        "= Goodbye",
    ]
    host.hear("-> Cross plays B2")


@pytest.mark.process
def test_the_referee_s_end_is_the_end(host: Host) -> None:
    guest = subprocess.Popen(host.words(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    host.hear("-> carol sits down as Cross")
    host.say("quit")
    assert guest.stdout is not None
    out = guest.stdout.read()  # its input stays open
    assert guest.wait(SECONDS) == 0
    assert out.splitlines()[-1] == "= Goodbye"
    guest.communicate()


@pytest.mark.process
def test_a_key_that_is_not_known_is_told(host: Host) -> None:
    stranger = host.keys._make("stranger")
    assert stranger
    done = subprocess.run(
        host.words("stranger"), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode in (0, 1)  # an input that is empty may end it before it has been refused
    waiting = subprocess.Popen(
        host.words("stranger"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert waiting.stderr is not None
    assert "not known there" in waiting.stderr.readline()
    assert waiting.wait(SECONDS) == 1
    waiting.communicate()


@pytest.mark.process
def test_at_a_terminal_there_is_a_prompt(host: Host, tmp_path: Path) -> None:
    screen, terminal = pty.openpty()
    variables = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(tmp_path)}
    guest = subprocess.Popen(host.words(), stdin=terminal, stdout=terminal, stderr=terminal, env=variables)
    os.close(terminal)
    seen = b""

    def until(text: bytes) -> None:
        nonlocal seen
        deadline = time.monotonic() + SECONDS
        while text not in seen:
            assert select.select([screen], [], [], deadline - time.monotonic())[0], seen.decode()
            chunk = os.read(screen, 4096)
            seen += chunk
            if b"\x1b[6n" in chunk:
                os.write(screen, b"\x1b[1;1R")  # where the cursor is

    try:
        until(b"It is your turn.")
        until(b"ggtp join>")
        os.write(screen, b"play B2\r")
        host.hear("-> Cross plays B2")
        until(b"Cross plays B2")
        # The news is printed above the prompt, and keys count again when that is drawn below it.
        seen = seen[seen.rindex(b"Cross plays B2") :]
        until(b"ggtp join>")
        os.write(screen, b"\x04")
        assert guest.wait(SECONDS) == 0
    finally:
        guest.kill()
        guest.wait()
        os.close(screen)


def test_moves_are_offered_behind_play_and_commands_at_the_beginning() -> None:
    guest = Guest(Environment(), Referee("tcp://host:1", b"", new_key()), "")
    guest.moves = ("A1", "B2", "b3")
    assert [text for text, _ in guest.offers([], "list_p")] == [
        "list_possible_moves",
        "list_played_moves",
        "list_players",
    ]
    assert [text for text, _ in guest.offers(["play"], "B")] == ["B2", "b3"]
    assert [text for text, _ in guest.offers(["help"], "res")] == ["resign"]
    assert list(guest.offers(["resign"], "")) == []
