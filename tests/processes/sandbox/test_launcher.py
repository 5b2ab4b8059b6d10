"""The program that starts engines from within their sandbox."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from ggtp.processes.sandbox import launcher
from ggtp.processes.sandbox.launcher import ALL_SCOPES, ALL_TCP, rights


def test_each_version_forbids_what_it_knows() -> None:
    assert rights(1) == (0x1FFF, 0, 0)
    assert rights(3)[0] == 0x7FFF
    assert rights(4)[1:] == (ALL_TCP, 0)
    assert rights(7) == (0xFFFF, ALL_TCP, ALL_SCOPES)


def command(*words: str) -> list[str]:
    return [sys.executable, "-I", "-S", launcher.__file__, *words]


@pytest.mark.process
def test_a_listening_socket_is_sent_before_the_program_runs() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ours, theirs = socket.socketpair()
    with ours, theirs:
        words = command("listen", str(theirs.fileno()), str(port), "echo", "up")
        done = subprocess.run(words, pass_fds=(theirs.fileno(),), capture_output=True, check=True)
        _, handles, _, _ = socket.recv_fds(ours, 1, 1)
        with socket.socket(fileno=handles[0]) as listener:
            assert listener.getsockname() == ("127.0.0.1", port)
    assert done.stdout == b"up\n"


@pytest.mark.process
def test_a_program_that_is_missing_is_named() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        words = command("listen", str(theirs.fileno()), "0", "/no/such/program")
        done = subprocess.run(words, pass_fds=(theirs.fileno(),), capture_output=True, check=False)
    assert done.returncode == launcher.FAILED
    assert done.stderr == f"/no/such/program: {os.strerror(2)}\n".encode()
