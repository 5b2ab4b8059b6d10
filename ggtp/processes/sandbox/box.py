"""An engine's command as it is started in its sandbox, and the little that is to do once it runs."""

from __future__ import annotations

import marshal
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from ggtp.errors import EngineFailedToStart
from ggtp.processes import family
from ggtp.processes.sandbox.available import INSTALL, Available, Bubblewrap, available
from ggtp.processes.sandbox.bubblewrap import OWN_PROCESSES, SIGNALLED, options
from ggtp.processes.sandbox.calls import program
from ggtp.processes.sandbox.cgroup import Delegated, delegated
from ggtp.processes.sandbox.landlock import LAUNCHER, prefix, terms
from ggtp.processes.sandbox.layout import HOME, Referee, lay_out
from ggtp.processes.sandbox.policy import Protection, Sandbox
from ggtp.processes.sandbox.system import system, within

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
    port: int = 0
    """The port of this machine to which it connects; 0: none. Without the network, the sandbox has one of that number,
    and its listening socket is handed out."""


@dataclass(slots=True)
class Box:
    """A command to start, and what it is started with."""

    argv: list[str]
    env: dict[str, str]
    cwd: str | os.PathLike[str] | None
    protection: Protection
    handles: tuple[int, ...] = ()
    """Handles of files that the process gets, and that are closed here afterwards."""
    file_bytes: int = 0
    """How long a file may become that the engine writes; 0: no limit."""
    shown: tuple[str, ...] = ()
    """The files and folders that the engine sees, with what will be in them."""
    memory: tuple[str, ...] = ()
    """The folders inside that are in memory."""
    scratch: str = ""
    """A folder on the disk that is removed in the end."""
    own: int = 0
    """How many of the processes are the sandbox's."""
    news: int = -1
    """Can be read once there is a process that limits can be set for; -1: it is there at once."""
    groups: Delegated | None = None
    """Where a control group can be made for it."""
    door: int = -1
    """Where a listening socket of the sandbox is handed out; -1: there is none."""
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
        """Take in which process is the first one inside, and have it prepared; it waits until `go`.

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
        return bool(data) and len(self._heard) < MOST_NEWS

    def go(self) -> None:
        """Let the first process inside start the engine, if it still waits."""
        if self._go >= 0:
            with suppress(OSError):  # it has ended already
                os.write(self._go, b"!")
            os.close(self._go)
            self._go = -1

    def heard_all(self) -> None:
        """Close what told of the first process: there is no more to hear."""
        os.close(self.news)
        self.news = -1

    def close(self) -> None:
        """Close all that is open here."""
        self.started()
        for handle in (self.news, self._go, self.door):
            if handle >= 0:
                os.close(handle)
        self.news = self._go = self.door = -1

    def sees(self, path: str) -> bool:
        """Return whether the engine sees a path, also if nothing is there yet; all of them without a sandbox."""
        return self.protection.kind == "none" or any(within(path, folder) for folder in self.shown)

    def remove(self) -> None:
        """Remove what the engine has left behind on the disk; it has ended."""
        if self.scratch:
            family.remove_folder(self.scratch)
            family.folder_ends(self.scratch)
            self.scratch = ""

    def listener(self) -> socket.socket | None:
        """Return the socket that was handed out, to whoever waited for it; None if there is none."""
        with socket.socket(fileno=self.door) as door:
            self.door = -1
            try:
                _, handles, _, _ = socket.recv_fds(door, 1, 1)
            except OSError:
                return None
        if not handles:
            return None
        try:
            return socket.socket(fileno=handles[0])
        except OSError:  # it is no socket
            os.close(handles[0])
            return None

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
    return _without_namespaces(there, argv, env, cwd, confinement, token)


def _absolute(argv: Sequence[str], cwd: str | None, referee: Referee) -> list[str]:
    """The command, with the whole path of a program that is given by a path."""
    if "/" not in argv[0]:
        return list(argv)
    return [os.path.normpath(os.path.join(cwd or referee.cwd, argv[0])), *argv[1:]]


def _wrapped(
    wrap: Bubblewrap,
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: str | os.PathLike[str] | None,
    confinement: Confinement,
    token: Mapping[str, str],
) -> Box:
    """A command in namespaces of its own."""
    sandbox, referee = confinement.sandbox, confinement.referee
    variables = {**env, "HOME": HOME, "TMPDIR": "/tmp", **token}
    start = None if cwd is None else os.path.abspath(cwd)
    argv = _absolute(argv, start, referee)
    layout = lay_out(argv, start, confinement.folders, variables, sandbox, system(), referee)
    words = options(layout, sandbox, wrap.features, confinement.sockets)
    inner_network = bool(confinement.port) and not sandbox.network
    # Not as bubblewrap's own variables: it would load what LD_PRELOAD names before there is any sandbox. Nor as those
    # of what listens inside: code of the engine must not hold the other end of a socket that we accept at.
    for name, value in () if inner_network else variables.items():
        words += ["--setenv", name, value]
    groups = delegated()
    with ExitStack() as opened:
        arguments = _file(opened, b"\0".join(map(os.fsencode, words)) + b"\0")
        (news, tell), (wait, go) = _pipe(opened), _pipe(opened)
        given, door = [arguments, tell, wait], -1
        refused: list[str] = []
        if calls := program(only_streams=False, strict=sandbox.level == "strict"):
            given.append(handle := _file(opened, calls))
            refused = ["--seccomp", str(handle)]
        if inner_network:
            door, inside = _pair(opened)
            given += [inside, environment := _file(opened, marshal.dumps(variables))]
            numbers = map(str, (inside, confinement.port, environment))
            argv = [sys.executable, "-I", "-S", LAUNCHER, "listen", *numbers, *argv]
        opened.pop_all()
    return Box(
        [wrap.path, "--args", str(arguments), "--info-fd", str(tell), "--block-fd", str(wait), *refused, "--", *argv],
        dict(token),
        "/",
        Protection("bubblewrap", sandbox.level, sandbox.network, bounded=groups.bounded if groups else ()),
        tuple(given),
        own=OWN_PROCESSES,
        news=news,
        groups=groups,
        door=door,
        _go=go,
        file_bytes=sandbox.scratch_bytes,
        memory=("/tmp", "/dev/shm", *layout.private),
        shown=(*layout.reads, *layout.writes),
    )


def _without_namespaces(
    there: Available,
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: str | os.PathLike[str] | None,
    confinement: Confinement,
    token: Mapping[str, str],
) -> Box:
    """A command under Landlock, or with nothing but a home of its own."""
    sandbox, referee = confinement.sandbox, confinement.referee
    scratch = tempfile.mkdtemp(prefix="ggtp-engine-")
    family.folder_begins(scratch)
    variables = {**env, "HOME": scratch, "TMPDIR": scratch, **token}
    start = None if cwd is None else os.path.abspath(cwd)
    argv = _absolute(argv, start, referee)
    if there.landlock is None:
        lacks = f"Engines run without a sandbox, with the user's rights: {there.missing}."
        protection = Protection("none", sandbox.level, network=True, lacks=(lacks,))
        return Box(argv, variables, start or referee.cwd, protection, scratch=scratch, file_bytes=sandbox.scratch_bytes)
    layout = lay_out(argv, start, confinement.folders, variables, sandbox, system(), referee)
    lacks = f"Engines run under Landlock alone, and can {there.landlock.lacks()}: {there.missing}."
    protection = Protection("landlock", sandbox.level, sandbox.network, lacks=(lacks,))
    with ExitStack() as opened:
        opened.callback(shutil.rmtree, scratch, ignore_errors=True)
        agreed = terms(
            layout,
            variables,
            scratch,
            network=sandbox.network,
            port=confinement.port,
            sockets=confinement.sockets,
        )
        handle = _file(opened, agreed)
        opened.pop_all()
    command = [*prefix(handle), *argv]
    return Box(
        command,
        dict(token),
        "/",
        protection,
        (handle,),
        scratch=scratch,
        file_bytes=sandbox.scratch_bytes,
        shown=(*layout.reads, *layout.writes),
    )


def _file(opened: ExitStack, content: bytes) -> int:
    """The handle of a file without a name, to be read from its beginning."""
    handle = os.memfd_create("sandbox")
    opened.callback(os.close, handle)
    with os.fdopen(os.dup(handle), "wb") as file:
        file.write(content)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


def _pipe(opened: ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        opened.callback(os.close, end)
    return ends


def _pair(opened: ExitStack) -> tuple[int, int]:
    ours, theirs = (end.detach() for end in socket.socketpair())
    opened.callback(os.close, ours)
    opened.callback(os.close, theirs)
    return ours, theirs
