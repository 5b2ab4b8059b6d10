"""The knowledge base: effects, control, portals, dangers, and how well it foresees."""

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from support.hybrid import explorer, kind, never, start

from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player import foresight as f
from ggtp.vgdl.player import sight
from ggtp.vgdl.player.knowledge import NO_CONTROL, Knowledge, effects_of
from ggtp.vgdl.player.options import Learning
from ggtp.vgdl.player.targets import TargetChooser


@pytest.mark.parametrize(
    ("column", "value", "effect"),
    [
        (sight.R_END, sight.HAS_WON, f.WIN), (sight.R_END, sight.HAS_LOST, f.LOSE),
        (sight.R_SCORE, 3, f.GAIN), (sight.R_SCORE, -3, f.COST), (sight.R_KIND_AFTER, 9, f.BECOME),
        (sight.R_INVENTORY, sight.MORE, f.INVENTORY), (sight.R_INVENTORY, sight.LESS, f.HARM),
        (sight.R_TELEPORTED, 1, f.PORTAL), (sight.R_BLOCKED, 1, f.BLOCKED), (sight.R_PUSHED, 1, f.PUSHED),
        (sight.R_GONE, 1 << 4, f.GONE), (sight.R_COUNT, 5, 0), (sight.R_NEW, 1 << 4, 0),
    ],
)  # fmt: skip
def test_the_effects_of_a_row(column, value, effect):
    row = [0] * sight.FEATURES
    row[sight.R_ACTIVE] = row[sight.R_KIND_AFTER] = 1
    row[sight.R_PASSIVE] = 4
    row[column] = value
    assert effects_of(row) == effect


@pytest.mark.parametrize("notices", [True, False])
def test_an_avatar_that_goes_by_itself_is_out_of_control(notices):
    state = start(
        "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww wA.............................w wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
        "floor > Immovable\navatar > MissileAvatar orientation=RIGHT",
        "avatar wall > stepBack",
        "Timeout limit=900",
        ". > floor\n",
    )
    known = Knowledge(state.model, Learning(control=notices))
    for _ in range(25):
        after = state.twin()
        after.advance(Action.NIL)
        known.watch(state, after, Action.NIL)
        state = after
    assert known.control == NO_CONTROL
    assert bool(known.hints[f.H_HELPLESS]) is notices


def test_an_avatar_that_obeys_is_not() -> None:
    state = start("wwwwwwww wA.....w wwwwwwww")
    known = Knowledge(state.model)
    for _ in range(5):
        after = state.twin()
        after.advance(Action.RIGHT)
        known.watch(state, after, Action.RIGHT)
        state = after
    assert known.control == 5
    assert not known.hints[f.H_HELPLESS]
    assert known.hints[f.H_STEP] == 10


@pytest.mark.parametrize("learns", [True, False])
def test_portals_are_learned(learns):
    state = start(
        "wwwwwwwww wAi...ocw wwwwwwwww",
        "floor > Immovable\nentry > Portal stype=exit\nexit > Immovable\ncoin > Immovable",
        "avatar wall > stepBack\navatar entry > teleportToExit\ncoin avatar > killSprite scoreChange=1",
        "SpriteCounter stype=coin win=True",
        ". > floor\ni > entry\no > exit\nc > coin\n",
    )
    known = Knowledge(state.model, Learning(portals=learns))
    after = state.twin()
    after.advance(Action.RIGHT)
    known.watch(state, after, Action.RIGHT)
    assert known.teleports == ({kind(state, "entry"): {kind(state, "exit")}} if learns else {})


def test_it_foresees_most_of_what_happens() -> None:
    state = start("wwwwwwwww wA..t...w w.c.w.k.w w...h..cw wwwwwwwww")
    search, known = explorer(state)
    search.begin(state, TargetChooser(known).nothing())
    search.run(never, 1500)
    known.refresh(state, cautious=True)
    right = total = 0
    search.begin(state, TargetChooser(known).nothing())
    now = state.twin()
    for number in range(60):
        action = (Action.RIGHT, Action.DOWN, Action.LEFT, Action.UP)[number * 7 % 4]
        after = now.twin()
        after.advance(action)
        why = int(f.foresee(now.numbers, now.model.ints, known.forecast, int(action)))
        stays = now.avatar().x == after.avatar().x and now.avatar().y == after.avatar().y
        right += (why == f.NOTHING_NEW) == (stays and not after.ended) and (why == f.LOSES) == after.ended
        total += 1
        if not after.ended:
            now = after
    assert right / total > 0.9


def test_what_is_feared_and_where_it_comes_from() -> None:
    state = start("wwwww wAt.w wwwww")
    search, known = explorer(state)
    search.begin(state, TargetChooser(known).nothing())
    search.run(never, 60)
    known.learn()
    avatar, trap = kind(state, "avatar"), kind(state, "trap")
    assert known.feared(avatar, known.inventory(state)) == [trap]
    known.movements.spawners[kind(state, "hole")].add(trap)
    assert known.deadly_spawners([trap]) == [kind(state, "hole")]


def test_keys_open_gates_by_their_number() -> None:
    state = start("wwwwwww wgA.k.w w...k.w wwwwwww")
    known = Knowledge(state.model)
    few = known.inventory(state)
    for letter in "lrrdllul":
        sight.look(state.numbers, state.model.arrays, known.collisions, {"u": 1, "l": 2, "d": 3, "r": 4}[letter])
    known.learn()
    avatar, gate = kind(state, "avatar"), kind(state, "gate")
    many = known.inventory(state)
    assert sum(many) == sum(few) + 2
    assert known.expect(avatar, gate, few) == f.BLOCKED
    assert known.expect(avatar, gate, many) & f.GONE


def test_without_an_inventory_keys_make_no_difference() -> None:
    state = start("wwwwwww wgA.k.w w...k.w wwwwwww")
    known = Knowledge(state.model, Learning(inventory=False))
    few = known.inventory(state)
    for letter in "lrrd":
        sight.look(state.numbers, state.model.arrays, known.collisions, {"u": 1, "l": 2, "d": 3, "r": 4}[letter])
    known.learn()
    avatar, gate = kind(state, "avatar"), kind(state, "gate")
    many = known.inventory(state)
    assert many == few
    assert known.expect(avatar, gate, many) == f.BLOCKED  # though two keys would open it
    book = known.forecast.book.reshape(known.kinds * known.kinds, -1)[avatar * known.kinds + gate]
    assert book[f.BOOK_HEAD] < -1000
    assert book[f.BOOK_HEAD + 1] > 1000


@pytest.mark.parametrize("all_of_it", [True, False])
def test_what_is_taken_is_an_effect_like_points(all_of_it):
    state = start("wwwwwww wA.k.cw wwwwwww")
    known = Knowledge(state.model, Learning(effects=all_of_it))
    for _ in range(4):
        sight.look(state.numbers, state.model.arrays, known.collisions, int(Action.RIGHT))
    known.learn()
    avatar = kind(state, "avatar")
    taken = known.expect(avatar, kind(state, "key"), known.inventory(state))
    paid = known.expect(avatar, kind(state, "coin"), known.inventory(state))
    assert bool(taken & f.INVENTORY) is all_of_it
    assert bool(paid & f.GONE) is all_of_it
    assert paid & f.GAIN
