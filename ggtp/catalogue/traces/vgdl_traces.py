"""Recorded video games: reads a trace file, finds games and levels in a folder, and has each trace checked.

Nothing in such a file is trusted: a line that is no record, a game that is not there and one
that takes too long are verdicts like others, and the rest is checked.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ggtp.catalogue.paths import read_file
from ggtp.catalogue.traces.traces import read_traces
from ggtp.errors import RulesError

SUFFIXES = (".txt", ".vgdl")
INTERPRETER = "interpreter"

Outcome: TypeAlias = Literal["passed", "failed", "skipped"]


@dataclass(slots=True)
class VideoTrace:
    """A recorded game: how it began, and its ticks."""

    identity: str
    game: str
    start: dict[str, Any] | None
    ticks: list[dict[str, Any]] = field(default_factory=list)
    problem: str = ""
    """Why it can't be checked."""


@dataclass(frozen=True, slots=True)
class VideoVerdict:
    """What came of one trace."""

    identity: str
    game: str
    outcome: Outcome
    why: str = ""
    seconds: float = 0.0


def read_video_traces(path: Path) -> Iterator[VideoTrace]:
    """The recorded games of a file of JSON lines, compressed by gzip or not; statistics in it are passed over.

    Raises:
        OSError: it can't be opened.
    """
    current: VideoTrace | None = None
    for trace in read_traces(path, needs_game=False):
        record = trace.record
        kind = None if record is None else record.get("k")
        if record is not None and kind == "t" and current is not None and record.get("id") == current.identity:
            current.ticks.append(record)
            continue
        if current is not None:
            yield current
            current = None
        if record is None:
            yield VideoTrace(trace.game, trace.game, None, problem=trace.problem)
        elif kind == "start":
            game = record.get("game")
            if isinstance(game, str) and isinstance(record.get("id"), str):
                current = VideoTrace(record["id"], game, record)
            else:
                yield VideoTrace(trace.game, trace.game, None, problem="the line names no game")
        elif kind != "stat":
            yield VideoTrace(trace.game, trace.game, None, problem="the line belongs to no trace")
    if current is not None:
        yield current


def check_video_trace(trace: VideoTrace, folder: Path, kernel: str, seconds: float) -> VideoVerdict:
    """Checks a recorded game against the rules in the folder."""
    from ggtp.vgdl.world.traces import TraceError  # only those who check such games pay for it

    began = time.monotonic()
    outcome: Outcome
    if trace.start is None:
        outcome, why = "skipped", trace.problem
    else:
        try:
            why = _play(trace, folder, kernel, began + seconds)
            outcome = "failed" if why else "passed"
        except (RulesError, TimeoutError, OSError) as error:
            outcome, why = "skipped", str(error)
        except TraceError as error:
            outcome, why = "skipped", f"the trace is damaged: {error}"
    return VideoVerdict(trace.identity, trace.game, outcome, why, time.monotonic() - began)


def _play(trace: VideoTrace, folder: Path, kernel: str, until: float) -> str:
    from ggtp.vgdl.language.level import survey_level
    from ggtp.vgdl.language.parse import parse_leniently
    from ggtp.vgdl.world.traces import check_start, check_trace, player, seed_of

    start = trace.start
    assert start is not None
    path = find_text(folder, trace.game)
    if path is None:
        raise RulesError(f"there is no game {trace.game} in {folder}")
    number = start.get("level", 0)
    level_path = find_text(folder, f"{trace.game}_lvl{number}")
    if level_path is None:
        raise RulesError(f"there is no level {number} of {trace.game} in {folder}")
    game = parse_leniently(_text(path), str(path))
    level, faults = survey_level(_text(level_path), game)
    if level is None:
        raise RulesError(faults[0].message, path=str(level_path), line=faults[0].line, column=faults[0].column)
    why = check_start(game, level, start)
    if why:
        return why

    def hurry() -> None:
        if time.monotonic() > until:
            raise TimeoutError("it takes too long")

    return check_trace(player(kernel, game, level, seed_of(start)), start, trace.ticks, hurry)


def find_text(folder: Path, name: str) -> Path | None:
    """The file of a game or a level: at that name below the folder, or in one of its sub-folders."""
    plain = Path(name).name
    if not plain or plain in (".", ".."):
        return None
    for suffix in SUFFIXES:
        for place in (folder, *sorted(child for child in folder.iterdir() if child.is_dir())):
            path = place / f"{plain}{suffix}"
            if path.is_file():
                return path
    return None


def _text(path: Path) -> str:
    return read_file(path, RulesError).decode("utf-8-sig", "replace")
