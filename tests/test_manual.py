"""The manual against the program: nothing is missing, nothing is made up, and every example runs.

What a page says in a head such as `.It Ic play Ar player Ar move Pq 33, waits` is read and
compared with the tables. A comment before a literal block says what it is:

    .\\" transcript            commands and everything that is printed, run with `ggtp --batch`
    .\\" file: NAME            a file that the page's transcripts find in their folder
    .\\" conversation: ENGINE  `>` what is said to a bundled engine, `<` what it answers
    .\\" shell                 a script for sh

In Markdown a transcript is a fenced block with the word `ggtp`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import re
import runpy
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from support.paths import ROOT

import ggtp
import ggtp.errors
import ggtp.game
import ggtp.kit
from ggtp.bench.attack.parts import PARTS
from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.catalogue.engine_file import COUNTS, KEYS, PLACEHOLDER, TRAITS, TRANSPORTS
from ggtp.errors import GgtpError
from ggtp.faults import AT_PROMPTS, POLICIES
from ggtp.game import Option, Position, Rules, Searcher, Talk, Traits, Turn, TurnKind, advice
from ggtp.game.checks.contract import check_rules
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.kit import Budget, Engine, Game
from ggtp.kit.bridge.bridge import BRIDGE_OPTIONS, Bridge
from ggtp.kit.settings import HOUSE_OPTIONS, TALKING_OPTIONS
from ggtp.protocol.commands import (
    ANSWER_NUMBERS,
    ENGINE_COMMANDS,
    PLAY_FILE,
    SEAT_COMMANDS,
    SUPERVISOR,
    SUPERVISOR_COMMANDS,
)
from ggtp.protocol.introduction import GameNews
from ggtp.protocol.messages import AnswerKind
from ggtp.protocol.text import split_list
from ggtp.referee.settings import OPTIONS
from ggtp.ui.cli import SUBCOMMANDS, main
from ggtp.ui.commands.bench import BENCHES
from ggtp.ui.console.environment import Environment, ExitStatus

MAN = ROOT / "man"
MARKDOWN = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
IN_GDL, IN_OPENSPIEL, IN_VGDL = LISTED = ("gdl/", "openspiel/", "vgdl/")
"""Where bundled games of which there are many stand; a list of the manual has those of each folder."""
OTHER_MACROS = frozenset(
    "Ar Cm Dq Dv Em Ev Fl Fn Ic Li Nm No Ns Oc Oo Op Pa Po Pc Pq Ql Sx Sy Va Vt Xr".split()  # noqa: SIM905 - a table
)
PUNCTUATION = frozenset(".,:;()[]?!")
ESCAPES = {"\\e": "\\", "\\-": "-", "\\&": "", "\\(aq": "'", "\\(ga": "`", "\\(ha": "^", "\\(ti": "~", "\\(dq": '"'}


# Reading pages.


@dataclass(frozen=True)
class Item:
    """An item of a list: the words of its head, and what it says."""

    head: tuple[str, ...]
    body: tuple[str, ...]
    """The lines up to the next item."""

    @property
    def kind(self) -> str:
        return self.head[0] if self.head else ""

    @property
    def name(self) -> str:
        return self.head[1] if len(self.head) > 1 else ""

    @property
    def remarks(self) -> list[str]:
        """What stands in parentheses at the end of the head, in its parts."""
        text = " ".join(self.head[self.head.index("Pq") + 1 :]) if "Pq" in self.head else ""
        return [part.strip() for part in re.split(r"[,;]", text) if part.strip()]

    @property
    def usage(self) -> str:
        """The head as `usage` writes it, without blanks."""
        assert "Op" not in self.head, "Op would enclose what stands in parentheses: write Oo and Oc"
        words = self.head[1 : self.head.index("Pq")] if "Pq" in self.head else self.head[1:]
        return "".join({"Oo": "[", "Oc": "]", "Ar": ""}.get(word, word) for word in words)


@dataclass(frozen=True)
class Block:
    """A literal block, and what the comment before it says it is."""

    kind: str
    argument: str
    text: str


class Page:
    """A page of the manual, as far as it is compared with anything."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")

    @classmethod
    def read(cls, name: str) -> Page:
        return cls((MAN / name).read_text("utf-8"))

    def part(self, section: str, subsection: str | None = None) -> Page:
        """A section, or a subsection of it."""
        return Page("\n".join(self._part("Sh", section))) if subsection is None else self.part(section)._sub(subsection)

    def _sub(self, title: str) -> Page:
        return Page("\n".join(self._part("Ss", title)))

    def _part(self, macro: str, title: str) -> list[str]:
        assert f".{macro} {title}" in self.lines, f"no {macro} {title}"
        begin = self.lines.index(f".{macro} {title}") + 1
        ends = (".Sh ",) if macro == "Sh" else (".Sh ", ".Ss ")
        end = next((i for i in range(begin, len(self.lines)) if self.lines[i].startswith(ends)), len(self.lines))
        return self.lines[begin:end]

    def titles(self, macro: str) -> list[str]:
        return [line[4:] for line in self.lines if line.startswith(f".{macro} ")]

    def items(self, kind: str = "") -> list[Item]:
        """The items of all lists, those whose head begins with that macro."""
        found: list[Item] = []
        heads = [index for index, line in enumerate(self.lines) if line.startswith(".It")]
        for index, after in pairwise([*heads, len(self.lines)]):
            found.append(Item(tuple(words(self.lines[index])[1:]), tuple(self.lines[index + 1 : after])))
        return [item for item in found if not kind or item.kind == kind]

    def named(self, macro: str) -> Iterator[str]:
        """Every word that is marked with the macro, once for each mark."""
        for line in self.lines:
            if not line.startswith(".") or line.startswith(('.\\"', ".Bd", ".Bl")):
                continue
            parts = words(line)
            for mark, word in pairwise(parts):
                if mark == macro and word not in OTHER_MACROS | PUNCTUATION:
                    yield unescape(word)

    def blocks(self) -> Iterator[Block]:
        marker = ""
        block: list[str] | None = None
        for line in self.lines:
            if line.startswith(".Bd -literal"):
                block = []
            elif line == ".Ed" and block is not None:
                kind, _, argument = marker.partition(": ")
                yield Block(kind, argument, "".join(f"{unescape(text)}\n" for text in block))
                marker, block = "", None
            elif block is not None:
                block.append(line)
            elif line.startswith('.\\" '):
                marker = line[4:]
            else:
                marker = ""

    @property
    def text(self) -> str:
        return unescape("\n".join(self.lines))


