"""Code as a table for the interpreter in `kernel.runtime`: runs of one opcode over slots that are used again."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ggtp.gdl.program.code import OR, RANDOM, Code

WIDTHS = (16, 8, 4)
"""Words a slot, the best first: the more lanes, the less it costs to read the table."""
ROOM = 6 << 20
"""Bytes of slots that caches hold; beyond, waiting for memory costs more than reading the table."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the interpreter reads, and how much memory it needs."""

    words: array[int]
    slots: int
    runs: int
    width: int
    """How many words a slot has."""


def tabulate(code: Code, width: int | None = None) -> Table:
    """Makes a table for slots of so many words, or of as many as are best.

    The order of the operations changes: as long as one of the same opcode can be done, it is done,
    those first that came early in the code, so that values stay near their uses.
    """
    order = _runs(code)
    places, slots, copies = _places(code, order)
    if width is None:
        width = next((words for words in WIDTHS if 8 * words * slots <= ROOM), WIDTHS[-1])
    size = 8 * width
    out: list[int] = [0]
    runs = 0
    header = 0
    present = -1
    for position in order:
        opcode = code.opcodes[position]
        if opcode != present:
            header = len(out)
            out += [opcode, 0]
            present = opcode
            runs += 1
        out[header + 1] += 1
        out += [size * places[code.slots + position], size * places[code.left[position]], 0]
        # Slots are given to results before operands give theirs back, so operands are still where they were.
        out[-1] = size * places[code.right[position]]
    if copies:
        out += [OR, len(copies)]
        runs += 1
        for target, source in copies:
            out += [size * target, size * source, size * source]
    out[0] = runs
    return Table(array("i", out), slots, runs, width)


def _runs(code: Code) -> list[int]:
    """An order of the operations with long runs of one opcode."""
    length, base = len(code), code.slots
    waiting = [0] * length
    users: list[list[int]] = [[] for _ in range(length)]
    last_random = -1
    for position in range(length):
        if code.opcodes[position] == RANDOM:
            needs = {last_random} if last_random >= 0 else set()
            last_random = position
        else:
            needs = {value - base for value in (code.left[position], code.right[position]) if value >= base}
        waiting[position] = len(needs)
        for need in needs:
            users[need].append(position)
    ready: list[list[int]] = [[] for _ in range(RANDOM + 1)]
    for position in range(length):
        if not waiting[position]:
            ready[code.opcodes[position]].append(position)
    for heap in ready:
        heapify(heap)
    order: list[int] = []
    while len(order) < length:
        # The opcode whose first operation has waited longest.
        opcode = min((heap[0], opcode) for opcode, heap in enumerate(ready) if heap)[1]
        heap = ready[opcode]
        while heap:
            position = heappop(heap)
            order.append(position)
            for user in users[position]:
                waiting[user] -= 1
                if not waiting[user]:
                    heappush(ready[code.opcodes[user]], user)
    return order


def _places(code: Code, order: list[int]) -> tuple[list[int], int, list[tuple[int, int]]]:
    """For each value its slot, how many slots there are, and what is to be copied at the end."""
    base = code.slots
    when = [0] * len(code)
    for time, position in enumerate(order):
        when[position] = time
    last = [-1] * (base + len(code))
    for time, position in enumerate(order):
        if code.opcodes[position] != RANDOM:
            last[code.left[position]] = time
            last[code.right[position]] = time
    targets: dict[int, list[int]] = {}
    for slot, value in code.stores:
        targets.setdefault(value, []).append(slot)
    places = [*range(base), *[-1] * len(code)]
    copies: list[tuple[int, int]] = []
    slots = base
    free: list[int] = []
    dying: dict[int, list[int]] = {}
    for time, position in enumerate(order):
        value = base + position
        wanted = targets.get(value, [])
        # The old value of a slot must have been read before; an operation reads before it writes.
        direct = next((slot for slot in wanted if last[slot] <= time), None)
        if direct is not None:
            places[value] = direct
        elif free:
            places[value] = free.pop()
        else:
            places[value] = slots
            slots += 1
        copies += [(slot, places[value]) for slot in wanted if slot != direct]
        if direct is None and not wanted:
            dying.setdefault(max(last[value], time), []).append(places[value])
        free += dying.pop(time, [])
    return places, slots, copies
