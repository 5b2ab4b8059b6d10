"""`ggtp merge`: one journal of several, of machines that have played parts of the same plan."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from ggtp.arena.journal_file import create_private, read_journal_file
from ggtp.arena.runner import case_folder, now
from ggtp.driver.journal import real_path
from ggtp.errors import CommandError
from ggtp.tournament.journal.merging import Merged, merge, read_source
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp merge`."""
    parser.add_argument("file", nargs="+", metavar="JOURNAL", help="two journals of the same plan, or more")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the new journal; it must not exist yet")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Merge, and tell what was taken from where.

    Raises:
        GgtpError: a journal can't be trusted, or they are of different plans. Nothing is written.
        OSError: one can't be read, or the new one not be written.
    """
    target = Path(args.output)
    files = {real_path(Path(file)): file for file in args.file}
    if len(files) < 2:
        raise CommandError("Two different journals are needed to merge them.")
    if target.exists():
        raise CommandError(f"{target} is there already: name a new file with -o.")
    found = merge([read_source(read_journal_file(file), str(file)) for file in files.values()], now())
    create_private(target, found.data)
    for path, games in found.counts.items():
        say(env.stdout, f"{path}: {games} games")
    if found.twice:
        say(env.stdout, f"{found.twice} games are in an earlier journal, too, and count once")
    _copy_cases(env, found, target)
    complain(env.stderr, f"to go on, say: ggtp tournament {target}")
    return ExitStatus.DONE


def _copy_cases(env: Environment, found: Merged, target: Path) -> None:
    """Copy the case files of the games that were taken."""
    for path, names in found.cases.items():
        for name in names:
            try:
                case_folder(target).mkdir(exist_ok=True)
                shutil.copy(case_folder(Path(path)) / Path(name).name, case_folder(target) / Path(name).name)
            except OSError as error:
                complain(env.stderr, f"the case file {name} of {path} can't be copied: {error.strerror}")
