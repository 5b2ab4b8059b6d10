"""Observations of states and of one tick, as machine code: a number for a state, and rows for collisions.

Only what a player may know is looked at: kinds, places, what the avatar has, the score, the end,
and whom the avatar or its shots have met.
"""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    DISABLED,
    ENDED,
    EVENT,
    FROM_AVATAR,
    G_BLOCK,
    G_HEADS,
    G_RESOURCES,
    G_SPRITES,
    G_TYPES,
    GROUP,
    GROUP_COUNT,
    GROUP_FIRST,
    HEALTH,
    KILLED,
    KIND,
    LAST_X,
    LAST_Y,
    LOG_HEAD,
    LOGGED,
    NAME,
    NEXT,
    NEXT_HERE,
    RECORD,
    SCORE,
    USED,
    V_ACTIVE,
    V_NAME,
    V_PASSIVE,
    V_SHOT,
    WAY_X,
    WAY_Y,
    WINNER,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Ints, compiled
from ggtp.vgdl.kernel.sprites import is_step, square_at
from ggtp.vgdl.kernel.tick import ModelArrays, advance
from ggtp.vgdl.world.world import WON

# A row: what a collision was, and what came of it. Then follow what the avatar had before, and its health. Nothing is
# concluded from what is new, but rows are told apart by it.
(R_SHOT, R_ACTIVE, R_PASSIVE, R_BLOCKED, R_KIND_AFTER, R_INVENTORY, R_SCORE, R_END) = range(8)
(R_NEW, R_NEW_MORE, R_GONE, R_GONE_MORE, R_TELEPORTED, R_SEVERAL, R_COUNT, R_PUSHED) = range(8, 16)
FEATURES = 16
GOES_ON, HAS_WON, HAS_LOST = range(3)
"""How the game stands after a collision."""
MORE, LESS = 1, 2
"""What has come of what the avatar had, as bits: it has more of some thing, less of some thing."""
KINDS_A_WORD = 30
"""For how many kinds a word has a bit; there are two words for the kinds that are new, and for those that are gone."""
ROWS_SEEN = 0
"""Where the number of rows is: the rows themselves are numbered from 1, and begin after room for one."""
MOST_ROWS, INDEX = 4096, 16384
"""How many different rows are remembered, and the size of the table in which they are found."""

# What was before a tick. Then follow what the avatar had, its health, and how many sprites there were of each type.
(M_SCORE, M_KIND, M_X, M_Y, M_WAY_X, M_WAY_Y) = range(6)
MEMO = 6


class States(NamedTuple):
    """The states that a search plays with."""

    root: Ints
    """Where it begins."""
    before: Ints
    """A state that is kept while a tick is played from it."""
    now: Ints
    """The state that is played."""


class Collisions(NamedTuple):
    """The arrays in which collisions are remembered."""

    memo: Ints
    """What was before the tick."""
    row: Ints
    """The row that is being written."""
    rows: Ints
    """All different rows, with how often each was seen."""
    index: Ints
    """A hash table of the numbers of the rows."""


