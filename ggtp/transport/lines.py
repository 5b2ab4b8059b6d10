"""Bytes to lines and lines to bytes: incremental, bounded, and linear in the number of bytes however they are cut."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ggtp.errors import MessageTooLong, TransportError


class Framing(ABC):
    """How lines are laid in a stream of bytes. Opens nothing and waits for nothing."""

    __slots__ = ("fault", "news", "ready", "replies")

    def __init__(self) -> None:
        self.fault: TransportError | None = None
        """Why nothing more can be read; the lines before it were given out."""
        self.ready = True
        """Whether both ends know each other, so that lines may be sent."""
        self.replies = b""
        """What has to be written to the other end at once; whoever writes it empties it."""
        self.news = False
        """Whether any of the above has changed; whoever looks sets it back."""

    @abstractmethod
    def feed(self, data: bytes) -> list[bytes]:
        """Take in some bytes and return the lines that they complete, without LF or CR LF."""

    @abstractmethod
    def pack(self, lines: Sequence[bytes]) -> bytes:
        """The bytes that carry these lines."""

    @property
    @abstractmethod
    def unfinished(self) -> bool:
        """Whether the other end is in the middle of a line."""


class LineFraming(Framing):
    """A line is what stands before an LF. One of more than `limit` bytes is a fault."""

    __slots__ = ("_limit", "_rest")

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._rest = bytearray()

    @property
    def unfinished(self) -> bool:
        return bool(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        if self.fault:
            return []
        lines = data.split(b"\n")
        last = lines.pop()
        rest = self._rest
        if lines:
            if rest:
                rest += lines[0]
                lines[0] = bytes(rest)
                rest.clear()
            for number, line in enumerate(lines):
                if line.endswith(b"\r"):
                    lines[number] = line = line[:-1]
                if len(line) > self._limit:
                    self._refuse()
                    return lines[:number]
        if last:
            rest += last
            # One byte more may be the CR of a CR LF.
            if len(rest) > self._limit and (len(rest) > self._limit + 1 or not rest.endswith(b"\r")):
                self._refuse()
        return lines

    def pack(self, lines: Sequence[bytes]) -> bytes:
        return b"\n".join(lines) + b"\n"

    def _refuse(self) -> None:
        self.fault = MessageTooLong(self._limit)
        self.news = True
        self._rest = bytearray()
