"""Programs as bytes: what comes back is what was written, and nothing else is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from ggtp.gdl.build import build
from ggtp.gdl.compiled import CompiledGame
from ggtp.gdl.ground import ground
from ggtp.gdl.network import Built
from ggtp.gdl.parse import parse_strictly
from ggtp.gdl.program import build_step
from ggtp.gdl.program_state import build_state
from ggtp.gdl.program_wire import VERSION, decode_state, decode_step, encode_state, encode_step

RULES = Path(__file__).resolve().parents[2] / "rules" / "gdl"


def built(name: str) -> Built:
    return build(ground(parse_strictly((RULES / f"{name}.gdl").read_text("utf-8"))))


@pytest.mark.parametrize("name", ["tictactoe", "connect3", "rockpaperscissors", "pegsolitaire"])
def test_programs_come_back(name: str) -> None:
    network = built(name).network
    step, state = build_step(network), build_state(network)
    assert decode_step(encode_step(step), network) == step
    assert decode_state(encode_state(state), network) == state


def test_what_is_no_program_is_refused() -> None:
    network = built("tictactoe").network
    data = encode_step(build_step(network))
    for broken in (b"", data[:-1], data[:40], b"\0" * 100, data.replace(b'"version": %d' % VERSION, b'"version": 0')):
        with pytest.raises((ValueError, KeyError, TypeError)):
            decode_step(broken, network)
    with pytest.raises((ValueError, KeyError, TypeError)):
        decode_step(encode_state(build_state(network)), network)


def test_a_game_keeps_its_programs() -> None:
    class Memory(dict[str, bytes]):
        def put(self, key: str, data: bytes) -> None:
            self[key] = data

    found, kept = built("connect3"), Memory()
    first = CompiledGame(found, kept, "connect3")
    step = first.step
    first.state_kernel()
    assert sorted(key.split()[0] for key in kept if "connect3" in key) == ["code", "state", "step"]
    again = CompiledGame(found, kept, "connect3")
    assert again.step == step
    assert again.best().playouts(100).games >= 100
    # What can't be read is made anew, and without a name nothing is kept.
    kept[next(key for key in kept if key.startswith("step"))] = b"nonsense"
    assert CompiledGame(found, kept, "connect3").step == step
    other = Memory()
    assert CompiledGame(found, other).step == step
    assert not other
