"""The cache of minimax over a compiled game: what is remembered of positions, in a bounded number of entries.

In the part of Python that `native` makes machine code of. The argument `a` is the array of `minimax.layout`.
"""

from __future__ import annotations

from ggtp.native.language import Words, address, halves, logical_shift, words
from ggtp.search.minimax.layout import (
    CAPACITY,
    COUNT,
    ENTRY_FACTS,
    FACTS,
    HASHES,
    HITS,
    KNOWN,
    MASK,
    MASK_BEFORE,
    MASK_MOST,
    MOVED,
    OLDEST,
    PENDING,
    PURGES,
    ROLES,
    ROWS,
    SLOTS,
    STOPPED,
    SURE,
    TO_MOVE,
    USED,
    VALUES,
    WIDTH,
    WORDS,
)
from ggtp.search.minimax.plan import AT_LEAST, AT_MOST, EXACT

ONE, TWO, THREE, FOUR = -0x00AE502812AA7333, -0x3B314601E57A13AD, 0x2127599BF4325C37, -0x77FCAA0DE1B1A69B
"""Odd numbers whose products mix bits well."""
MOVED_AT_ONCE = 4
"""Entries that go over to a larger table whenever there is a new one."""


def shaded(value: int, ply: int) -> int:
    """As `plan.from_node`."""
    return value - ply if value > 0 else value + ply if value < 0 else value


def unshaded(value: int, ply: int) -> int:
    """As `plan.to_node`."""
    return value + ply if value > 0 else value - ply if value < 0 else value


def hash_step(seed: int, factor: int) -> int:
    """One step of a hash."""
    product = seed * factor
    return product ^ logical_shift(product, 32)


def hash_of(a: Words, row: int, ply: int, factor: int, other: int) -> int:
    """A number for a position and what was decided in it."""
    found = factor
    for word in range(a[WORDS]):
        found = hash_step(found ^ words(a[ROWS])[row * a[WORDS] + word], other)
    for role in range(a[ROLES]):
        found = hash_step(found ^ (words(a[PENDING])[ply * a[ROLES] + role] + 2), factor)
    return found


def lives(a: Words, number: int) -> int:
    """Whether an entry counts; what was forgotten stands there until its place is needed."""
    return (number - a[OLDEST] + a[CAPACITY]) % a[CAPACITY] < a[COUNT]


def find_in(a: Words, mask: int, one: int, two: int) -> int:
    """The entry of a position in one table of the cache, or -1."""
    slots = halves(address(halves(a[SLOTS]), mask + 1))
    hashes = words(a[HASHES])
    slot = one & mask
    while slots[slot] != 0:
        entry = slots[slot] - 1
        if hashes[2 * entry] == one and hashes[2 * entry + 1] == two and lives(a, entry):
            return entry
        slot = (slot + 1) & mask
    return -1


def find(a: Words, one: int, two: int) -> int:
    """The entry of a position in the cache, or -1."""
    if a[CAPACITY] == 0:
        return -1
    entry = find_in(a, a[MASK], one, two)
    if entry < 0 and a[MASK_BEFORE] > 0:
        entry = find_in(a, a[MASK_BEFORE], one, two)
    return entry


def place(a: Words, number: int) -> None:
    """Let an entry be found."""
    slots = halves(address(halves(a[SLOTS]), a[MASK] + 1))
    slot = words(a[HASHES])[2 * number] & a[MASK]
    while slots[slot] != 0:
        slot = (slot + 1) & a[MASK]
    slots[slot] = number + 1


def displace(a: Words, number: int) -> None:
    """Let an entry be found no more, and close the gap that it leaves."""
    mask = a[MASK]
    slots = halves(address(halves(a[SLOTS]), mask + 1))
    hashes = words(a[HASHES])
    gap = hashes[2 * number] & mask
    while slots[gap] != number + 1:
        if slots[gap] == 0:
            return
        gap = (gap + 1) & mask
    slot = (gap + 1) & mask
    while slots[slot] != 0:
        home = hashes[2 * (slots[slot] - 1)] & mask
        if ((slot - home) & mask) >= ((slot - gap) & mask):
            slots[gap] = slots[slot]
            gap = slot
        slot = (slot + 1) & mask
    slots[gap] = 0


