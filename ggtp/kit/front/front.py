"""The front of an engine: a small process that has nothing to do but to pass on lines and to look at the clock.

Whoever thinks hard waits for a processor on a busy machine, and a program that loads, compiles or collects garbage
waits for itself. A process that mostly sleeps is woken at once. So an engine that is `guarded` is two processes: the
front, which talks to the referee, and the engine proper, behind it. The engine notes the best move that it knows on a
slate, better ones as it finds them, and answers by itself when it is done; when it is not, and time is nearly over,
the front answers with what is on the slate. Until the engine has shown that it is quick to note something, a spare
process follows the play, too.

A request is a `have_to_play`, and they are numbered. The engine puts the number before the move that it chooses, so
that a move which comes after the front has answered is not sent. A move counts only after what was said before it is
acknowledged: if the engine has not come so far, the front does that, too, and keeps the engine's own words back.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

from ggtp.errors import ConnectionLost, RemoteProtocolError
from ggtp.game import Rules
from ggtp.kit.front.processors import Waits, halves, stay_on, want_soon
from ggtp.kit.front.shared_move import Slate
from ggtp.kit.front.spare import LATER, NOW, follow
from ggtp.kit.session import HAVE_TO_PLAY, milliseconds, read_command
from ggtp.kit.settings import RULE, RULE_TEXT
from ggtp.processes.forked import copy
from ggtp.protocol.codec import encode_answer
from ggtp.protocol.commands import ENGINE
from ggtp.protocol.messages import ACKNOWLEDGE, Answer, AnswerKind, Command
from ggtp.transport.client import NO_LIMIT, Channel, StreamChannel, Waker
from ggtp.transport.lines import LineFraming

READY = b"ready"
"""What the engine says first, to the front alone."""
MARGIN_LEAST, MARGIN_SHARE, MARGIN_MOST = 0.016, 0.1, 0.6
"""What the front keeps back of a move's time: seconds at least, which is less than what the engine itself keeps back,
and shares of it."""
FIRST_LAG, LAGS, LAG_FADES = 0.004, 2, 0.98
"""The lateness in seconds with which the front is woken, before any was seen; how many times that is kept back; and
what is left of it after a time that was better."""
REHEARSED = 0.3
"""The share of the time after which the front wakes up once without need: to see how late it is woken, and whether
the engine has noted something."""
FOR_EVER = 1e9
"""Milliseconds from which on nobody looks at the clock."""
AGAIN = 0.001
"""Seconds after which to look again for a move where there was none."""
TRUSTED = 12
"""After how many requests in a row for which the engine had noted something soon the spare process is at rest; it
begins again after one for which it had not."""
SPARE_BYTES = 1 << 20
"""How much the spare process may be behind before it is given up."""

ACKNOWLEDGED = frozenset(name for name, spec in ENGINE.items() if spec.changes)
"""What is always acknowledged."""
WITHDRAWS = ACKNOWLEDGED | {"disconnect_engine", "set_option"}
"""After these, the front leaves an open request to the engine, which knows whether it is still wanted."""
_ACKNOWLEDGE = encode_answer(ACKNOWLEDGE)
_MESSAGE = AnswerKind.TELL_MESSAGE.value.encode()


def part(find_rules: Callable[[str], Rules], *, spare: bool = True) -> tuple[Slate, Channel] | Rear:
    """Part into a front and an engine. No thread may run yet.

    Args:
        find_rules: finds rules by name or path.
        spare: whether there is to be a spare process.

    Returns:
        In the engine's process, its slate and its channel; in the front's, the engine.
    """
    slate, spare_slate = Slate(), Slate()
    to_spare, spare_pid = _start_spare(spare_slate, find_rules) if spare else (-1, 0)
    engine_reads, front_writes = os.pipe()
    front_reads, engine_writes = os.pipe()
    try:
        pid = _copy()
    except OSError:
        if spare:
            os.close(to_spare)  # it ends then
        raise
    if pid:
        os.close(engine_reads)
        os.close(engine_writes)
        return Rear(pid, front_writes, front_reads, slate, spare_pid, to_spare, spare_slate)
    for handle in (front_writes, front_reads, *([to_spare] if spare else [])):
        os.close(handle)
    _hide_standard_streams()
    return slate, StreamChannel(engine_reads, engine_writes, LineFraming(NO_LIMIT))


class Rear:
    """The engine proper and the spare process, seen from the front."""

    def __init__(
        self, pid: int, writes: int, reads: int, slate: Slate, spare: int, to_spare: int, spare_slate: Slate
    ) -> None:
        self.pid = pid
        self.slate = slate
        self.handle = reads
        """Where the engine is heard."""
        self._in = writes
        self._framing = LineFraming(NO_LIMIT)
        self._spare, self._to_spare, self._spare_slate = spare, to_spare, spare_slate
        self._trust = 0
        """For how many requests in a row the engine has noted something soon."""

    def ready(self) -> bool:
        """Wait until the engine is there; False where it has ended instead."""
        while (lines := self.read()) is not None:
            if lines:
                return lines[0] == READY
        return False

    def read(self) -> list[bytes] | None:
        """Lines of the engine; waits for some bytes. None where it has ended."""
        data = os.read(self.handle, 1 << 16)
        return self._framing.feed(data) if data else None

    def tell(self, line: bytes, command: Command | None, request: int) -> None:
        """Pass on a line of the referee, and what it means, if anything."""
        with suppress(BrokenPipeError):  # that it has ended is seen elsewhere
            _write(self._in, line + b"\n")
        if command is not None and self._to_spare >= 0:
            if command.name == "set_option" and command.args and command.args[0].lower() in (RULE, RULE_TEXT):
                self._trust = 0
            how = LATER if self._trust >= TRUSTED else NOW
            self._tell_spare(b"%d %b %b\n" % (request, how, line))

    def _tell_spare(self, line: bytes) -> None:
        with suppress(OSError):
            if os.write(self._to_spare, line) == len(line):
                return
        # It is gone, or too far behind to be of use.
        os.close(self._to_spare)
        self._to_spare = -1

    def rehearse(self, request: int) -> None:
        """See whether the engine has noted something for a request already."""
        self._trust = self._trust + 1 if self.slate.read(request) is not None else 0

    def best(self, request: int) -> str | None:
        """The best move that is known for a request; None where there is none."""
        return self.slate.read(request) or self._spare_slate.read(request)

    def hang_up(self) -> None:
        """Let both end by themselves."""
        for handle in (self._in, self._to_spare):
            if handle >= 0:
                with suppress(OSError):
                    os.close(handle)
        self._in = self._to_spare = -1

    def end(self) -> int:
        """Wait for the engine's end, see to that of the spare process, and say how it ended: an exit status."""
        _, status = os.waitpid(self.pid, 0)
        if self._spare:
            with suppress(ProcessLookupError):
                os.kill(self._spare, signal.SIGKILL)
            os.waitpid(self._spare, 0)
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            # Whoever looks at us is to see what happened.
            with suppress(OSError):
                signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        return code


