"""The lengths of frames, however the stream is cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ggtp.transport.secure.frames import FrameGauge


def frame(size: int) -> bytes:
    head = bytes([0, size]) if size < 256 else bytes([2]) + size.to_bytes(8)
    return head + b"\xff" * size


@given(st.lists(st.sampled_from([0, 1, 2, 9, 255, 256, 1000]), max_size=20), st.lists(st.integers(1, 700), min_size=1))
def test_every_head_is_seen_once_however_it_comes(sizes: list[int], cuts: list[int]) -> None:
    stream = b"".join(map(frame, sizes))
    gauge, seen, at, turn = FrameGauge(), 0, 0, 0
    while at < len(stream):
        cut = cuts[turn % len(cuts)]
        seen = max(seen, gauge.longest(stream[at : at + cut]))
        at, turn = at + cut, turn + 1
    assert seen == max(sizes, default=0)
    assert gauge.longest(frame(3)) == 3  # what comes next begins with a head again


def test_a_long_frame_is_known_by_its_head() -> None:
    gauge = FrameGauge()
    assert gauge.longest(frame(5) + b"\x02" + (1 << 62).to_bytes(8)[:7]) == 5
    assert gauge.longest((1 << 62).to_bytes(8)[7:]) == 1 << 62
    assert gauge.longest(b"\0" * 1000) == 0
