"""Minimax over a compiled game: the cache and the search, in the part of Python that `native` makes machine code of.

What `minimax` does, with all moves of a position tried at once. Positions on the way down stand
one behind the other; what is behind `top` is free. The argument `a` is the array of
`minimax.layout`.
"""

from __future__ import annotations

from ggtp.native.language import Words, address, call, get, halves, logical_shift, words
from ggtp.search.minimax.expand import decider, expand, legal_count, list_moves, waiting
from ggtp.search.minimax.layout import (
    CACHING,
    CAPACITY,
    CHANCE,
    CHOICES,
    CLOCK,
    CLOCK_NAME,
    CLOCK_SAYS,
    COUNT,
    DEADLINE,
    ENTRY_FACTS,
    EXTENSION,
    FACTS,
    HASHES,
    HEURISTICS,
    HISTORY,
    HITS,
    JOINTS,
    KEYS,
    KNOWN,
    LEVELS,
    MASK,
    MASK_BEFORE,
    MASK_MOST,
    ME,
    MOST_NODES,
    MOVED,
    NOBODY,
    NODES,
    ODD,
    OFFSETS,
    OLDEST,
    ORDERING,
    ORDERS,
    OVERS,
    PENDING,
    PRUNING,
    PURGES,
    REDUCING,
    ROLES,
    ROOM,
    ROWS,
    SELFISH,
    SLOTS,
    STOP,
    STOPPED,
    SUMS,
    SURE,
    TO_MOVE,
    UNCERTAIN,
    USED,
    VALUES,
    VIEW,
    WIDTH,
    WORDS,
)
from ggtp.search.minimax.plan import AT_LEAST, AT_MOST, ENDLESS, EXACT, POINT

ONE, TWO, THREE, FOUR = -0x00AE502812AA7333, -0x3B314601E57A13AD, 0x2127599BF4325C37, -0x77FCAA0DE1B1A69B
"""Odd numbers whose products mix bits well."""
FULLY, REDUCED_FROM, REDUCED = 4, 3, 2
"""How many moves are searched in full depth at once, from which depth on the others are not, and how much less deep:
an even number, since heuristic values depend on who has moved last."""
MOVED_AT_ONCE = 4
"""Entries that go over to a larger table whenever there is a new one."""


def shaded(value: int, ply: int) -> int:
    """As `minimax_plan.from_node`."""
    return value - ply if value > 0 else value + ply if value < 0 else value


def unshaded(value: int, ply: int) -> int:
    """As `minimax_plan.to_node`."""
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


def arrange(a: Words, top: int, count: int, mover: int, hint: int, looks: int) -> None:
    """Put the numbers of the children in order: what was best first, then what looks best to the mover."""
    order = halves(address(halves(a[ORDERS]), top))
    keys = words(address(words(a[KEYS]), top))
    for i in range(count):
        order[i] = i
    if a[ORDERING] == 0 or count < 2 or mover < 0 or mover == a[CHANCE]:
        return
    for i in range(count):
        key = 0
        if looks:
            if a[VIEW] == SELFISH:
                key = words(a[HEURISTICS])[(top + i) * a[WIDTH] + mover]
            else:
                key = words(a[HEURISTICS])[top + i]
                if mover != a[ME]:
                    key = -key
        move = halves(a[JOINTS])[(top + i) * a[ROLES] + mover]
        key += min(POINT, words(a[HISTORY])[words(a[OFFSETS])[mover] + move])
        keys[i] = ENDLESS if move == hint else key
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            number = order[i]
            j = i
            while j >= gap and keys[order[j - gap]] < keys[number]:
                order[j] = order[j - gap]
                j = j - gap
            order[j] = number
        gap = gap // 2


def take_heuristic(a: Words, row: int, ply: int) -> int:
    """What a position is worth by itself."""
    for i in range(a[WIDTH]):
        words(a[VALUES])[ply * a[WIDTH] + i] = words(a[HEURISTICS])[row * a[WIDTH] + i]
    return UNCERTAIN


def better(a: Words, mover: int, ply: int) -> int:
    """Whether the values one level down please the mover more than those at this level."""
    old = words(address(words(a[VALUES]), ply * a[WIDTH]))
    new = words(address(words(a[VALUES]), (ply + 1) * a[WIDTH]))
    if a[VIEW] != SELFISH:
        return new[0] > old[0] if mover == a[ME] else new[0] < old[0]
    if new[mover] == old[mover]:
        return new[a[ME]] < old[a[ME]]
    return new[mover] > old[mover]


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


def notice_choices(a: Words, row: int, ply: int) -> None:
    """How many moves everybody has, or had when they last had a choice, for the level below."""
    choices = words(a[CHOICES])
    for role in range(a[ROLES]):
        count = legal_count(a, row, role)
        here = ply * a[ROLES] + role
        choices[here + a[ROLES]] = count if count > 1 else choices[here]


