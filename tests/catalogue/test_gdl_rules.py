"""Rulesheets found by the catalogue: titles, faults with their places, and the bundled games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ggtp.catalogue import Catalogue
from ggtp.catalogue.gdl_rules import SUFFIXES, decode, load_told, title_of
from ggtp.errors import RulesError

if TYPE_CHECKING:
    from support.catalogues import World

GAME = """; A game for one.
(role p) (init s) (legal p go) (<= terminal (not (true s))) (goal p 100) (<= (next t) (true s))
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_rulesheet_is_found_by_name_and_by_path(world: World, suffix: str) -> None:
    world.environ["GGTP_RULES_PATH"] = str(world.folder("games"))
    path = world.write(f"games/deep/solo{suffix}", GAME)
    catalogue = world.catalogue()
    (entry,) = [entry for entry in catalogue.list_rules() if entry.name == "deep/solo"]
    assert (entry.title, entry.problem) == ("A game for one", None)
    rules = catalogue.find_rules("deep/solo")
    assert (rules.name, rules.title) == ("deep/solo", "A game for one")
    assert rules.text is not None
    assert "(legal p go)" in rules.text
    assert catalogue.locate_rules("deep/solo") == catalogue.locate_rules(str(path)) == path
    assert catalogue.find_rules(str(path)).name == "solo"
    (entry,) = [entry for entry in catalogue.list_rules() if entry.name == "deep/solo"]
    assert entry.title == "A game for one"


def test_what_is_not_there_has_no_place(world: World) -> None:
    assert world.catalogue().locate_rules("nothing") is None
    assert world.catalogue().locate_rules("nothing.kif") is None


def test_a_fault_has_its_place(world: World) -> None:
    path = world.write("work/bad.kif", "(role p)\n(<= (legal p go)\n")
    with pytest.raises(RulesError) as caught:
        world.catalogue().find_rules(str(path))
    assert (caught.value.path, caught.value.line) == (str(path), 2)


def test_a_text_that_is_not_utf_8(world: World) -> None:
    path = world.root / "work" / "latin.kif"
    path.write_bytes(b"; one\n; caf\xe9\n(role p)")
    with pytest.raises(RulesError, match="not UTF-8") as caught:
        world.catalogue().find_rules(str(path))
    assert (caught.value.line, caught.value.column) == (2, 6)
    with pytest.raises(RulesError) as caught:
        decode(path, b"\xef\xbb\xbf\xc3\xa9\xff")
    assert (caught.value.line, caught.value.column) == (1, 2)
    assert decode(path, b"\xef\xbb\xbf; text") == "; text"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (";; Chess: all of it.\n;; More.", "Chess: all of it"),
        ("\n\n  ; Late. \n(role a)", "Late"),
        ("(role a) ; no title", ""),
        ("", ""),
        (";", ""),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert title_of(text) == title


def test_every_bundled_game_has_a_title_and_no_problem() -> None:
    entries = [entry for entry in Catalogue.from_environment({}).list_rules() if entry.name.startswith("gdl/")]
    assert len(entries) > 20
    assert [entry.name for entry in entries if not entry.title or entry.problem] == []
    assert all(isinstance(entry.path, Path) for entry in entries)


@pytest.mark.parametrize("text", ["", "; nothing", "no such language", "(role random)", "(role a)"])
def test_what_is_no_game_is_refused_with_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.kif"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match="There is no rule for '"):
        Catalogue.from_environment({}).find_rules(str(path))


def test_a_game_of_chance_alone_has_no_player() -> None:
    text = "(role random) (init z) (legal random go) (next z) (<= terminal (true z)) (goal random 100)"
    with pytest.raises(RulesError, match="The rules name no player"):
        load_told(text, "alone")


def test_rules_that_were_told() -> None:
    text = "; Alone.\n(role a) (init z) (legal a go) (next z) (<= terminal (true z)) (goal a 100)"
    rules = load_told(text, "alone")
    assert (rules.name, rules.title, rules.players({})) == ("alone", "Alone", ("a",))