class Front:
    """Passes lines on in both directions, and answers when time is nearly over."""

    def __init__(self, rear: Rear, channel: Channel, clock: Callable[[], float] = time.monotonic) -> None:
        self._rear = rear
        self._channel = channel
        self._clock = clock
        self._lock = threading.Lock()
        self._wakers = (Waker(), Waker())
        """Of the thread that listens to the engine, and of the one that looks at the clock alone."""
        self._request = 0
        """The number of the last one."""
        self._open: set[int] = set()
        """Those that are not answered."""
        self._due: float | None = None
        """When the last one has to be."""
        self._rehearsal: float | None = None
        self._lag = FIRST_LAG
        self._owed: deque[str] = deque()
        """What the referee has said and the engine has not answered; empty where we have answered instead."""

    def serve(self) -> int:
        """Go on until the referee or the engine has ended, and return the program's exit status."""
        want_soon()
        # One processor of a machine may stand still for longer than a move has. Not both at the same moment.
        listener, second = self._wakers
        ours, others = halves()
        threading.Thread(target=self._listen, args=(listener, ours), name="listen", daemon=True).start()
        if others:
            threading.Thread(target=self._watch, args=(second, others), name="watch", daemon=True).start()
        rear, waits = self._rear, Waits()
        before = waits.seconds()
        while (line := self._channel.receive()) is not None:
            try:
                command = read_command(line)
            except RemoteProtocolError:
                command = None  # the engine will say what it thinks of it
            asked = command is not None and command.name == HAVE_TO_PLAY
            with self._lock:
                if command is not None:
                    self._asked(command, waits.seconds() - before) if asked else self._heard(command)
            rear.tell(line, command, self._request)
            if asked:
                for waker in self._wakers:
                    waker.wake()
                self._look()  # if we were woken so late that it is due already
            before = waits.seconds()
        rear.hang_up()
        return rear.end()

    def _heard(self, command: Command) -> None:
        self._owed.append(command.name)
        if command.name in WITHDRAWS:
            self._due = self._rehearsal = None
        if command.name in ACKNOWLEDGED:
            self._open.clear()  # what the engine says before it has heard this is stale

    def _asked(self, command: Command, late: float) -> None:
        """Begin a request which came so many seconds ago, while we waited for a processor."""
        self._request += 1
        self._open.add(self._request)
        self._due = self._rehearsal = None
        delay = milliseconds(command.args[0]) if command.args else None
        if delay is not None and delay < FOR_EVER:
            seconds = delay / 1000
            now = self._clock() - min(late, seconds)
            margin = max(MARGIN_LEAST, MARGIN_SHARE * seconds) + LAGS * self._lag
            self._due = now + seconds - min(margin, MARGIN_MOST * seconds)
            self._rehearsal = now + REHEARSED * seconds

    def _listen(self, waker: Waker, processors: frozenset[int]) -> None:
        """Listen to the engine, and look at the clock."""
        want_soon()
        stay_on(processors)
        with suppress(ConnectionLost, OSError):
            ready = select.poll()
            ready.register(self._rear.handle, select.POLLIN)
            ready.register(waker.fd, select.POLLIN)
            while True:
                happened = self._wait(ready, waker)
                if self._rear.handle in happened:
                    lines = self._rear.read()
                    if lines is None:
                        break
                    for line in lines:
                        self._said(line)
                self._look()
        self._channel.close()  # which ends the other threads

    def _watch(self, waker: Waker, processors: frozenset[int]) -> None:
        """Look at the clock."""
        want_soon()
        stay_on(processors)
        with suppress(ConnectionLost, OSError):
            ready = select.poll()
            ready.register(waker.fd, select.POLLIN)
            while True:
                self._wait(ready, waker)
                self._look()

    def _wait(self, ready: select.poll, waker: Waker) -> list[int]:
        """Wait until something has happened, or is due; what can be read."""
        until = self._next()
        left = None if until is None else max(0.0, until - self._clock()) * 1000
        happened = [handle for handle, _ in ready.poll(left)]
        if waker.fd in happened:
            waker.clear()
        return happened

    def _next(self) -> float | None:
        with self._lock:
            wanted = self._request in self._open
            return min((each for each in (self._rehearsal, self._due) if each is not None and wanted), default=None)

    def _said(self, line: bytes) -> None:
        with self._lock:
            if line[:1].isdigit():
                number, _, line = line.partition(b" ")
                if int(number) not in self._open:
                    return
                self._open.remove(int(number))
            elif not line.startswith(_MESSAGE) and self._owed and not self._owed.popleft():
                return
            self._channel.send(line)

    def _look(self) -> None:
        """Do what is due."""
        with self._lock:
            now = self._clock()
            if self._request not in self._open:
                return
            if self._rehearsal is not None and now >= self._rehearsal:
                self._woken(now - self._rehearsal)
                self._rehearsal = None
                self._rear.rehearse(self._request)
            if self._due is not None and now >= self._due:
                self._woken(now - self._due)
                move = self._rear.best(self._request)
                if move is None or not all(name in ACKNOWLEDGED for name in self._owed if name):
                    self._due = now + AGAIN
                    return
                self._open.remove(self._request)
                self._due = None
                for _ in filter(None, self._owed):
                    self._channel.send(_ACKNOWLEDGE)
                self._owed = deque([""] * len(self._owed))
                self._channel.send(encode_answer(Answer(AnswerKind.SELECT_MOVE, move)))
                self._channel.flush()

    def _woken(self, late: float) -> None:
        self._lag = max(LAG_FADES * self._lag, late)