def hand_down(a: Words, mover: int, move: int, last: int, ply: int) -> None:
    """What was decided, for the level below: nothing where a step is complete."""
    pending = words(address(words(a[PENDING]), ply * a[ROLES]))
    for role in range(a[ROLES]):
        pending[a[ROLES] + role] = -1 if last else pending[role]
    if last == 0:
        pending[a[ROLES] + mover] = move


def everything(a: Words, mover: int, ply: int) -> int:
    """Whether a player has all there is to have, and, where it is another, we have nothing."""
    values = words(address(words(a[VALUES]), ply * a[WIDTH]))
    if mover < 0 or values[mover] < 100 * POINT - ply - 1:
        return 0
    return mover == a[ME] or values[a[ME]] <= ply + 1 - 100 * POINT


def of_child(a: Words, state: int, top: int, depth: int, extra: int, low: int, high: int, ply: int) -> int:
    """The values of a child, in the row of the level below; returns what `descend` does.

    Its state is that of its parent, where others have to decide yet.
    """
    if halves(a[OVERS])[state] != 0:
        if a[ODD]:
            return STOPPED
        for i in range(a[WIDTH]):
            words(a[VALUES])[(ply + 1) * a[WIDTH] + i] = shaded(words(a[HEURISTICS])[state * a[WIDTH] + i], ply + 1)
        return SURE
    if depth - 1 + extra <= 0:
        return take_heuristic(a, state, ply + 1)
    return descend(a, state, top, depth - 1, extra, low, high, ply + 1)


def promises(a: Words, mover: int, least: int, ply: int) -> int:
    """Whether the values one level down are better for the mover than what it has, as far as a narrow window shows."""
    value = words(a[VALUES])[(ply + 1) * a[WIDTH]]
    return value > least if mover == a[ME] else value <= least


def of_doubtful(a: Words, state: int, top: int, depth: int, mover: int, low: int, high: int, ply: int) -> int:
    """As `of_child`, of a child that does not look good: less deep first, and then only if it promises something."""
    least = low if mover == a[ME] else high - 1
    found = of_child(a, state, top, depth - REDUCED, 0, least, least + 1, ply)
    if found == STOPPED or not promises(a, mover, least, ply):
        return found
    return of_child(a, state, top, depth, 0, low, high, ply)


def averaged(a: Words, row: int, top: int, count: int, depth: int, extra: int, ply: int, last: int) -> int:
    """Search what chance can draw; the values are the means. Returns what `descend` does."""
    sure = SURE
    values = words(address(words(a[VALUES]), ply * a[WIDTH]))
    sums = words(address(words(a[SUMS]), ply * a[WIDTH]))
    for i in range(a[WIDTH]):
        sums[i] = 0
    for child in range(top, top + count):
        hand_down(a, a[CHANCE], halves(a[JOINTS])[child * a[ROLES] + a[CHANCE]], last, ply)
        found = of_child(a, child if last else row, top + count, depth, extra, -ENDLESS, ENDLESS, ply)
        if found == STOPPED:
            return STOPPED
        sure = min(sure, found)
        for i in range(a[WIDTH]):
            sums[i] = sums[i] + values[a[WIDTH] + i]
    for i in range(a[WIDTH]):
        values[i] = sums[i] // count
    return sure


def children(a: Words, row: int, top: int, mover: int, ply: int, last: int) -> int:
    """Make what a decision can lead to, or list it where others have to decide yet; how many, negative without room."""
    if last:
        return expand(a, row, top, mover, ply)
    count = legal_count(a, row, mover)
    if top + count > a[ROOM]:
        return -1
    list_moves(a, row, top, mover)
    return count


def note_cut(a: Words, mover: int, move: int, depth: int) -> None:
    """A move was so good that no other need be searched: it is tried early elsewhere."""
    place_in_history = words(a[OFFSETS])[mover] + move
    words(a[HISTORY])[place_in_history] = words(a[HISTORY])[place_in_history] + depth * depth


def bound_of(value: int, floor: int, roof: int) -> int:
    """What kind of bound a value is that was searched between two others."""
    return AT_LEAST if value >= roof else AT_MOST if value <= floor else EXACT


def time_is_over(a: Words) -> int:
    """Whether somebody wants the search to stop, or its time is over."""
    if get(a, STOP) != 0:
        return 1
    if a[DEADLINE] == 0:
        return 0
    call(a[CLOCK], a[CLOCK_NAME], a[CLOCK_SAYS])
    if words(a[CLOCK_SAYS])[0] * 1000000000 + words(a[CLOCK_SAYS])[1] < a[DEADLINE]:
        return 0
    a[STOP] = 1
    return 1


