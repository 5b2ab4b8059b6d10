"""The ledger: nothing lost, nothing twice, and the same after any interruption."""

from __future__ import annotations

from typing import Any

import pytest

from ggtp.tournament.plan.plan import Plan, plan_from
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Job
from ggtp.tournament.schedule.schedule import Part, Schedule
from ggtp.tournament.standings.ledger import Ledger


def plan(**changes: Any) -> Plan:
    players = [{"name": name, "engine": "Random"} for name in changes.pop("names", "AB")]
    return plan_from(
        {"player": players, "rule": [{"rule": "TicTacToe", "seats": ["Cross", "Circle"]}], "blocks": 5, "seed": 0}
        | changes
    )


def played(due: Job, **changes: Any) -> Game:
    """The first letter wins."""
    best = min(due.game.seats.values())
    scores = {seat: float(player == best) for seat, player in due.game.seats.items()}
    return Game(due.game, scores, attempt=due.attempt, **changes)


def play(ledger: Ledger, most: int = 10**6) -> list[Game]:
    done: list[Game] = []
    while len(done) < most and isinstance(due := ledger.next(), Job):
        game = played(due)
        ledger.record(game)
        done.append(game)
    return done


@pytest.mark.parametrize("format_", ["match", "swiss", "knockout", "ladder", "elimination"])
@pytest.mark.parametrize("cut", [0, 1, 5, 7])
def test_a_run_that_was_cut_goes_on_to_the_same_end(format_: str, cut: int) -> None:
    the_plan = plan(format=format_, names="AB" if format_ == "match" else "ABCDE", blocks=2)
    whole = play(Ledger(the_plan))
    before = play(Ledger(the_plan), cut)
    later = Ledger(the_plan)
    for game in before:
        later.recall(game)
    after = play(later)
    assert [game.id for game in (*before, *after)] == [game.id for game in whole]
    assert later.done
    reference = Ledger(the_plan)
    play(reference)
    assert later.standings.rows == reference.standings.rows
    assert later.standings.meetings == reference.standings.meetings


def test_a_void_game_is_played_again_and_then_left_out() -> None:
    ledger = Ledger(plan(replays=2, blocks=1))
    attempts = []
    for _ in range(3):
        due = ledger.next()
        assert isinstance(due, Job)
        attempts.append((due.game.id, due.attempt))
        ledger.record(Game(due.game, end="void", attempt=due.attempt))
    assert attempts == [("1.0", 1), ("1.0", 2), ("1.0", 3)]
    due = ledger.next()
    assert isinstance(due, Job)
    assert due.game.id == "1.1"
    ledger.record(played(due))
    assert ledger.next() is None
    assert ledger.done
    assert (ledger.standings.games, ledger.standings.void, ledger.standings.skipped) == (1, 3, 1)
    assert ledger.standings.complete_blocks() == 0


def game_after(count: int) -> GamePlan:
    """The game that is due after so many others."""
    schedule = Schedule(plan())
    *_, game = (schedule.next() for _ in range(count + 1))
    assert game is not None
    return game


def test_an_interrupted_game_goes_on_with_its_moves() -> None:
    ledger = Ledger(plan())
    ledger.interrupted(Job(game_after(0), 1, ("Cross A1", "Circle B1"), {"Cross": 3.5}))
    ledger.interrupted(Job(game_after(1), 2, ("Cross A1",)))
    first, second = ledger.next(), ledger.next()
    assert isinstance(first, Job)
    assert isinstance(second, Job)
    assert (first.attempt, first.moves, first.banks) == (1, ("Cross A1", "Circle B1"), {"Cross": 3.5})
    assert (second.attempt, second.moves) == (1, ())  # those moves were of an attempt that does not count


def test_what_was_not_begun_is_due_again() -> None:
    ledger = Ledger(plan(blocks=1))
    ledger.interrupted(Job(game_after(1), 1, ("Cross A1",), {"Cross": 2.0}))
    first, second = ledger.next(), ledger.next()
    assert isinstance(first, Job)
    assert isinstance(second, Job)
    assert ledger.next() is None
    ledger.put_back(second)
    ledger.record(played(first))
    assert not ledger.done
    again = ledger.next()
    assert again == second
    assert isinstance(again, Job)
    ledger.record(played(again))
    assert ledger.next() is None
    assert ledger.done


def test_to_see_whether_all_was_played_changes_nothing() -> None:
    ledger, other = Ledger(plan()), Ledger(plan())
    first = ledger.next()
    assert isinstance(first, Job)
    assert first == other.next()
    ledger.put_back(Job(first.game, 1, ("Cross A1",), {"Cross": 2.0}))
    for _ in range(3):
        assert not ledger.exhausted()
    assert ledger.next() == Job(first.game, 1, ("Cross A1",), {"Cross": 2.0})
    while isinstance(due := ledger.next(), Job):
        assert not ledger.exhausted()
        assert due == other.next()
        ledger.record(played(due))
        other.record(played(due))
    ledger.record(played(first))
    assert ledger.exhausted()
    assert ledger.done


