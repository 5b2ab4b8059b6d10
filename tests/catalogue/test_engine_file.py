"""Engine descriptions: what they say, and where they are wrong."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from ggtp.catalogue.engine_file import Description, EngineSpec, Plays, parse_table
from ggtp.errors import EngineFileError, OptionError
from ggtp.game import Option, Player, Position, Rules, Traits

PATH = Path("/engines/deep.toml")


def parse(text: str) -> EngineSpec:
    content = dedent(text).encode()
    return Description(parse_table(content, PATH), PATH.parent, str(PATH), str(PATH), content).spec()


def test_the_least_that_a_description_says() -> None:
    assert parse('name = "deep"\nargv = ["deep"]') == EngineSpec("deep", ("deep",), source=str(PATH))


def test_the_most_that_a_description_says() -> None:
    spec = parse(
        """
        name = "deep-thought"
        argv = ["./thought", "--ggtp", "{endpoint}"]
        transport = "tcp"
        title = "looks forty moves ahead"
        rules = ["tictactoe", "hex*"]
        cwd = "work"
        [plays]
        min_players = 2
        max_players = 4
        chance = false
        hidden = true
        [options]
        threads = 4
        ponder = true
        book = false
        style = "wild, but = sound"
        [env]
        BOOK = "/opt/book"
        LEVEL = 3
        """
    )
    assert spec == EngineSpec(
        name="deep-thought",
        argv=("/engines/thought", "--ggtp", "{endpoint}"),
        title="looks forty moves ahead",
        transport="tcp",
        rules=("tictactoe", "hex*"),
        plays=Plays(min_players=2, max_players=4, chance=False),
        options={"threads": "4", "ponder": "on", "book": "off", "style": "wild, but = sound"},
        env={"BOOK": "/opt/book", "LEVEL": "3"},
        cwd=Path("/engines/work"),
        source=str(PATH),
    )


@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("deep", "deep"),  # looked up in PATH by the system
        ("/opt/deep", "/opt/deep"),
        ("./deep", "/engines/deep"),
        ("bin/deep", "/engines/bin/deep"),
        ("../deep", "/engines/../deep"),
        ("{python}", "{python}"),
    ],
)
def test_where_the_program_is(program: str, found: str) -> None:
    assert parse(f'name = "deep"\nargv = ["{program}", "./x"]').argv == (found, "./x")


def test_a_program_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert parse('name = "deep"\nargv = ["~/deep"]').argv == ("/home/anna/deep",)


def test_the_command_is_filled_in_once_and_never_twice() -> None:
    spec = EngineSpec("x", ("{python}", "-m", "x", "--at={host}:{port}", "{endpoint}", "{other}", "{}"))
    assert spec.command("tcp://{host}:1", "::1", 5001) == [
        sys.executable,
        "-m",
        "x",
        "--at=::1:5001",
        "tcp://{host}:1",
        "{other}",
        "{}",
    ]


BASE = 'name = "deep"\nargv = ["deep"]\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        # syntax
        ('name = "deep\n', 1, 13, "Illegal character"),
        ("name = \n", 1, 8, "Invalid value"),
        ("name", 1, 5, "Expected '=' after a key"),
        ('name = "a"\nname = "b"\n', 2, 11, "Cannot overwrite a value"),
        (f"{BASE}rules = [\n", 3, 10, ""),
        # names
        ('argv = ["deep"]\n', 0, 0, "the key name is missing"),
        ('argv = ["deep"]\nname = "deep thought"\n', 2, 1, "one word"),
        ('name = ""\nargv = ["deep"]\n', 1, 1, "one word"),
        ('name = 3\nargv = ["deep"]\n', 1, 1, "one word"),
        ('name = "a/b"\nargv = ["deep"]\n', 1, 1, "one word"),
        ('name = "Human"\nargv = ["deep"]\n', 1, 1, "the name human is taken"),
        # argv
        ('name = "deep"\n', 0, 0, "the key argv is missing"),
        ('name = "deep"\nargv = "deep"\n', 2, 1, "argv is a list of texts"),
        ('name = "deep"\nargv = ["deep", 1]\n', 2, 1, "argv is a list of texts"),
        ('name = "deep"\nargv = []\n', 2, 1, "argv names no program"),
        ('name = "deep"\nargv = [""]\n', 2, 1, "argv names no program"),
        ('name = "deep"\nargv = ["a\\u0000b"]\n', 2, 1, "null character"),
        # other keys
        (f"{BASE}  colour = 1\n", 3, 3, "unknown key colour: there are name, argv"),
        (f'{BASE}"transprot" = "zmq"\n', 3, 1, "unknown key transprot; did you mean transport?"),
        (f'{BASE}transport = "pigeon"\n', 3, 1, "no transport pigeon: there are zmq, tcp, stdio"),
        (f"{BASE}transport = 1\n", 3, 1, "transport is a text of one line"),
        (f"{BASE}title = []\n", 3, 1, "title is a text of one line"),
        (f'{BASE}title = """a\nb"""\n', 3, 1, "title is a text of one line"),
        (f'{BASE}rules = "hex"\n', 3, 1, "rules is a list of texts"),
        (f"{BASE}rules = []\n", 3, 1, "leave the key out for all rules"),
        (f"{BASE}cwd = true\n", 3, 1, "cwd is a text of one line"),
        # tables
        (f"{BASE}plays = 2\n", 3, 1, "plays is a table: write [plays] above its keys"),
        (f"{BASE}[[plays]]\n", 3, 3, "plays is a table"),
        (f"{BASE}[plays]\nname = 1\n", 4, 1, "unknown key name"),
        (f"{BASE}[plays]\nchanse = true\n", 4, 1, "did you mean chance?"),
        (f"{BASE}[plays]\nmin_players = 0\n", 4, 1, "min_players is a whole number from 1 on"),
        (f"{BASE}[plays]\n\nmax_players = true\n", 5, 1, "max_players is a whole number from 1 on"),
        (f"{BASE}[plays]\nmax_players = 2\nmin_players = 3\n", 5, 1, "min_players is more than max_players"),
        (f"{BASE}[plays]\nhidden = 1\n", 4, 1, "hidden is true or false"),
        (f"{BASE}plays.hidden = 1\n", 3, 1, "hidden is true or false"),
        (f"{BASE}options = 1\n", 3, 1, "options is a table"),
        (f"{BASE}[options]\nc = 0.5\n", 4, 1, "c is a text, a whole number, true or false"),
        (f"{BASE}[options]\nc = []\n", 4, 1, "c is a text"),
        (f'{BASE}[options]\n"a b" = 1\n', 4, 1, "'a b' is no name"),
        (f'{BASE}[options]\nc = "a\\nb"\n', 4, 1, "c has more than one line"),
        (f"{BASE}[env]\nC = true\n", 4, 1, "C is a text or a whole number"),
    ],
)
def test_a_fault_and_its_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(EngineFileError) as caught:
        parse(text)
    error = caught.value
    assert message in error.message
    assert "(at line" not in error.message
    assert (error.path, error.line, error.column) == (str(PATH), line, column)
    if column:
        assert error.source == text.splitlines()[line - 1]


def test_text_that_is_not_utf_8() -> None:
    with pytest.raises(EngineFileError, match="not UTF-8") as caught:
        parse_table(b"\n\xff", PATH)
    assert caught.value.line == 2


def test_an_empty_file_lacks_a_name() -> None:
    with pytest.raises(EngineFileError, match="the key name is missing"):
        parse("")


def test_a_table_without_a_file_names_its_source() -> None:
    with pytest.raises(EngineFileError) as caught:
        Description({"name": "x", "argv": ["./x"]}, None, "package x 1.0").spec()
    assert str(caught.value) == "package x 1.0: ./x is a relative path, and there is no folder to start at"


class Game(Rules):
    """As many players as its option says."""

    own_options = (Option("players", "2", low=1, high=9),)

    def __init__(self, name: str = "Hex", **traits: bool) -> None:
        self.name = name
        self.traits = Traits(**traits)

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return tuple(f"P{number}" for number in range(int(options["players"])))

    def begin(self, options: Mapping[str, str]) -> Position:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("patterns", "name", "expected"),
    [
        (["*"], "gdl/chess", True),
        (["hex"], "Hex", True),
        (["HEX"], "hex", True),
        (["Hex*"], "hexagons", True),
        (["hex"], "Hexagons", False),
        (["go", "he?"], "Hex", True),
        (["gdl/*"], "GDL/chess", True),
        (["gdl/*"], "chess", False),
    ],
)
def test_which_rules_it_plays_by_name(patterns: list[str], name: str, expected: bool) -> None:
    assert EngineSpec("x", ("x",), rules=tuple(patterns)).can_play(Game(name), {}) is expected


@pytest.mark.parametrize("trait", ["chance", "hidden", "joint", "race"])
def test_which_rules_it_plays_by_trait(trait: str) -> None:
    able = EngineSpec("x", ("x",))
    unable = EngineSpec("x", ("x",), plays=Plays(**{trait: False}))
    assert able.can_play(Game(**{trait: True}), {})  # type: ignore[arg-type]
    assert not unable.can_play(Game(**{trait: True}), {})  # type: ignore[arg-type]
    assert unable.can_play(Game(), {})


def test_which_rules_it_plays_by_the_number_of_players() -> None:
    spec = EngineSpec("x", ("x",), plays=Plays(min_players=2, max_players=3))
    assert [count for count in range(1, 6) if spec.can_play(Game(), {"players": str(count)})] == [2, 3]
    assert spec.can_play(Game(), {})  # by default there are two
    assert EngineSpec("x", ("x",), plays=Plays(min_players=3)).can_play(Game(), {"players": "9"})


def test_values_that_the_rules_do_not_take() -> None:
    spec = EngineSpec("x", ("x",), plays=Plays(max_players=2))
    with pytest.raises(OptionError):
        spec.can_play(Game(), {"players": "many"})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = " + "9" * 10_000, "Exceeds the limit"),
        ('name = "deep"\nargv = ["deep"]\n[options]\nn = 0x' + "f" * 10_000, "n has too many digits"),
        ("a = " + "[" * 100_000, "nested too deep"),
    ],
)
def test_what_python_can_not_read_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(EngineFileError, match=sentence):
        parse(text)
