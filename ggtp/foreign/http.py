"""As much of HTTP as game managers and players speak: one message, one answer, then the connection is closed.

Bytes of a connection go in as they come; nothing is kept beyond the bounds. The status line and
all headers but the length are ignored, as the others do; without a length, the end of the
connection is the end of the message.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

from ggtp.errors import MessageTooLong, RemoteProtocolError

MOST_HEAD = 16 * 2**10
"""Bytes of a request line or status line with its headers."""
MOST_BODY = 4 * 2**20
"""Bytes of a message. The largest rules known have some hundred thousand."""

_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?", re.IGNORECASE)
_SIZE = re.compile(rb"content-length[ \t]*:", re.IGNORECASE)

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

    def __init__(self, most_body: int = MOST_BODY) -> None:
        self._most_body = most_body
        self._data = bytearray()
        self._first = b""
        """The first line, once the head is complete."""
        self._length: int | None = None
        self._closed = False

    def feed(self, data: bytes) -> bool:
        """Take in what has come; true once the message is complete.

        Raises:
            MessageTooLong: there is more than there may be.
            RemoteProtocolError: a length that is none.
        """
        self._data += data
        if not self._first and not self._take_head():
            return False
        if len(self._data) > self._most_body:
            raise MessageTooLong(self._most_body)
        return self._length is not None and len(self._data) >= self._length

    def end(self) -> None:
        """The other end says no more.

        Raises:
            RemoteProtocolError: before its message was complete.
        """
        self._closed = True
        if not self._first or len(self._data) < (self._length or 0):
            raise RemoteProtocolError("the connection was closed in the middle of a message", "")

    def _take_head(self) -> bool:
        found = _END.search(self._data)
        if found is None or found.end() > MOST_HEAD:
            if len(self._data) > MOST_HEAD:
                raise MessageTooLong(MOST_HEAD)
            return False
        first, *headers = bytes(self._data[: found.start()]).split(b"\n")
        del self._data[: found.end()]
        self._first = first.rstrip(b"\r") or b"?"
        for header in headers:
            if size := _LENGTH.fullmatch(header):
                self._length = int(size[1])
                if self._length > self._most_body:
                    raise MessageTooLong(self._most_body)
            elif _SIZE.match(header):
                raise RemoteProtocolError("a length that is no number", header[:60].decode("latin-1"))
        if self._length is None and self.method in (GET, OPTIONS):
            self._length = 0
        return True

    @property
    def method(self) -> str:
        """The first word of the first line."""
        return self._first.split(b" ", 1)[0].decode("latin-1").upper()

    @property
    def text(self) -> str:
        """The message, once it is complete; that of a GET is in its path."""
        if self.method == GET:
            words = self._first.split()
            return unquote_plus(words[1].decode("latin-1").lstrip("/")) if len(words) > 1 else ""
        body = bytes(self._data if self._length is None else self._data[: self._length])
        return body.decode("utf-8", "replace")
