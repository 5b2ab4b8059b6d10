"""The server for messages over HTTP: what strangers do to it is bounded."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from support.ggp_wire import exchange, say

from ggtp.driver.tasks import in_thread
from ggtp.servers.http import HttpServer

SECONDS = 30.0


async def echo(text: str) -> str | None:
    return None if text == "nothing" else f"you said {text}"


def serve(
    script: Callable[[HttpServer], Awaitable[None]],
    answer: Callable[[str], Awaitable[str | None]] = echo,
    seconds: float = SECONDS,
    connections: int = 8,
    log: Callable[[str], None] | None = None,
) -> None:
    async def main() -> None:
        server = HttpServer(answer, seconds=seconds, connections=connections, log=log)
        await server.start("127.0.0.1", 0)
        try:
            async with asyncio.timeout(SECONDS):
                await script(server)
        finally:
            await server.close()

    asyncio.run(main())


def test_a_message_is_answered_and_the_connection_closed() -> None:
    async def script(server: HttpServer) -> None:
        assert await in_thread(say, server.port, "( INFO )") == "you said ( INFO )"
        assert await in_thread(say, server.port, "nothing") is None
        assert await in_thread(exchange, server.port, b"OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n") == ""
        assert await in_thread(exchange, server.port, b"POST / HTTP/1.0\r\nContent-Length: no\r\n\r\n") is None
        assert await in_thread(exchange, server.port, b"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n") is None

    serve(script)


def test_where_file_descriptors_run_out_it_is_said_once_and_goes_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asyncio.constants.ACCEPT_RETRY_DELAY", 0.001)
    told: list[str] = []
    troubles: list[dict[str, Any]] = []
    heard = asyncio.Event()

    def log(text: str) -> None:
        told.append(text)
        heard.set()

    async def script(server: HttpServer) -> None:
        monkeypatch.setattr(
            asyncio.get_running_loop(), "default_exception_handler", lambda context: troubles.append(context)
        )
        strangers = [socket.socket() for _ in range(3)]
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        free = os.dup(0)
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
        try:
            for stranger in strangers:
                stranger.connect(("127.0.0.1", server.port))
            await heard.wait()
            for _ in range(100):
                await asyncio.sleep(0)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert await in_thread(say, server.port, "hello") == "you said hello"
        for stranger in strangers:
            stranger.close()

    serve(script, log=log)
    assert told == ["nobody can connect now: Too many open files; see ulimit -n"]
    assert not any(isinstance(trouble["exception"], OSError) for trouble in troubles)


def connect(port: int, said: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), SECONDS)
    connection.settimeout(SECONDS)
    connection.sendall(said)
    return connection


def gone(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_silent_strangers_do_not_keep_others_out() -> None:
    async def script(server: HttpServer) -> None:
        strangers = [await in_thread(connect, server.port, b"POST / HTT") for _ in range(12)]
        assert await in_thread(say, server.port, "hello") == "you said hello"
        # The longest silent ones had to make room.
        assert await in_thread(gone, strangers[0])
        for stranger in strangers:
            stranger.close()

    serve(script, connections=4)


def test_who_says_nothing_is_sent_away() -> None:
    async def script(server: HttpServer) -> None:
        stranger = await in_thread(connect, server.port)
        assert await in_thread(gone, stranger)
        stranger.close()

    serve(script, seconds=0.05)


def test_messages_are_answered_while_another_one_waits() -> None:
    release = asyncio.Event()

    async def slow(text: str) -> str:
        if text == "slow":
            await release.wait()
        return text

    async def script(server: HttpServer) -> None:
        slow_one = asyncio.ensure_future(in_thread(say, server.port, "slow"))
        assert await in_thread(say, server.port, "fast") == "fast"
        assert not slow_one.done()
        release.set()
        assert await slow_one == "slow"

    serve(script, slow)


def test_nobody_hears_anything_after_the_end() -> None:
    async def script(server: HttpServer) -> None:
        stranger = await in_thread(connect, server.port)
        assert await in_thread(say, server.port, "later")  # so the stranger was let in by now
        await server.close()
        assert await in_thread(gone, stranger)
        stranger.close()

    serve(script)
