from __future__ import annotations

from pathlib import Path

import pytest
from support.vgdl import text

from ggtp.catalogue import Catalogue
from ggtp.catalogue.vgdl_rules import count_levels, level_path, title_of
from ggtp.errors import OptionError, RulesError


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "maze.vgdl"
    path.write_text("# a way out.\n" + text(ends="Timeout limit=3"))
    (tmp_path / "maze_lvl0.txt").write_text("A \n")
    (tmp_path / "maze_lvl1.txt").write_text("Aw\n")
    (tmp_path / "other.txt").write_text("wA\n")
    return path


def test_a_game_is_rules_with_levels(game: Path) -> None:
    rules = Catalogue.from_environment({}).find_rules(str(game))
    assert (rules.name, rules.title) == ("maze", "a way out")
    assert rules.start({"level": "1"}).picture(None).plain()[0] == "@ #"
    assert rules.start({"level": str(game.with_name("other.txt"))}).picture(None).plain()[0] == "# @"
    assert "0 to 1" in rules.options()[0].summary


def test_a_search_path_finds_games_by_name(game: Path) -> None:
    catalogue = Catalogue.from_environment({"GGTP_RULES_PATH": str(game.parent)})
    assert catalogue.find_rules("maze").title == "a way out"
    entry = next(entry for entry in catalogue.list_rules() if entry.name == "maze")
    assert (entry.title, entry.problem) == ("a way out", None)


def test_faults_have_their_place(game: Path) -> None:
    game.write_text("BasicGame\n  SpriteSet\n    x > Misile\n")
    with pytest.raises(RulesError) as caught:
        Catalogue.from_environment({}).find_rules(str(game))
    assert str(caught.value) == f"{game}:3:9: there is no class of sprites Misile; is it Missile?"
    assert caught.value.caret() == ["    x > Misile", "        ^"]


def test_levels_by_number_and_path(game: Path) -> None:
    assert level_path(game, "4").name == "maze_lvl4.txt"
    assert level_path(game, "x/y.txt") == Path("x/y.txt")
    assert count_levels(game) == 2
    assert count_levels(game.with_name("none.vgdl")) == 0


def test_titles() -> None:
    assert title_of("\n# one.\n# two") == "one"
    assert title_of("BasicGame") == ""


def test_the_file_of_a_level_is_short(game: Path) -> None:
    game.with_name("other.txt").write_text("\n" * (1 << 20) + "wA\n")
    rules = Catalogue.from_environment({}).find_rules(str(game))
    with pytest.raises(OptionError, match="more than 1048576 bytes"):
        rules.start({"level": str(game.with_name("other.txt"))})
