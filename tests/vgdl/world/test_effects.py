"""Every effect on a field of a few squares. Squares are ten pixels wide."""

from __future__ import annotations

import pytest
from support.vgdl import cells, named, play, world

from ggtp.vgdl.language.vocabulary import DOWN, LEFT, RIGHT, UP
from ggtp.vgdl.world.world import World

SPRITES = """
avatar > OrientedAvatar rotateInPlace=False
x > Passive
y > Passive
coin > Resource limit=3 value=2
key > Resource limit=1
m > Missile orientation=RIGHT
f > Immovable
"""
LETTERS = ". > f\nx > x\ny > y\nc > coin\nk > key\nm > m\n"


def field(level: str, rules: str, actions: str, sprites: str = SPRITES) -> World:
    return play(world(level, sprites, rules, mapping=LETTERS), actions)


def number(made: World, name: str) -> int:
    return next(kind.number for kind in made.game.types if kind.name == name)


def amount(made: World, name: str) -> int:
    assert made.avatar is not None
    return made.avatar.has(number(made, name))


def test_step_back() -> None:
    assert cells(field("Aw", "avatar wall > stepBack", "r"), "avatar") == [(0, 0)]


@pytest.mark.parametrize(
    ("level", "way", "wanted"),
    [("A.w", "rr", 10), ("w.A", "ll", 10), ("A . w", "dd", 10), ("w . A", "uu", 10)],
)
def test_step_back_to_the_pixel(level: str, way: str, wanted: int) -> None:
    sprites = SPRITES.replace("rotateInPlace=False", "rotateInPlace=False speed=0.7")
    made = field(level, "avatar wall > stepBack pixelPerfect=True", way, sprites)
    assert made.avatar is not None
    assert max(made.avatar.x, made.avatar.y) == wanted


def test_kills_and_scores() -> None:
    made = field("Ax", "x avatar > killSprite scoreChange=5", "r")
    assert (made.score, named(made, "x")) == (5, [])
    made = field("Ax", "x avatar > killBoth", "r")
    assert named(made, "x") == named(made, "avatar") == []


def test_a_dead_avatar_still_meets_others() -> None:
    made = field("Axy", "avatar x > killSprite scoreChange=-1\nx avatar > transformTo stype=y", "r.")
    assert made.score == -1
    made = field("Ax", "avatar x > killSprite scoreChange=-1", "r..")
    assert made.score == -3


def test_transforming_keeps_place_health_and_resources() -> None:
    sprites = SPRITES + "star > MovingAvatar\n"
    rules = "coin avatar > collectResource\navatar x > transformTo stype=star killSecond=True scoreChange=1"
    made = field("Acx.", rules, "rrr", sprites)
    assert cells(made, "star") == [(3, 0)]
    assert amount(made, "coin") == 2
    assert named(made, "x") == []
    assert made.score == 1


def test_an_avatar_that_becomes_no_avatar_is_disabled() -> None:
    made = field("Ax", "avatar x > transformTo stype=y", "r")
    assert made.avatar is not None
    assert made.avatar.disabled
    assert cells(made, "y") == [(1, 0)]


def test_a_new_sprite_takes_the_direction_that_it_lacks() -> None:
    sprites = SPRITES + "n > Missile\no > Missile orientation=UP\n"
    assert named(field("A.m", "m EOS > transformTo stype=n", "..", sprites), "n")[0].orientation == RIGHT
    assert named(field("A.m", "m EOS > transformTo stype=o", "..", sprites), "o")[0].orientation == UP
    made = field("A.m", "m EOS > transformTo stype=o forceOrientation=True", "..", sprites)
    assert named(made, "o")[0].orientation == RIGHT


def test_transforming_all_of_a_type() -> None:
    made = field("Ax.yyy", "avatar x > transformToAll stype=y stypeTo=x", "r")
    assert len(named(made, "x")) == 4
    assert named(made, "y") == []


def test_a_singleton_turns_back_what_was_one_before() -> None:
    rules = "x avatar > transformToSingleton stype=y stype_other=x takeOrientation=True"
    made = field("Axx", rules, "r")
    assert cells(made, "y") == [(1, 0)]
    assert named(made, "y")[0].orientation == LEFT
    made = play(made, "r")
    assert cells(made, "y") == [(2, 0)]
    assert cells(made, "x") == [(1, 0)]


def test_pushing_forward_and_undoing_all() -> None:
    rules = "x avatar > bounceForward\nx wall > undoAll\n"
    assert cells(field("Ax.w", rules, "r"), "x") == [(2, 0)]
    made = field("Ax.w", rules, "rr")
    assert (cells(made, "x"), cells(made, "avatar")) == ([(2, 0)], [(1, 0)])


def test_undoing_all_but_some() -> None:
    made = field("Axw", "x avatar > bounceForward\nx wall > undoAll notStype=avatar", "r")
    assert (cells(made, "x"), cells(made, "avatar")) == ([(1, 0)], [(1, 0)])


