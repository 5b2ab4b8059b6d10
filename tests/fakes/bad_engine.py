"""An engine that plays TicTacToe correctly but for one fault, for everybody's tests.

    python bad_engine.py ENDPOINT [--fault NAME] [--at COMMAND] [--delay-ms N] [--say TEXT] [--most-mb N] [--spins]

ENDPOINT is `host:port` (plain TCP), `-` (standard input and output), or `ipc://...` or `tcp://...` (ZeroMQ). It imports
nothing of ggtp, so that it starts fast and so that a mistake of ours is not made twice. Over ZeroMQ it uses pyzmq, but
for the faults that pyzmq could not commit, where it writes the bytes itself.

The fault happens when COMMAND (such as `have_to_play`) comes; each fault has a usual moment of its own. Without a fault
the engine is a good one: it chooses the first free square, in the order A1, B1, C1, A2, ... C3.

    exit0                   ends with status 0 instead of an answer
    exit1                   ends with status 1 and words on standard error
    crash                   ends by SIGSEGV
    hang                    never answers and never reads again
    deaf                    answers, then never reads again
    ignores-term            does not end: not at disconnect_engine, not at SIGTERM, not when the connection breaks
    forks                   leaves a child and a double-forked one in a session of its own; both ignore SIGTERM
    floods                  sends lines without end
    long-line               sends a line of 1 GiB in small pieces, without its end
    half-line               sends half of its answer and hangs
    half-line-exit          sends half of its answer and ends
    binary                  answers with random bytes, NULs and bad UTF-8 among them
    unasked                 answers, and then says TEXT, which nobody asked for (usually `select_move A1`)
    wrong-answer            gives an answer of the wrong kind
    illegal                 selects TEXT, usually a square that is taken, else one that does not exist
    late                    answers after N milliseconds
    spin                    computes without end instead of an answer
    drip                    sends its answers byte by byte, N milliseconds apart
    memory                  takes more and more memory (until --most-mb, for the sake of the machine)
    never-connects          stays alive, but does not connect
    connects-then-closes    connects, hangs up and stays alive
    stdout-noise            prints rubbish to standard output, again and again
    stderr-flood            writes 8 MiB to standard error, then goes on as if nothing had happened
    wrong-protocol          talks HTTP
    wrong-protocol-gtp      talks GTP, as a Go program would

Whatever is said to go on for ever ends after five minutes, so that a failed test leaves nothing behind for good.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterator

# fault: (the moment it usually happens at, what it does). An empty moment is the very beginning.
FAULTS: dict[str, tuple[str, str]] = {
    "exit0": ("have_to_play", "ends with status 0"),
    "exit1": ("have_to_play", "ends with status 1 and words on standard error"),
    "crash": ("have_to_play", "ends by SIGSEGV"),
    "hang": ("have_to_play", "never answers and never reads again"),
    "deaf": ("start", "answers, then never reads again"),
    "ignores-term": ("disconnect_engine", "does not end"),
    "forks": ("start", "leaves children behind"),
    "floods": ("have_to_play", "sends lines without end"),
    "long-line": ("have_to_play", "sends a line of 1 GiB"),
    "half-line": ("have_to_play", "sends half of its answer and hangs"),
    "half-line-exit": ("have_to_play", "sends half of its answer and ends"),
    "binary": ("have_to_play", "answers with random bytes"),
    "unasked": ("made_move", "says more than it was asked"),
    "wrong-answer": ("made_move", "gives an answer of the wrong kind"),
    "illegal": ("have_to_play", "selects a move that is not legal"),
    "late": ("have_to_play", "answers late"),
    "spin": ("have_to_play", "computes without end"),
    "drip": ("connect_engine", "sends its answers byte by byte"),
    "memory": ("have_to_play", "takes more and more memory"),
    "never-connects": ("", "does not connect"),
    "connects-then-closes": ("", "connects and hangs up"),
    "stdout-noise": ("", "prints rubbish to standard output"),
    "stderr-flood": ("start", "writes 8 MiB to standard error"),
    "wrong-protocol": ("", "talks HTTP"),
    "wrong-protocol-gtp": ("", "talks GTP"),
}

FOR_EVER = 300.0
SQUARES = [column + row for row in "123" for column in "ABC"]
THREES = ["A1 B1 C1", "A2 B2 C2", "A3 B3 C3", "A1 A2 A3", "B1 B2 B3", "C1 C2 C3", "A1 B2 C3", "A3 B2 C1"]
RAW = {"long-line", "half-line", "half-line-exit", "drip", "connects-then-closes"}  # not to be had from pyzmq
OTHER_PROTOCOLS = {
    "wrong-protocol": b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<h1>Bad Request</h1>\r\n",
    "wrong-protocol-gtp": b"= GNU Go\n\n=1 3.8\n\n? unknown command\n\n",
}


class Stream:
    """Lines ended by LF over a pair of descriptors."""

    def __init__(self, fd_in: int, fd_out: int) -> None:
        self.fd_in, self.fd_out = fd_in, fd_out
        self.rest = b""

    def lines(self) -> Iterator[str]:
        while data := os.read(self.fd_in, 65536):
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace").rstrip("\r")

    def frame(self, data: bytes) -> bytes:
        return data + b"\n"

    def endless(self) -> bytes:
        """How a line of 1 GiB begins."""
        return b""

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.fd_out, data) :]

    def send(self, data: bytes) -> None:
        self.write(self.frame(data))

    def close(self) -> None:
        os.close(self.fd_in)
        if self.fd_out != self.fd_in:
            os.close(self.fd_out)


class RawZmtp(Stream):
    """ZeroMQ's protocol byte by byte: a greeting, a READY, then frames with their lengths."""

    def __init__(self, fd: int) -> None:
        super().__init__(fd, fd)
        self.write(b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32))
        self.read(64)
        self.write(b"\x04\x1a\x05READY\x0bSocket-Type\0\0\0\x04PAIR")
        self.read(self.read(2)[1])

    def read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = os.read(self.fd_in, size - len(data))
            if not part:
                raise SystemExit(0)
            data += part
        return data

    def lines(self) -> Iterator[str]:
        while True:
            long = self.read(1)[0] & 2
            size = int.from_bytes(self.read(8 if long else 1), "big")
            yield self.read(size).decode("utf-8", "replace").rstrip("\r\n")

    def frame(self, data: bytes) -> bytes:
        return bytes([0, len(data)]) + data

    def endless(self) -> bytes:
        return b"\x02" + (1 << 30).to_bytes(8, "big")


