"""What is kept of a program's output, and how it is shown."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from ggtp.processes.words import PAUSE, Tail, presentable


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (b"", ""),
        (b"one\ntwo\n", "one\ntwo"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree"),
        (b"\x1b[31;1mred\x1b[0m \x1b]0;title\x07bell\x07\x1b]8;;http://x\x1b\\link", "red belllink"),
        (b"nul\0 and \xff\xfe \x9b31m", "nul and \ufffd\ufffd \ufffd31m"),
        ("csi \x9b bidi \u202e\u2066 é".encode(), "csi  bidi  é"),
        (b"a\tb  \n\n   \n", "a b"),
        (b"x" * 1000, "x" * 399 + "…"),
        (b"".join(b"%d\n" % number for number in range(100)), "\n".join(map(str, range(88, 100)))),
    ],
)
def test_presentable(words: bytes, text: str) -> None:
    assert presentable(words) == text


def test_a_writer_without_end_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen() -> None:
        read, write = os.pipe()
        os.set_blocking(write, False)
        tail = Tail(read, 100)
        pauses: list[float] = []
        monkeypatch.setattr(tail._loop, "call_later", lambda seconds, again: pauses.append(seconds) or again)
        monkeypatch.setattr("ggtp.processes.words.BURST", 100_000)
        for _ in range(200):
            try:
                os.write(write, bytes(65536))
            except BlockingIOError:
                break
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert pauses == [PAUSE]
        monkeypatch.undo()
        tail._pause = None
        tail.close()
        os.close(write)

    asyncio.run(listen())


def test_only_the_end_is_kept(descriptors: Any) -> None:
    async def listen() -> None:
        before = descriptors()
        read, write = os.pipe()
        tail = Tail(read, 1000)
        for number in range(300):
            os.write(write, b"%d " % number + b"x" * 5000)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert len(tail._bytes) <= 2000
        os.write(write, b"\nlast words\n")
        tail.finish()
        assert tail.text().endswith("\nlast words")
        os.close(write)
        tail.finish()
        tail.close()
        tail.close()
        assert tail.text().endswith("last words")
        assert descriptors() == before

    asyncio.run(listen())
