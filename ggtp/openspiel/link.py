"""The child in which OpenSpiel runs: started when it is first needed, again after it has ended, anew for each game."""

from __future__ import annotations

import atexit
import json
import signal
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from threading import Lock
from typing import Any

from ggtp.errors import CommandError
from ggtp.processes.dialogue import Dialogue, Silent
from ggtp.processes.spawn import NOTHING, environment, module_command

MODULE = "ggtp.openspiel.child"
LIBRARY = "pyspiel"
PATIENCE = 30.0
"""Seconds for an answer; the slowest take a tenth of one."""
GRACE = 0.2
"""A child that has crashed is about to end by itself, and then tells why."""
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
        self._child: Dialogue | None = None
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
        return None if self._child is None else self._child.pid

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        game = request.get("game", "")
        if game != self._game:
            # Another game, another child: what one of them has spoilt in its memory is of no harm to the next.
            self._end()
            self._game = game
        child = self._running()
        try:
            child.tell(json.dumps(request).encode())
            line = child.hear(self._patience)
        except Silent:
            self._end()
            raise CommandError(
                f"OpenSpiel has not answered about {game} in {self._patience:g} s, and was ended."
            ) from None
        except OSError:
            line = b""
        except BaseException:
            self._end()  # given up by a signal: its answer must not be taken for that to the next question
            raise
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            status = self._end()
            raise CommandError(f"OpenSpiel's process has ended over {game} ({_cause(status)}).")
        return found

    def _running(self) -> Dialogue:
        if self._child is not None and self._child.alive:
            return self._child
        if not installed():
            raise CommandError(MISSING)
        self._end()
        try:
            self._child = Dialogue(
                module_command(self._module), stderr=NOTHING, env=environment(), most_bytes=MOST_BYTES
            )
        except OSError as error:
            raise CommandError(f"OpenSpiel's process can't be started: {error}.") from None
        return self._child

    def _end(self) -> int | None:
        """Ends the child, if there is one; its exit status."""
        child, self._child = self._child, None
        return None if child is None else child.end(GRACE)


def _cause(status: int | None) -> str:
    if status is not None and status < 0:
        with suppress(ValueError):
            return signal.Signals(-status).name
    return f"status {status}"


LINK = Link()
"""The one that all rules of a process share."""
atexit.register(LINK.close)