def test_a_player_with_too_many_faults_is_in_quarantine() -> None:
    ledger = Ledger(plan(strikes=2))
    fault = FaultSeen("B", "Circle", "exit", "it ended.", "loss")
    for _ in range(2):
        due = ledger.next()
        assert isinstance(due, Job)
        ledger.record(played(due, faults=(fault,), end="forfeit"))
    assert ledger.quarantined == {"B"}
    rest = []
    while isinstance(skipped := ledger.next(), Game):
        assert skipped.end == "quarantine"
        ledger.record(skipped)
        rest.append(skipped)
    assert len(rest) == 8
    assert ledger.done
    assert ledger.standings.games == 2


def test_a_decided_test_ends_the_match() -> None:
    ledger = Ledger(plan(blocks=10_000, sprt={"elo0": 0, "elo1": 100}))
    games = play(ledger)
    assert ledger.test is not None
    assert ledger.test.verdict == "H1"
    assert 10 < len(games) < 1000
    assert ledger.done


@pytest.mark.parametrize("ahead", [1, 2, 3, 4, 5])
def test_a_decided_test_ends_the_match_however_many_games_had_begun(ahead: int) -> None:
    ledger = Ledger(plan(blocks=1000, sprt={"elo0": 0, "elo1": 100}))
    begun: list[Job] = []
    for _ in range(2000):
        while len(begun) < ahead and isinstance(due := ledger.next(), Job):
            begun.append(due)
        if not begun:
            break
        ledger.record(played(begun.pop(0)))
    assert ledger.test is not None
    assert ledger.test.verdict == "H1"
    assert ledger.standings.games < 200
    assert ledger.done


def test_a_block_that_was_left_out_does_not_hold_up_the_test() -> None:
    ledger = Ledger(plan(blocks=1000, replays=0, sprt={"elo0": 0, "elo1": 100}))
    for _ in range(2000):
        due = ledger.next()
        if not isinstance(due, Job):
            break
        if due.game.id == "3.1":
            ledger.record(Game(due.game, end="void"))
        else:
            ledger.record(played(due))
    assert ledger.test is not None
    assert ledger.test.verdict == "H1"
    assert ledger.standings.games < 200


def play_the_same(ledger: Ledger, most: int = 10**6) -> list[Game]:
    done: list[Game] = []
    while len(done) < most and isinstance(due := ledger.next(), Job):
        game = played(due, moves=("Cross A1", "Circle B1"))
        ledger.record(game)
        done.append(game)
    return done


def test_where_only_repeats_are_played_no_more_are_begun() -> None:
    ledger = Ledger(plan(blocks=1000, repeats=5))
    assert len(play_the_same(ledger)) == 2 * 6
    assert ledger.only_repeats
    assert ledger.done
    all_played = Ledger(plan(blocks=20, repeats=0))
    assert len(play_the_same(all_played)) == 40
    assert not all_played.only_repeats


def test_repeats_are_found_where_a_part_of_the_blocks_is_played() -> None:
    ledger = Ledger(plan(blocks=1000, repeats=5))
    ledger.part = Part(2, 3)
    games = play_the_same(ledger)
    assert {game.plan.block % 3 for game in games} == {2}
    assert len(games) == 2 * 6
    assert ledger.only_repeats


def test_formats_whose_meetings_depend_on_results_go_on_where_games_repeat() -> None:
    ledger = Ledger(plan(names="ABCD", format="swiss", rounds=3, blocks=20, repeats=2))
    games = play_the_same(ledger)
    assert len(games) == 3 * 2 * 20 * 2
    assert not ledger.only_repeats


@pytest.mark.parametrize("cut", [3, 10, 12])
def test_a_run_of_repeats_that_was_cut_ends_alike(cut: int) -> None:
    the_plan = plan(blocks=1000, repeats=5)
    before = play_the_same(Ledger(the_plan), cut)
    later = Ledger(the_plan)
    for game in before:
        later.recall(game)
    assert len(before) + len(play_the_same(later)) == 12
    assert later.only_repeats
    assert later.done


def test_rulings_are_possible_after_only_repeats() -> None:
    the_plan = plan(blocks=1000, repeats=5)
    later = Ledger(the_plan)
    for game in play_the_same(Ledger(the_plan)):
        later.recall(game)
    assert later.catch_up(set())
    assert later.next() is None


def test_nobody_is_out_on_account_of_a_game_that_is_played_again_and_again() -> None:
    def games(same: bool) -> int:
        ledger = Ledger(plan(names="ABC", format="elimination", blocks=4, rounds=30))
        count = 0
        while isinstance(due := ledger.next(), Job):
            count += 1
            ledger.record(played(due, moves=("Cross A1", f"Circle {0 if same else count}")))
        return count

    assert games(same=True) == 30 * 4 * 3 * 2  # all the rounds, with everybody in them
    assert games(same=False) < games(same=True)


def test_an_elimination_goes_on_alike_where_games_repeat() -> None:
    the_plan = plan(names="ABC", format="elimination", blocks=2, rounds=6)
    moves = ("Cross A1", "Circle B1")

    def go_on(ledger: Ledger, most: int = 10**6) -> list[Game]:
        done: list[Game] = []
        while len(done) < most and isinstance(due := ledger.next(), Job):
            game = played(due, moves=moves if due.game.block % 3 else (*moves, f"Cross {due.game.id}"))
            ledger.record(game)
            done.append(game)
        return done

    whole = go_on(Ledger(the_plan))
    before = go_on(Ledger(the_plan), 17)
    later = Ledger(the_plan)
    for game in before:
        later.recall(game)
    assert [game.id for game in (*before, *go_on(later))] == [game.id for game in whole]