def words(line: str) -> list[str]:
    """The words of a macro line, the macro first."""
    return [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line[1:])]


def unescape(text: str) -> str:
    return re.sub(r"\\(?:\(..|.)", lambda found: ESCAPES.get(found[0], found[0]), text)


def markdown_blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / name).read_text("utf-8"), re.MULTILINE | re.DOTALL)


PAGES = sorted(path.name for path in MAN.glob("ggtp*.[1-8]"))
PROGRAM = "ggtp.1"
PLAY_FILES = "ggtp-play.5"
TOURNAMENTS = "ggtp-tournament.5"
PROTOCOL, RULES, ENGINES, FAULTS, NETWORK = (
    f"ggtp-{name}.7" for name in ("protocol", "rules", "engines", "faults", "network")
)


def catalogue() -> Catalogue:
    return Catalogue.from_environment({"HOME": "/nonexistent"})


@cache
def bundled_rules() -> dict[str, Rules]:
    """Read once: there are many, and some are long."""
    finder = catalogue()
    return {entry.name: finder.find_rules(entry.name) for entry in finder.list_rules()}


def bundled_engines() -> dict[str, EngineSpec]:
    return {
        entry.name: entry.spec for entry in catalogue().list_engines() if entry.spec and not entry.spec.takes_command
    }


def bundled_bridges() -> dict[str, type[Bridge | Engine]]:
    """The kinds of foreign programs, each with its bridge."""
    found: dict[str, type[Bridge | Engine]] = {}
    for entry in catalogue().list_engines():
        if entry.spec and entry.spec.takes_command:
            module = importlib.import_module(entry.spec.argv[entry.spec.argv.index("-m") + 1])
            (found[entry.name],) = [
                value
                for value in vars(module).values()
                if isinstance(value, type)
                and issubclass(value, Bridge | Engine)
                and value.__module__ == module.__name__
            ]
    return found


