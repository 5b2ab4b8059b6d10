"""`ggtp check --traces`: replays recorded games and tells which of them our players play otherwise."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from ggtp.catalogue.compile.cache import cache_folder
from ggtp.catalogue.paths import expand
from ggtp.catalogue.traces.traces import ANY, TraceSettings, TraceVerdict, check_trace, read_traces
from ggtp.errors import CommandError
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say

LONG = 300
"""Characters of a reason that are printed; JSON has all."""


def run_traces(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Check every trace of a file.

    Raises:
        CommandError: there is no such file, or no folder of games.
        OSError: it can't be read.
    """
    path, folder = expand(args.traces, env.variables), expand(args.games or ".", env.variables)
    if args.games is None:
        raise CommandError("Say where the games of the traces are: --games FOLDER.")
    if not folder.is_dir():
        raise CommandError(f"There is no folder {folder}.")
    settings = TraceSettings(args.kernel or ANY, args.time, args.memory, cache_folder(env.variables))
    verdicts = _check(env, path, folder, settings, args.only)
    if args.json:
        say(env.stdout, json.dumps(data(verdicts)))
    else:
        say(env.stdout, *report(verdicts))
    return ExitStatus.REFUSED if any(verdict.outcome == "failed" for verdict in verdicts) else ExitStatus.DONE


def _check(
    env: Environment, path: Path, folder: Path, settings: TraceSettings, only: Sequence[str] | None
) -> list[TraceVerdict]:
    verdicts = []
    for trace in read_traces(path):
        if not wanted(trace.game, only):
            continue
        verdict = check_trace(trace, folder, settings)
        verdicts.append(verdict)
        say(env.stderr, _progress(verdict, len(verdicts)))
    if not verdicts:
        raise CommandError(f"There are no{' such' if only else ''} traces in {path}.")
    return verdicts


def wanted(game: str, only: Sequence[str] | None) -> bool:
    """Whether a game's name fits one of the patterns: the name as it is recorded, its last part, or that without its
    suffix; all names fit where there are no patterns."""
    path = PurePosixPath(game)
    return only is None or any(fnmatch(name, pattern) for name in (game, path.name, path.stem) for pattern in only)


def _progress(verdict: TraceVerdict, number: int) -> str:
    kernel = f", {verdict.kernel}" if verdict.kernel else ""
    why = f": {shortened(verdict.why)}" if verdict.why else ""
    return f"{number} {verdict.game} {verdict.outcome} ({verdict.seconds:.1f} s{kernel}){why}"


def data(verdicts: Sequence[TraceVerdict]) -> dict[str, object]:
    """The verdicts for programs."""
    result: dict[str, object] = {"passed": [item.game for item in verdicts if item.outcome == "passed"]}
    for outcome in ("failed", "skipped"):
        result[outcome] = [{"game": item.game, "why": item.why} for item in verdicts if item.outcome == outcome]
    result["interpreted"] = [{"game": item.game, "why": item.note} for item in verdicts if item.note]
    return result


def report(verdicts: Sequence[TraceVerdict]) -> list[str]:
    """The verdicts for people: what failed, what was skipped, and the sums at the end."""
    lines = []
    for outcome in ("failed", "skipped"):
        lines += [
            f"{outcome}: {item.game}: {shortened(item.why)}" for item in verdicts if item.outcome == outcome
        ]  # fmt: skip
    lines += [f"interpreted: {item.game}: {shortened(item.note)}" for item in verdicts if item.note]
    counts = {outcome: sum(item.outcome == outcome for item in verdicts) for outcome in ("passed", "failed", "skipped")}
    lines.append(", ".join(f"{count} {outcome}" for outcome, count in counts.items()) + ".")
    return lines


def shortened(text: str) -> str:
    """One line of it, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONG else f"{line[:LONG]}..."
