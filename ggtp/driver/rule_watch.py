"""Rules that compute without end: they are named after some seconds, and a signal or a limit gives them up.

A rule computes in the thread of the event loop, so that neither the loop nor its signal callbacks run meanwhile. A
second thread looks at the stack of that thread now and then, and asks it by a signal to give the call up; the signal's
handler raises in the middle of the rule, where the guard makes a failure of it (`ggtp.game.guard`).

A rule in C that does not return to Python can be named, but not interrupted.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType, TracebackType
from typing import Any, TypeAlias

from ggtp.game.guard import Call, RuleInterrupted, current_call

LOOK_SECONDS = 0.25
"""How often the stack is looked at."""
NOTICE_SECONDS = 3.0
"""A call that takes longer is named."""
HASTE_SECONDS = 1.0
"""A signal gives up calls that take longer. Others end by themselves, and the signal is attended to after them."""
ASK = signal.SIGALRM
"""What the watching thread sends to the one that computes: to give the call up."""
_Handler: TypeAlias = Callable[[int, FrameType | None], Any] | int | None


class RuleWatch:
    """Watches the thread that it is made in, from `with` to its end."""

    def __init__(
        self,
        notice: Callable[[str], None],
        ended: Callable[[], object] = lambda: None,
        *,
        limit: float | None = None,
        hint: str = "",
        find: Callable[[FrameType | None], Call | None] = current_call,
    ) -> None:
        """A watch that does not look yet.

        Args:
            notice: is told, by another thread, which rule and method have been computing for some seconds.
            ended: is told, by another thread, that the call of which `notice` was told has ended.
            limit: the seconds after which a call is given up; None for no limit.
            hint: is added to what `notice` is told: how to give the call up, say.
            find: says which call is running, given the innermost frame of the thread.
        """
        self._notice, self._ended = notice, ended
        self._limit = limit
        self._hint = hint
        self._find = find
        self._watched = threading.get_ident()
        self._call: Call | None = None
        """What was running at the last look. It holds its frame, so that no other call has the same one."""
        self._since = 0.0
        self._noticed = False
        self._wanted = False
        """Whether a signal came while a call was running that had not yet lasted long."""
        self._gave_up = False
        self._before: _Handler = None
        """What was done at the signal by which calls are given up."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rule watch", daemon=True)

    def __enter__(self) -> RuleWatch:
        if self._limit is not None:
            self._be_asked()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        if self._before is not None:
            signal.signal(ASK, self._before)

    def _be_asked(self) -> None:
        self._before = signal.signal(ASK, self._interrupt)

    def heed(self, callbacks: Mapping[signal.Signals, Callable[[], None]]) -> None:
        """Have the running loop call these at signals, also at those that come while a rule computes.

        Raises:
            ValueError: this is not the main thread, which alone hears signals.
        """
        loop = asyncio.get_running_loop()
        if self._before is None:
            self._be_asked()
        for number, callback in callbacks.items():
            loop.add_signal_handler(number, self._attend, callback)
            # The loop goes on hearing of the signal through its wakeup descriptor, whatever the handler is.
            signal.signal(number, self._interrupt)
            signal.siginterrupt(number, False)

    def gave_up(self) -> bool:
        """Return whether a signal has given a call up since this was asked last."""
        gave_up, self._gave_up = self._gave_up, False
        return gave_up

    def _attend(self, callback: Callable[[], None]) -> None:
        self._wanted = False
        callback()

    # By signals, in the thread that is watched.

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Give up the call that is running, if it has been for long."""
        call = self._find(frame)
        if call is None:
            return
        known = self._call
        lasted = time.monotonic() - self._since if known is not None and known.frame is call.frame else 0.0
        self._wanted = self._wanted or number != ASK
        if self._wanted and lasted >= HASTE_SECONDS:
            self._wanted = False
            self._gave_up = True
            raise RuleInterrupted(f"{call.method} was interrupted after {lasted:.0f} s")
        if self._limit is not None and lasted >= self._limit:
            raise RuleInterrupted(f"{call.method} was given up after {lasted:.0f} s")

    # By time, in the thread that watches.

    def _run(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self.look(time.monotonic())
        self._call = None

    def look(self, now: float) -> None:
        """Look which call is running, and do what is due."""
        call = self._find(sys._current_frames().get(self._watched))
        if call is None or self._call is None or call.frame is not self._call.frame:
            if self._noticed:
                self._noticed = False
                self._ended()
            self._call, self._since = call, now
            return
        lasted = now - self._since
        if lasted >= NOTICE_SECONDS and not self._noticed:
            self._noticed = True
            self._notice(f"The rule {call.rule} has been computing {call.method} for {lasted:.0f} s.{self._hint}")
        if (self._limit is not None and lasted >= self._limit) or (self._wanted and lasted >= HASTE_SECONDS):
            signal.pthread_kill(self._watched, ASK)
