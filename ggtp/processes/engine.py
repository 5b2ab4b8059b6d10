"""An engine program from its start to its end.

    process = EngineProcess.start(argv, env=..., cwd=..., limits=Limits(), on_exit=..., on_limit=...)
    ...
    await process.stop()        # always, also after on_exit: it sees to what the program has left behind

What an engine can do to us is bounded: it never blocks on what it prints, what it prints never fills our memory, and
after `stop` none of its processes is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO

from ggtp.errors import EngineFailedToStart
from ggtp.processes import family
from ggtp.processes.bounds import hide_memory
from ggtp.processes.refusal import obstacle, why_not
from ggtp.processes.sandbox.box import Box, Confinement, boxed, plain
from ggtp.processes.sandbox.cgroup import MANY_THREADS, Group
from ggtp.processes.spawn import NOTHING, PIPE, Apart, Process, ended, spawn
from ggtp.processes.storage import MOST_HANDLES, kept_bytes
from ggtp.processes.words import Tail
from ggtp.transport.stdio import StdioWire

KILL_SECONDS = 5.0  # for the kernel to take away what was killed; only a stuck driver or file system takes longer
THOROUGH = 4  # every so many looks at an engine's processes, those that have left their parents are looked for too
MANY_LOOKS = 3  # a process that forks and ends without pause is in none of the lists that the kernel gives, or in few
LOOK_AGAIN_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Limits:
    """What an engine may use, and how long we are patient with it; 0 means no limit."""

    memory_bytes: int = 0
    """Resident memory of all its processes together."""
    processes: int = 0
    """How many processes it may have at once, itself included."""
    grace_seconds: float = 2.0
    """How long `stop` waits for the program to end by itself."""
    stop_seconds: float = 1.0
    """How long `stop` waits after a SIGTERM before it kills."""
    watch_seconds: float = 0.5
    """How often memory and processes are looked at (ten times as often once half of the memory is used)."""
    words_bytes: int = 8192
    """How much of what it prints is kept."""


class EngineProcess:
    """A running engine program, in a session of its own.

    `on_exit` is called once, from the loop, with the exit status (or minus the signal's number) when the program ends
    before `stop` or `kill_now` is called. `on_limit` is called at most once, from the loop, with a sentence that says
    which limit was passed; what to do about it is the caller's to decide. If the kernel has ended the program for that,
    `on_limit` is called instead of `on_exit`.
    """

    def __init__(
        self,
        process: Process,
        box: Box,
        token: str,
        mark: int,
        limits: Limits,
        on_exit: Callable[[int], None],
        on_limit: Callable[[str], None],
        out: Tail | None,
        err: Tail,
    ) -> None:
        self.pid = process.pid
        self.status: int | None = None
        """The exit status, or minus the number of the signal that ended it; None while it runs."""
        self.protection = box.protection
        """Its protection."""
        self._process = process
        self._box = box
        self._token = token
        self._marks = (mark,) if mark else ()
        self._limits = limits
        self._on_exit = on_exit
        self._on_limit = on_limit
        self._out = out
        self._err = err
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._stopping = asyncio.Lock()
        self._dismissed = False
        self._reaped = False
        self._pidfd = -1
        self._watcher: asyncio.TimerHandle | None = None
        self._looks = 0
        self._told = False
        self._group: Group | None = None
        self._watch_exit()
        if box.news >= 0:
            self._loop.add_reader(box.news, self._begun)
        if limits.memory_bytes or limits.processes:
            self._watcher = self._loop.call_later(limits.watch_seconds, self._look)

    @classmethod
    def start(
        cls,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | os.PathLike[str] | None = None,
        limits: Limits = Limits(),  # noqa: B008 (it is frozen)
        on_exit: Callable[[int], None],
        on_limit: Callable[[str], None],
        stdio_wire: StdioWire | None = None,
        confinement: Confinement | None = None,
        on_listener: Callable[[socket.socket], None] | None = None,
    ) -> EngineProcess:
        """Start a program, never through a shell.

        Args:
            env: its whole environment, to which only GGTP_ENGINE is added.
            stdio_wire: a wire to attach to its standard input and output. Without one its input is empty and its
                output is kept with its last words.
            confinement: the sandbox that it runs in; None for a program that is ours.
            on_listener: takes the socket at which the engine connects from within a sandbox with a network of its own.

        Raises:
            EngineFailedToStart: with a sentence that says what is wrong with the command, or that there is no sandbox
                as strict as it has to be.
        """
        hide_memory()
        token = family.new_token()
        above = os.environ.get(family.VARIABLE)
        signs = {family.VARIABLE: f"{above}/{token}" if above else token}
        environment = {**env, **signs}
        if confinement is not None and (why := obstacle(argv, environment, cwd)):
            raise EngineFailedToStart(why)
        try:
            box = plain(argv, environment, cwd) if confinement is None else boxed(argv, env, cwd, confinement, signs)
        except OSError as error:
            raise EngineFailedToStart(why_not(argv, environment, cwd, error)) from error
        try:
            stdin = PIPE if stdio_wire else NOTHING
            process = spawn(
                box.argv,
                stdin=stdin,
                stderr=PIPE,
                env=box.env,
                cwd=box.cwd,
                apart=Apart.SESSION,
                handles=box.handles,
            )
            box.started()
        except (OSError, ValueError, IndexError) as error:
            box.close()
            box.remove()
            raise EngineFailedToStart(why_not(argv, environment, cwd, error)) from error
        mark = family.mark(process.pid)
        try:
            family.session_begins(process.pid, mark)
            _limit_resources(process.pid, limits if box.news < 0 else Limits(), box)
            err = Tail(_detach(process.stderr), limits.words_bytes)
            out = None if stdio_wire else Tail(_detach(process.stdout), limits.words_bytes)
            if stdio_wire is not None:
                stdio_wire.attach(_detach(process.stdout), _detach(process.stdin))
            engine = cls(process, box, token, mark, limits, on_exit, on_limit, out, err)
            if box.door >= 0 and on_listener is not None:
                engine._loop.add_reader(box.door, engine._handed, on_listener)
            return engine
        except OSError as error:  # we have no descriptor left for it
            process.kill()
            process.wait()
            box.close()
            box.remove()
            family.session_ends(process.pid, mark)
            raise EngineFailedToStart(f"{argv[0]} cannot be kept running: {error.strerror}.") from error

    def sees(self, path: str) -> bool:
        """Return whether a file at this path can be read by the program, as far as its sandbox goes."""
        return self._box.sees(path)

    def last_words(self) -> str:
        """The last lines that it wrote to standard error, else to standard output; without control characters."""
        self._err.finish()
        return self._err.text() or (self._out.text() if self._out else "")

    async def stop(self, *, kindly: bool = True) -> None:
        """See the program and all its processes to their end.

        It may take `grace_seconds` to end by itself and `stop_seconds` after a SIGTERM; then, or at once if not
        `kindly`, it is killed. Afterwards no process of it is left and nothing of it is open here. May be called at any
        time, and again.
        """
        self._dismissed = True
        async with self._stopping:
            if self._reaped:
                return
            try:
                if kindly:
                    await self._wait_for_exit(self._limits.grace_seconds)
                    if left := await self._family():
                        # Not to the sandbox: it would take the engine down with it, at once.
                        family.tell(left - self._sandbox(left), signal.SIGTERM)
                        await self._rest(self._limits.stop_seconds)
                await self._kill_all(looks=1 if kindly else MANY_LOOKS)
                if self._box.scratch:
                    with contextlib.suppress(RuntimeError):  # no more threads: it is removed when it is reaped
                        # An engine may have made a million files.
                        await self._loop.run_in_executor(None, self._box.remove)
            except asyncio.CancelledError:
                self.kill_now()
                raise
            self._reap()

    def kill_now(self) -> None:
        """Kill the program and all its processes, at once; for when there is no time, or no loop any more."""
        self._dismissed = True
        if self._reaped:
            return
        deadline = time.monotonic() + KILL_SECONDS
        if self._group is not None:
            self._group.kill()
        while (pids := self._alive(self._find_now())) and time.monotonic() < deadline:
            family.kill(pids)
            time.sleep(0.002)
        self._reap()

    # -- the end of it ------------------------------------------------------------------------------------------

    def _watch_exit(self) -> None:
        try:
            self._pidfd = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # not Linux, or an old one
            threading.Thread(target=self._wait_in_thread, daemon=True).start()
        else:
            self._loop.add_reader(self._pidfd, self._exited)

    def _begun(self) -> None:
        """The sandbox says which process is the first one in it, and waits until we let it start the engine."""
        if not self._box.hear(self._prepare):
            self._loop.remove_reader(self._box.news)
            self._box.heard_all()

    def _prepare(self, pid: int) -> None:
        """Set limits for the first process of the sandbox, and then let it start the engine."""
        _limit_resources(pid, self._limits, self._box)
        groups, limits = self._box.groups, self._limits
        if groups is not None:
            self._group = Group.make(groups, limits.memory_bytes, limits.processes, self._box.own)
        if self._group is None:
            self._grouped(entered=False)
            return
        try:  # in another thread: the kernel may take long to move a process, and those who play would wait with us
            entering = self._loop.run_in_executor(None, self._group.enter, pid)
        except RuntimeError:  # the system starts no more threads
            self._grouped(entered=self._group.enter(pid))
        else:
            entering.add_done_callback(lambda done: self._grouped(entered=not done.cancelled() and done.result()))

    def _grouped(self, *, entered: bool) -> None:
        """The first process of the sandbox is in its control group, or there is none: it starts the engine."""
        if not entered:
            self.protection = replace(self.protection, bounded=())
            if self._group is not None:
                self._group.remove()
                self._group = None
        self._box.go()

    def _handed(self, on_listener: Callable[[socket.socket], None]) -> None:
        """The sandbox has handed out the socket that it listens on."""
        self._loop.remove_reader(self._box.door)
        listener = self._box.listener()
        if listener is not None:
            on_listener(listener)

    def _wait_in_thread(self) -> None:
        with contextlib.suppress(OSError):
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._exited)

    def _exited(self) -> None:
        """The program has ended. It is not reaped yet, so that its number still stands for its session."""
        if self._ended.is_set() or not self._note_status():
            return
        self._stop_watching()
        self._err.finish()
        if self._out:
            self._out.finish()
        self._ended.set()
        if not self._dismissed and not self._limit_passed():
            self._on_exit(self.status or 0)

    def _limit_passed(self) -> bool:
        """Tell of a limit that the kernel has kept, unless one was told of; return whether that was to be done."""
        what = self._group.passed() if self._group is not None and not self._told else ""
        if what:
            self._tell(what)
        return bool(what)

    def _tell(self, what: str) -> None:
        self._watcher = None
        self._told = True
        self._on_limit(what)

    def _note_status(self) -> bool:
        try:
            result = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        except ChildProcessError:  # somebody else has reaped it
            self.status = 0
            return True
        if result is None:
            return False
        exited = result.si_code == os.CLD_EXITED
        self.status = self._box.status(result.si_status) if exited else -result.si_status
        return True

    def _stop_watching(self) -> None:
        for handle in (self._box.news, self._box.door):
            if handle >= 0:
                with contextlib.suppress(RuntimeError):  # the loop is closed already
                    self._loop.remove_reader(handle)
        self._box.close()
        if self._watcher is not None:
            self._watcher.cancel()
            self._watcher = None
        if self._pidfd >= 0:
            with contextlib.suppress(RuntimeError):  # the loop is closed already
                self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1

    async def _wait_for_exit(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()

    async def _rest(self, seconds: float) -> None:
        """Wait until no process is left, at most for that time."""
        deadline = self._loop.time() + seconds
        pause = 0.002
        while await self._family() and (left := deadline - self._loop.time()) > 0:
            await asyncio.sleep(min(left, pause))
            pause = min(2 * pause, 0.05)

    async def _kill_all(self, looks: int) -> None:
        """Kill until nobody was seen in so many looks; in a sandbox with processes of its own, in one."""
        deadline = self._loop.time() + KILL_SECONDS
        looks = 1 if self.protection.kind == "bubblewrap" else looks
        empty = 0
        if self._group is not None:
            self._group.kill()
        while self._loop.time() < deadline:
            if pids := await self._family():
                family.kill(pids)
                empty = 0
            else:
                empty += 1
                if empty >= looks:
                    return
            await asyncio.sleep(LOOK_AGAIN_SECONDS if empty else 0.002)

    def _find(self) -> asyncio.Future[set[int]]:
        """All of the engine's processes that there are, looked for in another thread.

        To look into a process is to wait for it where it is just changing its memory, and on a busy machine that may
        take longer than a move: those who play would wait with us.
        """
        try:
            return self._loop.run_in_executor(None, self._find_now)
        except RuntimeError:  # the system starts no more threads: better late than never
            found: asyncio.Future[set[int]] = self._loop.create_future()
            found.set_result(self._find_now())
            return found

    def _find_now(self) -> set[int]:
        group = self._group  # this may be another thread
        grouped = group.pids() if group is not None else set()
        return family.find(self._token, (self.pid,), self._marks) | grouped

    def _sandbox(self, pids: set[int]) -> set[int]:
        """Which of the processes are those of the sandbox itself."""
        return pids & {self.pid, self._box.first} if self._box.own else set()

    async def _family(self) -> set[int]:
        return self._alive(await self._find())

    def _alive(self, pids: set[int]) -> set[int]:
        if self.status is None and not self._note_status():
            pids.add(self.pid)  # also where there is no /proc
        return pids

    def _reap(self) -> None:
        self._reaped = True
        self._stop_watching()
        if ended(self._process, 0.1) is not None:
            family.session_ends(self.pid, *self._marks)
        self._box.remove()
        if self._group is not None:
            self._group.remove()
        self._err.finish()
        self._err.close()
        if self._out:
            self._out.finish()
            self._out.close()
        self._ended.set()

    # -- limits -------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """See which processes there are, and go on with that."""
        if self._limit_passed():
            return
        self._looks += 1
        if self._looks % THOROUGH == 0:
            self._find().add_done_callback(self._found)
        else:
            self._compare(family.descendants(self.pid))

    def _found(self, looked: asyncio.Future[set[int]]) -> None:
        if self._watcher is not None and not looked.cancelled():  # it may have ended meanwhile
            self._compare(looked.result() | family.descendants(self.pid))

    def _compare(self, pids: set[int]) -> None:
        """Compare what the engine uses with what it may, and come back."""
        limits = self._limits
        seconds = limits.watch_seconds
        count = len(pids) - len(self._sandbox(pids))
        if limits.processes and count > limits.processes:
            self._tell(f"It has {count} processes, but engine_processes allows only {limits.processes}.")
            return
        if limits.memory_bytes:
            kept = kept_bytes(pids, self._box.first, self._box.memory)
            used = family.memory_bytes(pids, limits.memory_bytes, kept)
            if used > limits.memory_bytes:
                most = limits.memory_bytes >> 20
                self._tell(f"It uses {used >> 20} MiB of memory, but engine_memory allows only {most}.")
                return
            if used > limits.memory_bytes // 2:
                seconds /= 10
        self._watcher = self._loop.call_later(seconds, self._look)


def _detach(pipe: IO[bytes] | None) -> int:
    """The descriptor of a pipe, now ours to close."""
    assert pipe is not None
    fd = os.dup(pipe.fileno())
    pipe.close()
    return fd


def _limit_resources(pid: int, limits: Limits, box: Box) -> None:
    """Set what the kernel can enforce by itself. From outside: code between fork and exec is unsafe with threads.

    Args:
        pid: the process.
        limits: what the engine may use.
        box: the sandbox that it is in.
    """
    wanted = [(resource.RLIMIT_CORE, 0)]
    if limits.memory_bytes:
        # A stopper for what grows faster than we look. It counts memory that was asked for but never used, such as
        # the stacks of threads, so it has to be well above the limit itself.
        wanted.append((resource.RLIMIT_DATA, limits.memory_bytes * 3 // 2 + (256 << 20)))
    if limits.processes and os.geteuid() != 0:
        # It counts all threads of the user, ours and strangers', and does not hold for root.
        # In a sandbox it counts those of the sandbox only.
        others = 0 if box.own else family.threads_of_user(os.geteuid())
        wanted.append((resource.RLIMIT_NPROC, others + limits.processes + MANY_THREADS))
    if box.file_bytes:
        wanted += [(resource.RLIMIT_FSIZE, box.file_bytes), (resource.RLIMIT_NOFILE, MOST_HANDLES)]
    for which, value in wanted:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # it has ended, or the hard limit is lower
            resource.prlimit(pid, which, (value, value))