def talk(spec: EngineSpec, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Says lines to an engine on its standard input; each with what it answers."""
    with subprocess.Popen(spec.command("-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for line in lines:
                process.stdin.write(f"{line}\n")
                process.stdin.flush()
                yield line, process.stdout.readline().rstrip("\n")
        finally:
            process.kill()


def engine_options(spec: EngineSpec) -> dict[str, list[str]]:
    """The options that an engine has of its own, each with its default and its values."""
    house = {option.name for option in HOUSE_OPTIONS}
    questions = ["list_options"]
    answers: list[str] = []
    names: list[str] = []
    for line, answer in talk(spec, questions):
        if line == "list_options":
            names += [name for name in split_list(answer.removeprefix("reply")) if name not in house]
            # Asked in the same conversation: to start an engine takes long.
            questions += [f"{command} {name}" for name in names for command in ("get_option", "list_option_choices")]
        else:
            answers.append(answer.removeprefix("reply "))
    return {name: [answers[2 * i], *split_list(answers[2 * i + 1])] for i, name in enumerate(names)}


def option_names(spec: EngineSpec) -> set[str]:
    """The names of an engine's own options, as its program has them: nothing is started."""
    module = importlib.import_module(spec.argv[spec.argv.index("-m") + 1])
    classes = [value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Engine)]
    own = {option.name for engine in classes for option in engine.options}
    return own | {option.name for option in TALKING_OPTIONS if any(engine.talks for engine in classes)}


def option_remarks(option: Option) -> list[str]:
    """What a page says in parentheses after an option."""
    default = [option.default] if option.default else []
    return default if option.low is None else [*default, *option.describe_choices()]


# The pages themselves.


def test_there_is_a_page_for_everything() -> None:
    assert sorted([PROGRAM, PLAY_FILES, TOURNAMENTS, PROTOCOL, RULES, ENGINES, FAULTS, NETWORK]) == PAGES


@pytest.mark.process
@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_faults(name: str) -> None:
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", MAN / name], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_it_is(name: str) -> None:
    page, (title, section) = Page.read(name), name.rsplit(".", 1)
    assert f".Dt {title.upper()} {section}" in page.lines
    assert page.part("NAME").lines[0] == f".Nm {title}"
    assert f".Xr {title} {section} ," not in page.part("SEE ALSO").lines


@pytest.mark.parametrize("name", PAGES)
def test_references_lead_somewhere(name: str) -> None:
    page = Page.read(name)
    found = re.findall(r"^\.Xr (\S+) (\d)", "\n".join(page.lines), re.MULTILINE)
    assert found
    for title, section in found:
        assert f"{title}.{section}" in PAGES
    for title in re.findall(r"^\.Sx (.+?)(?: [.,;:])?$", "\n".join(page.lines), re.MULTILINE):
        assert title in page.titles("Sh") + page.titles("Ss")


# The protocol.


def test_every_command_of_the_supervisor() -> None:
    said = {item.name: item for item in Page.read(PROTOCOL).part("SUPERVISOR COMMANDS").items("Ic")}
    assert sorted(said) == sorted(command.name for command in SUPERVISOR_COMMANDS)
    for command in SUPERVISOR_COMMANDS:
        item = said[command.name]
        assert item.usage == "".join(command.usage.split())
        number = "ours" if command.number is None else str(command.number)
        flags = [word for word, flag in (("recorded", command.recorded), ("waits", command.settled)) if flag]
        assert item.remarks == [number, *flags], command.name
        assert any(line and not line.startswith(".") for line in item.body), f"nothing is said about {command.name}"


def test_every_command_to_an_engine() -> None:
    items = Page.read(PROTOCOL).part("ENGINE COMMANDS").items("Ic")
    assert [(item.name, item.remarks) for item in items] == [
        (c.name, [str(c.number or "ours")]) for c in ENGINE_COMMANDS
    ]
    for command, item in zip(ENGINE_COMMANDS, items, strict=True):
        answers = {
            word for word in Page("\n".join(item.body)).named("Ic") if word in {kind.value for kind in AnswerKind}
        }
        assert answers == {kind.value for kind in command.answers or {AnswerKind.SELECT_MOVE}}, command.name


def test_every_answer_of_an_engine() -> None:
    items = Page.read(PROTOCOL).part("ENGINE ANSWERS").items("Ic")
    assert [(item.name, item.remarks) for item in items] == [
        (k.value, [str(n or "ours")]) for k, n in ANSWER_NUMBERS.items()
    ]


