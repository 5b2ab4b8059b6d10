"""`ggtp bench`: finds a benchmark by its name and runs it."""

from __future__ import annotations

import argparse

from ggtp.errors import CommandError
from ggtp.game.names import match_name, near_names
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say
from ggtp.ui.subcommands import Subcommand, summaries

BENCHES: dict[str, Subcommand] = {
    row.name: row
    for row in (
        Subcommand("referee", "how fast engines play through the referee, over each transport", "ggtp.bench.referee"),
        Subcommand("tournament", "how many games a second a tournament plays", "ggtp.bench.tournament"),
        Subcommand("soak", "whether anything grows or is left over after many games", "ggtp.bench.soak"),
        Subcommand("attack", "whether the referee can be broken, by parts", "ggtp.bench.attack.campaign"),
        Subcommand("centurio", "random games in a start clock, beside those of a paper", "ggtp.bench.centurio"),
        Subcommand("cluster", "random games of MCTS by the number of workers of a cluster", "ggtp.bench.cluster"),
        Subcommand("threads", "random games of MCTS by the number of its threads", "ggtp.bench.threads"),
        Subcommand("search", "how fast minimax searches rules, compiled and not", "ggtp.bench.search"),
        Subcommand("lateness", "whether engines answer in time on a busy machine", "ggtp.bench.lateness"),
        Subcommand("vgdl", "how fast video games are played at random", "ggtp.bench.vgdl"),
        Subcommand("hybrid", "how often Hybrid wins video games, beside plainer players", "ggtp.bench.hybrid"),
        Subcommand("playouts", "how fast rules in GDL play random games, by each kernel", "ggtp.bench.playouts"),
        Subcommand("gifl", "what features are worth to MCTS, beside the GIFL paper", "ggtp.bench.gifl"),
        Subcommand("asp", "how fast one-player games are solved, beside the Centurio paper", "ggtp.bench.asp"),
    )
}
"""Each in a module like that of a subcommand; `args.json` tells whether one line of JSON is wanted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp bench`."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="which benchmark; without it, they are listed")
    parser.add_argument(
        "rest", nargs=argparse.REMAINDER, metavar="...", help="its own arguments, which NAME --help explains"
    )
    parser.epilog = "benchmarks:\n" + "\n".join(_list())


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Run a benchmark, or list them.

    Raises:
        CommandError: there is none of that name.
    """
    if args.name is None:
        say(env.stdout, *_list())
        return ExitStatus.DONE
    name = match_name(args.name, BENCHES)
    if name is None:
        near = near_names(args.name, BENCHES, most=1)
        hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(BENCHES)}."
        raise CommandError(f"No benchmark named {args.name}. {hint}")
    parser = BENCHES[name].parser(env, "ggtp bench")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    return BENCHES[name].call(env, parser, args.rest)


def _list() -> list[str]:
    return summaries(list(BENCHES.values()))
