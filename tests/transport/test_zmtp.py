"""ZeroMQ's wire protocol: by itself byte by byte, and what is refused."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.errors import ConnectionLost, MessageTooLong
from ggtp.transport.zmtp import GREETING, READY, ZmtpFraming

HELLO = GREETING + READY


def ready(limit: int = 1000) -> ZmtpFraming:
    framing = ZmtpFraming(limit)
    assert framing.feed(HELLO) == []
    assert framing.ready
    framing.news, framing.replies = False, b""
    return framing


def command(body: bytes) -> bytes:
    return bytes([4, len(body)]) + body


def test_the_greeting_is_that_of_the_specification() -> None:
    assert GREETING.hex() == "ff00000000000000007f" + "0300" + b"NULL".hex() + "00" * 16 + "00" + "00" * 31
    assert READY == b"\x04\x1a\x05READY\x0bSocket-Type\x00\x00\x00\x04PAIR"
    assert ZmtpFraming(10).replies == HELLO


def test_the_second_introduces_itself_in_return() -> None:
    framing = ZmtpFraming(10, first=False)
    assert framing.replies == GREETING
    framing.replies = b""
    framing.feed(GREETING)
    assert (framing.replies, framing.ready, framing.news) == (b"", False, False)
    framing.feed(READY)
    assert (framing.replies, framing.ready, framing.news) == (READY, True, True)
    framing.feed(READY + framing.pack([b"one"]))
    assert framing.replies == READY, "a second introduction changes nothing"


def test_byte_by_byte() -> None:
    lines = [b"", b"one", b"x" * 255, b"y" * 256, b"z" * 1000]
    framing = ZmtpFraming(1000)
    data = HELLO + framing.pack(lines)
    assert [line for byte in data for line in framing.feed(bytes([byte]))] == lines
    assert not framing.unfinished


@given(st.lists(st.binary(max_size=600).filter(lambda line: b"\n" not in line and not line.endswith(b"\r"))), st.data())
def test_cut_anywhere(lines: list[bytes], data: st.DataObject) -> None:
    framing = ZmtpFraming(1000)
    stream = HELLO + framing.pack(lines)
    places = [0, *sorted(data.draw(st.lists(st.integers(0, len(stream))))), len(stream)]
    pieces = [stream[a:b] for a, b in itertools.pairwise(places) if a < b]
    assert [line for piece in pieces for line in framing.feed(piece)] == lines


def test_several_lines_in_a_message() -> None:
    framing = ready()
    assert framing.feed(framing.pack([b"one\ntwo\r\nthree\n", b"four\r\n", b"five\r", b"\n"])) == [
        b"one",
        b"two",
        b"three",
        b"four",
        b"five",
        b"",
    ]


def test_parts_of_a_message_are_lines() -> None:
    assert ready().feed(b"\x01\x03one\x00\x03two") == [b"one", b"two"]


def test_a_ping_is_answered() -> None:
    framing = ready()
    assert framing.feed(command(b"\x04PING\x00\x0acontext")) == []
    assert framing.news
    assert framing.replies == command(b"\x04PONGcontext")


def test_unknown_commands_are_passed_over() -> None:
    framing = ready()
    assert framing.feed(command(b"\x09SUBSCRIBE") + command(b"") + command(b"\xff") + framing.pack([b"one"])) == [
        b"one"
    ]
    assert framing.fault is None


def test_over_the_limit_is_known_from_the_header() -> None:
    framing = ready(limit=300)
    assert framing.feed(framing.pack([b"before"]) + b"\x02" + (301).to_bytes(8, "big")) == [b"before"]
    assert isinstance(framing.fault, MessageTooLong)
    assert framing.feed(b"xxx") == []


def test_a_header_alone_takes_no_memory() -> None:
    framing = ready(limit=1 << 62)
    assert framing.feed(b"\x02" + (1 << 61).to_bytes(8, "big") + b"x") == []
    assert framing.fault is None
    assert framing.unfinished


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"H", "does not speak ZeroMQ"),
        (b"GET / HTTP/1.1\r\n\r\n", "does not speak ZeroMQ"),
        (b"\xff" + bytes(8) + b"\x00", "does not speak ZeroMQ"),
        (b"\xff" + bytes(8) + b"\x7f\x01", "before version 4"),
        (GREETING.replace(b"NULL\0", b"CURVE"), "security"),
        (HELLO.replace(b"PAIR", b"PULL"), "PULL"),
        (GREETING + command(b"\x05READY"), "PAIR"),
        (GREETING + command(b"\x05READY\xff\xff"), "PAIR"),
        (GREETING + command(b"\x05ERROR\x02no"), "refused"),
        (GREETING + b"\x00\x03one", "before it was ready"),
        (HELLO + b"\x08\x03one", "broke"),
        (HELLO + b"\x06" + (1 << 40).to_bytes(8, "big"), "broke"),
    ],
)
def test_refused(data: bytes, word: str) -> None:
    whole, bytewise = ZmtpFraming(1000), ZmtpFraming(1000)
    assert whole.feed(data) == []
    for byte in data:
        assert bytewise.feed(bytes([byte])) == []
    for framing in (whole, bytewise):
        assert isinstance(framing.fault, ConnectionLost)
        assert word in str(framing.fault)
        assert framing.news


@given(st.binary(max_size=300))
def test_no_bytes_make_it_fail(noise: bytes) -> None:
    ZmtpFraming(100).feed(noise or b"\0")
    ZmtpFraming(100).feed(GREETING + noise)
    ready(100).feed(noise or b"\0")


def test_long_messages_in_small_pieces_take_linear_time() -> None:
    framing = ready(limit=1 << 24)
    start = time.perf_counter()
    framing.feed(b"\x02" + (1 << 21).to_bytes(8, "big"))
    lines = [line for _ in range(1 << 18) for line in framing.feed(b"xxxxxxxx")]
    assert lines == [b"x" * (1 << 21)]
    assert time.perf_counter() - start < 5
