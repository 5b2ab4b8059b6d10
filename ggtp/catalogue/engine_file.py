"""Engine descriptions: a small TOML file says how an engine is started and what it can play.

    name = "deep-thought"                              # required
    argv = ["./thought", "--ggtp", "{endpoint}"]       # required
    transport = "zmq"                                  # or "tcp", "stdio"
    title = "looks forty moves ahead"
    rules = ["tictactoe", "hex*"]                      # patterns; left out: all rules
    cwd = "."                                          # the folder to run in
    sandbox = "strict"                                 # or "standard", "off"; left out: what the supervisor says
    network = true                                     # it needs the network
    reads = ["/opt/thought"]                           # what it reads besides its own folder
    writes = ["logs"]                                  # what it writes that is to stay
    [plays]                                            # what kind of game, left out: any
    max_players = 2
    hidden = false
    [options]                                          # set when it is connected
    threads = 4
    [env]
    THOUGHT_BOOK = "/opt/thought/book"

With `bridge = "uci"`, `argv` is the command of a program that speaks the bridge's protocol and not ours; a bridge is
an engine with the word `{command}` in its `argv`.

Relative paths, in `cwd`, `reads`, `writes` and in the first word of `argv`, start at the folder of the file.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from ggtp.catalogue.faults import source_line
from ggtp.errors import EngineFileError
from ggtp.game import Rules
from ggtp.game.names import near_names
from ggtp.processes.sandbox.policy import LEVELS, Level
from ggtp.processes.spawn import without_folder

Transport: TypeAlias = Literal["zmq", "tcp", "stdio"]
TRANSPORTS: tuple[str, ...] = get_args(Transport)

NAME = re.compile(r"\w[\w.+-]*")
"""What an engine may be called: one word, so that it can stand in a command and in a list."""

COMMAND = "{command}"
"""The word of a bridge's `argv` in whose place the command of a foreign program comes."""
ADDRESS = "{address}"
"""The word of a bridge's `argv` in whose place any text comes."""

PLACEHOLDER = re.compile(r"\{(endpoint|host|port|python)\}")


@dataclass(frozen=True, slots=True)
class Plays:
    """What kind of game an engine can play; by default any."""

    min_players: int = 1
    max_players: int | None = None
    chance: bool = True
    hidden: bool = True
    joint: bool = True
    race: bool = True
    code: bool = True
    """Rules that are a program, not a text that the engine can be told."""

    def allow(self, rules: Rules, values: Mapping[str, str]) -> bool:
        """Whether the rules, with these option values, are of that kind."""
        if any(getattr(rules.traits, trait) and not getattr(self, trait) for trait in TRAITS if trait != CODE):
            return False
        if rules.text is None and not self.code:
            return False
        if self.min_players <= 1 and self.max_players is None:
            return True
        players = len(rules.players(rules.complete(values)))
        return self.min_players <= players and (self.max_players is None or players <= self.max_players)


CODE = "code"
TRAITS = ("chance", "hidden", "joint", "race", CODE)
COUNTS = ("min_players", "max_players")


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """How an engine program is started, and what it can play."""

    name: str
    argv: tuple[str, ...]
    """The program and its arguments, with placeholders; never given to a shell."""
    title: str = ""
    transport: Transport = "zmq"
    rules: tuple[str, ...] = ("*",)
    """Patterns of rule names, without regard to case."""
    plays: Plays = field(default_factory=Plays)
    options: Mapping[str, str] = field(default_factory=dict)
    """Options to set once it is connected."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables to add to its environment."""
    cwd: Path | None = None
    """The folder to run it in; None: where we are."""
    source: str = ""
    """Where the description is from, for people."""
    bridge: str = ""
    """The bridge that starts its program; empty where it speaks our protocol itself."""
    programs: tuple[str, ...] = ()
    """Of a bridge: commands that are known to work behind it, to be offered where they are installed."""
    sandbox: Level | None = None
    """How far it is to be kept from the rest of the machine; None: as the supervisor says."""
    network: bool = False
    """Whether it needs the network."""
    reads: tuple[str, ...] = ()
    """Absolute paths of what it reads besides what it is made of."""
    writes: tuple[str, ...] = ()
    """Absolute paths of what it writes to."""
    folder: Path | None = field(default=None, compare=False)
    """The folder of its description, which it may read; None: there is none."""

    @property
    def takes_command(self) -> bool:
        """Whether it is a bridge, which needs to be told a program, or an address, before it can be started."""
        return COMMAND in self.argv or ADDRESS in self.argv

    def can_play(self, rules: Rules, values: Mapping[str, str]) -> bool:
        """Whether it can play these rules with these option values, by what its description says.

        Raises:
            OptionError: the values are none that the rules take.
        """
        return not self.takes_command and self.covers(rules, values)

    def covers(self, rules: Rules, values: Mapping[str, str]) -> bool:
        """The same, but for a bridge: whether a program behind it might.

        Raises:
            OptionError: the values are none that the rules take.
        """
        name = rules.name.casefold()
        return any(fnmatchcase(name, pattern.casefold()) for pattern in self.rules) and self.plays.allow(rules, values)

    def command(self, endpoint: str = "", host: str = "", port: int = 0) -> list[str]:
        """The words to execute, with `{endpoint}`, `{host}`, `{port}` and `{python}` filled in.

        Modules of the project run without the working folder among the places where Python looks for modules.
        """
        values = {"endpoint": endpoint, "host": host, "port": str(port), "python": sys.executable}
        return without_folder([PLACEHOLDER.sub(lambda found: values[found[1]], word) for word in self.argv])


