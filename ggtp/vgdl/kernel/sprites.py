"""Sprites as machine code: records in flat arrays that are made, linked, moved and removed; and draws of chance."""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

import numpy as np

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    BEFORE,
    CALLS,
    CHANCE_HIGH,
    CHANCE_LOW,
    COLUMN,
    COUNT,
    DISABLED,
    DYING,
    EXCEEDED,
    FIRST_TICK,
    FREE,
    FROM_AVATAR,
    G_BLOCK,
    G_CAPACITY,
    G_CELLS,
    G_COLUMNS,
    G_HEADS,
    G_HEIGHT,
    G_KIN,
    G_KIND,
    G_MOST_SPRITES,
    G_RESOURCES,
    G_ROWS,
    G_SINGLE,
    G_SPRITES,
    G_WIDTH,
    GROUP,
    GROUP_COUNT,
    GROUP_FIRST,
    GROUP_LAST,
    HEALTH,
    IDENTITY,
    K_AVATAR,
    K_CLASS,
    K_COOLDOWN,
    K_HEALTH,
    K_MOVES,
    K_ORIENTED,
    K_ROTATE,
    K_SHOT_COUNT,
    K_SHOTS,
    K_SPEED,
    K_STATIC,
    K_STEP,
    K_WAY_X,
    K_WAY_Y,
    KILLED,
    KIND,
    KIND_ROW,
    LAST_MOVE,
    LAST_X,
    LAST_Y,
    LINK_HERE,
    LIST,
    LIST_LENGTH,
    LIST_START,
    NAME,
    NEXT,
    NEXT_DYING,
    NEXT_HERE,
    NO_ROOM,
    ORIENTED,
    OVERFLOW,
    PULLED,
    RECORD,
    ROW,
    SHOT_AMMO,
    SHOT_COST,
    SHOT_LEAST,
    SHOT_ROW,
    SHOT_TYPE,
    START,
    USED,
    WAY_X,
    WAY_Y,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Ints, compiled
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.world.moves import Moved


@compiled
def bits(st: Ints, count: int) -> int:
    state = (np.int64(st[CHANCE_HIGH]) << 24) | np.int64(st[CHANCE_LOW])
    state = (state * np.int64(0x5DEECE66D) + np.int64(0xB)) & np.int64((1 << 48) - 1)
    st[CHANCE_HIGH] = state >> 24
    st[CHANCE_LOW] = state & 0xFFFFFF
    st[CALLS] += 1
    return state >> (48 - count)


@compiled
def below(st: Ints, limit: int) -> int:
    if limit & (limit - 1) == 0:
        return (limit * bits(st, 31)) >> 31
    while True:
        drawn = bits(st, 31)
        value = drawn % limit
        if drawn - value + limit - 1 < 1 << 31:
            return value


@compiled
def fraction(st: Ints) -> float:
    high = bits(st, 26)
    return float((high << 27) + bits(st, 27)) / float(1 << 53)


@compiled
def short_fraction(st: Ints) -> float:
    return float(bits(st, 24)) / float(1 << 24)


@compiled
def next_random(state: int) -> int:
    """Return the number after another one in a sequence that looks random, for chance that is not the game's own."""
    v = np.uint64(state)
    v ^= v << np.uint64(13)
    v ^= v >> np.uint64(7)
    v ^= v << np.uint64(17)
    return np.int64(v)


@compiled
def sign(number: int) -> int:
    return (1 if number > 0 else 0) - (1 if number < 0 else 0)


@compiled
def is_step(action: int) -> bool:
    """Return whether an action is a step in one of the four directions."""
    return Action.UP <= action <= Action.RIGHT


@compiled
def step_of(action: int) -> tuple[int, int]:
    """Return the direction of an action that is a step."""
    return direction(action - Action.UP)


@compiled
def direction(index: int) -> tuple[int, int]:
    """Return the direction with a number: up, left, down, right."""
    if index == 0:
        return 0, -1
    if index == 1:
        return -1, 0
    if index == 2:
        return 0, 1
    return 1, 0


@compiled
def square_at(g: Ints, column: int, row: int) -> int:
    """Return the word for the first sprite of a square; the border is column 0 and row 0."""
    return g[G_CELLS] + row * (g[G_COLUMNS] + 2) + column


