"""Playouts: they end, note what was asked for, stop when they should, and are worth what results say."""

import random

import pytest
from support.small_secrets import COIN, PENNIES, PLAYERS, SNATCH, WALK

from ggtp.catalogue import Catalogue
from ggtp.game import Position, Searcher, advice
from ggtp.search.hidden.options import POINTS
from ggtp.search.hidden.worth import EVEN, Horizon, worth
from ggtp.search.mcts.positions.values import result_values
from ggtp.search.playouts import loop
from ggtp.search.playouts.loop import Interrupted, Playouts
from ggtp.search.playouts.policy import RANDOM, Context


def started(name: str) -> tuple[Position, Playouts]:
    rules = Catalogue.from_environment({}).find_rules(name)
    values = rules.complete({})
    players = rules.players(values)
    context = Context(players, random.Random(1), lambda result: result_values(result, players))
    playouts = Playouts(context, RANDOM.mover(context), unfinished=0.0, searchers=not rules.traits.chance)
    return rules.begin(values), playouts


def judged(position: Position, later: list[set[str]], depth: int = 0, horizon: int = advice.HORIZON) -> list[float]:
    context = Context(PLAYERS, random.Random(3), lambda result: worth(result, PLAYERS, POINTS))
    judge = Horizon(PLAYERS, horizon, depth)
    playouts = Playouts(context, RANDOM.mover(context), unfinished=EVEN, judge=judge)
    return list(playouts.play(position, lambda: False, later, []))


@pytest.mark.parametrize("name", ["TicTacToe", "Hex", "CantStop", "RockPaperScissors"])
def test_it_ends_and_shares_out_what_there_is(name: str) -> None:
    position, playouts = started(name)
    for _ in range(5):
        values = playouts.play(position, lambda: False, [], [])
        assert all(0 <= value <= 1 for value in values)
        assert sum(values) == pytest.approx(len(values) / 2) or name == "CantStop"


def test_moves_are_noted_by_who_made_them() -> None:
    position, playouts = started("TicTacToe")
    later: list[set[str]] = [set(), set()]
    played: list[str] = []
    playouts.play(position, lambda: False, later, played)
    assert not later[0] & later[1]
    assert len(later[0]) - len(later[1]) in (0, 1)
    assert not played, "only those of one player alone are a plan"


@pytest.mark.parametrize("name", ["ConnectFour", "CantStop"])
def test_it_stops_when_it_is_told(name: str) -> None:
    position, playouts = started(name)
    asked = iter(range(100))
    with pytest.raises(Interrupted):
        playouts.play(position, lambda: next(asked) > 3, [], [])


def test_the_fast_path_is_taken_only_where_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    position, playouts = started("ConnectFour")
    context = Context(("Yellow", "Red"), random.Random(1), lambda result: result_values(result, ("Yellow", "Red")))
    slow = Playouts(context, RANDOM.mover(context), unfinished=0.0)
    asked: list[Position] = []
    find = advice.searcher

    def counted(position: Position) -> Searcher | None:
        asked.append(position)
        return find(position)

    monkeypatch.setattr(advice, "searcher", counted)
    for each, times in ((playouts, 1), (slow, 1)):
        later: list[set[str]] = [set(), set()]
        assert sum(each.play(position, lambda: False, later, [])) == 1
        assert all(later)
        assert len(asked) == times


@pytest.mark.parametrize("rules", [COIN, PENNIES, SNATCH])
def test_every_kind_of_turn_is_played_to_the_end(rules):
    found = {round(judged(rules.begin({}), [])[0], 2) for _ in range(5)}
    assert found <= {30, 100, -100, 3, 1, -1, 5, -5}


def test_moves_at_the_same_time_are_noted() -> None:
    later: list[set[str]] = [set(), set()]
    judged(PENNIES.begin({}), later)
    assert all(later)


def test_the_rule_is_asked_at_the_depth_that_was_set() -> None:
    asked = []

    class Asked(type(WALK.begin({}))):
        def estimate(self, player):
            asked.append(len(self.played))
            return super().estimate(player)

    judged(Asked(), [], depth=5)
    assert max(asked) == 5
    asked.clear()
    judged(Asked(), [])
    assert max(asked) == advice.HORIZON


def test_a_game_without_end_is_worth_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LONGEST", 20)
    assert judged(WALK.begin({}), [], depth=1000) == [50, 50]
