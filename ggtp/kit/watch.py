"""Somebody who works, and somebody who watches the clock: an answer is there in time, whatever the work does.

The work is done in a process of its own, made from this one by `fork`, so that nothing that it
runs into can keep the watcher from answering: not a call that never returns, not one that holds
the interpreter's lock. Work that lets go of that lock and always returns can be done in a thread,
which is also what is done where the system has no `fork`.

A worker keeps what it likes between requests. One that does not come back is given up, and the
next request begins with a new one.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import queue
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeAlias

from ggtp.kit.engine import Budget

Work: TypeAlias = Callable[[Any, Callable[[], bool], Callable[[Any], None]], None]
"""Does what a request says: it is handed the request, what to ask whether to stop, and whom to tell of results."""

GRACE = 0.004
"""Seconds that a worker has, once its time is over, to say that it has ended."""
LOOKS = 0.02
"""Seconds between two looks at whether the answer is still wanted."""
LAGS = 2
LAG_SHARE = 0.6
"""How many times the lateness that was seen is kept back, and at most what share of the time."""
FIRST_LAG = 0.008
"""The lateness in seconds that is expected before any was seen."""
LAG_FADES = 0.95
"""What is left of it after another answer that was in time."""
LAST_WORDS = 8
"""How many results are listened to after that."""
PATIENCE = 0.25
"""The share of a request's time that a worker has which is still busy with the request before."""
WAITS = 5.0
"""Seconds that it has where a request has all the time in the world."""

POLLS = 0.002
"""Seconds between two questions whether to stop."""

_HEAD = 8
_ENDED = "ended"
_TOLD = "told"
_GONE = "gone"


class Worker(Protocol):
    """One who works, seen from the watcher."""

    def ask(self, ticket: int, deadline: float | None, request: Any) -> None:
        """Hand over a request."""

    def hear(self, seconds: float) -> tuple[str, int, Any] | None:
        """What was said next: `told` or `ended`, to which request, and what; `gone` when nobody is there any more."""

    def stop(self) -> None:
        """Let the work that is being done end soon."""

    def end(self) -> None:
        """Have nothing more to do with it."""


class Watched:
    """Work with a watcher. One request at a time; `ask` may be called in any thread, but not in two at once."""

    def __init__(self, make: Callable[[], Work], *, isolated: bool) -> None:
        """A worker who begins when there is something to do.

        Args:
            make: makes the work; called in the process or thread where it is done, again whenever there is a new one.
            isolated: whether to take a process, where the system can.
        """
        self._make = make
        self._isolated = isolated and sys.platform == "linux"
        self._worker: Worker | None = None
        self._ticket = 0
        self._busy = False
        """Whether the worker has not ended what it was last asked."""
        self.begun = 0
        """How many workers there were."""
        self._lag = FIRST_LAG
        """By how many seconds answers were late lately, since the machine was busy with something else."""

    def begin(self) -> None:
        """Have a worker ready."""
        if self._worker is None:
            self._worker = ProcessWorker(self._make) if self._isolated else ThreadWorker(self._make)
            self._busy = False
            self.begun += 1

    def ask(self, request: Any, budget: Budget, told: Callable[[Any], None] | None = None) -> Any | None:
        """The last result that was told before the work ended or its time was over; None where there was none.

        `told` is called with each of them as it comes.

        Whatever the work does, this returns within a few milliseconds of the budget's deadline; earlier on a machine
        that was seen to be so busy that those who sleep are woken late.
        """
        remaining = budget.remaining()
        if remaining is not None and not budget.request:
            # Once for the way to us, and once for the way back.
            budget.limit(remaining - min(LAGS * self._lag, LAG_SHARE * remaining))
        self._settle(budget)
        self.begin()
        worker = self._worker
        assert worker is not None
        self._ticket += 1
        worker.ask(self._ticket, budget.deadline, request)
        self._busy = True
        result = self._listen(worker, budget, told)
        if self._busy:
            worker.stop()
        if budget.deadline is not None:
            self._lag = max(LAG_FADES * self._lag, budget.late())
        return result

    def end(self) -> None:
        """Have no worker any more."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _listen(self, worker: Worker, budget: Budget, told: Callable[[Any], None] | None) -> Any | None:
        result = None
        late = 0
        while late < LAST_WORDS and not budget.withdrawn:
            remaining = budget.remaining()
            late += remaining == 0
            wait = LOOKS if remaining is None else min(LOOKS, remaining + GRACE)
            heard = worker.hear(wait)
            if heard is None:
                if remaining == 0:
                    return result
                continue
            kind, ticket, what = heard
            if kind == _GONE:
                self.end()
                self._busy = False
                return result
            if ticket != self._ticket:
                continue
            if kind == _ENDED:
                self._busy = False
                return result
            result = what
            if told is not None:
                told(what)
        return result

    def _settle(self, budget: Budget) -> None:
        """See that nobody is busy with an old request; who can't let go of it is given up."""
        worker = self._worker
        if worker is None or not self._busy:
            return
        remaining = budget.remaining()
        until = time.monotonic() + (WAITS if remaining is None else PATIENCE * remaining)
        while True:
            left = until - time.monotonic()
            heard = worker.hear(max(0.0, min(LOOKS, left)))
            if heard is not None and heard[0] == _ENDED and heard[1] == self._ticket:
                self._busy = False
                return
            if (heard is not None and heard[0] == _GONE) or left <= 0 or budget.withdrawn:
                self.end()
                return


