from __future__ import annotations

from support.vgdl import play, world

from ggtp.game import Grid
from ggtp.vgdl.world.picture import cells, draw, legend, marks, status

SPRITES = "f > Immovable\nbox > Passive\nshot > Missile\ngem > Resource\navatar > MovingAvatar healthPoints=3\n"
LETTERS = ". > f\nb > f box\ng > gem\n"
RULES = "gem avatar > collectResource scoreChange=4\nbox wall > stepBack"


def test_a_letter_for_each_square() -> None:
    made = world("w.A bg.", SPRITES, RULES, mapping=LETTERS)
    assert draw(made).plain() == ["# . @", "b g .", "tick 0, score 0, health 3"]
    assert cells(made)[1][1].tone == "good"


def test_figures_and_the_end() -> None:
    made = play(world("Ag.", SPRITES, RULES, "Timeout limit=0 win=True", LETTERS), "r")
    assert status(made) == "tick 1, score 4, health 3, gem 1"
    assert draw(made).plain()[-1] == "won"


def test_sprites_between_squares_are_drawn_where_most_of_them_is() -> None:
    made = world("Ab.", SPRITES, RULES, mapping=LETTERS)
    box = made.groups[3][0]
    for x, wanted in ((14, "@b."), (15, "@.b"), (99, "@..")):
        box.x = x
        grid = draw(made).parts[0]
        assert isinstance(grid, Grid)
        assert "".join(cell.text for cell in grid.rows[0]) == wanted


def test_every_type_has_a_mark_of_its_own() -> None:
    made = world("A", SPRITES, mapping=LETTERS)
    found = marks(made.game)
    assert len(set(found.values())) == len(made.game.types)
    assert found[1] == "@"


def test_the_legend_names_what_there_is_to_meet() -> None:
    made = world("w.A bg.", SPRITES, RULES, mapping=LETTERS)
    assert legend(made) == "b box, g gem"
    made.groups[5].clear()
    assert legend(made) == "b box"