@compiled
def link_here(st: Ints, g: Ints, s: int) -> None:
    """Link a sprite to its square, or to the nearest one of the border if it is outside."""
    block = g[G_BLOCK]
    column = min(max(st[s + X] // block + 1, 0), g[G_COLUMNS] + 1)
    row = min(max(st[s + Y] // block + 1, 0), g[G_ROWS] + 1)
    st[s + COLUMN] = column
    st[s + ROW] = row
    cell = square_at(g, column, row)
    top = st[cell]
    st[s + NEXT_HERE] = top
    st[s + LINK_HERE] = cell
    if top > 0:
        st[top + LINK_HERE] = s + NEXT_HERE
    st[cell] = s


@compiled
def unlink_here(st: Ints, s: int) -> None:
    after, link = st[s + NEXT_HERE], st[s + LINK_HERE]
    st[link] = after
    if after > 0:
        st[after + LINK_HERE] = link


@compiled
def move_to(st: Ints, g: Ints, s: int, x: int, y: int) -> None:
    if st[s + X] == x and st[s + Y] == y:
        return
    unlink_here(st, s)
    st[s + X] = x
    st[s + Y] = y
    link_here(st, g, s)


@compiled
def put(st: Ints, g: Ints, number: int, x: int, y: int, force: bool) -> int:
    """Make a sprite and return its place; 0 if that is not possible."""
    kind = g[G_KIND] + number * KIND_ROW
    if g[kind + K_CLASS] < 0:
        return 0
    if st[COUNT] >= g[G_MOST_SPRITES]:
        st[OVERFLOW] = EXCEEDED
        return 0
    if not force:
        row = g[G_SINGLE] + number * LIST
        for i in range(g[row + LIST_START], g[row + LIST_START] + g[row + LIST_LENGTH]):
            kin = g[G_KIN] + g[i] * LIST
            for j in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
                if st[g[G_HEADS] + g[j] * GROUP + GROUP_COUNT] > 0:
                    return 0
    size = RECORD + g[G_RESOURCES]
    s = st[FREE]
    if s > 0:
        st[FREE] = st[s + NEXT]
    else:
        if st[USED] >= g[G_CAPACITY]:
            st[OVERFLOW] = max(st[OVERFLOW], NO_ROOM)
            return 0
        s = g[G_SPRITES] + st[USED] * size
        st[USED] += 1
    for i in range(s, s + size):
        st[i] = 0
    st[s + KIND] = number
    st[s + X] = x
    st[s + Y] = y
    st[s + LAST_X] = x
    st[s + LAST_Y] = y
    st[s + WAY_X] = g[kind + K_WAY_X]
    st[s + WAY_Y] = g[kind + K_WAY_Y]
    st[s + ORIENTED] = g[kind + K_ORIENTED]
    st[s + FIRST_TICK] = 1
    st[s + START] = -1
    st[s + HEALTH] = g[kind + K_HEALTH]
    st[s + PULLED] = -1
    st[s + NAME] = st[IDENTITY]
    st[IDENTITY] += 1
    st[COUNT] += 1
    group = g[G_HEADS] + number * GROUP
    last = st[group + GROUP_LAST]
    st[s + BEFORE] = last
    if last > 0:
        st[last + NEXT] = s
    else:
        st[group + GROUP_FIRST] = s
    st[group + GROUP_LAST] = s
    st[group + GROUP_COUNT] += 1
    link_here(st, g, s)
    return s


@compiled
def kill(st: Ints, g: Ints, s: int, transformed: bool) -> None:
    if g[g[G_KIND] + st[s + KIND] * KIND_ROW + K_AVATAR]:
        st[s + DISABLED] = 1
        if not transformed:
            return
    if not st[s + KILLED]:
        st[s + KILLED] = 1
        st[s + NEXT_DYING] = st[DYING]
        st[DYING] = s


@compiled
def bury(st: Ints, g: Ints) -> None:
    s = st[DYING]
    while s > 0:
        following = st[s + NEXT_DYING]
        group = g[G_HEADS] + st[s + KIND] * GROUP
        after, before = st[s + NEXT], st[s + BEFORE]
        if before > 0:
            st[before + NEXT] = after
        else:
            st[group + GROUP_FIRST] = after
        if after > 0:
            st[after + BEFORE] = before
        else:
            st[group + GROUP_LAST] = before
        st[group + GROUP_COUNT] -= 1
        unlink_here(st, s)
        if s != st[AVATAR]:  # a dead avatar that has become something else is still asked for
            st[s + NEXT] = st[FREE]
            st[FREE] = s
        st[COUNT] -= 1
        s = following
    st[DYING] = 0


@compiled
def step(st: Ints, g: Ints, s: int, x: int, y: int, pixels: int) -> bool:
    kind = g[G_KIND] + st[s + KIND] * KIND_ROW
    if pixels == 0:
        pixels = g[kind + K_SPEED]
    if g[kind + K_COOLDOWN] > st[s + LAST_MOVE] or (x == 0 and y == 0):
        return False
    move_to(st, g, s, st[s + X] + x * pixels, st[s + Y] + y * pixels)
    st[s + LAST_MOVE] = 0
    return True


@compiled
def drift(st: Ints, g: Ints, s: int) -> None:
    kind = g[G_KIND] + st[s + KIND] * KIND_ROW
    if g[kind + K_STATIC]:
        return
    if st[s + FIRST_TICK]:
        st[s + FIRST_TICK] = 0
        return
    if g[kind + K_MOVES] and st[s + ORIENTED]:
        step(st, g, s, st[s + WAY_X], st[s + WAY_Y], g[kind + K_STEP])


@compiled
def push(st: Ints, g: Ints, s: int, x: int, y: int, by: int) -> int:
    """Move a sprite with the speed of a type; return one of `Moved`."""
    if x == 0 and y == 0:
        return Moved.NOT
    own = g[G_KIND] + st[s + KIND] * KIND_ROW
    kind = g[G_KIND] + by * KIND_ROW
    if not g[kind + K_MOVES]:
        kind = own
    pixels = g[kind + K_STEP] if g[kind + K_MOVES] else g[G_BLOCK]
    if g[own + K_ROTATE] and st[s + ORIENTED] and (x != st[s + WAY_X] or y != st[s + WAY_Y]):
        st[s + WAY_X] = x
        st[s + WAY_Y] = y
        return Moved.TURNED
    return Moved.STEPPED if step(st, g, s, x, y, pixels) else Moved.NOT


@compiled
def shoot(st: Ints, g: Ints, s: int, x: int, y: int) -> None:
    kind = g[G_KIND] + st[s + KIND] * KIND_ROW
    for i in range(g[kind + K_SHOT_COUNT]):
        row = g[kind + K_SHOTS] + i * SHOT_ROW
        ammo = g[row + SHOT_AMMO]
        if ammo >= 0 and st[s + RECORD + ammo] <= g[row + SHOT_LEAST]:
            continue
        made = put(st, g, g[row + SHOT_TYPE], st[s + X] + x * g[G_BLOCK], st[s + Y] + y * g[G_BLOCK], False)
        if made > 0:
            if st[made + ORIENTED] and (x != 0 or y != 0):
                st[made + WAY_X] = st[s + WAY_X]
                st[made + WAY_Y] = st[s + WAY_Y]
            if ammo >= 0:
                st[s + RECORD + ammo] = max(0, st[s + RECORD + ammo] - g[row + SHOT_COST])
            st[made + FROM_AVATAR] = 1
        return


@compiled
def outside(st: Ints, g: Ints, s: int) -> bool:
    inside_x = 0 <= st[s + X] <= g[G_WIDTH] - g[G_BLOCK]
    return not (inside_x and 0 <= st[s + Y] <= g[G_HEIGHT] - g[G_BLOCK])


@compiled
def overlap(st: Ints, g: Ints, a: int, b: int) -> bool:
    return abs(st[a + X] - st[b + X]) < g[G_BLOCK] and abs(st[a + Y] - st[b + Y]) < g[G_BLOCK]


@compiled
def gain(st: Ints, s: int, resource: int, amount: int) -> None:
    st[s + RECORD + resource] = max(0, st[s + RECORD + resource] + amount)
