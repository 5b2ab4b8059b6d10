"""The command of an engine under Landlock: rules that a process sets for itself and can't take back.

There is one view of the file system and of processes for all, so less is hidden than by namespaces: which processes
run, and what is in folders that are open to all but named by nobody. Private folders lie on the disk.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ggtp.processes.sandbox import launcher
from ggtp.processes.sandbox.calls import program
from ggtp.processes.sandbox.layout import HOME, Layout
from ggtp.processes.sandbox.system import within
from ggtp.processes.spawn import NOTHING

LAUNCHER = launcher.__file__
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
OTHERS = ("/proc",)
PROBE_SECONDS = 5.0
NO_NETWORK, NO_SIGNALS = 4, 6
"""From which versions on TCP connections, and signals and abstract sockets, can be forbidden."""


@dataclass(frozen=True, slots=True)
class Landlock:
    """What the system has."""

    version: int

    def lacks(self) -> str:
        """Return what engines are not kept from, as the rest of a sentence."""
        missing = ["see which other processes run", "use the sockets of files"]
        if self.version < NO_NETWORK:
            missing.append("use TCP")
        if self.version < NO_SIGNALS:
            missing.append("send signals to the user's processes")
        return f"{', '.join(missing[:-1])} and {missing[-1]}"


def prefix(handle: int) -> list[str]:
    """Return what comes before an engine's command, given the handle with its terms."""
    return [sys.executable, "-I", "-S", LAUNCHER, "landlock", str(handle)]


def terms(
    layout: Layout, env: Mapping[str, str], private: str, *, network: bool, port: int, sockets: Collection[str]
) -> bytes:
    """Return what the launcher reads.

    Args:
        layout: what the engine may see; what is private there is not, but is `private`.
        env: its variables.
        private: a folder for its own files.
        network: whether it may use the network.
        port: of this machine, to which it connects otherwise; 0 for none.
        sockets: folders with socket files.
    """
    # No rule allows to look up `..`: paths are given as they are, and where they lead.
    roots = (*layout.reads, *(path for _, path in layout.links), *OTHERS, *sockets)
    start = private if layout.start == HOME else layout.start
    return marshal.dumps(
        {
            "reads": list(shown(roots, layout.masked)),
            "writes": [private, *layout.writes],
            "devices": list(DEVICES),
            "network": network,
            "calls": program(only_streams=not network, strict=False),
            "port": port,
            "start": start if os.path.isdir(start) else private,
            "env": dict(env),
        }
    )


def shown(paths: Collection[str], masked: Collection[str]) -> Iterator[str]:
    """Yield the paths; in place of a folder in which something is masked, what else is in it."""
    for path in paths:
        if path in masked:
            continue
        if not any(within(hidden, path) for hidden in masked):
            yield path
            continue
        try:
            names = os.listdir(path)
        except OSError:
            continue
        yield from shown([os.path.join(path, name) for name in names], masked)


def tried() -> Landlock | str:
    """Start a program that does nothing under rules; which version there is, or what went wrong."""
    version = _version()
    if version < 1:
        return "the kernel has no Landlock"
    handle = os.memfd_create("terms")
    try:
        nothing = Layout(("/",), (), (), (), (), "/")
        os.write(handle, terms(nothing, {}, "/", network=False, port=0, sockets=()))
        os.lseek(handle, 0, os.SEEK_SET)
        done = subprocess.run(
            [*prefix(handle), "true"],
            stdin=NOTHING,
            stdout=NOTHING,
            stderr=subprocess.PIPE,
            pass_fds=(handle,),
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Landlock does not work here: {error}"
    finally:
        os.close(handle)
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return f"Landlock does not work here: {words[-1] if words else done.returncode}"
    return Landlock(version)


def _version() -> int:
    import ctypes  # only here: a process should be up fast

    try:
        libc = ctypes.CDLL(None)
        return int(libc.syscall(launcher.CREATE_RULESET, None, ctypes.c_size_t(0), launcher.ASK_VERSION))
    except (OSError, AttributeError):
        return 0
