"""Who may import whom, what the pure packages may not touch, and that every module has its tests.

The table is the project's plan; a package that needs another changes the plan here and in
ARCHITECTURE.md, with a reason.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest
from support.paths import ROOT

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "faults": set(),
    "protocol": {"errors"},
    "game": {"errors"},
    "play": {"protocol", "game", "errors"},
    "referee": {"play", "protocol", "game", "faults", "errors"},
    "native": {"errors"},
    "gdl": {"native", "game", "errors"},
    "search": {"gdl", "native", "game", "errors"},
    "vgdl": {"native", "game", "errors"},
    "asp": {"processes", "gdl", "native", "game", "errors"},
    "openspiel": {"processes", "game", "errors"},
    "foreign": {"gdl", "game", "errors"},
    "stats": {"errors"},
    "tournament": {"stats", "play", "game", "faults", "errors"},
    "transport": {"errors"},
    "processes": {"transport", "errors"},
    "catalogue": {"processes", "gdl", "vgdl", "openspiel", "asp", "native", "game", "errors"},
    "kit": {"catalogue", "processes", "transport", "protocol", "gdl", "native", "game", "errors"},
    "driver": {"catalogue", "processes", "transport", "referee", "play", "foreign", "protocol", "game", "errors"},
    "arena": {
        "driver",
        "catalogue",
        "processes",
        "transport",
        "referee",
        "play",
        "tournament",
        "foreign",
        "protocol",
        "game",
        "faults",
        "errors",
    },
    "servers": {"driver", "catalogue", "referee", "foreign", "protocol", "game", "errors"},
    "bench": {
        "ui.console",
        "arena",
        "driver",
        "kit",
        "catalogue",
        "processes",
        "tournament",
        "stats",
        "search",
        "vgdl",
        "gdl",
        "referee",
        "play",
        "protocol",
        "game",
        "errors",
    },
    "ui": {
        "servers",
        "arena",
        "driver",
        "catalogue",
        "tournament",
        "stats",
        "foreign",
        "search",
        "asp",
        "vgdl",
        "gdl",
        "referee",
        "play",
        "protocol",
        "game",
        "faults",
        "errors",
    },
    "rules": {"tournament", "game", "errors"},
    "engines": {"kit", "foreign", "search", "asp", "vgdl", "gdl", "protocol", "game", "errors"},
    "__main__": {"ui"},
    "__init__": set(),
}
"""Each package, and those of the project that it may import; `ggtp.__version__` is free for all.

