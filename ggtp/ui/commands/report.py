"""`ggtp report`: what a tournament's journal says, as text, JSON, CSV, or a page for the browser."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path

from ggtp import __version__
from ggtp.arena.journal_file import read_journal_file
from ggtp.catalogue import Catalogue
from ggtp.driver.journal import real_path, text_of
from ggtp.errors import CommandError, GgtpError
from ggtp.game.model import Rules
from ggtp.play.replay import replay, torn_warning
from ggtp.tournament.journal.journal import looks_like_journal, read_journal
from ggtp.tournament.report.forms import TABLES
from ggtp.ui.console.arguments import seconds
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.output import complain
from ggtp.ui.console.progress import Progress
from ggtp.ui.console.waiting import waiting

FORMATS = ("text", "json", "csv", "html")
SUFFIXES = {".txt": "text", ".json": "json", ".csv": "csv", ".html": "html", ".htm": "html"}
"""What a file's name says about its form."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp report`."""
    parser.add_argument(
        "file",
        metavar="JOURNAL|FILE",
        help="the journal of a tournament, which may still be running; or a play file, of which there is html only",
    )
    parser.add_argument(
        "--format", choices=FORMATS, help="the form (default: what the file's name says, or text)", metavar="FORM"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
    parser.add_argument(
        "--table", choices=tuple(TABLES), default="games", metavar="TABLE", help="with csv: which table (default games)"
    )
    parser.add_argument(
        "--time",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="with html: how long making pictures of games may take; later games have moves alone (default 60)",
    )
    forms = ", ".join(FORMATS)
    tables = "\n".join(f"  {name:<10} {what}" for name, what in TABLES.items())
    parser.epilog = f"forms: {forms}\ntables:\n{tables}"


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Write a report.

    Raises:
        GgtpError: the journal can't be trusted, or it is none.
        OSError: it can't be read, or the report can't be written.
    """
    data = read_journal_file(args.file)
    named = args.format or SUFFIXES.get(Path(args.output or "").suffix.casefold())
    text = (
        _journal(env, data, args, named or "text")
        if looks_like_journal(data)
        else _play(env, data, args, named or "html")
    )
    if args.output:
        with waiting(env.stderr, f"somebody who reads {args.output}"):
            write_whole(Path(args.output), text)
    else:
        env.stdout.write(text)
    return ExitStatus.DONE


def _journal(env: Environment, data: bytes, args: argparse.Namespace, form: str) -> str:
    """The report of a journal's bytes.

    Raises:
        JournalError: it can't be trusted.
    """
    from ggtp.tournament.report.data import make_report
    from ggtp.tournament.report.forms import report_csv, report_json
    from ggtp.ui.report.text import report_text

    report = make_report(read_journal(data, args.file))
    if form == "json":
        return report_json(report)
    if form == "csv":
        return report_csv(report, args.table)
    if form == "text":
        return report_text(report)
    from ggtp.ui.report.html import report_html

    end = time.monotonic() + args.time
    catalogue = Catalogue.from_environment(env.variables)

    def find(reference: str) -> Rules | None:
        try:
            return catalogue.guarded_rules(reference)
        except GgtpError as error:
            complain(env.stderr, f"no pictures of {reference}: {error}")
            return None

    # What a rule prints does not belong into the page.
    with redirect_stdout(env.stderr):
        return report_html(report, find, lambda: time.monotonic() < end, __version__)


def _play(env: Environment, data: bytes, args: argparse.Namespace, form: str) -> str:
    """The page of a play file.

    Raises:
        GgtpError: it is none, or it can't be followed.
    """
    if form != "html":
        raise CommandError(f"{args.file} is no journal of a tournament. Of a play file there is html only.")
    from ggtp.ui.report.play import play_html

    try:
        text = text_of(data)
    except ValueError as error:
        raise CommandError(f"{args.file} is neither a journal of a tournament nor a play file: {error}.") from None
    with redirect_stdout(env.stderr):
        progress = Progress(env.stderr)
        found = replay(text, Catalogue.from_environment(env.variables).guarded_rules, args.file, progress.say)
        progress.clear()
        if found.torn:
            complain(env.stderr, torn_warning(args.file, found.torn))
        if found.play.record is None:
            raise CommandError(f"{args.file}: no play is started in it.")
        return play_html(found.play, text, args.file, __version__)


def write_whole(path: Path, text: str) -> None:
    """Write a file, all of it or nothing: what was there stays until the new one is complete.

    Raises:
        OSError: it can't be written.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")  # a pipe or a terminal can't be replaced
        return
    target = real_path(path)
    try:
        number, scratch = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        os.chmod(scratch, mode)
        os.replace(scratch, target)
    except OSError:
        Path(scratch).unlink(missing_ok=True)
        raise
