"""`ggtp audit`: was every engine told what its player may know, and nothing else?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

from ggtp.arena.audit import Audit, audit
from ggtp.arena.journal_file import read_journal_file
from ggtp.catalogue import Catalogue
from ggtp.tournament.journal.journal import read_journal
from ggtp.ui.console.arguments import MOST_SEED, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say
from ggtp.ui.console.progress import Progress

MOST_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp audit`."""
    parser.add_argument("journal", metavar="JOURNAL", help="the journal of a tournament")
    parser.add_argument(
        "--probes",
        type=whole_number(0, 10**9),
        default=200,
        metavar="N",
        help="look for leaks at so many positions (default 200)",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEED), default=0, help="which positions are looked at (default 0)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play every game again and compare."""
    path = Path(args.journal)
    results = read_journal(read_journal_file(path), str(path))
    catalogue = Catalogue.from_environment(env.variables)
    progress = Progress(env.stderr)
    with redirect_stdout(env.stderr):  # rules are guests and may print
        found = audit(results, catalogue.guarded_rules, probes=args.probes, seed=args.seed, say=progress.say)
    progress.clear()
    say(env.stdout, *([json.dumps(found.data())] if args.json else _lines(found)))
    return ExitStatus.DONE if found.clean else ExitStatus.REFUSED


def _lines(audit: Audit) -> Iterator[str]:
    yield f"{audit.games} games, {audit.seats} seats compared with what their players may know: {_words(audit)}."
    for text in audit.differ[:MOST_SHOWN]:
        yield f"DIFFERS  {text}"
    if audit.probes:
        found = f"{len(audit.leaks)} leaks" if audit.leaks else "no leak"
        yield f"{audit.probes} positions looked at for leaks: {found}."
    for text in audit.leaks[:MOST_SHOWN]:
        yield f"LEAK     {text}"
    for text in audit.predicted[:MOST_SHOWN]:
        yield f"PREDICTED  {text}."
    for text in audit.repeated[:MOST_SHOWN]:
        yield f"REPEATED  {text}."
    if len(audit.repeated) > MOST_SHOWN:
        yield f"{len(audit.repeated) - MOST_SHOWN} more deals were repeated like these."
    if audit.small_seed is not None:
        yield f"Seed {audit.small_seed} can be found by trying: an engine that tries knows what chance draws."
    for why, count in audit.skipped.most_common():
        yield f"{count} games not compared: {why}."


def _words(audit: Audit) -> str:
    if audit.differ:
        return f"{len(audit.differ)} differ"
    return "all the same" if audit.seats else "nothing to compare"