A part of a package, as `ui.console`, may stand for the whole where only that part may be imported.
"""

PLUGINS = ("rules", "engines")
"""Found by name through the catalogue: nobody imports them, and they do not import one another."""

PURE = ("faults", "protocol", "game", "play", "foreign", "gdl", "vgdl", "stats", "tournament", "referee", "rules")

IMPURE_MODULES = {"asyncio", "socket", "zmq", "threading", "time", "os", "pathlib"}
IMPURE_CALLS = {"open", "print", "input", "breakpoint"}

FORBIDDEN_MODULES: dict[str, set[str]] = {
    **dict.fromkeys(PURE, IMPURE_MODULES),
    "native": {"asyncio", "socket", "zmq", "time"},
    "catalogue": {"asyncio", "socket", "zmq"},
    "driver": {"prompt_toolkit", "rich"},
    "arena": {"prompt_toolkit", "rich"},
    "servers": {"prompt_toolkit", "rich"},
    "ui": {"zmq", "socket"},
    "bench": {"zmq"},
}

GRANTED: dict[str, set[str]] = {
    "ggtp/gdl/ground/child.py": {"processes"},  # a program of its own, which bounds itself
}
"""Modules that alone in their package may import what the package may not."""

ENGINES_OF_THEIR_OWN = {
    "ggtp/bench/attack/zoo/reaching.py": "an evil engine's daemons, made by means of its own",
    "ggtp/bench/attack/zoo/resources.py": "an evil engine's children, made by means of its own",
}
"""Modules of programs that start processes as no module of the project may, each with its reason."""

STARTERS = {"subprocess", "multiprocessing", "concurrent.futures.ProcessPoolExecutor"}
STARTING = ("os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.popen", "asyncio.create_subprocess")
"""Modules and calls that start processes: only `processes` uses them."""

COMPUTING = {"native", "gdl", "vgdl", "search", "asp"}
LIBRARIES = {
    "clingo": {"gdl", "asp"},
    "distributed": {"arena", "kit"},
    "llvmlite": {"native", "gdl"},
    "msgspec": {"arena", "tournament"},
    "numpy": COMPUTING | {"stats", "engines"},
    "psutil": {"bench"},
    "pyspiel": {"openspiel"},
    "zmq": {"transport"},
}
"""Heavy libraries, and the packages that may import them."""

FACES: dict[str, set[str]] = {
    "referee": {
        "effects",
        "events",
        "faults",
        "helptext",
        "referee",
        "settings",
        "views",
        "commands.files",
        "engines",
        "notes",
    },
}
"""Modules of a package that others may import; how it does its work behind them is its own."""

REFEREES_OWN = {"desk", "flow", "_desk", "_flow"}
"""Parts of a referee that nobody else reaches for: its view tells what may be known, and its methods do the rest."""

WITHOUT_TESTS_OF_THEIR_OWN: dict[str, str] = {
    "ggtp/__main__.py": "one line; the tests of ui.cli run it",
    "ggtp/referee/effects.py": "values without behaviour; every test of the referee is made of them",
    "ggtp/transport/base.py": "promises without behaviour; the tests of every wire hold them to it",
    "ggtp/referee/events.py": "values without behaviour; every test of the referee is made of them",
}
"""Modules without a test module of the mirrored name, each with its reason."""


def sources() -> Iterator[tuple[str, Path]]:
    """Every source file, with its package."""
    for path in sorted((ROOT / "ggtp").rglob("*.py")):
        yield path.relative_to(ROOT / "ggtp").parts[0].removesuffix(".py"), path
    for plugin in PLUGINS:
        for path in sorted((ROOT / plugin).rglob("*.py")):
            yield plugin, path


@lru_cache(maxsize=1)
def nodes(tree: ast.AST) -> list[ast.AST]:
    """All nodes of the tree that is being looked at, by several tests."""
    return list(ast.walk(tree))


def imports(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Every module or name that is imported anywhere in the tree, with its line; relative ones made absolute.

    What is reached through a plain `import ggtp`, as in `ggtp.game.Rules`, counts as imported.
    """
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ggtp":
            yield node.lineno, f"ggtp.{node.attr}"
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def within(name: list[str], allowed: Collection[str]) -> bool:
    """Return whether a dotted name is one of those allowed, or lies in one of them."""
    return any(".".join(name[:end]) in allowed for end in range(1, len(name) + 1))