def test_what_makes_a_move_stale() -> None:
    first_paragraph = Page("\n".join(Page.read(PROTOCOL).part("STALE MOVES").lines).split("\n.Pp\n")[0])
    named = set(first_paragraph.named("Ic")) - {kind.value for kind in AnswerKind}
    assert named == {command.name for command in ENGINE_COMMANDS if command.changes}


def test_every_option_of_the_referee() -> None:
    items = Page.read(PROTOCOL).part("OPTIONS").items("Va")
    assert [(item.name, item.remarks) for item in items] == [(o.name, option_remarks(o)) for o in OPTIONS]


def test_the_options_by_which_an_engine_learns_its_game() -> None:
    items = Page.read(PROTOCOL).part("HOW AN ENGINE LEARNS ITS GAME").items("Va")
    assert [item.name for item in items] == list(GameNews("", "", "", {}, "", "", 0, 0).options())
    assert {item.name for item in items} < {option.name for option in (*HOUSE_OPTIONS, *BRIDGE_OPTIONS)}


def test_what_may_not_stand_in_a_play_file() -> None:
    paragraph = "\n".join(Page.read(PLAY_FILES).part("LOADING").lines).split("may not stand in a file")[1]
    assert set(Page(paragraph.split(".Nm")[0]).named("Ic")) == SUPERVISOR.keys() - PLAY_FILE.keys()


# Other machines.


def test_every_command_of_a_person_elsewhere() -> None:
    items = Page.read(NETWORK).part("PEOPLE").items("Ic")
    assert [(item.name, item.usage) for item in items] == [
        (row.name, row.usage.replace(" ", "")) for row in SEAT_COMMANDS
    ]


# Faults.


def test_every_class_of_faults_and_every_policy() -> None:
    page = Page.read(FAULTS)
    assert [item.name for item in page.part("FAULT CLASSES").items("Cm")] == list(AT_PROMPTS)
    assert [item.name for item in page.part("POLICIES").items("Cm")] == list(POLICIES)
    options = {f"fault_{name}" for name in AT_PROMPTS}
    assert options == {name for name in page.part("POLICIES").named("Va") if name.startswith("fault_")}


# Rules and engines.


@pytest.mark.slow
def test_every_bundled_rule() -> None:
    page = Page.read(RULES).part("BUNDLED GAMES")
    rules = {name: rule for name, rule in bundled_rules().items() if not name.startswith(LISTED)}
    assert page.titles("Ss") == list(rules)
    for name, rule in rules.items():
        game = Page.read(RULES).part("BUNDLED GAMES", name)
        said = [(item.name, item.remarks) for item in game.items("Va")]
        assert said == [(option.name, option_remarks(option)) for option in rule.options()], name
        for player in rule.players(rule.complete({})):
            assert f".Ql {player}" in game.text, f"{name}: {player}"


@pytest.mark.parametrize(("section", "folder"), [("GAMES IN GDL", IN_GDL), ("VIDEO GAMES", IN_VGDL)])
def test_every_game_in_a_description_language(section: str, folder: str) -> None:
    items = [item for item in Page.read(RULES).part(section).items("Li") if item.name.startswith(folder)]
    said = {item.name: " ".join(line for line in item.body if not line.startswith(".")) for item in items}
    games = {entry.name: f"{entry.title}." for entry in catalogue().list_rules() if entry.name.startswith(folder)}
    assert {name: text.strip() for name, text in said.items()} == games


@pytest.mark.slow
def test_every_bundled_game_of_openspiel() -> None:
    items = Page.read(RULES).part("GAMES OF OPENSPIEL").items("Li")
    said = {item.name: " ".join(line for line in item.body if not line.startswith(".")) for item in items}
    found = [entry for entry in catalogue().list_rules() if entry.name.startswith(IN_OPENSPIEL)]
    games = {entry.name: f"{entry.title[0].upper()}{entry.title[1:]}." for entry in found}
    assert {name: text.strip() for name, text in said.items()} == games


ADVICE = [value for value in vars(advice).values() if isinstance(value, type) and value.__module__ == advice.__name__]
"""The protocols of what rules may tell engines."""


