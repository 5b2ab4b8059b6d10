"""`ggtp tournament`: a plan is played to its end, or a journal gone on with."""

from __future__ import annotations

import argparse
from pathlib import Path

from ggtp.arena.preparation import is_journal, place_in_file, read_plan, settle_deals
from ggtp.arena.runner import RunnerListeners, open_runner
from ggtp.catalogue import Catalogue
from ggtp.tournament.plan.plan import Plan, PlanError
from ggtp.tournament.schedule.schedule import Schedule, count_games
from ggtp.ui.commands.match import add_running_arguments, check_part, choose_players, choose_view, show_end, take_part
from ggtp.ui.commands.tournament_run import calibrate, report_problems, run_tournament
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say
from ggtp.ui.console.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp tournament`."""
    parser.add_argument("file", metavar="FILE", help="a plan (TOML), or a journal to go on with")
    parser.add_argument(
        "--check",
        action="store_true",
        help="only see whether the plan can be played: every engine is started once and told its options",
    )
    add_running_arguments(parser)


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Play, or go on, and print the table or one line of JSON."""
    catalogue = Catalogue.from_environment(env.variables)
    path = Path(args.file)
    if is_journal(path):
        plan, journal_path = None, path
    else:
        progress = Progress(env.stderr)
        plan = settle_deals(read_plan(path, catalogue, progress.say), catalogue, env.variables)
        progress.clear()
        journal_path = Path(args.journal) if args.journal else path.with_suffix(".journal")
    if args.check:
        return _check(env, plan, catalogue, path)
    view = choose_view(env, args, catalogue)
    check_part(args, plan)
    runner, journal = open_runner(plan, journal_path, listeners=RunnerListeners(view.result, view.log))
    try:
        take_part(args, runner)
        players = choose_players(env, args, runner.plan)
        if not args.cluster:
            calibrate(env, runner)
        status = run_tournament(env, runner, players, view)
    finally:
        journal.close()
    show_end(env, args, runner)
    if runner.part_played:
        complain(env.stderr, f"part {runner.ledger.part} is played: put the parts together with ggtp merge")
    elif not runner.ended:
        complain(env.stderr, f"to go on, say: ggtp tournament {runner.path}")
    elif not args.json:
        complain(env.stderr, f"to see more, say: ggtp report {runner.path}")
    return status


def _check(env: Environment, plan: Plan | None, catalogue: Catalogue, path: Path) -> ExitStatus:
    if plan is None:
        raise PlanError(f"{path} is a journal, and no plan to check.")
    Schedule(plan)
    games = count_games(plan)
    count = f"{games} games" if games is not None else "as many games as its results ask for"
    rules = ", ".join(rule.rule for rule in plan.rules)
    say(env.stdout, f"{plan.name}: {plan.format}, {len(plan.players)} players, {count} of {rules}")
    return report_problems(env, plan, catalogue, lambda problem: place_in_file(path, problem.place))
