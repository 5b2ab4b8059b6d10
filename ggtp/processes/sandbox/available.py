"""Which sandbox works on this machine, found out by starting something in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

from ggtp.processes.sandbox.bubblewrap import PROGRAM, Features, namespaces
from ggtp.processes.sandbox.landlock import Landlock, tried
from ggtp.processes.spawn import NOTHING

PLACES = ("/usr/bin", "/bin", "/usr/local/bin")
"""Where bubblewrap is looked for first: what else is in PATH may be anybody's."""
PROBE_SECONDS = 5.0
INSTALL = "install bubblewrap (Debian: apt install bubblewrap)"


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """The program that works here."""

    path: str
    features: Features


@dataclass(frozen=True, slots=True)
class Available:
    """What there is."""

    bubblewrap: Bubblewrap | None
    missing: str
    """Why there is no bubblewrap, with the remedy; empty where there is."""
    landlock: Landlock | None = None
    """What there is without it."""


@cache
def available() -> Available:
    """Try what works here; the answer holds for as long as this process runs."""
    path = shutil.which(PROGRAM, path=os.pathsep.join(PLACES)) or shutil.which(PROGRAM)
    if path is None:
        return _without(f"bubblewrap is not installed: {INSTALL}")
    problem = ""
    for features in (Features(), Features(closed=False), Features(sized=False, closed=False)):
        complaint = _tried(path, features)
        if not complaint:
            return Available(Bubblewrap(path, features), "")
        problem = problem or complaint
    return _without(f"bubblewrap does not work here: {problem}")


def _without(missing: str) -> Available:
    """What there is without bubblewrap."""
    found = tried()
    return Available(None, missing, found if isinstance(found, Landlock) else None)


def _tried(path: str, features: Features) -> str:
    """Start a program that does nothing; what went wrong, if anything."""
    size = ("--size", str(1 << 20)) if features.sized else ()
    mounts = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", *size, "--tmpfs", "/tmp")
    command = [path, *namespaces(features, network=False), *mounts, "--", "true"]
    try:
        done = subprocess.run(
            command, stdin=NOTHING, stdout=NOTHING, stderr=subprocess.PIPE, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{error}"
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.returncode == 0 else words[-1] if words else f"exit status {done.returncode}"
