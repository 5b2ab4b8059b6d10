"""`ggtp check --vgdl-traces`: replays recorded video games and tells which of them our players play otherwise."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from ggtp.catalogue.paths import expand
from ggtp.catalogue.traces.vgdl_traces import INTERPRETER, VideoVerdict, check_video_trace, read_video_traces
from ggtp.errors import CommandError
from ggtp.ui.commands.traces import shortened, wanted
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say


def run_vgdl_traces(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Check every recorded game of a file.

    Raises:
        CommandError: there is no such file, or no folder of games.
        OSError: it can't be read.
    """
    path = expand(args.vgdl_traces, env.variables)
    if args.games is None:
        raise CommandError("Say where the games of the traces are: --games FOLDER.")
    folder = expand(args.games, env.variables)
    if not folder.is_dir():
        raise CommandError(f"There is no folder {folder}.")
    if not path.is_file():
        raise CommandError(f"There is no file {path}.")
    verdicts = []
    for trace in read_video_traces(path):
        if not (wanted(trace.game, args.only) or wanted(trace.identity, args.only)):
            continue
        verdict = check_video_trace(trace, folder, INTERPRETER, args.time)
        verdicts.append(verdict)
        why = f": {shortened(verdict.why)}" if verdict.why else ""
        line = f"{len(verdicts)} {verdict.identity} {verdict.outcome} ({verdict.seconds:.1f} s){why}"
        say(env.stderr, line)
    if not verdicts:
        raise CommandError(f"There are no{' such' if args.only else ''} traces in {path}.")
    say(env.stdout, *([json.dumps(data(verdicts))] if args.json else report(verdicts)))
    return ExitStatus.REFUSED if any(verdict.outcome == "failed" for verdict in verdicts) else ExitStatus.DONE


def data(verdicts: Sequence[VideoVerdict]) -> dict[str, object]:
    """The verdicts for programs. A game may have several traces, so what passed is told by their names."""
    result: dict[str, object] = {"passed": [item.identity for item in verdicts if item.outcome == "passed"]}
    for outcome in ("failed", "skipped"):
        result[outcome] = [
            {"game": item.game, "trace": item.identity, "why": item.why} for item in verdicts if item.outcome == outcome
        ]
    return result


def report(verdicts: Sequence[VideoVerdict]) -> list[str]:
    """The verdicts for people: what failed, what was skipped, and the sums at the end."""
    lines = [
        f"{outcome}: {item.identity}: {shortened(item.why)}"
        for outcome in ("failed", "skipped")
        for item in verdicts
        if item.outcome == outcome
    ]
    counts = {outcome: sum(item.outcome == outcome for item in verdicts) for outcome in ("passed", "failed", "skipped")}
    return [*lines, ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) + "."]
