"""The greedy policy: it takes what the rule likes, and plays at random where the rule does not say."""

import random

from support.small_secrets import PLAYERS, WALK

from ggtp.game import Position
from ggtp.search.hidden.options import POINTS
from ggtp.search.hidden.worth import worth
from ggtp.search.playouts.greedy import Greedy
from ggtp.search.playouts.policy import RANDOM, Context, PlayoutPolicy


def made(policy: PlayoutPolicy, position: Position) -> list[str]:
    """The moves of twenty turns."""
    mover = policy.mover(Context(PLAYERS, random.Random(3), lambda result: worth(result, PLAYERS, POINTS)))
    mover.start(position)
    moves = []
    for _ in range(20):
        chosen, position = mover.step(position, position.turn())
        moves += chosen.values()
    return moves


def test_it_takes_what_the_rule_likes() -> None:
    assert made(Greedy(), WALK.begin({})) == ["up"] * 20
    assert "down" in made(RANDOM, WALK.begin({}))


def test_it_plays_at_random_where_the_rule_does_not_estimate() -> None:
    class Silent(type(WALK.begin({}))):
        def estimate(self, player):
            return None

    assert made(Greedy(), Silent()) == made(RANDOM, Silent())
