"""Work in a thread, or in a copy of this process: it is handed requests, tells results, and ends when we do."""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import queue
import select
import signal
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any, Protocol, TypeAlias

from ggtp.processes.forked import copy, keep_only

Work: TypeAlias = Callable[[Any, Callable[[], bool], Callable[[Any], None]], None]
"""Does what a request says: it is handed the request, what to ask whether to stop, and whom to tell of results."""

_HEAD = 8
"""The bytes that tell a message's length."""


class Said(Enum):
    """What is heard of a worker."""

    TOLD = "a result"
    ENDED = "the work is done"
    GONE = "nobody is there any more"


News: TypeAlias = tuple[Said, int, Any]
"""What was said, to which request, and the result, where it is one."""


class Worker(Protocol):
    """One who works, seen from the watcher."""

    def ask(self, ticket: int, deadline: float | None, request: Any) -> None:
        """Hand over a request."""

    def hear(self, seconds: float) -> News | None:
        """What was said next; None if that takes longer."""

    def stop(self) -> None:
        """Let the work that is being done end soon."""

    def end(self) -> None:
        """Have nothing more to do with it."""


class ThreadWorker:
    """A worker in a thread of this process."""

    def __init__(self, make: Callable[[], Work]) -> None:
        self._requests: queue.SimpleQueue[tuple[int, float | None, Any] | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[News] = queue.SimpleQueue()
        self._wanted = 0
        # A daemon: the process does not wait for work that nobody wants.
        threading.Thread(target=self._run, args=(make,), name="worker", daemon=True).start()

    def ask(self, ticket: int, deadline: float | None, request: Any) -> None:
        self._wanted = ticket
        self._requests.put((ticket, deadline, request))

    def hear(self, seconds: float) -> News | None:
        try:
            return self._said.get(timeout=seconds)
        except queue.Empty:
            return None

    def stop(self) -> None:
        self._wanted = 0

    def end(self) -> None:
        self.stop()
        self._requests.put(None)

    def _run(self, make: Callable[[], Work]) -> None:
        try:
            work = make()
            while (asked := self._requests.get()) is not None:
                ticket, deadline, request = asked

                def should_stop(ticket: int = ticket, deadline: float | None = deadline) -> bool:
                    return self._wanted != ticket or (deadline is not None and time.monotonic() >= deadline)

                def publish(result: Any, ticket: int = ticket) -> None:
                    self._said.put((Said.TOLD, ticket, result))

                work(request, should_stop, publish)
                self._said.put((Said.ENDED, ticket, None))
        except Exception:  # noqa: BLE001  whatever it was, the watcher goes on with another worker
            traceback.print_exc()
            self._said.put((Said.GONE, 0, None))


class ProcessWorker:
    """A worker in a process of its own, which ends with this one."""

    def __init__(self, make: Callable[[], Work]) -> None:
        asked, self._asking = os.pipe()
        self._heard, saying = os.pipe()
        self._wanted = mmap.mmap(-1, mmap.PAGESIZE)
        """Memory of both: the number of the request that is wanted, modulo 256, or 0."""
        self._bytes = bytearray()
        _bury()
        self._parent = os.getpid()
        self._there = True
        self._pid = copy(own_session=False, ends_with_parent=True)
        if self._pid == 0:
            _be_a_worker(make, asked, saying, self._wanted)
        os.close(asked)
        os.close(saying)
        os.set_blocking(self._heard, False)
        self._ended = False

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._pid

    def ask(self, ticket: int, deadline: float | None, request: Any) -> None:
        self._wanted[0] = _mark(ticket)
        # A worker who is gone is noticed when nothing is heard of it.
        with suppress(BrokenPipeError):
            _send(self._asking, (ticket, deadline, request))

    def hear(self, seconds: float) -> News | None:
        found = self._next()
        if found is None and not self._ended:
            ready = select.poll()
            ready.register(self._heard, select.POLLIN)
            if ready.poll(max(0, round(seconds * 1000))):
                self._read()
                found = self._next()
        return (Said.GONE, 0, None) if found is None and self._ended else found

    def _read(self) -> None:
        with suppress(BlockingIOError):
            while True:
                data = os.read(self._heard, 1 << 16)
                if not data:
                    self._ended = True
                    return
                self._bytes += data

    def _next(self) -> News | None:
        held = self._bytes
        length = int.from_bytes(held[:_HEAD], "little")
        if len(held) < _HEAD + max(1, length):
            return None
        found = pickle.loads(held[_HEAD : _HEAD + length])
        del held[: _HEAD + length]
        kind, ticket, what = found
        return kind, ticket, what

    def stop(self) -> None:
        self._wanted[0] = 0

    def __del__(self) -> None:
        # Not in a child that has inherited this object.
        if getattr(self, "_there", False) and os.getpid() == self._parent:
            self.end()

    def end(self) -> None:
        if not self._there:
            return
        self._there = False
        os.close(self._asking)
        os.close(self._heard)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        self._wanted.close()
        _ended.append(self._pid)
        _bury()


_ended: list[int] = []
"""Processes that were killed and have not ended yet: on a busy machine that takes longer than anybody can wait."""


def _bury() -> None:
    """Let the system forget processes that have ended."""
    for pid in list(_ended):
        with suppress(ChildProcessError):
            if os.waitpid(pid, os.WNOHANG)[0] == 0:
                continue
        with suppress(ValueError):
            _ended.remove(pid)


def _mark(ticket: int) -> int:
    """A number from 1 to 255 for a request."""
    return ticket % 255 + 1


def _send(handle: int, message: Any) -> None:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    left = memoryview(len(data).to_bytes(_HEAD, "little") + data)
    while left:
        left = left[os.write(handle, left) :]


def _receive(handle: int) -> Any:
    """The next message.

    Raises:
        EOFError: there will be none.
    """
    return pickle.loads(_exactly(handle, int.from_bytes(_exactly(handle, _HEAD), "little")))


def _exactly(handle: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = os.read(handle, count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def _be_a_worker(make: Callable[[], Work], asked: int, saying: int, wanted: mmap.mmap) -> None:
    """What the new process does; it never returns."""
    status = 1
    try:
        _let_go(asked, saying)
        work = make()
        while True:
            ticket, deadline, request = _receive(asked)
            mark = _mark(ticket)

            def should_stop(mark: int = mark, deadline: float | None = deadline) -> bool:
                return wanted[0] != mark or (deadline is not None and time.monotonic() >= deadline)

            def publish(result: Any, ticket: int = ticket) -> None:
                _send(saying, (Said.TOLD, ticket, result))

            work(request, should_stop, publish)
            _send(saying, (Said.ENDED, ticket, None))
    except (EOFError, BrokenPipeError):
        status = 0  # nobody is there to work for
    except BaseException:  # noqa: BLE001  whatever it was, this process must end here
        with suppress(OSError):
            os.write(2, traceback.format_exc().encode(errors="replace"))
    finally:
        os._exit(status)


def _let_go(asked: int, saying: int) -> None:
    """Let go of what the parent holds open."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1):
        os.dup2(nothing, handle)
    keep_only(asked, saying)
    # What was there before is not looked at again, so that both processes go on sharing it.
    gc.freeze()
