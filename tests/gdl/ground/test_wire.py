"""Networks come back from bytes as they went."""

from __future__ import annotations

import pytest

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.ground.wire import decode_built, encode_built
from ggtp.gdl.language.parse import parse
from ggtp.gdl.network.build import build
from ggtp.gdl.network.network import LazyGates

GAME = """
    (role r) (role s) (init (n 0)) (succ 0 1) (succ 1 2)
    (<= (legal ?p go) (role ?p)) (<= (legal r (stay ?x)) (true (n ?x)))
    (<= (next (n ?y)) (does r go) (true (n ?x)) (succ ?x ?y)) (<= (next (n ?x)) (does r (stay ?x)))
    (<= terminal (true (n 2))) (<= (goal ?p 100) (role ?p) (true (n 2))) (<= (sees s (at ?x)) (true (n ?x)))
"""


def test_a_network_comes_back() -> None:
    built = build(ground(parse(GAME)))
    assert decode_built(encode_built(built)) == built


def test_other_bytes_are_refused() -> None:
    data = encode_built(build(ground(parse(GAME))))
    other = data.replace(b'"kind": "network"', b'"kind": "netwerk"')
    assert len(other) == len(data)
    with pytest.raises(ValueError, match="no network"):
        decode_built(other)
    for wrong in (b"", data[:20], data[:-1], b"\0" * 8 + b"{}", (2).to_bytes(8, "little") + b"[]"):
        with pytest.raises(ValueError, match=r"."):
            decode_built(wrong)


def test_a_gate_has_two_inputs() -> None:
    data = encode_built(build(ground(parse(GAME))))
    with pytest.raises(ValueError, match="lacks an input"):
        decode_built(data[:-4])


def test_gates_are_read_when_somebody_looks() -> None:
    read: list[int] = []

    def gates() -> tuple[tuple[int, int], ...]:
        read.append(1)
        return (2, 4), (3, 6)

    lazy = LazyGates(2, gates)
    assert len(lazy) == 2
    assert not read
    assert lazy[1] == (3, 6)
    assert lazy[:1] == ((2, 4),)
    assert list(lazy) == [(2, 4), (3, 6)]
    assert lazy == ((2, 4), (3, 6))
    assert lazy == LazyGates(2, gates)
    assert lazy != ((2, 4),)
    assert hash(lazy) == hash(((2, 4), (3, 6)))
    assert len(read) == 2
