"""`ggtp match`: engines against each other at one rule, and what that says of them."""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from ggtp.arena.cluster import Cluster
from ggtp.arena.pool import default_concurrency
from ggtp.arena.preparation import complete, prepare
from ggtp.arena.runner import MakePlayers, Runner, open_runner
from ggtp.arena.supervision import MOST_CONCURRENCY
from ggtp.catalogue import Catalogue
from ggtp.errors import OptionError
from ggtp.game.names import match_name
from ggtp.tournament.plan.plan import MOST_GAMES, MOST_MS, Plan, PlanError, plan_from
from ggtp.tournament.schedule.schedule import count_games
from ggtp.tournament.standings.table import elo_data, players_data, points_data, remark_lines, table_lines
from ggtp.ui.commands.tournament_run import Lines, Quiet, View, calibrate, local_players, run_tournament
from ggtp.ui.console.arguments import MOST_SEED, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus

BEHIND_BRIDGE = re.compile(
    r"""(?P<command>"[^"]*"|'[^']*'|.*?)(?::(?P<options>[^\s:=,"'/]+=[^,]*(?:,[^\s:=,"'/]+=[^,]*)*))?""", re.DOTALL
)
"""The command of a foreign program, and its options."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp match`."""
    milliseconds = whole_number(0, MOST_MS)
    parser.add_argument(
        "player",
        nargs="+",
        metavar="PLAYER",
        help="ENGINE, ENGINE:OPTION=VALUE,OPTION=VALUE or NAME=ENGINE:..., two of them or more; an engine may be "
        "a foreign program, as in uci:stockfish",
    )
    parser.add_argument("--rule", required=True, help="the game to play")
    parser.add_argument(
        "--rule-option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the rule; may be repeated",
    )
    parser.add_argument(
        "--start", action="append", default=[], metavar="FILE", help="a play file to begin from; may be repeated"
    )
    parser.add_argument(
        "--games",
        type=whole_number(1, MOST_GAMES),
        default=100,
        help="how many games, rounded up to whole blocks (100)",
    )
    parser.add_argument("--time", type=milliseconds, default=0, metavar="MS", help="milliseconds for each move")
    parser.add_argument(
        "--bank", type=milliseconds, default=0, metavar="MS", help="milliseconds for all moves of a game"
    )
    parser.add_argument(
        "--increment", type=milliseconds, default=0, metavar="MS", help="milliseconds added to the bank after each move"
    )
    parser.add_argument("--margin", type=milliseconds, default=100, metavar="MS", help="how late a move may be (100)")
    parser.add_argument(
        "--length", type=whole_number(0, MOST_GAMES), default=0, help="call it a draw after so many moves"
    )
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEED), default=0, metavar="N", help="what chance begins from (0)"
    )
    parser.add_argument(
        "--scramble",
        type=whole_number(1, MOST_SEED),
        default=0,
        metavar="N",
        help="tell engines a rule in GDL in made-up words, which follow from this number",
    )
    parser.add_argument(
        "--restart", action="store_true", help="start every engine anew for each game, so that none learns from another"
    )
    add_running_arguments(parser)


