"""`ggtp engines`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.sandboxes import wrapped


@pytest.fixture
def folder(run: Any, tmp_path: Path) -> Path:
    run.variables["GGTP_ENGINES_PATH"] = str(tmp_path)
    return tmp_path


def test_the_bundled_engines_are_listed(run: Any) -> None:
    ran = run("engines")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0].split() == ["NAME", "FROM", "RULES", "TITLE"]
    assert any(line.split()[:3] == ["Random", "bundled", "all"] for line in ran.out.splitlines())


def test_as_json(run: Any, folder: Path) -> None:
    (folder / "thought.toml").write_text(
        'name = "thought"\nargv = ["thought", "{endpoint}"]\nrules = ["hex*", "Nim"]\ntransport = "tcp"\n'
        '[plays]\nhidden = false\n[options]\nthreads = 4\n[env]\nKEY = "hush hush"\n'
    )
    ran = run("engines", "--json")
    (line,) = ran.out.splitlines()
    (found,) = (row for row in json.loads(line) if row["name"] == "thought")
    assert found["argv"] == ["thought", "{endpoint}"]
    assert (found["transport"], found["rules"]) == ("tcp", ["hex*", "Nim"])
    assert found["plays"]["hidden"] is False
    assert found["options"] == {"threads": "4"}
    assert "hush" not in line
    assert "hex* Nim" in run("engines").out


def test_what_is_shadowed_or_broken(run: Any, folder: Path) -> None:
    (folder / "mine.toml").write_text('name = "Random"\nargv = ["mine"]\n')
    (folder / "broken.toml").write_text('name = "broken"\n')
    ran = run("engines")
    assert ran.status == 0
    assert "can't be used: broken" in ran.err
    rows = {(row["name"], row["source"]): row for row in json.loads(run("engines", "--all", "--json").out)}
    assert rows["Random", "GGTP_ENGINES_PATH"]["state"] == "ok"
    assert rows["Random", "bundled"]["shadowed_by"] == str(folder / "mine.toml")
    assert "argv is missing" in rows["broken", "GGTP_ENGINES_PATH"]["problem"]
    assert "argv is missing" in run("engines", "--all").out


@pytest.mark.process
def test_what_engines_are_going_to_be_kept_from(run: Any, folder: Path) -> None:
    (folder / "thought.toml").write_text('name = "thought"\nargv = ["thought"]\ntransport = "stdio"\nnetwork = true\n')
    ran = run("engines", "--protection")
    assert ran.out.splitlines()[0].split() == ["NAME", "FROM", "RULES", "PROTECTION", "TITLE"]
    rows = json.loads(run("engines", "--protection", "--json").out)
    protection = {row["name"]: row["protection"] for row in rows}
    assert (protection["thought"], protection["Random"]) == (wrapped(network=True), wrapped())
