"""Steps of several kinds: code that calls, each time, one of them.

Where a step moves some games only, those of a kind, it is that for which most games wait; games then soon go on
together, and few wait. Hints are looked for in all games or in none; which of them follow what is found, the code of
the step draws for each.

Where hints are looked for in one step of so many only, steps of each kind are counted for themselves, so that no player
goes without; and steps with hints are not at equal distances, lest they fall in with turns of two moves, but where the
multiples of the golden ratio have a small fraction: as evenly as can be without a rhythm.

To whoever runs a game's code it is code like any other: entries of functions and their arguments. How far a kernel has
come, and for what games wait, is kept in slots of its own, so that kernels of the same code do not disturb
each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ggtp.gdl.kernel.llvm import splat, vector_type
from ggtp.gdl.kernel.parts import Entries
from ggtp.gdl.kernel.runtime import call_entries
from ggtp.gdl.kernel.writer import Writer
from ggtp.gdl.program.step import ACTIVE, Phase
from ggtp.native.machine import CodeCache, Effort, Library, object_code
from ggtp.native.memory import Longs

_GOLDEN = 0x9E3779B97F4A7C15
"""The fraction of the golden ratio, of 2 ** 64."""
_PLAN = ("slot", "share")
_KIND = ("guided", "guided_entries", "calm", "calm_entries")


class Kind(NamedTuple):
    """Steps of a phase."""

    guided: Entries
    calm: Entries
    phase: Phase


def alternate_text(words: int, phases: Sequence[Phase]) -> str:
    """The module, for slots of so many words: `alternate` makes a step, `restart` begins to count anew."""
    step = Writer("alternate", "ptr %memory, ptr %plan", words)
    slot, share = (step.word("%plan", number) for number in range(len(_PLAN)))
    state = step.slot("%memory", slot)
    kind = _chosen(step, step.slot(state, len(phases)), phases) if len(phases) > 1 else "0"
    own = step.slot(state, kind)
    fraction = step.word(own, 0)
    step.do(f"store i64 {step.num('add', fraction, _GOLDEN)}, ptr {own}, align 8")
    place = step.at("%plan", step.num("add", step.num("mul", kind, len(_KIND)), len(_PLAN)))
    guided, guided_entries, calm, calm_entries = (step.word(place, number) for number in range(len(_KIND)))
    follow = step.set(f"icmp ult i64 {step.num('lshr', fraction, 1)}, {share}")
    entries = step.set(f"select i1 {follow}, i64 {guided}, i64 {calm}")
    count = step.set(f"select i1 {follow}, i64 {guided_entries}, i64 {calm_entries}")
    call_entries(step, "%memory", step.set(f"inttoptr i64 {entries} to ptr"), count)
    again = Writer("restart", "ptr %memory, ptr %plan", words)
    state = again.slot("%memory", again.word("%plan", 0))
    for number in range(2 * len(phases)):
        again.do(f"store i64 0, ptr {again.slot(state, number)}, align 8")
    return _declarations(words) + step.text() + again.text()


def _chosen(w: Writer, waiting: str, phases: Sequence[Phase]) -> str:
    """The number of the phase for which most games have waited, with those that wait now, since it was chosen last.

    Args:
        waiting: the address of a slot for each, where that is counted.
    """
    active = w.load(w.slot("%memory", ACTIVE))
    chosen, most = "0", "-1"
    for number, phase in enumerate(phases):
        ready = active
        for literal in phase.when:
            held = w.load(w.slot("%memory", literal >> 1))
            ready = w.vec("and", ready, w.vec("xor", held, splat(w.words, -1)) if literal & 1 else held)
        games = w.population(ready)
        place = w.slot(waiting, number)
        some = w.set(f"icmp ne i64 {games}, 0")
        waited = w.set(f"select i1 {some}, i64 {w.num('add', w.word(place, 0), games)}, i64 0")
        w.do(f"store i64 {waited}, ptr {place}, align 8")
        more = w.set(f"icmp sgt i64 {waited}, {most}")
        chosen = w.set(f"select i1 {more}, i64 {number}, i64 {chosen}")
        most = w.set(f"select i1 {more}, i64 {waited}, i64 {most}")
    w.do(f"store i64 0, ptr {w.slot(waiting, chosen)}, align 8")
    return chosen


def _declarations(words: int) -> str:
    vector = vector_type(words)
    if words == 1:
        return f"declare {vector} @llvm.ctpop.i64({vector})\n"
    return (
        f"declare {vector} @llvm.ctpop.v{words}i64({vector})\n"
        f"declare i64 @llvm.vector.reduce.add.v{words}i64({vector})\n"
    )


class Alternation:
    """Entries that make steps of several kinds; it must live as long as they are used."""

    def __init__(self, kinds: Sequence[Kind], period: int, slot: int, words: int, kept: CodeCache | None) -> None:
        """Steps with hints.

        Args:
            period: of the steps of each kind, one in so many looks for hints.
            slot: the first of `slots` that nobody else uses.
            words: 64-bit words a slot.
            kept: where machine code is kept.
        """
        text = alternate_text(words, [kind.phase for kind in kinds])
        self._library = Library(object_code(text, Effort.TIDY, kept))
        self._kept = tuple(kinds)
        self.slots = 2 * len(kinds)
        plan = [slot, (1 << 63) // period if period > 1 else (1 << 63) - 1]
        for guided, calm, _ in kinds:
            plan += [guided.address, len(guided), calm.address, len(calm)]
        self._plan = Longs(plan)
        self.step = self._entry("alternate")
        self.restart = self._entry("restart")

    def _entry(self, name: str) -> Entries:
        return Entries(Longs([self._library.address(name), self._plan.address]))

    def restarting(self, entries: Entries) -> Entries:
        """Entries that begin to count anew, then do what these do."""
        return Entries(Longs([*self.restart.pairs.numbers, *entries.pairs.numbers]))
