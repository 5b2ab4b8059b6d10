"""`ggtp repair`: a damaged journal without what does not hold."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ggtp.arena.journal_file import TournamentJournal, create_private, read_journal_file
from ggtp.driver.journal import free_name, sync_folder
from ggtp.errors import CommandError
from ggtp.tournament.journal.repairing import Repair, examine
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp repair`."""
    parser.add_argument("file", metavar="JOURNAL", help="the journal")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to this new file, and leave the journal and its lines as they are"
    )


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Keep what holds, and tell what was cut off.

    Raises:
        GgtpError: nothing can be kept, or another program writes the journal.
        OSError: it can't be read, or what is kept not be written.
    """
    path = Path(args.file)
    if not path.exists():
        raise FileNotFoundError(2, os.strerror(2), str(path))
    if args.output and Path(args.output).exists():
        raise CommandError(f"{args.output} is there already: name a new file with -o.")
    journal = TournamentJournal(path)  # nobody may write it meanwhile
    try:
        data = read_journal_file(path)
        found = examine(data, str(path))
        tell(env, path, found)
        if args.output:
            create_private(Path(args.output), data[: found.good])
            say(env.stdout, f"{args.output} has the lines that hold")
        elif found.why:
            backup = Path(free_name(str(path)))
            create_private(backup, data)
            _replace(path, data[: found.good])
            say(env.stdout, f"the journal as it was is in {backup}")
    finally:
        journal.close()
    if found.why:
        complain(env.stderr, f"to go on, say: ggtp tournament {args.output or path}")
    return ExitStatus.DONE


def tell(env: Environment, path: Path, found: Repair) -> None:
    """Say how far it holds, and what is cut off."""
    say(env.stdout, f"{path}: {found.lines} lines hold, with {found.games} games that count")
    if not found.why:
        say(env.stdout, "nothing has to be repaired")
        return
    say(env.stdout, f"line {found.lines + 1} does not hold: {found.why}")
    say(
        env.stdout,
        f"{found.cut_lines} line{'s are' if found.cut_lines != 1 else ' is'} cut off, "
        f"{found.cut_results} with results: these games are played again",
    )


def _replace(path: Path, data: bytes) -> None:
    scratch = path.with_name(f".{path.name}.repaired")
    scratch.unlink(missing_ok=True)
    create_private(scratch, data)
    os.replace(scratch, path)
    sync_folder(path.parent)
