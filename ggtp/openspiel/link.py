"""The child in which OpenSpiel runs: started when it is first needed, again after it has ended, anew for each game."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from ggtp.errors import CommandError

MODULE = "ggtp.openspiel.child"
LIBRARY = "pyspiel"
PATIENCE = 30.0
"""Seconds for an answer; the slowest take a tenth of one."""
MOST_BYTES = 1 << 26
MISSING = "OpenSpiel is not installed: pip install 'ggtp[openspiel]'."


def installed() -> bool:
    """Whether the library is there, which is found out without loading it."""
    return find_spec(LIBRARY) is not None


class Link:
    """Asks the child, one question at a time, from any thread."""

    def __init__(self, module: str = MODULE, patience: float = PATIENCE) -> None:
        self._module = module
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._game = ""
        self._lock = Lock()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The child's answer.

        Raises:
            CommandError: there is none, or it says that there can be none; why, in words. The next
                question starts another child if this one has ended.
        """
        with self._lock:
            found = self._ask(request)
        error = found.get("error")
        if error is not None:
            raise CommandError(f"{error}.")
        return found

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._end()

    def pid(self) -> int | None:
        """The child's process, while there is one."""
        return None if self._process is None else self._process.pid

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        game = request.get("game", "")
        if game != self._game:
            # Another game, another child: what one of them has spoilt in its memory is of no harm to the next.
            self._end()
            self._game = game
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            line = self._line(process)
        except OSError:
            line = b""
        if line is None:
            self._end()
            raise CommandError(f"OpenSpiel has not answered about {game} in {self._patience:g} s, and was ended.")
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            status = self._end()
            raise CommandError(f"OpenSpiel's process has ended over {game} ({_cause(status)}).")
        return found

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """A line of the child; None if it does not come in time, and a part of one if the child ends."""
        assert process.stdout is not None
        until, buffer, handle = time.monotonic() + self._patience, bytearray(), process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(handle, selectors.EVENT_READ)
            while not buffer.endswith(b"\n"):
                left = until - time.monotonic()
                if left <= 0 or len(buffer) > MOST_BYTES:
                    return None
                if selector.select(left):
                    chunk = os.read(handle, 1 << 20)
                    if not chunk:
                        break
                    buffer += chunk
        return bytes(buffer)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        if not installed():
            raise CommandError(MISSING)
        self._end()
        house = str(Path(__file__).resolve().parents[2])
        paths = [house, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        try:
            self._process = subprocess.Popen(
                [sys.executable or "python3", "-P", "-m", self._module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
        except OSError as error:
            raise CommandError(f"OpenSpiel's process can't be started: {error}.") from None
        return self._process

    def _end(self) -> int | None:
        """Ends the child, if there is one; its exit status."""
        process, self._process = self._process, None
        if process is None:
            return None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            # A child that has crashed is about to end by itself, and then tells why.
            process.wait(0.2)
        except subprocess.TimeoutExpired:
            process.kill()
        process.stdout.close()
        return process.wait()


def _cause(status: int | None) -> str:
    if status is not None and status < 0:
        with suppress(ValueError):
            return signal.Signals(-status).name
    return f"status {status}"


LINK = Link()
"""The one that all rules of a process share."""
atexit.register(LINK.close)
