"""Checks one recorded game against a player of ours, in a process of its own, with limits.

    python -m ggtp.catalogue.traces.child < request > answer

The request is one JSON object: `text`, the rulesheet; `record`, a line of a trace file;
`kernel`, which player; `seconds` and `megabytes`, the limits, and `compile_seconds`, which
part of the time may go into a network; `cache`, a folder, or null.

The answer is lines of JSON: `{"kernel": "single"}` when a player is ready, before it
`{"note": "..."}` where that is not the one that was wanted, and at the end
`{"verdict": "passed"}`, or `failed` or `skipped` with a `why`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from ggtp.catalogue.compile.cache import DiskCache
from ggtp.catalogue.compile.compiler import Compiled, Compiler, Limits
from ggtp.errors import GgtpError, NotCompiled, RulesError
from ggtp.gdl.interpret.reasoner import Interpreter
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.play.traces import Machine, first_difference
from ggtp.processes.bounds import bound

Say = Callable[[dict[str, Any]], None]


def main(source: BinaryIO, target: BinaryIO) -> None:
    """Reads a request, writes the answer."""
    request = json.load(source)

    def say(line: dict[str, Any]) -> None:
        target.write(json.dumps(line).encode() + b"\n")
        target.flush()

    bound(cpu_seconds=max(1, round(request["seconds"])), memory_bytes=request["megabytes"] << 20)
    try:
        say(verdict(request, say))
    except MemoryError:
        say({"verdict": "skipped", "why": f"playing it takes more than {request['megabytes']} MiB"})


def verdict(request: dict[str, Any], say: Say) -> dict[str, Any]:
    """The last line of the answer."""
    record = request["record"]
    if "error" in record:
        return {"verdict": "skipped", "why": f"the trace holds no game: {record['error']}"}
    try:
        machine = player(request, say)
    except NotCompiled as error:
        return {"verdict": "skipped", "why": str(error)}
    except RulesError as error:
        return {"verdict": "failed", "why": f"the rules are refused: {error}"}
    try:
        difference = first_difference(machine, record)
    except GgtpError as error:
        return {"verdict": "failed", "why": f"the player gave up: {error}"}
    except (KeyError, TypeError, ValueError, IndexError) as error:
        fault = fault_of_record(record)
        if fault is not None:
            return {"verdict": "skipped", "why": f"the trace can't be used: {fault}"}
        return {"verdict": "failed", "why": f"the player has a bug: {type(error).__name__}: {error}"}
    return {"verdict": "passed"} if difference is None else {"verdict": "failed", "why": difference}


def player(request: dict[str, Any], say: Say) -> Machine[Any]:
    """The player that was asked for; where any will do, the interpreter if nothing better can be had.

    Raises:
        RulesError: the rules can't be played.
        NotCompiled: they can't be compiled.
    """
    wanted = request["kernel"]
    sheet = parse_strictly(request["text"])
    if wanted != "interpreter":
        try:
            compiled = compile_game(request)
            machine, name = compiled_player(compiled, wanted)
            say({"kernel": name})
            return machine
        except (NotCompiled, RulesError) as error:
            if wanted != "any":
                raise
            say({"note": str(error)})
    interpreter = Interpreter(sheet)
    say({"kernel": "interpreter"})
    return interpreter


def compile_game(request: dict[str, Any]) -> Compiled:
    """The game, compiled within its part of the time."""
    cache = None if request["cache"] is None else DiskCache(Path(request["cache"]))
    # In our group, so that it ends when we are ended.
    limits = Limits(request["compile_seconds"], request["megabytes"], own_group=False)
    return Compiler(cache).compile(request["text"], limits)


def compiled_player(compiled: Compiled, wanted: str) -> tuple[Machine[Any], str]:
    """A player of the compiled game, and which one it is."""
    if wanted == "network":
        from ggtp.gdl.network.machine import NetworkMachine

        return NetworkMachine(compiled.game.network), wanted
    own = compiled.game.own_code if wanted == "any" else wanted == "single"
    return compiled.game.machine(compiled=own), "single" if own else "table"


def fault_of_record(record: Any) -> str | None:
    """What is wrong with the form of a trace; None where nothing is."""
    try:
        [str(role) for role in record["roles"]], set(record["initial"])
        for playout in record["playouts"]:
            for step in playout["steps"]:
                step["n"], step["facts"], step["sha1"], step["terminal"]
                if "move" in step and len(step["move"]) != len(record["roles"]):
                    return f"step {step['n']} has {len(step['move'])} moves for {len(record['roles'])} roles"
                for name in ("goals", "legal"):
                    [step[name][str(role)] for role in record["roles"] if name in step]
    except (KeyError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
