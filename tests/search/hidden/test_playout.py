"""Games played on to their end, or to where the rule can say what they are worth."""

import random

import pytest
from support.small_secrets import COIN, ME, PENNIES, PLAYERS, SNATCH, WALK, YOU

from ggtp.game import OVER, Result, Standing, Turn, TurnKind, advice
from ggtp.search.hidden import playout
from ggtp.search.hidden.options import POINTS, WIN, Settings
from ggtp.search.hidden.playout import Interrupted, Playouts, movers, worth

RACE = Turn(TurnKind.RACE, PLAYERS, delay=1.0)


def playouts(stop=lambda: False, **settings):
    return Playouts(PLAYERS, Settings(**settings), random.Random(3), stop)


def test_points_count_or_who_has_won() -> None:
    result = Result({ME: Standing.WIN, YOU: Standing.LOSS}, {ME: 7, YOU: -7})
    assert worth(result, PLAYERS, POINTS) == pytest.approx([7, -7], abs=0.01)
    assert worth(result, PLAYERS, WIN) == [100, 0]
    assert worth(Result(dict.fromkeys(PLAYERS, Standing.DRAW)), PLAYERS, POINTS) == [50, 50]


def test_between_equal_points_it_counts_who_has_won() -> None:
    lost = Result({ME: Standing.LOSS, YOU: Standing.WIN}, {ME: 0, YOU: 0})
    won = Result({ME: Standing.WIN, YOU: Standing.LOSS}, {ME: 0, YOU: 0})
    more = Result({ME: Standing.LOSS, YOU: Standing.WIN}, {ME: 1, YOU: 0})
    assert worth(lost, PLAYERS, POINTS)[0] < worth(won, PLAYERS, POINTS)[0] < worth(more, PLAYERS, POINTS)[0]


def test_moves_are_those_that_players_make_without_much_thought() -> None:
    class Stubborn(type(WALK.begin({}))):
        def casual(self, player, rng):
            return self.moves(player)[0]

    rng = random.Random(1)
    results = {tuple(Playouts(PLAYERS, Settings(depth=9), rng, lambda: False).run(Stubborn(), [])) for _ in range(5)}
    assert len(results) == 1


def test_in_a_race_anybody_may_be_first() -> None:
    rng = random.Random(1)
    assert {movers(RACE, rng) for _ in range(30)} == {(ME,), (YOU,)}
    assert {movers(RACE, rng, YOU) for _ in range(30)} == {(YOU,)}
    assert movers(OVER, rng) == ()


@pytest.mark.parametrize("rules", [COIN, PENNIES, SNATCH])
def test_every_kind_of_turn_is_played_to_the_end(rules):
    found = {round(playouts().run(rules.begin({}), [])[0], 2) for _ in range(5)}
    assert found <= {30, 100, -100, 3, 1, -1, 5, -5}


def test_moves_on_the_way_are_noted() -> None:
    later = [set(), set()]
    playouts().run(PENNIES.begin({}), later)
    assert all(later)


def test_the_rule_is_asked_at_the_depth_that_was_set() -> None:
    asked = []

    class Asked(type(WALK.begin({}))):
        def estimate(self, player):
            asked.append(len(self.played))
            return super().estimate(player)

    playouts(depth=5, greedy=False).run(Asked(), [])
    assert max(asked) == 5
    asked.clear()
    playouts(greedy=False).run(Asked(), [])
    assert max(asked) == advice.HORIZON


def test_the_greedy_policy_takes_what_the_rule_likes() -> None:
    assert playouts(depth=10, greedy=True).run(WALK.begin({}), []) == [10, -10]
    results = {playouts(depth=10, greedy=False).run(WALK.begin({}), [])[0] for _ in range(3)}
    assert results != {10}


def test_a_game_without_end_is_a_draw(monkeypatch):
    monkeypatch.setattr(playout, "LONGEST", 20)
    assert playouts(depth=1000).run(WALK.begin({}), []) == [50, 50]


def test_a_playout_can_be_interrupted() -> None:
    with pytest.raises(Interrupted):
        playouts(stop=lambda: True).run(COIN.begin({}), [])
