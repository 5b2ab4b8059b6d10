from __future__ import annotations

import pytest
from support.vgdl import cells, named, play, world

from ggtp.vgdl.language.vocabulary import DOWN, LEFT, RIGHT, UP, SpriteClass
from ggtp.vgdl.world.updates import UPDATES, distance, nearest
from ggtp.vgdl.world.world import World

FLOOR = "\nf > Immovable"


def field(level: str, sprites: str, rules: str = "", letters: str = "", seed: int = 1) -> World:
    return world(level, sprites + FLOOR, rules, mapping=". > f\n" + letters, seed=seed)


def test_a_moving_avatar_goes_where_it_is_told() -> None:
    made = play(field(".... .A.. ....", ""), "rdlu.s")
    assert cells(made, "avatar") == [(1, 1)]


def test_an_oriented_avatar_turns_first_unless_it_is_told_otherwise() -> None:
    made = play(field("... .A.", "avatar > OrientedAvatar"), "u")
    assert cells(made, "avatar") == [(1, 1)]
    assert cells(play(made, "u"), "avatar") == [(1, 0)]
    made = play(field("... .A.", "avatar > OrientedAvatar rotateInPlace=False"), "u")
    assert cells(made, "avatar") == [(1, 0)]
    assert made.avatar is not None
    assert made.avatar.orientation == UP


def test_a_shooter_shoots_ahead_and_the_shot_faces_the_same_way() -> None:
    made = play(field("... .A. ...", "avatar > ShootAvatar stype=s\ns > Missile speed=0.1"), "ds")
    (shot,) = named(made, "s")
    assert (shot.x, shot.y, shot.orientation, shot.from_avatar) == (10, 20, DOWN, True)


def test_ammunition() -> None:
    sprites = "avatar > ShootAvatar stype=s ammo=m minAmmo=1 ammoCost=2\ns > Immovable\nm > Resource limit=9"
    made = field("A..", sprites)
    assert made.avatar is not None
    resource = next(kind.number for kind in made.game.types if kind.name == "m")
    assert named(play(made, "s"), "s") == []
    made.avatar.gain(resource, 1)
    assert named(play(made, "s"), "s") == []  # it needs more than the least
    made.avatar.gain(resource, 2)
    assert len(named(play(made, "s"), "s")) == 1
    assert made.avatar.has(resource) == 1


def test_the_first_shot_with_ammunition_is_taken() -> None:
    sprites = "avatar > ShootAvatar stype=s,t ammo=m,n\ns > Immovable\nt > Immovable\nm > Resource\nn > Resource"
    made = field("A..", sprites)
    assert made.avatar is not None
    made.avatar.gain(next(kind.number for kind in made.game.types if kind.name == "n"), 1)
    play(made, "s")
    assert (len(named(made, "s")), len(named(made, "t"))) == (0, 1)


def test_a_flak_avatar_moves_sideways_and_shoots_from_its_square() -> None:
    made = play(field("... .A.", "avatar > FlakAvatar stype=s\ns > Missile orientation=UP speed=0.1"), "urs")
    assert cells(made, "avatar") == [(2, 1)]
    assert cells(made, "s") == [(2, 1)]


def test_a_missile_avatar_moves_on_and_an_ongoing_one_can_be_steered() -> None:
    assert cells(play(field("A.... .....", "avatar > MissileAvatar"), "ddd"), "avatar") == [(2, 0)]
    assert cells(play(field("A.... .....", "avatar > OngoingAvatar"), ".rd"), "avatar") == [(1, 1)]


def test_a_flicker_is_there_for_a_while() -> None:
    made = field("Ax", "x > Flicker limit=2", letters="x > x\n")
    lives = [len(named(play(made, "."), "x")) for _ in range(5)]
    assert lives == [1, 1, 1, 0, 0]


def test_an_oriented_flicker_faces_as_who_shot_it_and_goes_out() -> None:
    made = play(field("... .A. ...", "avatar > ShootAvatar stype=x\nx > OrientedFlicker limit=2"), "us")
    (flash,) = named(made, "x")
    assert (flash.x, flash.y, flash.orientation) == (10, 0, UP)
    lives = [len(named(play(made, "."), "x")) for _ in range(4)]
    assert lives == sorted(lives, reverse=True)
    assert lives[-1] == 0
    assert (flash.x, flash.y) == (10, 0)  # it stays where it was put


def test_a_spreader_spreads_once() -> None:
    made = play(field("A.... ..... ..x..", "x > Spreader spreadprob=1 limit=9", letters="x > x\n"), "..")
    assert cells(made, "x") == [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2)]
    assert made.chance.calls == 8


def test_a_spawn_point_counts_and_gives_its_own_direction() -> None:
    sprites = "p > SpawnPoint stype=m cooldown=3 total=2 orientation=LEFT\nm > Missile speed=0.1"
    made = field("A..p", sprites, letters="p > p\n")
    counts = []
    for _ in range(7):
        play(made, ".")
        counts.append((len(named(made, "m")), len(named(made, "p"))))
    assert counts == [(1, 1), (1, 1), (1, 1), (2, 0), (2, 0), (2, 0), (2, 0)]
    assert {sprite.orientation for sprite in named(made, "m")} == {LEFT}


