"""Two kinds of steps in turn: code that calls the one twice, then the other as often as a period has it.

To whoever runs a game's code it is code like any other: entries of functions and their arguments. How far a kernel has
come is kept in a slot of its own, so that kernels of the same code do not disturb each other.
"""

from __future__ import annotations

from ggtp.gdl.kernel_machine import CodeCache, Effort, Library, object_code
from ggtp.gdl.kernel_memory import Longs
from ggtp.gdl.kernel_parts import Entries
from ggtp.gdl.kernel_runtime import call_entries
from ggtp.gdl.kernel_writer import Writer

EACH = 2
"""Steps of the first kind in a row, so that both players have one."""
_PLAN = ("slot", "length", "first", "first_entries", "second", "second_entries")


def alternate_text(words: int) -> str:
    """The module, for slots of so many words: `alternate` makes a step, `restart` begins a period."""
    step = Writer("alternate", "ptr %memory, ptr %plan", words)
    plan = {name: step.word("%plan", number) for number, name in enumerate(_PLAN)}
    place = step.slot("%memory", plan["slot"])
    now = step.word(place, 0)
    after = step.num("add", now, 1)
    last = step.set(f"icmp sge i64 {after}, {plan['length']}")
    step.do(f"store i64 {step.set(f'select i1 {last}, i64 0, i64 {after}')}, ptr {place}, align 8")
    early = step.set(f"icmp slt i64 {now}, {EACH}")
    entries = step.set(f"select i1 {early}, i64 {plan['first']}, i64 {plan['second']}")
    count = step.set(f"select i1 {early}, i64 {plan['first_entries']}, i64 {plan['second_entries']}")
    call_entries(step, "%memory", step.set(f"inttoptr i64 {entries} to ptr"), count)
    again = Writer("restart", "ptr %memory, ptr %plan", words)
    again.do(f"store i64 0, ptr {again.slot('%memory', again.word('%plan', 0))}, align 8")
    return step.text() + again.text()


class Alternation:
    """Entries that make steps of two kinds; it must live as long as they are used."""

    def __init__(
        self, first: Entries, second: Entries, period: int, slot: int, words: int, kept: CodeCache | None
    ) -> None:
        """Two steps of the first kind in so many times two.

        Args:
            slot: a slot that nobody else uses.
            words: 64-bit words a slot.
            kept: where machine code is kept.
        """
        self._library = Library(object_code(alternate_text(words), Effort.TIDY, kept))
        self._kept = first, second
        self._plan = Longs([slot, EACH * period, first.address, len(first), second.address, len(second)])
        self.step = self._entry("alternate")
        self.restart = self._entry("restart")

    def _entry(self, name: str) -> Entries:
        return Entries(Longs([self._library.address(name), self._plan.address]))

    def restarting(self, entries: Entries) -> Entries:
        """Entries that begin a period, then do what these do."""
        return Entries(Longs([*self.restart.pairs.numbers, *entries.pairs.numbers]))
