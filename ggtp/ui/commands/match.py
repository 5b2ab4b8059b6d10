"""`ggtp match`: engines against each other at one rule, and what that says of them."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from ggtp.arena.cluster import Cluster
from ggtp.arena.pool import default_concurrency
from ggtp.arena.preparation import MOST_PLIES, match_plan, settle_deals
from ggtp.arena.runner import MakePlayers, Runner, RunnerListeners, open_runner
from ggtp.arena.supervision import MOST_CONCURRENCY
from ggtp.catalogue import Catalogue
from ggtp.errors import CommandError, OptionError
from ggtp.game.clock import MOST_WINDOW_MS
from ggtp.game.durations import Control
from ggtp.tournament.plan.clocks import AUTO_WINDOW_MS, MOST_DEPTH, MOST_MS, MOST_NODES, Clocks
from ggtp.tournament.plan.match import Match, contestants, parse_option, parse_sprt, parse_time, with_time_odds
from ggtp.tournament.plan.plan import DEALS, MOST_GAMES, NETWORKS, SANDBOXES, Plan
from ggtp.tournament.schedule.schedule import Part, count_games
from ggtp.tournament.standings.table import remark_lines, standings_data, table_lines
from ggtp.ui.commands.tournament_run import (
    Lines,
    Quiet,
    View,
    calibrate,
    local_players,
    report_problems,
    run_tournament,
)
from ggtp.ui.console.arguments import MOST_KEY, MOST_SEED, milliseconds, part, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say
from ggtp.ui.console.progress import Progress

GAMES = 100
"""How many games a match has."""
SPRT_GAMES = 400_000
"""How many a match has at most that a sequential test ends."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp match`."""
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
        "--start",
        action="append",
        default=[],
        metavar="FILE",
        help="a play file to begin from, or games or positions as PGN, EPD, FEN or SGF; may be repeated",
    )
    parser.add_argument(
        "--plies",
        type=whole_number(1, MOST_PLIES),
        default=0,
        metavar="N",
        help="begin after so many moves of the games that --start names (all)",
    )
    parser.add_argument(
        "--random-moves",
        type=whole_number(1, 1000),
        default=0,
        metavar="N",
        help="begin each block with so many moves at random after which nobody is much ahead",
    )
    parser.add_argument(
        "--games",
        type=whole_number(1, MOST_GAMES),
        help=f"how many games, rounded up to whole blocks ({GAMES}; with --sprt at most {SPRT_GAMES})",
    )
    parser.add_argument(
        "--sprt",
        type=sprt_of,
        metavar="elo0=X,elo1=Y[,alpha=P,beta=P,model=MODEL]",
        help="end the match of two as soon as this sequential test is decided: whether the first is better by elo1, or "
        "only by elo0; the model is normalized (the default), logistic or bayesian",
    )
    add_clock_arguments(parser)
    add_trust_arguments(parser)
    parser.add_argument(
        "--length", type=whole_number(0, MOST_GAMES), default=0, help="call it a draw after so many moves"
    )
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_KEY), metavar="N", help="what chance begins from (a random number)"
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
    parser.add_argument(
        "--check", action="store_true", help="only see whether every engine starts and takes its options"
    )
    parser.add_argument(
        "--repeats",
        type=whole_number(0, MOST_GAMES),
        default=10,
        metavar="N",
        help="begin no more games after N blocks in a row for each that differs were played before, move by move; "
        "0: play all (10)",
    )
    add_running_arguments(parser)


def add_clock_arguments(parser: argparse.ArgumentParser) -> None:
    """Clocks, and limits of searches."""
    time = milliseconds(0, MOST_MS)
    parser.add_argument(
        "--time",
        action="append",
        type=time_of,
        default=[],
        metavar="[PLAYER=]TIME",
        help="for each move, as in 300ms or 5s (plain numbers are milliseconds), or in seconds for all moves with an "
        "increment, as in 5+0.1; PLAYER= gives one player another time; may be repeated",
    )
    parser.add_argument("--bank", type=time, metavar="TIME", help="the time for all moves of a game")
    parser.add_argument("--increment", type=time, metavar="TIME", help="the time added to the bank after each move")
    parser.add_argument("--margin", type=time, default=100, metavar="TIME", help="how late a move may be (100ms)")
    parser.add_argument(
        "--window",
        type=milliseconds(0, MOST_WINDOW_MS),
        default=AUTO_WINDOW_MS,
        metavar="TIME",
        help="after what time others learn of a turn whose time would tell a secret (follows from the clocks)",
    )
    parser.add_argument(
        "--nodes",
        type=whole_number(0, MOST_NODES),
        default=0,
        metavar="N",
        help="positions or playouts of a search, for engines with the option Nodes or Playouts",
    )
    parser.add_argument(
        "--depth",
        type=whole_number(0, MOST_DEPTH),
        default=0,
        metavar="N",
        help="moves that a search looks ahead, for engines with the option Depth",
    )


def add_trust_arguments(parser: argparse.ArgumentParser) -> None:
    """How far engines are trusted."""
    parser.add_argument(
        "--sandbox",
        choices=SANDBOXES,
        default="standard",
        help="how far engines are kept from the rest of the machine (standard)",
    )
    parser.add_argument(
        "--network", choices=NETWORKS, default="asked", help="which engines in a sandbox may use the network (asked)"
    )
    parser.add_argument(
        "--deals",
        choices=tuple(DEALS),
        default="auto",
        help="whether the games of a block have the same dice and deals; auto: unless an engine could remember them",
    )


