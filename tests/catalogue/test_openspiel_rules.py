"""Files that name games of OpenSpiel: found like any rule, their faults told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ggtp.errors import RulesError

if TYPE_CHECKING:
    from support.catalogues import World

GAME = 'title = "three in a row"\ngame = "tic_tac_toe"\nplayers = ["X", "O"]\n'


def test_a_file_is_found_by_name_and_by_path(world: World) -> None:
    world.environ["GGTP_RULES_PATH"] = str(world.folder("games"))
    path = world.write("games/three.spiel", GAME)
    catalogue = world.catalogue()
    (entry,) = [entry for entry in catalogue.list_rules() if entry.name == "three"]
    assert (entry.title, entry.problem) == ("three in a row", None)
    assert catalogue.find_rules("three").players({}) == ("X", "O")
    assert catalogue.find_rules(str(path)).name == "three"


@pytest.mark.parametrize("text", ["title = ", "title = 3"])
def test_a_fault_is_told_with_its_file(world: World, text: str) -> None:
    world.environ["GGTP_RULES_PATH"] = str(world.folder("games"))
    world.write("games/three.spiel", text)
    with pytest.raises(RulesError, match=r"three\.spiel"):
        world.catalogue().find_rules("three")


def test_a_file_that_is_no_toml_is_listed_with_its_problem(world: World) -> None:
    world.environ["GGTP_RULES_PATH"] = str(world.folder("games"))
    world.write("games/three.spiel", "title = ")
    (entry,) = [entry for entry in world.catalogue().list_rules() if entry.name == "three"]
    assert entry.problem is not None
    assert "no TOML" in entry.problem


def test_a_file_that_is_nested_too_deep_does_not_spoil_the_list(world: World) -> None:
    world.environ["GGTP_RULES_PATH"] = str(world.folder("games"))
    world.write("games/deep.spiel", "a = " + "[" * 100_000)
    (entry,) = [entry for entry in world.catalogue().list_rules() if entry.name == "deep"]
    assert entry.problem is not None
