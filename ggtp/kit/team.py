"""Helpers of an engine: processes on this machine, or the workers of a Dask cluster.

They are asked to think about the same position for a given time; what has come when time is over counts, and whoever
is late, dead or broken is done without.
"""

from __future__ import annotations

import json
import queue
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from ggtp.errors import GgtpError
from ggtp.kit.engine import Game
from ggtp.kit.helper import think_here
from ggtp.kit.settings import LAST_SEARCH, PLAYER, RULE_TEXT, SEED, START_CLOCK

Findings = dict[str, Any]
PATIENCE = 0.005
GONE = 1.0
"""Seconds after which a worker that the scheduler does not know any more is not waited for."""
CONNECT_SECONDS = 10.0


class TeamError(GgtpError):
    """There can be no such team."""


class Team(Protocol):
    """Those who help."""

    def ask(self, request: Mapping[str, Any]) -> None:
        """Let everybody think; what was asked before is forgotten."""

    def answers(self, deadline: float) -> list[Findings]:
        """What came until then, on the clock `time.monotonic`, or until everybody has answered."""

    def close(self) -> None:
        """Send everybody home."""


def request_for(game: Game, seconds: float, alone: Mapping[str, str]) -> dict[str, Any]:
    """What helpers are asked about a play.

    Args:
        game: where it stands.
        seconds: how long to think.
        alone: options that are different for helpers.
    """
    text = {RULE_TEXT: " ".join(game.rules.text.split())} if game.rules.text is not None else {}
    left_out = (LAST_SEARCH, START_CLOCK, SEED)
    options = {name: value for name, value in game.settings.items() if name not in left_out}
    options |= {PLAYER: game.player, **text, **alone}
    return {"options": options, "history": game.history, "player": game.player, "seconds": seconds}


class Processes:
    """Helpers in processes on this machine."""

    def __init__(self, module: str, count: int) -> None:
        """Start so many programs of the engine in that module."""
        command = [sys.executable, "-m", think_here.__module__, module]
        self._round = 0
        self._answers: queue.SimpleQueue[tuple[int, Findings]] = queue.SimpleQueue()
        self._open = 0
        self._members = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(count)
        ]
        self._asked: list[queue.SimpleQueue[int]] = [queue.SimpleQueue() for _ in self._members]
        for member, asked in zip(self._members, self._asked, strict=True):
            threading.Thread(target=self._listen, args=(member, asked), daemon=True, name="listener").start()

    @property
    def alive(self) -> int:
        """How many are at work."""
        return sum(member.poll() is None for member in self._members)

    def ask(self, request: Mapping[str, Any]) -> None:
        self._round += 1
        self._open = 0
        request = {**request, "until": time.monotonic() + request["seconds"]}
        for number, (member, asked) in enumerate(zip(self._members, self._asked, strict=True)):
            line = json.dumps({**request, "options": {**request["options"], SEED: str(1000 * self._round + number)}})
            assert member.stdin is not None
            with suppress(OSError, ValueError):
                asked.put(self._round)
                member.stdin.write(line + "\n")
                member.stdin.flush()
                self._open += 1

    def answers(self, deadline: float) -> list[Findings]:
        found: list[Findings] = []
        while len(found) < min(self._open, self.alive + len(found)):
            left = deadline - time.monotonic()
            try:
                number, findings = self._answers.get(timeout=max(0.0, min(left, 0.05)))
            except queue.Empty:
                if left <= 0:
                    break
                continue
            if number == self._round:
                found.append(findings)
        return found

    def close(self) -> None:
        for member in self._members:
            member.kill()
        for member in self._members:
            member.wait()
            for pipe in (member.stdin, member.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()

    def _listen(self, member: subprocess.Popen[str], asked: queue.SimpleQueue[int]) -> None:
        assert member.stdout is not None
        with suppress(OSError, ValueError):
            for line in member.stdout:
                number = asked.get()
                answer = json.loads(line)
                # Whoever has failed has answered too: nobody need wait for it.
                self._answers.put((number, answer))


class Cluster:
    """Helpers on the workers of a Dask cluster, one each; workers may come and go between moves."""

    def __init__(self, module: str, address: str) -> None:
        """Connect to a scheduler.

        Raises:
            TeamError: the library is missing, or nobody answers there.
        """
        connect: Any = _library().Client  # it has no types
        self._module = module
        self._token = secrets.token_hex(8)
        try:
            self._client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise TeamError(f"No scheduler of a cluster answers at {address}: {error}.") from None
        self._futures: dict[str, Any] = {}
        """By where they are computed."""

    @property
    def workers(self) -> Sequence[str]:
        """Where they are."""
        return list(self._client.scheduler_info(n_workers=-1)["workers"])

    def ask(self, request: Mapping[str, Any]) -> None:
        self._forget()
        self._futures = {
            worker: self._client.submit(
                think_here,
                self._token,
                self._module,
                {**request, "options": {**request["options"], SEED: secrets.token_hex(4)}},
                workers=[worker],
                allow_other_workers=False,
                pure=False,
                retries=0,
            )
            for worker in self.workers
        }

    def answers(self, deadline: float) -> list[Findings]:
        waiting, found = dict(self._futures), list[Findings]()
        began, seen = time.monotonic(), dict[str, float]()
        while waiting:
            for worker, future in list(waiting.items()):
                if future.done():
                    del waiting[worker]
                    if future.status == "finished":
                        # What has come is fetched within what is left; a worker may die even then.
                        with suppress(Exception):
                            found.append(future.result(timeout=max(0.01, deadline - time.monotonic())))
            if time.monotonic() >= deadline:
                break
            now = time.monotonic()
            for worker in self.workers:
                seen[worker] = now
            waiting = {worker: future for worker, future in waiting.items() if now - seen.get(worker, began) < GONE}
            if waiting:
                _pause(min(PATIENCE, max(0.0, deadline - time.monotonic())))
        return found

    def _forget(self) -> None:
        for future in self._futures.values():
            future.release()
        self._futures = {}

    def close(self) -> None:
        self._forget()
        self._client.close(timeout=2)


def _library() -> Any:
    try:
        import distributed
    except ImportError:
        missing = "distributed is not installed, which a cluster needs: pip install 'ggtp[cluster]'."
        raise TeamError(missing) from None
    return distributed


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """A scheduler and worker processes on this machine; yields the scheduler's address.

    Raises:
        TeamError: the library is missing.
    """
    make = _library().LocalCluster
    with make(n_workers=workers, threads_per_worker=2, processes=True, dashboard_address=None, silence_logs=50) as made:
        yield str(made.scheduler_address)


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)