def public(*owners: type) -> set[str]:
    """The names that authors meet: methods and attributes without an underscore."""
    names = {name for owner in owners for name in (*dir(owner), *getattr(owner, "__annotations__", ()))}
    return {name for name in names if not name.startswith("_")}


def test_the_whole_interface_of_rules() -> None:
    writing = Page.read(RULES).part("WRITING RULES")
    said = set(writing.named("Fn")) | set(writing.named("Va"))
    assert public(Position, Rules, Searcher, *ADVICE) <= said
    assert {field.name for field in fields(Traits)} <= said
    for kind in (TurnKind.JOINT, TurnKind.RACE):
        assert kind.name in set(writing.named("Dv"))


def test_the_whole_interface_of_engines() -> None:
    kit = Page.read(ENGINES).part("THE KIT")
    said = set(kit.named("Fn")) | set(kit.named("Va"))
    assert public(Engine) - {"version"} <= said
    assert public(Game) <= said
    assert {"should_stop", "remaining", "limit"} <= said


def test_the_options_of_the_kit() -> None:
    items = [
        item for item in Page.read(ENGINES).part("THE KIT").items("Va") if item.name in {o.name for o in HOUSE_OPTIONS}
    ]
    assert [(item.name, item.remarks) for item in items] == [(o.name, option_remarks(o)) for o in HOUSE_OPTIONS]


KIN = {"GIFL": "MCTS"}
"""Engines that have all options of another one; the page tells where they differ."""


def test_bundled_engines_in_order() -> None:
    assert Page.read(ENGINES).part("BUNDLED ENGINES").titles("Ss") == list(bundled_engines())


@pytest.mark.process
@pytest.mark.parametrize("name", bundled_engines())
def test_every_bundled_engine(name: str) -> None:
    engines = bundled_engines()
    options = engine_options(engines[name])
    assert options.keys() <= option_names(engines[name])
    said = {item.name: item.remarks for item in Page.read(ENGINES).part("BUNDLED ENGINES", name).items("Va")}
    if name in KIN:
        other = engine_options(engines[KIN[name]])
        assert options.keys() == other.keys()
        options = {option: remarks for option, remarks in options.items() if remarks != other[option]}
    assert said == options


def test_every_bridge() -> None:
    page = Page.read(ENGINES)
    bridges = bundled_bridges()
    assert page.part("FOREIGN PROGRAMS").titles("Ss") == list(bridges)
    common = page.part("FOREIGN PROGRAMS").items("Va")[: len(BRIDGE_OPTIONS)]
    assert [(item.name, item.remarks) for item in common] == [(o.name, option_remarks(o)) for o in BRIDGE_OPTIONS]
    for name, bridge in bridges.items():
        own = getattr(bridge, "own_options", bridge.options)
        said = [(item.name, item.remarks) for item in page.part("FOREIGN PROGRAMS", name).items("Va")]
        assert said == [(option.name, option_remarks(option)) for option in own]


def test_every_key_of_a_description() -> None:
    page = Page.read(ENGINES)
    assert {item.name for item in page.part("DESCRIPTION FILES").items("Cm")} == {*KEYS, *COUNTS, *TRAITS}
    assert {item.name for item in page.part("TRANSPORTS").items("Cm")} == set(TRANSPORTS)
    placeholders = {item.name for item in page.part("DESCRIPTION FILES").items("Li")}
    assert all(PLACEHOLDER.fullmatch(name) for name in placeholders)
    assert len(placeholders) == PLACEHOLDER.pattern.count("|") + 1


# The program.


def parsers_options() -> dict[str, set[str]]:
    """The long options of each subcommand, and under the empty name of the program itself."""
    env = Environment(variables={})
    options = {name: set(row.parser(env)._option_string_actions) for name, row in SUBCOMMANDS.items()}
    done = subprocess.run(
        [sys.executable, "-m", "ggtp", "--help"], capture_output=True, text=True, timeout=60, check=True
    )
    options[""] = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", done.stdout.partition("subcommands:")[0]))
    return options


@pytest.mark.process
def test_every_subcommand_and_option_of_the_program() -> None:
    page = Page.read(PROGRAM)
    assert [item.name for item in page.part("DESCRIPTION", "Subcommands").items("Cm")] == list(SUBCOMMANDS)
    synopsis = "\n".join(page.part("SYNOPSIS").lines)
    said = {f"-{name}" for name in page.named("Fl")}
    for name, options in parsers_options().items():
        assert options <= said, name
        assert not name or f".Cm {name}" in synopsis
    assert set(BENCHES) <= set(page.part("DESCRIPTION", "Subcommands").named("Cm"))


