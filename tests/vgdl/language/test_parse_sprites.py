from __future__ import annotations

from support.vgdl import game, text

from ggtp.vgdl.language.definition import SpriteType
from ggtp.vgdl.language.faults import Severity
from ggtp.vgdl.language.parse import survey
from ggtp.vgdl.language.vocabulary import DOWN, RIGHT, Category


def kinds(sprites: str) -> dict[str, SpriteType]:
    return {kind.name: kind for kind in game(sprites).types}


def test_children_inherit_and_set_their_own() -> None:
    found = kinds("a > Missile speed=0.5 orientation=DOWN\n  b > speed=0.25\n  c > Passive\n")
    assert (found["b"].class_name, found["b"].speed, found["b"].orientation) == ("Missile", 0.25, DOWN)
    assert found["c"].class_name == "Missile"  # an ancestor's class wins over one's own


def test_a_singleton_is_only_the_line_that_says_so() -> None:
    found = kinds("a > Passive singleton=True\n  b >\n")
    assert found["a"].singleton
    assert not found["b"].singleton


def test_whoever_asks_for_a_type_means_its_ancestors_too() -> None:
    found = kinds("a > Passive\n  b >\n    c >\n  d >\n")
    names = {kind.number: kind.name for kind in found.values()}
    assert [names[number] for number in found["b"].kin] == ["a", "b", "c"]
    assert [names[number] for number in found["a"].kin] == ["a", "b", "c", "d"]


def test_the_avatar_is_drawn_last_and_what_is_listed_again_at_its_last_place() -> None:
    made = game("x > Passive\navatar > ShootAvatar\ny > Passive\nx > speed=1\nz > Immovable\n")
    assert [made.types[number].name for number in made.draw_order] == ["wall", "y", "x", "z", "avatar"]


def test_an_avatar_below_another_type_is_not_drawn_itself() -> None:
    made = game("avatar > MovingAvatar\n  left >\n  right >\n")
    assert [made.types[number].name for number in made.draw_order] == ["wall", "left", "right", "avatar"]


def test_defaults_of_classes() -> None:
    found = kinds("s > ShootAvatar\nf > Flicker\nr > Resource\nd > Immovable portal=True\nb > Bomber")
    assert (found["s"].rotate, found["s"].orientation, found["s"].speed) == (True, RIGHT, 1.0)
    assert (found["f"].limit, found["r"].limit, found["r"].value) == (1, 2, 1)
    assert found["d"].category is Category.PORTAL
    assert (found["b"].orientation, found["b"].speed) == (RIGHT, 0.0)


def test_several_kinds_of_shots_share_one_ammunition() -> None:
    found = kinds("s > ShootAvatar stype=a,b ammo=r minAmmo=2 ammoCost=3\na > Missile\nb > Missile\nr > Resource\n")
    assert len(found["s"].ammo) == 2
    assert (found["s"].ammo_least, found["s"].ammo_cost) == ((2,), (3,))


def test_faults() -> None:
    _, faults = survey(text("a Passive\n> Missile\na b > Passive\nc > Passive Missile\nd >\ne > Passive\n  e >\n"))
    assert [(str(fault), fault.severity) for fault in faults if fault.line > 1] == [
        ("3:5: error: a sprite's line is NAME > CLASS settings; there is no > after a", Severity.ERROR),
        ("4:5: error: a sprite needs a name before the >", Severity.ERROR),
        ("5:7: error: a sprite has one name; b is another", Severity.ERROR),
        ("6:17: error: a sprite has one class; Missile is another, or lacks its =", Severity.ERROR),
        ("9:7: error: e can't be a kind of itself", Severity.ERROR),
        ("7:5: warning: d has no class, and inherits none: there can be no such sprite", Severity.WARNING),
    ]
