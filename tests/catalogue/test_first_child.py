"""The first games of a rulesheet, asked for as another process asks."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from ggtp.catalogue.first_child import main

ONE = "(role p) (init s) (legal p go) (<= terminal (true t)) (goal p 1) (<= (next t) (does p go))"


def answer(text: str, folder: Path) -> dict[str, Any]:
    target = io.BytesIO()
    request = {"text": text, "cache": str(folder), "seconds": 60, "megabytes": 2048}
    main(io.BytesIO(json.dumps(request).encode()), target)
    found: dict[str, Any] = json.loads(target.getvalue())
    return found


def test_games_are_played_and_code_is_kept(tmp_path: Path) -> None:
    found = answer(ONE, tmp_path / "kept")
    assert found["games"] >= 64
    assert found["cpu_s"] > 0
    kept = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert kept
    answer(ONE, tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == kept


def test_rules_at_fault(tmp_path: Path) -> None:
    assert "role" in answer("(init s)", tmp_path)["failed"]
