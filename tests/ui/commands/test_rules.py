"""`ggtp rules`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ggtp.catalogue import Catalogue


@pytest.mark.slow
def test_the_bundled_rules_are_listed(run: Any) -> None:
    ran = run("rules")
    assert (ran.status, ran.err) == (0, "")
    names = [line.split()[0] for line in ran.out.splitlines()[1:]]
    assert names == [entry.name for entry in Catalogue.from_environment(run.variables).list_rules()]
    assert "TicTacToe" in names


def test_as_json(run: Any) -> None:
    ran = run("rules", "--json")
    assert (ran.status, ran.err) == (0, "")
    (line,) = ran.out.splitlines()
    (found,) = (row for row in json.loads(line) if row["name"] == "TicTacToe")
    assert found["source"] == "bundled"
    assert Path(found["path"]).name == "tictactoe.py"
    assert (found["shadowed_by"], found["problem"]) == (None, None)


@pytest.mark.slow
def test_what_is_shadowed_or_broken(run: Any, tmp_path: Path) -> None:
    (bundled,) = (
        entry for entry in Catalogue.from_environment(run.variables).list_rules() if entry.name == "TicTacToe"
    )
    assert bundled.path is not None
    (tmp_path / "tictactoe.py").write_bytes(bundled.path.read_bytes())
    (tmp_path / "broken.py").write_text("RULES = (\n")
    run.variables["GGTP_RULES_PATH"] = str(tmp_path)
    assert "broken" in run("rules").err
    ran = run("rules", "--all", "--json")
    rows = {(row["name"], row["source"]): row for row in json.loads(ran.out)}
    assert rows["TicTacToe", "GGTP_RULES_PATH"]["state"] == "ok"
    assert rows["TicTacToe", "bundled"]["shadowed_by"] == str(tmp_path / "tictactoe.py")
    assert rows["broken", "GGTP_RULES_PATH"]["state"] == "broken"
    assert f"{tmp_path / 'broken.py'}:1" in rows["broken", "GGTP_RULES_PATH"]["problem"]
    ran = run("rules", "--all")
    assert ran.status == 0
    assert str(tmp_path / "broken.py") in ran.out


def test_a_folder_that_is_not_there_is_told(run: Any, tmp_path: Path) -> None:
    run.variables["GGTP_RULES_PATH"] = str(tmp_path / "none")
    assert run("rules").status == 0
    assert "the folder can't be searched" in run("rules", "--all").out