def add_running_arguments(parser: argparse.ArgumentParser) -> None:
    """What a match and a tournament have in common."""
    parser.add_argument(
        "--concurrency",
        type=whole_number(1, MOST_CONCURRENCY),
        metavar="N",
        help="how many games at once (as many as there are cores)",
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="play on the Dask cluster whose scheduler is at tcp://HOST:PORT"
    )
    parser.add_argument("--journal", metavar="FILE", help="where the journal is kept, so that it can be resumed")
    parser.add_argument("--plain", action="store_true", help="lines for a log instead of a live table")
    parser.add_argument("--json", action="store_true", help="one line of JSON at the end, and nothing else")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play, and print the table or one line of JSON."""
    catalogue = Catalogue.from_environment(env.variables)
    plan = match_plan(args, catalogue)
    games = count_games(plan)
    if games is not None and games != args.games:
        print(f"ggtp: {games} games are played, so that every player has every seat", file=env.stderr)
    if args.journal:
        return _play(env, args, plan, Path(args.journal))
    with tempfile.TemporaryDirectory(prefix="ggtp-match-") as folder:
        return _play(env, args, plan, Path(folder) / "journal")


def _play(env: Environment, args: argparse.Namespace, plan: Plan, path: Path) -> ExitStatus:
    runner, journal = open_runner(plan, path)
    try:
        catalogue = Catalogue.from_environment(env.variables)
        view = choose_view(env, args, catalogue)
        if not args.cluster:
            calibrate(env, runner)
        status = run_tournament(env, runner, choose_players(env, args, plan), view)
    finally:
        journal.close()
    show_end(env, args, runner)
    if not runner.ended and args.journal:
        print(f"ggtp: to go on, say the same again, or: ggtp tournament {args.journal}", file=env.stderr)
    return status


def choose_players(env: Environment, args: argparse.Namespace, plan: Plan) -> MakePlayers:
    """Who plays the games."""
    if args.cluster:
        return lambda on_message, on_lost: Cluster(plan, args.cluster, on_message, on_lost)
    return local_players(env, plan, args.concurrency or default_concurrency())


def choose_view(env: Environment, args: argparse.Namespace, catalogue: Catalogue) -> View:
    """What to show while games are played."""
    if args.json:
        return Quiet(env)
    if args.plain or not env.interactive:
        return Lines(env)
    from ggtp.ui.drawing.dashboard import Dashboard  # rich takes a moment to load

    return Dashboard(env, catalogue)


def show_end(env: Environment, args: argparse.Namespace, runner: Runner) -> None:
    """The final table, or one line of JSON."""
    standings = runner.ledger.standings
    if args.json:
        rules = [rule.rule for rule in runner.plan.rules]
        data: dict[str, Any] = {
            "rule": rules[0] if len(rules) == 1 else rules,
            "games": standings.games,
            "players": players_data(standings),
            "elo": elo_data(standings),
        }
        if points := points_data(standings):
            data["points"] = points
        print(json.dumps(data), file=env.stdout, flush=True)
        return
    plain = env.ascii_only
    for line in (*table_lines(standings, ascii_only=plain), "", *remark_lines(runner.ledger, ascii_only=plain)):
        print(line, file=env.stdout)


def match_plan(args: argparse.Namespace, catalogue: Catalogue) -> Plan:
    """The plan that the command line means.

    Raises:
        GgtpError: it means none that can be played.
    """
    kinds = [entry.name for entry in catalogue.list_engines() if entry.spec is not None and entry.spec.takes_command]
    data: dict[str, Any] = {
        "name": "match",
        "format": "round-robin",
        "seed": args.seed,
        "time": {"move": args.time, "bank": args.bank, "increment": args.increment, "margin": args.margin},
        "adjudicate": {"length": args.length},
        "player": [{**player, "restart": args.restart} for player in players_of(args.player, kinds)],
        "rule": [{"rule": args.rule, "options": dict(map(_option, args.rule_option)), "scramble": args.scramble}],
    }
    if args.start:
        data["rule"][0]["start"] = [{"file": str(Path(file).absolute())} for file in args.start]
    plan = complete(plan_from(prepare(data, catalogue, Path.cwd())), catalogue)
    if len(plan.rules[0].seats) == 1 or len(plan.rules[0].seats) >= len(plan.players):
        plan = plan_from({**plan.data(), "format": "match"})  # else everybody meets everybody
    block = count_games(plan)
    if block is None:
        raise PlanError("There are too many players for one match.")
    blocks = -(-args.games // block)
    return plan_from({**plan.data(), "blocks": blocks})


def players_of(words: Sequence[str], kinds: Collection[str] = ()) -> list[dict[str, Any]]:
    """The players that words of the command line mean; those that would be called the same have numbers."""
    players: list[dict[str, Any]] = []
    taken: set[str] = set()
    for word in words:
        name, engine, options = parse_player(word, kinds)
        number = 2
        unique = name
        while unique.casefold() in taken:
            unique = f"{name}-{number}"
            number += 1
        taken.add(unique.casefold())
        players.append({"name": unique, "engine": engine, "options": options})
    return players


def parse_player(word: str, kinds: Collection[str] = ()) -> tuple[str, str, dict[str, str]]:
    """`NAME=ENGINE:OPTION=VALUE,...`: the name, the engine and its options; without a name the word is one.

    An engine may be `KIND:command` with one of the kinds of bridges. Its command may have colons, so only what looks
    like options behind the last one is taken for them; a command that looks so itself is put in quotes.

    Raises:
        OptionError: an option without a value.
    """
    name, equals, rest = word.partition("=")
    if not equals or ":" in name:
        name, rest = word, word
    engine, _, tail = rest.partition(":")
    if not engine or not name:
        raise OptionError(f"{word} names no engine.")
    if match_name(engine, kinds) is not None:
        found = BEHIND_BRIDGE.fullmatch(tail)
        assert found is not None
        engine, tail = f"{engine}:{found['command']}", found["options"] or ""
    return name, engine, dict(_option(text) for text in tail.split(",") if text)


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise OptionError(f"{text} is no option: write NAME=VALUE.")
    return name, value
