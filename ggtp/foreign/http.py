"""Messages of game managers and players over HTTP: one message, one answer, then the connection is closed.

The h11 library reads them. Bytes of a connection go in as they come, and nothing is kept beyond the bounds.
"""

from __future__ import annotations

from urllib.parse import unquote_plus

import h11

from ggtp.errors import MessageTooLong, RemoteProtocolError

MOST_HEAD = 16 * 2**10
"""Bytes of a request line or status line with its headers."""
MOST_BODY = 4 * 2**20
"""Bytes of a message. The largest rules known have some hundred thousand."""

GET, OPTIONS = "GET", "OPTIONS"


def request_bytes(body: str, host: str, receiver: str = "") -> bytes:
    """A message of a game manager to a player, as bytes."""
    content = body.encode()
    head = (
        "POST / HTTP/1.0",
        "Accept: text/delim",
        f"Host: {host}",
        "Sender: GAMESERVER",
        f"Receiver: {receiver}",
        "Content-Type: text/acl",
        f"Content-Length: {len(content)}",
        "\r\n",
    )
    return "\r\n".join(head).encode() + content


def response_bytes(body: str) -> bytes:
    """A player's answer, as bytes."""
    content = body.encode()
    head = (
        "HTTP/1.0 200 OK",
        "Content-type: text/acl",
        f"Content-length: {len(content)}",
        "Access-Control-Allow-Origin: *",
        "Access-Control-Allow-Methods: POST, GET, OPTIONS",
        "Access-Control-Allow-Headers: Content-Type",
        "Access-Control-Allow-Age: 86400",
        "\r\n",
    )
    return "\r\n".join(head).encode() + content


class MessageReader:
    """One message, piece by piece. Order of operations: `feed` until it answers true, or `end`; then `text`."""

    def __init__(self, most_body: int = MOST_BODY, *, answer: bool = False) -> None:
        """A reader of a request, or with `answer` of a response, whose body has at most `most_body` bytes."""
        self._most_body = most_body
        self._connection = h11.Connection(h11.CLIENT if answer else h11.SERVER, max_incomplete_event_size=MOST_HEAD)
        if answer:
            self._connection.send(h11.Request(method="POST", target="/", headers=[("Host", "player")]))
            self._connection.send(h11.EndOfMessage())
        self._head: h11.Request | h11.Response | None = None
        self._body = bytearray()

    def feed(self, data: bytes) -> bool:
        """Take in what has come; true once the message is complete.

        Raises:
            MessageTooLong: there is more than there may be.
            RemoteProtocolError: it is not HTTP.
        """
        return bool(data) and self._take(data)

    def end(self) -> None:
        """The other end says no more.

        Raises:
            RemoteProtocolError: before its message was complete.
        """
        if not self._take(b""):
            raise RemoteProtocolError("the connection was closed in the middle of a message", "")

    def _take(self, data: bytes) -> bool:
        try:
            self._connection.receive_data(data)
            while True:
                event = self._connection.next_event()
                if isinstance(event, h11.Request | h11.Response):
                    self._take_head(event)
                elif isinstance(event, h11.Data):
                    self._body += event.data
                    self._bound(len(self._body))
                elif event in (h11.NEED_DATA, h11.PAUSED):
                    return False
                elif isinstance(event, h11.EndOfMessage):
                    return True
                elif isinstance(event, h11.ConnectionClosed):
                    raise RemoteProtocolError("the connection was closed before a message", "")
        except h11.RemoteProtocolError as error:
            if error.error_status_hint == 431:
                raise MessageTooLong(MOST_HEAD) from None
            raise RemoteProtocolError(str(error), "") from None

    def _take_head(self, head: h11.Request | h11.Response) -> None:
        self._head = head
        for name, value in head.headers:
            if name == b"content-length":
                self._bound(int(value))

    def _bound(self, length: int) -> None:
        if length > self._most_body:
            raise MessageTooLong(self._most_body)

    @property
    def method(self) -> str:
        """The method of a request."""
        return self._head.method.decode("latin-1").upper() if isinstance(self._head, h11.Request) else ""

    @property
    def text(self) -> str:
        """The message, once it is complete; that of a GET is in its path."""
        if isinstance(self._head, h11.Request) and self.method == GET:
            return unquote_plus(self._head.target.decode("latin-1").lstrip("/"))
        return self._body.decode("utf-8", "replace")
