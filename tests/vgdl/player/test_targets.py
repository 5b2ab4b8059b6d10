"""Where to go: interest, costs, patience, columns."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import explorer, kind, never, start

from ggtp.vgdl.kernel import layout as k
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player.classifier import Classifier
from ggtp.vgdl.player.foresight import BECOME, COST, GAIN, LOSE, PORTAL
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.movement import sprites
from ggtp.vgdl.player.options import Interest
from ggtp.vgdl.player.targets import TargetChooser


def chooser(level, learn=600, interest=None, **kwargs):
    state = start(level, **kwargs)
    search, known = explorer(state)
    search.begin(state, TargetChooser(known).nothing())
    search.run(never, learn)
    known.refresh(state, cautious=True)
    return state, TargetChooser(known, interest), known


RULES_OF_SHOTS = "avatar wall > stepBack\ncoin avatar > killSprite scoreChange=1\n"


def test_the_features_of_things() -> None:
    state, found, _ = chooser("wwwwww wAckxw wth.bw wwwwww", learn=4000)
    worth = found.interest(state)
    assert worth[kind(state, "coin")] == Interest().gain
    assert worth[kind(state, "key")] == Interest().inventory
    assert worth[kind(state, "exit")] >= Interest().win
    assert worth[kind(state, "trap")] < 0
    assert worth[kind(state, "wall")] == Interest().blocks
    assert worth[kind(state, "foe")] == Interest().unmet  # there is none to meet


def test_what_is_nearer_for_its_interest() -> None:
    state, found, _ = chooser("wwwwwwwwww wc...A..cw wwwwwwwwww")
    assert found.choose(state).x == 80
    state, found, _ = chooser("wwwwwwwwwwwww wk..A.....c.w wwwwwwwwwwwww", learn=3000)
    assert found.choose(state).kind == kind(state, "key")
    state, found, _ = chooser("wwwwwwwwwwwww wk..A.....c.w wwwwwwwwwwwww", learn=3000, interest=Interest(gain=30.0))
    assert found.choose(state).kind == kind(state, "coin")


def test_without_anything_of_interest_there_is_no_target() -> None:
    state, found, _ = chooser("wwwww wA..w wwwww")
    assert found.choose(state).kind == -1


def test_heat_makes_ways_dear() -> None:
    state, found, known = chooser("wwwwwww wA..f.w w.....w wwwwwww", learn=800)
    foe = kind(state, "foe")
    known.movements.stochastic.add(foe)
    habit = known.movements.habits[foe]
    habit.step_x = habit.step_y = 10
    habit.intervals = {2: 5}
    rows = sprites(state)
    cells = found.cells(rows)
    heat = found.warm(state, rows, cells)
    assert heat[7 + 4] == 0
    assert heat[7 + 3] == 2
    enter = found.costs(state, rows, cells, heat)
    assert enter[7 + 3] == pytest.approx(1 + 80 / 3)
    assert enter[0] == -1


def test_a_target_that_comes_no_nearer_is_left_alone() -> None:
    state, found, _ = chooser("wwwwwwwwww wc...A..cw wwwwwwwwww")
    first = found.choose(state).name
    for tick in range(Interest().patience + 3):
        state.numbers[0] = tick
        last = found.choose(state).name
    assert last != first


def test_sideways_the_column_with_the_most() -> None:
    state, found, _ = chooser(
        "wwwwwwwww w..m.m..w w....m..w wA......w wwwwwwwww",
        learn=0,
        sprites="floor > Immovable\navatar > FlakAvatar stype=shot\nmark > Immovable\nshot > Missile orientation=UP",
        rules="avatar wall > stepBack\nmark shot > killSprite scoreChange=1",
        ends="SpriteCounter stype=mark win=True",
        mapping=". > floor\nm > mark\n",
    )
    target = found.choose(state)
    assert target.column
    assert target.x in (0, 50)
    assert np.argmin(target.field[:9]) == target.x // 10


def test_a_deadly_spawner_is_never_crossed() -> None:
    state, found, known = chooser("wwwwwww wA.hc.w wwwwwww", learn=0)
    rows = sprites(state)
    cells = found.cells(rows)
    known.movements.spawners[kind(state, "hole")].add(kind(state, "trap"))
    heat = found.warm(state, rows, cells)
    assert found.costs(state, rows, cells, heat)[7 + 3] == 1
    known.pairs[kind(state, "avatar"), kind(state, "trap")] = Classifier(known.items)
    known.pairs[kind(state, "avatar"), kind(state, "trap")].add(known.inventory(state), LOSE)
    assert found.costs(state, rows, cells, found.warm(state, rows, cells))[7 + 3] == -1


def test_the_only_target_is_kept_though_it_comes_no_nearer() -> None:
    state, found, _ = chooser("wwwwwwwwww w....A..cw wwwwwwwwww")
    names = set()
    for tick in range(Interest().patience + 9):
        state.numbers[0] = tick
        names.add(found.choose(state).name)
    assert len(names) == 1


def test_a_portal_that_leads_nobody_knows_where_is_of_interest() -> None:
    state, found, known = chooser("wwwwwww wA.h..w wwwwwww", learn=0)
    pair = kind(state, "avatar"), kind(state, "hole")
    known.pairs[pair] = Classifier(known.items)
    known.pairs[pair].add(known.inventory(state), PORTAL)
    assert found.interest(state)[pair[1]] > 0
    known.teleports[pair[1]].add(kind(state, "coin"))
    assert found.interest(state)[pair[1]] == 0


def test_a_shot_of_its_own_is_no_target() -> None:
    sprites_text = "floor > Immovable\navatar > ShootAvatar stype=puff\npuff > Flicker limit=9\ncoin > Immovable\n"
    state = start("......... .A.....c.", sprites_text, RULES_OF_SHOTS, mapping=". > floor\nc > coin\n")
    state.advance(Action.USE)
    puff = kind(state, "puff")
    assert any(row[1] == puff for row in sprites(state).tolist())
    found = TargetChooser(Knowledge(state.model))
    assert found.interest(state)[puff] > 0  # it was never met, but
    assert found.choose(state).kind == kind(state, "coin")


@pytest.mark.parametrize("danger", [0.0, 40.0])
def test_what_danger_costs(danger):
    state, found, _ = chooser("wwwwwww wA..f.w w.....w wwwwwww", learn=800, interest=Interest(danger=danger))
    heat = np.full(28, np.inf)
    heat[7 + 3] = 1.0
    rows = sprites(state)
    assert found.costs(state, rows, found.cells(rows), heat)[7 + 3] == 1.0 + danger / 2


@pytest.mark.parametrize("patience", [5, 60])
def test_how_long_it_waits_for_a_target_to_come_nearer(patience):
    state, found, _ = chooser("wwwwwwwwww wc...A..cw wwwwwwwwww", interest=Interest(patience=patience))
    names = []
    for tick in range(80):
        state.numbers[0] = tick
        names.append(found.choose(state).name)
    changed = next(tick for tick, name in enumerate(names) if name != names[0])
    assert patience < changed < patience + 5


@pytest.mark.parametrize("columns", [True, False])
def test_columns_may_be_none_of_its_business(columns):
    state, found, _ = chooser(
        "wwwwwwwww w..m.m..w w....m..w wA......w wwwwwwwww",
        learn=0,
        sprites="floor > Immovable\navatar > FlakAvatar stype=shot\nmark > Immovable\nshot > Missile orientation=UP",
        rules="avatar wall > stepBack\nmark shot > killSprite scoreChange=1",
        ends="SpriteCounter stype=mark win=True",
        mapping=". > floor\nm > mark\n",
        interest=Interest(columns=columns),
    )
    assert found.choose(state).column is columns


INTERESTS = {"win": "exit", "gain": "coin", "inventory": "key", "blocks": "wall", "unmet": "foe"}


@pytest.mark.parametrize(("weight", "thing"), INTERESTS.items())
def test_each_interest_has_its_weight(weight, thing):
    level = "wwwwwwwww wA.c.k.xw w......tw wwwwwwwww"
    state, found, known = chooser(level, learn=3000)
    before = found.interest(state)[kind(state, thing)]
    changed = TargetChooser(known, Interest(**{weight: getattr(Interest(), weight) + 7.0}))
    assert changed.interest(state)[kind(state, thing)] == pytest.approx(before + 7.0)


@pytest.mark.parametrize(("weight", "effects"), [("cost", COST), ("become", BECOME), ("portal", PORTAL)])
def test_each_effect_has_its_weight(weight, effects):
    state, found, known = chooser("wwwww wA.tw wwwww", learn=0)
    pair = kind(state, "avatar"), kind(state, "trap")
    known.pairs[pair] = Classifier(known.items)
    known.pairs[pair].add(known.inventory(state), effects)
    before = found.interest(state)[pair[1]]
    changed = TargetChooser(known, Interest(**{weight: getattr(Interest(), weight) + 7.0}))
    assert changed.interest(state)[pair[1]] == pytest.approx(before + 7.0)


def test_what_is_worth_shooting_at_has_its_weight() -> None:
    state, _, known = chooser(
        "wwwww wA.cw wwwww",
        learn=0,
        sprites="floor > Immovable\navatar > ShootAvatar stype=puff\npuff > Flicker limit=9\ncoin > Immovable\n",
        rules=RULES_OF_SHOTS,
        mapping=". > floor\nc > coin\n",
    )
    pair = kind(state, "puff"), kind(state, "coin")
    known.shots[pair] = Classifier(known.items)
    known.shots[pair].add(known.inventory(state), GAIN)
    worth = [TargetChooser(known, Interest(use=use)).interest(state)[pair[1]] for use in (4.0, 9.0)]
    assert worth[1] == worth[0] + 5.0


@pytest.mark.parametrize("courage", [2, 0])
def test_who_achieves_nothing_for_long_takes_risks(courage):
    state, found, _ = chooser("wwwwwwwwww w....A..cw wwwwwwwwww", interest=Interest(courage=courage))
    rows = sprites(state)
    cells, heat = found.cells(rows), np.zeros(30)
    assert found.costs(state, rows, cells, heat)[14] == 81
    tick = 0
    while found.setbacks < 2:
        assert not found.bold
        state.numbers[k.TICK] = tick = tick + 1
        found.choose(state)
    assert 2 * Interest().patience < tick < 2 * Interest().patience + 9
    assert found.bold is bool(courage)
    assert found.costs(state, rows, cells, heat)[14] == (6 if courage else 81)


def test_a_point_or_a_target_that_is_met_brings_caution_back() -> None:
    state, found, _ = chooser("wwwwwwwwww w....A..cw wwwwwwwwww", interest=Interest(courage=1))
    found.choose(state)
    found.setbacks = 3
    found.choose(state)
    assert found.bold
    state.numbers[k.SCORE] += 1
    found.choose(state)
    assert not found.bold
    found.setbacks = 3
    for action in (Action.RIGHT, Action.RIGHT, Action.RIGHT):
        state.advance(action)
    found.choose(state)
    assert not found.bold
