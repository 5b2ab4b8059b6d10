"""Code before it is loaded: what comes back is what was written, and a game that is kept writes nothing again."""

from __future__ import annotations

from array import array
from hashlib import sha256

import pytest
from support.lanes import KEPT, Kept
from support.networks import tictactoe

from ggtp.gdl.kernel import llvm
from ggtp.gdl.kernel import parts as kernel_parts
from ggtp.gdl.kernel import table as kernel_table
from ggtp.gdl.kernel.llvm import module_text
from ggtp.gdl.kernel.parts import VERSION, Part, Parts, PartsMaker, decode_parts, encode_parts, parts_of
from ggtp.gdl.kernel.playouts import PlayoutKernel, chunks, table
from ggtp.gdl.kernel.runtime import runtime_text
from ggtp.gdl.kernel.single import StateKernel
from ggtp.gdl.kernel.single_runtime import state_runtime_text
from ggtp.gdl.network.network import Built, Statistics
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.gdl.program.build import build_step
from ggtp.gdl.program.code import cut
from ggtp.gdl.program.state import build_state
from ggtp.gdl.program.step import StepProgram
from ggtp.native.machine import Effort

SAMPLE = Parts(b"around", 7, 4, (Part((b"one", b""), 20), Part(table=array("i", range(5))), Part()))


@pytest.fixture(scope="module")
def step() -> StepProgram:
    return build_step(tictactoe())


def same(one: Parts, two: Parts) -> bool:
    def plain(parts: Parts) -> object:
        tables = [None if part.table is None else part.table.tolist() for part in parts.parts]
        return parts.runtime, parts.slots, parts.words, [(part.objects, part.functions) for part in parts.parts], tables

    return plain(one) == plain(two)


def test_parts_come_back() -> None:
    assert same(decode_parts(encode_parts(SAMPLE)), SAMPLE)


def test_what_is_no_code_is_refused() -> None:
    data = encode_parts(SAMPLE)
    wrong = data.replace(b'"version": %d' % VERSION, b'"version": 0')
    less = data.replace(b'"runtime": 6', b'"runtime":-6')
    for broken in (b"", data[:-1], data[:30], b"\0" * 64, wrong, less, data.replace(b'"slots"', b'"slits"')):
        with pytest.raises((ValueError, KeyError, TypeError)):
            decode_parts(broken)


def test_code_is_found_by_its_name_alone(step: StepProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    kept.update(KEPT)
    before = set(kept)

    def games() -> list[PlayoutKernel]:
        return [chunks(step, kept=kept, name="x", size=60, words=4), table(step, kept=kept, name="x", words=4)]

    played = [kernel.playouts(1000) for kernel in games()]
    states = StateKernel(build_state(step.network), kept=kept, name="x", compiled=False)
    made = {key for key in set(kept) - before if key.startswith("code ")}
    assert len(made) == 3
    assert not any(key.startswith("code ") for key in set(kept) - before - made)

    def forbidden(*arguments: object) -> object:
        raise AssertionError("nothing is to be made again")

    for module, name in ((llvm, "module_text"), (kernel_table, "tabulate")):
        monkeypatch.setattr(module, name, forbidden)
    for name in ("cut", "object_code"):
        monkeypatch.setattr(kernel_parts, name, forbidden)
    monkeypatch.setattr("ggtp.gdl.kernel.playouts.runtime_text", forbidden)
    monkeypatch.setattr("ggtp.gdl.kernel.single.state_runtime_text", forbidden)
    assert [kernel.playouts(1000) for kernel in games()] == played
    again = StateKernel(states.program, kept=kept, name="x", compiled=False)
    start = bytes(8 * again.row_words)
    assert again.look(start) == states.look(start)
    # Another game, or the same in another way, is not there.
    with pytest.raises(AssertionError):
        table(step, kept=kept, name="y", words=4)
    with pytest.raises(AssertionError):
        table(step, kept=kept, name="x", words=8)


def test_what_cannot_be_read_is_made_anew(step: StepProgram) -> None:
    kept = Kept()
    kept.update(KEPT)
    before = set(kept)
    first = table(step, kept=kept, name="x", words=4).playouts(500)
    (key,) = [key for key in set(kept) - before if key.startswith("code ")]
    good = kept[key]
    for bad in (b"", b"nonsense", good[:-4]):
        kept[key] = bad
        assert table(step, kept=kept, name="x", words=4).playouts(500) == first
        assert kept[key] == good


def test_without_a_name_pieces_are_kept_by_their_text() -> None:
    made: list[object] = []

    def make(kept: object) -> Parts:
        made.append(kept)
        return SAMPLE

    kept = Kept()
    assert parts_of(kept, "", "x", make) is SAMPLE
    assert parts_of(None, "name", "x", make) is SAMPLE
    assert made == [kept, None]
    assert not kept
    assert parts_of(kept, "name", "x", make) is SAMPLE
    assert made[-1] is None
    assert same(parts_of(kept, "name", "x", make), SAMPLE)
    assert len(made) == 3


def test_a_maker_counts_slots_and_stops(step: StepProgram) -> None:
    maker = PartsMaker(1, Effort.FAST, None)
    maker.table(step.step)
    assert maker.slots == kernel_table.tabulate(step.step, 1).slots

    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        PartsMaker(1, Effort.FAST, None, stop).functions(step.step, 100)


def test_the_version_goes_with_the_code(step: StepProgram) -> None:
    """When this fails, other code is made of the same program: a new VERSION in `kernel.parts`, and the new sum here.

    Where the program itself is another one, that is a matter of the version in `program.wire`.
    """
    parts = cut(step.step, 100)
    numbers = range(len(parts.chunks))
    text = module_text(parts, numbers, 4) + module_text(parts, numbers, 8, ternary=True)
    text += runtime_text(4) + state_runtime_text()
    words = kernel_table.tabulate(step.step, 4).words
    found = sha256(text.encode() + words.tobytes()).hexdigest()[:16]
    assert (VERSION, found) == (5, "cb30008498ab1f59")


def test_a_compiled_game_hands_its_name_on(step: StepProgram) -> None:
    kept = Kept()
    kept.update(KEPT)
    nothing = Statistics(0, (), 0, 0, (), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    game = CompiledGame(Built(step.network, nothing), kept, "a game")
    game.best()
    game.state_kernel()
    assert sum(key.startswith("code ") and key.endswith(" a game") for key in kept) == 2


def test_a_narrow_table_is_played_as_narrow_when_it_is_kept(step: StepProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    monkeypatch.setattr(kernel_table, "ROOM", 1)
    made = table(step, kept=kept, name="x")
    monkeypatch.undo()
    found = table(step, kept=kept, name="x")
    assert made.lanes == found.lanes == 256
    assert made.playouts(1000) == found.playouts(1000) == table(step, words=4).playouts(1000)
