"""The order of games, and that nothing but the plan and results decides it."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ggtp.tournament.plan.plan import Contestant, Plan, PlanError, RulePlan, Start
from ggtp.tournament.results import GamePlan
from ggtp.tournament.schedule.schedule import Schedule, count_games, deal_seed, engine_seed

TWO = RulePlan("TicTacToe", seats=("Cross", "Circle"))
THREE = RulePlan("Three", seats=("X", "Y", "Z"))
ONE = RulePlan("Maze", seats=("Robot",))


def plan(count: int, *rules: RulePlan, **changes: object) -> Plan:
    players = tuple(Contestant(name, "Random") for name in "ABCDEFGHIJKLMNOP"[:count])
    return Plan(players, rules or (TWO,), **{"seed": 0, **changes})  # type: ignore[arg-type]  # as named


def strength(game: GamePlan) -> dict[str, float]:
    """The letter that comes first wins."""
    players = set(game.seats.values())
    return {player: 1.0 if player == min(players) else 0.0 for player in players}


def play(plan: Plan, concurrency: int, rng: random.Random) -> list[GamePlan]:
    """Play all games, so many at a time, which end in any order."""
    schedule = Schedule(plan)
    issued: list[GamePlan] = []
    running: list[GamePlan] = []
    while not schedule.done:
        while len(running) < concurrency and (game := schedule.next()) is not None:
            issued.append(game)
            running.append(game)
        if not running:
            assert schedule.done
            break
        game = running.pop(rng.randrange(len(running)))
        schedule.finished(game.id, strength(game))
    return issued


@pytest.mark.parametrize("format_", ["match", "round-robin", "gauntlet", "swiss", "knockout", "ladder", "elimination"])
def test_the_same_games_at_any_concurrency(format_: str) -> None:
    the_plan = plan(2 if format_ == "match" else 7, blocks=2, format=format_, seed=5)
    alone = play(the_plan, 1, random.Random(1))
    assert alone
    for concurrency in (2, 5, 100):
        assert sorted(map(key, play(the_plan, concurrency, random.Random(concurrency)))) == sorted(map(key, alone))
    assert len({game.id for game in alone}) == len(alone)


def key(game: GamePlan) -> tuple[object, ...]:
    return game.block, game.index, game.round, game.rule, game.start, game.seed, tuple(game.seats.items())


def test_a_block_has_one_seed_and_all_seatings_and_pairings_share_deals() -> None:
    games = play(plan(3, blocks=2, format="round-robin"), 1, random.Random(0))
    assert len(games) == 3 * 2 * 2
    assert len({game.seed for game in games}) == 2
    for block in range(1, 7):
        members = [game for game in games if game.block == block]
        assert len({game.seed for game in members}) == 1
        assert members[0].seats == {
            "Cross": members[1].seats["Circle"],
            "Circle": members[1].seats["Cross"],
        }


def test_engines_have_seeds_of_their_own() -> None:
    games = play(plan(2, blocks=3, format="match"), 1, random.Random(0))
    seeds = [engine_seed(game, seat) for game in games for seat in game.seats]
    assert len(set(seeds)) == len(seeds)


def test_start_positions_take_turns() -> None:
    starts = (Start("a"), Start("b"), Start("c"))
    rule = RulePlan("TicTacToe", starts=starts, seats=TWO.seats)
    games = play(plan(2, rule, blocks=5, format="match"), 1, random.Random(0))
    assert [game.start for game in games] == [0, 0, 1, 1, 2, 2, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("count", "rules", "changes", "games"),
    [
        (2, (TWO,), {"format": "match", "blocks": 10}, 20),
        (3, (THREE,), {"format": "match"}, 6),
        (4, (TWO, THREE), {"format": "round-robin"}, 12 + 24),
        (2, (THREE,), {"format": "match"}, 2),
        (5, (TWO,), {"format": "gauntlet", "seeds": 2}, 12),
        (3, (ONE,), {"format": "round-robin", "blocks": 4}, 12),
    ],
)
def test_how_many_games(count: int, rules: tuple[RulePlan, ...], changes: dict[str, object], games: int) -> None:
    the_plan = plan(count, *rules, **changes)
    assert len(play(the_plan, 3, random.Random(0))) == games
    assert count_games(the_plan) == games


def test_the_number_of_games_may_depend_on_results() -> None:
    assert count_games(plan(4, format="swiss")) is None


def test_a_swiss_tournament_repeats_no_meeting_and_finds_the_best() -> None:
    games = play(plan(16, format="swiss", rounds=5), 8, random.Random(3))
    meetings = Counter((game.round, frozenset(game.seats.values())) for game in games)
    assert set(meetings.values()) == {2}
    assert len({players for _, players in meetings}) == len(meetings) == 5 * 8
    last = [set(game.seats.values()) for game in games if game.round == 4]
    assert any("A" in players for players in last)


def test_who_sits_out_changes() -> None:
    games = play(plan(5, format="swiss", rounds=5), 8, random.Random(3))
    out = [
        set("ABCDE") - {player for game in games if game.round == number for player in game.seats.values()}
        for number in range(1, 6)
    ]
    assert all(len(names) == 1 for names in out)
    assert set().union(*out) == set("ABCDE")


def test_a_knockout_is_won_by_the_best_and_byes_go_to_the_first() -> None:
    games = play(plan(6, format="knockout"), 8, random.Random(3))
    rounds = {n: {frozenset(g.seats.values()) for g in games if g.round == n} for n in (1, 2, 3)}
    assert rounds[1] == {frozenset("DE"), frozenset("CF")}
    assert rounds[2] == {frozenset("AD"), frozenset("BC")}
    assert rounds[3] == {frozenset("AB")}


def test_a_tied_knockout_has_further_blocks_and_then_the_seeding() -> None:
    schedule = Schedule(plan(2, format="knockout"))
    games = []
    while (game := schedule.next()) is not None:
        games.append(game)
        schedule.finished(game.id, dict.fromkeys(game.seats.values(), 0.5))
    assert schedule.done
    assert len(games) == 2 * 6
    assert len({game.seed for game in games}) == 6


def test_a_ladder_sorts_itself() -> None:
    the_plan = Plan(
        tuple(Contestant(name, "Random") for name in "DCBA"), (TWO,), format="ladder", rounds=6, seed=0
    )  # fmt: skip
    games = play(the_plan, 3, random.Random(0))
    last = {frozenset(game.seats.values()) for game in games if game.round == 5}
    assert last == {frozenset("AB"), frozenset("CD")}


def test_an_elimination_keeps_the_best_and_spends_games_where_it_is_close() -> None:
    rng = random.Random(3)
    chances = {"A": 0.5, "B": 0.5, "C": 0.85, "D": 0.7}
    schedule = Schedule(plan(4, format="elimination"))
    games: Counter[str] = Counter()
    last: set[str] = set()
    while (game := schedule.next()) is not None:
        one, other = game.seats.values()
        first = rng.random() < 0.5 + (chances[one] - chances[other])
        schedule.finished(game.id, {one: float(first), other: float(not first)})
        games.update((one, other))
        last = {one, other}
    assert schedule.done
    assert "C" in last
    assert games["C"] == max(games.values())
    assert games["D"] > games["A"]
    assert games["D"] > games["B"]


def test_an_elimination_of_equals_ends_with_its_rounds() -> None:
    schedule = Schedule(plan(3, format="elimination", rounds=4))
    games = []
    while (game := schedule.next()) is not None:
        games.append(game)
        schedule.finished(game.id, dict.fromkeys(game.seats.values(), 0.5))
    assert schedule.done
    assert len(games) == 4 * 3 * 2


def test_an_elimination_compares_who_plays_alone() -> None:
    games = play_solo(plan(3, ONE, format="elimination"))
    assert {player for game in games if game.round == games[-1].round for player in game.seats.values()} == {"A", "B"}


def play_solo(the_plan: Plan) -> list[GamePlan]:
    """A solves everything, B nearly everything, C nothing."""
    schedule = Schedule(the_plan)
    games: list[GamePlan] = []
    while (game := schedule.next()) is not None:
        (player,) = game.seats.values()
        games.append(game)
        schedule.finished(game.id, {player: {"A": 1.0, "B": 0.9, "C": 0.0}[player]})
    return games


def test_a_match_needs_seats_for_all() -> None:
    with pytest.raises(PlanError, match="round-robin"):
        Schedule(plan(3, TWO, format="match"))
    with pytest.raises(PlanError, match="Nobody plays"):
        Schedule(plan(2, RulePlan("Nothing"), format="match"))


def test_after_a_stop_only_running_games_are_waited_for() -> None:
    schedule = Schedule(plan(2, blocks=100, format="match"))
    games = [schedule.next(), schedule.next()]
    schedule.stop()
    assert schedule.next() is None
    assert not schedule.done
    for game in games:
        assert game is not None
        schedule.finished(game.id, {})
    assert schedule.done


def test_a_long_tournament_is_not_written_out_before() -> None:
    schedule = Schedule(plan(2, blocks=10**9, format="match"))
    for _ in range(1000):
        game = schedule.next()
        assert game is not None
        schedule.finished(game.id, {"A": 1.0, "B": 0.0})
    assert len(schedule._open) <= 1


def test_a_schedule_that_has_grown_begins_with_the_games_that_it_had() -> None:
    first = plan(2, format="round-robin", blocks=2)
    second = plan(3, format="round-robin", blocks=2)
    third = plan(3, TWO, ONE, format="round-robin", blocks=3)
    known = play(first, 1, random.Random(0))
    grown = _all(Schedule(third, (first, second)))
    assert grown[: len(known)] == known
    assert len(grown) == count_games(third)
    assert len({game.id for game in grown}) == len(grown)
    whole = Counter((game.rule, game.seed, *game.seats.items()) for game in _all(Schedule(third)))
    assert Counter((game.rule, game.seed, *game.seats.items()) for game in grown) == whole


def _all(schedule: Schedule) -> list[GamePlan]:
    games = []
    while (game := schedule.next()) is not None:
        games.append(game)
    return games


def test_where_deals_are_own_no_two_games_and_no_two_attempts_share_one() -> None:
    own = RulePlan("TicTacToe", seats=("Cross", "Circle"), chance=True, deals="own")
    for deals, rule in (("common", TWO), ("own", own)):
        wanted = plan(3, rule, format="round-robin", blocks=2)
        games = play(wanted, 2, random.Random(0))
        seeds = Counter(deal_seed(wanted, game, 1) for game in games)
        assert len(games) == 12
        assert set(seeds.values()) == ({6} if deals == "common" else {1})
        again = {deal_seed(wanted, game, 2) for game in games}
        assert again.isdisjoint(seeds) is (deals == "own")


def test_own_deals_are_the_same_at_any_concurrency() -> None:
    own = plan(4, RulePlan("TicTacToe", seats=("Cross", "Circle"), chance=True, deals="own"), blocks=3)
    first, second = ({game.id: game.seed for game in play(own, many, random.Random(many))} for many in (1, 5))
    assert first == second
