"""Wires by hand: lines over a stream, and frames of ZeroMQ."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest

from ggtp.bench.attack.zoo.channel import RawZmtp, Stream, connect, dialled


def test_lines_over_a_stream() -> None:
    ours, theirs = socket.socketpair()
    stream = Stream(theirs.fileno(), theirs.fileno())
    ours.sendall(b"connect_engine\r\nlist_")
    lines = stream.lines()
    assert next(lines) == "connect_engine"
    ours.sendall(b"options\n")
    assert next(lines) == "list_options"
    stream.send(b"acknowledge")
    assert ours.recv(100) == b"acknowledge\n"
    ours.close()
    theirs.close()


def test_frames_of_zeromq() -> None:
    ours, theirs = socket.socketpair()
    greeted: list[RawZmtp] = []
    thread = threading.Thread(target=lambda: greeted.append(RawZmtp(os.dup(theirs.fileno()))))
    thread.start()
    first, second = RawZmtp(os.dup(ours.fileno())), None
    thread.join()
    second = greeted[0]
    for size in (0, 5, 255, 256, 70_000):
        thread = threading.Thread(target=first.send, args=[b"x" * size])
        thread.start()
        assert next(second.lines()) == "x" * size
        thread.join()
    for channel in (first, second):
        channel.close()
    ours.close()
    theirs.close()


def test_an_endpoint_is_dialled(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        channel = connect(f"ipc://{path}", raw=True, greet=False)
        assert isinstance(channel, Stream)
        channel.close()
    assert isinstance(connect("-", raw=False), Stream)
    with pytest.raises(OSError, match="refused"):
        dialled("tcp://127.0.0.1:1")
