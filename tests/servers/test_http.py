"""The server for messages over HTTP: what strangers do to it is bounded."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

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
) -> None:
    async def main() -> None:
        server = HttpServer(answer, seconds=seconds, connections=connections)
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
