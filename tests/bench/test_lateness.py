"""`ggtp bench lateness`: every move of an engine is timed, beside loops that keep the machine busy."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ggtp.bench.lateness import Figures, Moment, _Conversation, report, summed_up
from ggtp.catalogue import Catalogue


@pytest.mark.process
def test_moves_of_a_real_engine(run: Any) -> None:
    arguments = ("--engine", "Random", "--moves", "12", "--time", "60000", "--load", "1")
    ran = run("bench", "lateness", "TicTacToe", *arguments, "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    assert (found["time_ms"], found["load"]) == (60000, 1)
    (row,) = found["results"]
    assert (row["engine"], row["rule"], row["moves"], row["late"]) == ("Random", "TicTacToe", 12, 0)
    assert row["games"] >= 2
    assert 0 < row["p50_ms"] <= row["p99_ms"] <= row["worst_ms"]


@pytest.mark.process
def test_ticks_of_a_video_game(run: Any) -> None:
    arguments = ("--engine", "Random", "--moves", "5", "--time", "60000", "--load", "0")
    ran = run("bench", "lateness", "vgdl/skeet", *arguments, "--json")
    assert ran.status == 0, ran.err
    (row,) = json.loads(ran.out)["results"]
    assert (row["rule"], row["moves"], row["late"]) == ("vgdl/skeet", 5, 0)


@pytest.mark.parametrize(("rule", "clock"), [("vgdl/skeet", ["set_option start_clock 1000"]), ("TicTacToe", [])])
def test_engines_are_told_of_a_start_clock(rule: str, clock: list[str], monkeypatch: Any) -> None:
    catalogue, said = Catalogue.from_environment({}), []

    async def ask(self: _Conversation, line: str) -> str:
        said.append(line)
        return ""

    monkeypatch.setattr(_Conversation, "_ask", ask)
    asyncio.run(_Conversation(catalogue.find_engine("Random")).begin(rule, catalogue.find_rules(rule), 1))
    assert [line for line in said if "clock" in line] == clock
    assert said[-1] == "start"


def test_figures() -> None:
    seen = [Moment(1, 0, 70.0, 1.0), *(Moment(2, 1 + place, 10.0 + place, 0.0) for place in range(98))]
    figures = summed_up("MCTS", "Nim", seen, 70.0)
    assert (figures.games, figures.moves, figures.late) == (2, 99, 37)
    assert (figures.first_ms, figures.worst_ms) == (70.0, 107.0)
    assert summed_up("MCTS", "Nim", seen[:1], 70.0).late == 0


def test_for_people() -> None:
    late = Moment(1, 3, 51.0, 7.0)
    lines = report([Figures("MCTS", "Nim", 2, 1000, 1, 20.0, 40.0, 51.0, 51.0, [late])], 50)
    assert lines[1].split() == ["MCTS", "Nim", "2", "1,000", "1", "20.0", "40.0", "51.0", "51.0"]
    assert lines[2] == "MCTS: 1 of 1,000 moves late"
    assert lines[3].endswith("game 1, move 3: 51.0 ms, of which 7.0 ms without a processor")


def test_what_can_not_be_timed_so(run: Any) -> None:
    ran = run("bench", "lateness", "RockPaperScissors")
    assert ran.status == 1
    assert "one move after the other" in ran.err
    ran = run("bench", "lateness", "gdl/chess", "--engine", "Nobody")
    assert ran.status == 1
    ran = run("bench", "lateness", "KuhnPoker", "--engine", "Minimax")
    assert ran.status == 1
