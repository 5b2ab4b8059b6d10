"""Control groups (cgroup v2): limits for an engine that the kernel keeps, where the user may make groups.

    groups = delegated()                                    # None on most machines: then nothing changes
    group = Group.make(groups, memory_bytes=..., processes=...)
    group.enter(pid)                                        # before the engine runs
    group.passed()                                          # a sentence, once a limit was passed
    group.kill(); group.remove()

A group holds either processes or groups with limits. So an engine's group is made beside ours, in the nearest folder
above that hands controllers down. If a group between that folder and ours has limits, no group is made: an engine would
escape from those limits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache

from ggtp.processes import family

OWN_GROUP, MOUNTS = "/proc/self/cgroup", "/proc/self/mountinfo"
CONTROLLERS = {"memory": "memory", "pids": "processes"}
"""The controllers that are of use, and what each limits."""
OUTER_LIMITS = {
    "memory.max": ("max",),
    "memory.high": ("max",),
    "memory.swap.max": ("max",),
    "cpu.max": ("max 100000", "max"),
    "cpuset.cpus": ("",),
    "cpuset.mems": ("",),
    "io.max": ("",),
}
"""Limits that an engine would escape from in a group beside ours, and what they are where there is no limit. That of
processes is left out: nearly every group has one, and an engine's own is lower."""
MANY_THREADS = 2048  # as many threads as anybody needs, over the engine's limit of processes: the kernel counts both
KERNEL_BYTES = 16 << 20  # stacks and pipes, which engine_memory does not count but the kernel does
KERNEL_SHARE = 256  # and tables of pages: 8 bytes for 4096, and some more
_NAME = re.compile(r"ggtp-(\d+)-[0-9a-f]{8}")
_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Folder:
    """A control group as far as it matters here."""

    path: str
    controllers: frozenset[str] = frozenset()
    """Those that it hands down."""
    writable: bool = False
    """Whether we may make groups in it, and move processes within it."""
    limits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delegated:
    """A folder in which we may make groups for engines."""

    path: str
    controllers: frozenset[str]

    @property
    def bounded(self) -> tuple[str, ...]:
        """The names of the limits that the kernel keeps in its groups: `memory`, `processes`."""
        return tuple(word for name, word in CONTROLLERS.items() if name in self.controllers)


def ancestry(own: str, mounts: str) -> list[str]:
    """Return the folder of our own group, and those above it as far as they can be seen.

    Args:
        own: what `OWN_GROUP` holds.
        mounts: what `MOUNTS` holds.
    """
    group = next((line[3:] for line in own.splitlines() if line.startswith("0::/")), "")
    parts = group.strip("/").split("/")
    if not group or ".." in parts:  # it lies outside of what our namespace shows
        return []
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split()
        if after.split()[:1] != ["cgroup2"] or len(fields) < 5:
            continue
        root, point = map(_plain, fields[3:5])
        if group != root and not group.startswith(root.rstrip("/") + "/"):
            continue
        below = [part for part in group[len(root.rstrip("/")) :].split("/") if part]
        return ["/".join([point, *below[:count]]) for count in range(len(below), -1, -1)]
    return []


def choose(folders: Sequence[Folder]) -> Delegated | None:
    """Return where groups are made: in the nearest folder that hands a controller down, if that may be done.

    Args:
        folders: our own one, then those above it.
    """
    for folder in folders:
        useful = folder.controllers & set(CONTROLLERS)
        if useful:
            return Delegated(folder.path, useful) if folder.writable else None
        if any(folder.limits.get(name, free[0]) not in free for name, free in OUTER_LIMITS.items()):
            return None
    return None


def counts(text: str) -> dict[str, int]:
    """Return the numbers of a file of events, such as `memory.events`."""
    pairs = [line.split() for line in text.splitlines()]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdecimal()}


@cache
def delegated() -> Delegated | None:
    """Find out where this process may make groups; the answer holds for as long as it runs."""
    found = choose([_folder(path) for path in ancestry(_read(OWN_GROUP), _read(MOUNTS))])
    if found is not None:
        _sweep(found.path)
    return found


