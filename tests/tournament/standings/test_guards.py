"""The sentences about the protection of engines, and about deals that they could remember."""

from __future__ import annotations

from dataclasses import replace

from ggtp.tournament.plan.plan import Contestant, Plan, RulePlan
from ggtp.tournament.results import Game, GamePlan, Guard
from ggtp.tournament.standings.guards import Guards, repeated_deals

BOXED, BARE = Guard("bubblewrap, no network", True), Guard("none", False)
SEATS = ("Ann", "Bob")
RULE = RulePlan("KuhnPoker", seats=SEATS, hidden=True, chance=True, deals="common")
PLAN = Plan((Contestant("A", "a"), Contestant("B", "b")), (RULE,), seed=1)


def game(index: int, guards: dict[str, Guard], *, seed: int = 7, attempt: int = 1, end: str = "rules") -> Game:
    seats = {"Ann": "AB"[index], "Bob": "BA"[index]}
    kept = {seat: guards[player] for seat, player in seats.items()}
    return Game(GamePlan(1, index, 1, 0, 0, seed, seats), end=end, attempt=attempt, guards=kept)


def counted(plan: Plan, *games: Game) -> Guards:
    guards = Guards(plan)
    for one in games:
        guards.add(one)
    return guards


def test_the_same_protection_of_all_is_one_line() -> None:
    guards = counted(PLAN, game(0, {"A": BOXED, "B": BOXED}))
    assert guards.lines() == ["Protection of all engines: bubblewrap, no network."]
    assert guards.deal_lines() == []


def test_each_player_has_a_line_where_they_differ() -> None:
    guards = counted(PLAN, game(0, {"A": BOXED, "B": BARE}), game(1, {"A": BOXED, "B": BOXED}))
    assert guards.lines() == [
        "Protection of A: bubblewrap, no network.",
        "Protection of B: none in 1 game; bubblewrap, no network in 1 game.",
    ]
    assert guards.deal_lines() == [
        "Warning: games of KuhnPoker have the same dice and deals, and B could remember them: "
        'use a sandbox, or deals = "own".'
    ]


def test_own_deals_are_said() -> None:
    own = replace(PLAN, rules=(replace(RULE, deals="own"),))
    assert counted(own, game(0, {"A": BOXED, "B": BARE})).deal_lines() == [
        "Each game of KuhnPoker has dice and deals of its own: B could remember those of other games."
    ]
    assert counted(own).deal_lines() == ["Each game of KuhnPoker has dice and deals of its own."]


def test_without_dice_and_secrets_there_is_nothing_to_remember() -> None:
    open_rule = replace(PLAN, rules=(replace(RULE, hidden=False, chance=False),))
    games = [game(index, {"A": BARE, "B": BARE}) for index in range(2)]
    assert counted(open_rule, *games).deal_lines() == []
    assert repeated_deals(open_rule, games) == []


def test_games_of_one_deal_are_named_with_attempts_that_do_not_count() -> None:
    bare = {"A": BOXED, "B": BARE}
    games = [game(0, bare, end="void"), game(0, bare, attempt=2), game(1, bare), game(1, bare, seed=8)]
    assert repeated_deals(PLAN, games) == ["B could remember one deal in games 1.0, 1.0 (attempt 2), 1.1"]


def test_another_attempt_has_another_deal_where_deals_are_own() -> None:
    own = replace(PLAN, rules=(replace(RULE, deals="own"),))
    bare = {"A": BARE, "B": BARE}
    assert repeated_deals(own, [game(0, bare, end="void"), game(0, bare, attempt=2)]) == []


def test_journals_that_do_not_tell_name_nobody() -> None:
    assert repeated_deals(PLAN, [Game(game(0, {"A": BARE, "B": BARE}).plan)] * 2) == []
