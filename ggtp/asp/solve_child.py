"""One search for a plan in a process of its own, with limits that hold for certain.

    python -m ggtp.asp.solve_child < requests > findings

The first line is a JSON object: `network`, the bytes of `gdl.ground_wire` in base 64, or `text`, a
rulesheet; `method`, `"steps"`, `"once"` or, for a network, `"explore"`; `build`, to make a network of the text;
`sweep`, to look through all states first, if they are few; `start`, the facts of the state in which the play stands,
in canonical form; `goal`, the most that is wanted; `configuration`; `seed`; `check`, whether plans by the text are
played before they are told; `megabytes` on top of what the program itself takes; `cache` and `name` for who can open a
cache.

The answer is a line of JSON for each finding (`findings.to_json`), with `gave_up` at its end where it ended without an
answer. With `stay` it does not end: it says `rested`, and waits for another line, `{"number": 1, "start": [...]}`,
which can also come while it searches, and is then obeyed at once; without a `start` there, it rests. Each finding has
the `number` of the line that it answers. To stop it, kill it; it ends with whoever started it, too.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import queue
import random
import resource
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO

from ggtp.asp.findings import Finding, GaveUp, Plan, Rested, to_json
from ggtp.errors import GgtpError
from ggtp.gdl.language.parse import parse_strictly
from ggtp.processes.bounds import bound

if TYPE_CHECKING:
    from ggtp.asp.order import Before
    from ggtp.gdl.language.syntax import Rulesheet
    from ggtp.gdl.network.network import Built, Network
    from ggtp.gdl.play.compiled import CompiledGame
    from ggtp.native.machine import CodeCache

ORDER_SECONDS = 4.0
"""What may be spent on finding moves that commute."""
WATCHED_EVERY = 0.5
"""Seconds between two looks whether anybody is left to tell."""
BLIND_HORIZON = 10
"""The first guess of a play's length where nothing is known of it."""
MOST_RULES = 200_000
"""Ground rules up to which a network is made here, beside the compiler's own; a second or two."""

Opened = Callable[[str], "CodeCache"]


def main(source: BinaryIO, target: BinaryIO, opened: Opened | None = None) -> int:
    """Reads requests, writes findings; the result is 0 if there is a plan, and nothing is better.

    Args:
        source: has the requests.
        target: where findings go.
        opened: opens a cache of machine code, by its folder.
    """
    request = json.loads(source.readline())
    _load(request)
    gc.freeze()  # what is loaded stays, and need not be looked at again and again
    size = None
    if request.get("megabytes"):
        size = _address_space() + (int(request["megabytes"]) << 20)
    bound(memory_bytes=size)
    work = _Work(request, opened)
    if not request.get("stay"):
        return 0 if _answer(work, request.get("start"), target, None, lambda: False) else 1
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, lines), daemon=True).start()
    number, start, wanted = request.get("number", 0), request.get("start"), True
    while True:
        if wanted and _answer(work, start, target, number, lambda: not lines.empty()) is None:
            return 1
        line = lines.get()
        while not lines.empty():
            line = lines.get()
        if not line:
            return 0
        told = json.loads(line)
        wanted, number, start = "start" in told, told.get("number", number), told.get("start")


def _read(source: BinaryIO, lines: queue.SimpleQueue[bytes]) -> None:
    """Passes lines on, and an empty one at the end."""
    while True:
        line = source.readline()
        lines.put(line)
        if not line:
            return


def _answer(
    work: _Work, start: list[str] | None, target: BinaryIO, number: int | None, should_stop: Callable[[], bool]
) -> bool | None:
    """Searches, and tells what it finds; whether there is a plan that nothing betters, None where it can't go on."""
    plans: list[Plan] = []
    began = time.process_time()

    def emit(finding: Finding) -> None:
        if isinstance(finding, Plan):
            seconds, preparing = time.process_time() - began, max(0.0, work.prepared - began)
            finding = replace(finding, seconds=round(seconds, 4), preparing=round(preparing, 4))
            plans.append(finding)
        line = to_json(finding) if number is None else {**to_json(finding), "number": number}
        target.write(json.dumps(line).encode() + b"\n")
        target.flush()

    try:
        work.search(start, emit, should_stop)
    except (MemoryError, RuntimeError) as error:
        # Clingo reports a lack of memory as either.
        emit(GaveUp(f"the search takes more memory than it may have ({error})" if str(error) else "out of memory"))
        return None
    except GgtpError as error:
        # The rules are at fault, or the network would be too large to be made here.
        emit(GaveUp(str(error)))
        return None
    final = bool(plans) and not should_stop()
    if number is not None:
        emit(Rested(final))
    elif not plans:
        emit(GaveUp("there is nothing more to try"))
    return final


def _load(request: dict[str, Any]) -> None:
    """Loads what the search needs: libraries take time and address space, which are not the search's."""
    # Who has no network needs clingo alone, and begins sooner.
    if "network" not in request:
        import ggtp.asp.textual
    if "network" in request or request.get("build"):
        import ggtp.asp.order
        import ggtp.asp.sweep
        import ggtp.gdl.ground.wire
        import ggtp.gdl.network.build
    if request.get("method") == "explore":
        import ggtp.asp.explore
        import ggtp.gdl.play.compiled  # noqa: F401


