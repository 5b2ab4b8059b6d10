"""`ggtp check`: plays a rule at random and tells which promises of the contract it breaks.

For rules in the Game Description Language it tells more (`ggtp.ui.commands.check_gdl`), and with
`--traces` it replays recorded games instead (`ggtp.ui.commands.traces`).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import textwrap
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.catalogue.gdl_rules import SUFFIXES
from ggtp.catalogue.traces.traces import KERNELS
from ggtp.driver.rule_watch import RuleWatch
from ggtp.errors import GgtpError, RulesError
from ggtp.game import advice
from ggtp.game.advice import Imagines
from ggtp.game.checks.contract import Finding, check_rules
from ggtp.game.checks.running import running_call
from ggtp.game.model import Observation, Player, Position, Rules
from ggtp.game.options import Option
from ggtp.ui.commands.check_gdl import GdlCheck
from ggtp.ui.console.arguments import MOST_SEED, seconds, setting, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say
from ggtp.ui.console.progress import Progress

GAMES = 20
"""How many games are played, unless somebody says otherwise."""
TIME_SECONDS = 60.0
"""What compiling may take, or the replay of a recorded game."""
LIMIT_SECONDS = 30.0
"""What one call of the rule may take: even large boards need a small part of it."""
WIDTH = 100
MANY = 300
"""Of a game, how many moves are printed; of longer ones JSON has all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp check`."""
    parser.add_argument("rule", nargs="?", metavar="RULE|FILE", help="a rule's name, or the path of its file")
    parser.add_argument(
        "--games",
        metavar="N|FOLDER",
        help=f"how many games are played (default {GAMES}); with --traces, the folder that has their rules",
    )
    parser.add_argument(
        "--max-turns",
        type=whole_number(1, 10**9),
        default=2000,
        metavar="N",
        help="turns after which a game should be over (default 2000)",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEED), metavar="S", help="play the same games as another check with S"
    )
    parser.add_argument(
        "--limit",
        type=seconds,
        default=LIMIT_SECONDS,
        metavar="SECONDS",
        help=f"what one call of the rule may take (default {LIMIT_SECONDS:g})",
    )
    parser.add_argument(
        "--option",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="decide an option of the rule; the others are tried out. May be given again",
    )
    parser.add_argument(
        "--traces", metavar="FILE", help="replay the recorded games of a file of JSON lines, compressed or not"
    )
    parser.add_argument(
        "--vgdl-traces", metavar="FILE", help="replay the recorded video games of such a file; --games has their rules"
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="PATTERN",
        help="of recorded games only those whose names fit, * and ? as for files. May be given again",
    )
    parser.add_argument(
        "--kernel", choices=KERNELS, help="who plays rules in GDL (default: the best that can be had in the time)"
    )
    parser.add_argument(
        "--time",
        type=seconds,
        metavar="SECONDS",
        help=f"what compiling rules in GDL may take, and with --traces each game (default {TIME_SECONDS:g}); "
        "if it is given, all games at random together may take as long",
    )
    parser.add_argument(
        "--memory",
        type=whole_number(64, 1 << 20),
        default=4096,
        metavar="MIB",
        help="how much memory that may take (default 4096)",
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON: an object with the findings")
    parser.epilog = "The exit status is 1 where something was found. Python rules run with your rights."


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Check a rule, or traces.

    Raises:
        GgtpError: there is no such rule or option, or the rule can't be loaded.
    """
    fault = _usage_fault(args)
    if fault:
        complain(env.stderr, fault)
        return ExitStatus.USAGE
    bound = args.time
    if bound is None:
        args.time = TIME_SECONDS
    if args.traces is not None:
        from ggtp.ui.commands.traces import run_traces

        return run_traces(env, args)
    if args.vgdl_traces is not None:
        from ggtp.ui.commands.vgdl_traces import run_vgdl_traces

        return run_vgdl_traces(env, args)
    games = played = GAMES if args.games is None else int(args.games)
    seed = random.SystemRandom().getrandbits(31) if args.seed is None else args.seed
    progress = Progress(env.stderr)
    catalogue = Catalogue.from_environment(env.variables)
    path = catalogue.locate_rules(args.rule)
    gdl = GdlCheck(path, args) if path is not None and path.suffix.casefold() in SUFFIXES else None
    # What a rule prints, when it is loaded or played, does not belong into the report.
    with redirect_stdout(env.stderr):
        try:
            if gdl is not None and not gdl.playable:
                findings = [Finding("rulesheet", "it can't be played: it has errors")]
                name = args.rule
            else:
                rules = catalogue.find_rules(args.rule)
                name = rules.name
                found = (
                    [] if gdl is None else gdl.compile(rules, Compiler.from_environment(env.variables), progress.say)
                )
                if args.option:
                    rules = decide(rules, dict(args.option))
                played, checked = _check(rules, args, bound, games, random.Random(seed), progress)
                findings = [*found, *checked]
        finally:
            progress.clear()
    if args.json:
        data = {
            "rule": name,
            "options": dict(args.option),
            "games": played,
            "seed": seed,
            "findings": [_data(finding) for finding in findings],
            **({} if gdl is None else gdl.data()),
        }
        say(env.stdout, json.dumps(data))
    else:
        lines = [] if gdl is None else gdl.report()
        say(env.stdout, *lines, *report(name, played, seed, findings))
    return ExitStatus.REFUSED if findings else ExitStatus.DONE


def _check(
    rules: Rules, args: argparse.Namespace, bound: float | None, games: int, rng: random.Random, progress: Progress
) -> tuple[int, list[Finding]]:
    """Play at random for at most `bound` seconds; return the number of games and what was found in them."""
    count = games
    until = math.inf
    if bound is not None:
        until = time.monotonic() + bound
        count = 0

    def played(number: int) -> None:
        nonlocal count
        count = max(count, number)

    with RuleWatch(progress.tell, limit=args.limit, find=partial(running_call, rules.name)):
        findings = check_rules(
            rules,
            rng=rng,
            games=games,
            max_turns=args.max_turns,
            report=progress.say,
            should_stop=lambda: time.monotonic() > until,
            played=played,
        )
    return count, findings


def _usage_fault(args: argparse.Namespace) -> str:
    for name in ("--traces", "--vgdl-traces"):
        if getattr(args, name.strip("-").replace("-", "_")) is not None:
            return f"{name} has games of its own: name no rule" if args.rule is not None else ""
    if args.only is not None:
        return "--only is for recorded games: name them with --traces"
    if args.rule is None:
        return "name a rule to check, or recorded games with --traces"
    if args.games is not None:
        try:
            whole_number(1, 10**9)(args.games)
        except argparse.ArgumentTypeError as error:
            return f"argument --games: {error}"
    return ""


def report(name: str, games: int, seed: int, findings: Sequence[Finding]) -> list[str]:
    """The findings for people, each with the moves that lead there."""
    played = f"in {games} game{'s' * (games != 1)} with seed {seed}"
    if not findings:
        return [f"{name}: nothing wrong was found {played}."]
    lines = [f"{name}: {len(findings)} finding{'s' * (len(findings) != 1)} {played}."]
    for finding in findings:
        lines += ["", *_wrapped(f"{finding.check}: {finding.message}", "", "    ")]
        if finding.moves:
            lines += _wrapped(f"after {_moves(finding.moves)}", "    ", "        ")
    return lines


def decide(rules: Rules, values: Mapping[str, str]) -> Rules:
    """The same rules with some of their options decided once and for all.

    Raises:
        OptionError: no such option, or no such value.
        RulesError: the rules fail when they are asked for their options.
    """
    try:
        complete = rules.complete(values)
        decided = {
            option.name: complete[option.name]
            for option in rules.options(values)
            if option.name.casefold() in {name.casefold() for name in values}
        }
    except GgtpError:
        raise
    except Exception as error:  # rules that are checked may raise anything
        raise RulesError(f"{rules.name} can't be asked for its options: {type(error).__name__}: {error}") from error

    class Decided(Rules, Imagines):
        name = rules.name
        title = rules.title
        traits = rules.traits
        first_player_open = rules.first_player_open and "starting_player" not in decided
        text = rules.text

        def options(self, values: Mapping[str, str] | None = None) -> tuple[Option, ...]:
            return tuple(
                option for option in rules.options({**(values or {}), **decided}) if option.name not in decided
            )

        def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
            return rules.players({**options, **decided})

        def begin(self, options: Mapping[str, str]) -> Position:
            return rules.begin({**options, **decided})

        def imagine(
            self, player: Player, values: Mapping[str, str], seen: Sequence[Observation], rng: random.Random
        ) -> Position | None:
            return advice.imagine(rules, player, {**values, **decided}, seen, rng)

    return Decided()


def _data(finding: Finding) -> dict[str, object]:
    return {"check": finding.check, "message": finding.message, "moves": finding.moves}


def _moves(moves: Sequence[str]) -> str:
    if len(moves) <= MANY:
        return ", ".join(moves)
    half = MANY // 2
    left = len(moves) - 2 * half
    return ", ".join([*moves[:half], f"... ({left} more, which --json lists) ...", *moves[-half:]])


def _wrapped(text: str, first: str, later: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
    )
