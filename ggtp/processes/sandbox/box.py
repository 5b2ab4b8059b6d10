"""An engine's command as it is started in its sandbox, and the little that is to do once it runs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ggtp.errors import EngineFailedToStart
from ggtp.processes.sandbox.available import INSTALL, Available, Bubblewrap, available
from ggtp.processes.sandbox.bubblewrap import OWN_PROCESSES, SIGNALLED, options
from ggtp.processes.sandbox.layout import HOME, Referee, lay_out
from ggtp.processes.sandbox.policy import Protection, Sandbox
from ggtp.processes.sandbox.system import system

MOST_SIGNALS = 64
MOST_NEWS = 4096
"""Bytes of what bubblewrap says about the processes that it has made."""


_CHILD = re.compile(rb'"child-pid": *(\d+)\D')


@dataclass(frozen=True, slots=True)
class Confinement:
    """What an engine may do, and what has to be known of its surroundings for that."""

    sandbox: Sandbox
    referee: Referee
    folders: tuple[str, ...] = ()
    """Those of its description and of its rules."""
    sockets: tuple[str, ...] = ()
    """Folders with the socket files that it connects to."""


@dataclass(slots=True)
class Box:
    """A command to start, and what it is started with."""

    argv: list[str]
    env: dict[str, str]
    cwd: str | os.PathLike[str] | None
    protection: Protection
    handles: tuple[int, ...] = ()
    """Handles of files that the process gets, and that are closed here afterwards."""
    own: int = 0
    """How many of the processes are the sandbox's."""
    news: int = -1
    """Can be read once there is a process that limits can be set for; -1: it is there at once."""
    _go: int = -1
    _heard: bytes = b""
    first: int = 0
    """The first process inside, once it is known."""

    def started(self) -> None:
        """Close what only the process needs."""
        for handle in self.handles:
            os.close(handle)
        self.handles = ()

    def hear(self, prepare: Callable[[int], None]) -> bool:
        """Take in which process is the first one inside, have it prepared, and let it start the engine.

        Returns:
            Whether there may be more to hear.
        """
        try:
            data = os.read(self.news, MOST_NEWS)
        except OSError:
            data = b""
        found = _CHILD.search(self._heard + data)
        self._heard += data
        if found is not None and not self.first:
            self.first = int(found[1])
            prepare(self.first)
            with suppress(OSError):  # it has ended already
                os.write(self._go, b"!")
        return bool(data) and len(self._heard) < MOST_NEWS

    def close(self) -> None:
        """Close all that is open here."""
        self.started()
        for handle in (self.news, self._go):
            if handle >= 0:
                os.close(handle)
        self.news = self._go = -1

    def status(self, status: int) -> int:
        """Return the engine's exit status, or minus its signal, given that of the process that was started."""
        if self.own and SIGNALLED < status <= SIGNALLED + MOST_SIGNALS:
            return SIGNALLED - status
        return status


def plain(argv: Sequence[str], env: Mapping[str, str], cwd: str | os.PathLike[str] | None) -> Box:
    """Return a command that is started as it is."""
    return Box(list(argv), dict(env), cwd, Protection("none", "off", network=True))


def boxed(
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: str | os.PathLike[str] | None,
    confinement: Confinement,
    token: Mapping[str, str],
    there: Available | None = None,
) -> Box:
    """Return a command in the best sandbox that there is.

    Args:
        argv: the engine's command.
        env: its variables.
        cwd: the folder that it is to run in; None: it does not matter.
        confinement: what it may do.
        token: the variables by which its processes are known.
        there: which sandboxes work; None: find out.

    Raises:
        EngineFailedToStart: there is no sandbox as strict as it has to be.
        OSError: there are no more descriptors.
    """
    sandbox = confinement.sandbox
    if sandbox.level == "off":
        return plain(argv, {**env, **token}, cwd)
    there = there or available()
    if there.bubblewrap is not None:
        return _wrapped(there.bubblewrap, argv, env, cwd, confinement, token)
    if sandbox.level == "strict":
        raise EngineFailedToStart(f"A strict sandbox needs bubblewrap, and {there.missing or INSTALL}.")
    lacks = (f"Engines run without a sandbox, with the user's rights: {there.missing}.",)
    return Box(list(argv), {**env, **token}, cwd, Protection("none", sandbox.level, network=True, lacks=lacks))


def _wrapped(
    wrap: Bubblewrap,
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: str | os.PathLike[str] | None,
    confinement: Confinement,
    token: Mapping[str, str],
) -> Box:
    sandbox = confinement.sandbox
    variables = {**env, "HOME": HOME, "TMPDIR": "/tmp", **token}
    referee = confinement.referee
    start = None if cwd is None else os.path.abspath(cwd)
    if "/" in argv[0]:
        argv = [os.path.normpath(os.path.join(start or referee.cwd, argv[0])), *argv[1:]]
    layout = lay_out(argv, start, confinement.folders, variables, sandbox, system(), referee)
    words = options(layout, sandbox, wrap.features, confinement.sockets)
    # Not as bubblewrap's own variables: it would load what LD_PRELOAD names before there is any sandbox.
    for name, value in variables.items():
        words += ["--setenv", name, value]
    handles: list[int] = []
    try:
        arguments = os.memfd_create("arguments")
        handles.append(arguments)
        news, tell = os.pipe()
        handles += (news, tell)
        wait, go = os.pipe()
        handles += (wait, go)
        os.write(arguments, b"\0".join(map(os.fsencode, words)) + b"\0")
        os.lseek(arguments, 0, os.SEEK_SET)
    except OSError:
        for handle in handles:
            os.close(handle)
        raise
    command = [wrap.path, "--args", str(arguments), "--info-fd", str(tell), "--block-fd", str(wait), "--", *argv]
    protection = Protection("bubblewrap", sandbox.level, sandbox.network)
    return Box(command, dict(token), "/", protection, (arguments, tell, wait), OWN_PROCESSES, news, go)
