"""`ggtp audit`: what engines were told is what they may know, and a lie is found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.runs import plan_of, results
from support.runs import run as play

from ggtp.tournament.journal.journal import LineWriter
from ggtp.tournament.journal.told import seals
from ggtp.tournament.results import FaultSeen, Game


def journal(folder: Path, *rules: str, **changes: Any) -> Path:
    """A tournament of two Randoms, played by real processes."""
    players = [{"name": "A", "engine": "Random"}, {"name": "B", "engine": "Random"}]
    path = folder / "a.journal"
    play(plan_of({"player": players, "rule": [{"rule": rule} for rule in rules], **changes}), path)
    return path


def with_games(path: Path, *games: Game) -> Path:
    """A journal of the same plan with other games."""
    writer = LineWriter()
    data = writer.header(results(path).plan, version="test", created="now")
    other = path.with_name("other.journal")
    other.write_bytes(data + b"".join(writer.result(game) for game in games))
    return other


@pytest.fixture(scope="module")
def phantom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return journal(tmp_path_factory.mktemp("phantom"), "PhantomTicTacToe", "Nim", "RockPaperScissors")


def test_engines_were_told_what_they_may_know(run: Any, phantom: Path) -> None:
    ran = run("audit", str(phantom), "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["games"] == 6
    assert found["seats"] == 12
    assert (found["differ"], found["leaks"], found["skipped"]) == ([], [], {})
    assert found["probes"] > 0


def test_a_line_too_many_is_found(run: Any, phantom: Path) -> None:
    game, *others = results(phantom).games
    seat = next(iter(game.told))
    leaky = seals([b"start", *(f"made_move {move}".encode() for move in game.moves)])[-1]  # every try, in the open
    assert leaky != game.told[seat]
    path = with_games(phantom, replace(game, told={**game.told, seat: leaky}), *others)
    ran = run("audit", str(path), "--probes", "0")
    assert ran.status == 1
    assert f"DIFFERS  game {game.id}, {seat} ({game.plan.seats[seat]})" in ran.out
    assert ran.out.startswith("6 games, 12 seats compared with what their players may know: 1 differ.")


def test_news_of_the_last_steps_may_be_under_way_but_no_more(run: Any, phantom: Path) -> None:
    game = next(game for game in results(phantom).games if len(game.moves) >= 5 and game.plan.rule == 1)
    lines = [b"start", *(f"made_move {move}".encode() for move in game.moves)]
    every = seals(lines)
    seat = game.moves[-2].partition(" ")[0]  # it has been asked for the last move but one
    for count, status in ((-1, 0), (-2, 0), (-3, 0), (-4, 1)):
        told = {**game.told, seat: every[count]}
        assert run("audit", str(with_games(phantom, replace(game, told=told)))).status == status


def test_what_can_not_be_compared_is_said(run: Any, phantom: Path) -> None:
    one, two, three, four, *_ = results(phantom).games
    path = with_games(
        phantom,
        replace(one, told={}),
        replace(two, faults=(FaultSeen("A", "Cross", "late", "slow", "random"),)),
        replace(three, end="agreed"),
        replace(four, end="ruled"),
    )
    ran = run("audit", str(path))
    assert ran.status == 0
    assert "nothing to compare" in ran.out
    for why in ("does not say what was told", "there were faults in it", "ended early", "the supervisor has decided"):
        assert f"1 games not compared: {why}" in ran.out or why in ran.out


def test_moves_that_the_rules_refuse_are_no_good_sign(run: Any, phantom: Path) -> None:
    game = next(game for game in results(phantom).games if game.plan.rule == 1)
    ran = run("audit", str(with_games(phantom, replace(game, moves=(*game.moves, game.moves[0])))))
    assert ran.status == 1
    assert "the rules do not follow" in ran.out
