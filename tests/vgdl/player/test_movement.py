"""What is learned of movements: wills, steps, intervals, blocks, spawners."""

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import kind, start

from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player.movement import Movements, sprites
from ggtp.vgdl.player.options import Learning


def watch(state, action, ticks, movements=None):
    found = movements or Movements(state.model.level.block)
    for _ in range(ticks):
        after = state.twin()
        after.advance(action)
        found.observe(state, after, action is Action.NIL)
        state = after
    return found


def test_a_pushed_box_has_no_will() -> None:
    state = start("wwwwwww wAb...w wwwwwww")
    found = watch(state, Action.RIGHT, 3)
    assert found.habits[kind(state, "box")].moves == 3
    assert not found.stochastic


def test_a_foe_has_one() -> None:
    state = start("wwwwwww wA....w w.....w w...f.w wwwwwww")
    assert kind(state, "foe") in watch(state, Action.NIL, 12).stochastic


def test_chance_is_found_by_comparing() -> None:
    state = start("wwwwwww wA....w w.....w w..f..w w.....w wwwwwww")
    found = Movements(10)
    for seed in range(12):
        one, other = state.copy(seed), state.copy(seed + 100)
        for _ in range(4):
            one.advance(Action.NIL)
            other.advance(Action.NIL)
        found.compare(one, other)
    assert found.stochastic == {kind(state, "foe")}


def test_how_far_and_how_often() -> None:
    state = start("wwwwwww wA....w w.....w w...f.w w.....w wwwwwww")
    found = watch(state, Action.NIL, 40)
    habit = found.habits[kind(state, "foe")]
    assert habit.interval == 2
    assert (habit.step_x, habit.step_y) == (10, 10)


@pytest.mark.parametrize("cooldown", [2, 4, 8])
def test_cooldowns_are_learned(cooldown):
    state = start(
        "wwwwwwwwwwwwwwwwwww w.m...............w wA................w wwwwwwwwwwwwwwwwwww",
        f"floor > Immovable\nm > Missile orientation=RIGHT cooldown={cooldown} speed=1",
        "avatar wall > stepBack",
        "Timeout limit=900",
        ". > floor\nm > m\n",
    )
    habit = watch(state, Action.NIL, 40).habits[kind(state, "m")]
    assert habit.interval == cooldown
    assert len(habit.intervals) == 1


def test_walls_block_and_floors_do_not() -> None:
    state = start("wwwwwww wAw...w wwwf..w w.wc..w wwwwwww")
    found = watch(state, Action.NIL, 150)
    blocked = found.blockers(kind(state, "foe"), len(state.model.game.types))
    assert blocked[kind(state, "wall")] == 1
    assert blocked[kind(state, "coin")] == 0


def test_a_spawner_is_what_things_appear_on() -> None:
    state = start(
        "wwwwwwwww wA.....sw wwwwwwwww",
        "floor > Immovable\nnest > SpawnPoint stype=bug cooldown=3\nbug > Missile orientation=LEFT",
        "bug wall > killSprite\navatar wall > stepBack\navatar bug > killSprite",
        "SpriteCounter stype=avatar win=False",
        ". > floor\ns > nest\n",
    )
    found = watch(state, Action.NIL, 8)
    assert found.spawners == {kind(state, "nest"): {kind(state, "bug")}}


def test_what_is_seen_of_sprites() -> None:
    state = start("wwwww wAc.w wwwww")
    rows = sprites(state)
    assert sorted(rows[:, 1].tolist()).count(kind(state, "coin")) == 1
    state.advance(Action.RIGHT)
    assert kind(state, "coin") not in sprites(state)[:, 1].tolist()


@pytest.mark.parametrize("finds", [True, False])
def test_wills_may_be_none_of_its_business(finds):
    state = start("wwwwwww wA....w w.....w w...f.w wwwwwww")
    found = watch(state, Action.NIL, 12, Movements(10, learning=Learning(wills=finds)))
    one, other = state.copy(1), state.copy(2)
    for _ in range(20):
        one.advance(Action.NIL)
        other.advance(Action.NIL)
    found.compare(one, other)
    assert bool(found.stochastic) is finds


@pytest.mark.parametrize("learns", [True, False])
def test_without_habits_everything_goes_a_square_in_each_tick(learns):
    state = start(
        "wwwwwwwwwww w.m.......w wA........w wwwwwwwwwww",
        "floor > Immovable\nm > Missile orientation=RIGHT cooldown=4 speed=0.5",
        "avatar wall > stepBack",
        "Timeout limit=900",
        ". > floor\nm > m\n",
    )
    habit = watch(state, Action.NIL, 20, Movements(10, learning=Learning(habits=learns))).habits[kind(state, "m")]
    assert (habit.step_x, habit.step_y, habit.interval) == ((5, 0, 4) if learns else (10, 10, 1))


@pytest.mark.parametrize("learns", [True, False])
def test_spawners_may_be_left_alone(learns):
    state = start(
        "wwwwwwwww wA.....sw wwwwwwwww",
        "floor > Immovable\nnest > SpawnPoint stype=bug cooldown=3\nbug > Missile orientation=LEFT",
        "bug wall > killSprite\navatar wall > stepBack\navatar bug > killSprite",
        "SpriteCounter stype=avatar win=False",
        ". > floor\ns > nest\n",
    )
    assert bool(watch(state, Action.NIL, 8, Movements(10, learning=Learning(spawners=learns))).spawners) is learns
