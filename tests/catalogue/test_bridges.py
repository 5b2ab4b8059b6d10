"""Foreign programs: `KIND:command` and descriptions with a bridge become engines with the program's whole path."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ggtp.catalogue.bridges import bridged, installed, locate, split_command, split_kind
from ggtp.catalogue.engine_file import EngineSpec, Plays
from ggtp.errors import EngineFileError, EngineNotFound

if TYPE_CHECKING:
    from support.catalogues import World

BRIDGE = EngineSpec("uci", ("{python}", "bridge.py", "{endpoint}", "--", "{command}"), rules=("Chess",))


@pytest.fixture(name="place")
def make_place(world: World) -> World:
    """A world with a bridge named talk and a program named fish in its PATH."""
    world.write("bin/fish", "").chmod(0o755)
    world.write("work/near", "").chmod(0o755)
    world.write("work/plain", "")
    world.environ["PATH"] = str(world.root / "bin")
    world.environ["GGTP_ENGINES_PATH"] = str(world.folder("engines"))
    world.write(
        "engines/talk.toml",
        """
        name = "talk"
        title = "talks"
        argv = ["{python}", "talk.py", "{endpoint}", "--", "{command}"]
        transport = "stdio"
        rules = ["Chess", "Go"]
        programs = ["fish --quiet", "nosuch"]
        [plays]
        max_players = 2
        [options]
        depth = 3
        """,
    )
    world.write(
        "engines/wire.toml",
        """
        name = "wire"
        argv = ["{python}", "wire.py", "{endpoint}", "{address}"]
        """,
    )
    return world


def find(world: World, text: str) -> EngineSpec:
    return world.catalogue().find_engine(text)


def refused(world: World, text: str) -> str:
    with pytest.raises((EngineFileError, EngineNotFound)) as caught:
        find(world, text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("uci:stockfish", ("uci", "stockfish")),
        ('gtp: "gnugo --mode gtp" ', ("gtp", '"gnugo --mode gtp"')),
        ("uci:", ("uci", "")),
        ("Minimax", None),
        (":x", None),
        ("/a:b/c.toml", None),
    ],
)
def test_what_has_the_form_of_kind_and_command(text: str, parts: tuple[str, str] | None) -> None:
    assert split_kind(text) == parts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fish", ("fish",)),
        ("gnugo --mode gtp", ("gnugo", "--mode", "gtp")),
        ('"gnugo --mode gtp"', ("gnugo", "--mode", "gtp")),
        ("gnugo '--level 3'", ("gnugo", "--level 3")),
    ],
)
def test_commands_may_be_quoted_in_part_or_as_a_whole(text: str, words: tuple[str, ...]) -> None:
    assert split_command(text) == words


@pytest.mark.parametrize("text", ["", '""', '"gnugo', "a\nb", "a\0b"])
def test_what_is_no_command(text: str) -> None:
    with pytest.raises(EngineFileError):
        split_command(text)


def test_a_program_is_put_behind_its_bridge(place: World) -> None:
    spec = find(place, "TALK:fish --deep 'a b'")
    assert spec.name == "talk:fish --deep 'a b'"
    program = str(place.root / "bin/fish")
    assert spec.argv == ("{python}", "talk.py", "{endpoint}", "--", program, "--deep", "a b")
    assert spec.command("here")[:3] == [sys.executable, "talk.py", "here"]
    assert (spec.title, spec.transport, spec.rules) == ("talks", "stdio", ("Chess", "Go"))
    assert (spec.plays.max_players, spec.options, spec.bridge) == (2, {"depth": "3"}, "talk")
    assert not spec.takes_command
    assert find(place, spec.name) == spec
    assert find(place, "talk:\"fish --deep 'a b'\"") == spec


def test_a_path_is_made_whole_for_play_files_that_are_read_elsewhere(place: World) -> None:
    assert find(place, "talk:./near").name == f"talk:{place.root}/work/near"


def test_games_are_found_where_systems_keep_them(place: World, monkeypatch: pytest.MonkeyPatch) -> None:
    place.environ["PATH"] = "/nowhere"
    assert "nor in /usr/games and /usr/local/games" in refused(place, "talk:fish")
    monkeypatch.setattr("ggtp.catalogue.bridges.GAMES", (str(place.root / "bin"),))
    assert find(place, "talk:fish").argv[-1] == str(place.root / "bin/fish")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("talk:nosuch", "No program named nosuch was found in any directory of PATH, nor in"),
        ("talk:./nosuch", "There is no program "),
        ("talk:./plain", "plain is not executable."),
        ("talk:", "No program is named behind the colon"),
        ('talk:"fish', 'A quote is not closed in "fish.'),
        ("wire:", "No address stands behind wire:."),
        ("talk", "talk is a bridge, since its argv has {command}: name a program behind it, talk:PROGRAM."),
        ("./mine.toml", "mine is a bridge, since its argv has {address}: name a program behind it, mine:PROGRAM."),
        ("plain_engine:fish", "plain_engine starts no other program: say plain_engine alone."),
        ("tlk:fish", "No engine named tlk."),
    ],
)
def test_what_can_not_be_used_is_refused_in_a_sentence(place: World, text: str, sentence: str) -> None:
    place.engine("engines/plain.toml", "plain_engine")
    place.write("work/mine.toml", 'name = "mine"\nargv = ["mine", "{address}"]\n')
    assert sentence in refused(place, text)


def test_an_address_is_passed_on_as_it_is(place: World) -> None:
    spec = find(place, "wire:http://host:9147/a b")
    assert spec.name == "wire:http://host:9147/a b"
    assert spec.argv[-1] == "http://host:9147/a b"


def test_a_description_may_name_a_bridge(place: World) -> None:
    place.write(
        "engines/deep.toml",
        """
        name = "Deep"
        bridge = "talk"
        argv = ["fish", "--deep"]
        rules = ["Chess"]
        [options]
        Hash = 64
        """,
    )
    spec = find(place, "deep")
    assert spec.argv[-3:] == ("--", str(place.root / "bin/fish"), "--deep")
    assert (spec.name, spec.rules, spec.transport) == ("Deep", ("Chess",), "stdio")
    assert spec.options == {"depth": "3", "Hash": "64"}
    assert spec.plays == Plays(max_players=2)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('bridge = "talk"\nargv = ["nosuch"]', "no program named nosuch"),
        ('bridge = "tlk"\nargv = ["fish"]', "no bridge named tlk"),
        ('bridge = "wire"\nargv = ["fish"]', "wire is no bridge to programs"),
        ('bridge = "a b"\nargv = ["fish"]', "a b is no name of a bridge"),
        ('bridge = "talk"\nargv = ["fish"]\ntransport = "tcp"', "the transport is the bridge's affair"),
    ],
)
def test_a_description_that_can_not_be_joined_is_listed_with_its_problem(place: World, lines: str, fault: str) -> None:
    path = place.write("engines/deep.toml", f'name = "Deep"\n{lines}\n')
    (entry,) = [entry for entry in place.catalogue().list_engines() if entry.name == "Deep"]
    assert fault in (entry.problem or "")
    assert str(path) in refused(place, "Deep")


def test_the_list_tells_which_known_programs_are_installed(place: World) -> None:
    (entry,) = [entry for entry in place.catalogue().list_engines() if entry.name == "talk"]
    assert entry.programs == ("talk:fish --quiet",)
    assert entry.spec is not None
    assert entry.spec.takes_command


def test_values_without_a_catalogue() -> None:
    spec = bridged(BRIDGE, sys.executable, {})
    assert spec.argv[-1] == sys.executable
    assert spec.rules == ("Chess",)
    assert installed(BRIDGE, {}) == ()
    assert locate(("{python}", "-c"), {}) == ("{python}", "-c")