class Pyzmq:
    """A PAIR socket of pyzmq."""

    def __init__(self, endpoint: str) -> None:
        import zmq

        self.zmq = zmq
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.PAIR)
        self.socket.set(zmq.RECONNECT_IVL, -1)
        self.socket.set(zmq.LINGER, 1000)
        self.monitor = self.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        self.socket.connect(endpoint)

    def lines(self) -> Iterator[str]:
        poller = self.zmq.Poller()
        poller.register(self.socket, self.zmq.POLLIN)
        poller.register(self.monitor, self.zmq.POLLIN)
        while self.socket in (ready := dict(poller.poll())) or self.monitor not in ready:
            yield self.socket.recv().decode("utf-8", "replace")

    def send(self, data: bytes) -> None:
        while not self.socket.poll(100, self.zmq.POLLOUT):
            if self.monitor.poll(0):
                raise SystemExit(0)
        self.socket.send(data)

    def close(self) -> None:
        self.context.destroy(linger=1000)


def connect(endpoint: str, raw: bool, greet: bool) -> Stream | Pyzmq:
    """The channel to an endpoint; with `raw` not through pyzmq, without `greet` not even in ZeroMQ's protocol."""
    if endpoint == "-":
        return Stream(0, 1)
    scheme, _, address = endpoint.rpartition("://")
    if scheme and not raw:
        return Pyzmq(endpoint)
    if scheme == "ipc":
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address)
    else:
        host, _, port = address.rpartition(":")
        connection = socket.create_connection((host, int(port)))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    fd = connection.detach()
    return RawZmtp(fd) if scheme and greet else Stream(fd, fd)


