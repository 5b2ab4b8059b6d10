"""Programs as bytes: what comes back is what was written, and nothing else is read."""

from __future__ import annotations

import pytest
from support.paths import ROOT

from ggtp.gdl.ground.grounder import ground
from ggtp.gdl.language.parse import parse_strictly
from ggtp.gdl.network.build import build
from ggtp.gdl.network.network import Built
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.gdl.program import foresight
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.guide import Guide
from ggtp.gdl.program.state import build_state
from ggtp.gdl.program.wire import (
    VERSION,
    decode_perhaps,
    decode_state,
    decode_step,
    encode_perhaps,
    encode_state,
    encode_step,
)

RULES = ROOT / "rules" / "gdl"


def built(name: str) -> Built:
    return build(ground(parse_strictly((RULES / f"{name}.gdl").read_text("utf-8"))))


@pytest.mark.parametrize("name", ["tictactoe", "connect3", "rockpaperscissors", "pegsolitaire"])
def test_programs_come_back(name: str) -> None:
    network = built(name).network
    step, state = build_step(network), build_state(network)
    assert decode_step(encode_step(step), network) == step
    assert decode_state(encode_state(state), network) == state


@pytest.mark.parametrize("period", [1, 3])
def test_programs_with_several_kinds_of_steps_come_back(period: int) -> None:
    network = built("connect3").network
    step = build_step(network, guide=Guide((), period=period, foresight=10_000))
    assert len(step.phases) == 2
    assert step.foresight
    again = decode_step(encode_step(step), network)
    assert again == step
    assert again.phases[0].guided is again.step  # which is compiled once
    assert len(again.further) == (3 if period > 1 else 1)


def test_that_there_is_no_program_comes_back() -> None:
    network = built("tictactoe").network
    assert decode_perhaps(encode_perhaps(None), network) is None
    step = build_step(network)
    assert decode_perhaps(encode_perhaps(step), network) == step


def test_what_is_no_program_is_refused() -> None:
    network = built("tictactoe").network
    data = encode_step(build_step(network))
    for broken in (b"", data[:-1], data[:40], b"\0" * 100, data.replace(b'"version": %d' % VERSION, b'"version": 0')):
        with pytest.raises((ValueError, KeyError, IndexError, TypeError)):
            decode_step(broken, network)
    with pytest.raises((ValueError, KeyError, TypeError)):
        decode_step(encode_state(build_state(network)), network)


class Memory(dict[str, bytes]):
    """A cache."""

    def put(self, key: str, data: bytes) -> None:
        self[key] = data


@pytest.mark.slow
def test_a_game_keeps_its_programs() -> None:
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


@pytest.mark.slow
def test_a_game_keeps_what_it_foresees_and_that_it_foresees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Memory()
    first = CompiledGame(built("connect3"), kept, "connect3").foreseeing()
    assert first is not None
    assert CompiledGame(built("rockpaperscissors"), kept, "rockpaperscissors").foreseeing() is None
    monkeypatch.setattr(foresight, "build_step", lambda *_, **__: pytest.fail("it is built again"))
    again = CompiledGame(built("connect3"), kept, "connect3")
    kernel = again.foreseeing()
    assert kernel is not None
    assert kernel.program == first.program
    assert kernel.playouts(100).games >= 100
    # The code of one kind of games is not taken for the other's.
    assert kernel.program.operations != again.best().program.operations
    assert again.best().playouts(100).games >= 100
    assert CompiledGame(built("rockpaperscissors"), kept, "rockpaperscissors").foreseeing() is None
