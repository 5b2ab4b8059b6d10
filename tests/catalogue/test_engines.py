"""Engines are found by name or path, in a fixed order, and a broken description stops nobody."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.programs import script

from ggtp.catalogue import Catalogue, EngineEntry
from ggtp.errors import EngineFileError, EngineNotFound

if TYPE_CHECKING:
    from support.catalogues import World

PLACES = ["a given path", "first of the path", "second of the path", "data", "config", "package", "bundled"]


def entry(catalogue: Catalogue, name: str) -> EngineEntry:
    (found,) = [entry for entry in catalogue.list_engines() if entry.name == name]
    return found


def fault(catalogue: Catalogue, name: str) -> EngineFileError:
    with pytest.raises(EngineFileError) as caught:
        catalogue.find_engine(name)
    return caught.value


def furnish(world: World, places: list[str]) -> None:
    """Puts an engine named Deep, with the place as its title, into each of the places."""
    data, config = "home/.local/share/ggtp/engines", "home/.config/ggtp/engines"
    folders = {"a given path": "work", "first of the path": "one", "second of the path": "two", "data": data}
    folders |= {"config": config, "bundled": world.bundle("engines")}
    world.environ["GGTP_ENGINES_PATH"] = os.pathsep.join(str(world.folder(name)) for name in ("one", "two"))
    for place in places:
        if place == "package":
            world.distribution("enginesgalore", "[ggtp.engines.v1]\nDeep = galore_engines:DEEP\n")
            world.write("site/galore_engines.py", f'DEEP = {{"name": "Deep", "argv": ["d"], "title": "{place}"}}\n')
        else:
            world.engine(f"{folders[place]}/thought.toml", "Deep", f'title = "{place}"')


@pytest.mark.parametrize("start", range(len(PLACES)))
def test_the_order_of_the_places(world: World, start: int) -> None:
    furnish(world, PLACES[start:])
    text = "thought.toml" if start == 0 else "Deep"
    assert world.catalogue().find_engine(text).title == PLACES[start]


def test_the_list_shows_where_each_is_from_and_what_shadows_it(world: World) -> None:
    furnish(world, PLACES[1:])
    entries = world.catalogue().list_engines()
    assert [entry.name for entry in entries] == ["Deep"] * 6
    assert [entry.title for entry in entries] == PLACES[1:]
    assert [entry.source for entry in entries] == [
        "GGTP_ENGINES_PATH",
        "GGTP_ENGINES_PATH",
        "the user's data folder",
        "the user's config folder",
        "package enginesgalore 1.0",
        "bundled",
    ]
    winner = str(world.root / "one/thought.toml")
    assert [entry.shadowed_by for entry in entries] == [None] + [winner] * 5
    assert [entry.usable for entry in entries] == [True] + [False] * 5
    assert all(entry.spec is not None and entry.spec.name == "Deep" for entry in entries)


@pytest.mark.parametrize("text", ["Deep", "deep", "DEEP"])
def test_a_name_is_matched_without_regard_to_case(world: World, text: str) -> None:
    furnish(world, ["data"])
    assert world.catalogue().find_engine(text).name == "Deep"


def test_names_that_differ_in_case_only(world: World) -> None:
    for name in ("Deep", "deep"):
        world.engine(f"home/.config/ggtp/engines/{name}1.toml", name)
    catalogue = world.catalogue()
    assert catalogue.find_engine("deep").name == "deep"
    assert catalogue.find_engine("Deep").name == "Deep"
    with pytest.raises(EngineNotFound, match="Did you mean Deep or deep"):
        catalogue.find_engine("DEEP")


def test_an_edited_description_is_read_anew(world: World) -> None:
    path = world.engine("home/.config/ggtp/engines/x.toml", "Deep")
    catalogue = world.catalogue()
    catalogue.find_engine("deep")
    path.write_text('name = "Deeper"\nargv = ["d"]\n')
    assert catalogue.find_engine("deeper").argv == ("d",)


def test_sub_folders_are_the_engines_own(world: World) -> None:
    world.bundle("engines")
    world.engine("home/.config/ggtp/engines/deep/pyproject.toml", "Deep")
    assert world.catalogue().list_engines() == []


@pytest.mark.parametrize("text", ["Deep", "./deep", "deep/", "deep/deep.toml"])
def test_an_engine_may_have_a_folder_of_its_own(world: World, text: str) -> None:
    world.environ["GGTP_ENGINES_PATH"] = str(world.root / "work")
    world.write("work/deep/deep.toml", 'name = "Deep"\nargv = ["./think"]\ncwd = "."\n')
    world.engine("work/deep/settings.toml", "Settings")
    catalogue = world.catalogue()
    assert catalogue.find_engine(text).cwd == world.root / "work/deep"
    assert [line.name for line in catalogue.list_engines() if line.source == "GGTP_ENGINES_PATH"] == ["Deep"]


@pytest.mark.process
def test_an_engine_that_is_a_package_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "corner"
    package.mkdir()
    (package / "corner.toml").write_text(
        'name = "Corner"\nargv = ["{python}", "-m", "corner", "{endpoint}"]\ncwd = ".."\n'
    )
    (package / "choice.py").write_text("def choose(moves):\n    return next(m for m in moves if m[0] in 'AC')\n")
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "from ggtp.kit import Engine, run\n"
        "from .choice import choose\n"
        "class Corner(Engine):\n"
        "    name = 'Corner'\n"
        "    def choose(self, game, budget):\n"
        "        return choose(game.moves())\n"
        "run(Corner())\n"
    )
    monkeypatch.setenv("GGTP_ENGINES_PATH", str(tmp_path))
    said = script("set_rule TicTacToe", "set_engine Cross Corner", "start")
    assert re.search(r"^-> Cross plays [AC]\d$", "\n".join(said), re.MULTILINE), said


@pytest.mark.parametrize("text", ["./x.toml", "x.toml", "../work/x.toml"])
def test_a_path(world: World, text: str) -> None:
    world.write("work/x.toml", 'name = "Deep"\nargv = ["./deep"]\n')
    spec = world.catalogue().find_engine(text)
    assert spec.name == "Deep"
    assert Path(spec.argv[0]).is_absolute()
    assert Path(spec.argv[0]).resolve() == (world.root / "work/deep").resolve()


# What can be wrong, and where we say it is.


def test_nothing_of_that_name(world: World) -> None:
    furnish(world, ["data", "bundled"])
    with pytest.raises(EngineNotFound) as caught:
        world.catalogue().find_engine("Deap")
    assert str(caught.value) == "No engine named Deap. Did you mean Deep?"


@pytest.mark.parametrize("text", ["", "./gone.toml", "gone.toml", "/", "a\0b", "human"])
def test_nothing_at_that_path(world: World, text: str) -> None:
    world.bundle("engines")
    with pytest.raises(EngineNotFound):
        world.catalogue().find_engine(text)


def test_without_the_bundle_the_remedy_is_told(world: World) -> None:
    catalogue = world.catalogue()
    with pytest.raises(EngineNotFound, match=r"No engine named deep\. The bundled .* run `pip install -e \.`"):
        catalogue.find_engine("deep")
    (line,) = catalogue.list_engines()
    assert not line.usable
    assert "pip install -e ." in (line.problem or "")


def test_a_folder_that_was_named_and_is_not_there_is_told(world: World) -> None:
    world.bundle("engines")
    world.environ["GGTP_ENGINES_PATH"] = str(world.root / "gone")
    (line,) = world.catalogue().list_engines()
    assert line.path == world.root / "gone"
    assert "No such file" in (line.problem or "")


def test_a_program_is_no_description(world: World) -> None:
    path = world.write("work/deep", "#!/bin/sh\n")
    error = fault(world.catalogue(), "./deep")
    assert error.path == str(path)
    assert "write a .toml file" in error.message


def test_a_description_that_cannot_be_parsed_goes_by_the_name_of_its_file(world: World) -> None:
    furnish(world, ["bundled"])
    path = world.write("home/.config/ggtp/engines/bent.toml", 'name = "Bent\n')
    catalogue = world.catalogue()
    error = fault(catalogue, "bent")
    assert error.place() == f"{path}:1:13"
    assert entry(catalogue, "bent").problem == str(error)
    assert entry(catalogue, "bent").spec is None
    assert entry(catalogue, "Deep").usable


def test_a_description_with_a_fault_goes_by_its_own_name(world: World) -> None:
    world.bundle("engines")
    path = world.engine("home/.config/ggtp/engines/x.toml", "Bent", "colour = 1")
    catalogue = world.catalogue()
    assert fault(catalogue, "bent").place() == f"{path}:3:1"
    assert fault(catalogue, "./../home/.config/ggtp/engines/x.toml").line == 3
    assert "unknown key colour" in (entry(catalogue, "Bent").problem or "")


def test_a_broken_description_still_hides_those_of_later_places(world: World) -> None:
    furnish(world, ["bundled"])
    path = world.engine("home/.config/ggtp/engines/x.toml", "Deep", "colour = 1")
    assert fault(world.catalogue(), "Deep").path == str(path)


def test_a_name_used_twice_in_one_folder(world: World) -> None:
    world.bundle("engines")
    one = world.engine("home/.config/ggtp/engines/one.toml", "Deep")
    two = world.engine("home/.config/ggtp/engines/two.toml", "Deep")
    catalogue = world.catalogue()
    error = fault(catalogue, "deep")
    assert str(error) == f"{one}: the name Deep is used twice: also by {two}"
    assert [entry.usable for entry in catalogue.list_engines()] == [False, False]
    assert catalogue.find_engine(str(two)).source == str(two)


# Packages.


def test_what_a_package_may_offer(world: World) -> None:
    world.bundle("engines")
    world.distribution("many", "[ggtp.engines.v1]\na = many:A\nb = many:B\nc = many:C\nd = many:D\n")
    world.write(
        "site/many/__init__.py",
        """
        from pathlib import Path
        from ggtp.catalogue import EngineSpec, Plays
        A = {"name": "A", "argv": ["./a"], "options": {"level": 3}}
        B = EngineSpec("B", ("b",), plays=Plays(max_players=2), cwd=Path("/"))
        C = Path(__file__).parent / "c.toml"
        D = "d.toml"
        """,
    )
    world.engine("site/many/c.toml", "C")
    world.engine("site/many/d.toml", "D")
    catalogue = world.catalogue()
    assert [(entry.name, entry.problem) for entry in catalogue.list_engines()] == [(name, None) for name in "ABCD"]
    assert catalogue.find_engine("a").argv == (str(world.site / "many/a"),)
    assert catalogue.find_engine("a").options == {"level": "3"}
    assert catalogue.find_engine("b").plays.max_players == 2
    assert catalogue.find_engine("b").cwd == Path("/")
    assert "package many 1.0" in catalogue.find_engine("b").source
    assert catalogue.find_engine("c").source == str(world.site / "many/c.toml")
    assert entry(catalogue, "D").path == world.site / "many/d.toml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("print(1 / 0)", "can't be loaded: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "can't be loaded: SystemExit"),
        ("1 +* 2", "can't be loaded: invalid syntax"),
        ("", "no attribute 'DEEP'"),
        ("DEEP = 42", "a int is no EngineSpec, no mapping and no path"),
        ("DEEP = {}", "the key name is missing"),
        ("DEEP = {3: 4}", "unknown key 3"),
        ("DEEP = {'name': 'Deep', 'argv': 'x'}", "argv is a list of texts"),
        ("from ggtp.catalogue import EngineSpec\nDEEP = EngineSpec(3, 4)", "one word"),
        ("from ggtp.catalogue import EngineSpec\nDEEP = EngineSpec('Deep', ('x',), plays=7)", "can't be used"),
        ("DEEP = 'gone.toml'", "can't be read"),
    ],
)
def test_a_package_that_offers_nothing_of_use(world: World, text: str, message: str) -> None:
    furnish(world, ["bundled"])
    world.distribution("bad", "[ggtp.engines.v1]\nDeep = bad_engines:DEEP\n")
    world.write("site/bad_engines.py", text + "\n")
    catalogue = world.catalogue()
    error = fault(catalogue, "deep")
    assert message in error.message
    assert error.path or "package bad 1.0" in error.message
    first, second = catalogue.list_engines()
    assert first.problem == str(error)
    assert second.shadowed_by is not None


def test_a_package_with_unreadable_entry_points(world: World) -> None:
    furnish(world, ["bundled"])
    world.distribution("deep", "[ggtp.engines.v1]\nthis is no entry point\n")
    catalogue = world.catalogue()
    assert catalogue.find_engine("deep").title == "bundled"
    assert "its entry points can't be read" in (entry(catalogue, "package deep 1.0").problem or "")


# What is bundled.


def test_our_own_engines_are_sound() -> None:
    catalogue = Catalogue.from_environment({"HOME": "/nonexistent"})
    for line in catalogue.list_engines():
        assert line.usable, line
        assert line.title, line
        assert line.spec is not None
        if not line.spec.takes_command:
            assert catalogue.find_engine(line.name) == line.spec


def test_a_description_is_short(world: World) -> None:
    path = world.write("long.toml", "\n" * (1 << 20) + 'name = "long"\n')
    with pytest.raises(EngineFileError, match="more than 1048576 bytes"):
        world.catalogue().find_engine(str(path))
