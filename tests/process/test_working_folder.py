"""Modules in the working folder, with names of Python's own, are imported by no Python process that we start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

PLANTED = ("random", "asyncio", "json", "heapq", "hashlib", "numpy", "ggtp")
MARKER = "imported"
PLANT = f"open({MARKER!r}, 'a').write(__name__ + '\\n')\nraise SystemExit('the one of the folder')\n"
GDL = """
(role robot)
(init (step 0))
(legal robot go)
(<= (next (step 1)) (does robot go))
(<= terminal (true (step 1)))
(<= (goal robot 100) (true (step 1)))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with such modules, and a game."""
    for name in PLANTED:
        (tmp_path / f"{name}.py").write_text(PLANT)
    (tmp_path / "walk.kif").write_text(GDL)
    return tmp_path


def ggtp(folder: Path, *words: str, said: str = "") -> str:
    """Run `ggtp`, which itself has the working folder on its path no more than the installed command does."""
    command = [sys.executable, "-P", "-m", "ggtp", *words]
    done = subprocess.run(command, cwd=folder, input=said, capture_output=True, text=True, check=False)
    assert "the one of the folder" not in done.stdout + done.stderr
    return done.stdout + done.stderr


def imported(folder: Path) -> str:
    marker = folder / MARKER
    return marker.read_text() if marker.exists() else ""


@pytest.mark.parametrize("engine", ["Random", "MCTS", "Minimax"])
def test_a_bundled_engine_imports_nothing_of_it(folder: Path, engine: str) -> None:
    heard = ggtp(folder, "-", said=f"set_rule TicTacToe\nset_engine Circle {engine}\nstart\nplay Cross B2\nquit\n")
    assert "Circle plays" in heard
    assert imported(folder) == ""


def test_the_helpers_of_an_engine_import_nothing_of_it(folder: Path) -> None:
    options = "set_engine_option Circle Processes 2\nset_engine_option Circle Threads 1"
    lines = f"set_rule TicTacToe\nset_engine Circle MCTS\n{options}\nstart\nplay Cross B2\nquit\n"
    assert "Circle plays" in ggtp(folder, "-", said=lines)
    assert imported(folder) == ""


def test_a_match_imports_nothing_of_it(folder: Path) -> None:
    heard = ggtp(folder, "match", "Random", "Random", "--rule", "TicTacToe", "--games", "2", "--journal", "games.jsonl")
    assert (folder / "games.jsonl").exists(), heard
    assert imported(folder) == ""


def test_a_check_that_compiles_imports_nothing_of_it(folder: Path) -> None:
    heard = ggtp(folder, "check", "walk.kif", "--games", "1")
    assert "walk: nothing wrong was found" in heard
    assert imported(folder) == ""
