"""Ways to say too much, or too little of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggtp.bench.attack.zoo.engine import EvilEngine

ROW = b"info depth 1 score 0 nodes 1 and so on\n"
CHUNK = ROW * 1680
"""About 64 KiB."""


def floods(engine: EvilEngine, _answer: str) -> None:
    """Reply without end."""
    _without_end(engine, b"reply there is no end to this")


def floods_acknowledge(engine: EvilEngine, _answer: str) -> None:
    """Acknowledge without end."""
    _without_end(engine, b"acknowledge")


def floods_tell(engine: EvilEngine, _answer: str) -> None:
    """Tell messages without end."""
    _without_end(engine, b"tell_message Cross give up")


def floods_moves(engine: EvilEngine, answer: str) -> None:
    """Move without end."""
    _without_end(engine, answer.encode())


def floods_empty(engine: EvilEngine, _answer: str) -> None:
    """Send empty lines without end."""
    _without_end(engine, b"")


def long_line(engine: EvilEngine, _answer: str) -> None:
    """Send a line of 1 GiB in small pieces, without its end."""
    engine.stream.write(engine.stream.endless())
    for _ in range(1 << 14):
        engine.stream.write(b"x" * (1 << 16))
    engine.rest()


def half_line(engine: EvilEngine, answer: str) -> None:
    """Send half of an answer."""
    _half(engine, answer)
    engine.rest()


def half_line_exit(engine: EvilEngine, answer: str) -> None:
    """Send half of an answer and end."""
    _half(engine, answer)
    os._exit(0)


def stdout_noise(engine: EvilEngine, _answer: str) -> None:
    """Print to standard output beside the wire, before each answer."""
    engine.noisy = True


def stdout_flood(engine: EvilEngine, answer: str) -> None:
    """Print 64 MiB."""
    _write(1, 64)
    engine.send(answer)


def stderr_flood(engine: EvilEngine, answer: str) -> None:
    """Write 8 MiB."""
    _write(2, 8)
    engine.send(answer)


def stderr_300mb(engine: EvilEngine, answer: str) -> None:
    """Write 300 MiB."""
    _write(2, 300)
    engine.send(answer)


def stderr_line(engine: EvilEngine, answer: str) -> None:
    """Write one line of 64 MiB."""
    for _ in range(1024):
        _all(2, b"x" * (1 << 16))
    engine.send(answer)


def drip(engine: EvilEngine, answer: str) -> None:
    """Send byte by byte from now on."""
    engine.dripping = True
    engine.send(answer)


drip_slowly = drip


def _without_end(engine: EvilEngine, line: bytes) -> None:
    while True:
        engine.channel.send(line)


def _half(engine: EvilEngine, answer: str) -> None:
    whole = engine.stream.frame(answer.encode())
    engine.stream.write(whole[: len(whole) // 2])


def _write(fd: int, megabytes: int) -> None:
    for _ in range(16 * megabytes):
        _all(fd, CHUNK)


def _all(fd: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(fd, left) :]