@dataclass(slots=True)
class Group:
    """The control group of one engine. No method raises: without the group, limits are kept by looking."""

    path: str
    memory_bytes: int
    processes: int
    most_memory: int
    """The limit that the kernel keeps, in bytes; 0: none."""
    most_tasks: int
    """The number of processes and threads to which the kernel limits it; 0: no limit."""

    @classmethod
    def make(cls, groups: Delegated, memory_bytes: int = 0, processes: int = 0, own: int = 0) -> Group | None:
        """Make a group without processes; None if it can't be made.

        Args:
            groups: where.
            memory_bytes: how much memory the engine may use; 0: no limit.
            processes: how many processes it may have; 0: no limit.
            own: how many more there are that are the sandbox's.
        """
        memory = "memory" in groups.controllers and memory_bytes
        tasks = "pids" in groups.controllers and processes
        most_memory = memory_bytes + memory_bytes // KERNEL_SHARE + KERNEL_BYTES if memory else 0
        most_tasks = processes + own + MANY_THREADS if tasks else 0
        path = f"{groups.path}/ggtp-{os.getpid()}-{os.urandom(4).hex()}"
        group = cls(path, memory_bytes, processes, most_memory, most_tasks)
        try:
            os.mkdir(path)
        except OSError:
            return None
        family.group_begins(path)
        try:
            if memory:
                _write(f"{path}/memory.max", most_memory)
                with suppress(OSError):  # without swap there is no such file
                    _write(f"{path}/memory.swap.max", 0)
                with suppress(OSError):  # an old kernel: it ends one process of them
                    _write(f"{path}/memory.oom.group", 1)
            if tasks:
                _write(f"{path}/pids.max", most_tasks)
        except OSError:
            group.remove()
            return None
        return group

    def enter(self, pid: int) -> bool:
        """Put a process into the group, with all that it is going to start; return whether it is in.

        It may take the kernel 50 ms on a busy machine.
        """
        try:
            _write(f"{self.path}/cgroup.procs", pid)
        except OSError:
            return False
        return True

    def pids(self) -> set[int]:
        """Return its processes, whoever their parents are."""
        return {int(word) for word in _read(f"{self.path}/cgroup.procs").split() if word != "0"}

    def passed(self) -> str:
        """Return a sentence that says which limit was passed; empty if none was.

        Another group's limit, or the machine's memory, is not the engine's fault; the kernel counts these, too.
        """
        if self.most_memory:
            found = counts(_read(f"{self.path}/memory.events"))
            if found.get("oom") and found.get("oom_kill"):
                used, most = self.most_memory >> 20, self.memory_bytes >> 20
                return f"It uses {used} MiB of memory, but engine_memory allows only {most}."
        if self.most_tasks and counts(_read(f"{self.path}/pids.events")).get("max"):
            peak = _read(f"{self.path}/pids.peak").strip()
            if peak.isdecimal() and int(peak) >= self.most_tasks:
                return f"It has {peak} processes and threads, but engine_processes allows only {self.processes}."
        return ""

    def kill(self) -> None:
        """Kill all its processes at once, also such as are just being made."""
        with suppress(OSError):  # an old kernel, or there is no group any more
            _write(f"{self.path}/cgroup.kill", 1)

    def remove(self) -> None:
        """Remove the group; if a process is still about to end in it, that is left to the undertaker."""
        try:
            os.rmdir(self.path)
        except FileNotFoundError:
            pass
        except OSError:
            return
        family.group_ends(self.path)


def _folder(path: str) -> Folder:
    writable = os.access(path, os.W_OK | os.X_OK) and os.access(f"{path}/cgroup.procs", os.W_OK)
    controllers = frozenset(_read(f"{path}/cgroup.subtree_control").split())
    limits = {name: _read(f"{path}/{name}").strip() for name in OUTER_LIMITS if os.path.exists(f"{path}/{name}")}
    return Folder(path, controllers, writable, limits)


def _sweep(folder: str) -> None:
    """Remove empty groups of processes that are no more; such are left if the undertaker was killed, too."""
    with suppress(OSError):
        for name in os.listdir(folder):
            found = _NAME.fullmatch(name)
            if found and not os.path.exists(f"/proc/{found[1]}"):
                with suppress(OSError):  # not empty: it may be that of a container's process
                    os.rmdir(f"{folder}/{name}")


def _plain(path: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), path)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def _write(path: str, number: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(handle, b"%d" % number)
    finally:
        os.close(handle)
