"""Lists of guests: a table at a terminal, plain columns in a pipe, JSON on demand."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ggtp.catalogue import EngineEntry, RuleEntry
from ggtp.protocol.text import one_line
from ggtp.tournament.columns import columns
from ggtp.ui.console.environment import Environment
from ggtp.ui.console.output import complain, say

Guest = TypeVar("Guest", RuleEntry, EngineEntry)

STYLES = {"broken": "red", "shadowed": "dim"}
MOST_NAMED = 8
"""How many broken guests are named where nobody asked for them."""


def add_arguments(parser: argparse.ArgumentParser, kind: str) -> None:
    """The arguments of a list of guests."""
    parser.add_argument(
        "--all", action="store_true", help=f"also {kind} that are shadowed by others, or broken; tell files and reasons"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON: a list of objects")


def show(
    env: Environment,
    args: argparse.Namespace,
    kind: str,
    entries: Sequence[Guest],
    columns: Mapping[str, Callable[[Guest], str]],
    as_data: Callable[[Guest], Mapping[str, object]],
) -> None:
    """Print the usable guests with these columns; with `--all` every guest and how it stands."""
    shown = [entry for entry in entries if args.all or entry.usable]
    if args.json:
        say(env.stdout, json.dumps([{**common_data(entry), **as_data(entry)} for entry in shown]))
        return
    if args.all:
        rows = [[entry.name, state(entry), entry.source, str(entry.path or "-"), remark(entry)] for entry in shown]
        print_table(env, ["name", "state", "from", "file", "remark"], rows, [STYLES.get(row[1], "") for row in rows])
    elif shown:
        rows = [[cell(entry) for cell in columns.values()] for entry in shown]
        print_table(env, list(columns), rows, [""] * len(rows))
    else:
        complain(env.stderr, f"no {kind} were found")
    broken = [entry for entry in entries if state(entry) == "broken"]
    if broken and not args.all:
        names = ", ".join(one_line(entry.name) for entry in broken[:MOST_NAMED])
        more = f" and {len(broken) - MOST_NAMED} more" if len(broken) > MOST_NAMED else ""
        complain(env.stderr, f"can't be used: {names}{more}; ggtp {kind} --all tells why")


def common_data(entry: RuleEntry | EngineEntry) -> dict[str, object]:
    """What JSON tells of every guest."""
    return {
        "name": entry.name,
        "title": entry.title,
        "state": state(entry),
        "source": entry.source,
        "path": None if entry.path is None else str(entry.path),
        "shadowed_by": entry.shadowed_by,
        "problem": entry.problem,
    }


def state(entry: RuleEntry | EngineEntry) -> str:
    """How a guest stands, in a word."""
    if entry.problem is not None:
        return "broken"
    return "ok" if entry.shadowed_by is None else "shadowed"


def remark(entry: RuleEntry | EngineEntry) -> str:
    """What is wrong with a guest, what is found in its stead, or what it is."""
    parts = [entry.problem] if entry.problem is not None else []
    if entry.shadowed_by is not None:
        parts.append(f"found instead: {entry.shadowed_by}")
    return "; ".join(parts) or entry.title


def print_table(env: Environment, header: Sequence[str], rows: Sequence[Sequence[str]], styles: Sequence[str]) -> None:
    """Print rows under a header; the styles, one for each row, show at a terminal only."""
    rows = [[one_line(cell) for cell in row] for row in rows]
    if env.stdout.isatty() and env.variables.get("TERM") != "dumb":
        _print_rich(env, header, rows, styles)
        return
    for line in columns([[title.upper() for title in header], *rows], right=()):
        say(env.stdout, line)


def _print_rich(env: Environment, header: Sequence[str], rows: Sequence[Sequence[str]], styles: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for index, title in enumerate(header):
        # A name is there to be typed again, so it is not broken over lines while others can be.
        table.add_column(title, overflow="fold", no_wrap=index == 0)
    for row, style in zip(rows, styles, strict=True):
        table.add_row(*(Text(cell) for cell in row), style=style)
    Console(file=env.stdout, no_color="NO_COLOR" in env.variables, highlight=False).print(table)
