"""Every fault has its price, and what was nobody's fault costs nobody anything."""

from __future__ import annotations

import sys
import threading
import time
from hashlib import sha256
from pathlib import Path

import pytest
from support.runs import FAKES, tictactoe
from support.stuck import stuck_rule
from support.tables import game_plan, play

from ggtp.arena.table.table import GameTable
from ggtp.bench.lateness import busy
from ggtp.driver.rule_watch import RuleWatch
from ggtp.tournament.results import Job

pytestmark = pytest.mark.process


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


@pytest.mark.parametrize(
    "time",
    [
        # Two moves fit, each with room for waits of the machine, and the third does not, with any.
        {"bank": 1750, "margin": 250},
        {"bank": 1950, "margin": 0},
        {"bank": 1625, "increment": 50, "margin": 250},
        {"bank": 1750, "move": 5000, "margin": 250},
        {"move": 500, "bank": 60000, "margin": 0},
    ],
)
@pytest.mark.parametrize("loops", [0, 4], ids=["quiet", "busy"])
def test_an_engine_that_runs_out_of_its_bank_loses_on_time(tmp_path: Path, time: dict[str, int], loops: int) -> None:
    with busy(loops):
        ((played, _),) = play(tictactoe(tmp_path, "--fault", "late", "--delay-ms", "750", time=time))
    assert (played.end, played.scores) == ("forfeit", {"Cross": 1.0, "Circle": 0.0})
    (seen,) = played.faults
    assert (seen.player, seen.fault) == ("Bad", "late")


def test_an_engine_that_never_answers_beside_busy_loops_loses_on_time(tmp_path: Path) -> None:
    """It wants a processor all the time, so its move is put off, but not without end."""
    with busy(4):
        ((played, _),) = play(tictactoe(tmp_path, "--fault", "spin", time={"move": 200, "margin": 0}))
    assert (played.end, played.scores) == ("forfeit", {"Cross": 1.0, "Circle": 0.0})
    (seen,) = played.faults
    assert (seen.player, seen.fault) == ("Bad", "late")
    assert seen.late_ms > seen.machine_ms


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
    first, second = play(tictactoe(tmp_path, "--fault", "crash"), Job(game_plan(1)), Job(game_plan(2)))
    assert first[0].end == second[0].end == "forfeit"


def test_a_fault_tells_what_the_process_had_used(tmp_path: Path) -> None:
    ((played, case),) = play(tictactoe(tmp_path, "--fault", "illegal"))
    (fault,) = played.faults
    assert fault.cpu_ms > 0
    assert fault.memory_mib > 0
    assert f"its process had used {fault.cpu_ms} ms of processor time and {fault.memory_mib} MiB" in case
    ((ended, _),) = play(tictactoe(tmp_path, "--fault", "crash"))
    assert ended.faults[0].cpu_ms > 0


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


def test_a_rule_that_computes_without_end_costs_nobody_anything(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, rule=[{"rule": str(stuck_rule(tmp_path))}])
    with RuleWatch(lambda _text: None, limit=0.5):
        ((played, _),) = play(plan)
    assert (played.end, played.scores) == ("void", {})
    (seen,) = played.faults
    assert (seen.player, seen.fault) == ("", "rule")
    assert "The rule Stuck failed in result (" in seen.what
    assert "result was given up after" in seen.what


@pytest.mark.parametrize(("then", "end"), [("loss", "forfeit"), ("random", "rules")])
def test_an_engine_is_asked_again_before_an_illegal_move_costs_anything(tmp_path: Path, then: str, end: str) -> None:
    plan = tictactoe(tmp_path, "--fault", "illegal", faults={"illegal": f"again:2:{then}"})
    ((played, _),) = play(plan)
    assert played.end == end
    prices = [fault.price for fault in played.faults]
    assert prices[:3] == ["again", "again", then]
    assert {fault.ply for fault in played.faults[:3]} == {1}
