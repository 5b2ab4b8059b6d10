"""Games at one table: every fault has its price, and a game always ends in a result."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.runs import FAKES, plan_of, tictactoe

from ggtp.catalogue import Catalogue
from ggtp.driver.game_moment import Job
from ggtp.driver.game_table import GameTable
from ggtp.driver.lateness import punctual_loop
from ggtp.tournament.plan import Plan
from ggtp.tournament.results import Game, GamePlan

SEATS = {"Cross": "Good", "Circle": "Bad"}


def play(plan: Plan, *jobs: Job, seats: dict[str, str] | None = None) -> list[tuple[Game, str]]:
    """Play jobs one after the other at one table."""

    async def script() -> list[tuple[Game, str]]:
        table = GameTable(plan, 0, seats or SEATS, Catalogue.from_environment(os.environ), punctual)
        try:
            return [await table.play(job) for job in jobs or [Job(game(seats=seats))]]
        finally:
            await table.close()

    loop, punctual = punctual_loop()
    try:
        return loop.run_until_complete(script())
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        asyncio.set_event_loop(None)
        loop.close()


def game(block: int = 1, seed: int = 5, seats: dict[str, str] | None = None) -> GamePlan:
    return GamePlan(block, 0, 1, 0, 0, seed, seats or SEATS)


def test_a_game_between_good_engines(tmp_path: Path) -> None:
    ((played, case),) = play(tictactoe(tmp_path))
    assert played.moves[:3] == ("Cross A1", "Circle B1", "Cross C1")
    assert (played.end, case, played.faults) == ("rules", "", ())
    assert played.scores == {"Cross": 1.0, "Circle": 0.0}
    assert played.standings == {"Cross": "win", "Circle": "loss"}
    assert set(played.thinking) == {"Cross", "Circle"}
    assert played.seconds > 0


def test_engines_stay_and_seeds_decide(tmp_path: Path) -> None:
    plan = plan_of(
        {"player": [{"engine": "Random"}, {"name": "B", "engine": "Random"}], "rule": [{"rule": "TicTacToe"}]}
    )
    seats = {"Cross": "Random", "Circle": "B"}
    first, second, again = play(plan, *(Job(game(1, seed, seats)) for seed in (1, 2, 1)), seats=seats)
    assert first[0].moves == again[0].moves
    assert first[0].moves != second[0].moves


@pytest.mark.parametrize(
    ("fault", "name"),
    [("crash", "exit"), ("illegal", "illegal"), ("wrong-answer", "protocol"), ("late", "late"), ("hang", "late")],
)
def test_a_fault_costs_the_game(tmp_path: Path, fault: str, name: str) -> None:
    # Much later than any machine would make it, or it might be the machine's fault.
    plan = tictactoe(tmp_path, "--fault", fault, "--delay-ms", "5000", time={"move": 200, "margin": 900})
    ((played, case),) = play(plan)
    assert played.end == "forfeit"
    assert played.scores == {"Cross": 1.0, "Circle": 0.0}
    (seen,) = played.faults
    assert (seen.player, seen.seat, seen.fault, seen.price) == ("Bad", "Circle", name, "loss")
    assert f"fault of Bad (Circle) after 1 moves, {name}" in case
    assert "force_play Cross A1" in case
    assert "> have_to_play" in case
    fake = FAKES / "bad_engine.py"
    assert f"# The program of Bad: {sys.executable} -S {fake} '{{endpoint}}' --fault {fault}" in case
    assert f"#   sha256 {sha256(fake.read_bytes()).hexdigest()} {fake}" in case


@pytest.mark.parametrize("price", ["void", "stop", "random", "restart"])
def test_a_fault_may_have_another_price(tmp_path: Path, price: str) -> None:
    ((played, case),) = play(tictactoe(tmp_path, "--fault", "illegal", faults={"default": price, "start": "void"}))
    assert played.faults[0].price == price
    assert case
    if price in ("void", "stop"):
        assert (played.end, played.scores) == ("void", {})
    elif price == "random":
        assert played.end == "rules"
        assert len(played.faults) == sum(move.startswith("Circle") for move in played.moves)
    else:
        assert played.end == "forfeit"  # it never gets better
        assert len(played.faults) == 4


def test_an_engine_that_does_not_start_is_a_fault(tmp_path: Path) -> None:
    ((played, _),) = play(tictactoe(tmp_path, "--fault", "exit1", "--at", "connect_engine"))
    assert played.end == "void"
    assert [(fault.player, fault.fault) for fault in played.faults] == [("Bad", "start")]


def test_after_a_fault_the_next_game_has_fresh_engines(tmp_path: Path) -> None:
    first, second = play(tictactoe(tmp_path, "--fault", "crash"), Job(game(1)), Job(game(2)))
    assert first[0].end == second[0].end == "forfeit"


def test_a_game_goes_on_from_its_moves(tmp_path: Path) -> None:
    ((played, _),) = play(tictactoe(tmp_path), Job(game(), 1, ("Cross C3", "Circle B2")))
    assert played.moves[:4] == ("Cross C3", "Circle B2", "Cross A1", "Circle B1")


def test_a_game_goes_on_with_what_was_left_in_the_banks(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "hang", time={"bank": 600_000, "margin": 0})
    banks = {"Cross": 500.0, "Circle": 0.001}
    ((played, _),) = play(plan, Job(game(), 1, ("Cross C3",), banks))  # it would take ten minutes otherwise
    assert [(fault.seat, fault.fault) for fault in played.faults][:1] in ([("Circle", "late")], [("Circle", "machine")])


def test_mirrored_games_have_the_same_pattern(tmp_path: Path) -> None:
    jobs = [Job(game(), 1, (f"Cross {first}", f"Circle {second}")) for first, second in (("A1", "C3"), ("C1", "A3"))]
    plan = tictactoe(tmp_path, adjudicate={"length": 2})
    (one, _), (other, _) = play(plan, *jobs)
    assert one.moves != other.moves
    assert one.pattern == other.pattern != ""
    ((third, _),) = play(plan, Job(game(), 1, ("Cross B1", "Circle C3")))
    assert third.pattern != one.pattern


def test_a_fault_tells_what_the_process_had_used(tmp_path: Path) -> None:
    ((played, case),) = play(tictactoe(tmp_path, "--fault", "illegal"))
    (fault,) = played.faults
    assert fault.cpu_ms > 0
    assert fault.memory_mib > 0
    assert f"its process had used {fault.cpu_ms} ms of processor time and {fault.memory_mib} MiB" in case
    ((ended, _),) = play(tictactoe(tmp_path, "--fault", "crash"))
    assert ended.faults[0].cpu_ms > 0


def test_start_positions_are_played_first(tmp_path: Path) -> None:
    rule = {"rule": "TicTacToe", "start": [{"moves": ["Cross B2", "circle c3"]}]}
    ((played, _),) = play(tictactoe(tmp_path, rule=[rule]))
    assert played.moves[:3] == ("Cross B2", "Circle C3", "Cross A1")


@pytest.mark.parametrize(
    ("rules", "end", "scores", "plies"),
    [
        ({"length": 4}, "length", {"Cross": 0.5, "Circle": 0.5}, 4),
        ({"length": 3, "length_result": "void"}, "void", {}, 3),
        ({"solver_nodes": 100_000}, "solved", {"Cross": 0.5, "Circle": 0.5}, 1),
    ],
)
def test_adjudication(tmp_path: Path, rules: dict[str, Any], end: str, scores: dict[str, float], plies: int) -> None:
    ((played, _),) = play(tictactoe(tmp_path, adjudicate=rules))
    assert (played.end, played.scores, len(played.moves)) == (end, scores, plies)
    assert played.reason.startswith("adjudicated: ")


def test_engines_agree_that_one_has_lost() -> None:
    data = {
        "player": [{"engine": "Minimax"}, {"name": "B", "engine": "Minimax"}],
        "rule": [{"rule": "TicTacToe", "start": [{"moves": ["Cross A1", "Circle B1"]}]}],
        "adjudicate": {"resign_score": 5, "resign_moves": 1},
    }
    seats = {"Cross": "Minimax", "Circle": "B"}
    ((played, _),) = play(plan_of(data), seats=seats)
    assert (played.end, played.scores) == ("agreed", {"Cross": 1.0, "Circle": 0.0})
    assert len(played.moves) == 4


def test_our_own_lateness_is_not_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """We look away for much longer than the engines have; their moves are there in time, and we are late."""
    original = GameTable._on_asked

    def look_away(table: GameTable, link: int) -> None:
        original(table, link)
        until = time.monotonic() + 2.0
        while len(table._seating.moves()) < 2 and time.monotonic() < until:
            threading.Event().wait(0.05)  # the engine needs the processor

    monkeypatch.setattr(GameTable, "_on_asked", look_away)
    ((played, _),) = play(tictactoe(tmp_path, time={"move": 1500, "margin": 0}))
    assert played.moves[:2] == ("Cross A1", "Circle B1")
    assert not [fault for fault in played.faults if fault.player and fault.ply < 2]
    assert played.lag_ms >= 1900
    assert played.thinking["Cross"] < 2.0


def test_what_moves_were_not_told_yet(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path)

    async def script() -> None:
        table = GameTable(plan, 0, SEATS, Catalogue.from_environment(os.environ), None)
        assert table.fresh_moves() is None
        await table.play(Job(game()))
        assert table.engines == 2
        await table.close()
        assert table.engines == 0

    asyncio.run(script())
