"""The program: an engine that plays TicTacToe, and what it does in its way.

    python engine.py ENDPOINT [--fault WAY] [--at COMMAND] [--delay-ms N] [--say TEXT] [--most-mb N] [--mark MARK] ...

ENDPOINT is `host:port` (plain TCP), `-` (standard input and output), or `ipc://...` or `tcp://...` (ZeroMQ, by pyzmq
unless `--raw` or the way asks for bytes of its own). The way happens when COMMAND (such as `have_to_play`) comes; each
has a usual moment of its own. Without a way the engine is a good one: it chooses the first free square, in the order
A1, B1, C1, A2, ... C3.

Whatever is said to go on for ever ends after five minutes, so that a failed attack leaves nothing behind for good, and
nothing is done to a process that does not carry the mark.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module

if __name__ == "__main__":
    # Started by its path: the modules beside it are found from the folder that the project is in.
    sys.path[0] = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

from ggtp.bench.attack.zoo.channel import Pyzmq, Stream, connect
from ggtp.bench.attack.zoo.tictactoe import Game
from ggtp.bench.attack.zoo.ways import WAYS, Way

FOR_EVER = 300.0

Misdeed = Callable[["EvilEngine", str], None]
"""The misbehaviour of a way. It is given the right answer to the line that came, and sends it or something else."""


class EvilEngine:
    """The good engine, and what is wrong with it."""

    for_ever = FOR_EVER

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.endpoint: str = arguments.endpoint
        self.delay: float = arguments.delay_ms / 1000
        self.say: str | None = arguments.say
        self.most: int = arguments.most_mb
        self.mark: str = arguments.mark
        self.loot: str = arguments.loot
        self.game = Game()
        self.dripping = False
        """Whether answers are sent byte by byte, with the delay between them."""
        self.way: Way | None = WAYS[arguments.fault] if arguments.fault else None
        self.at: str = (self.way.at if self.way else "") if arguments.at is None else arguments.at
        self.noisy = False
        """Whether it prints rubbish to standard output, whatever it is told."""
        self.staying = arguments.fault == "ignores-term"
        """Whether it goes on when it was dismissed, or told to end."""
        self.line = ""
        """What the referee said last."""
        self.channel: Stream | Pyzmq
        self._raw = arguments.raw or bool(self.way and self.way.raw)
        if arguments.spins:
            threading.Thread(target=_spin, daemon=True).start()

    def run(self) -> None:
        """Connect, and answer until the referee hangs up."""
        if self.staying:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self.way and not self.at:
            self._misdeed()(self, "")
        self.connect()
        for line in self.channel.lines():
            self.line = line
            if self.noisy:
                print("\x1b[31mI am thinking about", line, flush=True)
            if self.way and self.at and line.split(" ")[0] == self.at:
                self._misdeed()(self, self.game.answer(line))
            elif line:
                self.send(self.game.answer(line))
            if line == "disconnect_engine" and not self.staying:
                self.channel.close()
                return
        if self.staying:
            self.rest()

    def connect(self, *, greet: bool = True) -> Stream | Pyzmq:
        """Connect; without `greet` not even in ZeroMQ's protocol."""
        self.channel = connect(self.endpoint, raw=self._raw or not greet, greet=greet)
        return self.channel

    @property
    def stream(self) -> Stream:
        """The channel, of a way that asks for bytes of its own."""
        assert isinstance(self.channel, Stream)
        return self.channel

    def send(self, text: str) -> None:
        """Say a line."""
        data = text.encode("utf-8", "surrogateescape")
        if self.dripping:
            for byte in self.stream.frame(data):
                self.stream.write(bytes([byte]))
                time.sleep(self.delay)
        else:
            self.channel.send(data)

    def rest(self) -> None:
        """Do nothing for ever."""
        until = time.monotonic() + FOR_EVER
        while time.monotonic() < until:
            time.sleep(1.0)

    def found(self, loot: str) -> None:
        """Keep what was stolen, for whoever asks for the option `Loot`."""
        self.game.options["Loot"] = loot.replace("\n", " ") or "nothing"
        self.game.choices["Loot"] = "any"

    def _misdeed(self) -> Misdeed:
        assert self.way is not None
        module = import_module(f"{__package__ or 'ggtp.bench.attack.zoo'}.{self.way.group}")
        deed: Misdeed = getattr(module, self.way.deed)
        return deed


def _spin() -> None:
    until = time.monotonic() + FOR_EVER
    while time.monotonic() < until:
        pass


def main() -> None:
    """Play, with the arguments of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("endpoint")
    parser.add_argument("--fault", choices=sorted(WAYS), default="", metavar="WAY")
    parser.add_argument("--at")
    parser.add_argument("--delay-ms", type=float, default=1.0)
    parser.add_argument("--say")
    parser.add_argument("--most-mb", type=int, default=2048)
    parser.add_argument("--mark", default="", help="what processes carry that may be harmed")
    parser.add_argument("--loot", default="", help="a file that the engine should not be able to read")
    parser.add_argument("--raw", action="store_true", help="speak ZeroMQ without its library")
    parser.add_argument("--spins", action="store_true", help="use a processor while there is nothing to do")
    try:
        EvilEngine(parser.parse_args()).run()
    except (BrokenPipeError, ConnectionError, KeyboardInterrupt):
        os._exit(0)  # the referee has hung up


if __name__ == "__main__":
    main()
