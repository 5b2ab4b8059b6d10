"""Ways to connect, or not to."""

from __future__ import annotations

import os
import random
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from ggtp.bench.attack.zoo.channel import RawZmtp, connect, dialled

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine

HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<h1>Bad Request</h1>\r\n"
GTP = b"= GNU Go\n\n=1 3.8\n\n? unknown command\n\n"


def never_connects(engine: EvilEngine, _answer: str) -> None:
    """Stay alive, and no more."""
    engine.rest()


def connects_late(engine: EvilEngine, _answer: str) -> None:
    """Connect after the time for it."""
    time.sleep(engine.delay)


def connects_then_closes(engine: EvilEngine, _answer: str) -> None:
    """Hang up at once."""
    engine.connect().close()
    engine.rest()


def connects_twice(engine: EvilEngine, answer: str) -> None:
    """Move over a second connection; it is the referee's to refuse that."""
    with suppress(OSError):
        dialled(engine.endpoint).sendall(b"\0\x0eselect_move B2select_move B2\n")
    engine.send(answer)


def exits_first(_engine: EvilEngine, _answer: str) -> None:
    """End with words."""
    os.write(2, b"evil: no book of openings\n")
    os._exit(3)


def wrong_protocol(engine: EvilEngine, _answer: str) -> None:
    """Talk HTTP."""
    _say_instead(engine, HTTP)


def wrong_protocol_gtp(engine: EvilEngine, _answer: str) -> None:
    """Talk GTP, as a Go program would."""
    _say_instead(engine, GTP)


def wrong_greeting(engine: EvilEngine, _answer: str) -> None:
    """Greet with random bytes."""
    _say_instead(engine, random.Random(7).randbytes(200))


def endless_greeting(engine: EvilEngine, _answer: str) -> None:
    """Greet with NULs without end."""
    channel = connect(engine.endpoint, raw=True, greet=False)
    for _ in range(1 << 14):
        channel.send(bytes(1 << 16))
    engine.rest()


def half_greeting(engine: EvilEngine, _answer: str) -> None:
    """Send half of a greeting and wait."""
    _say_instead(engine, RawZmtp.GREETING[:32])


def other_socket(engine: EvilEngine, _answer: str) -> None:
    """Say that it is a publisher."""
    RawZmtp(dialled(engine.endpoint).detach(), b"PUB").send(b"acknowledge")
    engine.rest()


def closes(engine: EvilEngine, _answer: str) -> None:
    """Hang up, and stay."""
    engine.channel.close()
    engine.rest()


def closes_writing(engine: EvilEngine, _answer: str) -> None:
    """Close one half of the connection."""
    socket.socket(fileno=os.dup(engine.stream.fd_out)).shutdown(socket.SHUT_WR)
    engine.rest()


def closes_reading(engine: EvilEngine, answer: str) -> None:
    """Close the other half."""
    engine.send(answer)
    socket.socket(fileno=os.dup(engine.stream.fd_in)).shutdown(socket.SHUT_RD)
    engine.rest()


def _say_instead(engine: EvilEngine, data: bytes) -> None:
    channel = engine.connect(greet=False)
    getattr(channel, "write")(data)  # noqa: B009 - it has no greeting, so it is a plain stream
    engine.rest()