def test_a_chain_is_pushed_with_repeats_or_in_the_right_order() -> None:
    rules = "x avatar > bounceForward\nx x > bounceForward"
    assert cells(field("Axx..", rules, "r"), "x") == [(2, 0), (3, 0)]
    left = "..xxxA"
    assert cells(field(left, rules, "l"), "x") != [(1, 0), (2, 0), (3, 0)]
    assert cells(field(left, rules + " repeat=3", "l"), "x") == [(1, 0), (2, 0), (3, 0)]


def test_collecting_up_to_the_limit() -> None:
    made = field("Accc", "coin avatar > collectResource scoreChange=1", "rrr")
    assert (amount(made, "coin"), made.score, len(named(made, "coin"))) == (3, 2, 1)
    made = field("Ac", "coin avatar > collectResource killResource=False", "r")
    assert len(named(made, "coin")) == 1


def test_collecting_what_needs_something_held() -> None:
    rules = "coin avatar > collectResourceIfHeld heldResource=key\nkey avatar > collectResource"
    assert amount(field("Ack", rules, "r"), "coin") == 0
    assert amount(field("Akc", rules, "rr"), "coin") == 2


def test_changing_a_resource() -> None:
    rules = "avatar x > changeResource resource=coin value=2 killResource=True scoreChange=1"
    made = field("Axx", rules, "rr")
    assert (amount(made, "coin"), made.score, len(named(made, "x"))) == (2, 1, 1)
    assert amount(field("Ax", "avatar x > changeResource resource=y", "r"), "y") == 0


@pytest.mark.parametrize(
    ("rule", "dies"),
    [
        ("x avatar > killIfOtherHasMore resource=coin limit=2", "x"),
        ("x avatar > killIfOtherHasMore resource=coin limit=3", ""),
        ("avatar x > killIfHasMore resource=coin limit=2", "avatar"),
        ("avatar x > killIfHasMore resource=coin limit=3", ""),
        ("avatar x > killIfHasLess resource=coin limit=2", "avatar"),
        ("avatar x > killIfHasLess resource=coin limit=1", ""),
    ],
)
def test_killing_by_what_one_has(rule: str, dies: str) -> None:
    made = field("Acx", f"coin avatar > collectResource\n{rule} scoreChange=1", "rr")
    assert made.score == bool(dies)
    assert [name for name in ("x", "avatar") if not named(made, name)] == ([dies] if dies else [])


def test_health() -> None:
    sprites = SPRITES.replace("rotateInPlace=False", "rotateInPlace=False healthPoints=2 limitHealthPoints=4")
    rules = "avatar x > subtractHealthPoints scoreChange=1 scoreChangeIfKilled=-9 killSecond=True\n"
    made = field("Axx", rules + "avatar y > addHealthPoints killSecond=True scoreChange=3", "r", sprites)
    assert (made.score, made.avatar is not None and made.avatar.health, len(named(made, "x"))) == (1, 1, 1)
    assert play(made, "r").score == -8
    assert named(made, "avatar") == []
    made = field("Ayy", rules + "avatar y > addHealthPoints killSecond=True scoreChange=3", "rr", sprites)
    assert (made.score, len(named(made, "y"))) == (3, 1)  # four is the limit: it stays below


def test_health_of_others() -> None:
    sprites = SPRITES.replace("y > Passive", "y > Passive healthPoints=1")
    made = field("Ax.yy", "avatar x > subtractHealthPoints stype=y scoreChangeIfKilled=2", "r", sprites)
    assert (named(made, "y"), made.score) == ([], 2)


def test_spawning() -> None:
    assert cells(field("Ax", "avatar x > spawn stype=y", "r"), "y") == [(1, 0)]
    made = field("Ax", "avatar x > spawn stype=y prob=0", "r")
    assert (cells(made, "y"), made.chance.calls) == ([], 2)
    rules = "coin avatar > collectResource\navatar x > spawnIfHas{} resource=coin limit={} stype=y spend=1"
    made = field("Acx", rules.format("More", 2), "rr")
    assert (cells(made, "y"), amount(made, "coin")) == ([(2, 0)], 1)
    assert cells(field("Acx", rules.format("More", 3), "rr"), "y") == []
    assert cells(field("Acx", rules.format("Less", 1), "rr"), "y") == []
    assert cells(field("Acx", rules.format("Less", 2), "rr"), "y") == [(2, 0)]


def test_gazes() -> None:
    sprites = SPRITES + "sign > Immovable orientation=DOWN\n"
    made = world("mS. ...", sprites, "m sign > attractGaze", mapping=LETTERS + "S > sign\n. > avatar\n")
    play(made, "..")
    assert named(made, "m")[0].orientation == DOWN
    made = world("mS. ...", sprites, "m sign > attractGaze prob=0", mapping=LETTERS + "S > sign\n. > avatar\n")
    play(made, "..")
    assert (named(made, "m")[0].orientation, made.chance.calls) == (RIGHT, 2)
    made = world("mS. ...", sprites, "m sign > attractGaze align=True", mapping=LETTERS + "S > sign\n. > avatar\n")
    named(made, "m")[0].x = 4
    play(made, ".")
    assert named(made, "m")[0].x == 10


