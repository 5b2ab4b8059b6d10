"""The wire over ZeroMQ: the engine connects a PAIR socket, and every line is a message.

The endpoint is a socket file in a directory that only this user may enter. Where there are no such files it is a port
of the loopback interface.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import tempfile

from ggtp.transport.base import OnLine, OnLost, OnReady
from ggtp.transport.stream import ListeningWire
from ggtp.transport.tcp import TcpWire
from ggtp.transport.zmtp import ZmtpFraming

LONGEST_PATH = 100  # the kernel has room for 108 bytes, on some systems for 104


async def open_wire(on_line: OnLine, on_lost: OnLost, on_ready: OnReady, *, limit: int) -> IpcWire | ZmqTcpWire:
    """Bind a new endpoint and wait for its engine.

    Args:
        limit: the most bytes in a line from the engine, and the most that may wait for it before `send` refuses.
    """
    directory = _private_directory()
    if directory:
        return IpcWire(on_line, on_lost, on_ready, limit, directory)
    return ZmqTcpWire(on_line, on_lost, on_ready, ZmtpFraming(limit, first=False), limit)


def _private_directory() -> str:
    """A new directory for a socket file, or nothing where its path would be too long or there are no such files."""
    if not hasattr(socket, "AF_UNIX"):
        return ""
    for parent in (None, "/tmp"):
        directory = tempfile.mkdtemp(prefix="ggtp-", dir=parent)  # for us alone: mode 0700
        if len(os.fsencode(directory)) <= LONGEST_PATH - len("/engine"):
            return directory
        os.rmdir(directory)
    return ""


class IpcWire(ListeningWire):
    """A socket file, and the one connection that is made to it; the file is gone as soon as there is one."""

    def __init__(self, on_line: OnLine, on_lost: OnLost, on_ready: OnReady, limit: int, directory: str) -> None:
        self._directory = directory
        path = os.path.join(directory, "engine")
        self.endpoint = f"ipc://{path}"
        self.sockets = (directory,)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(path)
            super().__init__(on_line, on_lost, on_ready, ZmtpFraming(limit, first=False), limit, listener)
        except BaseException:
            listener.close()
            self._remove_directory()
            raise

    def _admit(self, connection: socket.socket) -> bool:
        if hasattr(socket, "SO_PEERCRED"):
            pid_uid_gid = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            return bool(struct.unpack("3i", pid_uid_gid)[1] == os.geteuid())
        return True

    def _stop_listening(self) -> None:
        super()._stop_listening()
        # Now, and not only at the end: nothing is left behind should we be killed.
        self._remove_directory()

    def _remove_directory(self) -> None:
        shutil.rmtree(self._directory, ignore_errors=True)


class ZmqTcpWire(TcpWire):
    """The same over a port of the loopback interface."""

    def __init__(self, on_line: OnLine, on_lost: OnLost, on_ready: OnReady, framing: ZmtpFraming, limit: int) -> None:
        super().__init__(on_line, on_lost, on_ready, framing, limit)
        self.endpoint = f"tcp://{self.host}:{self.port}"
