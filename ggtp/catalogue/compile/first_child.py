"""From a rulesheet to the first random game by compiled code, in a process that has nothing loaded yet.

    python -m ggtp.catalogue.compile.first_child < request > answer

The request is one JSON object: `text`, the rulesheet; `cache`, a folder; `seconds` and `megabytes`, the limits
of compiling. The answer is a line of JSON: `games`, how many were played, and `cpu_s`, the processor time of
everything since this process began; or `failed`, why there were none.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any, BinaryIO

from ggtp.catalogue.compile.cache import DiskCache
from ggtp.catalogue.compile.compiler import Compiler, Limits
from ggtp.errors import GgtpError

MAX_STEPS = 10_000
"""A game longer than that is given up."""


def main(source: BinaryIO, target: BinaryIO) -> None:
    """Reads a request, writes the answer."""
    answer = played(json.load(source))
    target.write(json.dumps(answer).encode() + b"\n")
    target.flush()


def played(request: dict[str, Any]) -> dict[str, Any]:
    """The answer."""
    compiler = Compiler(DiskCache(Path(request["cache"])))
    # Ends with us, as a part of our group.
    limits = Limits(request["seconds"], request["megabytes"], own_group=False)
    try:
        kernel = compiler.compile(request["text"], limits).game.best()
    except GgtpError as error:
        return {"failed": str(error)}
    games = kernel.playouts(1, max_steps=MAX_STEPS).games
    taken = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {"games": games, "cpu_s": round(sum(item.ru_utime + item.ru_stime for item in taken), 3)}


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
