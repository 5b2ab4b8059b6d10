"""`ggtp bench asp`: how fast one-player games are solved, beside the figures of the Centurio paper."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler, require_libraries
from ggtp.catalogue.paths import expand
from ggtp.catalogue.solve.puzzle import Puzzle, Search, one_player, solve
from ggtp.catalogue.solve.solver import METHODS
from ggtp.errors import CommandError, GgtpError, RulesError
from ggtp.tournament.columns import columns
from ggtp.ui.console.arguments import seconds
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.progress import Progress

PAPER: dict[str, float] = {
    "eightpuzzle": 18.09,
    "asteroids": 0.19,
    "buttons": 0.00,
    "godlike": 10.24,
    "hanoi": 374.73,
    "lightsout": 0.91,
    "pancakes": 14.49,
    "queens": 5.23,
    "satpuzzle": 0.28,
    "snake": 237.51,
    "twistypassages": 1.63,
}
"""Seconds of the better of its two systems (Table 2, an Intel i7 940); its games, our own versions of them."""


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a game."""

    game: str
    paper: float | None
    """The paper's seconds, where it has the game."""
    ours: float | None
    """Seconds of the processor from the rules' text to a plan with the best goal: translating it, or grounding it and
    making the network, and the search that found it; None where there was none in the time."""
    search: float | None
    """The part of that search. By the rules' text it is grounding and solving, as in the paper."""
    total: float
    """Seconds by the clock, with everything: processes, all searches, the check of the plan, and the network if it was
    not kept from before."""
    found_by: str
    """Which search that was."""
    goal: int | None
    steps: int | None
    proof: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp bench asp`."""
    parser.add_argument("rules", nargs="*", metavar="RULE", help="other games than those of the paper")
    parser.add_argument(
        "--seconds", type=seconds, default=60.0, metavar="S", help="what each game may take (default 60)"
    )
    parser.add_argument("--method", choices=sorted(METHODS), default="all", help="see ggtp solve (default all)")
    parser.add_argument("--corpus", metavar="FOLDER", help="all one-player games in a folder of rulesheets instead")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Solve the games, and print a table or one line of JSON.

    Raises:
        GgtpError: there is no such game or folder, or libraries are missing.
    """
    require_libraries()
    rows = list(_measured(env, args))
    if not rows:
        raise CommandError("There is no one-player game in GDL there.")
    if args.json:
        print(json.dumps(data(rows)), file=env.stdout)
    else:
        print("\n".join(table(rows)), file=env.stdout)
    return ExitStatus.DONE


def _measured(env: Environment, args: argparse.Namespace) -> Iterator[Row]:
    compiler, progress = Compiler.from_environment(env.variables), Progress(env.stderr)
    for name, puzzle in _games(env, args):
        search = Search(limit=args.seconds, methods=METHODS[args.method])
        found = solve(puzzle, search, compiler, _prefixed(progress, name))
        progress.clear()
        solved = found.plan is not None and found.proof in ("valid", "optimal length")
        plan, paper = found.plan, PAPER.get(name.removeprefix("gdl/"))
        goal, steps = (None, None) if plan is None else (plan.goal, len(plan.moves))
        searched = round(found.search_seconds, 4) if solved else None
        ours = round(found.search_seconds + found.preparing_seconds, 4) if solved else None
        yield Row(name, paper, ours, searched, round(found.seconds, 3), found.found_by, goal, steps, found.proof)


def _prefixed(progress: Progress, name: str) -> Callable[[str], None]:
    return lambda text: progress.say(f"{name}: {text}")


def _games(env: Environment, args: argparse.Namespace) -> Iterator[tuple[str, Puzzle]]:
    catalogue = Catalogue.from_environment(env.variables)
    if args.corpus is None:
        for name in args.rules or [f"gdl/{name}" for name in PAPER]:
            yield name, one_player(catalogue, name)
        return
    folder = expand(args.corpus, env.variables)
    if not folder.is_dir():
        raise CommandError(f"There is no folder {folder}.")
    for path in sorted([*folder.rglob("*.kif"), *folder.rglob("*.gdl")]):
        if _players(path) == 1:
            try:
                yield path.stem, one_player(catalogue, str(path))
            except GgtpError as error:
                print(f"{path.stem} is left out: {error}", file=env.stderr)


def _players(path: Path) -> int:
    """How many roles the text names; 0 where it can't be read."""
    from ggtp.gdl.language.parse import parse_strictly

    try:
        sheet = parse_strictly(path.read_text("utf-8", "replace"), str(path))
    except (RulesError, OSError):
        return 0
    return len(sheet.of("role"))


def data(rows: Sequence[Row]) -> dict[str, object]:
    """For programs."""
    # Where the best plan has fewer points, more of them are proven impossible.
    possible = [row for row in rows if row.proof != "impossible" and (row.ours is None or row.goal == 100)]
    full = [row for row in rows if row.ours is not None and row.goal == 100]
    return {"games": [asdict(row) for row in rows], "solved": len(full), "of": len(possible)}


def table(rows: Sequence[Row]) -> list[str]:
    """For people."""
    lines = [("game", "paper s", "ours s", "factor", "search s", "clock s", "goal", "moves", "proof", "found")]
    for row in rows:
        paper = "" if row.paper is None else f"{row.paper:.2f}"
        ours, search = ("-" if value is None else f"{value:.3f}" for value in (row.ours, row.search))
        factor = "" if row.paper is None or not row.ours else f"{row.paper / row.ours:.1f}"
        goal, steps = ("" if value is None else str(value) for value in (row.goal, row.steps))
        figures = (paper, ours, factor, search, f"{row.total:.2f}", goal, steps)
        lines.append((row.game, *figures, row.proof, row.found_by))
    found = data(rows)
    solved = f"{found['solved']} solved with 100 points, of {found['of']} not proven impossible"
    return [*columns(lines, right=range(1, 8)), solved]
