"""`ggtp solve`: looks for a plan in a one-player game, and says what is proven about it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler, require_libraries
from ggtp.catalogue.paths import expand
from ggtp.catalogue.solve.puzzle import Puzzle, Search, Solution, one_player, solve
from ggtp.catalogue.solve.solver import METHODS
from ggtp.play.writing import game_lines
from ggtp.ui.console.arguments import MOST_SEED, seconds, setting, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import say
from ggtp.ui.console.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp solve`."""
    parser.add_argument("rule", metavar="RULE|FILE", help="a one-player rule: its name, or the path of its file")
    parser.add_argument(
        "--option",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the rule; may be given again",
    )
    parser.add_argument(
        "--goal", type=whole_number(0, 100), metavar="N", help="be content with so many points (default: the most)"
    )
    parser.add_argument("--time", type=seconds, default=60.0, metavar="SECONDS", help="how long to search (default 60)")
    parser.add_argument("--shortest", action="store_true", help="go on until no shorter plan can exist")
    parser.add_argument(
        "--method",
        choices=sorted(METHODS),
        default="all",
        help="explore: among the states themselves; steps: one length of the play after the other; once: all lengths "
        "in one question; both: the latter two (default all)",
    )
    parser.add_argument("--text", action="store_true", help="let clingo ground the rules' text, not their network")
    parser.add_argument(
        "--memory", type=whole_number(64, 1 << 20), default=4096, metavar="MIB", help="what it may take (default 4096)"
    )
    parser.add_argument("--seed", type=whole_number(0, MOST_SEED), default=0, metavar="S", help="repeat its guesses")
    parser.add_argument("--output", "-o", metavar="FILE", help="write the plan as a play file")
    parser.add_argument("--json", action="store_true", help="one line of JSON: goal, steps, plan, proof, seconds")
    parser.epilog = "The exit status is 1 where no plan was found."


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Solve a game.

    Raises:
        GgtpError: there is no such rule or option, or it is none for one player with a rulesheet, or libraries are
            missing.
        OSError: the play file can't be written.
    """
    require_libraries()
    puzzle = one_player(Catalogue.from_environment(env.variables), args.rule, dict(args.option))
    progress = Progress(env.stderr)
    search = Search(
        goal=args.goal,
        shortest=args.shortest,
        methods=METHODS[args.method],
        by_text=args.text,
        limit=args.time,
        megabytes=args.memory,
        seed=args.seed,
    )
    solution = solve(puzzle, search, Compiler.from_environment(env.variables), progress.say)
    progress.clear()
    if solution.plan is not None and args.output:
        path = expand(args.output, env.variables)
        path.write_text(play_file(args.rule, env, puzzle, dict(args.option), solution), encoding="utf-8")
    say(env.stdout, *([json.dumps(solution.data())] if args.json else report(puzzle, solution)))
    return ExitStatus.DONE if solution.plan is not None else ExitStatus.REFUSED


def report(puzzle: Puzzle, solution: Solution) -> list[str]:
    """The solution for people."""
    taken, name = f"{solution.seconds:.2f} s", puzzle.rules.name
    if solution.plan is None:
        return [f"{name}: no plan found in {taken}; {solution.proof}"]
    lines = [f"{name}: {solution.plan.goal} points in {len(solution.moves)} moves, {solution.proof}, {taken}"]
    width = len(str(len(solution.moves)))
    return lines + [f"{number:>{width}}  {move}" for number, move in enumerate(solution.moves, 1)]


def play_file(name: str, env: Environment, puzzle: Puzzle, values: Mapping[str, str], solution: Solution) -> str:
    """The plan as commands of a supervisor."""
    path = expand(name, env.variables)
    reference = str(path.resolve()) if path.is_file() else puzzle.rules.name
    moves = [f"{puzzle.player} {move}" for move in solution.moves]
    return "\n".join((*game_lines(reference, values, moves), ""))
