"""Lines in a stream of bytes, however the bytes are cut."""

from __future__ import annotations

import itertools
import time

from hypothesis import given
from hypothesis import strategies as st

from ggtp.errors import MessageTooLong
from ggtp.transport.lines import LineFraming

TEXT = b"one\ntwo\r\n\nthree has spaces \r\n\r\nfour\rfive\n"
LINES = [b"one", b"two", b"", b"three has spaces ", b"", b"four\rfive"]


def test_whole() -> None:
    assert LineFraming(100).feed(TEXT) == LINES


def test_byte_by_byte() -> None:
    framing = LineFraming(100)
    assert [line for byte in TEXT for line in framing.feed(bytes([byte]))] == LINES
    assert not framing.unfinished


@given(st.lists(st.integers(0, len(TEXT))))
def test_cut_anywhere(cuts: list[int]) -> None:
    framing = LineFraming(100)
    places = [0, *sorted(cuts), len(TEXT)]
    pieces = [TEXT[a:b] for a, b in itertools.pairwise(places)]
    assert [line for piece in pieces for line in framing.feed(piece)] == LINES


@given(st.lists(st.binary().filter(lambda line: b"\n" not in line and not line.endswith(b"\r"))))
def test_round_trip(lines: list[bytes]) -> None:
    framing = LineFraming(1000)
    assert framing.feed(framing.pack(lines) if lines else b"") == lines


def test_a_line_as_long_as_the_limit() -> None:
    for end in (b"\n", b"\r\n"):
        framing = LineFraming(10)
        assert [line for byte in b"x" * 10 + end for line in framing.feed(bytes([byte]))] == [b"x" * 10]
        assert framing.fault is None


def test_a_line_over_the_limit() -> None:
    for text in (b"x" * 11 + b"\n", b"x" * 11, b"x" * 10 + b"\ry"):
        framing = LineFraming(10)
        assert framing.feed(b"before\n" + text + b"\nafter\n" * (b"\n" in text)) == [b"before"]
        assert isinstance(framing.fault, MessageTooLong)
        assert framing.news
        assert framing.fault.limit == 10
        assert framing.feed(b"more\n") == []


def test_the_middle_of_a_line_is_known() -> None:
    framing = LineFraming(10)
    framing.feed(b"whole\nhalf")
    assert framing.unfinished


def test_long_lines_in_small_pieces_take_linear_time() -> None:
    framing = LineFraming(1 << 24)
    start = time.perf_counter()
    for _ in range(1 << 18):
        framing.feed(b"xxxxxxxx")
    assert framing.feed(b"\n") == [b"x" * (1 << 21)]
    # A copy of the whole at each piece would move a quarter of a terabyte.
    assert time.perf_counter() - start < 5
