"""The Makefile, as far as it can be tried without installing anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support.paths import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the Makefile, and interpreters that only say what version they are."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    old = tmp_path / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2 && exit 0\nexit 1\n')
    old.chmod(0o755)
    return tmp_path


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        ["make", *words], cwd=folder, env=environ, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.process
def test_help_comes_first_and_names_every_target(folder: Path) -> None:
    done = make(folder)
    assert done.returncode == 0
    for target in ("play", "check", "test", "lint", "clean", "STRICT=1", "PYTHON="):
        assert target in done.stdout


@pytest.mark.process
@pytest.mark.parametrize("target", ["play", "check", "test", "lint"])
def test_an_interpreter_that_is_too_old(folder: Path, target: str) -> None:
    done = make(folder, target, "PYTHON=./old-python")
    assert done.returncode != 0
    assert "ggtp needs Python 3.11 or newer, and ./old-python is not: Python 3.9.2" in done.stderr
    assert "make PYTHON=python3.12" in done.stderr
    assert not (folder / ".venv").exists()


@pytest.mark.process
def test_an_interpreter_that_is_not_there(folder: Path) -> None:
    done = make(folder, "play", "PYTHON=./no-python")
    assert done.returncode != 0
    assert "ggtp needs Python 3.11 or newer, and ./no-python is not" in done.stderr


STYLE_AND_TYPES = [
    ".venv/bin/ruff check .",
    ".venv/bin/ruff format --check .",
    ".venv/bin/mypy ggtp rules engines examples",
    ".venv/bin/mypy --config-file tests/mypy.ini tests",
]


def steps(folder: Path, *words: str) -> list[str]:
    """The commands of a target, behind the set-up."""
    done = make(folder, "--dry-run", *words)
    return [line for line in done.stdout.splitlines() if line.startswith((".venv/bin", "GGTP_STRICT"))]


@pytest.mark.process
def test_the_checks_that_test_makes(folder: Path) -> None:
    assert steps(folder, "lint") == STYLE_AND_TYPES
    *before, tests = steps(folder, "test", "STRICT=1", "JOBS=3")
    assert before == STYLE_AND_TYPES
    assert tests.startswith("GGTP_STRICT=1 .venv/bin/pytest ")
    assert tests.endswith(" --numprocesses 3")


@pytest.mark.process
def test_check_leaves_the_tests_out_that_take_long(folder: Path) -> None:
    *before, tests = steps(folder, "check")
    assert before == STYLE_AND_TYPES
    assert tests.endswith("-m 'not (process or oracle or browser or slow)'")


@pytest.mark.process
def test_the_set_up_is_redone_when_the_project_has_changed(folder: Path) -> None:
    (folder / ".venv").mkdir()
    for age, name in enumerate((".venv/.test", ".venv/.play", ".venv/.made", "pyproject.toml")):
        (folder / name).touch()
        os.utime(folder / name, (1000 - age, 1000 - age))
    assert "pip" not in make(folder, "--dry-run", "play", "test").stdout
    os.utime(folder / "pyproject.toml", (2000, 2000))
    assert make(folder, "--dry-run", "play").stdout.count("install --editable") == 1
    assert make(folder, "--dry-run", "test").stdout.count("install --editable") == 2


@pytest.mark.process
def test_the_continuous_integration_can_be_run() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", script], check=True, timeout=60)
