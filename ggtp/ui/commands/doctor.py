"""`ggtp doctor`: what is installed, what is missing and what it would give, and which protection engines get."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, dataclass
from importlib import import_module, metadata
from pathlib import Path

from ggtp import __version__
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.cache import cache_folder
from ggtp.catalogue.paths import folders, user_folder
from ggtp.driver.confine import USER_FOLDERS
from ggtp.driver.protection import expected, sandboxes
from ggtp.errors import GgtpError
from ggtp.ui.console.environment import Environment, ExitStatus
from ggtp.ui.console.listing import print_table
from ggtp.ui.console.output import say

OLDEST_PYTHON = (3, 11)
NEEDED = {
    "clingo": "grounds and solves rules in GDL",
    "h11": "talks to game managers over HTTP",
    "llvmlite": "compiles rules to machine code",
    "msgspec": "reads and writes journals",
    "numpy": "computes with many positions at once",
    "prompt_toolkit": "makes the prompt",
    "psutil": "tells benchmarks of processes",
    "pyzmq": "lets engines and people on other machines play",
    "rich": "draws tables and pictures",
}
"""The distributions that everything needs, and for what."""
OPTIONAL = {
    "distributed": "plays tournaments and searches on a Dask cluster: pip install 'ggtp[cluster]'",
    "open_spiel": "gives the games of OpenSpiel: pip install 'ggtp[openspiel]'",
}
"""Others, and what they would give."""
MODULES = {"pyzmq": "zmq", "open_spiel": "pyspiel"}
"""The module to import, for distributions with another name."""
PROGRAMS = {
    "bwrap": "keeps engines apart and from your files: apt install bubblewrap",
    "man": "shows pages of the manual; without it they are printed as text",
    "less": "lets you scroll in the manual",
}
"""Programs that are used if they are there, and what they would give."""
OK, MISSING, BROKEN = "ok", "missing", "broken"
STYLES = {MISSING: "yellow", BROKEN: "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    part: str
    name: str
    state: str
    """`ok`, `missing`, which is no fault, or `broken`: something that is needed."""
    text: str
    """A version or a path; of what is not ok, what it would give or what is wrong."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ggtp doctor`."""
    parser.add_argument("--json", action="store_true", help="one line of JSON: a list of objects")


def run(env: Environment, args: argparse.Namespace) -> ExitStatus:
    """Look at everything. Engines are not started."""
    with redirect_stdout(env.stderr):  # libraries and plugins may print
        found = list(look(env))
    if args.json:
        say(env.stdout, json.dumps([asdict(finding) for finding in found]))
    else:
        rows = [[finding.part, finding.name, finding.state, finding.text] for finding in found]
        print_table(env, ["part", "name", "state", "what"], rows, [STYLES.get(finding.state, "") for finding in found])
    return ExitStatus.REFUSED if any(finding.state == BROKEN for finding in found) else ExitStatus.DONE


def look(env: Environment) -> Iterator[Finding]:
    """Everything, in the order in which it is shown."""
    yield from _versions()
    yield from _libraries()
    yield from _programs(env)
    yield from _sandbox()
    yield from _plugins(env)
    yield from _folders(env)


def _versions() -> Iterator[Finding]:
    yield Finding("version", "ggtp", OK, __version__)
    text = f"{platform.python_version()}, {sys.executable}"
    old = sys.version_info[:2] < OLDEST_PYTHON
    yield Finding("version", "Python", BROKEN if old else OK, f"{text}: 3.11 is needed" if old else text)
    yield Finding("version", "system", OK, f"{platform.system()} {platform.release()} {platform.machine()}")


def _libraries() -> Iterator[Finding]:
    for names, absent in ((NEEDED, BROKEN), (OPTIONAL, MISSING)):
        for name, use in names.items():
            try:
                import_module(MODULES.get(name, name))
                state, text = OK, _version(name)
            except ImportError as error:
                gone = isinstance(error, ModuleNotFoundError)
                state, text = (absent, use) if gone else (BROKEN, f"can't be imported: {error}")
            except Exception as error:  # noqa: BLE001 - whatever a broken installation raises
                state, text = BROKEN, f"can't be imported: {type(error).__name__}: {error}"
            yield Finding("library", name, state, text)


def _version(name: str) -> str:
    with suppress(metadata.PackageNotFoundError):
        return metadata.version(name)
    return "of unknown version"


def _programs(env: Environment) -> Iterator[Finding]:
    for name, use in PROGRAMS.items():
        path = shutil.which(name, path=env.variables.get("PATH"))
        yield Finding("program", name, MISSING if path is None else OK, use if path is None else path)


def _sandbox() -> Iterator[Finding]:
    for name, text, missing in sandboxes():
        yield Finding("sandbox", name, MISSING if missing else OK, missing or text)


def _plugins(env: Environment) -> Iterator[Finding]:
    """How many rules and engines there are, and which protection engines get."""
    catalogue = Catalogue.from_environment(env.variables)
    for kind, entries in (("rules", catalogue.list_rules()), ("engines", catalogue.list_engines())):
        usable = sum(entry.usable for entry in entries)
        broken = [entry.name for entry in entries if entry.problem is not None]
        yield Finding("plugin", kind, OK if usable else BROKEN, f"{usable} can be used")
        if broken:
            more = f"{len(broken)} can't be used: ggtp {kind} --all tells why"
            yield Finding("plugin", kind, MISSING, more)
    words: Counter[str] = Counter()
    named: dict[str, str] = {}
    for entry in catalogue.list_engines():
        if entry.spec is None or not entry.usable:
            continue
        try:
            found = expected(entry.spec, env.variables)
            text = found.problem or "; ".join((found.protection.sentence(), *found.protection.lacks, *found.overruled))
        except GgtpError as error:
            text = str(error)
        words[text] += 1
        named.setdefault(text, entry.name)
    for text, count in words.most_common():
        others = f" and {count - 1} more" if count > 1 else ""
        yield Finding("protection", f"{named[text]}{others}", OK, text)


def _folders(env: Environment) -> Iterator[Finding]:
    for variable, default in USER_FOLDERS:
        name = variable.removeprefix("XDG_").removesuffix("_HOME").lower()
        yield Finding("folder", name, OK, _place(user_folder(env.variables, variable, default) / "ggtp"))
    yield Finding("folder", "compiled games", OK, _place(cache_folder(env.variables)))
    for kind in ("rules", "engines"):
        for folder in folders(env.variables, kind):
            if folder.promised:
                state = OK if folder.path.is_dir() else MISSING
                yield Finding("folder", kind, state, f"{folder.path}, named by {folder.source}")


def _place(path: Path) -> str:
    """A path, and what is wrong with it."""
    near = next(folder for folder in (path, *path.parents) if folder.exists())
    if not os.access(near, os.W_OK | os.X_OK):
        return f"{path}, which can't be written to"
    return str(path) if path.exists() else f"{path}, not made yet"
