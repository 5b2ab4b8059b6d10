"""What an observer sees of states and of one tick, as machine code: a number for a state, and rows for collisions.

Only what a player may know is looked at: kinds, places, what the avatar has, the score, the end,
and whom the avatar or its shots have met.
"""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"

from __future__ import annotations

import numpy as np

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    DISABLED,
    ENDED,
    EVENT,
    FROM_AVATAR,
    G_BLOCK,
    G_CELLS,
    G_COLUMNS,
    G_HEADS,
    G_RESOURCES,
    G_SPRITES,
    G_TYPES,
    HEALTH,
    KILLED,
    KIND,
    LAST_X,
    LAST_Y,
    NAME,
    NEXT,
    NEXT_HERE,
    RECORD,
    SCORE,
    USED,
    WAY_X,
    WAY_Y,
    WINNER,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Floats, Ints, compiled
from ggtp.vgdl.kernel.tick import advance

# A row: what a collision was, and what came of it. Then follow what the avatar had before, and its health.
(R_SHOT, R_ACTIVE, R_PASSIVE, R_BLOCKED, R_KIND_AFTER, R_INVENTORY, R_SCORE, R_END) = range(8)
(R_NEW, R_NEW_MORE, R_GONE, R_GONE_MORE, R_TELEPORTED, R_SEVERAL, R_COUNT, R_PUSHED) = range(8, 16)
ROW = 16
MOST_ROWS, INDEX = 4096, 16384
"""How many different rows are remembered, and the size of the table in which they are found."""


