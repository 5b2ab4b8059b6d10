"""The enhanced tree search: means over chance, priors, playouts, backtracking, values, pruning."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import explorer, kind, never, start

from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import trees as t
from ggtp.vgdl.player.foresight import H_PRUNE, FloodMemory, flood
from ggtp.vgdl.player.targets import Target, TargetChooser

HALL = "wwwwwwwwww wA......cw wwwwwwwwww"
EDGE = "wwwww wtttw wtAtw wttcw wwwww"


def begin(level, seed=1, target=True, prune=1, learn=0, **settings):
    state = start(level)
    search, knowledge = explorer(state, seed, **settings)
    knowledge.hints[H_PRUNE] = prune
    chooser = TargetChooser(knowledge)
    if learn:
        search.begin(state, chooser.nothing())
        search.run(never, learn)
        knowledge.refresh(state, cautious=True)
    search.begin(state, to_coin(state) if target else chooser.nothing())
    return state, search, knowledge


def to_coin(state):
    """The coin as the target."""
    coin = next(one for one in state.observations() if one.kind == kind(state, "coin"))
    wide, high, block = state.model.level.width, state.model.level.height, state.model.level.block
    enter = np.ones(wide * high)
    for one in state.observations():
        if one.kind == kind(state, "wall"):
            enter[one.y // block * wide + one.x // block] = -1.0
    memory = FloodMemory(np.zeros(wide * high), np.zeros(3 * wide * high, np.int32))
    field, none = np.zeros(wide * high), np.zeros(0, np.int32)
    cell = np.array([coin.y // block * wide + coin.x // block], np.int32)
    flood(enter, cell, none, none, True, wide, field, memory)
    return Target(coin.kind, coin.identity, coin.x, coin.y, distance=10.0, field=field)


def test_a_value_is_the_mean_over_what_may_happen() -> None:
    state = start(
        "www wAw www",
        "floor > Immovable\nnest > SpawnPoint stype=foe prob=0.5 cooldown=1\nfoe > Immovable",
        "avatar wall > stepBack\navatar foe > killSprite",
        "SpriteCounter stype=avatar win=False",
        "A > nest avatar\n",
    )
    search, knowledge = explorer(state, depth=1, rollout=0, steps=0.0)
    search.begin(state, TargetChooser(knowledge).nothing())
    search.run(never, iterations=600)
    assert sum(search.visits().values()) == 600
    values, visits = search.values(), search.visits()
    assert -700 < sum(values[action] * visits[action] for action in values) / 600 < -300


def test_priors_choose_what_is_tried_first() -> None:
    for seed in range(1, 6):
        _, search, _ = begin(HALL, seed)
        search.run(never, iterations=1)
        assert search.visits()[Action.RIGHT] == 1
    first = set()
    for seed in range(1, 12):
        _, search, _ = begin(HALL, seed, priors=False)
        search.run(never, iterations=1)
        first.update(action for action, visits in search.visits().items() if visits)
    assert len(first) > 2


def test_a_prior_is_forgotten_with_the_first_visit() -> None:
    _, search, _ = begin(HALL, depth=1, rollout=0)
    search.run(never, iterations=1)
    assert search.values()[Action.RIGHT] < 0  # the distance that is left, and not what was expected


def test_playouts_go_to_the_target_mostly() -> None:
    _, search, _ = begin(HALL, epsilon=0.0, depth=5, rollout=4)
    search.run(never, iterations=30)
    assert search.meta[t.T_RANDOM_STEPS] == 0
    assert search.meta[t.T_GREEDY_STEPS] > 0
    _, search, _ = begin(HALL, epsilon=1.0, depth=5, rollout=4)
    search.run(never, iterations=1)
    assert search.meta[t.T_RANDOM_STEPS] == 0  # the first playout of a tick follows the way
    greedy = int(search.meta[t.T_GREEDY_STEPS])
    search.run(never, iterations=30)
    assert search.meta[t.T_GREEDY_STEPS] == greedy
    assert search.meta[t.T_RANDOM_STEPS] > 0


@pytest.mark.parametrize(("target", "greedy"), [(False, True), (True, False)])
def test_without_a_target_they_are_random(target, greedy):
    _, search, _ = begin(HALL, target=target, greedy=greedy)
    search.run(never, iterations=30)
    assert search.meta[t.T_GREEDY_STEPS] == 0


def test_a_loss_in_a_playout_is_tried_otherwise() -> None:
    level = "wwwwww wtttww wA..cw wtttww wwwwww"
    worth = {}
    for backtracks in (0, 4):
        _, search, _ = begin(level, target=False, prune=0, backtracks=backtracks, depth=2, rollout=1, score=0.0)
        search.run(never, iterations=200)
        worth[backtracks] = search.values()[Action.RIGHT]
        assert bool(search.meta[t.T_BACKED]) == bool(backtracks)
    assert worth[4] > worth[0] + 100
    assert worth[4] > -100  # not punished for what was only played badly


def test_the_value_of_a_state() -> None:
    state, search, _ = begin(HALL, outcome=1000.0, score=50.0, target=True, steps=5.0)
    search.weights[t.W_TARGET] = 30.0
    search.weights[t.W_SCALE] = 10.0
    after = state.twin()
    after.advance(Action.RIGHT)
    field = np.arange(30, dtype=np.float64)
    look = search.search._replace(field=field)
    here = t.distance(after.numbers, state.model.ints, look)
    value = t.evaluate(after.numbers, state.numbers, state.model.ints, look, 1)
    assert value == pytest.approx(-30.0 * min(2.0, here / 10.0) - 5.0)
    for _ in range(6):
        after.advance(Action.RIGHT)
    value = t.evaluate(after.numbers, state.numbers, state.model.ints, look, 7)
    assert value == pytest.approx(50.0 - 35.0)  # the coin is had: there is no way left to it


def test_of_two_wins_the_shorter_one() -> None:
    state = start("wwwwwww wx..Axw wwwwwww", ends="SpriteCounter stype=exit limit=1 win=True")
    search, knowledge = explorer(state, depth=6, rollout=4)
    search.begin(state, TargetChooser(knowledge).nothing())
    search.run(never, iterations=300)
    assert search.choice() is Action.RIGHT
    values = search.values()
    assert values[Action.RIGHT] > values[Action.LEFT]


def test_what_is_known_to_lose_is_not_tried() -> None:
    _, search, _ = begin(EDGE, learn=300)
    search.run(never, 200)
    visits = search.visits()
    assert visits[Action.UP] == visits[Action.LEFT] == visits[Action.RIGHT] == visits[Action.DOWN] == 0
    _, search, _ = begin(EDGE, learn=300, prune=0)
    search.run(never, 200)
    assert search.visits()[Action.UP] > 0


def test_the_most_visited_is_chosen() -> None:
    _, search, _ = begin(HALL)
    search.run(never, 400)
    visits = search.visits()
    assert visits[search.choice()] == max(visits.values())
    assert search.choice() is Action.RIGHT


def test_before_anything_was_tried_it_does_nothing() -> None:
    _, search, _ = begin(HALL)
    assert search.choice() is Action.NIL


def test_the_kind_of_a_target_is_found_by_watching() -> None:
    state, _, knowledge = begin("wwww wAcw wwww", learn=60, target=False)
    assert knowledge.scores[kind(state, "coin")] == 1


@pytest.mark.parametrize("open_loop", [True, False])
def test_without_an_open_loop_all_iterations_have_the_same_luck(open_loop):
    state = start(
        "www wAw www",
        "floor > Immovable\nnest > SpawnPoint stype=foe prob=0.5 cooldown=1\nfoe > Immovable",
        "avatar wall > stepBack\navatar foe > killSprite",
        "SpriteCounter stype=avatar win=False",
        "A > nest avatar\n",
    )
    search, knowledge = explorer(state, depth=1, rollout=0, steps=0.0, open_loop=open_loop)
    search.begin(state, TargetChooser(knowledge).nothing())
    search.run(never, iterations=600)
    values = list(search.values().values())
    assert all(value in (0.0, -1000.0) for value in values) is not open_loop


def test_the_best_mean_may_be_chosen_instead_of_the_most_visited() -> None:
    chosen = []
    for most_visited in (True, False):
        state = start("wwwww wA..w wwwww")
        search, knowledge = explorer(state, most_visited=most_visited)
        search.begin(state, TargetChooser(knowledge).nothing())
        search.run(never, iterations=40)
        first, second = int(search.tree.child[0]), int(search.tree.child[1])
        search.tree.visits[first], search.tree.total[first] = 1000, -2000.0
        search.tree.visits[second], search.tree.total[second] = 2, 900.0
        chosen.append(search.choice())
    assert chosen == [Action(int(action)) for action in search.search.actions[:2]]
