from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lanes import KEPT, networks
from support.networks import GAMES, connect_four, dead_end, evaluate, line_game, random_states, tictactoe

from ggtp.gdl.kernel.single import StateKernel, pack, row_words, rows, states, unpack
from ggtp.gdl.network.network import Network
from ggtp.gdl.program.state import build_state


def check(network: Network, kernel: StateKernel, given: list[tuple[int, ...]], random: Random) -> None:
    """All answers about these states, one by one and all at once."""
    moves = [[random.randrange(len(own)) for own in network.moves] for _ in given]
    packed = [pack(network, facts) for facts in given]
    many, after = kernel.look_many(rows(packed)), states(kernel.next_many(rows(packed), np.array(moves)))
    offsets = np.cumsum([0, *(len(own) for own in network.moves)])
    for i, facts in enumerate(given):
        expected = evaluate(network, facts, moves[i])
        look = kernel.look(packed[i])
        assert look.terminal == many.terminal[i] == expected.terminal
        assert tuple(look.goals) == tuple(many.goals[i]) == expected.goals
        assert tuple(map(tuple, look.legal)) == expected.legal
        assert kernel.legal(packed[i]) == look.legal
        bits = int.from_bytes(many.legal[i].tobytes(), "little")
        legal = [offsets[role] + move for role, own in enumerate(expected.legal) for move in own]
        assert [move for move in range(bits.bit_length()) if bits >> move & 1] == legal
        assert kernel.next(packed[i], moves[i]) == after[i] == pack(network, expected.next)


@settings(max_examples=25, deadline=None)
@given(networks(), st.booleans(), st.integers(0, 99))
def test_any_network(network: Network, compiled: bool, seed: int) -> None:
    random = Random(seed)
    every = [
        tuple(fact for fact in range(len(network.facts)) if state >> fact & 1)
        for state in range(1 << len(network.facts))
    ]
    check(network, StateKernel(build_state(network), compiled=compiled, kept=KEPT), every, random)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_games(name: str, compiled: bool) -> None:
    network = GAMES[name]()
    random = Random(3)
    kernel = StateKernel(build_state(network), compiled=compiled, kept=KEPT)
    check(network, kernel, random_states(network, random, 130), random)


def test_states_of_more_than_a_word() -> None:
    network, random = connect_four(), Random(1)
    assert row_words(network) == 2
    check(network, StateKernel(build_state(network), kept=KEPT), random_states(network, random, 70), random)


def test_code_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.gdl.kernel.single.ONE_FUNCTION", 50)
    monkeypatch.setattr("ggtp.gdl.kernel.single._CHUNK", 30)
    network, random = line_game(4, 4, 3, drops=True), Random(1)
    check(network, StateKernel(build_state(network)), random_states(network, random, 30), random)


def test_a_state_without_moves() -> None:
    network = dead_end()
    kernel = StateKernel(build_state(network), kept=KEPT)
    lost = kernel.next(pack(network, network.initial), [1])
    assert kernel.look(lost) == (False, [0], [[]])


def test_states_are_bytes_and_rows() -> None:
    network = tictactoe()
    assert unpack(pack(network, [0, 7, 19])) == [0, 7, 19]
    packed = [pack(network, [fact]) for fact in (0, 9, 19)]
    assert states(rows(packed)) == packed
    assert rows(packed).tolist() == [[1], [1 << 9], [1 << 19]]


def test_wrong_questions() -> None:
    network = tictactoe()
    kernel = StateKernel(build_state(network), kept=KEPT)
    start = pack(network, network.initial)
    with pytest.raises(ValueError, match="8 bytes"):
        kernel.look(start + b"\0")
    with pytest.raises(ValueError, match="8 bytes"):
        kernel.next(b"", [0, 9])
    with pytest.raises(ValueError):  # noqa: PT011 (the words are those of ctypes)
        kernel.next(start, [0])
    with pytest.raises(ValueError, match="1 words"):
        kernel.look_many(np.zeros((3, 2), np.uint64))
    with pytest.raises(ValueError, match="2 moves"):
        kernel.next_many(np.zeros((3, 1), np.uint64), np.zeros((3, 1), np.int32))
    # A number that is no move is nobody's move.
    assert kernel.next(start, [99, 9]) == pack(network, evaluate(network, network.initial, ()).next)
