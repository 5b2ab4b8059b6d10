"""Sees to it that the user's cache has what engines in sandboxes compile: they may read it, and not write.

For each of our own engines and each game there is a list of files in the cache. If it is missing, or a file of it, a
process of ours that plays no game has the engine's program compile the game, and makes the list.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from ggtp import __version__
from ggtp.catalogue import EngineSpec
from ggtp.catalogue.compile.cache import DiskCache, usual_cache
from ggtp.driver.tasks import in_thread
from ggtp.game import Player, Rules
from ggtp.processes.child import run_child
from ggtp.protocol.text import join_map

PROGRAM = "ggtp.kit.stock"
OURS = "ggtp.engines."
SECONDS = 300.0
STARTING = 10.0
CLOSING_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game to compile, and the engine that needs it."""

    module: str
    """The engine's program."""
    options: Mapping[str, str]
    """The options by which it learns the game."""

    @property
    def key(self) -> str:
        """Where the list is kept: under another name for whatever may be compiled otherwise."""
        parts = (__version__, self.module, *(f"{name}={value}" for name, value in sorted(self.options.items())))
        return f"stock {sha256(chr(0).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()}"


def wanted(spec: EngineSpec, rules: Rules, reference: str, values: Mapping[str, str], player: Player) -> Wanted | None:
    """Return what an engine will compile for a game; None if it is none of ours, or the rules are no text."""
    if spec.argv[:2] != ("{python}", "-m") or spec.takes_command or spec.bridge or rules.text is None:
        return None
    module = spec.argv[2] if len(spec.argv) > 2 else ""
    if not module.startswith(OURS):
        return None
    options = {"rule_text": " ".join(rules.text.split()), "rule": reference, "player": player}
    return Wanted(module, {**options, **({"rule_options": join_map(values)} if values else {})})


class Stock:
    """What one referee has seen to."""

    def __init__(self, cache: DiskCache | None = None) -> None:
        """Nothing yet. The cache is the user's, unless another one is handed in."""
        self._cache = cache
        self._seen: set[str] = set()
        self._stopping = False
        self._running: set[asyncio.Task[None]] = set()

    def see_to(self, what: Wanted, megabytes: int) -> None:
        """Begin to fill the cache with what is missing, if anything is."""
        if what.key in self._seen:
            return
        self._seen.add(what.key)
        cache = self._cache or usual_cache(os.environ)
        if cache.shared is not None or complete(cache, what.key):
            return
        with suppress(OSError):
            # An engine that starts now is to see what will be in it.
            cache.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        task = asyncio.get_running_loop().create_task(self._fill(cache, what, megabytes))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _fill(self, cache: DiskCache, what: Wanted, megabytes: int) -> None:
        await in_thread(fill, cache, what, megabytes, lambda: self._stopping)

    async def close(self) -> None:
        """Stop what is being compiled."""
        self._stopping = True
        if self._running:
            await asyncio.wait(self._running, timeout=CLOSING_SECONDS)


def complete(cache: DiskCache, key: str) -> bool:
    """Return whether the cache has all that is on a list; then it is as if somebody had just used it."""
    kept = cache.get(key)
    if kept is None:
        return False
    try:
        for name in kept.decode("ascii").split("\n"):
            os.utime(cache.folder / name)
    except (OSError, ValueError):
        return False
    return True


def fill(cache: DiskCache, what: Wanted, megabytes: int, should_stop: Callable[[], bool]) -> None:
    """Have a process of ours compile, unless another referee does so just now."""
    with cache.claim(what.key, lambda: True, 0.0) as somebody:
        if somebody:
            return
        request = {
            "module": what.module,
            "options": {**what.options, "memory": str(megabytes)},
            "seconds": SECONDS,
            "key": what.key,
        }
        try:
            run_child(PROGRAM, request, seconds=SECONDS + STARTING, on_line=lambda _line: None, should_stop=should_stop)
        except OSError:
            return  # there can't be another process: engines compile for themselves