@compiled
def mix(value: int) -> int:
    """Return a number that is spread over all 64 bits."""
    v = np.uint64(value)
    v = (v ^ (v >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    v = (v ^ (v >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(v ^ (v >> np.uint64(31)))


@compiled
def avatar_term(st: Ints, g: Ints, s: int, x: int, y: int, way_x: int, way_y: int) -> int:
    """Return what an avatar would add to the number of a state at some place."""
    total = mix((x + 4096) * 8192 + y + 4096)
    total = mix(total ^ ((st[s + KIND] * 3 + way_x + 1) * 3 + way_y + 1))
    total = mix(total ^ (st[s + HEALTH] * 2 + st[s + DISABLED]))
    for i in range(RECORD, RECORD + g[G_RESOURCES]):
        total = mix(total ^ (st[s + i] * 131 + i))
    return total


@compiled
def things(st: Ints, g: Ints) -> int:
    """Return a number for all sprites but the avatar: equal if the same kinds are at the same places.

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
    """Return a number for a state: equal for states that look the same, whenever they were reached."""
    s = st[AVATAR]
    if s == 0:
        return things(st, g)
    return things(st, g) + avatar_term(st, g, s, st[s + X], st[s + Y], st[s + WAY_X], st[s + WAY_Y])


@compiled
def remember(st: Ints, g: Ints, memo: Ints) -> None:
    """Remember what is needed to find what a tick has changed."""
    s = st[AVATAR]
    memo[M_SCORE] = st[SCORE]
    memo[M_KIND] = st[s + KIND]
    memo[M_X] = st[s + X]
    memo[M_Y] = st[s + Y]
    memo[M_WAY_X] = st[s + WAY_X]
    memo[M_WAY_Y] = st[s + WAY_Y]
    count = g[G_RESOURCES]
    for i in range(count):
        memo[MEMO + i] = st[s + RECORD + i]
    memo[MEMO + count] = st[s + HEALTH]
    for i in range(g[G_TYPES]):
        memo[MEMO + count + 1 + i] = st[g[G_HEADS] + i * GROUP + GROUP_COUNT]


@compiled
def add_row(collisions: Collisions, width: int) -> None:
    """Count a row; keep a new one as long as there is room."""
    row, rows, index = collisions.row, collisions.rows, collisions.index
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
    if rows[ROWS_SEEN] + 1 >= MOST_ROWS:
        return
    rows[ROWS_SEEN] += 1
    index[place] = rows[ROWS_SEEN]
    at = rows[ROWS_SEEN] * width
    for i in range(width):
        rows[at + i] = row[i]
    rows[at + R_COUNT] = 1


@compiled
def sprite_named(st: Ints, g: Ints, kind: int, name: int) -> int:
    """Return the sprite of a kind that has a name; 0 if it is gone."""
    if kind < 0:
        return 0
    s = st[g[G_HEADS] + kind * GROUP + GROUP_FIRST]
    while s > 0:
        if st[s + NAME] == name:
            return s
        s = st[s + NEXT]
    return 0


@compiled
def pushed(st: Ints, g: Ints, kind: int, name: int) -> bool:
    """Return whether a sprite has moved in this tick."""
    s = sprite_named(st, g, kind, name)
    return s > 0 and (st[s + X] != st[s + LAST_X] or st[s + Y] != st[s + LAST_Y])


@compiled
def describe(st: Ints, g: Ints, memo: Ints, row: Ints, action: int) -> None:
    """Write into the row what all collisions of a tick have in common: what has changed since it began."""
    s = st[AVATAR]
    count = g[G_RESOURCES]
    moved = abs(st[s + X] - memo[M_X]) + abs(st[s + Y] - memo[M_Y])
    turned = st[s + WAY_X] != memo[M_WAY_X] or st[s + WAY_Y] != memo[M_WAY_Y]
    row[R_BLOCKED] = 1 if is_step(action) and moved == 0 and not turned else 0
    row[R_KIND_AFTER] = st[s + KIND]
    more, less = 0, 0
    for i in range(count):
        row[FEATURES + i] = memo[MEMO + i]
        if st[s + RECORD + i] > memo[MEMO + i]:
            more = MORE
        if st[s + RECORD + i] < memo[MEMO + i]:
            less = LESS
    row[FEATURES + count] = memo[MEMO + count]
    if st[s + HEALTH] > memo[MEMO + count]:
        more = MORE
    if st[s + HEALTH] < memo[MEMO + count]:
        less = LESS
    row[R_INVENTORY] = more + less
    row[R_SCORE] = st[SCORE] - memo[M_SCORE]
    row[R_END] = GOES_ON if not st[ENDED] else HAS_WON if st[WINNER] == WON else HAS_LOST
    if st[s + DISABLED]:
        row[R_END] = HAS_LOST if row[R_END] == GOES_ON else row[R_END]
    for i in range(R_NEW, R_GONE_MORE + 1):
        row[i] = 0
    for i in range(min(g[G_TYPES], 2 * KINDS_A_WORD)):
        now, before = st[g[G_HEADS] + i * GROUP + GROUP_COUNT], memo[MEMO + count + 1 + i]
        if now > before:
            row[R_NEW + i // KINDS_A_WORD] |= 1 << (i % KINDS_A_WORD)
        elif now < before:
            row[R_GONE + i // KINDS_A_WORD] |= 1 << (i % KINDS_A_WORD)
    row[R_TELEPORTED] = 1 if moved > 2 * g[G_BLOCK] else 0


@compiled
def learn(st: Ints, g: Ints, log: Ints, collisions: Collisions, action: int) -> None:
    """Make a row of each collision of a tick, from the state after it, what was remembered before it, and its log."""
    memo, row = collisions.memo, collisions.row
    describe(st, g, memo, row, action)
    # Several kinds at once: nobody knows which of them it was.
    several = 0
    for i in range(1, log[LOGGED]):
        if log[LOG_HEAD + i * EVENT + V_PASSIVE] != log[LOG_HEAD + V_PASSIVE]:
            several = 1
    row[R_SEVERAL] = several
    for i in range(log[LOGGED]):
        at = LOG_HEAD + i * EVENT
        known = False
        for j in range(i):
            other = LOG_HEAD + j * EVENT
            if log[other + V_PASSIVE] == log[at + V_PASSIVE] and log[other + V_SHOT] == log[at + V_SHOT]:
                known = True
        if not known:
            row[R_SHOT] = log[at + V_SHOT]
            row[R_ACTIVE] = log[at + V_ACTIVE] if log[at + V_SHOT] else memo[M_KIND]
            row[R_PASSIVE] = log[at + V_PASSIVE]
            row[R_PUSHED] = pushed(st, g, log[at + V_PASSIVE], log[at + V_NAME])
            add_row(collisions, FEATURES + g[G_RESOURCES] + 1)
    s = st[AVATAR]
    if (st[s + X] != memo[M_X] or st[s + Y] != memo[M_Y]) and not st[ENDED]:
        learn_nothing(st, g, log, collisions)


@compiled
def learn_nothing(st: Ints, g: Ints, log: Ints, collisions: Collisions) -> None:
    """Make a row of each kind that the avatar has come to stand on and that does nothing."""
    memo, row = collisions.memo, collisions.row
    s = st[AVATAR]
    for i in range(FEATURES):
        row[i] = 0
    row[R_ACTIVE] = memo[M_KIND]
    row[R_KIND_AFTER] = memo[M_KIND]
    block = g[G_BLOCK]
    cell = square_at(g, st[s + X] // block + 1, st[s + Y] // block + 1)
    other = st[cell] if st[s + X] >= 0 and st[s + Y] >= 0 else 0
    while other > 0:
        if other != s and not st[other + FROM_AVATAR] and st[other + X] == st[s + X] and st[other + Y] == st[s + Y]:
            met = False
            for i in range(log[LOGGED]):
                if log[LOG_HEAD + i * EVENT + V_PASSIVE] == st[other + KIND]:
                    met = True
            if not met:
                row[R_PASSIVE] = st[other + KIND]
                add_row(collisions, FEATURES + g[G_RESOURCES] + 1)
        other = st[other + NEXT_HERE]


@compiled
def look(st: Ints, model: ModelArrays, collisions: Collisions, action: int) -> None:
    """Play one tick and learn from it."""
    g, log, memo = model.ints, model.log, collisions.memo
    remember(st, g, memo)
    log[LOGGED] = 0
    advance(st, g, model.floats, model.scratch, log, action)
    if log[LOGGED] > 0 or st[st[AVATAR] + X] != memo[M_X] or st[st[AVATAR] + Y] != memo[M_Y]:
        learn(st, g, log, collisions, action)
