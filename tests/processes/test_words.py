"""What is kept of a program's output, and how it is shown."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from ggtp.processes.words import Tail, presentable


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