def parse_table(content: bytes, path: Path) -> dict[str, object]:
    """The TOML table in a file with this content.

    Raises:
        EngineFileError: it is not UTF-8, or not TOML; with line and column.
    """
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise EngineFileError("the file is not UTF-8 text", path=str(path), line=line) from fault
    except ValueError as fault:  # no TOML, or an integer too long for Python
        raise _syntax_error(str(fault), content, path) from fault
    except RecursionError as fault:
        raise EngineFileError("tables nested too deep", path=str(path)) from fault


class Description:
    """A table of keys and values, on its way to an `EngineSpec`."""

    def __init__(
        self, table: Mapping[str, object], folder: Path | None, source: str, path: str = "", content: bytes = b""
    ) -> None:
        """`folder` is where relative paths start; `path` and `content` say where a fault stands."""
        self._table = table
        self._folder = folder
        self._source = source
        self._path = path
        self._content = content

    def name(self) -> str | None:
        """The engine's name, where it has a possible one, whatever else may be wrong."""
        name = self._table.get("name")
        return name if isinstance(name, str) and NAME.fullmatch(name) else None

    def spec(self) -> EngineSpec:
        """The description, checked.

        Raises:
            EngineFileError: missing and unknown keys, wrong types and values, each at its place.
        """
        self._known_keys(self._table, KEYS, "")
        name = self.name()
        if name is None:
            self._need("name")
            raise self._fault("an engine's name is one word of letters, digits, `_`, `.`, `+` and `-`", "name")
        if name.casefold() == "human":
            raise self._fault("the name human is taken: it stands for a person", "name")
        transport = self._text("transport", "zmq")
        if transport not in TRANSPORTS:
            raise self._fault(f"no transport {transport}: there are {', '.join(TRANSPORTS)}", "transport")
        rules = self._texts("rules") if "rules" in self._table else ("*",)
        if not rules:
            raise self._fault("no rules at all; leave the key out for all rules", "rules")
        cwd = self._text("cwd", "")
        bridge = self._text("bridge", "")
        if bridge and not NAME.fullmatch(bridge):
            raise self._fault(f"{bridge} is no name of a bridge", "bridge")
        if bridge and "transport" in self._table:
            raise self._fault("the transport is the bridge's affair", "transport")
        return EngineSpec(
            name=name,
            argv=self._argv(),
            title=self._text("title", ""),
            transport=cast(Transport, transport),
            rules=rules,
            plays=self._plays(),
            options=self._values("options", switches=True),
            env=self._values("env", switches=False),
            cwd=self._resolve(cwd, "cwd") if cwd else None,
            source=self._source,
            bridge=bridge,
            programs=self._texts("programs") if "programs" in self._table else (),
            sandbox=self._level(),
            network=self._switch("network"),
            reads=self._paths("reads"),
            writes=self._paths("writes"),
            folder=self._folder,
        )

    def _level(self) -> Level | None:
        level = self._text("sandbox", "")
        if "sandbox" in self._table and level not in LEVELS:
            raise self._fault(f'sandbox must be one of {", ".join(LEVELS)}, not "{level}"', "sandbox")
        return cast(Level, level) if level else None

    def _switch(self, key: str) -> bool:
        value = self._table.get(key, False)
        if not isinstance(value, bool):
            raise self._fault(f"{key} must be true or false, not {value!r}", key)
        return value

    def _paths(self, key: str) -> tuple[str, ...]:
        texts = self._texts(key) if key in self._table else ()
        if any(not text or "\0" in text for text in texts):
            raise self._fault(f"{key} has an empty path, or one with a null character", key)
        return tuple(str(self._resolve(text, key)) for text in texts)

    def _argv(self) -> tuple[str, ...]:
        self._need("argv")
        argv = self._texts("argv")
        if not argv or not argv[0]:
            raise self._fault("argv names no program", "argv")
        if any("\0" in word for word in argv):
            raise self._fault("a null character in argv", "argv")
        program = argv[0]
        # A bare word is looked up in PATH by the system; a placeholder is filled in later.
        if not program.startswith("{") and any(sep in program for sep in ("/", os.sep)):
            program = str(self._resolve(program, "argv"))
        return (program, *argv[1:])

    def _plays(self) -> Plays:
        table = self._subtable("plays")
        self._known_keys(table, (*COUNTS, *TRAITS), "plays")
        for key in COUNTS:
            value = table.get(key, 1)
            if type(value) is not int or value < 1:
                raise self._fault(f"{key} is a whole number from 1 on", key, "plays")
        for key in TRAITS:
            if not isinstance(table.get(key, True), bool):
                raise self._fault(f"{key} is true or false", key, "plays")
        plays = Plays(**cast(dict[str, bool], dict(table)))
        if plays.max_players is not None and plays.min_players > plays.max_players:
            raise self._fault("min_players is more than max_players", "min_players", "plays")
        return plays

    def _values(self, table_name: str, *, switches: bool) -> dict[str, str]:
        """A table of single values, each as text; with `switches`, true and false are `on` and `off`."""
        kinds = "a text, a whole number, true or false" if switches else "a text or a whole number"
        result = {}
        for key, value in self._subtable(table_name).items():
            if not key or re.search(r"[\s=\0]", key):
                raise self._fault(f"{key!r} is no name: one word, without `=`", key, table_name)
            if isinstance(value, bool) and switches:
                text = "on" if value else "off"
            elif isinstance(value, str | int) and not isinstance(value, bool):
                text = value if isinstance(value, str) else self._digits(value, key, table_name)
            else:
                raise self._fault(f"{key} is {kinds}", key, table_name)
            if re.search(r"[\r\n\0]", text):
                raise self._fault(f"{key} has more than one line", key, table_name)
            result[key] = text
        return result

    def _digits(self, value: int, key: str, table_name: str) -> str:
        try:
            return str(value)
        except ValueError:  # Python writes no integer of many thousand digits, though TOML in base 16 may have one
            raise self._fault(f"{key} has too many digits", key, table_name) from None

    def _resolve(self, text: str, key: str) -> Path:
        path = Path(os.path.expanduser(text))
        if path.is_absolute():
            return path
        if self._folder is None:
            raise self._fault(f"{text} is a relative path, and there is no folder to start at", key)
        return (self._folder / path).absolute()

    def _need(self, key: str) -> None:
        if key not in self._table:
            raise self._fault(f"the key {key} is missing", "")

    def _text(self, key: str, default: str) -> str:
        value = self._table.get(key, default)
        if not isinstance(value, str) or "\n" in value:
            raise self._fault(f"{key} is a text of one line", key)
        return value

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self._table[key]
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise self._fault(f"{key} is a list of texts", key)
        return tuple(value)

    def _subtable(self, key: str) -> Mapping[str, object]:
        value = self._table.get(key, {})
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise self._fault(f"{key} is a table: write [{key}] above its keys", key)
        return value

    def _known_keys(self, table: Mapping[str, object], known: tuple[str, ...], table_name: str) -> None:
        for key in table:
            if key not in known:
                near = near_names(str(key), known)
                hint = f"; did you mean {' or '.join(near)}?" if near else f": there are {', '.join(known)}"
                raise self._fault(f"unknown key {key}{hint}", str(key), table_name)

    def _fault(self, message: str, key: str, table_name: str = "") -> EngineFileError:
        if not self._path:
            return EngineFileError(f"{self._source}: {message}")
        line, column = _place_of_key(self._content, key, table_name) if key else (0, 0)
        return EngineFileError(
            message, path=self._path, line=line, column=column, source=source_line(self._content, line)
        )


