"""The wire over plain TCP: the engine connects to a port of this machine, and lines end with LF.

A loopback port is open to every user of the machine, so on Linux a peer that belongs to another user is sent away.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from ggtp.transport.base import OnLine, OnLost, OnReady
from ggtp.transport.lines import Framing, LineFraming
from ggtp.transport.stream import ListeningWire

HOST = "127.0.0.1"
QUICKACK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""Linux has it."""


async def open_wire(on_line: OnLine, on_lost: OnLost, on_ready: OnReady, *, limit: int) -> TcpWire:
    """Listen on a free port of the loopback interface.

    Args:
        limit: the most bytes in a line from the engine, and the most that may wait for it before `send` refuses.
    """
    return TcpWire(on_line, on_lost, on_ready, LineFraming(limit), limit)


class TcpWire(ListeningWire):
    """A port of the loopback interface, and the one connection that is made to it."""

    def __init__(self, on_line: OnLine, on_lost: OnLost, on_ready: OnReady, framing: Framing, limit: int) -> None:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listener.bind((HOST, 0))
            super().__init__(on_line, on_lost, on_ready, framing, limit, listener)
        except BaseException:
            listener.close()
            raise
        self._alone = False
        self.host = HOST
        self.port = listener.getsockname()[1]
        self.endpoint = f"{HOST}:{self.port}"

    def listen_at(self, listener: socket.socket) -> None:
        """Wait at a socket of another network, in which there is nobody but the engine."""
        self._alone = True
        super().listen_at(listener)

    def _admit(self, connection: socket.socket) -> bool:
        # A line is small and somebody waits for it: never hold it back for company.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._alone:
            return True
        owner = owner_of_peer(connection.getpeername(), connection.getsockname())
        return owner is None or owner == os.geteuid()

    def _taken_in(self) -> None:
        # An engine that does not set TCP_NODELAY holds its next line back until this one is acknowledged, which Linux
        # does up to 40 ms later. The option is for once: every line that we send ends it.
        if QUICKACK is not None and self._connection is not None:
            self._connection.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)


def owner_of_peer(peer: tuple[str, int], ours: tuple[str, int], table: str = "/proc/net/tcp") -> int | None:
    """The user that owns the other end of a connection within this machine, or None where that cannot be known."""
    try:
        text = Path(table).read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    wanted = [_kernel_address(*peer), _kernel_address(*ours)]
    for row in text.splitlines()[1:]:
        # sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode
        fields = row.split()
        if len(fields) > 9 and fields[1:3] == wanted:
            # A socket that its process has closed already belongs to nobody.
            return int(fields[7]) if fields[9] != "0" else None
    return None


def _kernel_address(host: str, port: int) -> str:
    number = int.from_bytes(socket.inet_aton(host), sys.byteorder)
    return f"{number:08X}:{port:04X}"
