"""Recorded games: reads trace files, finds the rules that they are of, and lets a child check each.

Nothing in such a file is trusted: a line that is no trace, a game that is not there and one
that takes too long are verdicts like others, and the rest is checked.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal, TypeAlias, cast

from ggtp.catalogue.gdl_rules import SUFFIXES
from ggtp.catalogue.paths import open_regular, read_file
from ggtp.errors import RulesError, last_line
from ggtp.processes.child import End, Ended, Line, run_child

CHILD = "ggtp.catalogue.traces.child"
KERNELS = ("interpreter", "network", "single", "table")
"""The players: rule by rule, gate by gate, machine code for single states, and the same gates by table."""
ANY = "any"
"""The best that can be had in the time: machine code or a table, or else the interpreter."""
COMPILING = 0.6
"""Which part of a game's time may go into compiling it, where the interpreter waits to have the rest."""

Outcome: TypeAlias = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Trace:
    """A line of a trace file."""

    game: str
    """What the trace calls the game: a path below a folder of games; or the line, where it says nothing."""
    record: dict[str, Any] | None
    problem: str = ""
    """Why there is no record."""


@dataclass(frozen=True, slots=True)
class TraceSettings:
    """How traces are checked."""

    kernel: str = ANY
    seconds: float = 60.0
    megabytes: int = 4096
    cache: Path | None = None
    """Where compiled games are kept."""


@dataclass(frozen=True, slots=True)
class TraceVerdict:
    """What came of one trace."""

    game: str
    outcome: Outcome
    why: str = ""
    kernel: str = ""
    """Who played, if it came to that."""
    note: str = ""
    """Why that was not the best player."""
    seconds: float = 0.0


MOST_LINE = 1 << 26
"""How long a recorded game may be, in bytes."""


def read_traces(path: Path, needs_game: bool = True) -> Iterator[Trace]:
    """The traces of a file of JSON lines, compressed by gzip or not; those of some kinds name their game only once.

    Raises:
        OSError: it can't be opened, or is no regular file.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        packed = file.peek(2)[:2] == b"\x1f\x8b"
        lines = gzip.GzipFile(fileobj=file) if packed else file
        number = 0
        while True:
            number += 1
            try:
                line = cast(BinaryIO, lines).readline(MOST_LINE + 1)
            except (OSError, EOFError, zlib.error) as error:
                yield Trace(f"line {number}", None, f"the trace file is damaged: {error}")
                return
            if not line:
                return
            if len(line) > MOST_LINE:
                yield Trace(f"line {number}", None, f"the line has more than {MOST_LINE} bytes")
                return
            if line.strip():
                yield _trace(line, number, needs_game)


def _trace(line: bytes, number: int, needs_game: bool) -> Trace:
    try:
        record = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        return Trace(f"line {number}", None, f"the line is no JSON: {error}")
    game = record.get("game") if isinstance(record, dict) else None
    if not needs_game and isinstance(record, dict):
        return Trace(f"line {number}", record)
    if not isinstance(game, str) or not game:
        return Trace(f"line {number}", None, "the line names no game")
    return Trace(game, record)


def find_game(folder: Path, game: str) -> Path | None:
    """The file of a game: at its path below the folder, or at the end of that path; folders may be joined by `__`."""
    parts = [part for part in PurePosixPath(game.replace("\\", "/")).parts if part not in ("/", ".")]
    if ".." in parts:
        return None
    for first in range(len(parts)):
        for name in ("/".join(parts[first:]), "__".join(parts[first:])):
            for suffix in ("", *SUFFIXES):
                path = folder / f"{name}{suffix}"
                try:
                    if path.is_file():
                        return path
                except (OSError, ValueError):  # too long, or with null characters
                    continue
    return None


def check_trace(
    trace: Trace, folder: Path, settings: TraceSettings, should_stop: Callable[[], bool] = lambda: False
) -> TraceVerdict:
    """Checks a trace of a game in the folder."""
    began = time.monotonic()
    if trace.record is None:
        return TraceVerdict(trace.game, "skipped", trace.problem)
    path = find_game(folder, trace.game)
    if path is None:
        return TraceVerdict(trace.game, "skipped", f"there is no such file below {folder}")
    try:
        content = read_file(path, RulesError)
    except RulesError as error:
        return TraceVerdict(trace.game, "skipped", str(error))
    found = _Found()
    ended = run_child(
        CHILD,
        {
            "text": content.decode("utf-8-sig", "replace"),
            "record": trace.record,
            "kernel": settings.kernel,
            "seconds": settings.seconds,
            "compile_seconds": settings.seconds * (COMPILING if settings.kernel == ANY else 1),
            "megabytes": settings.megabytes,
            "cache": None if settings.cache is None else str(settings.cache),
        },
        seconds=settings.seconds,
        on_line=found.note,
        should_stop=should_stop,
    )
    outcome, why = found.verdict or _without_verdict(ended, settings, found.kernel)
    recorded = trace.record.get("file_sha1")
    if outcome == "failed" and recorded not in (None, hashlib.sha1(content, usedforsecurity=False).hexdigest()):
        why += " (the file is not the one that was recorded)"
    return TraceVerdict(trace.game, outcome, why, found.kernel, found.notice, time.monotonic() - began)


class _Found:
    """What a child has said."""

    def __init__(self) -> None:
        self.kernel = ""
        self.notice = ""
        self.verdict: tuple[Outcome, str] | None = None

    def note(self, line: Line) -> None:
        self.kernel = line.get("kernel", self.kernel)
        self.notice = line.get("note", self.notice)
        if "verdict" in line:
            self.verdict = line["verdict"], line.get("why", "")


def _without_verdict(ended: Ended, settings: TraceSettings, kernel: str) -> tuple[Outcome, str]:
    player = f"the {kernel} player" if kernel else "the player"
    if ended.end is End.STOPPED:
        return "skipped", "stopped"
    if ended.end is End.LATE or ended.status in (-9, -24):  # SIGKILL, SIGXCPU: its processor time is used up
        phase = f" with {player}" if kernel else " before there was a player"
        return "skipped", f"more than {settings.seconds:g} s{phase}"
    last = last_line(ended.last_words) or f"status {ended.status}"
    if any(sign in ended.last_words for sign in ("MemoryError", "bad_alloc", "out of memory", "cannot allocate")):
        return "skipped", f"more than {settings.megabytes} MiB"
    return "failed", f"{player} stopped: {last}"
