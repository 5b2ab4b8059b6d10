"""`ggtp audit`: prints what an audit has found, and its status says whether that is bad."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.dice import KEY, dice_journal
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


def test_dice_that_an_engine_could_know(run: Any, tmp_path: Path) -> None:
    def audited(dice: random.Random, seed: int = KEY) -> Any:
        path = tmp_path / "a.journal"
        path.write_bytes(dice_journal("CantStop", dice, seed))
        return run("audit", str(path)), json.loads(run("audit", str(path), "--json").out)

    ran, data = audited(random.Random(10**9))
    assert (ran.status, data["differ"], data["predicted"], data["small_seed"]) == (0, [], [], None)
    ran, data = audited(random.Random(5))
    assert ran.status == 1
    assert "PREDICTED  CantStop: chance in 1 game is drawn from the seed 5, as dice were drawn once.\n" in ran.out
    assert len(data["predicted"]) == 1
    ran, data = audited(random.Random(10**9), seed=3)
    assert (ran.status, data["small_seed"]) == (0, 3)
    assert "Seed 3 can be found by trying: an engine that tries knows what chance draws.\n" in ran.out