def _address_space() -> int:
    """Bytes that the program itself takes, before there is any search."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


class _Work:
    """What a request says, and what was made of its rules, which one search after the other can use."""

    def __init__(self, request: dict[str, Any], opened: Opened | None) -> None:
        self._request = request
        self._opened = opened
        self._rng = random.Random(request.get("seed", 0))
        chosen = request.get("configuration")
        self._configurations: Sequence[str] | None = [chosen] if chosen else None
        self._steps = request.get("method", "steps") == "steps"
        self.prepared = 0.0
        """What `time.process_time` was when the last search began after all preparations."""

    def search(self, start: list[str] | None, emit: Callable[[Finding], None], should_stop: Callable[[], bool]) -> None:
        """Searches from a state, or from where the game begins."""
        if self._request.get("method") == "explore":
            self._explore(start, emit, should_stop)
        elif "network" in self._request or self._request.get("build"):
            self._by_network(self._built.network, start, emit, should_stop)
        else:
            self._by_text(start, emit, should_stop)

    @cached_property
    def _sheet(self) -> Rulesheet:
        return parse_strictly(self._request["text"])

    @cached_property
    def _built(self) -> Built:
        if "network" in self._request:
            from ggtp.gdl.ground.wire import decode_built

            return decode_built(base64.b64decode(self._request["network"]))
        from ggtp.gdl.ground.grounder import ground
        from ggtp.gdl.network.build import build

        gc.disable()  # nothing there makes cycles of objects worth looking for, and looking takes a third of the time
        try:
            return build(ground(self._sheet, max_rules=MOST_RULES))
        finally:
            gc.enable()

    @cached_property
    def _game(self) -> CompiledGame:
        from ggtp.gdl.play.compiled import CompiledGame

        request, opened = self._request, self._opened
        kept = opened(request["cache"]) if opened is not None and request.get("cache") else None
        return CompiledGame(self._built, kept, request.get("name", "") if kept is not None else "")

    def _by_text(
        self, start: list[str] | None, emit: Callable[[Finding], None], should_stop: Callable[[], bool]
    ) -> None:
        from ggtp.asp.solver import CONFIGURATIONS
        from ggtp.asp.textual import TextSearch

        request, configurations = self._request, self._configurations or CONFIGURATIONS
        check = request.get("check", True)
        text = TextSearch(self._sheet, emit, should_stop, request.get("goal"), start=start, check=check)
        self.prepared = time.process_time()
        if self._steps:
            text.step_by_step(configurations[0])
        else:
            text.at_once(request.get("horizon") or BLIND_HORIZON, configurations)

    def _by_network(
        self,
        network: Network,
        start: list[str] | None,
        emit: Callable[[Finding], None],
        should_stop: Callable[[], bool],
    ) -> None:
        from ggtp.asp.search import Task, at_once, goals_of, step_by_step
        from ggtp.asp.solver import CONFIGURATIONS
        from ggtp.asp.sweep import sweep

        request, configurations = self._request, self._configurations or CONFIGURATIONS
        self.prepared = time.process_time()
        facts = _facts(network, start)
        task = Task(network, goals_of(network, request.get("goal")), emit, facts, should_stop=should_stop)
        if request.get("order", True):
            task.orders = lambda: _orders(network, self._rng, facts, should_stop)
        if request.get("sweep") and sweep(task):
            return
        if self._steps:
            step_by_step(task, configurations[0])
        else:
            at_once(task, self._rng, configurations, request.get("horizon"))

    def _explore(
        self, start: list[str] | None, emit: Callable[[Finding], None], should_stop: Callable[[], bool]
    ) -> None:
        from ggtp.asp.explore import explore
        from ggtp.asp.search import Task, goals_of

        network, request = self._game.network, self._request
        self.prepared = time.process_time()
        goals = goals_of(network, request.get("goal"))
        task = Task(network, goals, emit, _facts(network, start), should_stop=should_stop)
        explore(task, self._game, self._rng, request.get("megabytes") or 1024)


def _orders(network: Network, rng: random.Random, start: list[int] | None, should_stop: Callable[[], bool]) -> Before:
    from ggtp.asp.order import needless_orders

    end = time.process_time() + ORDER_SECONDS
    return needless_orders(network, rng, lambda: time.process_time() > end or should_stop(), start)


def _facts(network: Network, facts: list[str] | None) -> list[int] | None:
    if facts is None:
        return None
    number = {text: index for index, text in enumerate(network.facts)}
    # Facts that never change are none of the network's.
    return [number[fact] for fact in facts if fact in number]


def end_with(parent: int) -> None:
    """Ends this process, whatever it does, soon after its parent has ended."""
    while os.getppid() == parent:
        time.sleep(WATCHED_EVERY)
    os._exit(2)


def watched() -> None:
    """Lets this process end with its parent."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()


if __name__ == "__main__":
    watched()
    sys.exit(main(sys.stdin.buffer, sys.stdout.buffer))