def import_faults(owner: str, tree: ast.AST, package: str, granted: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """What this package imports and should not; this file may have some of it."""
    allowed = MAY_IMPORT.get(owner, set()) | ({owner} if owner not in PLUGINS else set())
    if package.startswith(tuple(f"ggtp.{plugins}." for plugins in PLUGINS)):
        allowed = allowed | {package.removeprefix("ggtp.")}  # a plugin that is a package imports its own modules
    forbidden = FORBIDDEN_MODULES.get(owner, set())
    for line, name in imports(tree, package):
        top, *rest = name.split(".")
        if (top in forbidden and top not in granted) or owner not in LIBRARIES.get(top, {owner}):
            yield line, f"{owner} may not import {top}"
        if top in PLUGINS:
            yield line, f"{top} is no top-level package: it is installed as ggtp.{top}"
        if top == "ggtp" and rest and rest != ["__version__"] and not within(rest, allowed | {*granted}):
            yield line, f"{owner} may not import {name}"


def start_faults(owner: str, tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Whatever could start a process, outside of the package that does."""
    if owner == "processes":
        return
    for line, name in imports(tree, package):
        if within(name.split("."), STARTERS) or name.startswith(STARTING):
            yield line, f"{name} starts processes: use ggtp.processes"
    for node in nodes(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            if name.startswith(STARTING):
                yield node.lineno, f"{name} starts processes: use ggtp.processes"


def call_faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """What a pure package does and should not: talk, open, or draw from the one generator that all share."""
    for node in nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            yield node.lineno, f"a pure package may not call {node.func.id}"
        drawn: list[str] = []
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            drawn = [node.attr]
        elif isinstance(node, ast.ImportFrom) and node.module == "random":
            drawn = [alias.name for alias in node.names]
        for name in drawn:
            if name != "Random":
                yield getattr(node, "lineno", 0), f"random.{name} is hidden input: take a random.Random as an argument"


def face_faults(owner: str, tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """What is reached behind the face of another package."""
    for line, name in imports(tree, package):
        _, other, *rest = [*name.split("."), ""]
        if other != owner and other in FACES and not within(rest, FACES[other]):
            yield line, f"{name} is behind the face of {other}"
    for node in nodes(tree):
        if owner != "referee" and isinstance(node, ast.Attribute) and node.attr in REFEREES_OWN:
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if not own:
                yield node.lineno, f".{node.attr} is the referee's own: use its view or its methods"


def name_faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Guests called by their dotted names in a text, which an import by text would need."""
    for node in nodes(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and re.fullmatch(r"ggtp\.(rules|engines)\.(?!v\d+$)[\w.]+", text):
            yield getattr(node, "lineno", 0), f"{text} is a plugin: the project finds it by name"


def placed(path: Path, faults: Iterator[tuple[int, str]]) -> list[str]:
    return [f"{path.relative_to(ROOT)}:{line}: {text}" for line, text in faults]


def package_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts[:-1]
    return ".".join(parts if parts[0] == "ggtp" else ("ggtp", *parts))


def test_every_package_is_in_the_table() -> None:
    assert {owner for owner, _ in sources()} <= MAY_IMPORT.keys()


@cache
def found_faults() -> dict[str, list[str]]:
    """All faults of the project's sources by kind. Each file is parsed once, and its tree is not kept."""
    found: dict[str, list[str]] = {kind: [] for kind in ("import", "start", "call", "name", "face")}
    for owner, path in sources():
        text = path.read_bytes()
        tree, package = ast.parse(text), package_of(path)
        granted = GRANTED.get(str(path.relative_to(ROOT)), set())
        found["import"] += placed(path, import_faults(owner, tree, package, granted))
        if str(path.relative_to(ROOT)) not in ENGINES_OF_THEIR_OWN:
            found["start"] += placed(path, start_faults(owner, tree, package))
        if owner in PURE:
            found["call"] += placed(path, call_faults(tree))
        if owner not in PLUGINS:
            found["name"] += placed(path, name_faults(tree))
        if owner != "referee" and b"referee" in text:
            found["face"] += placed(path, face_faults(owner, tree, package))
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_bytes()
        if b"referee" in text and path.relative_to(ROOT / "tests").parts[0] not in ("referee", "support"):
            found["face"] += placed(path, face_faults("tests", ast.parse(text), "tests"))
    return found


@pytest.mark.slow
def test_nobody_imports_what_is_above_or_beside() -> None:
    assert not found_faults()["import"], "\n".join(found_faults()["import"])


@pytest.mark.slow
def test_nobody_reaches_behind_a_face() -> None:
    assert not found_faults()["face"], "\n".join(found_faults()["face"])


@pytest.mark.slow
def test_only_one_package_starts_processes() -> None:
    assert not found_faults()["start"], "\n".join(found_faults()["start"])


@pytest.mark.slow
def test_pure_packages_do_nothing() -> None:
    assert not found_faults()["call"], "\n".join(found_faults()["call"])


@pytest.mark.slow
def test_the_project_names_no_plugin() -> None:
    assert not found_faults()["name"], "\n".join(found_faults()["name"])


def test_the_names_of_the_installed_plugins_stay_free() -> None:
    for plugin in PLUGINS:
        assert not (ROOT / "ggtp" / plugin).exists(), f"the packaging puts {plugin}/ at ggtp.{plugin}"


def lacking_tests() -> list[str]:
    """Source modules without a test module of the mirrored name."""
    result = []
    for _, path in sources():
        source = path.relative_to(ROOT)
        mirrored = source.relative_to("ggtp") if source.parts[0] == "ggtp" else source
        test = ROOT / "tests" / mirrored.parent / f"test_{mirrored.stem.lstrip('_')}.py"
        if path.name != "__init__.py" and str(source) not in WITHOUT_TESTS_OF_THEIR_OWN and not test.exists():
            result.append(f"{source} has no {test.relative_to(ROOT)}")
    return result


def test_every_module_has_a_test_module_of_its_own() -> None:
    assert not lacking_tests(), "\n".join(lacking_tests())


def test_exceptions_are_still_needed() -> None:
    for name in (*WITHOUT_TESTS_OF_THEIR_OWN, *GRANTED, *ENGINES_OF_THEIR_OWN):
        assert (ROOT / name).exists(), f"{name} is gone: take it off the list"


def test_the_table_has_no_circle() -> None:
    known: dict[str, set[str]] = {
        name: {part.split(".")[0] for part in allowed} for name, allowed in MAY_IMPORT.items()
    }
    while known:
        free = {name for name, allowed in known.items() if not allowed & known.keys()}
        assert free, f"these import each other: {sorted(known)}"
        known = {name: allowed for name, allowed in known.items() if name not in free}


MOST_MODULES = 24
SHARED_PREFIX = 4


def folders() -> Iterator[tuple[Path, list[str]]]:
    """Every folder of the project's own modules, with their names. Rules and engines are one module each by nature."""
    for path in sorted((ROOT / "ggtp").rglob("__init__.py")):
        yield path.parent, sorted(file.stem for file in path.parent.glob("*.py"))


def test_no_folder_is_crowded() -> None:
    crowded = [f"{folder.relative_to(ROOT)}: {len(names)}" for folder, names in folders() if len(names) > MOST_MODULES]
    assert not crowded, f"a folder of more than {MOST_MODULES} modules wants to be cut: {crowded}"


def crowd(names: Collection[str]) -> dict[str, int]:
    """Prefixes that too many modules of a folder share, with how many do."""
    prefixes = [name.split("_")[0] for name in names if not name.startswith("__")]
    return {prefix: count for prefix in set(prefixes) if (count := prefixes.count(prefix)) >= SHARED_PREFIX}


def test_a_prefix_that_many_modules_share_is_a_package() -> None:
    found = {str(folder.relative_to(ROOT)): crowd(names) for folder, names in folders()}
    assert not {folder: prefixes for folder, prefixes in found.items() if prefixes}


# The checks above pass when there is nothing to find; these show that they find it.


@pytest.mark.parametrize(
    ("owner", "text", "found"),
    [
        ("game", "import ggtp.protocol", "game may not import ggtp.protocol"),
        ("game", "import ggtp\nggtp.protocol.codec", "game may not import ggtp.protocol"),
        ("game", "from ggtp import protocol", "game may not import ggtp.protocol"),
        ("game", "from ..protocol import codec", "game may not import ggtp.protocol.codec"),
        ("game", "from .. import protocol", "game may not import ggtp.protocol"),
        ("game", "def f():\n  import os.path", "game may not import os"),
        ("game", "from os import path", "game may not import os"),
        ("bench", "from ggtp.ui.commands import solve", "bench may not import ggtp.ui.commands.solve"),
        ("ui", "import ggtp.rules.hex", "ui may not import ggtp.rules.hex"),
        ("catalogue", "from ggtp.rules import hex", "catalogue may not import ggtp.rules.hex"),
        ("rules", "from ggtp.rules.hex import RULES", "rules may not import ggtp.rules.hex.RULES"),
        ("rules", "from rules import hex", "rules is no top-level package: it is installed as ggtp.rules"),
        ("ui", "import zmq.asyncio", "ui may not import zmq"),
        ("driver", "from rich.table import Table", "driver may not import rich"),
        ("gdl", "import os", "gdl may not import os"),
        ("ui", "import numpy", "ui may not import numpy"),
    ],
)
def test_a_wrong_import_is_found(owner: str, text: str, found: str) -> None:
    assert [message for _, message in import_faults(owner, ast.parse(text), f"ggtp.{owner}")] == [found]


@pytest.mark.parametrize(
    ("owner", "text"),
    [
        ("game", "from ggtp.errors import MoveError"),
        ("game", "from ggtp.game.model import Rules"),
        ("game", "from .model import Rules"),
        ("game", "from . import model"),
        ("ui", "from ggtp import __version__"),
        ("bench", "from ggtp.ui.console.progress import Progress"),
        ("kit", "import ggtp\nggtp.__version__\nggtp.game.Rules"),
        ("game", "import random, re, dataclasses"),
        ("transport", "import zmq, asyncio, os"),
    ],
)
def test_a_right_import_is_not_found(owner: str, text: str) -> None:
    assert list(import_faults(owner, ast.parse(text), f"ggtp.{owner}")) == []


@pytest.mark.parametrize(
    ("owner", "text", "count"),
    [
        ("kit", "import subprocess", 1),
        ("kit", "from subprocess import Popen", 1),
        ("kit", "import os\nos.fork()", 1),
        ("kit", "from os import fork", 1),
        ("bench", "import asyncio\nasync def f(): await asyncio.create_subprocess_exec('x')", 1),
        ("engines", "from concurrent.futures import ProcessPoolExecutor", 1),
        ("ui", "import os\nos.execv('x', [])", 0),
        ("processes", "import subprocess, os\nos.fork()", 0),
    ],
)
def test_a_start_of_a_process_is_found(owner: str, text: str, count: int) -> None:
    assert len(list(start_faults(owner, ast.parse(text), f"ggtp.{owner}"))) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("from ggtp.referee.desk import Desk", 1),
        ("from ggtp.referee.flow import Flow", 1),
        ("from ggtp.referee.views import View", 0),
        ("play = driver.referee.desk.play", 1),
        ("driver.referee._flow.halt()", 1),
        ("self.flow = []", 0),
    ],
)
def test_what_is_behind_a_face_is_found(text: str, count: int) -> None:
    assert len(list(face_faults("ui", ast.parse(text), "ggtp.ui"))) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("open('x')", 1),
        ("print()", 1),
        ("random.choice(x)", 1),
        ("from random import choice, Random", 1),
        ("def f(rng: random.Random): return rng.choice(x)", 0),
        ("self.open(x); x.print()", 0),
    ],
)
def test_an_impure_call_is_found(text: str, count: int) -> None:
    assert len(list(call_faults(ast.parse(text)))) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [("import_module('ggtp.rules.hex')", 1), ("'ggtp.rules'", 0), ("'ggtp.rules.v1'", 0), ("'see ggtp.rules.hex'", 0)],
)
def test_a_plugin_named_in_a_text_is_found(text: str, count: int) -> None:
    assert len(list(name_faults(ast.parse(text)))) == count


def test_a_shared_prefix_is_found() -> None:
    assert crowd(["__init__", "tree", "tree_flat", "tree_wide", "tree_old", "cache"]) == {"tree": 4}


if __name__ == "__main__":
    sys.stdout.write("\n".join(lacking_tests()) + "\n")
