"""A running tournament is managed from elsewhere, by a socket beside its journal.

It speaks lines, as the prompt does, those of `supervision`, each perhaps with a reason behind it,
and answers with lines to show and then one `= ...` or `? ...`. What somebody does this way is in the
journal, with who and why. Only the journal's owner may connect.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import socket
import stat
import struct
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from ggtp.arena.runner import Runner
from ggtp.arena.supervision import supervise
from ggtp.errors import GgtpError

SECONDS = 10.0
"""How long either side waits for the other."""
LINE_BYTES = 4096
ANSWER_BYTES = 2**20


class NotRunning(GgtpError):
    """Nobody listens at a journal."""


def control_path(journal: Path) -> Path:
    """Where the socket of a journal is."""
    return journal.with_name(f"{journal.name}.control")


async def manage(runner: Runner, line: str, who: str) -> str:
    """Do what a line asks of a tournament; the answer, on one line for each line to show."""
    command, _, words = line.strip().partition(" ")
    if command == "stop_tournament" and not runner.over:
        # After the answer, which could not be sent any more.
        why = words.strip()
        asyncio.get_running_loop().call_soon(runner.stop, f"by {who}{f': {why}' if why else ''}")
        return "= Done"
    try:
        *shown, answer = await supervise(runner, command, words, f"by {who}")
    except (GgtpError, OSError) as error:
        return f"? {error}"
    return "\n".join([*shown, f"= {answer}"])


@asynccontextmanager
async def controlled(runner: Runner) -> AsyncIterator[None]:
    """Listen while a tournament runs. Where that can't be, it runs all the same, and says so."""
    path = control_path(runner.path)
    server: asyncio.Server | None = None

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ValueError, TimeoutError):
            async with asyncio.timeout(SECONDS):
                data = await reader.readline()
            if data.endswith(b"\n"):
                answer = await manage(runner, data.decode("utf-8", "replace"), _peer(writer))
                writer.write(f"{answer}\n".encode("utf-8", "replace"))
                async with asyncio.timeout(SECONDS):
                    await writer.drain()
        writer.close()

    try:
        server = await asyncio.start_unix_server(serve, sock=_listener(path), limit=LINE_BYTES)
    except OSError as error:
        runner.say(f"It can't be managed from elsewhere: {path}: {error.strerror or error}.")
    try:
        yield
    finally:
        if server is not None:
            server.close()
            path.unlink(missing_ok=True)


def ask(journal: Path, line: str) -> list[str]:
    """Say a line to the tournament that writes a journal; lines to show, and its answer last.

    Raises:
        NotRunning: none does, or it does not answer.
        OSError: there is no such folder.
    """
    try:
        with socket.socket(socket.AF_UNIX) as wire, _address(control_path(journal)) as address:
            wire.settimeout(SECONDS)
            wire.connect(address)
            wire.sendall(f"{' '.join(line.split())}\n".encode("utf-8", "replace"))
            with wire.makefile("rb") as file:
                answer = file.read(ANSWER_BYTES).decode("utf-8", "replace").splitlines()
    except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError, BrokenPipeError):
        raise NotRunning(f"No tournament that runs here writes {journal}.") from None
    except TimeoutError:
        raise NotRunning(f"The tournament that writes {journal} does not answer.") from None
    if not answer or not answer[-1].startswith(("= ", "? ")):
        raise NotRunning(f"The tournament that writes {journal} has not answered.")
    return answer


def _listener(path: Path) -> socket.socket:
    """A socket for one user. An old one is from a run that was killed: whoever has the journal has its name too."""
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.lstat().st_mode):
            path.unlink()
    listener = socket.socket(socket.AF_UNIX)
    try:
        with _address(path) as address:
            listener.bind(address)
        path.chmod(0o600)  # nobody can connect before it listens
    except OSError:
        listener.close()
        raise
    return listener


@contextmanager
def _address(path: Path) -> Iterator[str]:
    """A name for a socket that fits: they may have about a hundred bytes only, and folders are deep."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}" if sys.platform == "linux" else str(path)
    finally:
        os.close(folder)


def _peer(writer: asyncio.StreamWriter) -> str:
    """Who is at the other end, as the kernel knows it."""
    wire = writer.get_extra_info("socket")
    try:
        pid, uid, _ = struct.unpack("3i", wire.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    except (AttributeError, OSError):  # not every system tells
        return "somebody"
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = f"user {uid}"
    return f"{name} (process {pid})"
