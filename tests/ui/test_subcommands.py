"""The table of subcommands: every row is real, says what it does, and is loaded late."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from ggtp.ui.commands.bench import BENCHES
from ggtp.ui.subcommands import SUBCOMMANDS, Subcommand, summaries

ROWS = [*SUBCOMMANDS.values(), *BENCHES.values()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_is_real(row: Subcommand) -> None:
    module = import_module(row.module)
    assert callable(module.add_arguments)
    assert callable(getattr(module, row.function))
    assert row.summary
    assert not row.summary.endswith(".")


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_help(run: Any, name: str) -> None:
    ran = run(name, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: ggtp {name} ")
    assert SUBCOMMANDS[name].summary[1:] in " ".join(ran.out.split())


@pytest.mark.process
def test_the_table_loads_no_subcommand() -> None:
    code = (
        "import sys, ggtp.ui.subcommands as s; print({r.module for r in s.SUBCOMMANDS.values()} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "set()\n"


def test_summaries_stand_in_columns() -> None:
    rows = [Subcommand("a", "does this", "m"), Subcommand("long", "does that", "m")]
    assert summaries(rows) == ["  a     does this", "  long  does that"]
