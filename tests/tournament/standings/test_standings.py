"""The running table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggtp.stats.elo import elo
from ggtp.stats.ratings import rate
from ggtp.stats.summary import summarise
from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.report.evidence import evidence
from ggtp.tournament.results import Block, FaultSeen, Game, GamePlan, Results
from ggtp.tournament.standings.standings import Standings, block_scores

SEATS = ("Cross", "Circle")
PLAN = Plan((Contestant("A", "Random"), Contestant("B", "Random")), (RulePlan("TicTacToe", seats=SEATS),))


def game(block: int, index: int, cross: float, **changes: object) -> Game:
    seats = dict(zip(SEATS, ("AB", "BA")[index], strict=True))
    scores = {"Cross": cross, "Circle": 1 - cross} if changes.get("end", "rules") == "rules" else {}
    return Game(GamePlan(block, index, 1, 0, 0, 1, seats), scores, **changes)  # type: ignore[arg-type]  # as named


def test_games_in_any_order_add_up() -> None:
    standings = Standings(PLAN)
    for played in (game(2, 1, 0.5), game(1, 0, 1.0), game(1, 1, 0.0), game(2, 0, 1.0)):
        standings.add(played, 2)
    a, b = standings.table()
    assert (a.name, a.games, a.wins, a.draws, a.losses, a.score) == ("A", 4, 3, 1, 0, 0.875)
    assert (b.wins, b.draws, b.losses, b.score) == (0, 1, 3, 0.125)
    assert standings.complete_blocks() == 2
    (meeting,) = standings.meetings.values()
    assert meeting.scores["A"] == {1.0: 1, 0.75: 1}
    assert standings.sample("A").games == 2.0
    pair, table = standings.pairs()["A", "B"]
    assert (pair, table) == (standings.sample("A"), 2.0)
    estimate = standings.elo("A")
    assert estimate.value is not None
    assert estimate.value > 150


def test_nothing_is_kept_of_blocks_that_are_complete() -> None:
    standings = Standings(PLAN)
    for block in range(500):
        standings.add(game(block, 0, 1.0), 2)
        standings.add(game(block, 1, 1.0), 2)
    assert not standings._open
    assert not standings._left
    (meeting,) = standings.meetings.values()
    assert meeting.scores["A"] == {0.5: 500}


def chips(block: int, index: int, cross: int) -> Game:
    points = {"Cross": str(cross), "Circle": str(-cross)}
    won = {"Cross": "win" if cross > 0 else "loss", "Circle": "loss" if cross > 0 else "win"}
    return game(block, index, float(cross > 0), points=points, standings=won)


def test_points_add_up_by_blocks() -> None:
    standings = Standings(PLAN)
    # A wins one small pot after the other and loses great ones: ahead in most games, and behind in chips.
    for block in range(4):
        standings.add(chips(block, 0, 1), 2)
        standings.add(chips(block, 1, -2 if block else 50), 2)
    assert standings.points_tell
    assert standings.rows["A"].wins == 7
    assert standings.purses["A"].mean == pytest.approx((3 * 1.5 - 24.5) / 4)
    assert standings.purses["B"].mean == -standings.purses["A"].mean
    assert not standings._points


def test_points_that_say_who_has_won_tell_nothing_more() -> None:
    standings = Standings(PLAN)
    hundred = {"points": {"Cross": "100", "Circle": "0"}, "standings": {"Cross": "win", "Circle": "loss"}}
    standings.add(game(1, 0, 1.0, **hundred), 2)
    assert not standings.points_tell


def test_points_of_several_rules_are_not_added_up() -> None:
    standings = Standings(replace(PLAN, rules=PLAN.rules * 2))
    standings.add(chips(1, 0, 5), 2)
    standings.add(chips(1, 1, 5), 2)
    assert standings.purses == {}


def test_faults_void_games_and_quarantine_are_told_apart() -> None:
    standings = Standings(PLAN)
    fault = FaultSeen("A", "Cross", "exit", "it ended.", "void")
    standings.add(game(1, 0, 0.0, end="void", faults=(fault,)), 2)
    standings.add(game(1, 0, 1.0), 2)
    standings.add(game(1, 1, 0.0, end="quarantine"), 2)
    assert (standings.games, standings.void, standings.skipped) == (1, 1, 1)
    assert standings.faults == {("A", "exit"): 1}
    assert standings.rows["A"].faults == 1
    assert standings.complete_blocks() == 0
    assert standings.elo("A").value is None


def test_those_who_play_alone_are_compared() -> None:
    assert block_scores([{"A": 1.0}, {"B": 0.5}, {"C": 0.0}], alone=True) == {"A": 0.875, "B": 0.5, "C": 0.125}
    assert block_scores([{"A": 1.0, "B": 0.0}, {"A": 0.5, "B": 0.5}]) == {"A": 0.75, "B": 0.25}


def test_a_block_that_lost_a_game_does_not_count_as_one() -> None:
    standings = Standings(PLAN)
    standings.add(game(1, 0, 1.0), 2)
    standings.left_out(game(1, 1, 0.0, end="void"), 2)
    assert standings.complete_blocks() == 0
    assert not standings._open
    assert standings.table()[0].score == pytest.approx(1.0)


def test_blocks_that_repeat_an_earlier_one_are_no_new_evidence() -> None:
    once, often, mixed = Standings(PLAN), Standings(PLAN), Standings(PLAN)
    for block in range(20):
        for index in (0, 1):
            score = float(index)  # A wins both
            moves = ("Cross A1", f"Circle {index}")
            often.add(game(block, index, 1 - score, moves=moves), 2)
            mixed.add(game(block, index, 1 - score, moves=(*moves, f"Cross {block}")), 2)
            if not block:
                once.add(game(block, index, 1 - score, moves=moves), 2)
    assert (often.repeats, often.complete_blocks(), often.distinct_blocks()) == (38, 20, 1)
    assert (mixed.repeats, mixed.distinct_blocks()) == (0, 20)
    assert often.rows["A"].games == 40  # they are counted, and worth nothing
    assert often.elo("A") == once.elo("A") != mixed.elo("A")
    assert often.sample("A").units == 1.0


def test_a_repetition_is_known_in_any_order() -> None:
    standings = Standings(PLAN)
    standings.add(game(1, 1, 0.0, moves=("Cross A1",)), 2)
    first = standings.add(game(1, 0, 1.0, moves=("Cross B1",)), 2)
    standings.add(game(2, 0, 1.0, moves=("Cross B1",)), 2)
    second = standings.add(game(2, 1, 0.0, moves=("Cross A1",)), 2)
    standings.add(game(3, 0, 1.0, moves=("Cross B1",)), 2)
    third = standings.add(game(3, 1, 1.0, moves=("Cross A1",)), 2)  # it came to something else: an engine was late
    assert [done is not None and done.repeated for done in (first, second, third)] == [False, True, False]


def test_who_uses_a_processor_out_of_turn() -> None:
    standings = Standings(PLAN)
    standings.add(game(1, 0, 1.0, idle={"Cross": (2.0, 1.9, 0.0), "Circle": (2.0, 0.1, 0.0)}), 2)
    assert list(standings.restless()) == ["A"]


@pytest.mark.parametrize("blocks", [1, 8, 300])
def test_who_wins_is_known_as_well_as_who_loses(blocks: int) -> None:
    """A block is evidence of both who played it, whatever each of them scored in it."""
    standings = Standings(PLAN)
    for block in range(blocks):
        standings.add(game(block, 0, 1.0), 2)
        standings.add(game(block, 1, 0.5 * (block % 3 == 0)), 2)
    best, worst = standings.elo("A"), standings.elo("B")
    assert standings.sample("A").units == standings.sample("B").units == blocks
    assert best.value == pytest.approx(-(worst.value or 0.0))
    assert best.error == pytest.approx(worst.error)


def test_who_has_lost_everything_is_known_to_be_bad() -> None:
    standings = Standings(PLAN)
    for block in range(20):
        standings.add(game(block, 0, 1.0), 2)
        standings.add(game(block, 1, 0.0), 2)
    best, worst = standings.elo("A"), standings.elo("B")
    assert best.low is not None
    assert best.low > 0
    assert worst.high == pytest.approx(-best.low)


def test_the_difference_of_two_rows_is_how_much_better_one_is() -> None:
    standings = Standings(PLAN)
    for block in range(100):
        standings.add(game(block, 0, 1.0), 2)
        standings.add(game(block, 1, 0.5 * (block % 3 == 0)), 2)
    best, worst = standings.elo("A").value, standings.elo("B").value
    assert best is not None
    assert worst is not None
    assert best - worst == pytest.approx(elo(standings.sample("A")).value)
    assert standings.bounded()["A"] == pytest.approx(best, rel=0.03)


def test_the_running_table_and_the_report_have_the_same_scale_and_evidence() -> None:
    """Three players at two rules, of which one is played alike again and again."""
    names, rules = "ABC", (RulePlan("TicTacToe", seats=SEATS), RulePlan("Nim", seats=SEATS))
    plan = Plan(tuple(Contestant(name, "Random") for name in names), rules)
    standings, games, number = Standings(plan), [], 0
    for repetition in range(40):
        for rule in (0, 1):
            for one, other in ("AB", "AC", "BC"):
                number += 1
                won = 1.0 if rule else (repetition * 7 + ord(one)) % 5 / 4
                for index, seats in enumerate(((one, other), (other, one))):
                    scores = (won, 1 - won) if index == 0 else (1 - won, won)
                    moves = ("Cross A1", f"Circle {rule and (one, other)} {0 if rule else repetition}")
                    plan_ = GamePlan(number, index, 1, rule, 0, 1, dict(zip(SEATS, seats, strict=True)))
                    games.append(Game(plan_, dict(zip(SEATS, scores, strict=True)), moves=moves))
                    standings.add(games[-1], 2)
    assert standings.distinct_blocks() == 3 * 41
    blocks = []
    for first, second in zip(games[::2], games[1::2], strict=True):
        players = tuple(first.plan.seats.values())
        blocks.append(Block(first.plan.block, 1, first.plan.rule, 0, 1, players, (first, second), 2))
    found = evidence(Results(plan, games=tuple(games), blocks=tuple(blocks)))
    joint, summary = rate(found), summarise(found, names)
    for name in names:
        running, reported = standings.elo(name), joint.estimate(name)
        assert running.value == pytest.approx(reported.value, abs=0.25 * (reported.error or 0))
    for pair, met in standings.pairs().items():
        row = summary.pair(*pair)
        assert row is not None
        assert met.sample.units == pytest.approx(row.sample.units)
        assert met.sample.mean == pytest.approx(row.sample.mean)
