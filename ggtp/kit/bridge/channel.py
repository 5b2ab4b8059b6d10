"""A program that speaks another protocol, as a channel of lines. Whatever it does, what it can do to us is bounded.

    program = ForeignProgram(["/usr/games/stockfish"])
    program.send("uci")
    program.expect("uciok", seconds=10)
    ...
    program.close("quit")

It never has to wait for us: all that it prints is read at once, by a thread. Of its lines that nobody has taken, and
of what it writes to standard error, only the latest are kept. Memory and processes are the referee's to bound, which
counts the program's among those of the engine that has started it; see `ggtp.processes.family`.
"""

from __future__ import annotations

import os
import selectors
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath

from ggtp.errors import EngineError, EngineFailedToStart, EngineTerminated, EngineTimedOut, with_last_words
from ggtp.processes import family
from ggtp.processes.refusal import why_not
from ggtp.processes.spawn import PIPE, Apart, ended, spawn
from ggtp.processes.words import presentable
from ggtp.transport.lines import LineFraming

LINE_BYTES = 1 << 20
"""A line may not be longer."""
KEPT_LINES = 20_000
KEPT_BYTES = 1 << 24
"""How many lines, and of how many bytes together, wait to be taken; of more, the oldest are forgotten."""
WORDS_BYTES = 4096
SEND_SECONDS = 5.0
"""How long a program may leave what it is told unread, once the pipe is full."""
PATIENCE = 0.02
"""Seconds between two looks whether an answer is still wanted."""
GRACE_SECONDS = 0.5
"""How long a program may take to end when it was told to."""
CHUNK = 1 << 16


