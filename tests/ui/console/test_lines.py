"""Lines of an input, read while other things happen."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable

import pytest

from ggtp.errors import MessageTooLong
from ggtp.ui.console import lines as module
from ggtp.ui.console.lines import LineReader


def read(script: Callable[[LineReader, int], Awaitable[object]]) -> object:
    """Run a script with a reader and the other end of its pipe."""
    ours, theirs = os.pipe()

    async def main() -> object:
        return await asyncio.wait_for(script(LineReader(ours), theirs), 20.0)

    try:
        return asyncio.run(main())
    finally:
        for fd in (theirs, ours):
            try:
                os.close(fd)
            except OSError:
                continue


async def rest(reader: LineReader) -> list[str]:
    found = []
    while (line := await reader.next()) is not None:
        found.append(line)
    return found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"start\nundo\n", ["start", "undo"]),
        (b"start\r\nundo", ["start", "undo"]),
        (b"a\rb\n", ["a\rb"]),
        ("é\n".encode(), ["é"]),
        (b"\xff\n", ["\ufffd"]),
        (b"\xef\xbb\xbfstart\n\xef\xbb\xbfundo\n", ["start", "\ufeffundo"]),
        (b"a\x00b\x0cc\xc2\x85d\n", ["a\x00b\x0cc\x85d"]),
    ],
)
def test_lines_without_their_ends(data: bytes, found: list[str]) -> None:
    async def script(reader: LineReader, fd: int) -> list[str]:
        os.write(fd, data)
        os.close(fd)
        return await rest(reader)

    assert read(script) == found


def test_lines_that_come_in_pieces() -> None:
    async def script(reader: LineReader, fd: int) -> list[str]:
        for piece in (b"pl", b"ay Cross", b" A1\nund", b"o\n"):
            os.write(fd, piece)
            await asyncio.sleep(0)
        assert [await reader.next(), await reader.next()] == ["play Cross A1", "undo"]
        os.close(fd)
        return await rest(reader)

    assert read(script) == []


def test_the_end_stays_the_end() -> None:
    async def script(reader: LineReader, fd: int) -> list[object]:
        os.close(fd)
        return [await reader.next(), await reader.next()]

    assert read(script) == [None, None]


def test_the_loop_goes_on_while_nothing_comes() -> None:
    async def script(reader: LineReader, fd: int) -> str | None:
        waiting = asyncio.ensure_future(reader.next())
        for _ in range(10):
            await asyncio.sleep(0)
        assert not waiting.done()
        os.write(fd, b"at last\n")
        return await waiting

    assert read(script) == "at last"


def test_a_flood_of_lines_waits_until_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 10)

    async def script(reader: LineReader, fd: int) -> list[str]:
        def flood() -> None:
            for number in range(20_000):
                os.write(fd, f"{number}\n".encode())
            os.close(fd)

        writer = threading.Thread(target=flood)
        writer.start()
        assert await reader.next() == "0"
        assert len(reader._lines) <= 10
        found = await rest(reader)
        writer.join()
        return found

    assert read(script) == [str(number) for number in range(1, 20_000)]


def test_a_line_that_is_too_long_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1000)

    async def script(reader: LineReader, fd: int) -> list[str]:
        def flood() -> None:
            os.write(fd, b"x" * 500_000 + b"\nget_rule\n" + b"y" * 1000 + b"\n")
            os.close(fd)

        writer = threading.Thread(target=flood)
        writer.start()
        with pytest.raises(MessageTooLong):
            await reader.next()
        found = await rest(reader)
        writer.join()
        return found

    assert read(script) == ["get_rule", "y" * 1000]
