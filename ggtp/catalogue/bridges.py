"""Programs that speak another protocol: `KIND:command`, as in `uci:stockfish` or `gtp:"gnugo --mode gtp"`.

A bridge is an engine whose description has the word `{command}` in its `argv`: it is an engine program like any
other, and starts the foreign program itself. Which kinds there are, the descriptions say. One with the word
`{address}` instead is told what stands behind the colon as it is: where something runs that nobody starts.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ggtp.catalogue.engine_file import ADDRESS, COMMAND, EngineSpec, Plays
from ggtp.catalogue.paths import expand
from ggtp.errors import EngineFileError

GAMES = ("/usr/games", "/usr/local/games")
"""Where systems keep programs that play; it is not in everybody's PATH."""


def split_kind(text: str) -> tuple[str, str] | None:
    """`KIND:command` as its two parts; None for what has no such form."""
    kind, colon, command = text.partition(":")
    kind = kind.strip()
    return (kind, command.strip()) if colon and kind and "/" not in kind else None


def split_command(text: str) -> tuple[str, ...]:
    """The words of a command, which may be quoted word by word or as a whole.

    Raises:
        EngineFileError: a quote that is not closed, or no word at all.
    """
    try:
        words = shlex.split(text)
        if len(words) == 1 and not os.path.exists(words[0]):
            words = shlex.split(words[0])
    except ValueError:
        raise EngineFileError(f"a quote is not closed in {text}") from None
    if not words or not words[0]:
        raise EngineFileError("no program is named behind the colon: write it as in uci:stockfish")
    if any(control in text for control in "\0\r\n"):
        raise EngineFileError("a command is one line of text")
    return tuple(words)


def locate(words: Sequence[str], environ: Mapping[str, str], folder: Path | None = None) -> tuple[str, ...]:
    """The words with the whole path of the program, which is looked up in PATH and where games are.

    Raises:
        EngineFileError: there is no such program.
    """
    program = words[0]
    if program.startswith("{"):
        return tuple(words)  # a placeholder, filled in later
    if "/" in program:
        path = Path(folder or Path(), expand(program, environ)).absolute()
        if path.is_file() and os.access(path, os.X_OK):
            return (str(path), *words[1:])
        problem = f"{program} is not executable" if path.is_file() else f"there is no program {program}"
        raise EngineFileError(problem)
    places = [*environ.get("PATH", os.defpath).split(os.pathsep), *GAMES]
    found = shutil.which(program, path=os.pathsep.join(places))
    if found is None:
        raise EngineFileError(
            f"no program named {program} was found in any directory of PATH, nor in {' and '.join(GAMES)}"
        )
    return (os.path.abspath(found), *words[1:])


def through(bridge: EngineSpec, spec: EngineSpec, environ: Mapping[str, str]) -> EngineSpec:
    """An engine whose `argv` is a foreign program's, to be started by a bridge.

    What the description leaves out of rules and plays is as the bridge says.

    Raises:
        EngineFileError: the bridge is none, or there is no such program.
    """
    if COMMAND not in bridge.argv:
        raise EngineFileError(f"{bridge.name} is no bridge to programs: its argv has no word {COMMAND}")
    words = locate(spec.argv, environ, spec.cwd)
    argv: list[str] = []
    for word in bridge.argv:
        argv += words if word == COMMAND else (word,)
    return replace(
        spec,
        argv=tuple(argv),
        title=spec.title or bridge.title,
        transport=bridge.transport,
        rules=bridge.rules if spec.rules == ("*",) else spec.rules,
        plays=bridge.plays if spec.plays == Plays() else spec.plays,
        options={**bridge.options, **spec.options},
        env={**bridge.env, **spec.env},
        sandbox=spec.sandbox or bridge.sandbox,
        network=spec.network or bridge.network,
        reads=(*bridge.reads, *spec.reads),
        writes=(*bridge.writes, *spec.writes),
        folder=spec.folder or bridge.folder,
    )


def bridged(bridge: EngineSpec, command: str, environ: Mapping[str, str]) -> EngineSpec:
    """The engine that `KIND:command` means. Its name is that text in its one canonical form.

    Raises:
        EngineFileError: the command can't be read, or there is no such program.
    """
    if ADDRESS in bridge.argv:
        if not command:
            raise EngineFileError(f"no address stands behind {bridge.name}:")
        argv = tuple(command if word == ADDRESS else word for word in bridge.argv)
        return replace(bridge, name=f"{bridge.name}:{command}", argv=argv, bridge=bridge.name)
    words = split_command(command)
    if "/" in words[0]:
        # A play file may be read somewhere else.
        words = (str(expand(words[0], environ).absolute()), *words[1:])
    name = f"{bridge.name}:{shlex.join(words)}"
    return through(bridge, EngineSpec(name, words, bridge=bridge.name, source=bridge.source), environ)


def installed(bridge: EngineSpec, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The names, `KIND:command`, of the programs that a bridge knows and that are there."""
    found = []
    for command in bridge.programs:
        with suppress(EngineFileError):
            found.append(bridged(bridge, command, environ).name)
    return tuple(found)
