"""Engines that end or stop their referee: they don't profit, and the others' games are all played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES
from support.runs import plan_of, results, run

from ggtp.arena.runner import Runner
from ggtp.arena.trials import BLOCK, Trials
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Job
from ggtp.tournament.standings.lost_workers import FAULT, LostWorkers


def killer(folder: Path, signal: str = "KILL") -> str:
    path = folder / f"killer-{signal}.toml"
    argv = ["{python}", "-S", str(FAKES / "referee_killer.py"), signal]
    path.write_text(f'name = "Killer"\nargv = {json.dumps(argv)}\ntransport = "stdio"\n', "utf-8")
    return str(path)


def played(folder: Path, *others: str, signal: str = "KILL", **changes: Any) -> Runner:
    players = [{"name": "Evil", "engine": killer(folder, signal)}]
    players += [{"name": name, "engine": "Random"} for name in others]
    plan = plan_of(
        {"player": players, "rule": [{"rule": "TicTacToe"}], "format": "round-robin", "sandbox": "off", **changes}
    )
    return run(plan, folder / "a.journal")


@pytest.mark.process
def test_in_a_match_who_ends_the_referee_is_found_by_trials_and_loses(tmp_path: Path) -> None:
    runner = played(tmp_path, "Good", blocks=20)
    assert runner.ended
    rows = runner.ledger.standings.rows
    assert rows["Good"].games == 40
    assert rows["Good"].score > 0.8
    assert rows["Good"].faults == rows["Evil"].faults == 0
    assert runner.ledger.losing == {"Evil"}
    rulings = [(ruling.act, ruling.subject) for ruling in results(tmp_path / "a.journal").rulings]
    assert rulings[0] == ("lose", "Evil")
    assert all(act == "adjudicate" for act, _ in rulings[1:])


@pytest.mark.process
def test_in_a_tournament_the_games_of_the_others_are_all_played(tmp_path: Path) -> None:
    runner = played(tmp_path, "A", "B", blocks=6, lost_workers_price="quarantine")
    assert runner.ended
    found = results(tmp_path / "a.journal")
    others = [game for game in found.games if set(game.plan.seats.values()) == {"A", "B"}]
    assert len(others) == 12
    assert all(game.end == "rules" for game in others)
    assert runner.ledger.quarantined == {"Evil"}
    assert any(game.end == "quarantine" for game in found.void)


@pytest.mark.process
def test_who_stops_the_referee_fares_no_better(tmp_path: Path) -> None:
    runner = played(tmp_path, "Good", signal="STOP", blocks=10, lost_workers=1)
    assert runner.ended
    assert runner.ledger.losing == {"Evil"}
    assert runner.ledger.standings.rows["Good"].score > 0.6
    assert any("was stopped by a signal" in fault.what for fault in results(tmp_path / "a.journal").faults)


def test_a_suspect_has_one_trial_at_a_time_and_its_games_wait(tmp_path: Path) -> None:
    plan = plan_of({"player": [{"name": name, "engine": "Random"} for name in "AB"], "rule": [{"rule": "TicTacToe"}]})
    workers = LostWorkers(1)
    game = GamePlan(1, 0, 1, 0, 0, 5, {"Cross": "A", "Circle": "B"})
    trials = Trials(plan)
    assert trials.next(workers, ()) is None
    assert not trials.holds(Job(game), workers, ())
    workers.add(Game(game, end="void", faults=(FaultSeen("", "", FAULT, "", "void", present=("A", "B")),)))
    first, second = trials.next(workers, ()), trials.next(workers, ())
    assert first is not None
    assert second is not None
    assert trials.next(workers, ()) is None
    assert [set(job.game.seats.values()) for job in (first, second)] == [{"A"}, {"B"}]
    assert first.apart
    assert first.game.block == BLOCK
    assert trials.holds(Job(game), workers, ())
    assert trials.released() == [Job(game)]
    assert not trials.released()
    assert trials.withdrawn(first)
    assert trials.next(workers, ()) == first
    assert trials.over(first.id) == "A"
    assert trials.over(first.id) == ""