class ForeignProgram:
    """A running program. All methods may be called from any thread; lines are taken by one at a time.

    Every fault is an `EngineError`, whose text is a sentence about the program for a person.
    """

    def __init__(
        self, argv: Sequence[str], *, line_bytes: int = LINE_BYTES, variables: Mapping[str, str] | None = None
    ) -> None:
        """Start it, never through a shell, with these variables added to our environment.

        Raises:
            EngineFailedToStart: with a sentence that says what is wrong with the command.
        """
        self.name = PurePath(argv[0]).name if argv and argv[0] else "program"
        self._lines: deque[str] = deque()
        self._waiting = 0
        """The characters in them."""
        self._words = b""
        self._framing = LineFraming(line_bytes)
        self._news = threading.Condition()
        self._ended = False
        self._fault: EngineError | None = None
        self._closing = threading.Lock()
        self._closed = False
        self._token = ""
        environment = {**os.environ, **(variables or {})}
        if family.VARIABLE not in environment:
            # No referee of ours has started us, so nobody else would see to the program if we were killed.
            self._token = environment[family.VARIABLE] = family.new_token()
        try:
            # In our session still, by which a referee knows it.
            self._process = spawn(argv, stderr=PIPE, env=environment, apart=Apart.GROUP)
        except (OSError, ValueError, IndexError) as error:
            raise EngineFailedToStart(why_not(argv, environment, None, error)) from None
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._reader = threading.Thread(target=self._read, name=f"reader of {self.name}", daemon=True)
        self._reader.start()

    # Talking.

    def send(self, *lines: str) -> None:
        """Tell it some lines.

        Raises:
            EngineError: it has ended, or does not read.
        """
        data = memoryview("".join(f"{line}\n" for line in lines).encode())
        stdin = self._process.stdin
        assert stdin is not None
        deadline = time.monotonic() + SEND_SECONDS
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(stdin.fileno(), selectors.EVENT_WRITE)
                while data:
                    if not selector.select(max(0.0, deadline - time.monotonic())):
                        raise EngineTimedOut(f"{self.name} does not read what it is told.", self.last_words())
                    with suppress(BlockingIOError):
                        data = data[os.write(stdin.fileno(), data) :]
        except (OSError, ValueError):
            raise self._gone() from None

    def receive(self, seconds: float) -> str | None:
        """Its next line; None where there is none for so long.

        Raises:
            EngineError: it has ended and said nothing more, or sent a line that is too long.
        """
        with self._news:
            self._news.wait_for(lambda: self._lines or self._ended, seconds)
            if self._lines:
                return self._taken()
            if not self._ended:
                return None
        raise self._fault or self._gone()

    def _taken(self) -> str:
        line = self._lines.popleft()
        self._waiting -= len(line)
        return line

    def expect(
        self,
        wanted: str | Callable[[str], bool],
        seconds: float,
        *,
        heard: Callable[[str], None] | None = None,
        given_up: Callable[[], bool] = lambda: False,
    ) -> str:
        """The next line that is wanted.

        Args:
            wanted: how it begins, word by word, or a function that knows it.
            seconds: how long to wait for it.
            heard: is told every line before it.
            given_up: asked now and then whether nobody needs it any more; then the answer is empty.

        Raises:
            EngineTimedOut: it did not come in time.
            EngineError: the program has ended, or sent a line that is too long.
        """
        begins = f"{wanted} " if isinstance(wanted, str) else ""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if given_up():
                return ""
            line = self.receive(min(left, PATIENCE))
            if line is None:
                continue
            if f"{line} ".startswith(begins) if isinstance(wanted, str) else wanted(line):
                return line
            if heard is not None:
                heard(line)
        what = f"with {wanted} " if isinstance(wanted, str) else ""
        raise EngineTimedOut(f"{self.name} has not answered {what}within {seconds:g} s.", self.last_words())

    def forget(self) -> None:
        """Drop the lines that nobody has taken."""
        with self._news:
            self._lines.clear()
            self._waiting = 0

    def last_words(self) -> str:
        """The last lines that it wrote to standard error, fit to be shown."""
        return presentable(self._words)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    # The end.

    def close(self, *farewell: str, grace: float = GRACE_SECONDS) -> None:
        """Say goodbye and see it and its children to their end, killed if need be. May be called again."""
        with self._closing:
            if self._closed:
                return  # its number may be another's by now
            self._closed = True
            if self._process.poll() is None:
                with suppress(EngineError):
                    if farewell:
                        self.send(*farewell)
            stdin = self._process.stdin
            assert stdin is not None
            with suppress(OSError):
                stdin.close()
            ended(self._process, grace)
            self._kill()
            ended(self._process, 2 * GRACE_SECONDS)
            self._reader.join(GRACE_SECONDS)

    def _kill(self) -> None:
        relatives = family.descendants(self._process.pid) if self._process.poll() is None else set()
        if self._token:
            relatives |= family.find(self._token)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        family.kill(relatives - {os.getpid()})

    def _gone(self) -> EngineError:
        status = ended(self._process, GRACE_SECONDS)
        if status is not None:
            self._reader.join(GRACE_SECONDS)  # what it said last may explain it
        if status is None:
            how = "has closed its output"
        elif status < 0:
            how = f"was ended by {_signal_name(-status)}"
        else:
            how = f"has ended with exit status {status}"
        words = self.last_words()
        return EngineTerminated(with_last_words(f"{self.name} {how}.", words), words, status)

    # The thread.

    def _read(self) -> None:
        out, err = self._process.stdout, self._process.stderr
        assert out is not None
        assert err is not None
        with selectors.DefaultSelector() as selector:
            for pipe in (out, err):
                selector.register(pipe, selectors.EVENT_READ)
            while selector.get_map():
                for key, _ in selector.select():
                    data = os.read(key.fd, CHUNK)
                    if not data:
                        selector.unregister(key.fileobj)
                        if key.fd == out.fileno():
                            self._end(None)
                    elif key.fd == err.fileno():
                        self._words = (self._words + data)[-WORDS_BYTES:]
                    else:
                        self._take(data)
        out.close()
        err.close()

    def _take(self, data: bytes) -> None:
        lines = self._framing.feed(data)
        with self._news:
            for line in lines:
                text = line.decode("utf-8", "replace").strip()
                self._lines.append(text)
                self._waiting += len(text)
            while len(self._lines) > KEPT_LINES or self._waiting > KEPT_BYTES:
                self._taken()
            self._news.notify_all()
        if self._framing.fault is not None:
            self._end(EngineError(f"{self.name} sent {self._framing.fault}.", self.last_words()))

    def _end(self, fault: EngineError | None) -> None:
        with self._news:
            self._ended = True
            self._fault = self._fault or fault
            self._news.notify_all()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
