"""`ggtp audit`: prints what an audit has found, and its status says whether that is bad."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.runs import plan_of, results
from support.runs import run as play

from ggtp.tournament.journal.journal import LineWriter


@pytest.mark.process
def test_what_was_found(run: Any, tmp_path: Path) -> None:
    players = [{"name": "A", "engine": "Random"}, {"name": "B", "engine": "Random"}]
    path = tmp_path / "a.journal"
    play(plan_of({"player": players, "rule": [{"rule": "PhantomTicTacToe"}]}), path)
    ran = run("audit", str(path), "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert (found["games"], found["seats"], found["differ"], found["leaks"], found["skipped"]) == (2, 4, [], [], {})
    assert found["probes"] > 0
    assert run("audit", str(path)).out.startswith(
        "2 games, 4 seats compared with what their players may know: all the same.\n"
    )

    played = results(path)
    game, other = played.games
    seat = next(iter(game.told))
    swapped = replace(game, told={**game.told, seat: other.told[seat]})
    writer = LineWriter()
    lied = tmp_path / "b.journal"
    lied.write_bytes(writer.header(played.plan, version="test", created="now") + writer.result(swapped))
    ran = run("audit", str(lied), "--probes", "0")
    assert ran.status == 1
    assert ran.out.startswith("1 games, 2 seats compared with what their players may know: 1 differ.\nDIFFERS  game ")
