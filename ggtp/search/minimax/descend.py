"""Minimax over a compiled game: the search, in the part of Python that `native` makes machine code of.

What `minimax` does, with all moves of a position tried at once. Positions on the way down stand
one behind the other; what is behind `top` is free. The argument `a` is the array of
`minimax.layout`.
"""

from __future__ import annotations

from ggtp.native.language import Words, address, call, get, halves, words
from ggtp.search.minimax.entries import FOUR, ONE, THREE, TWO, entry_for, hash_of, keep, recall, shaded
from ggtp.search.minimax.expand import decider, expand, legal_count, list_moves, waiting
from ggtp.search.minimax.layout import (
    CACHING,
    CHANCE,
    CHOICES,
    CLOCK,
    CLOCK_NAME,
    CLOCK_SAYS,
    DEADLINE,
    EXTENSION,
    HEURISTICS,
    HISTORY,
    JOINTS,
    KEYS,
    LEVELS,
    ME,
    MOST_NODES,
    NOBODY,
    NODES,
    ODD,
    OFFSETS,
    ORDERING,
    ORDERS,
    OVERS,
    PENDING,
    PRUNING,
    REDUCING,
    ROLES,
    ROOM,
    SELFISH,
    STOP,
    STOPPED,
    SUMS,
    SURE,
    UNCERTAIN,
    VALUES,
    VIEW,
    WIDTH,
)
from ggtp.search.minimax.plan import AT_LEAST, AT_MOST, ENDLESS, EXACT, POINT

FULLY, REDUCED_FROM, REDUCED = 4, 3, 2
"""How many moves are searched in full depth at once, from which depth on the others are not, and how much less deep:
an even number, since heuristic values depend on who has moved last."""


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
    arrange,
    take_heuristic,
    better,
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
    descend,
)
"""All of them, for `native.module_text`."""

NUMBERS: dict[str, int | float] = {
    "FULLY": FULLY,
    "REDUCED_FROM": REDUCED_FROM,
    "REDUCED": REDUCED,
    "AT_LEAST": AT_LEAST,
    "AT_MOST": AT_MOST,
    "ENDLESS": ENDLESS,
    "EXACT": EXACT,
    "POINT": POINT,
}
"""The numbers that they use, beside those of the layout."""
