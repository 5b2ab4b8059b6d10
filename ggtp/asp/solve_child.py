"""One search for a plan in a process of its own, with limits that hold for certain.

    python -m ggtp.asp.solve_child < request > findings

The request is one JSON object: `network`, the bytes of `gdl.ground_wire` in base 64, or `text`, a
rulesheet; `method`, `"steps"`, `"once"` or, for a network, `"explore"`; `start`, the facts of the state in
which the play stands, in canonical form; `goal`, the most that is wanted; `configuration`; `seed`;
`megabytes` on top of what the program itself takes; `cache` and `name` for who can open a cache.

The answer is a line of JSON for each finding (`findings.to_json`), and at its end `{"kind": "gave_up"}`
where it ended without an answer. To stop it, kill it; it ends with whoever started it, too.
"""

from __future__ import annotations

import base64
import json
import os
import random
import resource
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

from ggtp.asp.findings import Finding, GaveUp, Plan, to_json
from ggtp.asp.order import Before, needless_orders
from ggtp.asp.search import Task, at_once, goals_of, step_by_step
from ggtp.asp.solver import CONFIGURATIONS
from ggtp.gdl.ground_wire import decode_built
from ggtp.gdl.network import Network
from ggtp.gdl.parse import parse_strictly

if TYPE_CHECKING:
    from ggtp.gdl.kernel_machine import CodeCache

ORDER_SECONDS = 4.0
"""What may be spent on finding moves that commute."""
WATCHED_EVERY = 0.5
"""Seconds between two looks whether anybody is left to tell."""
BLIND_HORIZON = 20
"""The first guess of a play's length where nothing is known of it."""


def main(source: BinaryIO, target: BinaryIO, opened: Callable[[str], CodeCache] | None = None) -> int:
    """Reads a request, writes findings; the result is 0 if there is a plan, and nothing is better.

    Args:
        source: has the request.
        target: where findings go.
        opened: opens a cache of machine code, by its folder.
    """
    request = json.load(source)
    exploring = request.get("method") == "explore"
    if exploring:
        import ggtp.asp.explore  # noqa: F401 - its libraries take address space, which is not the search's
    if request.get("megabytes"):
        size = _address_space() + (int(request["megabytes"]) << 20)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    plans: list[Plan] = []
    began = time.process_time()

    def emit(finding: Finding) -> None:
        if isinstance(finding, Plan):
            finding = replace(finding, seconds=round(time.process_time() - began, 4))
            plans.append(finding)
        target.write(json.dumps(to_json(finding)).encode() + b"\n")
        target.flush()

    try:
        if exploring:
            _explore(request, emit, opened)
        else:
            search(request, emit)
    except (MemoryError, RuntimeError) as error:
        # Clingo reports a lack of memory as either.
        emit(GaveUp(f"the search takes more memory than it may have ({error})" if str(error) else "out of memory"))
        return 1
    if not plans:
        emit(GaveUp("there is nothing more to try"))
        return 1
    return 0


def _address_space() -> int:
    """Bytes that the program itself takes, before there is any search."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def search(request: dict[str, Any], emit: Callable[[Finding], None]) -> None:
    """Does what the request says."""
    rng = random.Random(request.get("seed", 0))
    configurations = [request["configuration"]] if request.get("configuration") else list(CONFIGURATIONS)
    steps = request.get("method", "steps") == "steps"
    if "network" not in request:
        from ggtp.asp.textual import TextSearch

        text = TextSearch(parse_strictly(request["text"]), emit, most=request.get("goal"))
        if steps:
            text.step_by_step(configurations[0])
        else:
            text.at_once(request.get("horizon") or BLIND_HORIZON, configurations)
        return
    network = decode_built(base64.b64decode(request["network"])).network
    start = _facts(network, request.get("start"))
    task = Task(network, goals_of(network, request.get("goal")), emit, start)
    if request.get("order", True):
        task.orders = lambda: _orders(network, rng, start)
    if steps:
        step_by_step(task, configurations[0])
    else:
        at_once(task, rng, configurations, request.get("horizon"))


def _explore(
    request: dict[str, Any], emit: Callable[[Finding], None], opened: Callable[[str], CodeCache] | None
) -> None:
    from ggtp.asp.explore import explore
    from ggtp.gdl.compiled import CompiledGame

    built = decode_built(base64.b64decode(request["network"]))
    network = built.network
    kept = opened(request["cache"]) if opened is not None and request.get("cache") else None
    game = CompiledGame(built, kept, request.get("name", "") if kept is not None else "")
    task = Task(network, goals_of(network, request.get("goal")), emit, _facts(network, request.get("start")))
    explore(task, game, random.Random(request.get("seed", 0)), request.get("megabytes") or 1024)


def _orders(network: Network, rng: random.Random, start: list[int] | None) -> Before:
    end = time.process_time() + ORDER_SECONDS
    return needless_orders(network, rng, lambda: time.process_time() > end, start)


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


if __name__ == "__main__":
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    sys.exit(main(sys.stdin.buffer, sys.stdout.buffer))
