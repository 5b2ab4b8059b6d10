"""`ggtp bench vgdl`: how fast the compiled kernel plays video games at random."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.cache import DiskCache, cache_folder
from ggtp.catalogue.paths import expand, read_file
from ggtp.catalogue.vgdl_rules import SUFFIXES, level_path
from ggtp.errors import CommandError, RulesError
from ggtp.ui.console.arguments import seconds, whole_number
from ggtp.ui.console.environment import Environment, ExitStatus

DEPTH = 10
"""Ticks of a rollout; each begins with a copy of the state."""
COPIES = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp bench vgdl`."""
    parser.add_argument(
        "games", nargs="*", metavar="RULE|FILE", help="which games (default: all bundled ones); texts may end in .txt"
    )
    parser.add_argument("--level", type=whole_number(0, 10**6), default=0, metavar="N", help="which level (default 0)")
    parser.add_argument(
        "--seconds", type=seconds, default=0.5, metavar="S", help="processor time for each game (default 0.5)"
    )


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Measure.

    Raises:
        CommandError: there is no compiler, or no such game.
        RulesError: a game can't be read.
    """
    try:
        from ggtp.vgdl.kernel.model import Model, warm_up
    except ImportError as error:
        raise CommandError(f"There is no compiler for the kernel: {error}. Install llvmlite.") from error
    from ggtp.vgdl.language.level import parse_level
    from ggtp.vgdl.language.parse import parse

    warm_up(DiskCache(cache_folder(env.variables)))
    rows = []
    for name, path in games(env, args.games):
        game = parse(text(path), str(path))
        place = level_path(path, str(args.level))
        model = Model(game, parse_level(text(place), game, str(place)))
        state = model.start(1)
        model.rollouts(state, 1, 20, DEPTH)
        ticks, batch, began = 0, 50, time.process_time()
        while (spent := time.process_time() - began) < args.seconds:
            ticks += model.rollouts(state, batch, batch, DEPTH)
            batch += 1
        copying = time.process_time()
        for seed in range(COPIES):
            state.copy(seed)
        copies = COPIES / max(1e-9, time.process_time() - copying)
        rows.append(
            {
                "game": name,
                "level": args.level,
                "sprites": sum(1 for _ in state.observations()),
                "advances_per_second": round(ticks / spent),
                "copies_per_second": round(copies),
            }
        )
        if not args.json:
            print(_line(rows[-1]), file=env.stdout, flush=True)
    if args.json:
        print(json.dumps({"depth": DEPTH, "games": rows}), file=env.stdout)
    return ExitStatus.DONE


def games(env: Environment, names: list[str]) -> Iterator[tuple[str, Path]]:
    """The games with these names, or all bundled ones."""
    catalogue = Catalogue.from_environment(env.variables)
    if not names:
        found = [
            (entry.name, entry.path)
            for entry in catalogue.list_rules()
            if entry.path is not None and entry.path.suffix in SUFFIXES and entry.usable
        ]
        if not found:
            raise CommandError("There are no video games among the rules.")
        yield from found
    for name in names:
        path = expand(name, env.variables) if name.endswith(".txt") else catalogue.locate_rules(name)
        if path is None or not path.is_file() or path.suffix not in (*SUFFIXES, ".txt"):
            raise CommandError(f"There is no video game {name}.")
        yield path.stem, path


def text(path: Path) -> str:
    return read_file(path, RulesError).decode("utf-8-sig", "replace")


def _line(row: dict[str, object]) -> str:
    return f"{row['game']:<24} {row['advances_per_second']:>9,} advances/s {row['copies_per_second']:>9,} copies/s"