@pytest.mark.process
def test_no_subcommand_or_option_is_made_up() -> None:
    known = set().union(*parsers_options().values())
    for name in PAGES:
        page = Page.read(name)
        of_engines = {"--rule", "--rule-options", "--player", "--log"} if name == ENGINES else set()
        assert {f"-{flag}" for flag in page.named("Fl")} <= known | of_engines
    assert set(Page.read(PROGRAM).named("Cm")) <= {*SUBCOMMANDS, *BENCHES, *PARTS}


def test_every_exit_status() -> None:
    items = Page.read(PROGRAM).part("EXIT STATUS").items()
    assert [int(item.kind) for item in items] == sorted(ExitStatus)


@pytest.mark.slow
def test_every_variable_of_the_environment() -> None:
    said = {item.name for item in Page.read(PROGRAM).part("ENVIRONMENT").items("Ev")}
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "ggtp").rglob("*.py"))
    assert set(re.findall(r"\b(?:GGTP_\w+_PATH|XDG_\w+_HOME|NO_COLOR)\b", sources)) <= said
    for name in PAGES:
        for variable in Page.read(name).named("Ev"):
            assert re.search(rf"\b{variable}\b", sources), f"{name}: {variable}"


# Nothing is made up.


def known_names() -> dict[str, set[str]]:
    """For each macro, what it may mark."""
    engines = {name for spec in bundled_engines().values() for name in option_names(spec)}
    # Rules in GDL take long to read, and all have the same options.
    names = [entry.name for entry in catalogue().list_rules()]
    texts = [name for name in names if name.startswith("gdl/")]
    rules = {
        option.name for name in names if name not in texts[1:] for option in catalogue().find_rules(name).options()
    }
    classes = {
        name for name, value in vars(ggtp.errors).items() if isinstance(value, type) and issubclass(value, GgtpError)
    }
    return {
        "Ic": {
            *(command.name for command in (*SUPERVISOR_COMMANDS, *SEAT_COMMANDS)),
            *(command.name for command in ENGINE_COMMANDS),
            *(kind.value for kind in AnswerKind),
        },
        "Va": {
            *(option.name for option in OPTIONS),
            *(option.name for option in HOUSE_OPTIONS),
            *(field.name for field in (*fields(Traits), *fields(Turn), *fields(Talk))),
            *public(Rules, *ADVICE, Engine, Game),
            *engines,
            *rules,
            *(option.name for option in BRIDGE_OPTIONS),
            *(option.name for bridge in bundled_bridges().values() for option in getattr(bridge, "own_options", ())),
        },
        "Fn": public(Position, Rules, Searcher, *ADVICE, Engine, Game, Budget, CompiledGame)
        | {*ggtp.game.__all__, *ggtp.kit.__all__},
        "Vt": {*ggtp.game.__all__, *ggtp.kit.__all__, *classes},
        "Dv": {*ggtp.game.__all__, *TurnKind.__members__, *signal.Signals.__members__, "RULES", "None", "TCP_NODELAY"},
    }


@pytest.mark.slow
def test_no_name_is_made_up() -> None:
    faults = []
    for macro, known in known_names().items():
        for name in PAGES:
            faults += [f"{name}: {macro} {word}" for word in Page.read(name).named(macro) if word not in known]
    assert not faults


# Examples.


def commands_of(transcript: str) -> str:
    lines = [line for line in transcript.splitlines() if not line.startswith(("= ", "? ", "->"))]
    return "\n".join(lines) + "\n"


def environment(folder: Path) -> dict[str, str]:
    """Where guests of the examples are found, and the program by its name."""
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    program = tools / "ggtp"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ggtp "$@"\n')
    program.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "GGTP_RULES_PATH": str(folder), "GGTP_ENGINES_PATH": str(folder)}


