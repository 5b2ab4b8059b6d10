"""`ggtp report`: what a tournament's journal says, as text, JSON, CSV, or a page for the browser."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from ggtp.errors import CommandError
from ggtp.tournament.journal import read_journal
from ggtp.ui.environment import Environment, ExitStatus
from ggtp.ui.report_json import TABLES

FORMATS = ("text", "json", "csv")
SUFFIXES = {".txt": "text", ".json": "json", ".csv": "csv"}
"""What a file's name says about its form."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp report`."""
    parser.add_argument("file", metavar="JOURNAL", help="the journal of a tournament, which may still be running")
    parser.add_argument(
        "--format", choices=FORMATS, help="the form (default: what the file's name says, or text)", metavar="FORM"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
    parser.add_argument(
        "--table", choices=tuple(TABLES), default="games", metavar="TABLE", help="with csv: which table (default games)"
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
    form = args.format or SUFFIXES.get(Path(args.output or "").suffix.casefold(), "text")
    data = Path(args.file).read_bytes()
    if not is_journal(data):
        raise CommandError(f"{args.file} is no journal of a tournament.")
    text = journal_report(data, args.file, form, args.table)
    if args.output:
        write_whole(Path(args.output), text)
    else:
        env.stdout.write(text)
    return ExitStatus.DONE


def is_journal(data: bytes) -> bool:
    """Whether a file begins like a journal."""
    return data.startswith(b'{"seq":1,"kind":"header"')


def journal_report(data: bytes, path: str, form: str, table: str) -> str:
    """The report of a journal's bytes.

    Raises:
        JournalError: it can't be trusted.
    """
    from ggtp.ui.report_data import make_report
    from ggtp.ui.report_json import report_csv, report_json
    from ggtp.ui.report_text import report_text

    report = make_report(read_journal(data, path))
    if form == "json":
        return report_json(report)
    if form == "csv":
        return report_csv(report, table)
    return report_text(report)


def write_whole(path: Path, text: str) -> None:
    """Write a file, all of it or nothing: what was there stays until the new one is complete.

    Raises:
        OSError: it can't be written.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")  # a pipe or a terminal can't be replaced
        return
    target = path.resolve()
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
