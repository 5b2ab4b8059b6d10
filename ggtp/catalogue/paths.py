"""Where we look for guests, in order, and how their files are listed and read.

The order, for rules and engines alike; the first hit wins:

1. a path given in the command;
2. the folders in `GGTP_RULES_PATH` or `GGTP_ENGINES_PATH`;
3. the user's data folder, then the user's config folder;
4. entry points of installed packages (`ggtp.catalogue.packages`);
5. what is bundled with the program.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

from ggtp.errors import PlacedError

Kind: TypeAlias = Literal["rules", "engines"]

Inside: TypeAlias = Callable[[Path], Path | None]
"""Gives the file that makes a whole folder one plugin; None for a folder that only holds others."""

MOST_BYTES = 64 << 20
"""A guest's file may have this many: the largest rule files known, grounded GDL, have a few million."""

MOST_LEVELS = 4
"""How deep sub-folders are searched, so that a search path of `/` does not walk a whole disk."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder to look in."""

    path: Path
    source: str
    """What people call it."""
    package: str | None = None
    """The package that the folder is, where it is one: then its modules are imported by their dotted names."""
    promised: bool = False
    """Somebody named it on purpose, so that its absence is worth telling."""


def folders(environ: Mapping[str, str], kind: Kind) -> tuple[Folder, ...]:
    """The folders of steps 2 and 3, in order. Looks at the environment only, not at the disk."""
    variable = f"GGTP_{kind.upper()}_PATH"
    named = [
        Folder(expand(text, environ), variable, promised=True)
        for text in environ.get(variable, "").split(os.pathsep)
        if text
    ]
    data = user_folder(environ, "XDG_DATA_HOME", ".local/share") / "ggtp" / kind
    config = user_folder(environ, "XDG_CONFIG_HOME", ".config") / "ggtp" / kind
    return (*named, Folder(data, "the user's data folder"), Folder(config, "the user's config folder"))


def bundled(package: str) -> Folder | None:
    """The folder of a bundled package such as `ggtp.rules`; None where it is not installed."""
    try:
        spec = find_spec(package)
    except ImportError:
        return None
    for location in (spec.submodule_search_locations or ()) if spec is not None else ():
        if os.path.isdir(location):
            return Folder(Path(location), "bundled", package=package)
    return None


def expand(text: str, environ: Mapping[str, str]) -> Path:
    """The path that a person means, with `~` as the home folder that the environment names."""
    if text == "~" or text.startswith("~/"):
        return _home(environ) / text[2:]
    return Path(text)


def given_file(
    text: str, suffixes: tuple[str, ...], environ: Mapping[str, str], inside: Inside = lambda folder: None
) -> Path | None:
    """The existing file that the text is a path of: it has a path separator or a known suffix, or it is only a name.

    The path of a folder that is one plugin stands for the plugin's file.
    """
    separators = {"/", os.sep, os.altsep or os.sep}
    if not text.casefold().endswith(suffixes) and not any(separator in text for separator in separators):
        return None
    try:
        path = expand(text, environ).absolute()
        return path if path.is_file() else inside(path)
    except (OSError, ValueError):  # no path at all: too long, or with null characters
        return None


def list_files(
    folder: Path, suffixes: tuple[str, ...], levels: int = MOST_LEVELS, inside: Inside = lambda folder: None
) -> Iterator[tuple[str, Path]]:
    """Every file with one of the suffixes, in a fixed order: its name (`gdl/chess`, no suffix) and its path.

    A sub-folder that is one plugin is not searched: it gives its own name and the plugin's file.
    Names that begin with `.` or `_` are private and left out, files and sub-folders alike. A
    folder that can't be read has no files.
    """
    yield from _list_files(folder, "", suffixes, levels, inside)


def absence(folder: Path) -> str | None:
    """Why a folder can't be searched; None where it can."""
    try:
        with os.scandir(folder):
            return None
    except OSError as error:
        return f"the folder can't be searched: {error.strerror or error}"


def open_regular(path: str | Path) -> int:
    """The handle of a file, opened for reading. Pipes and devices may never end, and are refused without waiting.

    Raises:
        OSError: it can't be opened, or is no regular file.
        ValueError: there is a null character in the path.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "Not a regular file", str(path))


def read_regular(path: str | Path, most_bytes: int) -> bytes:
    """Return the bytes of a file that a user has named; all files of others are read through here.

    Raises:
        OSError: it can't be read, or is no regular file.
        ValueError: it has more bytes, which the text says; or there is a null character in the path.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        # The size spares reading a huge file; it may grow meanwhile, and files of the system have none.
        content = file.read(most_bytes + 1) if os.fstat(file.fileno()).st_size <= most_bytes else None
    if content is None or len(content) > most_bytes:
        raise ValueError(f"more than {most_bytes} bytes")
    return content


def read_file(path: Path, error: type[PlacedError], most_bytes: int | None = None) -> bytes:
    """Return the content of a file, which may have at most this many bytes, or as many as a file of rules.

    Raises:
        PlacedError: of the class handed in, where it can't be read or is too long.
    """
    try:
        return read_regular(path, MOST_BYTES if most_bytes is None else most_bytes)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else None
        raise error(f"the file can't be read: {reason or fault}", path=str(path)) from fault


def _list_files(
    folder: Path, prefix: str, suffixes: tuple[str, ...], levels: int, inside: Inside
) -> Iterator[tuple[str, Path]]:
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        try:
            is_folder, is_file = entry.is_dir(), entry.is_file()
        except OSError:
            continue
        whole = inside(folder / entry.name) if is_folder else None
        if whole is not None:
            yield prefix + entry.name, whole
        elif is_folder and levels > 1:
            yield from _list_files(folder / entry.name, f"{prefix}{entry.name}/", suffixes, levels - 1, inside)
        elif is_file and entry.name.casefold().endswith(suffixes):
            yield prefix + os.path.splitext(entry.name)[0], folder / entry.name


def user_folder(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """One of the user's folders: the one that the variable names, or the one that is usual."""
    # XDG base directories: "All paths set in these environment variables must be absolute. If an
    # implementation encounters a relative path ... it should consider the path invalid and ignore it."
    given = environ.get(variable, "")
    return Path(given) if os.path.isabs(given) else _home(environ) / default


def _home(environ: Mapping[str, str]) -> Path:
    given = environ.get("HOME", "")
    return Path(given) if given else Path(os.path.expanduser("~"))
