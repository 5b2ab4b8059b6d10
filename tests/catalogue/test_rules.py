"""Rules are found by name or path, in a fixed order, and a broken rule stops nobody."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ggtp.catalogue import Catalogue, RuleEntry
from ggtp.catalogue.loaders import Loader, RuleFile, Sketch
from ggtp.catalogue.rules import LOADERS
from ggtp.errors import RulesError, RulesNotFound

if TYPE_CHECKING:
    from support.catalogues import World


def entry(catalogue: Catalogue, name: str) -> RuleEntry:
    (found,) = [entry for entry in catalogue.list_rules() if entry.name == name]
    return found


def fault(catalogue: Catalogue, name: str) -> RulesError:
    with pytest.raises(RulesError) as caught:
        catalogue.find_rules(name)
    return caught.value


PLACES = ["a given path", "first of the path", "second of the path", "data", "config", "package", "bundled"]


def furnish(world: World, places: list[str]) -> None:
    """Puts rules named Hex, with the place as their title, into each of the places."""
    data, config = "home/.local/share/ggtp/rules", "home/.config/ggtp/rules"
    folders = {"a given path": "work", "first of the path": "one", "second of the path": "two", "data": data}
    folders |= {"config": config, "bundled": world.bundle("rules")}
    world.environ["GGTP_RULES_PATH"] = os.pathsep.join(str(world.folder(name)) for name in ("one", "two"))
    for place in places:
        if place == "package":
            world.distribution("gamesgalore", "[ggtp.rules.v1]\nHex = galore.hex:GAME\n")
            path = world.rule("site/galore/hex.py", "Hex", place)
            path.write_text(path.read_text().replace("RULES", "GAME"))
        else:
            world.rule(f"{folders[place]}/hex.py", "Hex", place)


@pytest.mark.parametrize("start", range(len(PLACES)))
def test_the_order_of_the_places(world: World, start: int) -> None:
    furnish(world, PLACES[start:])
    text = "hex.py" if start == 0 else "Hex"
    assert world.catalogue().find_rules(text).title == PLACES[start]


def test_the_list_shows_where_each_is_from_and_what_shadows_it(world: World) -> None:
    furnish(world, PLACES[1:])
    entries = world.catalogue().list_rules()
    assert [entry.name for entry in entries] == ["Hex"] * 6
    assert [entry.source for entry in entries] == [
        "GGTP_RULES_PATH",
        "GGTP_RULES_PATH",
        "the user's data folder",
        "the user's config folder",
        "package gamesgalore 1.0",
        "bundled",
    ]
    winner = str(world.root / "one/hex.py")
    assert [entry.shadowed_by for entry in entries] == [None] + [winner] * 5
    assert [entry.usable for entry in entries] == [True] + [False] * 5
    assert [entry.path is None for entry in entries] == [False] * 4 + [True, False]
    assert {entry.problem for entry in entries} == {None}


@pytest.mark.parametrize("text", ["Hex", "hex", "HEX"])
def test_a_name_is_matched_without_regard_to_case(world: World, text: str) -> None:
    furnish(world, ["data"])
    assert world.catalogue().find_rules(text).name == "Hex"


def test_sub_folders_give_names_with_a_slash(world: World) -> None:
    path = world.rule("home/.config/ggtp/rules/Cards/poker.py", "Poker")
    path.write_text(path.read_text().replace('"Poker"', '"cards/Poker"'))
    catalogue = world.catalogue()
    assert catalogue.find_rules("CARDS/poker").name == "cards/Poker"
    assert entry(catalogue, "cards/Poker").usable


def test_sub_folders_of_the_bundle_are_sub_packages(world: World) -> None:
    bundle = world.bundle("rules")
    world.write(f"{bundle}/cards/__init__.py", "")
    path = world.rule(f"{bundle}/cards/poker.py", "Poker")
    path.write_text(path.read_text().replace('"Poker"', '"cards/Poker"'))
    rules = world.catalogue().find_rules("cards/poker")
    assert type(rules).__module__ == f"{world.package}.rules.cards.poker"


@pytest.mark.parametrize("text", ["./mine.py", "mine.py", "../work/mine.py", "~/../work/mine.py"])
def test_a_path_need_not_have_the_name_of_the_rules(world: World, text: str) -> None:
    (world.root / "home").mkdir()
    world.rule("work/mine.py", "Hex")
    assert world.catalogue().find_rules(text).name == "Hex"


def test_a_suffix_in_capitals(world: World) -> None:
    world.rule("work/HEX.PY", "Hex")
    assert world.catalogue().find_rules("HEX.PY").name == "Hex"


def test_making_a_catalogue_imports_and_reads_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("looked at the disk")

    furnish(world, PLACES)
    before = set(sys.modules)
    monkeypatch.setattr(os, "scandir", forbidden)
    Catalogue.from_environment(world.environ)
    assert set(sys.modules) == before


def test_finding_one_rule_imports_no_other(world: World) -> None:
    bundle = world.bundle("rules")
    world.rule(f"{bundle}/hex.py", "Hex")
    world.write(f"{bundle}/bomb.py", "raise SystemExit('boom')")
    world.write(f"{bundle}/bent.py", "class")
    world.catalogue().find_rules("Hex")
    loaded = [name for name in sys.modules if name.startswith(f"{world.package}.rules.")]
    assert loaded == [f"{world.package}.rules.hex"]


def test_listing_runs_nobodys_code(world: World) -> None:
    world.environ["GGTP_RULES_PATH"] = str(world.root / "one")
    world.write("one/bomb.py", "print(1 / 0)\nRULES = None\n")
    world.write(f"{world.bundle('rules')}/mine.py", "print(1 / 0)\nRULES = None\n")
    world.distribution("bombs", "[ggtp.rules.v1]\nBang = bang:RULES\n")
    world.write("site/bang.py", "print(1 / 0)\n")
    catalogue = world.catalogue()
    assert [(entry.name, entry.problem) for entry in catalogue.list_rules()] == [
        ("Bang", None),
        ("bomb", None),
        ("mine", None),
    ]


def test_a_load_that_failed_is_a_problem_in_the_list_until_the_file_changes(world: World) -> None:
    world.bundle("rules")
    path = world.write("home/.config/ggtp/rules/hex.py", "RULES = 1 / 0\n")
    catalogue = world.catalogue()
    error = fault(catalogue, "hex")
    assert entry(catalogue, "hex").problem == str(error)
    world.rule("home/.config/ggtp/rules/hex.py", "Hex", "mended")
    assert path.exists()
    assert entry(catalogue, "Hex").problem is None
    assert catalogue.find_rules("hex").title == "mended"


def test_a_file_is_loaded_once_and_again_when_it_has_changed(world: World) -> None:
    path = world.rule("work/hex.py", "Hex", "one")
    stamp = path.stat()
    catalogue = world.catalogue()
    first = catalogue.find_rules("./hex.py")
    assert catalogue.find_rules("./hex.py") is first
    world.rule("work/hex.py", "Hex", "two")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # same size, same time: only the text differs
    second = catalogue.find_rules("./hex.py")
    assert (first.title, second.title) == ("one", "two")
    assert type(first).__module__ != type(second).__module__


def test_files_of_the_same_name_do_not_meet(world: World) -> None:
    world.rule("work/a/hex.py", "Hex", "one")
    world.rule("work/b/hex.py", "Hex", "two")
    catalogue = world.catalogue()
    assert [catalogue.find_rules(f"{folder}/hex.py").title for folder in "aba"] == ["one", "two", "one"]


# What can be wrong, and where we say it is.


def test_nothing_of_that_name(world: World) -> None:
    furnish(world, ["data"])
    world.rule(f"{world.bundle('rules')}/havannah.py", "Havannah")
    with pytest.raises(RulesNotFound) as caught:
        world.catalogue().find_rules("Hevannah")
    assert caught.value.near == ("Havannah",)
    assert str(caught.value) == "No rule named Hevannah. Did you mean Havannah?"


@pytest.mark.parametrize("text", ["", "./gone.py", "gone.py", "/", "a\0b", "..", "~"])
def test_nothing_at_that_path(world: World, text: str) -> None:
    world.bundle("rules")
    with pytest.raises(RulesNotFound):
        world.catalogue().find_rules(text)


def test_without_the_bundle_the_remedy_is_told(world: World) -> None:
    catalogue = world.catalogue()
    with pytest.raises(
        RulesNotFound, match=r"No rule named hex\. The bundled rules are not installed: run `pip install -e \.`"
    ):
        catalogue.find_rules("hex")
    (line,) = catalogue.list_rules()
    assert not line.usable
    assert "pip install -e ." in (line.problem or "")


def test_a_folder_that_was_named_and_is_not_there_is_told(world: World) -> None:
    world.bundle("rules")
    world.environ["GGTP_RULES_PATH"] = str(world.root / "gone")
    (line,) = world.catalogue().list_rules()
    assert line.path == world.root / "gone"
    assert "No such file" in (line.problem or "")


FAULTS = {
    "syntax": ("RULES = (\n  1 +* 2)\n", 2, 6, "invalid syntax"),
    "unicode": ("# é\nname = 'é' +\n", 2, 13, "invalid syntax"),
    "runtime": ("x = 1\nRULES = x.nothing\n", 2, 9, "AttributeError: 'int' object has no attribute 'nothing'"),
    "deeper": ("def f():\n    raise ValueError('no luck')\nRULES = f()\n", 2, 5, "ValueError: no luck"),
    "import": ("import no_such_module_at_all\nRULES = 1\n", 1, 1, "No module named 'no_such_module_at_all'"),
    "exit": ("import sys\nsys.exit('bye')\nRULES = 1\n", 2, 1, "SystemExit: bye"),
    "missing": ("x = 1\n", 0, 0, "the module has no RULES"),
    "deleted": ("RULES = 1\ndel RULES\n", 0, 0, "the module has no RULES"),
    "wrong type": ("RULES = 42\n", 0, 0, "something of type int is not a Rules object"),
    "a class": ("from ggtp.game import Rules as RULES\n", 0, 0, "Rules is a class of rules; name an object of it"),
}


@pytest.mark.parametrize("place", ["home/.config/ggtp/rules", "bundled", "work"])
@pytest.mark.parametrize("kind", FAULTS)
def test_a_faulty_file_has_a_place(world: World, place: str, kind: str) -> None:
    text, line, column, message = FAULTS[kind]
    folder = world.bundle("rules")
    path = world.write(f"{folder if place == 'bundled' else place}/hex.py", text)
    error = fault(world.catalogue(), "./hex.py" if place == "work" else "hex")
    assert message in error.message
    assert (error.path, error.line, error.column) == (str(path), line, column)
    if column:
        assert error.caret() == [text.splitlines()[line - 1], " " * (column - 1) + "^"]


def test_null_characters_are_a_fault_too(world: World) -> None:
    path = world.write("work/hex.py", "RULES = '\0'\n")
    assert fault(world.catalogue(), "hex.py").path == str(path)


def test_a_fault_in_a_module_that_the_rules_import_is_placed_at_the_import(world: World) -> None:
    world.write("site/bent_helper.py", "1 +* 2\n")
    path = world.write("work/hex.py", "\nimport bent_helper\n")
    error = fault(world.catalogue(), "hex.py")
    assert error.place() == f"{path}:2:1"
    assert "bent_helper.py, line 1" in error.message


@pytest.mark.parametrize("kind", ["syntax", "missing"])
def test_what_the_text_alone_shows_is_a_problem_in_the_list(world: World, kind: str) -> None:
    world.bundle("rules")
    world.write("home/.config/ggtp/rules/hex.py", FAULTS[kind][0])
    world.rule("home/.config/ggtp/rules/go.py", "Go")
    catalogue = world.catalogue()
    assert FAULTS[kind][3] in (entry(catalogue, "hex").problem or "")
    assert entry(catalogue, "Go").usable


def test_a_failed_module_leaves_nothing_behind(world: World) -> None:
    world.write("work/hex.py", FAULTS["runtime"][0])
    before = set(sys.modules)
    fault(world.catalogue(), "./hex.py")
    assert not [name for name in set(sys.modules) - before if "hex" in name]


def test_rules_with_another_name_than_their_file(world: World) -> None:
    world.bundle("rules")
    path = world.rule("home/.config/ggtp/rules/hex.py", "Havannah")
    catalogue = world.catalogue()
    error = fault(catalogue, "hex")
    assert error.path == str(path)
    assert "it holds rules named Havannah" in error.message
    assert entry(catalogue, "hex").problem == str(error)
    with pytest.raises(RulesNotFound):
        catalogue.find_rules("Havannah")


@pytest.mark.parametrize("name", ["He x", "", "héx,", "a//b", "/a"])
def test_rules_with_an_impossible_name(world: World, name: str) -> None:
    path = world.rule("work/hex.py", "Hex")
    path.write_text(path.read_text().replace('"Hex"', repr(name)))
    assert "the rules need a name" in fault(world.catalogue(), "hex.py").message


def test_a_name_used_twice_in_one_folder(world: World) -> None:
    world.bundle("rules")
    one = world.rule("home/.config/ggtp/rules/Hex.py", "Hex")
    two = world.rule("home/.config/ggtp/rules/hex.py", "Hex")
    if one.samefile(two):
        return  # a disk that does not know case can't have both
    catalogue = world.catalogue()
    error = fault(catalogue, "hex")
    assert error.path == str(one)
    assert f"the name hex is used twice: also by {two}" in error.message
    assert all("used twice" in (line.problem or "") for line in catalogue.list_rules())
    assert catalogue.find_rules(str(two)).name == "Hex"


def test_a_broken_rule_still_hides_those_of_later_places(world: World) -> None:
    furnish(world, ["bundled"])
    path = world.write("home/.config/ggtp/rules/hex.py", "class")
    assert fault(world.catalogue(), "Hex").path == str(path)


def test_a_file_of_an_unknown_kind(world: World) -> None:
    path = world.write("work/hex.xyz", "(role robot)")
    error = fault(world.catalogue(), "./hex.xyz")
    assert error.path == str(path)
    assert ".py" in error.message


def test_a_file_without_a_suffix_does_not_hide_a_name_with_a_slash(world: World) -> None:
    world.write("work/cards/poker", "not rules")
    path = world.rule("home/.config/ggtp/rules/cards/poker.py", "Poker")
    path.write_text(path.read_text().replace('"Poker"', '"cards/Poker"'))
    assert world.catalogue().find_rules("cards/poker").name == "cards/Poker"


def test_a_new_kind_of_rules_is_a_line_in_the_table(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    prototype = world.catalogue().find_rules(str(world.rule("work/any.py", "Any")))

    def load(file: RuleFile, content: bytes) -> object:
        if content == b"bad":
            raise RulesError("not good", path=str(file.path), line=1, column=1)
        rules = type(prototype)()
        rules.name = file.name
        return rules

    def sketch(path: Path, content: bytes) -> Sketch:
        return Sketch(title=content.decode())

    monkeypatch.setitem(LOADERS, ".kif", Loader(load, sketch))
    world.bundle("rules")
    world.write("home/.config/ggtp/rules/gdl/chess.kif", "a title")
    world.write("home/.config/ggtp/rules/gdl/bad.kif", "bad")
    catalogue = world.catalogue()
    assert catalogue.find_rules("GDL/Chess").name == "gdl/chess"
    assert entry(catalogue, "gdl/chess").usable
    assert fault(catalogue, "gdl/bad").line == 1
    assert "not good" in (entry(catalogue, "gdl/bad").problem or "")


# Packages.


def test_a_package_whose_code_fails(world: World) -> None:
    world.distribution("bombs", "[ggtp.rules.v1]\nBang = bang:RULES\nGone = gone_for_good:RULES\nLess = less:RULES\n")
    path = world.write("site/bang.py", "x = 1\nprint(1 / 0)\n")
    world.write("site/less.py", "")
    catalogue = world.catalogue()
    error = fault(catalogue, "Bang")
    assert error.place() == f"{path}:2:7"
    assert error.message == (
        "entry point Bang (bang:RULES) of package bombs 1.0 can't be loaded: ZeroDivisionError: division by zero"
    )
    assert "No module named 'gone_for_good'" in fault(catalogue, "Gone").message
    assert "no attribute 'RULES'" in fault(catalogue, "Less").message


def test_a_package_with_a_syntax_error(world: World) -> None:
    world.distribution("bombs", "[ggtp.rules.v1]\nBent = bent:RULES\n")
    path = world.write("site/bent.py", "\n1 +* 2\n")
    error = fault(world.catalogue(), "bent")
    assert error.place() == f"{path}:2:4"
    assert error.message.startswith("entry point Bent (bent:RULES) of package bombs 1.0 can't be loaded: ")


def test_a_package_that_offers_something_else(world: World) -> None:
    world.distribution("others", "[ggtp.rules.v1]\nOne = other_one:__name__\nTwo = other_two:RULES\n")
    world.write("site/other_one.py", "")
    world.rule("site/other_two.py", "Three")
    catalogue = world.catalogue()
    assert "something of type str is not a Rules object" in fault(catalogue, "One").message
    assert "it holds rules named Three" in fault(catalogue, "Two").message


def test_two_packages_that_offer_the_same_name(world: World) -> None:
    world.bundle("rules")
    for name in ("alpha", "beta"):
        world.distribution(name, "[ggtp.rules.v1]\nHex = hexes:RULES\n")
    catalogue = world.catalogue()
    assert "package beta 1.0" in fault(catalogue, "Hex").message
    assert [entry.usable for entry in catalogue.list_rules()] == [False, False]


def test_a_package_with_unreadable_entry_points(world: World) -> None:
    furnish(world, ["package", "bundled"])
    world.distribution("hex", "[ggtp.rules.v1]\nthis is no entry point\n")
    catalogue = world.catalogue()
    assert catalogue.find_rules("hex").title == "package"
    assert "its entry points can't be read" in (entry(catalogue, "package hex 1.0").problem or "")


# Packages.

DICE = "home/.local/share/ggtp/rules/dice"


def dice(world: World, folder: str = DICE) -> Path:
    """A package of rules whose title comes from a module of a package within it."""
    world.write(f"{folder}/inner/__init__.py", "")
    world.write(f"{folder}/inner/words.py", 'TITLE = "throws"\n')
    world.write(f"{folder}/names.py", "from .inner.words import TITLE\nPLAYERS = ('One', 'Two')\n")
    return world.write(
        f"{folder}/__init__.py",
        """
        from ggtp.game import Rules
        from .names import PLAYERS, TITLE

        class Dice(Rules):
            name = "Dice"
            title = TITLE

            def players(self, options):
                from .later import more  # a module may be imported while the game is played
                return PLAYERS + more()

            def begin(self, options):
                raise NotImplementedError

        RULES = Dice()
        """,
    )


def test_a_package_is_found_like_a_module(world: World) -> None:
    path = dice(world)
    world.write(f"{DICE}/later.py", "def more():\n    return ('Three',)\n")
    catalogue = world.catalogue()
    line = entry(catalogue, "Dice")
    assert (line.title, line.path, line.usable) == ("", path, True)
    assert catalogue.locate_rules("Dice") == path
    rules = catalogue.find_rules("DICE")
    assert (rules.title, rules.players({})) == ("throws", ("One", "Two", "Three"))
    assert entry(catalogue, "Dice").title == "throws"
    assert not list(world.root.rglob("__pycache__"))


@pytest.mark.parametrize("text", ["./dice", "../work/dice", "dice/", "dice/__init__.py", "~/../work/dice"])
def test_a_package_is_found_by_its_path(world: World, text: str) -> None:
    (world.root / "home").mkdir()
    dice(world, "work/dice")
    assert world.catalogue().find_rules(text).title == "throws"


def test_a_package_is_loaded_again_when_one_of_its_modules_has_changed(world: World) -> None:
    dice(world)
    catalogue = world.catalogue()
    first = catalogue.find_rules("dice")
    assert catalogue.find_rules("dice") is first
    world.write(f"{DICE}/inner/words.py", 'TITLE = "thrown"\n')
    assert catalogue.find_rules("dice").title == "thrown"
    assert first.title == "throws"


def test_a_package_of_the_bundle_is_imported_by_its_name(world: World) -> None:
    dice(world, f"{world.bundle('rules')}/dice")
    assert type(world.catalogue().find_rules("Dice")).__module__ == f"{world.package}.rules.dice"


def test_a_fault_is_placed_in_the_module_of_the_package(world: World) -> None:
    dice(world)
    names = world.write(f"{DICE}/names.py", "TITLE = 'x'\nPLAYERS = int('many')\n")
    error = fault(world.catalogue(), "dice")
    assert (error.path, error.line, error.source) == (str(names), 2, "PLAYERS = int('many')")
    names.write_text("TITLE = \n")
    error = fault(world.catalogue(), "dice")
    assert (error.path, error.line) == (str(names), 1)
    assert not [name for name in sys.modules if name.startswith("_ggtp_guest_") and "dice" in name]


@pytest.mark.parametrize(
    ("binding", "module", "title"),
    [
        ("from .game import RULES", "RULES = Hex()", "six"),
        ("from .game import HEX as RULES", "HEX = Hex()", "six"),
        ("from .gone import RULES", "", ""),
        ("from .inner import RULES", "", ""),
    ],
)
def test_a_list_reads_the_module_from_which_a_package_has_its_rules(
    world: World, binding: str, module: str, title: str
) -> None:
    world.environ["GGTP_RULES_PATH"] = str(world.root / "one")
    world.write("one/hex/inner/__init__.py", "")
    world.write("one/hex/__init__.py", binding)
    world.write("one/hex/game.py", f"print(1 / 0)\nclass Hex:\n  name, title = 'Hex', 'six'\n{module}\n")
    (line,) = [line for line in world.catalogue().list_rules() if line.source == "GGTP_RULES_PATH"]
    assert (line.title, line.problem) == (title, None)


def test_a_folder_must_be_named_after_its_rules(world: World) -> None:
    dice(world, "home/.local/share/ggtp/rules/cubes")
    assert "name the folder after them" in str(fault(world.catalogue(), "cubes"))


def test_a_module_and_a_package_of_one_name_are_used_twice(world: World) -> None:
    dice(world)
    world.rule(f"{DICE}.py", "Dice")
    assert "the name dice is used twice" in str(fault(world.catalogue(), "dice"))


# What is bundled.


@pytest.mark.slow
def test_our_own_rules_are_found_and_sound() -> None:
    catalogue = Catalogue.from_environment({"HOME": "/nonexistent"})
    assert catalogue.find_rules("tictactoe").name == "TicTacToe"
    for line in catalogue.list_rules():
        assert line.usable, line
        assert line.title, line
        rules = catalogue.find_rules(line.name)
        assert (rules.name, rules.title) == (line.name, line.title)
