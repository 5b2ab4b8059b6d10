"""Helpers of an engine: processes on this machine; see `helpers.cluster` for the workers of a Dask cluster.

They are asked to think about the same position for a given time; what has come when time is over counts, and whoever
is late, dead or broken is done without. Nothing here waits for a helper but `answers`, and that no longer than it is
told to.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from ggtp.errors import GgtpError
from ggtp.kit.engine import Game
from ggtp.kit.helpers.helper import Request, think_here
from ggtp.kit.settings import PLAYER, RULE_TEXT, SEED, START_CLOCK, TOLD
from ggtp.processes.dialogue import Dialogue
from ggtp.processes.spawn import PROJECT, without_folder

Findings = dict[str, Any]
"""What an engine's `findings` are, of whatever type this engine knows; or why there are none, under `failed`."""
LOOK = 0.02
"""Seconds between two looks at whether answers are still wanted."""
WITHDRAWN = b""
"""An empty line."""


class TeamError(GgtpError):
    """There can be no such team."""


class Team(Protocol):
    """Those who help. For one thread at a time."""

    @property
    def trouble(self) -> str:
        """Why not everybody helps, in a sentence; empty where all is well."""

    @property
    def lost(self) -> bool:
        """Whether that will not become better by itself."""

    @property
    def waiting(self) -> int:
        """How many have not answered the last question yet, as far as was listened to them."""

    def wait(self, seconds: float) -> bool:
        """Wait until they can be asked, so long at most; whether they can."""

    def ask(self, request: Request) -> None:
        """Let everybody think; what was asked before is forgotten."""

    def answers(self, deadline: float | None, should_stop: Callable[[], bool] = lambda: False) -> list[Findings]:
        """What came until everybody has answered who is still there, or it is told to stop.

        Args:
            deadline: when, on the clock `time.monotonic`, nothing is waited for any more; None for never.
            should_stop: asked many times a second.
        """

    def withdraw(self) -> None:
        """Let those stop who still think: nobody waits for them any more."""

    def close(self) -> None:
        """Send everybody home."""


def request_for(game: Game, seconds: float | None, alone: Mapping[str, str]) -> Request:
    """What helpers are asked about a play.

    Args:
        game: where it stands.
        seconds: how long to think; None for no limit but that of the options.
        alone: options that are different for helpers.
    """
    text = {RULE_TEXT: " ".join(game.rules.text.split())} if game.rules.text is not None else {}
    left_out = (*TOLD, START_CLOCK, SEED)
    options = {name: value for name, value in game.settings.items() if name not in left_out}
    options |= {PLAYER: game.player, **text, **alone}
    return {"options": options, "history": game.history, "seconds": seconds}


def dismiss(team: Team) -> None:
    """Send everybody home while we go on."""
    threading.Thread(target=team.close, daemon=True, name="farewell").start()


class Processes:
    """Helpers in processes on this machine."""

    def __init__(self, module: str, count: int) -> None:
        """Start so many programs of the engine in that module.

        Raises:
            TeamError: the system does not let us.
        """
        command = [sys.executable, "-m", think_here.__module__, module]
        if module.partition(".")[0] == PROJECT:  # another engine's module may be in the working folder
            command = without_folder(command)
        self._round = 0
        self._owing: set[int] = set()
        """Who has not answered the last question yet."""
        self._heard: queue.SimpleQueue[tuple[int, Findings | None]] = queue.SimpleQueue()
        """Who has said what; None for who has ended."""
        self._members: list[Dialogue] = []
        self._lines: list[queue.SimpleQueue[bytes | None]] = []
        """What each is to be told next; None for nothing more."""
        try:
            for _ in range(count):
                self._members.append(Dialogue(command))
        except OSError as error:
            self.close()
            raise TeamError(f"No process can be started that helps: {error.strerror}.") from None
        self._lines = [queue.SimpleQueue() for _ in self._members]
        for number in range(count):
            for work in (self._listen, self._speak):
                threading.Thread(target=work, args=(number,), daemon=True, name=work.__name__).start()

    @property
    def alive(self) -> int:
        """How many are at work."""
        return sum(member.alive for member in self._members)

    @property
    def trouble(self) -> str:
        ended = len(self._members) - self.alive
        return f"{ended} of {len(self._members)} processes that help have ended." if ended else ""

    @property
    def lost(self) -> bool:
        return self.alive < len(self._members)

    @property
    def waiting(self) -> int:
        return len(self._owing)

    def wait(self, seconds: float) -> bool:
        return True

    def ask(self, request: Request) -> None:
        self._round += 1
        seconds = request["seconds"]
        until = None if seconds is None else time.monotonic() + seconds
        self._owing = {number for number, member in enumerate(self._members) if member.alive}
        for number in self._owing:
            options = {**request["options"], SEED: str(1000 * self._round + number)}
            asked: Request = {**request, "options": options, "until": until, "round": self._round}
            self._lines[number].put(json.dumps(asked).encode())

    def answers(self, deadline: float | None, should_stop: Callable[[], bool] = lambda: False) -> list[Findings]:
        found: list[Findings] = []
        while self._owing and not should_stop():
            left = LOOK if deadline is None else min(LOOK, deadline - time.monotonic())
            try:
                number, findings = self._heard.get(timeout=max(0.0, left))
            except queue.Empty:
                if left <= 0:
                    break
                continue
            if findings is None:
                self._owing.discard(number)
            elif number in self._owing and findings.pop("round", None) == self._round:
                self._owing.discard(number)
                found.append(findings)
        return found

    def withdraw(self) -> None:
        for number in self._owing:
            self._lines[number].put(WITHDRAWN)
        self._owing = set()

    def close(self) -> None:
        for member in self._members:
            member.kill()
        for number, member in enumerate(self._members):
            member.end(0.0)
            if number < len(self._lines):
                self._lines[number].put(None)

    def _speak(self, number: int) -> None:
        """Hand lines to a helper: one that does not read makes nobody wait but this thread."""
        with suppress(OSError, ValueError):
            while (line := self._lines[number].get()) is not None:
                self._members[number].tell(line)

    def _listen(self, number: int) -> None:
        with suppress(OSError, ValueError):
            while line := self._members[number].hear():
                with suppress(ValueError):  # whatever else it prints
                    told = json.loads(line)
                    if isinstance(told, dict):
                        self._heard.put((number, told))
        self._heard.put((number, None))
