"""The command line of bubblewrap for an engine: namespaces of its own, and a file system made of what it may see."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from ggtp.processes.sandbox.layout import HOME, Layout
from ggtp.processes.sandbox.policy import Sandbox

PROGRAM = "bwrap"
OWN_PROCESSES = 2
"""How many processes of an engine's are bubblewrap's: one that waits outside, and the first one inside."""
SIGNALLED = 128
"""What bubblewrap adds to the number of a signal that has ended the program, to make an exit status of it."""

KERNEL = ("sys", "acpi", "asound", "driver", "dynamic_debug", "fs", "scsi", "slabinfo", "sched_debug", "latency_stats")
"""What the kernel does for all is set by files in /proc, which belong to root: an engine of root's has no privileges,
but it is their owner. bubblewrap does not notice, since nobody can write to the folders themselves."""


@dataclass(frozen=True, slots=True)
class Features:
    """What the installed version can do, and the system lets it do."""

    sized: bool = True
    """Limit the size of folders in memory (from 0.5 on)."""
    closed: bool = True
    """Forbid further user namespaces (from 0.8 on)."""


def namespaces(features: Features, *, network: bool) -> list[str]:
    """Return the options that separate a program from all others."""
    return [
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *(() if network else ("--unshare-net",)),
        *(("--disable-userns",) if features.closed else ()),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "engine"),
    ]


def options(layout: Layout, sandbox: Sandbox, features: Features, sockets: tuple[str, ...]) -> list[str]:
    """Return the options for an engine; before them comes `PROGRAM`, and behind them `--` and its command.

    Args:
        layout: what it sees.
        sandbox: what it may do.
        features: what the installed version can do.
        sockets: folders of socket files that it connects to.
    """
    words = namespaces(features, network=sandbox.network)
    mounts = sorted(_mounts(layout, sandbox, features, sockets), key=lambda mount: (mount[0].count("/"), mount[0]))
    for _, *mount in mounts:
        words += mount
    for path in layout.masked:
        words += ["--tmpfs", path] if os.path.isdir(path) else ["--ro-bind", os.devnull, path]
    # Folders in memory that were made on the way have no limit of their own.
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", layout.start]


def _mounts(layout: Layout, sandbox: Sandbox, features: Features, sockets: tuple[str, ...]) -> Iterator[list[str]]:
    """Everything that is in the file system: its path, then the options that put it there."""

    def memory(path: str, size: int) -> list[str]:
        return [path, *(("--size", str(size)) if features.sized else ()), "--tmpfs", path]

    yield ["/proc", "--proc", "/proc"]
    if os.geteuid() == 0:
        for path in (f"/proc/{name}" for name in KERNEL):
            yield [path, "--ro-bind-try", path, path]
    yield ["/dev", "--dev", "/dev"]
    yield memory("/dev/shm", sandbox.shared_bytes)
    yield memory("/tmp", sandbox.scratch_bytes)
    yield [HOME, "--dir", HOME]
    yield ["/var/tmp", "--symlink", "/tmp", "/var/tmp"]
    for folder in layout.private:
        yield memory(folder, sandbox.scratch_bytes)
    for target, path in layout.links:
        yield [path, "--symlink", target, path]
    for path in (*layout.reads, *sockets):
        yield [path, "--ro-bind-try", path, path]
    for path in layout.writes:
        yield [path, "--bind-try", path, path]
