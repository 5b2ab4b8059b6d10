"""`ggtp doctor`: what is there, what is missing, and when the exit status says that something is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ggtp import __version__
from ggtp.ui.commands import doctor

pytestmark = [pytest.mark.process, pytest.mark.slow]


def found(ran: Any) -> dict[tuple[str, str], tuple[str, str]]:
    (line,) = ran.out.splitlines()
    return {(row["part"], row["name"]): (row["state"], row["text"]) for row in json.loads(line)}


def test_where_all_is_well(run: Any, tmp_path: Path) -> None:
    run.variables["XDG_CACHE_HOME"] = str(tmp_path)
    ran = run("doctor", "--json")
    rows = found(ran)
    assert ran.status == 0
    assert rows["version", "ggtp"] == ("ok", __version__)
    assert {rows["library", name][0] for name in doctor.NEEDED} == {"ok"}
    assert rows["folder", "compiled games"][1].startswith(str(tmp_path))
    assert sum(part == "protection" for part, _ in rows) >= 1
    assert {state for state, _ in rows.values()} <= {"ok", "missing"}


def test_as_a_table(run: Any) -> None:
    ran = run("doctor")
    head, *lines = ran.out.splitlines()
    assert ran.status == 0
    assert head.split() == ["PART", "NAME", "STATE", "WHAT"]
    assert any(line.split()[:3] == ["version", "ggtp", "ok"] for line in lines)


def test_what_is_needed_and_gone_is_broken(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.NEEDED, "no_such_library", "does what nobody does")
    monkeypatch.setitem(doctor.OPTIONAL, "no_such_extra", "would do more")
    ran = run("doctor", "--json")
    rows = found(ran)
    assert ran.status == 1
    assert rows["library", "no_such_library"] == ("broken", "does what nobody does")
    assert rows["library", "no_such_extra"] == ("missing", "would do more")


def test_programs_that_are_missing_are_no_fault(run: Any, tmp_path: Path) -> None:
    run.variables["PATH"] = str(tmp_path)
    ran = run("doctor", "--json")
    assert ran.status == 0
    assert found(ran)["program", "man"][0] == "missing"


def test_broken_engines_and_folders_that_are_not_there_are_named(run: Any, tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("name = 7\n")
    run.variables["GGTP_ENGINES_PATH"] = f"{tmp_path}:{tmp_path / 'gone'}"
    ran = run("doctor")
    assert ran.status == 0
    assert "can't be used: ggtp engines --all tells why" in ran.out
    assert f"{tmp_path / 'gone'}, named by GGTP_ENGINES_PATH" in ran.out
