"""A small server for messages over HTTP: a text in, a text out, and every connection bounded.

Whoever connects has some seconds to say all of its message. Where too many are silent, the one
that has been silent longest is sent away, so that strangers can't keep a game manager out.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from ggtp.errors import MessageTooLong, RemoteProtocolError
from ggtp.foreign.http import OPTIONS, MessageReader, response_bytes

Answering = Callable[[str], Awaitable[str | None]]
"""What answers a message; None closes the connection without a word."""

CHUNK = 65_536
MESSAGE_SECONDS = 10.0
"""How long a message may take to arrive, and an answer to leave."""
MOST_CONNECTIONS = 32
NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""The system's errors where it has nothing left for another connection."""
QUIET_SECONDS = 60.0
"""How long nothing more is said of them."""


class HttpServer:
    """Listens from `start` to `close`."""

    def __init__(
        self,
        answer: Answering,
        *,
        seconds: float = MESSAGE_SECONDS,
        connections: int = MOST_CONNECTIONS,
        log: Callable[[str], None] | None = None,
    ) -> None:
        """A server that does not listen yet; `answer` is called for every message, for several at once.

        The log is told where nobody can be let in, for want of file descriptors.
        """
        self._answer = answer
        self._seconds = seconds
        self._connections = connections
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._silent: dict[asyncio.StreamWriter, None] = {}
        """Connections whose message is not complete, the oldest first."""
        self._closed = False
        self._log = log
        self._full_until = 0.0
        """When it may be said again that nobody can be let in."""
        self.port = 0

    async def start(self, host: str, port: int) -> None:
        """Begin to listen; port 0 is any that is free.

        Raises:
            OSError: the address can't be had.
        """
        asyncio.get_running_loop().set_exception_handler(self._in_trouble)
        # asyncio tries as often in a row as the backlog is long, whatever comes of it.
        self._server = await asyncio.start_server(
            self._serve, host, port, limit=CHUNK, backlog=min(self._connections, MOST_CONNECTIONS)
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Listen no more, and drop who is there."""
        self._closed = True
        if self._server is not None:
            self._server.close()
        for writer in list(self._open):
            writer.transport.abort()

    def _in_trouble(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something went wrong in the loop. asyncio tells of every connection that it can't accept, and tries again."""
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in NO_ROOM or "socket" not in context:
            loop.default_exception_handler(context)
        elif self._log is not None and loop.time() >= self._full_until:
            self._full_until = loop.time() + QUIET_SECONDS
            self._log(f"nobody can connect now: {error.strerror}; see ulimit -n")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._closed:
            writer.transport.abort()
            return
        self._open.add(writer)
        self._silent[writer] = None
        if len(self._open) > self._connections:
            # Whoever waits for an answer may stay; if all do, the newcomer has to go.
            next(iter(self._silent)).transport.abort()
        try:
            async with asyncio.timeout(self._seconds):
                message = await self._read(reader)
            self._silent.pop(writer, None)
            if message is None:
                return
            text = "" if message.method == OPTIONS else await self._answer(message.text)
            if text is not None:
                async with asyncio.timeout(self._seconds):
                    writer.write(response_bytes(text))
                    await writer.drain()
        except (TimeoutError, OSError, MessageTooLong, RemoteProtocolError):
            pass  # nobody is there who would understand a complaint
        finally:
            self._silent.pop(writer, None)
            self._open.discard(writer)
            writer.close()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader) -> MessageReader | None:
        message = MessageReader()
        while data := await reader.read(CHUNK):
            if message.feed(data):
                return message
        message.end()
        return message
