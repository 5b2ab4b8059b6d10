"""Whole tournaments in real processes: the same at any concurrency, and after any interruption."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.runs import games, plan_of, results, run, tictactoe

from ggtp.arena.journal_file import TournamentJournal
from ggtp.arena.pool import Pool
from ggtp.arena.runner import Runner, RunnerListeners, TournamentFailed, case_folder, open_runner
from ggtp.game.chance import derive
from ggtp.tournament.journal.journal import JournalError, LineReader, LineWriter
from ggtp.tournament.plan.plan import Plan, PlanError, plan_from
from ggtp.tournament.report.data import make_report
from ggtp.tournament.results import Game, Job
from ggtp.tournament.schedule.schedule import Part, Schedule

TWO = [{"name": name, "engine": "Random"} for name in "AB"]


@pytest.mark.process
def test_the_same_games_at_any_concurrency(tmp_path: Path) -> None:
    plan = plan_of({"player": TWO, "rule": [{"rule": "TicTacToe"}, {"rule": "CantStop"}], "blocks": 5, "seed": 4})
    for concurrency in (1, 5, 16):
        runner = run(plan, tmp_path / f"{concurrency}.journal", concurrency)
        assert runner.ended
    alone = games(tmp_path / "1.journal")
    assert len(alone) == 2 * 5 * 2
    assert alone == games(tmp_path / "5.journal") == games(tmp_path / "16.journal")


@pytest.mark.process
def test_a_finished_tournament_is_not_played_again(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path)
    run(plan, tmp_path / "a.journal")
    before = (tmp_path / "a.journal").read_bytes()
    runner = run(plan, tmp_path / "a.journal")
    assert runner.ended
    assert runner.played == 0
    assert (tmp_path / "a.journal").read_bytes() == before
    assert runner.ledger.standings.games == 2


@pytest.mark.process
def test_finishing_and_going_on(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=10)
    path = tmp_path / "a.journal"

    first = run(plan, path, 2, result=lambda runner: runner.finish("enough") if runner.played >= 5 else None)
    assert not first.ended
    assert not any(game.moves for game in results(path).running)  # all that were begun have ended
    assert 5 <= len(results(path).games) < 20
    second = run(None, path)
    assert second.ended
    assert len(results(path).games) == 20
    assert [event.kind for event in results(path).happened] == ["pause", "resume", "end"]
    whole = run(plan, tmp_path / "b.journal")
    assert games(path) == games(tmp_path / "b.journal")
    assert second.ledger.standings.rows["Good"].points == whole.ledger.standings.rows["Good"].points


@pytest.mark.process
def test_a_journal_that_is_removed_while_games_run_goes_on_beside_it(tmp_path: Path) -> None:
    path, fresh = tmp_path / "a.journal", tmp_path / "a-1.journal"

    def remove(runner: Runner) -> None:
        if runner.played == 3:
            path.unlink()

    runner = run(tictactoe(tmp_path, blocks=5), path, 2, result=remove)
    assert runner.ended
    assert runner.path == fresh
    assert not path.exists()
    assert len(results(fresh).games) == 10
    said = f"Warning: The journal {path} was removed. The whole journal is in {fresh}, which goes on."
    assert [line for line in runner.log if line.startswith("Warning: The journal")] == [said]


@pytest.mark.process
def test_a_journal_that_is_emptied_ends_the_run(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with pytest.raises(TournamentFailed, match=r"a\.journal can't be written: another program has changed it\."):
        run(tictactoe(tmp_path, blocks=5), path, 2, result=lambda _runner: os.truncate(path, 0))
    assert path.read_bytes() == b""


@pytest.mark.process
def test_who_finishes_while_the_last_games_run_has_played_all(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"

    def finish_at_last(runner: Runner) -> None:
        if runner.played == 1:
            runner.finish("interrupted")

    assert run(tictactoe(tmp_path, blocks=1), path, 2, result=finish_at_last).ended
    assert [event.kind for event in results(path).happened] == ["end"]


def when_moves_are_written(runner: Runner, do: Callable[[], None]) -> None:
    """Do something at the moment when moves of a running game are in the journal."""
    original = runner._write

    def write(data: bytes, *, sync: bool = False) -> None:
        original(data, sync=sync)
        if b'"kind":"moves"' in data:
            asyncio.get_running_loop().call_soon(do)

    runner._write = write


@pytest.mark.process
def test_nobody_waits_for_games_that_were_not_begun(tmp_path: Path) -> None:
    """One game is played, one waits behind it: it is given back, and due again in the next run."""
    plan = tictactoe(tmp_path, "--fault", "hang", time={"patience": 2500})
    path = tmp_path / "a.journal"
    first = run(plan, path, 1, lambda runner: when_moves_are_written(runner, runner.finish))
    assert not first.ended
    assert [game.id for game in results(path).games] == ["1.0"]
    assert [(game.id, game.moves) for game in results(path).running] == [("1.1", ())]
    assert run(None, path).ended
    assert [game.id for game in results(path).games] == ["1.0", "1.1"]


@pytest.mark.process
def test_stopping_leaves_running_games_to_go_on_with(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "hang", time={"patience": 1_000_000})
    path = tmp_path / "a.journal"

    runner = run(plan, path, 2, lambda runner: when_moves_are_written(runner, runner.stop))
    assert not runner.ended
    running = results(path).running
    assert running
    assert any(game.moves == ("Cross A1",) for game in running)


@pytest.mark.process
def test_a_fault_leaves_a_case_file_that_is_a_play(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    runner = run(tictactoe(tmp_path, "--fault", "illegal"), path)
    assert runner.ended
    cases = sorted(case_folder(path).iterdir())
    assert [case.name for case in cases] == ["1.0-1.ggtp", "1.1-1.ggtp"]
    assert {game.case for game in results(path).games} == {case.name for case in cases}
    assert {stat.S_IMODE(file.stat().st_mode) for file in (path, *cases)} == {0o600}
    assert any("fault of Bad, illegal" in line for line in runner.log)


@pytest.mark.process
def test_the_last_lines_of_a_crash_are_quoted_once(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    log = list(run(tictactoe(tmp_path, "--fault", "exit1"), path).log)
    assert sum("fault of Bad, exit" in line for line in log) == 2
    assert [line for line in log if "said:" in line] == [
        "  Bad said: bad_engine: the table of openings is broken",
        "  Bad said: bad_engine: giving up",
    ]
    (row,) = make_report(results(path)).faults
    assert row.last_lines == ("bad_engine: the table of openings is broken", "bad_engine: giving up")


@pytest.mark.process
def test_an_engine_that_never_played_stops_the_tournament(tmp_path: Path) -> None:
    runner = run(tictactoe(tmp_path, "--fault", "exit1", "--at", "connect_engine", blocks=50), tmp_path / "a.journal")
    assert not runner.ended
    assert any("Bad has not played a single game" in line for line in runner.log)


@pytest.mark.process
def test_the_price_stop_stops(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, "--fault", "illegal", blocks=50, faults={"illegal": "stop"})
    runner = run(plan, tmp_path / "a.journal")
    assert not runner.ended
    assert runner.played < 10


@pytest.mark.process
def test_quarantine(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    runner = run(tictactoe(tmp_path, "--fault", "illegal", blocks=20, strikes=3), path, 1)
    assert runner.ended
    assert runner.ledger.quarantined == {"Bad"}
    ends = [game.end for game in (*results(path).games, *results(path).void)]
    assert len(ends) == 40
    assert ends.count("quarantine") >= 34


@pytest.mark.process
def test_a_worker_that_dies_costs_nobody_anything(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=6)
    path = tmp_path / "a.journal"

    async def script() -> Runner:
        journal = TournamentJournal(path)
        pools: list[Pool] = []

        def make(on_message: Any, on_lost: Any) -> Pool:
            pools.append(Pool(plan, 2, on_message, on_lost, cores=2))
            return pools[0]

        def kill(_game: object) -> None:
            if runner.played == 3:
                process = pools[0]._hands[0].process
                assert process is not None
                os.kill(process.pid, signal.SIGKILL)

        runner = Runner(plan, journal, version="test", now=lambda: "", listeners=RunnerListeners(result=kill))
        await runner.run(make)
        journal.close()
        return runner

    runner = asyncio.run(script())
    assert runner.ended
    found = results(path)
    assert len(found.games) == 12
    assert all(fault.fault == "worker" and not fault.player for fault in found.faults)
    assert found.faults
    run(plan, tmp_path / "b.journal")
    assert games(path) == games(tmp_path / "b.journal")


@pytest.mark.process
def test_a_journal_of_another_plan_is_refused(tmp_path: Path) -> None:
    run(tictactoe(tmp_path), tmp_path / "a.journal")
    with pytest.raises(JournalError, match="another plan: seed is 0 in the journal and 3 now"):
        run(tictactoe(tmp_path, blocks=7, seed=3), tmp_path / "a.journal")


def test_a_plan_without_a_seed_has_a_key_that_its_journal_keeps(tmp_path: Path) -> None:
    plan = replace(tictactoe(tmp_path), seed=None)

    def key(name: str, plan: Plan | None) -> int:
        runner, journal = open_runner(plan, tmp_path / name)
        journal.close()
        game = runner.ledger.schedule.next()
        assert game is not None
        assert runner.plan.seed is not None
        assert game.seed == derive(runner.plan.seed, "game", 0, 0)
        return runner.plan.seed

    first, *others = (key(f"{number}.journal", plan) for number in range(8))
    assert len({first, *others}) == 8
    assert max(first, *others) > 2**96
    for again in (plan, None, replace(plan, seed=first)):
        assert key("0.journal", again) == first
    with pytest.raises(JournalError, match=r"another plan: seed is [0-9]+ in the journal and"):
        key("0.journal", replace(plan, seed=0))


def test_no_journal_and_no_plan(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no header"):
        run(None, tmp_path / "a.journal")


@pytest.mark.process
def test_a_journal_grows_and_only_what_is_missing_is_played(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(tictactoe(tmp_path, blocks=1), path)
    before = games(path)
    grown = run(tictactoe(tmp_path, blocks=3), path)
    assert grown.ended
    assert grown.played == 4
    assert next(iter(grown.log)) == "The plan has grown: blocks 1 to 3."
    after = games(path)
    assert before == {game_id: after[game_id] for game_id in before}
    assert after == _games_of(tictactoe(tmp_path, blocks=3), tmp_path / "at once")
    assert run(None, path).played == 0
    with pytest.raises(JournalError, match="blocks is 3 in the journal and 2 now: it can only grow"):
        run(tictactoe(tmp_path, blocks=2), path)


@pytest.mark.process
def test_a_journal_that_was_stopped_grows_by_a_player(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(tictactoe(tmp_path, blocks=3), path, result=lambda runner: runner.finish())
    played = games(path)
    others = [*tictactoe(tmp_path).data()["player"], {"name": "New", "engine": "Random"}]
    runner = run(plan_of({"name": "tournament", "player": others, "rule": [{"rule": "TicTacToe"}], "blocks": 3}), path)
    assert runner.ended
    after = games(path)
    assert len(after) == 18
    assert played.items() <= after.items()
    assert [plan.names for plan in read_plans(path)] == [("Good", "Bad"), ("Good", "Bad", "New")]


@pytest.mark.process
def test_parts_are_those_of_the_whole(tmp_path: Path) -> None:
    plan = tictactoe(tmp_path, blocks=4)
    found: dict[str, tuple[tuple[str, ...], dict[str, float]]] = {}
    for number in (1, 2):
        path = tmp_path / f"{number}.journal"
        runner = run(plan, path, prepare=lambda runner, number=number: runner.take_part(Part(number, 2)))
        assert (runner.part_played, runner.ended, runner.played) == (True, False, 4)
        found |= games(path)
    assert found == _games_of(plan, tmp_path / "whole")


def test_what_follows_from_all_results_is_not_played_in_parts(tmp_path: Path) -> None:
    plans: list[dict[str, Any]] = [{"format": "swiss"}, {"sprt": {}}]
    for number, changes in enumerate(plans):
        runner, journal = open_runner(tictactoe(tmp_path, **changes), tmp_path / str(number))
        journal.close()
        with pytest.raises(PlanError, match="can't be played in parts"):
            runner.take_part(Part(1, 2))


def read_plans(path: Path) -> list[Plan]:
    lines = LineReader().read(path.read_bytes())
    return [plan_from(line.members["plan"]) for line in lines if line.kind in ("header", "plan")]


def _games_of(plan: Plan, path: Path) -> dict[str, tuple[tuple[str, ...], dict[str, float]]]:
    run(plan, path)
    return games(path)


def test_a_journal_with_seeds_of_the_old_kind_is_gone_on_with(tmp_path: Path) -> None:
    """Its games keep what they have; those that are still to be played have keys of the new kind."""
    path, writer, plan = tmp_path / "a.journal", LineWriter(), tictactoe(tmp_path, seed=1, blocks=2)
    first = Schedule(plan).next()
    assert first is not None
    played = Game(replace(first, seed=2**31 - 1), {"Cross": 1.0, "Circle": 0.0}, end="rules")
    path.write_bytes(writer.header(plan, version="old", created="2026-11-17T20:00:00+00:00") + writer.result(played))
    runner, file = open_runner(None, path)
    file.close()
    due = runner.ledger.next()
    assert isinstance(due, Job)
    assert (due.id, due.game.seed) == ("1.1", derive(1, "game", 0, 0))
    assert results(path).games[0].plan.seed == 2**31 - 1
