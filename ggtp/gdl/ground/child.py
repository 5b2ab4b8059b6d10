"""Compiles one game in a process of its own, with limits that hold for certain.

    python -m ggtp.gdl.ground.child < request > answer

The request is one JSON object: `text`, the rulesheet; `cpu_seconds` and `megabytes`, the limits (none
where they are missing); `max_rules`.

The answer is lines of JSON, and bytes after the last line. While grounding: `{"rules": 8192}`,
how many ground rules there are, 0 at first; at its end `{"grounded": 9000, "ground_s": 0.06}`. Then either
`{"done": "network", "bytes": 123, "build_s": 0.04, "cpu_s": 0.1}` and so many bytes, which `ground.wire` decodes
(the seconds of the processor, told here since a reader may be late: for grounding, for the rest, and for all), or
`{"failed": "rules", "message": "..."}`: `rules` where the rulesheet is at fault, `stopped` where it
has too many ground rules, `memory` where that ran out.
A process that used up its seconds is ended by the system and says nothing. To cancel, kill it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import mmap
import resource
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from ggtp.errors import RulesError
from ggtp.gdl.ground.grounder import MAX_RULES, GroundingStopped, ground
from ggtp.gdl.ground.wire import KIND, encode_built
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.network.build import build
from ggtp.processes.bounds import bound, end_with_parent


def main(source: BinaryIO, target: BinaryIO) -> int:
    """Reads a request, writes the answer; the result is 0 if there is a network."""
    request = json.load(source)
    began = _cpu_seconds()
    megabytes = request.get("megabytes")
    bound(cpu_seconds=request.get("cpu_seconds"), memory_bytes=None if megabytes is None else megabytes << 20)
    try:
        _see_memory()
        data, build_s = compiled(request, target)
    except RulesError as error:
        return _failed(target, "rules", str(error))
    except GroundingStopped as error:
        return _failed(target, "stopped", str(error))
    except MemoryError:
        return _failed(target, "memory", "The game takes more memory than it may have.")
    used = {"build_s": round(build_s, 4), "cpu_s": round(_cpu_seconds() - began, 4)}
    _line(target, {"done": KIND, "bytes": len(data), **used})
    target.write(data)
    target.flush()
    return 0


def compiled(request: dict[str, Any], target: BinaryIO) -> tuple[bytes, float]:
    """Return the bytes of the network and the seconds after grounding; progress is written to the target."""
    began = _cpu_seconds()
    _line(target, {"rules": 0})
    program = ground(
        parse_strictly(request["text"]),
        max_rules=request.get("max_rules", MAX_RULES),
        progress=lambda rules: _line(target, {"rules": rules}),
    )
    done = _cpu_seconds()
    _line(target, {"grounded": len(program.rules), "ground_s": round(done - began, 4)})
    data = encode_built(build(program))
    return data, _cpu_seconds() - done


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _see_memory() -> None:
    """Sees that there is memory left: the limit does not take back what libraries have taken before it was set."""
    try:
        mmap.mmap(-1, mmap.PAGESIZE).close()
    except OSError as error:
        raise MemoryError from error


def _failed(target: BinaryIO, kind: str, message: str) -> int:
    _line(target, {"failed": kind, "message": message})
    return 1


def _line(target: BinaryIO, item: dict[str, Any]) -> None:
    target.write(json.dumps(item).encode() + b"\n")
    target.flush()


def leave(status: int) -> None:
    """Ends this process at once: all is said, and taking millions of rules down only keeps somebody waiting."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None)._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    end_with_parent()
    # Nothing here makes cycles of objects worth looking for, and looking takes a third of the time.
    gc.disable()
    leave(main(sys.stdin.buffer, sys.stdout.buffer))