class Game:
    """A good engine's view of TicTacToe."""

    def __init__(self) -> None:
        self.moves: list[tuple[str, str]] = []
        self.played = 0  # those after it were undone
        self.options = {"Depth": "3", "Style": "calm", "rule": "TicTacToe", "player": "Cross"}
        self.choices = {"Depth": "1..64", "Style": "calm, wild", "rule": "TicTacToe", "player": "Cross, Circle"}

    def free(self) -> list[str]:
        taken = {square for _, square in self.moves[: self.played]}
        return [] if self.winner() else [square for square in SQUARES if square not in taken]

    def winner(self) -> str:
        owner = {square: player for player, square in self.moves[: self.played]}
        for three in THREES:
            owners = {owner.get(square, "") for square in three.split()}
            if len(owners) == 1 and owners != {""}:
                return owners.pop()
        return ""

    def table(self) -> str:
        mark = {square: "X" if player == "Cross" else "O" for player, square in self.moves[: self.played]}
        return "/".join("".join(mark.get(column + row, ".") for column in "ABC") for row in "321")

    def result(self) -> str:
        if winner := self.winner():
            return ", ".join(
                f"{player}={'win 100' if player == winner else 'loss 0'}" for player in ("Cross", "Circle")
            )
        return "none" if self.free() else "Cross=draw 50, Circle=draw 50"

    def answer(self, line: str) -> str:
        """The right answer to a line of the Rules."""
        command, _, rest = line.partition(" ")
        words = rest.split(" ", 1)
        if command == "have_to_play":
            return f"select_move {self.free()[0]}" if self.free() else "select_move none"
        if command in ("list_possible_moves", "get_result", "get_table"):
            if rest != "0":
                return "invalid_table_number"
            texts = {"list_possible_moves": ", ".join(self.free()), "get_result": self.result()}
            return f"reply {texts.get(command, self.table())}"
        if command == "list_options":
            return "reply " + ", ".join(self.options)
        if command in ("get_option", "list_option_choices", "set_option"):
            if words[0] not in self.options:
                return "invalid_option_name"
            if command == "get_option":
                return f"reply {self.options[words[0]]}"
            if command == "list_option_choices":
                return f"reply {self.choices[words[0]]}"
            if len(words) < 2:
                return "invalid_option_value"
            self.options[words[0]] = words[1]
        elif command == "start":
            self.moves, self.played = [], 0
        elif command == "made_move":
            self.moves = [*self.moves[: self.played], (words[0], words[-1])]
            self.played += 1
        elif command == "undone_move":
            self.played = max(0, self.played - 1)
        elif command == "redone_move":
            self.played = min(len(self.moves), self.played + 1)
        return "acknowledge"


def spin() -> None:
    until = time.monotonic() + FOR_EVER
    while time.monotonic() < until:
        pass