def _start_spare(slate: Slate, find_rules: Callable[[str], Rules]) -> tuple[int, int]:
    """The handle to write to the spare process, and its number."""
    said, to_spare = os.pipe()
    pid = _copy()
    if pid:
        os.close(said)
        os.set_blocking(to_spare, False)
        with suppress(OSError, AttributeError):
            import fcntl

            fcntl.fcntl(to_spare, fcntl.F_SETPIPE_SZ, SPARE_BYTES)
        return to_spare, pid
    try:
        os.close(to_spare)
        _hide_standard_streams()
        follow(_lines(said), slate, find_rules)
    finally:
        os._exit(0)  # its trouble is nobody's


def _lines(handle: int) -> Iterator[bytes]:
    framing = LineFraming(NO_LIMIT)
    while data := os.read(handle, 1 << 16):
        yield from framing.feed(data)


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _copy() -> int:
    """A copy that is apart from us, but ends when we do; its number, and 0 in the copy.

    Linux shares processors among sessions first (`sched_autogroup`): in a session with somebody who computes, even a
    process that only sleeps waits its turn to be woken.
    """
    return copy(own_session=True, ends_with_parent=True)


def _hide_standard_streams() -> None:
    """The standard streams belong to the front: what is printed by mistake goes to standard error."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