def test_spawnorientation_wins() -> None:
    made = field("A..p", "p > SpawnPoint stype=m spawnorientation=UP\nm > Missile orientation=LEFT", letters="p > p\n")
    play(made, ".")
    assert named(made, "m")[0].orientation == UP


def test_a_spawn_point_draws_in_every_tick() -> None:
    made = play(field("A..p", "p > SpawnPoint stype=f prob=0 cooldown=9", letters="p > p\n"), "....")
    assert made.chance.calls == 4


def test_a_bomber_flies_and_drops() -> None:
    made = play(field("Ab...", "b > Bomber stype=x speed=1\nx > Immovable", letters="b > b\n"), "...")
    assert cells(made, "b") == [(3, 0)]
    assert cells(made, "x") == [(1, 0), (1, 0), (2, 0)]


def test_a_random_bomber_draws_a_direction_and_a_number() -> None:
    made = play(field("A.. .b. ...", "b > RandomBomber stype=f prob=0", letters="b > b\n"), ".")
    assert made.chance.calls == 2
    (bomber,) = named(made, "b")
    assert abs(bomber.x - 10) + abs(bomber.y - 10) == 10


def test_a_random_missile_draws_its_direction_once() -> None:
    made = play(field("A.. .b. ...", "b > RandomMissile", letters="b > b\n"), "....")
    assert made.chance.calls == 1


def test_a_random_walker_keeps_its_direction() -> None:
    made = play(field("A.. .b. ...", "b > RandomNPC cons=2", letters="b > b\n"), "..")
    assert (made.chance.calls, cells(made, "b")) == (0, [(1, 1)])  # it begins by keeping none
    play(made, "....")
    assert made.chance.calls == 2


@pytest.mark.parametrize(("name", "wanted"), [("Chaser", [(2, 0)]), ("Fleeing", [(4, 0)])])
def test_chasers_come_nearer_and_others_flee(name: str, wanted: list[tuple[float, float]]) -> None:
    made = field("A..b..", f"b > {name} stype=avatar", "b EOS > stepBack", "b > b\n")
    if name == "Fleeing":  # away means up and down too: leave it only one way
        made.height = 10
    for seed in range(40):
        other = made.copy(seed)
        play(other, ".")
        if other.groups[made.game.types[-2].number][0].y == 0 and cells(other, "b") == wanted:
            break
    else:
        pytest.fail("never where it should go")


def test_a_chaser_that_sees_nobody_walks_at_random() -> None:
    made = play(field("A..b", "b > Chaser stype=avatar maxDistance=15", letters="b > b\n"), ".")
    assert made.chance.calls == 1
    assert cells(play(field("A.b", "b > Chaser stype=avatar maxDistance=25", letters="b > b\n"), "."), "b") == [(1, 0)]


def test_the_nearest_of_a_type_or_of_its_kin() -> None:
    made = field("A.x.y", "t > Passive\n  x >\n  y >\n", letters="x > x\ny > y\n")
    assert made.avatar is not None
    found = nearest(made, made.avatar, next(kind.number for kind in made.game.types if kind.name == "t"))
    assert [sprite.kind.name for sprite in found] == ["x"]
    assert distance(made.avatar, found[0]) == 20


def test_an_alternating_chaser_follows_paths_or_flees() -> None:
    sprites = "g > RandomPathAltChaser stype1=avatar stype2=bad\nbad > Immovable"
    made = play(field("A.. ... ..g", sprites, letters="g > g\n"), ".")
    assert cells(made, "g") == [(2, 1)]
    assert made.chance.calls == 2
    made = play(field("bbA g..", sprites, letters="g > g\nb > bad\n"), ".")
    assert cells(made, "g") != [(0, 0)]


def test_every_class_with_a_will_of_its_own_is_in_the_table() -> None:
    passive = {
        SpriteClass.IMMOVABLE,
        SpriteClass.PASSIVE,
        SpriteClass.RESOURCE,
        SpriteClass.DOOR,
        SpriteClass.PORTAL,
        SpriteClass.MISSILE,
    }
    assert set(UPDATES) == {number for number in SpriteClass if number < SpriteClass.MOVING_AVATAR} - passive


def test_new_sprites_of_a_type_that_comes_later_move_in_the_same_tick() -> None:
    early = "m > RandomMissile\np > SpawnPoint stype=m"
    late = "p > SpawnPoint stype=m\nm > RandomMissile"
    drawn = [play(field("A.p", sprites, letters="p > p\n"), ".").chance.calls for sprites in (early, late)]
    assert drawn == [2, 1]  # types move from the last of the text to the first


def test_the_avatar_moves_before_all_others() -> None:
    made = play(field("A.x", "x > Chaser stype=avatar", letters="x > x\n"), "d")
    assert made.avatar is not None
    assert cells(made, "x") in ([(1, 0)], [(2, 1)])
    assert RIGHT == (1, 0)
