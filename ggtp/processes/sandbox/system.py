"""What every engine sees of the machine: the system's programs, its settings without secrets, and Python."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from ggtp.processes.spawn import PROJECT

PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
HARDWARE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
"""What libraries ask for the number of processors, and for their memory."""
SETTINGS = "/etc"
SECRET_SETTINGS = ("/etc/ssh", "/etc/ssl/private", "/etc/sudoers.d", "/etc/NetworkManager/system-connections")
"""Folders that hold keys and passwords, whatever their permissions say."""
MOST_SETTINGS = 20_000
"""How many files of the settings are looked at; beyond that the folder is not shown at all."""
PACKAGES = (PROJECT, f"{PROJECT}.rules", f"{PROJECT}.engines")


@dataclass(frozen=True, slots=True)
class System:
    """The parts of the system that every engine sees."""

    reads: tuple[str, ...]
    """Folders that may be read, none of them within another one."""
    installations: tuple[str, ...]
    """Folders that Python is installed in, each with `bin` and `lib`."""
    modules: tuple[str, ...]
    """Folders in which Python finds modules."""
    links: tuple[tuple[str, str], ...]
    """Links of the root folder: where they lead, and what they are called."""
    masked: tuple[str, ...]
    """The files among them that are hidden."""


@cache
def system() -> System:
    """Find out about this machine; it does not change while we run."""
    reads, links = [], []
    for path in PROGRAMS:
        if os.path.islink(path):
            links.append((os.readlink(path), path))
        elif os.path.isdir(path):
            reads.append(path)
    reads += filter(os.path.isdir, HARDWARE)
    masked = _secrets()
    if masked is not None and os.path.isdir(SETTINGS):
        reads.append(SETTINGS)
    return System(outermost(reads), *_python(), links=tuple(links), masked=tuple(masked or ()))


def _python() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where this Python is installed, and where it finds the project and other modules."""
    installations = dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix))
    modules: list[str] = []
    for name in PACKAGES:
        try:
            found = find_spec(name)
        except ImportError:
            continue
        modules += (found.submodule_search_locations or ()) if found is not None else ()
    # The folder of the script, or the one in which somebody happens to be, is none of an engine's business.
    modules += sys.path if sys.flags.safe_path else sys.path[1:]
    return tuple(installations), outermost([path for path in modules if os.path.isabs(path) and os.path.exists(path)])


def _secrets() -> list[str] | None:
    """What others than root and its groups may not read among the settings; None if there are too many to look at."""
    found = [path for path in SECRET_SETTINGS if os.path.isdir(path)]
    for seen, entry in enumerate(_walk(SETTINGS)):
        if seen > MOST_SETTINGS:
            return None
        status = entry.stat(follow_symlinks=False)
        if not status.st_mode & stat.S_IROTH and not stat.S_ISLNK(status.st_mode) and os.access(entry.path, os.R_OK):
            found.append(entry.path)
    return sorted(set(found))


def _walk(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as scan:
            entries = list(scan)
    except OSError:
        return
    for entry in entries:
        yield entry
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)


def outermost(paths: list[str]) -> tuple[str, ...]:
    """Return the paths without those that lie within another one, in order."""
    kept: list[str] = []
    for path in sorted({os.path.normpath(path) for path in paths}, key=lambda path: (path.count("/"), path)):
        if not any(within(path, other) for other in kept):
            kept.append(path)
    return tuple(kept)


def within(path: str, folder: str) -> bool:
    """Return whether a path is a folder or lies in it; both are absolute and normal."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