def purge(a: Words) -> None:
    """Forget the oldest quarter. That takes no time: places are cleared when they are needed."""
    goes = max(1, a[COUNT] // 4)
    a[OLDEST] = (a[OLDEST] + goes) % a[CAPACITY]
    a[COUNT] = a[COUNT] - goes
    a[PURGES] = a[PURGES] + 1


def grow(a: Words) -> None:
    """See that at least half of the table is empty, little by little: no search has to wait for it.

    The next table is twice as large and stands behind the one before. Memory that was never touched is slow, and of a
    large table every entry would touch some.
    """
    if a[MASK_BEFORE] == 0 and a[MASK] < a[MASK_MOST] and 2 * a[COUNT] > a[MASK]:
        a[MASK_BEFORE] = a[MASK]
        a[MASK] = 2 * a[MASK] + 1
        a[MOVED] = 0
        a[TO_MOVE] = a[COUNT]
    if a[MASK_BEFORE] > 0:
        for _ in range(MOVED_AT_ONCE):
            if a[MOVED] < a[TO_MOVE]:
                place(a, a[MOVED])
                a[MOVED] = a[MOVED] + 1
        if a[MOVED] == a[TO_MOVE]:
            a[MASK_BEFORE] = 0


def new_entry(a: Words, one: int, two: int) -> int:
    """A new entry for a position that has none."""
    if a[COUNT] >= a[CAPACITY]:
        purge(a)
    grow(a)
    entry = (a[OLDEST] + a[COUNT]) % a[CAPACITY]
    if entry < a[USED]:
        displace(a, entry)
    else:
        a[USED] = entry + 1
    a[COUNT] = a[COUNT] + 1
    words(a[HASHES])[2 * entry] = one
    words(a[HASHES])[2 * entry + 1] = two
    place(a, entry)
    return entry


def entry_for(a: Words, one: int, two: int) -> int:
    """The entry of a position, a new one if it has none; negative where nothing is remembered."""
    if a[CAPACITY] == 0:
        return -1
    entry = find(a, one, two)
    return entry if entry >= 0 else new_entry(a, one, two)


def keep(a: Words, entry: int, depth: int, level: int, bound: int, sure: int, move: int, ply: int) -> None:
    """Remember the values of a level in an entry, if there is one."""
    if entry < 0:
        return
    facts = halves(address(halves(a[FACTS]), entry * ENTRY_FACTS))
    facts[0] = depth
    facts[1] = level
    facts[2] = bound
    facts[3] = sure
    facts[4] = move
    for i in range(a[WIDTH]):
        halves(a[KNOWN])[entry * a[WIDTH] + i] = unshaded(words(a[VALUES])[ply * a[WIDTH] + i], ply)


def best_known(a: Words, ply: int) -> int:
    """The best move that is remembered of the first row, or -1."""
    entry = find(a, hash_of(a, 0, ply, ONE, TWO), hash_of(a, 0, ply, THREE, FOUR))
    if entry < 0:
        return -1
    return halves(a[FACTS])[entry * ENTRY_FACTS + 4]


def recalled(a: Words, number: int, depth: int, extra: int, alpha: int, beta: int, ply: int) -> int:
    """Whether an entry says enough, and then how sure it is; its values are in the row of the level. Else `STOPPED`."""
    facts = halves(address(halves(a[FACTS]), number * ENTRY_FACTS))
    sure = facts[3]
    if sure != SURE and (facts[0] < depth or facts[1] < depth + extra):
        return STOPPED
    known = halves(address(halves(a[KNOWN]), number * a[WIDTH]))
    value = shaded(known[0], ply)
    enough = facts[2] == EXACT
    if facts[2] == AT_LEAST:
        enough = value >= beta
    if facts[2] == AT_MOST:
        enough = value <= alpha
    if not enough:
        return STOPPED
    for i in range(a[WIDTH]):
        words(a[VALUES])[ply * a[WIDTH] + i] = shaded(known[i], ply)
    return sure


def recall(a: Words, one: int, two: int, depth: int, extra: int, alpha: int, beta: int, ply: int) -> tuple[int, int]:
    """How sure what is remembered of a position is, if it is enough, else `STOPPED`; and the move that was best."""
    entry = find(a, one, two)
    if entry < 0:
        return STOPPED, -1
    a[HITS] = a[HITS] + 1
    return recalled(a, entry, depth, extra, alpha, beta, ply), halves(a[FACTS])[entry * ENTRY_FACTS + 4]


FUNCTIONS = (
    shaded,
    unshaded,
    hash_step,
    hash_of,
    lives,
    find_in,
    find,
    place,
    displace,
    purge,
    grow,
    new_entry,
    entry_for,
    keep,
    best_known,
    recalled,
    recall,
)
"""All of them, for `native.module_text`."""

NUMBERS: dict[str, int | float] = {
    "ONE": ONE,
    "TWO": TWO,
    "THREE": THREE,
    "FOUR": FOUR,
    "MOVED_AT_ONCE": MOVED_AT_ONCE,
}
"""The numbers that they use, beside those of the layout and of `plan`."""