KEYS = (
    *("name", "argv", "bridge", "programs", "transport", "title", "rules", "cwd", "plays", "options", "env"),
    *("sandbox", "network", "reads", "writes"),
)


def _place_of_key(content: bytes, key: str, table_name: str) -> tuple[int, int]:
    """Line and column of a key, as far as a look at the lines can tell; the parser does not say."""
    table = ""
    for number, line in enumerate(content.decode("utf-8", errors="replace").splitlines(), start=1):
        header = re.match(r"\s*\[\[?\s*([\w.-]+)", line)
        if header:
            table = header[1]
            if table == key and not table_name:
                return number, header.start(1) + 1
        names = f"{re.escape(table_name)}\\.{re.escape(key)}" if table != table_name else re.escape(key)
        found = re.match(rf"""\s*(["']?{names}["']?)\s*[.=]""", line)
        if found and table in ("", table_name):
            return number, found.start(1) + 1
    return 0, 0


def _syntax_error(message: str, content: bytes, path: Path) -> EngineFileError:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.DOTALL)
    if found is None:
        return EngineFileError(message, path=str(path))
    if found[2]:
        line, column = int(found[2]), int(found[3])
    else:
        lines = content.decode("utf-8").splitlines() or [""]
        line, column = len(lines), len(lines[-1]) + 1
    return EngineFileError(found[1], path=str(path), line=line, column=column, source=source_line(content, line))