class BadEngine:
    """The good engine, and what is wrong with it."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.fault: str = arguments.fault
        self.at: str = FAULTS[self.fault][0] if arguments.at is None and self.fault else arguments.at or ""
        self.delay = arguments.delay_ms / 1000
        self.say: str | None = arguments.say
        self.most = arguments.most_mb
        self.endpoint: str = arguments.endpoint
        self.game = Game()
        self.dripping = False
        if arguments.spins:
            threading.Thread(target=spin, daemon=True).start()

    def run(self) -> None:
        if self.fault == "never-connects":
            time.sleep(FOR_EVER)
            return
        if self.fault == "ignores-term":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        foreign = OTHER_PROTOCOLS.get(self.fault, b"")
        channel = connect(self.endpoint, bool(foreign) or self.fault in RAW, not foreign)
        self.channel = channel
        if foreign:
            assert isinstance(channel, Stream)
            channel.write(foreign)
            time.sleep(FOR_EVER)
        if self.fault == "connects-then-closes":
            channel.close()
            time.sleep(FOR_EVER)
        for line in channel.lines():
            if self.fault == "stdout-noise":
                print("\x1b[31mI am thinking about", line, flush=True)
            if line.split(" ")[0] == self.at:
                self.misbehave(line)
            elif line:
                self.send(self.game.answer(line))
            if line == "disconnect_engine" and not (self.fault == "ignores-term" and self.at == line):
                channel.close()
                return
        if self.fault == "ignores-term":
            time.sleep(FOR_EVER)

    def send(self, text: str) -> None:
        data = text.encode()
        if self.dripping and isinstance(self.channel, Stream):
            for byte in self.channel.frame(data):
                self.channel.write(bytes([byte]))
                time.sleep(self.delay)
        else:
            self.channel.send(data)

    def misbehave(self, line: str) -> None:
        answer = self.game.answer(line)
        act = getattr(self, self.fault.replace("-", "_"), None)
        if act is not None:
            act(answer)
        else:
            self.send(answer)

    # The faults by name. Those that the beginning is the moment of are in `run`.

    def exit0(self, answer: str) -> None:
        os._exit(0)

    def exit1(self, answer: str) -> None:
        os.write(2, b"bad_engine: the table of \x1b[1mopenings\x1b[0m is broken\nbad_engine: giving up\n")
        os._exit(1)

    def crash(self, answer: str) -> None:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)

    def hang(self, answer: str) -> None:
        time.sleep(FOR_EVER)

    def deaf(self, answer: str) -> None:
        self.send(answer)
        time.sleep(FOR_EVER)

    def ignores_term(self, answer: str) -> None:
        time.sleep(FOR_EVER)

    def forks(self, answer: str) -> None:
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(FOR_EVER)
            os._exit(0)
        middle = os.fork()
        if middle == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(FOR_EVER)
            os._exit(0)
        os.waitpid(middle, 0)
        self.send(answer)

    def floods(self, answer: str) -> None:
        while True:
            self.channel.send(b"reply there is no end to this")

    def long_line(self, answer: str) -> None:
        assert isinstance(self.channel, Stream)
        self.channel.write(self.channel.endless())
        for _ in range(1 << 14):
            self.channel.write(b"x" * (1 << 16))
        time.sleep(FOR_EVER)

    def half_line(self, answer: str, exits: bool = False) -> None:
        assert isinstance(self.channel, Stream)
        whole = self.channel.frame(answer.encode())
        self.channel.write(whole[: len(whole) // 2])
        if exits:
            os._exit(0)
        time.sleep(FOR_EVER)

    def half_line_exit(self, answer: str) -> None:
        self.half_line(answer, exits=True)

    def binary(self, answer: str) -> None:
        noise = random.Random(58).randbytes(200).replace(b"\n", b"\0")
        self.channel.send(b"\0\xff\xfe\xc3\x28" + noise)

    def unasked(self, answer: str) -> None:
        self.send(answer)
        self.send(self.say or "select_move A1")

    def wrong_answer(self, answer: str) -> None:
        wrong = "reply acknowledged" if answer == "acknowledge" else "acknowledge"
        self.send(self.say or ("invalid_table_number" if self.at == "set_option" else wrong))

    def illegal(self, answer: str) -> None:
        taken = [square for _, square in self.game.moves[: self.game.played]]
        self.send(f"select_move {self.say or (taken or ['Z9'])[0]}")

    def late(self, answer: str) -> None:
        time.sleep(self.delay)
        self.send(answer)

    def spin(self, answer: str) -> None:
        until = time.monotonic() + FOR_EVER
        while time.monotonic() < until:
            pass

    def drip(self, answer: str) -> None:
        self.dripping = True
        self.send(answer)

    def memory(self, answer: str) -> None:
        kept = [b"m" * (1 << 20) for _ in range(self.most)]
        time.sleep(FOR_EVER)
        del kept

    def stderr_flood(self, answer: str) -> None:
        for _ in range(128):
            os.write(2, b"info depth 1 score 0 nodes 1 and so on\n" * 1680)
        self.send(answer)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("endpoint")
    parser.add_argument("--fault", choices=sorted(FAULTS), default="")
    parser.add_argument("--at")
    parser.add_argument("--delay-ms", type=float, default=1.0)
    parser.add_argument("--say")
    parser.add_argument("--spins", action="store_true", help="use a processor while there is nothing to do")
    parser.add_argument("--most-mb", type=int, default=2048)
    try:
        BadEngine(parser.parse_args()).run()
    except (BrokenPipeError, ConnectionError, KeyboardInterrupt):
        os._exit(0)  # the referee has hung up


if __name__ == "__main__":
    main()
