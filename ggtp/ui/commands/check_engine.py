"""`ggtp check-engine`: talks to an engine as a referee does, and tells which promises of the protocol it breaks."""

from __future__ import annotations

import argparse
import asyncio
import json

from ggtp.arena.conformance.examination import CHECKS, Wanted, examine
from ggtp.arena.conformance.verdict import Check
from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.errors import CommandError, GgtpError, OptionError
from ggtp.game import Rules
from ggtp.game.names import did_you_mean, match_name
from ggtp.ui.console.arguments import MOST_SEED, setting, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say

USUAL_RULES = ("TicTacToe", "Chess", "Go", "KuhnPoker", "Backgammon", "gdl/tictactoe")
"""The rules that an engine is tried with if none is named: the first that it can play."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp check-engine`."""
    parser.add_argument(
        "engine", metavar="ENGINE", help="a name, the path of a description, or a foreign program as in uci:stockfish"
    )
    parser.add_argument("--rule", help="the game that it is told (the first that it can play, TicTacToe before others)")
    parser.add_argument("--player", help="for whom it plays (the rule's first player)")
    for name, whose in (("--option", "engine"), ("--rule-option", "rule")):
        parser.add_argument(
            name,
            type=setting,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"an option of the {whose}; may be repeated",
        )
    parser.add_argument(
        "--games", type=whole_number(1, 1000), default=2, metavar="N", help="how many games are played (2)"
    )
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEED), default=0, metavar="N", help="which moves the others make (0)"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON: engine, rule, player, conforms, checks")
    parser.epilog = "The exit status is 1 where a check has failed. Warnings do not count."


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Look at the engine, and say what was found.

    Raises:
        GgtpError: there is no such engine, rule, option or player, or the engine can't play the rule.
    """
    catalogue = Catalogue.from_environment(env.variables)
    spec = catalogue.find_engine(args.engine)
    reference = args.rule or usual_rule(catalogue, spec)
    rules = catalogue.guarded_rules(reference)
    values = rules.complete(dict(args.rule_option))
    if not spec.can_play(rules, values):
        complain(
            env.stderr, f"the description of {spec.name} says that it can't play {rules.name}; it is tried all the same"
        )
    wanted = Wanted(
        spec, rules, reference, values, dict(args.option), player_of(rules, values, args.player), args.games, args.seed
    )
    width = max(map(len, CHECKS))

    def report(check: Check) -> None:
        if not args.json:
            for line in check.lines(width):
                say(env.stdout, line)

    if not args.json:
        say(env.stdout, f"{spec.name} as {wanted.player} in {rules.name}")
    verdict = asyncio.run(examine(wanted, report))
    say(env.stdout, json.dumps(verdict.data()) if args.json else verdict.summary())
    return ExitStatus.DONE if verdict.conforms else ExitStatus.REFUSED


def usual_rule(catalogue: Catalogue, spec: EngineSpec) -> str:
    """A rule that the engine can play, as far as its description says.

    Raises:
        CommandError: it can play none that is found.
    """
    others = (entry.name for entry in catalogue.list_rules() if not entry.shadowed_by and not entry.problem)
    for name in (*USUAL_RULES, *others):
        try:
            rules = catalogue.guarded_rules(name)
            if spec.can_play(rules, rules.complete({})):
                return name
        except GgtpError:  # a rule that can't be loaded is not the engine's affair
            continue
    raise CommandError(f"Engine {spec.name} can play none of the rules that are found: name one with --rule.")


def player_of(rules: Rules, values: dict[str, str], name: str | None) -> str:
    """A player of the rule: the one of that name, or the first.

    Raises:
        OptionError: there is none of that name.
    """
    players = rules.players(values)
    if name is None:
        return players[0]
    found = match_name(name, players)
    if found is None:
        hint = did_you_mean(name, players) or f" There are: {', '.join(players)}."
        raise OptionError(f"--player {name}: {rules.name} has no player of that name.{hint}")
    return found
