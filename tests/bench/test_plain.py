"""The plain engine of the benchmark answers every line by one of its own, and plays by the rule."""

from __future__ import annotations

import os
import socket
import threading

import pytest

from ggtp.bench.plain import main, talk


def test_it_takes_the_first_free_square() -> None:
    said: list[bytes] = []

    def write(data: bytes) -> int:
        said.append(data)
        return len(data)

    asked = "connect_engine", "list_options", "start", "made_move Cross A1", "have_to_play 100"
    more = "made_move Circle B1", "start", "have_to_play", "disconnect_engine"
    talk([f"{line}\n".encode() for line in (*asked, *more)], write)
    ack = b"acknowledge\n"
    moves = b"select_move B1\n", b"select_move A1\n"
    assert said == [ack, b"reply \n", ack, ack, moves[0], ack, ack, moves[1], ack]


def test_it_plays_over_tcp() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        engine = threading.Thread(target=main, args=(f"{host}:{port}",))
        engine.start()
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(b"start\nhave_to_play\n")
            assert [lines.readline(), lines.readline()] == [b"acknowledge\n", b"select_move A1\n"]
        engine.join(30)
        assert not engine.is_alive()


def test_it_plays_over_standard_input_and_output(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[bytes] = []

    class Stdin:
        buffer = (b"connect_engine\n",)

    def write(fd: int, data: bytes) -> int:
        assert fd == 1
        said.append(data)
        return len(data)

    monkeypatch.setattr("sys.stdin", Stdin)
    monkeypatch.setattr(os, "write", write)
    main("-")
    assert said == [b"acknowledge\n"]
