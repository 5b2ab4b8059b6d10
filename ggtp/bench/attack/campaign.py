"""The command `ggtp bench attack`: plays the rounds of each part and prints what was found."""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ggtp.bench.attack.parts import PARTS, Part, Site, Skipped
from ggtp.bench.attack.tally import KINDS, Tally, result
from ggtp.game.chance import derive
from ggtp.tournament.columns import columns
from ggtp.ui.console.arguments import MOST_SEED, seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say
from ggtp.ui.console.progress import Progress

MOST_ROUNDS = 10**9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    names = ", ".join(PARTS)
    parser.add_argument(
        "--only",
        choices=list(PARTS),
        action="append",
        metavar="PART",
        help=f"only this part; may be repeated ({names})",
    )
    parser.add_argument(
        "--rounds",
        type=whole_number(1, MOST_ROUNDS),
        metavar="N",
        help="rounds of each part (default its own number; with --seconds as many as there is time for)",
    )
    parser.add_argument("--seconds", type=seconds, metavar="S", help="begin no round of a part after this time")
    parser.add_argument("--seed", type=whole_number(0, MOST_SEED), default=0, metavar="N", help="where chance begins")
    parser.add_argument(
        "--from",
        dest="first",
        type=whole_number(0, MOST_ROUNDS),
        default=0,
        metavar="ROUND",
        help="begin with this round, to go on with a run or to try a finding again (default 0)",
    )
    width = max(map(len, PARTS))
    parser.epilog = "parts:\n" + "\n".join(f"  {part.name:<{width}}  {part.summary}" for part in PARTS.values())


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Attack, and print a table or one line of JSON; refused where anything was found."""
    tallies: list[Tally] = []
    try:
        for name in dict.fromkeys(args.only or PARTS):
            tallies.append(Tally(name))
            _attack(env, PARTS[name], tallies[-1], args)
    finally:  # also where it is interrupted: a night's findings are not to be lost
        if args.json:
            say(env.stdout, json.dumps(result(args.seed, tallies)))
        else:
            say(env.stdout, *lines(args.seed, tallies))
    return ExitStatus.REFUSED if any(tally.bad for tally in tallies) else ExitStatus.DONE


def generator(seed: int, part: str, number: int) -> random.Random:
    """The chance of one round."""
    return random.Random(derive(seed, "attack", part, number))


def _attack(env: Environment, part: Part, tally: Tally, args: argparse.Namespace) -> None:
    began = time.monotonic()
    until = began + args.seconds if args.seconds else float("inf")
    rounds = args.rounds or (MOST_ROUNDS if args.seconds else part.rounds())
    progress = Progress(env.stderr)
    tally.first = tally.round = args.first

    def tell(text: str) -> None:
        bad = f", {tally.bad} found" if tally.bad else ""
        progress.say(f"{part.name}: round {tally.round}, {tally.tried} tried{bad}: {text}")

    try:
        with tempfile.TemporaryDirectory(prefix="ggtp-attack-", ignore_cleanup_errors=True) as folder:
            site = Site(Path(folder), tally, tell, env.variables, lambda: time.monotonic() >= until)
            with part.begin(site) as attempt:
                for number in range(args.first, args.first + rounds):
                    if site.enough():
                        break
                    tell("")
                    before = tally.bad
                    attempt(number, generator(args.seed, part.name, number))
                    for finding in tally.findings[before:]:
                        progress.tell(f"{part.name}, round {number}, {finding.kind}: {finding.what}")
                    tally.round = number + 1
    except Skipped as why:
        tally.skipped = str(why)
    finally:
        tally.seconds = time.monotonic() - began
        progress.clear()


def lines(seed: int, tallies: Sequence[Tally]) -> list[str]:
    """The result for people."""
    table: list[tuple[str, ...]] = [("", "rounds", "tried", *KINDS, "seconds")]
    for tally in tallies:
        counts = (f"{tally.counts[kind]}" for kind in KINDS)
        table.append((tally.part, f"{tally.first}-{tally.round}", f"{tally.tried:,}", *counts, f"{tally.seconds:.1f}"))
    found = columns(table)
    for tally in tallies:
        if tally.skipped:
            found.append(f"{tally.part} was skipped: {tally.skipped}")
        elif tally.figures:
            found.append(f"{tally.part}: " + ", ".join(f"{name} {value:g}" for name, value in tally.figures.items()))
    for tally in tallies:
        found += [f"{it.part}, round {it.round}, {it.kind}: {it.what}" for it in tally.findings]
    bad = sum(tally.bad for tally in tallies)
    found.append(f"{bad} things went wrong; seed {seed}." if bad else f"Nothing went wrong; seed {seed}.")
    return found