def run_transcript(transcript: str, folder: Path) -> str:
    """What the program prints for the commands of a transcript."""
    script = folder / "transcript.script"
    script.write_text(commands_of(transcript), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ggtp", "--batch", script],
        cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == ("\n? " in transcript)
    assert not done.stderr
    return done.stdout


def write_files(page: Page, folder: Path) -> None:
    for block in page.blocks():
        if block.kind == "file":
            path = folder / block.argument
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, "utf-8")
            path.chmod(0o755 if block.text.startswith("#!") else 0o644)


@pytest.mark.parametrize("name", PAGES)
def test_every_block_says_what_it_is(name: str) -> None:
    for block in Page.read(name).blocks():
        assert block.kind in ("transcript", "file", "conversation", "shell"), block.text


def test_the_test_of_an_engine_in_the_manual_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(Page.read("ggtp-engines.7"), tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    runpy.run_path(str(tmp_path / "test_greedy.py"))["test_it_takes_the_win"]()


@pytest.mark.process
@pytest.mark.parametrize("name", PAGES)
def test_transcripts_of_the_manual(name: str, tmp_path: Path) -> None:
    page = Page.read(name)
    write_files(page, tmp_path)
    transcripts = [block.text for block in page.blocks() if block.kind == "transcript"]
    assert transcripts or name == TOURNAMENTS  # files, and nothing to say at the prompt
    for transcript in transcripts:
        assert run_transcript(transcript, tmp_path) == transcript


@pytest.mark.process
@pytest.mark.parametrize("name", MARKDOWN)
def test_transcripts_of_the_other_documents(name: str, tmp_path: Path) -> None:
    transcripts = markdown_blocks(name, "ggtp")
    assert transcripts or name != "README.md"
    for transcript in transcripts:
        assert run_transcript(transcript, tmp_path) == transcript


@pytest.mark.process
@pytest.mark.parametrize("name", PAGES)
def test_conversations_with_engines(name: str) -> None:
    for block in Page.read(name).blocks():
        if block.kind == "conversation":
            said = [line[2:] for line in block.text.splitlines() if line.startswith("> ")]
            spoken = talk(catalogue().find_engine(block.argument), said)
            assert "".join(f"> {line}\n< {answer}\n" for line, answer in spoken) == block.text


@pytest.mark.process
@pytest.mark.parametrize("name", PAGES)
def test_scripts_for_the_shell(name: str, tmp_path: Path) -> None:
    for block in Page.read(name).blocks():
        if block.kind == "shell":
            done = subprocess.run(
                ["sh", "-c", block.text], cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True,
                timeout=100, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            assert re.search(r"^= \w+=(win|draw|loss)", done.stdout, re.MULTILINE)
            assert run_transcript("load_file game.ggtp\n= Done\n", tmp_path).startswith("load_file game.ggtp\n")


@pytest.mark.slow
def test_the_rules_of_the_manual_keep_their_promises(tmp_path: Path) -> None:
    write_files(Page.read(RULES), tmp_path)
    finder = Catalogue.from_environment({"HOME": "/nonexistent", "GGTP_RULES_PATH": str(tmp_path)})
    names = [entry.name for entry in finder.list_rules() if entry.source == "GGTP_RULES_PATH" and entry.usable]
    assert names == ["Hundred", "Piles"]
    for name in names:
        assert check_rules(finder.find_rules(name), rng=random.Random(1)) == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("engine", "rule", "player", "other"),
    [
        ("Greedy", "CantStop", "Red", "Green"),
        ("Rock", "RockPaperScissors", "Left", "Right"),
        ("FirstMove", "KuhnPoker", "Ann", "Bob"),
        ("FirstMove", "ConnectFour", "Yellow", "Red"),
    ],
)
def test_the_engines_of_the_manual_play_whole_games(
    engine: str, rule: str, player: str, other: str, tmp_path: Path
) -> None:
    write_files(Page.read(ENGINES), tmp_path)
    script = (
        f"set_rule {rule}\nset_engine {player} {engine}\nset_engine {other} Random\nstart\nlist_faults\nget_result\n"
    )
    output = run_transcript(script, tmp_path)
    assert "Fault" not in output
    assert re.search(rf"^= {player}=", output, re.MULTILINE)


# The other documents.


def makefile_targets() -> set[str]:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return set(phony.split())


@pytest.mark.parametrize("name", MARKDOWN)
def test_targets_of_make_exist(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    said = set(re.findall(r"(?:^|`)make (\w+)", text, re.MULTILINE))
    assert said <= makefile_targets()
    if name == "README.md":
        assert {"play", "test"} <= said


@pytest.mark.parametrize("name", MARKDOWN)
def test_links_and_paths_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target
    for path in re.findall(r"`((?:ggtp|rules|engines|examples|tests|man|sessions)/[\w/.-]*)`", text):
        assert "your" in path or (ROOT / path).exists(), path


@pytest.mark.parametrize("name", MARKDOWN)
def test_subcommands_that_are_named_exist(name: str) -> None:
    for word in re.findall(r"`ggtp ([a-z]+(?:-[a-z]+)*)", (ROOT / name).read_text("utf-8")):
        assert word in SUBCOMMANDS, word


def test_the_readme_names_what_is_bundled() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    names = [entry.name for entry in catalogue().list_rules()]
    for name in (*names, *bundled_engines()):
        assert name.startswith(LISTED) or re.search(rf"\b{name}\b", text), name
    assert "Game Description Language" in text
    for name in PAGES:
        assert f"(man/{name})" in text


def enforced_imports() -> dict[str, set[str]]:
    """Return every package of the project and those that it may import, as `test_architecture.py` has them."""
    spec = importlib.util.spec_from_file_location("architecture", ROOT / "tests" / "test_architecture.py")
    assert spec is not None
    assert spec.loader is not None
    architecture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(architecture)
    return {name: allowed for name, allowed in architecture.MAY_IMPORT.items() if not name.startswith("__")}


def section_of(name: str, title: str) -> str:
    return (ROOT / name).read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_table_of_packages_is_the_one_that_is_enforced() -> None:
    rows = re.findall(r"^\| `(\w+)` \|(.+)\|(.*)\|$", section_of("ARCHITECTURE.md", "Packages"), re.MULTILINE)
    assert {name: set(re.findall(r"`([\w.]+)`", allowed)) for name, _, allowed in rows} == enforced_imports()
    assert all(what.strip() for _, what, _ in rows)


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "## [Unreleased]" in text
    assert ggtp.__version__ in text


def test_the_good_test_of_the_contributors_page_is_good() -> None:
    (source,) = markdown_blocks("CONTRIBUTING.md", "python")
    rules = catalogue().find_rules("PhantomTicTacToe")
    names: dict[str, object] = {"PhantomTicTacToe": type(rules)}
    exec(source, names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert tests
    for test in tests:
        assert callable(test)
        test()


def test_the_version_that_the_program_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == ExitStatus.DONE
    assert capsys.readouterr().out == f"ggtp {ggtp.__version__}\n"


# The checks above pass when there is nothing to find; these show that they find it.

SAMPLE = """.Sh FIRST
Some
.Ic play ,
and
.Ic genmove .
.Bl -tag -width Ds
.It Ic get_table Oo Oo Ar player Oc Ar table Oc Pq 30, waits
Text.
.It Ic help Oo Ar command Oc Pq ours
.It Va seed Pq 0; 0..9
.El
.\\" file: x
.Bd -literal
it\\(aqs \\-> \\e
.Ed
.Bd -literal
who knows
.Ed
.Sh SECOND
.Ss Part
.Ic undo
"""


def test_names_are_found() -> None:
    page = Page(SAMPLE)
    assert list(page.named("Ic")) == ["play", "genmove", "get_table", "help", "undo"]
    assert list(page.part("FIRST").named("Ic")) == ["play", "genmove", "get_table", "help"]
    assert list(page.part("SECOND", "Part").named("Ic")) == ["undo"]


def test_heads_are_read() -> None:
    table, explain, seed = Page(SAMPLE).items()
    assert (table.usage, table.remarks) == ("get_table[[player]table]", ["30", "waits"])
    assert (explain.usage, explain.remarks) == ("help[command]", ["ours"])
    assert (seed.kind, seed.name, seed.remarks) == ("Va", "seed", ["0", "0..9"])


def test_blocks_are_read() -> None:
    assert list(Page(SAMPLE).blocks()) == [Block("file", "x", "it's -> \\\n"), Block("", "", "who knows\n")]


@pytest.mark.process
def test_a_wrong_transcript_is_found(tmp_path: Path) -> None:
    wrong = "get_rule\n= Chess\n"
    assert run_transcript(wrong, tmp_path) == "get_rule\n= none\n"
