"""`ggtp features`: learns the features of a rule, keeps them, and tells them to people or to programs."""

from __future__ import annotations

import argparse
import json

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler, Limits, require_libraries
from ggtp.errors import CommandError
from ggtp.gdl.play.rules import GdlRules
from ggtp.ui.console.arguments import MOST_SEED, seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say
from ggtp.ui.console.progress import Progress

COMPILING = 300.0
"""Seconds that compiling may take."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp features`."""
    parser.add_argument("rule", metavar="RULE|FILE", help="a rule in GDL for two players who take turns")
    parser.add_argument(
        "--time",
        type=learning_time,
        default=10.0,
        metavar="SECONDS",
        help="how long to learn (default 10); 0: what is known",
    )
    parser.add_argument(
        "--most", type=whole_number(0, 1 << 20), default=20, metavar="N",
        help="features that are told, some of each kind and level (default 20)",
    )  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, MOST_SEED), default=0, metavar="S", help="other random games")
    parser.add_argument("--json", action="store_true", help="one line of JSON with all features")


def learning_time(text: str) -> float:
    """Seconds, or 0 to learn nothing."""
    try:
        nothing = float(text) == 0.0
    except ValueError:
        nothing = False
    return 0.0 if nothing else seconds(text)


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Learn, and tell what there is.

    Raises:
        GgtpError: there is no such rule, it can't be compiled, or it is none for two who take turns.
    """
    require_libraries()
    # They load libraries that only the compiler needs.
    from ggtp.search.features.study import study
    from ggtp.search.features.telling import features_data
    from ggtp.ui.report.features import report

    rules = Catalogue.from_environment(env.variables).find_rules(args.rule)
    if not isinstance(rules, GdlRules) or rules.text is None:
        raise CommandError(f"{rules.name} is not in the Game Description Language.")
    progress = Progress(env.stderr)
    try:
        compiler = Compiler.from_environment(env.variables)
        game = compiler.compile(rules.text, Limits(COMPILING), progress=progress.say).game
        progress.say(f"learning {rules.name}")
        features = study(game, args.time, args.seed)
    finally:
        progress.clear()
    if args.json:
        say(env.stdout, json.dumps(features_data(rules.name, features, game.network)))
    else:
        say(env.stdout, *report(rules.name, features, game.network, args.most))
    return ExitStatus.DONE
