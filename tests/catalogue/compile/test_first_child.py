"""The first game of a rulesheet, asked for as another process asks."""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ggtp.catalogue.compile.first_child import main

pytestmark = pytest.mark.process

ONE = "(role p) (init s) (legal p go) (<= terminal (true t)) (goal p 1) (<= (next t) (does p go))"


def answer(text: str, folder: Path) -> dict[str, Any]:
    target = io.BytesIO()
    request = {"text": text, "cache": str(folder), "seconds": 60, "megabytes": 2048}
    main(io.BytesIO(json.dumps(request).encode()), target)
    found: dict[str, Any] = json.loads(target.getvalue())
    return found


def test_games_are_played_and_code_is_kept(tmp_path: Path) -> None:
    found = answer(ONE, tmp_path / "kept")
    assert found["games"] == 1
    assert found["cpu_s"] > 0
    kept = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert kept
    answer(ONE, tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == kept


def test_games_that_are_kept_are_played_without_what_makes_them(tmp_path: Path) -> None:
    """Loading any of these takes longer than everything else together."""
    answer(ONE, tmp_path)
    request = json.dumps({"text": ONE, "cache": str(tmp_path), "seconds": 60, "megabytes": 2048})
    code = (
        "import sys; from ggtp.catalogue.compile.first_child import main; main(sys.stdin.buffer, sys.stdout.buffer); "
        "print(sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=request, capture_output=True, text=True, timeout=60, check=True
    )
    played, loaded = done.stdout.splitlines()
    assert json.loads(played)["games"] == 1
    heavy = {"numpy", "clingo", "ggtp.catalogue.catalogue", "ggtp.gdl.program.build", "ggtp.gdl.language.parse"}
    assert not heavy & set(ast.literal_eval(loaded))


def test_rules_at_fault(tmp_path: Path) -> None:
    assert "role" in answer("(init s)", tmp_path)["failed"]
