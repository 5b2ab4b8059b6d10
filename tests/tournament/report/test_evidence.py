"""From a tournament's results to what the statistics take."""

from __future__ import annotations

from dataclasses import replace

from support.tournaments import results

from ggtp.stats.results import complete_blocks
from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan, Start
from ggtp.tournament.report.evidence import evidence, fingerprint, rule_labels
from ggtp.tournament.results import FaultSeen, Game, GamePlan, Results, blocks_of

PLAYERS = (Contestant("A", "Random"), Contestant("B", "Random"))
SOLO = Plan(PLAYERS, (RulePlan("Hanoi", seats=("Robot",)),), blocks=2)
DUEL = Plan(PLAYERS, (RulePlan("Nim", seats=("First", "Second")),), blocks=2)


def solo(block: int, index: int, player: str, score: float) -> Game:
    return Game(GamePlan(block, index, 1, 0, 0, 7, {"Robot": player}), {"Robot": score}, moves=("Robot a",))


def made(plan: Plan, *games: Game) -> Results:
    return Results(plan, games=games, blocks=blocks_of(plan, games))


def test_every_game_that_counts_is_evidence_in_its_block() -> None:
    found = evidence(results(blocks=3, faulty="Weak"))
    assert len(found) == 6
    assert [len(block) for block in complete_blocks(found)] == [2, 2, 2]
    assert [game.players for game in found[:2]] == [("Strong", "Weak"), ("Weak", "Strong")]
    assert [game.at_fault for game in found if game.at_fault] == [("Weak",)]
    assert all(game.fingerprint for game in found)


def test_those_who_play_alone_are_compared() -> None:
    plan = made(SOLO, solo(0, 0, "A", 1.0), solo(0, 1, "B", 0.4), solo(1, 0, "A", 1.0))
    (game,) = evidence(plan)
    assert (game.players, game.scores, game.shown) == (("A", "B"), (1.0, 0.0), (1.0, 0.4))
    assert not game.seated


def test_who_sat_in_several_seats_is_named_in_each() -> None:
    plan = Plan(PLAYERS, (RulePlan("Four", seats=("N", "E", "S", "W")),))
    seats = {"N": "A", "E": "B", "S": "A", "W": "B"}
    game = Game(GamePlan(0, 0, 1, 0, 0, 7, seats), dict.fromkeys(seats, 0.5), moves=("N a",))
    (found,) = evidence(made(plan, game))
    assert found.players == ("A", "B", "A", "B")


def test_equal_moves_have_equal_fingerprints_and_none_have_none() -> None:
    seats = {"First": "A", "Second": "B"}
    scores = {"First": 1.0, "Second": 0.0}

    def game(block: int, *moves: str, fault: bool = False) -> Game:
        faults = (FaultSeen("", "First", "machine", "late", "void"),) if fault else ()
        return Game(GamePlan(block, 0, 1, 0, 0, block, seats), scores, moves=moves, faults=faults)

    found = evidence(made(DUEL, game(0, "First 1"), game(1, "First 1", fault=True), game(2, "First 2"), game(3)))
    assert found[0].fingerprint == found[1].fingerprint != found[2].fingerprint
    assert found[3].fingerprint == ""
    assert found[1].at_fault == (), "a fault of nobody is no player's"


def test_rules_that_are_called_alike_are_told_apart() -> None:
    rules = (
        RulePlan("Nim", {"heaps": "3"}),
        RulePlan("Nim", {"heaps": "4"}),
        RulePlan("/a/b/own.py"),
        RulePlan("gdl/nim"),
        RulePlan("Nim", {"heaps": "4"}),
    )
    assert rule_labels(Plan(PLAYERS, rules)) == (
        "Nim (heaps=3)",
        "Nim (heaps=4)",
        "own.py",
        "gdl/nim",
        "Nim (heaps=4)'",
    )


def test_the_same_moves_from_another_position_are_no_repetition() -> None:
    seats = {"First": "A", "Second": "B"}
    scores = {"First": 1.0, "Second": 0.0}
    starts = (Start(), Start("other", (), {"heaps": "4"}))
    plan = replace(DUEL, rules=(replace(DUEL.rules[0], starts=starts),))
    games = [
        Game(GamePlan(block, 0, 1, 0, start, block, seats), scores, moves=("First a",))
        for block, start in enumerate((0, 0, 1))
    ]
    one, again, other = evidence(made(plan, *games))
    assert one.fingerprint == again.fingerprint != other.fingerprint


def test_an_opening_is_nobody_s_decision() -> None:
    game = Game(GamePlan(1, 0, 1, 0, 0, 5, {"First": "A", "Second": "B"}), {}, moves=("First a", "Second b"), opened=2)
    assert fingerprint(game, "Nim", DUEL) == ""


def test_plays_that_are_the_same_but_mirrored_have_one_fingerprint() -> None:
    seats = {"First": "A", "Second": "B"}
    scores = {"First": 1.0, "Second": 0.0}
    games = [
        Game(GamePlan(block, 0, 1, 0, 0, block, seats), scores, moves=(move,), pattern=pattern)
        for block, (move, pattern) in enumerate((("First a", "p"), ("First c", "p"), ("First b", "q")))
    ]
    one, other, third = evidence(made(DUEL, *games))
    assert one.fingerprint == other.fingerprint != third.fingerprint
