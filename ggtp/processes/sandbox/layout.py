"""What one engine sees of the file system: itself, what every engine sees, and nothing of ours.

An engine's folder is shown as a whole, unless it is a folder that holds other things, too: the user's home, the folder
in which the referee works, those of its own files. Then what the command names is shown, and of the working folder
whatever is there and is no play file, journal, plan with a seed or case file. What comes there later is not seen.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ggtp.processes.sandbox.policy import Sandbox
from ggtp.processes.sandbox.system import System, within

HOME = "/tmp/home"
"""The home folder of an engine in a sandbox, where nothing is kept."""
COMMON = (
    "/",
    "/home",
    "/root",
    "/tmp",
    "/var",
    "/var/tmp",
    "/dev",
    "/dev/shm",
    "/proc",
    "/sys",
    "/run",
    "/mnt",
    "/srv",
)
"""Folders that nobody has for an engine alone."""
MOST_ENTRIES = 256
"""How many entries of a folder are shown one by one; each costs some microseconds at every start."""
MOST_LOOKS = 4096
"""At how many files of a folder is looked, all levels together, whether they are ours."""
NAMES = "/etc/resolv.conf"
"""Where names of machines are looked up is often told by a link to a file that is not among the settings."""
SHIMS = "shims"
"""The folder in which pyenv, asdf and their like have scripts that look for a program in the folder above."""
OUR_ENDINGS = (".ggtp", ".journal", ".cases")
JOURNAL = b'{"seq":1,'
OUR_BEGINNINGS = (JOURNAL, b"# GGTP play file", b"# A key of ggtp.")
PLAN_ENDING = ".toml"
SEED = re.compile(rb"""^[ \t]*["']?seed["']?[ \t]*=""", re.MULTILINE)
"""What the dice and deals of a tournament follow from, in a plan."""
MOST_PLAN = 1 << 20
MOST_LINKS = 8
MOST_STEPS = 1024
"""How many names a path may have, those of links that it leads through included."""


@dataclass(frozen=True, slots=True)
class Referee:
    """The folders of whoever starts the engine, absolute and normal."""

    home: str
    cwd: str
    private: tuple[str, ...] = ()
    """Where the user's own files of the project are: keys, the history, what is compiled."""

    def concerns(self, folder: str) -> bool:
        """Return whether a folder holds more than an engine: one of ours is in it."""
        folder = os.path.realpath(folder)
        return folder in COMMON or any(within(ours, folder) for ours in (self.home, self.cwd, *self.private))


@dataclass(frozen=True, slots=True)
class Layout:
    """The file system of an engine; all paths are absolute, and the same inside and outside."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    """Where links lead, and their paths."""
    masked: tuple[str, ...]
    private: tuple[str, ...]
    """Folders that are empty but for what is shown in them, can be written to, and end with the engine."""
    start: str
    """The folder to start in."""


class Writable:
    """What an engine may write to. Links in there may be of its making, so none of them decides what it sees."""

    def __init__(self, paths: Iterable[str]) -> None:
        """These paths, but for those that lie in others: what is there is there with the other one."""
        paths = list(dict.fromkeys(map(os.path.normpath, paths)))
        self._folders = {*paths, *map(os.path.realpath, paths)}
        found = ((path, self.resolved(path)) for path in paths)
        self.paths = [path for path, real in found if real is not None and os.path.exists(real)]

    def resolved(self, path: str) -> str | None:
        """Return where a path leads to by links; None if it leads through what the engine may write to."""
        done, rest = "/", path.split("/")
        for _ in range(MOST_STEPS):
            if not rest:
                return done
            step = os.path.normpath(os.path.join(done, rest.pop(0)))
            if any(within(step, folder) and (rest or step != folder) for folder in self._folders):
                return None
            try:
                rest = os.readlink(step).split("/") + rest
            except OSError:
                done = step
            else:
                done = done if rest[0] else "/"
        return None


@dataclass(slots=True)
class _Plan:
    """A layout that is being made."""

    system: System
    referee: Referee
    writes: Writable
    reads: dict[str, None] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)

    def shown(self, path: str) -> bool:
        """Return whether a path is shown already."""
        if path in self.writes.paths or self.writes.resolved(path) is None:
            return True
        return any(within(path, folder) for folder in (*self.system.reads, *self.reads)) or any(
            within(path, name) for _, name in self.system.links
        )

    def show(self, path: str) -> None:
        """Show a file or folder as a whole, and where it leads if it is a link."""
        for step in (path, self.writes.resolved(path)):
            if step is not None and not self.shown(step):
                self.reads[step] = None

    def show_folder(self, folder: str) -> None:
        """Show the folder of an engine."""
        if self.shown(folder) or not os.path.isdir(folder):
            return
        if not self.referee.concerns(folder) and not _holds_ours(folder):
            self.show(folder)
        elif not within(self.referee.home, folder) and folder not in COMMON:
            self.show_entries(folder)

    def show_entries(self, folder: str) -> bool:
        """Show what is in a folder one by one, but for what is ours; no if there is too much."""
        if self.writes.resolved(folder) is None:
            return False
        try:
            with os.scandir(folder) as scan:
                entries = [entry for entry, _ in zip(scan, range(MOST_ENTRIES + 1), strict=False)]
        except OSError:
            return False
        if len(entries) > MOST_ENTRIES:
            return False
        for entry in entries:
            path = os.path.join(folder, entry.name)
            if entry.is_symlink():
                self.links[path] = os.readlink(path)
            elif not entry.name.startswith(".") and not self.referee.concerns(path) and not _is_ours(path):
                if entry.is_dir() and _holds_ours(path):
                    self.show_entries(path)
                else:
                    self.reads[path] = None
        return True


def lay_out(
    argv: Sequence[str],
    cwd: str | None,
    folders: Sequence[str],
    environ: Mapping[str, str],
    sandbox: Sandbox,
    system: System,
    referee: Referee,
) -> Layout:
    """Return what an engine sees.

    Args:
        argv: its command, complete.
        cwd: the folder that its description names to run in; None: it names none.
        folders: those of its description and of its rules.
        environ: its variables.
        sandbox: what it may do.
        system: what every engine sees.
        referee: our own folders.
    """
    writable = Writable(sandbox.writes)
    plan = _Plan(system, referee, writable)
    base = cwd or referee.cwd
    for place in system.installations:
        if referee.concerns(place):
            _show_installation(plan, place)
        else:
            plan.show(place)
    for path in system.modules:
        plan.show_folder(path)
    for path in sandbox.reads:
        plan.show(os.path.normpath(path))
    if sandbox.network:
        plan.show(os.path.realpath(NAMES))
    for name in ("PYTHONPATH", "LD_LIBRARY_PATH", "GGTP_RULES_PATH"):
        for place in filter(os.path.isabs, environ.get(name, "").split(os.pathsep)):
            plan.show_folder(os.path.normpath(place))
    _show_program(plan, argv, base, environ)
    for folder in folders:
        plan.show_folder(os.path.normpath(folder))
    named = list(_named(argv, base))
    for path in named:
        if not _is_ours(path) and path != referee.cwd and not within(referee.home, path) and path not in COMMON:
            plan.show_folder(path if os.path.isdir(path) else os.path.dirname(path))
            plan.show(path)
    start, private = _start(plan, cwd, named, writable.paths)
    reads = [path for path in plan.reads if not _covered(path, plan.reads, private)]
    covered = (*reads, *system.reads, *writable.paths)
    hidden = (path for path in sandbox.hides if os.path.exists(path) and any(within(path, each) for each in covered))
    return Layout(
        reads=(*system.reads, *reads),
        writes=tuple(writable.paths),
        links=(*system.links, *((to, path) for path, to in plan.links.items() if not _covered(path, reads, private))),
        masked=(*system.masked, *hidden),
        private=private,
        start=start,
    )


def _covered(path: str, shown: Iterable[str], private: Iterable[str]) -> bool:
    """Return whether a path is there already, as a part of another one that no private folder covers."""
    above = [folder for folder in private if within(path, folder) and path != folder]
    return any(
        path != other and within(path, other) and all(within(other, folder) and other != folder for folder in above)
        for other in shown
    )


def _start(plan: _Plan, cwd: str | None, named: Sequence[str], writes: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The folder to start in, and what of it is private."""
    if cwd is None:
        ours = plan.referee.cwd
        if not any(within(path, ours) for path in named):
            return HOME, ()
        cwd = ours
    if cwd in COMMON or any(within(cwd, folder) for folder in plan.system.reads) or not os.path.isdir(cwd):
        return cwd, ()
    if any(within(cwd, os.path.normpath(path)) for path in writes):
        return cwd, ()
    if within(plan.referee.home, cwd):
        return cwd, (cwd,)
    whole = plan.reads.pop(cwd, 0) is None
    if not plan.show_entries(cwd):
        if whole:
            plan.reads[cwd] = None
            return cwd, ()
        plan.show_folder(cwd)
    return cwd, (cwd,)


def _show_program(plan: _Plan, argv: Sequence[str], base: str, environ: Mapping[str, str]) -> None:
    """Show the program, what it is installed with, and the interpreter that its first line names."""
    program = argv[0] if argv else ""
    found = os.path.join(base, program) if "/" in program else shutil.which(program, path=environ.get("PATH"))
    for depth in range(MOST_LINKS):  # an interpreter may be a script, too
        if not found or not os.path.isfile(found):
            return
        found = os.path.normpath(found)
        if plan.writes.resolved(found) is None:
            return  # the engine says what its first line names
        real = os.path.realpath(found)
        if not plan.shown(found) or not plan.shown(real):
            folder, above = os.path.basename(os.path.dirname(real)), os.path.dirname(os.path.dirname(real))
            if folder == SHIMS and not plan.referee.concerns(above):
                plan.show(above)
            elif folder == "bin" and ("/" not in program or depth):
                _show_installation(plan, above)
            elif found == real:
                plan.show_folder(os.path.dirname(found))
            plan.show(found)
        program = _interpreter(real)
        found = program if "/" in program else shutil.which(program, path=environ.get("PATH")) if program else None


def _show_installation(plan: _Plan, above: str) -> None:
    """Show what programs are installed with, in the folder above the folder `bin`."""
    for part in ("bin", "lib", "lib64", "libexec", "share", "pyvenv.cfg"):
        path = os.path.join(above, part)
        if os.path.exists(path) and not (part == "share" and os.path.basename(above) == ".local"):
            plan.show(path)


def _interpreter(path: str) -> str:
    """The interpreter that the first line of a script names; nothing for other programs."""
    try:
        with open(path, "rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    words = first[2:].split() if first.startswith(b"#!") else []
    if words and os.path.basename(words[0]) == b"env":
        words = [word for word in words[1:] if not word.startswith(b"-")]
    return os.fsdecode(words[0]) if words else ""


def _named(argv: Sequence[str], base: str) -> Iterator[str]:
    """The paths of files and folders that a command names, also behind an equals sign."""
    for word in argv[1:]:
        for part in {word, word.rpartition("=")[2]}:
            if part and "\0" not in part and len(part) < 4096:
                path = os.path.normpath(os.path.join(base, part))
                if os.path.exists(path) and path != base:
                    yield path


def _holds_ours(folder: str) -> bool:
    """Return whether there are play files, journals or case files in a folder or somewhere below it."""
    looked = 0
    for _, folders, files in os.walk(folder):
        if any(name.endswith(OUR_ENDINGS) for name in (*folders, *files)):
            return True
        if not looked and any(_is_ours(os.path.join(folder, name)) for name in files[:MOST_ENTRIES]):
            return True
        looked += len(folders) + len(files)
        if looked > MOST_LOOKS:
            return False
    return False


def _is_ours(path: str) -> bool:
    """Return whether a path is a play file, a journal, a plan with a seed, a key or a folder of case files."""
    if path.endswith(OUR_ENDINGS):
        return True
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb", opener=_at_once) as file:
            if file.read(16).startswith(OUR_BEGINNINGS):
                return True
            if not path.endswith(PLAN_ENDING):
                return False
            file.seek(0)
            text = file.read(MOST_PLAN)
            return b"player" in text and SEED.search(text) is not None
    except OSError:
        return False


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