@contextmanager
def polled(should_stop: Callable[[], bool], stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when `should_stop` says so, from another thread: for work in machine code, which can't ask itself.

    It is called again and again until the work is done, since the work may just be beginning something.
    """
    done = threading.Event()

    def poll() -> None:
        while not done.wait(POLLS):
            if should_stop():
                stop()

    poller = threading.Thread(target=poll, name="poller", daemon=True)
    poller.start()
    try:
        yield
    finally:
        done.set()
        poller.join()


class ThreadWorker:
    """A worker in a thread of this process."""

    def __init__(self, make: Callable[[], Work]) -> None:
        self._requests: queue.SimpleQueue[tuple[int, float | None, Any] | None] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[tuple[str, int, Any]] = queue.SimpleQueue()
        self._wanted = 0
        # A daemon: the process does not wait for work that nobody wants.
        threading.Thread(target=self._run, args=(make,), name="worker", daemon=True).start()

    def ask(self, ticket: int, deadline: float | None, request: Any) -> None:
        self._wanted = ticket
        self._requests.put((ticket, deadline, request))

    def hear(self, seconds: float) -> tuple[str, int, Any] | None:
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
                    self._said.put((_TOLD, ticket, result))

                work(request, should_stop, publish)
                self._said.put((_ENDED, ticket, None))
        except Exception:  # noqa: BLE001  whatever it was, the watcher goes on with another worker
            traceback.print_exc()
            self._said.put((_GONE, 0, None))


class ProcessWorker:
    """A worker in a process of its own, which ends with this one."""

    def __init__(self, make: Callable[[], Work]) -> None:
        # Here, and not in the new process: if another thread is just loading it, that one would wait for ever.
        import ctypes

        asked, self._asking = os.pipe()
        self._heard, saying = os.pipe()
        self._wanted = mmap.mmap(-1, mmap.PAGESIZE)
        """Memory of both: the number of the request that is wanted, modulo 256, or 0."""
        self._bytes = bytearray()
        _bury()
        self._parent = parent = os.getpid()
        self._there = True
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            _be_a_worker(make, asked, saying, self._wanted, parent, ctypes.CDLL)
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

    def hear(self, seconds: float) -> tuple[str, int, Any] | None:
        found = self._next()
        if found is None and not self._ended:
            ready = select.poll()
            ready.register(self._heard, select.POLLIN)
            if ready.poll(max(0, round(seconds * 1000))):
                self._read()
                found = self._next()
        return (_GONE, 0, None) if found is None and self._ended else found

    def _read(self) -> None:
        with suppress(BlockingIOError):
            while True:
                data = os.read(self._heard, 1 << 16)
                if not data:
                    self._ended = True
                    return
                self._bytes += data

    def _next(self) -> tuple[str, int, Any] | None:
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


def _be_a_worker(
    make: Callable[[], Work], asked: int, saying: int, wanted: mmap.mmap, parent: int, library: Callable[[None], Any]
) -> None:
    """What the new process does; it never returns."""
    status = 1
    try:
        _come_of_age(asked, saying, parent, library)
        work = make()
        while True:
            ticket, deadline, request = _receive(asked)
            mark = _mark(ticket)

            def should_stop(mark: int = mark, deadline: float | None = deadline) -> bool:
                return wanted[0] != mark or (deadline is not None and time.monotonic() >= deadline)

            def publish(result: Any, ticket: int = ticket) -> None:
                _send(saying, (_TOLD, ticket, result))

            work(request, should_stop, publish)
            _send(saying, (_ENDED, ticket, None))
    except (EOFError, BrokenPipeError):
        status = 0  # nobody is there to work for
    except BaseException:  # noqa: BLE001  whatever it was, this process must end here
        with suppress(OSError):
            os.write(2, traceback.format_exc().encode(errors="replace"))
    finally:
        os._exit(status)


def _come_of_age(asked: int, saying: int, parent: int, library: Callable[[None], Any]) -> None:
    """Let go of what the parent holds open, and arrange to end with it."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        library(None).prctl(1, int(signal.SIGKILL), 0, 0, 0)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        raise EOFError
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1):
        os.dup2(nothing, handle)
    low, high = sorted((asked, saying))
    os.closerange(3, low)
    os.closerange(low + 1, high)
    os.closerange(high + 1, os.sysconf("SC_OPEN_MAX"))
    # What was there before is not looked at again, so that both processes go on sharing it.
    gc.freeze()