@compiled
def mix(value: int) -> int:
    """Spreads a number over all 64 bits."""
    v = np.uint64(value)
    v = (v ^ (v >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    v = (v ^ (v >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(v ^ (v >> np.uint64(31)))


@compiled
def avatar_term(st: Ints, g: Ints, s: int, x: int, y: int, way_x: int, way_y: int) -> int:
    """What an avatar adds to the number of a state, if it were at some place."""
    total = mix((x + 4096) * 8192 + y + 4096)
    total = mix(total ^ ((st[s + KIND] * 3 + way_x + 1) * 3 + way_y + 1))
    total = mix(total ^ (st[s + HEALTH] * 2 + st[s + DISABLED]))
    for i in range(RECORD, RECORD + g[G_RESOURCES]):
        total = mix(total ^ (st[s + i] * 131 + i))
    return total


@compiled
def things(st: Ints, g: Ints) -> int:
    """A number for all sprites but the avatar: equal where the same kinds are at the same places.

    What moves counts with the step that it has just made; who is who among equals does not count.
    """
    size = RECORD + g[G_RESOURCES]
    total, avatar = np.int64(0), st[AVATAR]
    for i in range(st[USED]):
        s = g[G_SPRITES] + i * size
        if s != avatar and not st[s + KILLED]:
            dx, dy = st[s + X] - st[s + LAST_X], st[s + Y] - st[s + LAST_Y]
            place = ((st[s + KIND] * 8192 + st[s + X] + 2048) * 8192 + st[s + Y] + 2048) * 4
            moved = np.int64(0) if dx == 0 and dy == 0 else mix((dx + 512) * 1024 + dy + 512)
            total += mix(np.int64(place) ^ moved)
    return total


@compiled
def signature(st: Ints, g: Ints) -> int:
    """A number for a state: equal for states that look the same, whenever they were reached."""
    s = st[AVATAR]
    if s == 0:
        return things(st, g)
    return things(st, g) + avatar_term(st, g, s, st[s + X], st[s + Y], st[s + WAY_X], st[s + WAY_Y])


@compiled
def remember(st: Ints, g: Ints, memo: Ints) -> None:
    """Writes down what is needed to tell afterwards what a tick has changed."""
    s = st[AVATAR]
    memo[0] = st[SCORE]
    memo[1] = st[s + KIND]
    memo[2] = st[s + X]
    memo[3] = st[s + Y]
    memo[4] = st[s + WAY_X]
    memo[5] = st[s + WAY_Y]
    count = g[G_RESOURCES]
    for i in range(count):
        memo[8 + i] = st[s + RECORD + i]
    memo[8 + count] = st[s + HEALTH]
    for i in range(g[G_TYPES]):
        memo[9 + count + i] = st[g[G_HEADS] + i * 3 + 2]


@compiled
def add_row(row: Ints, rows: Ints, index: Ints, width: int) -> None:
    """Counts a row; a new one is kept as long as there is room."""
    number = np.int64(7)
    for i in range(width):
        if i != R_COUNT:
            number = mix(number ^ (np.int64(row[i]) + 1_000_003 * i))
    place = number & (INDEX - 1)
    while index[place] != 0:
        at = index[place] * width
        same = True
        for i in range(width):
            if i != R_COUNT and rows[at + i] != row[i]:
                same = False
                break
        if same:
            if rows[at + R_COUNT] < 1_000_000:
                rows[at + R_COUNT] += 1
            return
        place = (place + 1) & (INDEX - 1)
    if rows[0] + 1 >= MOST_ROWS:
        return
    rows[0] += 1
    index[place] = rows[0]
    at = rows[0] * width
    for i in range(width):
        rows[at + i] = row[i]
    rows[at + R_COUNT] = 1


@compiled
def pushed(st: Ints, g: Ints, kind: int, name: int) -> int:
    """Whether a sprite has moved in this tick."""
    s = st[g[G_HEADS] + kind * 3]
    while s > 0:
        if st[s + NAME] == name:
            return 1 if st[s + X] != st[s + LAST_X] or st[s + Y] != st[s + LAST_Y] else 0
        s = st[s + NEXT]
    return 0


@compiled
def learn(st: Ints, g: Ints, memo: Ints, log: Ints, row: Ints, rows: Ints, index: Ints, action: int) -> None:
    """Makes a row of each collision of a tick: the state after it, what was remembered before it, and its log."""
    s = st[AVATAR]
    count = g[G_RESOURCES]
    width = ROW + count + 1
    moved = abs(st[s + X] - memo[2]) + abs(st[s + Y] - memo[3])
    turned = st[s + WAY_X] != memo[4] or st[s + WAY_Y] != memo[5]
    row[R_BLOCKED] = 1 if 1 <= action <= 4 and moved == 0 and not turned else 0
    row[R_KIND_AFTER] = st[s + KIND]
    more, less = 0, 0
    for i in range(count):
        row[ROW + i] = memo[8 + i]
        if st[s + RECORD + i] > memo[8 + i]:
            more = 1
        if st[s + RECORD + i] < memo[8 + i]:
            less = 2
    row[ROW + count] = memo[8 + count]
    if st[s + HEALTH] > memo[8 + count]:
        more = 1
    if st[s + HEALTH] < memo[8 + count]:
        less = 2
    row[R_INVENTORY] = more + less
    row[R_SCORE] = st[SCORE] - memo[0]
    row[R_END] = 0 if not st[ENDED] else 1 if st[WINNER] == 1 else 2
    if st[s + DISABLED]:
        row[R_END] = 2 if row[R_END] == 0 else row[R_END]
    for i in range(R_NEW, R_GONE_MORE + 1):
        row[i] = 0
    for i in range(min(g[G_TYPES], 60)):
        now, before = st[g[G_HEADS] + i * 3 + 2], memo[9 + count + i]
        if now > before:
            row[R_NEW + i // 30] |= 1 << (i % 30)
        elif now < before:
            row[R_GONE + i // 30] |= 1 << (i % 30)
    row[R_TELEPORTED] = 1 if moved > 2 * g[G_BLOCK] else 0
    # Several kinds at once: nobody knows which of them it was.
    several = 0
    for i in range(1, log[0]):
        if log[1 + i * EVENT + 3] != log[4]:
            several = 1
    row[R_SEVERAL] = several
    for i in range(log[0]):
        at = 1 + i * EVENT
        known = False
        for j in range(i):
            if log[1 + j * EVENT + 3] == log[at + 3] and log[1 + j * EVENT + 1] == log[at + 1]:
                known = True
        if not known:
            row[R_SHOT] = log[at + 1]
            row[R_ACTIVE] = memo[1] if log[at + 1] == 0 else log[at + 2]
            row[R_PASSIVE] = log[at + 3]
            row[R_PUSHED] = pushed(st, g, log[at + 3], log[at + 5])
            add_row(row, rows, index, width)
    if moved > 0 and not st[ENDED]:
        learn_nothing(st, g, memo, log, row, rows, index)


@compiled
def learn_nothing(st: Ints, g: Ints, memo: Ints, log: Ints, row: Ints, rows: Ints, index: Ints) -> None:
    """Makes a row of each kind that the avatar has come to stand on and that does nothing."""
    s = st[AVATAR]
    count = g[G_RESOURCES]
    for i in range(ROW):
        row[i] = 0
    row[R_ACTIVE] = memo[1]
    row[R_KIND_AFTER] = memo[1]
    block = g[G_BLOCK]
    cell = g[G_CELLS] + (st[s + Y] // block + 1) * (g[G_COLUMNS] + 2) + st[s + X] // block + 1
    other = st[cell] if st[s + X] >= 0 and st[s + Y] >= 0 else 0
    while other > 0:
        if other != s and not st[other + FROM_AVATAR] and st[other + X] == st[s + X] and st[other + Y] == st[s + Y]:
            met = False
            for i in range(log[0]):
                if log[1 + i * EVENT + 3] == st[other + KIND]:
                    met = True
            if not met:
                row[R_PASSIVE] = st[other + KIND]
                add_row(row, rows, index, ROW + count + 1)
        other = st[other + NEXT_HERE]


@compiled
def look(
    st: Ints, g: Ints, gf: Floats, tmp: Ints, log: Ints, memo: Ints, row: Ints, rows: Ints, index: Ints, action: int
) -> None:
    """Plays one tick and learns from it."""
    remember(st, g, memo)
    log[0] = 0
    advance(st, g, gf, tmp, log, action)
    if log[0] > 0 or st[st[AVATAR] + X] != memo[2] or st[st[AVATAR] + Y] != memo[3]:
        learn(st, g, memo, log, row, rows, index, action)
