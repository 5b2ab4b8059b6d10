"""The program that starts engines from within their sandbox."""

from __future__ import annotations

import marshal
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


def variables(environ: dict[str, str]) -> int:
    """A handle of a file with the variables of a program."""
    handle = os.memfd_create("variables")
    os.write(handle, marshal.dumps(environ))
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


@pytest.mark.process
def test_a_listening_socket_is_sent_before_the_program_runs() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ours, theirs = socket.socketpair()
    with ours, theirs:
        handles = theirs.fileno(), variables({**os.environ, "WORD": "up"})
        words = command("listen", str(handles[0]), str(port), str(handles[1]), "sh", "-c", "echo $WORD")
        done = subprocess.run(words, pass_fds=handles, capture_output=True, check=True)
        os.close(handles[1])
        _, sent, _, _ = socket.recv_fds(ours, 1, 1)
        with socket.socket(fileno=sent[0]) as listener:
            assert listener.getsockname() == ("127.0.0.1", port)
    assert done.stdout == b"up\n"


@pytest.mark.process
def test_a_program_that_is_missing_is_named() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        handles = theirs.fileno(), variables({})
        words = command("listen", str(handles[0]), "0", str(handles[1]), "/no/such/program")
        done = subprocess.run(words, pass_fds=handles, capture_output=True, check=False)
        os.close(handles[1])
    assert done.returncode == launcher.FAILED
    assert done.stderr == f"/no/such/program: {os.strerror(2)}\n".encode()