def test_directions() -> None:
    assert named(field("A.m", "m EOS > reverseDirection", ".."), "m")[0].orientation == LEFT
    made = field("A.m", "m EOS > flipDirection", "..")
    assert made.chance.calls == 1


@pytest.mark.parametrize(
    ("level", "way", "wanted"),
    [(".A.", "rr", (0, 0)), (".A.", "ll", (2, 0)), (". A .", "dd", (0, 0)), (". A .", "uu", (0, 2))],
)
def test_wrapping_around(level: str, way: str, wanted: tuple[int, int]) -> None:
    assert cells(field(level, "avatar EOS > wrapAround", way), "avatar") == [wanted]


def test_wrapping_with_an_offset() -> None:
    assert cells(field(".A.", "avatar EOS > wrapAround offset=1", "rr"), "avatar") == [(1, 0)]


def test_turning_around_goes_two_squares_down() -> None:
    made = field("A.m ... ...", "m EOS > turnAround", "..")
    assert cells(made, "m") == [(2, 2)]
    assert named(made, "m")[0].orientation == LEFT


def test_a_shield_holds_for_this_tick_and_these_types() -> None:
    rules = "avatar x > shieldFrom stype=y ftype=killSprite\navatar y > killSprite\navatar y > subtractHealthPoints"
    made = world("AB", SPRITES, rules.splitlines()[0] + "\navatar y > killSprite", mapping=LETTERS + "B > x y\n")
    assert cells(play(made, "r"), "avatar") == [(1, 0)]
    made = world("AB", SPRITES, rules, mapping=LETTERS + "B > x y\n")
    assert cells(play(made, "r"), "avatar") == []  # another effect is not kept away


def test_portals() -> None:
    sprites = SPRITES + "in > Portal stype=y\n"
    made = play(world("AP.y", sprites, "avatar in > teleportToExit", mapping=LETTERS + "P > in\n"), "r")
    assert (cells(made, "avatar"), made.chance.calls) == ([(3, 0)], 1)
    made = play(world("AP", sprites, "avatar in > teleportToExit", mapping=LETTERS + "P > in\n"), "r")
    assert cells(made, "avatar") == []


def test_frontal_and_not() -> None:
    sprites = SPRITES + "n > Missile orientation=LEFT\n"

    def met(rule: str, level: str) -> int:
        return play(world(level, sprites, rule + " scoreChange=1", mapping=LETTERS + "n > n\n"), "..").score

    assert met("m n > killIfFrontal", "A.m.n") == 1
    assert met("m n > killIfNotFrontal", "A.m.n") == 0
    assert met("m x > killIfNotFrontal", "A.mx.") == 1
    assert met("m x > killIfFrontal", "A.mx.") == 0
    assert met("x m > killIfFrontal", "A.mx.") == 1  # whoever stands still is met


def test_from_above() -> None:
    sprites = SPRITES + "n > Missile orientation=DOWN\nb > Missile orientation=UP\n"
    letters = LETTERS + "n > n\nb > b\n"
    made = world("An .x", sprites, "x n > killIfFromAbove scoreChange=1", mapping=letters)
    assert play(made, "..").score == 1
    made = world("Ax .b", sprites, "x b > killIfFromAbove scoreChange=1", mapping=letters)
    assert play(made, "..").score == 0


def test_pulling_once_in_a_tick() -> None:
    made = world("... ...", SPRITES + "log > Missile orientation=RIGHT speed=0.5\n", "avatar log > pullWithIt",
                 mapping=LETTERS + ". > log avatar\n")  # fmt: skip
    play(made, "...")
    assert made.avatar is not None
    assert made.avatar.x == 10


def test_cloning() -> None:
    assert len(named(field("Ax", "x avatar > cloneSprite", "r"), "x")) == 2


def test_timers() -> None:
    made = field("Axyy", "avatar x > addTimer timer=2 ftype=transformToAll stype=y stypeTo=x scoreChange=1", "rl")
    assert (len(named(made, "y")), made.score) == (2, 1)
    assert len(named(play(made, "."), "y")) == 0
    assert made.score == 2
    made = field("Ax", "x TIME > killSprite timer=3 scoreChange=1", ".")
    assert made.score == 1  # the first time is at once


def test_time_without_sprites_is_for_transformations_only() -> None:
    made = field("Ax", "avatar x > addTimer timer=1 ftype=killSprite scoreChange=5", "r..")
    assert made.score == 15
    assert cells(made, "avatar") == [(1, 0)]