def time_of(text: str) -> tuple[str, Control]:
    """Reads the time of a player, or of all."""
    try:
        return parse_time(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None


def sprt_of(text: str) -> dict[str, float | str]:
    """Reads a sequential test."""
    try:
        return parse_sprt(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None


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
    parser.add_argument(
        "--part",
        type=part,
        metavar="K/N",
        help="play this part of the blocks alone, as one of N machines with the same plan and seed; ggtp merge puts "
        "their journals together",
    )
    parser.add_argument("--plain", action="store_true", help="lines for a log instead of a live table")
    parser.add_argument("--json", action="store_true", help="one line of JSON at the end, and nothing else")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play, and print the table or one line of JSON."""
    catalogue = Catalogue.from_environment(env.variables)
    progress = Progress(env.stderr)
    plan = match_plan(match_of(args, catalogue), catalogue, Path.cwd(), progress.say)
    progress.clear()
    if args.check:
        return report_problems(env, plan, catalogue, lambda problem: problem.player or plan.rules[0].rule)
    plan = settle_deals(plan, catalogue, env.variables)
    games = count_games(plan)
    if games is not None and games != wanted_games(args):
        complain(env.stderr, f"{games} games are played, so that every player has every seat")
    if args.part and not args.journal:
        raise CommandError("--part needs --journal: ggtp merge puts journals together.")
    if args.journal:
        return _play(env, args, plan, Path(args.journal))
    with tempfile.TemporaryDirectory(prefix="ggtp-match-") as folder:
        return _play(env, args, plan, Path(folder) / "journal")


def _play(env: Environment, args: argparse.Namespace, plan: Plan, path: Path) -> ExitStatus:
    view = choose_view(env, args, Catalogue.from_environment(env.variables))
    check_part(args, plan)
    runner, journal = open_runner(plan, path, listeners=RunnerListeners(view.result, view.log))
    try:
        take_part(args, runner)
        if not args.cluster:
            calibrate(env, runner)
        status = run_tournament(env, runner, choose_players(env, args, runner.plan), view)
    finally:
        journal.close()
    show_end(env, args, runner)
    if runner.part_played:
        complain(env.stderr, f"part {runner.ledger.part} is played: put the parts together with ggtp merge")
    elif not runner.ended and args.journal:
        again = "say the same again, or" if runner.path == path else "say"
        complain(env.stderr, f"to go on, {again}: ggtp tournament {runner.path}")
    return status


def check_part(args: argparse.Namespace, plan: Plan | None) -> None:
    """See that all who play parts play the same tournament.

    Raises:
        CommandError: they would not.
    """
    if args.part and plan is not None and plan.seed is None:
        raise CommandError("--part needs a seed, so that all parts are of the same tournament.")


def take_part(args: argparse.Namespace, runner: Runner) -> None:
    """Let a runner play its part alone, where one is named.

    Raises:
        PlanError: the tournament can't be played in parts.
    """
    if args.part:
        runner.take_part(Part(*args.part))


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
        say(env.stdout, json.dumps(standings_data(runner.plan, standings, runner.ledger.test)))
        return
    plain = env.ascii_only
    for line in (*table_lines(standings, ascii_only=plain), "", *remark_lines(runner.ledger, ascii_only=plain)):
        say(env.stdout, line)


def match_of(args: argparse.Namespace, catalogue: Catalogue) -> Match:
    """The match that the command line means.

    Raises:
        OptionError: a player or an option can't be read.
    """
    odds = dict(args.time)
    players = contestants(args.player, catalogue.bridge_kinds(), restart=args.restart)
    return Match(
        players=with_time_odds(players, {name: control for name, control in odds.items() if name}),
        rule=args.rule,
        options=dict(map(parse_option, args.rule_option)),
        games=wanted_games(args),
        starts=[str(Path(file).absolute()) for file in args.start],
        plies=args.plies,
        random_moves=args.random_moves,
        clocks=clocks_of(args, odds.get("", Control())),
        length=args.length,
        seed=args.seed,
        scramble=args.scramble,
        repeats=args.repeats,
        sandbox=args.sandbox,
        network=args.network,
        deals=args.deals,
        sprt=args.sprt,
    )


def wanted_games(args: argparse.Namespace) -> int:
    """How many games are to be played, at most where a test ends the match."""
    games: int | None = args.games
    return games or (GAMES if args.sprt is None else SPRT_GAMES)


def clocks_of(args: argparse.Namespace, control: Control) -> Clocks:
    """The clocks of all players that have no others.

    Raises:
        OptionError: the bank is given twice, or an increment without a bank.
    """
    bank, increment = args.bank, args.increment
    if control.bank and (bank is not None or increment is not None):
        raise OptionError(f"--time {control.text()} has a bank already: leave out --bank and --increment.")
    if increment and not bank:
        raise OptionError("--increment needs a bank: write --time 5+0.1, or --bank, too.")
    return Clocks(
        move=control.move,
        bank=control.bank or bank or 0,
        increment=control.increment or increment or 0,
        margin=args.margin,
        window=args.window,
        nodes=args.nodes,
        depth=args.depth,
    )
