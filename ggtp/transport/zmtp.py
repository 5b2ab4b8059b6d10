"""ZeroMQ's wire protocol, ZMTP 3 (https://rfc.zeromq.org/spec/23/), as far as a PAIR socket without security needs it.

Any program that uses a ZeroMQ library can talk to us. We do not use such a library ourselves: it moves every message
through a thread of its own, which costs several times what the rest of our work on a line does; it counts what waits in
messages, not in bytes; and it does not tell why it drops a connection.

    both ends:  greeting    signature, version, mechanism: 64 bytes
                READY       a command that names the type of the socket
                frames      one line each; a frame that holds several lines is accepted
"""

from __future__ import annotations

from collections.abc import Sequence

from ggtp.errors import ConnectionLost, MessageTooLong, TransportError
from ggtp.transport.lines import Framing

# signature = %xFF 8OCTET %x7F; version = %x03 %x00; mechanism = 20 octets; as-server = %x00; filler = 31 zeros
GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)

# flags of a frame
MORE = 1
LONG = 2
COMMAND = 4

LONGEST_COMMAND = 4096  # a READY has some properties of some bytes


def _command(name: bytes, data: bytes = b"") -> bytes:
    body = bytes([len(name)]) + name + data
    return bytes([COMMAND, len(body)]) + body


READY = _command(b"READY", b"\x0bSocket-Type" + (4).to_bytes(4, "big") + b"PAIR")
SHORT_HEADERS = [bytes([0, size]) for size in range(256)]


class ZmtpFraming(Framing):
    """One end of a connection between two PAIR sockets.

    One end speaks `first`; the other introduces itself in return, so that it still hears what the first one is when
    they do not fit. `replies` holds our greeting from the start, and `ready` is set when the other end has introduced
    itself. A frame of more than `limit` bytes is a fault as soon as its header has come.
    """

    __slots__ = ("_first", "_greeted", "_limit", "_need", "_rest")

    def __init__(self, limit: int, *, first: bool = True) -> None:
        super().__init__()
        self.ready = False
        self.replies = GREETING + READY if first else GREETING
        self._first = first
        self._limit = limit
        self._greeted = False
        self._need = 1  # how many bytes there must be before there is anything to do
        self._rest = bytearray()

    @property
    def unfinished(self) -> bool:
        return bool(self._rest)

    def pack(self, lines: Sequence[bytes]) -> bytes:
        parts = []
        for line in lines:
            size = len(line)
            parts.append(SHORT_HEADERS[size] if size < 256 else bytes([LONG]) + size.to_bytes(8, "big"))
            parts.append(line)
        return b"".join(parts)

    def feed(self, data: bytes) -> list[bytes]:
        if self._rest:
            self._rest += data
            if len(self._rest) < self._need:
                return []
            data = bytes(self._rest)
            self._rest.clear()
        if self.fault:
            return []
        start = 0
        if not self._greeted:
            if not self._greet(data):
                return []
            self._greeted = True
            start = len(GREETING)
        return self._frames(data, start)

    def _frames(self, data: bytes, start: int) -> list[bytes]:
        lines: list[bytes] = []
        end = len(data)
        if self.ready:
            # Nearly all frames are short, whole and one line: those without much ado.
            while end - start > 1 and not data[start]:
                body = start + 2
                after = body + data[start + 1]
                if after > end or after - body > self._limit:
                    break
                line = data[body:after]
                if b"\n" in line or line.endswith(b"\r"):
                    break
                lines.append(line)
                start = after
            if start == end:
                return lines
        while True:
            need = 2
            if end - start < need:
                break
            flags = data[start]
            if flags & LONG:
                need = 9
                if end - start < need:
                    break
                size = int.from_bytes(data[start + 1 : start + 9], "big")
            else:
                size = data[start + 1]
            if flags > LONG + COMMAND or (flags & COMMAND and size > LONGEST_COMMAND):
                self._refuse(ConnectionLost("the engine broke ZeroMQ's protocol"))
                return lines
            if size > self._limit and not flags & COMMAND:
                self._refuse(MessageTooLong(self._limit))
                return lines
            body = start + need
            need += size
            if end - start < need:
                break
            start += need
            message = data[body:start]
            if flags & COMMAND:
                self._obey(message)
            elif not self.ready:
                self._refuse(ConnectionLost("the engine broke ZeroMQ's protocol: it spoke before it was ready"))
            elif b"\n" in message or message.endswith(b"\r"):
                lines += [line.removesuffix(b"\r") for line in message.removesuffix(b"\n").split(b"\n")]
            else:
                lines.append(message)
            if self.fault:
                return lines
        self._need = need
        self._rest += data[start:]
        return lines

    def _greet(self, data: bytes) -> bool:
        """Whether this begins with a good greeting; a program of another kind is known by its first byte."""
        if data[0] != 0xFF or (len(data) > 9 and not data[9] & 1):
            self._refuse(ConnectionLost("the engine does not speak ZeroMQ"))
        elif len(data) > 10 and data[10] < 3:
            self._refuse(ConnectionLost("the engine uses ZeroMQ from before version 4"))
        elif len(data) < len(GREETING):
            self._rest += data
            self._need = next(size for size in (10, 11, len(GREETING)) if size > len(data))
        elif data[12:32].rstrip(b"\0") != b"NULL":
            self._refuse(ConnectionLost("the engine wants ZeroMQ's security, which is not used here"))
        else:
            return True
        return False

    def _obey(self, command: bytes) -> None:
        size = command[0] if command else 0
        name, data = command[1 : size + 1], command[size + 1 :]
        if name == b"READY":
            kind = _properties(data).get(b"socket-type", b"")
            if kind == b"PAIR" and not self.ready:
                self.ready = True
                self._reply(b"" if self._first else READY)
            elif not self.ready:
                self._reply(_command(b"ERROR", b"\x1ba PAIR socket is needed here"))
                shown = kind.decode("ascii", "replace")[:16]
                self._refuse(ConnectionLost(f"the engine uses ZeroMQ with a {shown} socket, but a PAIR is needed"))
        elif name == b"ERROR":
            self._refuse(ConnectionLost("the engine refused the connection"))
        elif name == b"PING":
            # ping = command-size %d4 "PING" ping-ttl ping-context, where ping-ttl = 2OCTET
            self._reply(_command(b"PONG", data[2:18]))

    def _reply(self, data: bytes) -> None:
        self.replies += data
        self.news = True

    def _refuse(self, fault: TransportError) -> None:
        self.fault = fault
        self.news = True
        self._rest = bytearray()


def _properties(data: bytes) -> dict[bytes, bytes]:
    """The properties in a READY command; names are to be compared without regard to case."""
    found = {}
    while data:
        name_end = 1 + data[0]
        value_start = name_end + 4
        value_end = value_start + int.from_bytes(data[name_end:value_start], "big")
        found[data[1:name_end].lower()] = data[value_start:value_end]
        data = data[value_end:]
    return found