def recall(a: Words, one: int, two: int, depth: int, extra: int, alpha: int, beta: int, ply: int) -> tuple[int, int]:
    """How sure what is remembered of a position is, if it is enough, else `STOPPED`; and the move that was best."""
    entry = find(a, one, two)
    if entry < 0:
        return STOPPED, -1
    a[HITS] = a[HITS] + 1
    return recalled(a, entry, depth, extra, alpha, beta, ply), halves(a[FACTS])[entry * ENTRY_FACTS + 4]


def descend(a: Words, row: int, top: int, depth: int, extra: int, alpha: int, beta: int, ply: int) -> int:
    """Search a position that is not over; its values are in the row of its level then.

    Returns `SURE` where no heuristic value has gone into the values, `UNCERTAIN`, or `STOPPED`.
    """
    if time_is_over(a) or a[ODD] != 0 or (a[MOST_NODES] > 0 and a[NODES] >= a[MOST_NODES]):
        return STOPPED
    if depth + extra <= 0 or ply + 2 >= a[LEVELS]:
        return take_heuristic(a, row, ply)
    one = 0
    two = 0
    hint = -1
    if a[CACHING]:
        one = hash_of(a, row, ply, ONE, TWO)
        two = hash_of(a, row, ply, THREE, FOUR)
        known, hint = recall(a, one, two, depth, extra, alpha, beta, ply)
        if known != STOPPED:
            return known
    mover = decider(a, row, ply)
    last = waiting(a, row, ply) <= 1
    notice_choices(a, row, ply)
    count = children(a, row, top, mover, ply, last)
    if count < 0:
        return take_heuristic(a, row, ply)
    arrange(a, top, count, mover, hint, last and depth + extra >= 2 and a[EXTENSION] > 0)
    if mover >= 0 and mover == a[CHANCE]:
        sure = averaged(a, row, top, count, depth, extra, ply, last)
        if a[CACHING] and sure != STOPPED:
            keep(a, entry_for(a, one, two), depth, depth + extra, EXACT, sure, -1, ply)
        return sure
    # The loop stays here: as a function of its own it would be handed eleven numbers, for every position.
    bounded = a[VIEW] != SELFISH
    floor = alpha if a[PRUNING] and bounded else -ENDLESS
    roof = beta if a[PRUNING] and bounded else ENDLESS
    low = floor
    high = roof
    best = -1
    sure = SURE
    values = words(address(words(a[VALUES]), ply * a[WIDTH]))
    for rank in range(count):
        child = top + halves(a[ORDERS])[top + rank]
        state = child if last else row
        move = halves(a[JOINTS])[child * a[ROLES] + mover] if mover >= 0 else 0
        more = max(0, min(extra, a[EXTENSION] - rank))
        hand_down(a, mover, move, last, ply)
        found = UNCERTAIN
        if a[REDUCING] and bounded and rank >= FULLY and depth >= REDUCED_FROM and more == 0:
            found = of_doubtful(a, state, top + count, depth, mover, low, high, ply)
        else:
            found = of_child(a, state, top + count, depth, more, low, high, ply)
        if found == STOPPED:
            return STOPPED
        sure = min(sure, found)
        if best >= 0 and not better(a, mover, ply):
            continue
        best = move
        for i in range(a[WIDTH]):
            values[i] = values[a[WIDTH] + i]
        if not bounded:
            if a[PRUNING] and everything(a, mover, ply):
                break
        elif mover == a[ME]:
            low = max(low, values[0])
        elif mover != NOBODY:
            high = min(high, values[0])
        if low >= high:
            note_cut(a, mover, best, depth)
            break
    if a[CACHING]:
        bound = bound_of(values[0], floor, roof) if bounded else EXACT
        keep(a, entry_for(a, one, two), depth, depth + extra, bound, sure, best, ply)
    return sure


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
    arrange,
    take_heuristic,
    better,
    recalled,
    notice_choices,
    hand_down,
    everything,
    of_child,
    promises,
    of_doubtful,
    averaged,
    children,
    note_cut,
    bound_of,
    time_is_over,
    recall,
    descend,
)
"""All of them, for `native.module_text`."""

HASH_FACTORS = {"ONE": ONE, "TWO": TWO, "THREE": THREE, "FOUR": FOUR, "MOVED_AT_ONCE": MOVED_AT_ONCE}
HASH_FACTORS |= {"FULLY": FULLY, "REDUCED_FROM": REDUCED_FROM, "REDUCED": REDUCED}
VALUES_BY_NAME = {"AT_LEAST": AT_LEAST, "AT_MOST": AT_MOST, "ENDLESS": ENDLESS, "EXACT": EXACT, "POINT": POINT}
