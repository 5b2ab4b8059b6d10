"""Fills the user's cache with what an engine compiles for a game, where the engine itself may only read it.

    python -m ggtp.kit.stock < request > answer

The request is one JSON object: `module`, the engine's program, one of ours; `options`, what it is told of the game;
`seconds`, how long it may take; and `key`, the name under which the list of what it has needed is kept. It is told of
no game that is played. The answer is a line of JSON: `kept`, how many files the list has, or `failed`, why there is
none.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, TextIO

from ggtp.catalogue.compile.cache import DiskCache, usual_cache
from ggtp.errors import GgtpError
from ggtp.game import Rules
from ggtp.kit.engine import Budget
from ggtp.kit.helpers.helper import Helper, load_engine
from ggtp.processes.bounds import end_with_parent


def main(source: TextIO, target: TextIO) -> None:
    """Read a request, and write the answer."""
    request = json.load(source)
    try:
        answer: dict[str, Any] = {"kept": fill(request, usual_cache(os.environ))}
    except (GgtpError, OSError) as error:
        answer = {"failed": str(error)}
    target.write(json.dumps(answer) + "\n")
    target.flush()


def fill(request: dict[str, Any], cache: DiskCache) -> int:
    """Let the engine load all that it needs for its game, and keep a list of the files; how many there are.

    Raises:
        GgtpError: the engine has no such program, or does not play this game.
    """
    engine = load_engine(request["module"])
    used: list[str] = []
    if engine.compiles:
        began = moment(cache.folder)
        helper = Helper(engine, _find_rules)
        try:
            helper.prepare(request["options"], Budget(float(request["seconds"])))
        finally:
            helper.close()
        used = used_since(cache.folder, began)
    cache.put(request["key"], "\n".join(used).encode())
    return len(used)


def moment(folder: Path) -> float:
    """Return the time by the clock of the files in a folder, which is made if it is not there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".new-") as file:
        return os.fstat(file.fileno()).st_mtime


def used_since(folder: Path, moment: float) -> list[str]:
    """Return the files of a cache that were written or read since then: whoever reads one renews its time."""
    found = []
    with os.scandir(folder) as scan:
        for entry in scan:
            if not entry.name.startswith(".") and entry.stat().st_mtime >= moment:
                found.append(entry.name)
    return sorted(found)


def _find_rules(name: str) -> Rules:
    from ggtp.catalogue import Catalogue

    return Catalogue.from_environment(os.environ).find_rules(name)


if __name__ == "__main__":
    end_with_parent()
    main(sys.stdin, sys.stdout)
