"""One tick of a game as machine code, over flat arrays.

It does what `interpret` does, sprite for sprite and draw for draw; tests and recorded games
hold it to that. The state is one array of 32-bit numbers, so that a copy of it is a copy of
memory; the game is two arrays of tables (`tables` makes them). Sprites are records with links:
those of a type hang together in the order of their creation, and so do those on a square, so
that only neighbours are compared.

All of it is in one module on purpose: it is compiled as a whole, so that what is small and often
called becomes a part of what calls it.
"""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

import numpy as np

from ggtp.vgdl.native import Floats, Ints, compiled, copy_numbers

# The state: head, then lists of types, squares, shields, timers, and the sprites' records.
(TICK, SCORE, WINNER, ENDED, CHANCE_HIGH, CHANCE_LOW, CALLS, COUNT, USED, FREE, AVATAR, IDENTITY, DYING, TIMERS) = (
    range(14)
)
SHIELDS, OVERFLOW, LAST_ACTION = 14, 15, 16
HEAD = 20

# A sprite's record.
(KIND, X, Y, LAST_X, LAST_Y, WAY_X, WAY_Y, ORIENTED, LAST_MOVE, FIRST_TICK, AGE, START, MADE, KEPT, KEPT_X, KEPT_Y) = (
    range(16)
)
(HEALTH, KILLED, DISABLED, FROM_AVATAR, PULLED, GOAL, GOAL_X, GOAL_Y, NAME, NEXT, BEFORE) = range(16, 27)
(NEXT_HERE, BEFORE_HERE, COLUMN, ROW, NEXT_DYING) = range(27, 32)
RECORD = 32
"""Then follow the sprite's resources."""

# The game's head: sizes, and where its tables begin.
(G_TYPES, G_BLOCK, G_WIDTH, G_HEIGHT, G_COLUMNS, G_ROWS, G_ALIGNED, G_RESOURCES, G_CAPACITY, G_MOST_TIMERS) = range(10)
(G_MOST_SHIELDS, G_PLAYABLE, G_KIND, G_KIN, G_RANK, G_SINGLE, G_UPDATE) = range(10, 17)
(G_UPDATES, G_PAIRS, G_PAIR_COUNT, G_EDGES, G_EDGE_COUNT, G_EFFECTS, G_ENDS, G_END_COUNT, G_OBSTACLES) = range(20, 29)
(G_OBSTACLE_COUNT, G_HEADS, G_CELLS, G_SHIELD_ROWS, G_TIMER_ROWS, G_SPRITES, G_SIZE, G_MOST_SPRITES) = range(29, 37)
GAME_HEAD = 40

# What a type is; an effect; chances and distances are in the tables of floating-point numbers.
(K_CLASS, K_STATIC, K_ORIENTED, K_WAY_X, K_WAY_Y, K_ROTATE, K_COOLDOWN, K_STEP, K_SPEED, K_MOVES, K_LIMIT) = range(11)
(K_VALUE, K_TOTAL, K_KEEPS, K_SPAWN_X, K_SPAWN_Y, K_MADE, K_CHASED, K_FEARED, K_HEALTH, K_MOST_HEALTH) = range(11, 21)
(K_AVATAR, K_RESOURCE, K_IS_RESOURCE, K_SHOTS, K_SHOT_COUNT, K_ACTIONS) = range(21, 27)
KIND_ROW = 28
(KF_CHANCE, KF_SPREAD, KF_REACH, KF_EPSILON) = range(4)
KIND_FLOATS = 4
(E_EFFECT, E_SCORE, E_REPEAT, E_STYPE, E_STYPE_TO, E_RESOURCE, E_RESOURCE_LIMIT, E_VALUE, E_LIMIT, E_SPEND) = range(10)
(E_KILL_SECOND, E_KILL_RESOURCE, E_PIXEL, E_ALIGN, E_TAKE, E_SCORE_KILLED, E_NOT_STYPE, E_INSET) = range(10, 18)
(E_SHIELDED, E_TIMER, E_REPEATING, E_INNER) = range(18, 22)
EFFECT_ROW = 24

EVENT = 8
"""A row of the log: tick, whether the avatar's own shot met, both types, both names, place."""


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
def sign(number: int) -> int:
    return (1 if number > 0 else 0) - (1 if number < 0 else 0)


@compiled
def direction(index: int) -> tuple[int, int]:
    """Up, left, down, right."""
    if index == 0:
        return 0, -1
    if index == 1:
        return -1, 0
    if index == 2:
        return 0, 1
    return 1, 0


@compiled
def link_here(st: Ints, g: Ints, s: int) -> None:
    """Puts a sprite on the square that it is on, or at the border where it is beyond."""
    block = g[G_BLOCK]
    column = min(max(st[s + X] // block + 1, 0), g[G_COLUMNS] + 1)
    row = min(max(st[s + Y] // block + 1, 0), g[G_ROWS] + 1)
    st[s + COLUMN] = column
    st[s + ROW] = row
    cell = g[G_CELLS] + row * (g[G_COLUMNS] + 2) + column
    top = st[cell]
    st[s + NEXT_HERE] = top
    st[s + BEFORE_HERE] = -cell  # negative: it is the first, and this is where that is written
    if top > 0:
        st[top + BEFORE_HERE] = s
    st[cell] = s


@compiled
def unlink_here(st: Ints, s: int) -> None:
    after, before = st[s + NEXT_HERE], st[s + BEFORE_HERE]
    if before > 0:
        st[before + NEXT_HERE] = after
    else:
        st[-before] = after
    if after > 0:
        st[after + BEFORE_HERE] = before


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
    """Makes a sprite; 0 where that can't be."""
    kind = g[G_KIND] + number * KIND_ROW
    if g[kind + K_CLASS] < 0 or st[COUNT] >= g[G_MOST_SPRITES]:
        return 0
    if not force:
        row = g[G_SINGLE] + number * 2
        for i in range(g[row], g[row] + g[row + 1]):
            kin = g[G_KIN] + g[i] * 2
            for j in range(g[kin], g[kin] + g[kin + 1]):
                if st[g[G_HEADS] + g[j] * 3 + 2] > 0:
                    return 0
    size = RECORD + g[G_RESOURCES]
    s = st[FREE]
    if s > 0:
        st[FREE] = st[s + NEXT]
    else:
        if st[USED] >= g[G_CAPACITY]:
            st[OVERFLOW] = 1
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
    group = g[G_HEADS] + number * 3
    last = st[group + 1]
    st[s + BEFORE] = last
    if last > 0:
        st[last + NEXT] = s
    else:
        st[group] = s
    st[group + 1] = s
    st[group + 2] += 1
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
        group = g[G_HEADS] + st[s + KIND] * 3
        after, before = st[s + NEXT], st[s + BEFORE]
        if before > 0:
            st[before + NEXT] = after
        else:
            st[group] = after
        if after > 0:
            st[after + BEFORE] = before
        else:
            st[group + 1] = before
        st[group + 2] -= 1
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
    """Moves a sprite with the speed of a type; 0 not, 1 turned, 2 moved."""
    if x == 0 and y == 0:
        return 0
    own = g[G_KIND] + st[s + KIND] * KIND_ROW
    kind = g[G_KIND] + by * KIND_ROW
    if not g[kind + K_MOVES]:
        kind = own
    pixels = g[kind + K_STEP] if g[kind + K_MOVES] else g[G_BLOCK]
    if g[own + K_ROTATE] and st[s + ORIENTED] and (x != st[s + WAY_X] or y != st[s + WAY_Y]):
        st[s + WAY_X] = x
        st[s + WAY_Y] = y
        return 1
    return 2 if step(st, g, s, x, y, pixels) else 0


@compiled
def shoot(st: Ints, g: Ints, s: int, x: int, y: int) -> None:
    kind = g[G_KIND] + st[s + KIND] * KIND_ROW
    for i in range(g[kind + K_SHOT_COUNT]):
        row = g[kind + K_SHOTS] + i * 4
        ammo = g[row + 1]
        if ammo >= 0 and st[s + RECORD + ammo] <= g[row + 2]:
            continue
        made = put(st, g, g[row], st[s + X] + x * g[G_BLOCK], st[s + Y] + y * g[G_BLOCK], False)
        if made > 0:
            if st[made + ORIENTED] and (x != 0 or y != 0):
                st[made + WAY_X] = st[s + WAY_X]
                st[made + WAY_Y] = st[s + WAY_Y]
            if ammo >= 0:
                st[s + RECORD + ammo] = max(0, st[s + RECORD + ammo] - g[row + 3])
            st[made + FROM_AVATAR] = 1
        return


@compiled
def update_avatar(st: Ints, g: Ints, s: int, action: int) -> None:
    st[s + LAST_X] = st[s + X]
    st[s + LAST_Y] = st[s + Y]
    st[s + LAST_MOVE] += 1
    number = st[s + KIND]
    kind = g[G_KIND] + number * KIND_ROW
    if not (g[kind + K_ACTIONS] >> action) & 1:
        action = 0
    st[LAST_ACTION] = action
    x, y = 0, 0
    if 1 <= action <= 4:
        x, y = direction(action - 1)
    kind_class = g[kind + K_CLASS]
    if kind_class == 21:  # a missile
        drift(st, g, s)
    elif kind_class == 22:  # ongoing
        if x != 0 or y != 0:
            st[s + WAY_X] = x
            st[s + WAY_Y] = y
        drift(st, g, s)
    elif kind_class == 20:  # flak
        push(st, g, s, x, y, number)
        if action == 5:
            shoot(st, g, s, 0, 0)
    else:
        moved = push(st, g, s, x, y, number)
        if moved == 2 and kind_class != 17:
            st[s + WAY_X] = sign(st[s + X] - st[s + LAST_X])
            st[s + WAY_Y] = sign(st[s + Y] - st[s + LAST_Y])
        if kind_class == 19 and action == 5 and moved == 0:
            shoot(st, g, s, st[s + WAY_X], st[s + WAY_Y])


@compiled
def flicker(st: Ints, g: Ints, s: int) -> None:
    drift(st, g, s)
    if st[s + AGE] > g[g[G_KIND] + st[s + KIND] * KIND_ROW + K_LIMIT]:
        kill(st, g, s, False)
    st[s + AGE] += 1


@compiled
def spawn_point(st: Ints, g: Ints, gf: Floats, s: int) -> None:
    number = st[s + KIND]
    kind = g[G_KIND] + number * KIND_ROW
    if st[s + START] == -1:
        st[s + START] = st[TICK]
    drawn = short_fraction(st)
    due = (st[s + START] + st[TICK]) % g[kind + K_COOLDOWN] == 0
    if due and drawn < gf[number * KIND_FLOATS + KF_CHANCE] and g[kind + K_MADE] >= 0:
        made = put(st, g, g[kind + K_MADE], st[s + X], st[s + Y], False)
        if made > 0:
            st[s + MADE] += 1
            if g[kind + K_SPAWN_X] != 0 or g[kind + K_SPAWN_Y] != 0:
                st[made + WAY_X] = g[kind + K_SPAWN_X]
                st[made + WAY_Y] = g[kind + K_SPAWN_Y]
            elif st[made + WAY_X] == 0 and st[made + WAY_Y] == 0:
                st[made + WAY_X] = st[s + WAY_X]
                st[made + WAY_Y] = st[s + WAY_Y]
    drift(st, g, s)
    if g[kind + K_TOTAL] > 0 and st[s + MADE] >= g[kind + K_TOTAL]:
        kill(st, g, s, False)


@compiled
def random_walk(st: Ints, g: Ints, s: int) -> None:
    number = st[s + KIND]
    if st[s + KEPT] < g[g[G_KIND] + number * KIND_ROW + K_KEEPS]:
        st[s + KEPT] += 1
    else:
        x, y = direction(below(st, 4))
        st[s + KEPT_X] = x
        st[s + KEPT_Y] = y
        st[s + KEPT] = 0
    push(st, g, s, st[s + KEPT_X], st[s + KEPT_Y], number)


@compiled
def first_of(st: Ints, g: Ints, kin: int, end: int) -> tuple[int, int]:
    """The first sprite of the first type that has any, from an entry of a list of types; 0 for none."""
    while kin < end:
        s = st[g[G_HEADS] + g[kin] * 3]
        if s > 0:
            return s, kin
        kin += 1
    return 0, kin


@compiled
def chase(st: Ints, g: Ints, gf: Floats, tmp: Ints, s: int, number: int, flee: bool) -> None:
    """A step nearer to the nearest of a type, or away from it."""
    count = 0
    if number >= 0:
        kin = g[G_KIN] + number * 2
        begin, end = g[kin], g[kin] + g[kin + 1]
        exact = st[g[G_HEADS] + number * 3 + 2] > 0
        if exact:  # of exactly that type: a list of one type
            while g[begin] != number:
                begin += 1
            end = begin + 1
        best = 1 << 30
        for find in range(2):
            other, at = first_of(st, g, begin, end)
            while other > 0:
                dx, dy = st[s + X] - st[other + X], st[s + Y] - st[other + Y]
                far = abs(dx) + abs(dy)
                if find == 0:
                    best = min(best, far)
                elif far == best and not 0 <= gf[st[s + KIND] * KIND_FLOATS + KF_REACH] < far:
                    for i in range(4):
                        x, y = direction(i)
                        then = abs(dx + x) + abs(dy + y)
                        if ((then > far) if flee else (then < far)) and count < tmp.size:
                            tmp[count] = i
                            count += 1
                other = st[other + NEXT]
                if other == 0:
                    other, at = first_of(st, g, at + 1, end)
    if count > 0:
        x, y = direction(tmp[below(st, count)])
        push(st, g, s, x, y, st[s + KIND])
    else:
        random_walk(st, g, s)


@compiled
def first_step(st: Ints, g: Ints, tmp: Ints, fx: int, fy: int, tx: int, ty: int) -> int:
    """The direction (see below) of a shortest way around obstacles, or -1: 0 up, 1 down, 2 left, 3 right."""
    block, wide, high = g[G_BLOCK], g[G_COLUMNS], g[G_ROWS]
    sx, sy, gx, gy = fx // block, fy // block, tx // block, ty // block
    if (sx == gx and sy == gy) or not (0 <= gx < wide and 0 <= gy < high):
        return -1
    size = wide * high  # in `tmp`, the steps from each square; then the squares that wait
    for i in range(size):
        tmp[i] = -1
    for i in range(g[G_OBSTACLES], g[G_OBSTACLES] + g[G_OBSTACLE_COUNT]):
        s = st[g[G_HEADS] + g[i] * 3]
        while s > 0:
            x, y = st[s + X] // block, st[s + Y] // block
            if 0 <= x < wide and 0 <= y < high:
                tmp[y * wide + x] = -2
            s = st[s + NEXT]
    if tmp[gy * wide + gx] == -2:
        return -1
    inside = 0 <= sx < wide and 0 <= sy < high
    if not inside:
        return -1
    # Where one stands may be an obstacle: a way can begin there, but lead through it to nowhere else.
    own = tmp[sy * wide + sx]
    if own == -2:
        return -1
    tmp[size] = gy * wide + gx
    tmp[gy * wide + gx] = 0
    head, tail = 0, 1
    while head < tail and tmp[sy * wide + sx] < 0:
        here = tmp[size + head]
        head += 1
        for i in range(4):
            x = here % wide + (-1 if i == 2 else 1 if i == 3 else 0)
            y = here // wide + (-1 if i == 0 else 1 if i == 1 else 0)
            if 0 <= x < wide and 0 <= y < high and tmp[y * wide + x] == -1:
                tmp[y * wide + x] = tmp[here] + 1
                tmp[size + tail] = y * wide + x
                tail += 1
    if tmp[sy * wide + sx] < 0:
        return -1
    for i in range(4):
        x = sx + (-1 if i == 2 else 1 if i == 3 else 0)
        y = sy + (-1 if i == 0 else 1 if i == 1 else 0)
        if 0 <= x < wide and 0 <= y < high and tmp[y * wide + x] == tmp[sy * wide + sx] - 1:
            return i
    return -1


@compiled
def alternating_chaser(st: Ints, g: Ints, gf: Floats, tmp: Ints, s: int) -> None:
    drift(st, g, s)
    number = st[s + KIND]
    kind = g[G_KIND] + number * KIND_ROW
    if fraction(st) < gf[number * KIND_FLOATS + KF_EPSILON]:
        random_walk(st, g, s)
        return
    chased, feared = g[kind + K_CHASED], g[kind + K_FEARED]
    hunters = st[g[G_HEADS] + chased * 3 + 2] if chased >= 0 else 0
    hunted = st[g[G_HEADS] + feared * 3 + 2] if feared >= 0 else 0
    if hunted > hunters:
        chase(st, g, gf, tmp, s, feared, True)
        return
    if hunters == 0:
        random_walk(st, g, s)
        return
    best, target = 1 << 30, 0
    other = st[g[G_HEADS] + chased * 3]
    while other > 0:
        far = abs(st[s + X] - st[other + X]) + abs(st[s + Y] - st[other + Y])
        if far < best:
            best, target = far, other
        other = st[other + NEXT]
    found = first_step(st, g, tmp, st[s + X], st[s + Y], st[target + X], st[target + Y])
    if found < 0 and st[s + GOAL]:
        found = first_step(st, g, tmp, st[s + X], st[s + Y], st[s + GOAL_X], st[s + GOAL_Y])
    else:
        st[s + GOAL] = 1
        st[s + GOAL_X] = st[target + X]
        st[s + GOAL_Y] = st[target + Y]
    x = -1 if found == 2 else 1 if found == 3 else 0
    y = -1 if found == 0 else 1 if found == 1 else 0
    push(st, g, s, x, y, number)


@compiled
def update(st: Ints, g: Ints, gf: Floats, tmp: Ints, s: int) -> None:
    """Lets a sprite do what its class does."""
    st[s + LAST_X] = st[s + X]
    st[s + LAST_Y] = st[s + Y]
    st[s + LAST_MOVE] += 1
    number = st[s + KIND]
    kind = g[G_KIND] + number * KIND_ROW
    kind_class = g[kind + K_CLASS]
    if kind_class <= 4 or kind_class == 8:
        drift(st, g, s)
    elif kind_class <= 6:
        flicker(st, g, s)
    elif kind_class == 7:
        flicker(st, g, s)
        if st[s + AGE] == 2:
            made = g[kind + K_MADE] if g[kind + K_MADE] >= 0 else number
            for i in range(4):
                if fraction(st) < gf[number * KIND_FLOATS + KF_SPREAD]:
                    x, y = direction(i)
                    put(st, g, made, st[s + X] + x * g[G_BLOCK], st[s + Y] + y * g[G_BLOCK], False)
    elif kind_class == 9:
        if st[s + WAY_X] == 0 and st[s + WAY_Y] == 0:
            x, y = direction(below(st, 4))
            st[s + WAY_X] = x
            st[s + WAY_Y] = y
        drift(st, g, s)
    elif kind_class <= 11:
        spawn_point(st, g, gf, s)
    elif kind_class == 12:
        x, y = direction(below(st, 4))
        push(st, g, s, x, y, number)
        spawn_point(st, g, gf, s)
    elif kind_class == 13:
        drift(st, g, s)
        random_walk(st, g, s)
    elif kind_class <= 15:
        drift(st, g, s)
        chase(st, g, gf, tmp, s, g[kind + K_MADE], kind_class == 15)
    else:
        alternating_chaser(st, g, gf, tmp, s)


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


@compiled
def become(st: Ints, g: Ints, e: int, old: int, new: int, second: int) -> None:
    if new == 0:
        return
    lacks = st[new + ORIENTED] and st[old + ORIENTED] and st[new + WAY_X] == 0 and st[new + WAY_Y] == 0
    if g[e + E_TAKE] or lacks:
        st[new + WAY_X] = st[old + WAY_X]
        st[new + WAY_Y] = st[old + WAY_Y]
    st[new + LAST_X] = st[old + LAST_X]
    st[new + LAST_Y] = st[old + LAST_Y]
    for i in range(RECORD, RECORD + g[G_RESOURCES]):
        st[new + i] = st[old + i]
    st[new + HEALTH] = st[old + HEALTH]
    if old == st[AVATAR] and g[g[G_KIND] + st[new + KIND] * KIND_ROW + K_AVATAR]:
        st[AVATAR] = new
    kill(st, g, old, True)
    if g[e + E_KILL_SECOND] and second > 0:
        kill(st, g, second, True)


@compiled
def transform_all(st: Ints, g: Ints, e: int, second: int) -> None:
    group = g[G_HEADS] + g[e + E_STYPE] * 3
    old, left = st[group], st[group + 2]
    while left > 0:
        if not st[old + DISABLED]:
            become(st, g, e, old, put(st, g, g[e + E_STYPE_TO], st[old + X], st[old + Y], True), second)
        old = st[old + NEXT]
        left -= 1


@compiled
def subtract(st: Ints, g: Ints, e: int, s: int) -> bool:
    st[s + HEALTH] -= g[e + E_VALUE]
    if st[s + HEALTH] > g[e + E_LIMIT]:
        return False
    kill(st, g, s, False)
    return True


@compiled
def collect(st: Ints, g: Ints, e: int, a: int, b: int) -> bool:
    kind = g[G_KIND] + st[a + KIND] * KIND_ROW
    if not g[kind + K_IS_RESOURCE] or b == 0:
        return True
    resource = g[kind + K_RESOURCE]
    room = g[kind + K_LIMIT] - st[b + RECORD + resource]
    if room <= 0:
        return False
    gain(st, b, resource, min(g[kind + K_VALUE], room))
    if g[e + E_KILL_RESOURCE]:
        kill(st, g, a, True)
    return True


@compiled
def move_effect(st: Ints, g: Ints, gf: Floats, e: int, line: int, a: int, b: int) -> None:
    """The effects that move or turn sprites, and never decline."""
    effect = g[e + E_EFFECT]
    if effect == 0:  # stepBack
        x, y = sign(st[a + X] - st[a + LAST_X]), sign(st[a + Y] - st[a + LAST_Y])
        if g[e + E_PIXEL] and b > 0 and x == 0 and y != 0:
            move_to(st, g, a, st[a + X], st[b + Y] - y * g[G_BLOCK])
        elif g[e + E_PIXEL] and b > 0 and y == 0 and x != 0:
            move_to(st, g, a, st[b + X] - x * g[G_BLOCK], st[a + Y])
        else:
            move_to(st, g, a, st[a + LAST_X], st[a + LAST_Y])
    elif effect == 6:  # bounceForward
        if b > 0:
            x, y = sign(st[b + X] - st[b + LAST_X]), sign(st[b + Y] - st[b + LAST_Y])
            push(st, g, a, x, y, st[b + KIND])
            st[a + WAY_X] = x
            st[a + WAY_Y] = y
    elif effect == 7:  # undoAll
        spared = g[e + E_NOT_STYPE]
        for number in range(g[G_TYPES]):
            if spared < 0 or g[g[G_RANK] + spared * g[G_TYPES] + number] < 0:
                s = st[g[G_HEADS] + number * 3]
                while s > 0:
                    move_to(st, g, s, st[s + LAST_X], st[s + LAST_Y])
                    s = st[s + NEXT]
    elif effect == 19:  # attractGaze
        if b > 0 and st[a + ORIENTED] and st[b + ORIENTED] and fraction(st) < gf[line]:
            st[a + WAY_X] = st[b + WAY_X]
            st[a + WAY_Y] = st[b + WAY_Y]
            if g[e + E_ALIGN] and st[a + WAY_X] != 0:
                move_to(st, g, a, st[a + X], st[b + Y])
            elif g[e + E_ALIGN] and st[a + WAY_Y] != 0:
                move_to(st, g, a, st[b + X], st[a + Y])
    elif effect == 20:  # reverseDirection
        st[a + WAY_X] = -st[a + WAY_X]
        st[a + WAY_Y] = -st[a + WAY_Y]
    elif effect == 21:  # flipDirection
        x, y = direction(below(st, 4))
        st[a + WAY_X] = x
        st[a + WAY_Y] = y
    elif effect == 22:  # wrapAround
        inset = g[e + E_INSET]
        if st[a + WAY_X] > 0:
            move_to(st, g, a, inset, st[a + Y])
        elif st[a + WAY_X] < 0:
            move_to(st, g, a, g[G_WIDTH] - g[G_BLOCK] - inset, st[a + Y])
        elif st[a + WAY_Y] > 0:
            move_to(st, g, a, st[a + X], inset)
        elif st[a + WAY_Y] < 0:
            move_to(st, g, a, st[a + X], g[G_HEIGHT] - g[G_BLOCK] - inset)
        st[a + LAST_MOVE] = 0
    elif effect == 23:  # turnAround
        move_to(st, g, a, st[a + LAST_X], st[a + LAST_Y])
        for _ in range(2):
            st[a + LAST_MOVE] = g[g[G_KIND] + st[a + KIND] * KIND_ROW + K_COOLDOWN]
            push(st, g, a, 0, 1, st[a + KIND])
        st[a + WAY_X] = -st[a + WAY_X]
        st[a + WAY_Y] = -st[a + WAY_Y]
    elif effect == 25:  # teleportToExit
        number = g[g[G_KIND] + st[b + KIND] * KIND_ROW + K_MADE] if b > 0 else -1
        exits = st[g[G_HEADS] + number * 3 + 2] if number >= 0 else 0
        if exits == 0:
            kill(st, g, a, False)
        else:
            s = st[g[G_HEADS] + number * 3]
            for _ in range(below(st, exits)):
                s = st[s + NEXT]
            move_to(st, g, a, st[s + X], st[s + Y])
            st[a + LAST_MOVE] = 0
    elif effect == 29 and b > 0 and st[a + PULLED] != st[TICK]:  # pullWithIt
        st[a + PULLED] = st[TICK]
        x, y = sign(st[b + X] - st[b + LAST_X]), sign(st[b + Y] - st[b + LAST_Y])
        step(st, g, a, x, y, g[g[G_KIND] + st[b + KIND] * KIND_ROW + K_STEP])


@compiled
def make_effect(st: Ints, g: Ints, gf: Floats, e: int, line: int, a: int, b: int) -> bool:
    """The effects that make or change sprites; False where one declines."""
    effect = g[e + E_EFFECT]
    if effect == 3:  # transformTo
        if not st[a + DISABLED]:
            become(st, g, e, a, put(st, g, g[e + E_STYPE], st[a + X], st[a + Y], False), b)
    elif effect == 4:  # transformToAll
        transform_all(st, g, e, b)
    elif effect == 5:  # transformToSingleton
        group = g[G_HEADS] + g[e + E_STYPE] * 3
        old, left = st[group], st[group + 2]
        while left > 0:
            new = put(st, g, g[e + E_STYPE_TO], st[old + X], st[old + Y], False)
            if new > 0:
                if st[new + ORIENTED] and st[new + WAY_X] == 0 and st[new + WAY_Y] == 0:
                    st[new + WAY_X] = st[old + WAY_X]
                    st[new + WAY_Y] = st[old + WAY_Y]
                st[new + LAST_X] = st[old + LAST_X]
                st[new + LAST_Y] = st[old + LAST_Y]
                kill(st, g, old, True)
            old = st[old + NEXT]
            left -= 1
        new = put(st, g, g[e + E_STYPE], st[a + X], st[a + Y], False)
        if new > 0:
            if g[e + E_TAKE] and b > 0:
                st[new + ORIENTED] = 1
                st[new + WAY_X] = -st[b + WAY_X]
                st[new + WAY_Y] = -st[b + WAY_Y]
            st[new + LAST_X] = st[a + LAST_X]
            st[new + LAST_Y] = st[a + LAST_Y]
            if a == st[AVATAR]:
                st[AVATAR] = new
            kill(st, g, a, True)
    elif effect == 16:  # spawn
        if fraction(st) < gf[line]:
            put(st, g, g[e + E_STYPE], st[a + X], st[a + Y], False)
    elif effect == 17 or effect == 18:  # spawnIfHasMore, spawnIfHasLess
        has = st[a + RECORD + g[e + E_RESOURCE]]
        drawn = fraction(st)
        few = has < g[e + E_LIMIT] if effect == 17 else has > g[e + E_LIMIT]
        if drawn >= gf[line] or few:
            return False
        put(st, g, g[e + E_STYPE], st[a + X], st[a + Y], False)
        gain(st, a, g[e + E_RESOURCE], -g[e + E_SPEND])
    elif effect == 30:  # cloneSprite
        put(st, g, st[a + KIND], st[a + X], st[a + Y], False)
    elif effect == 8:  # collectResource
        return collect(st, g, e, a, b)
    elif effect == 9:  # collectResourceIfHeld
        return b > 0 and st[b + RECORD + g[e + E_RESOURCE]] >= g[e + E_VALUE] and collect(st, g, e, a, b)
    elif effect == 10:  # changeResource
        if st[a + RECORD + g[e + E_RESOURCE]] + g[e + E_VALUE] > g[e + E_RESOURCE_LIMIT]:
            return False
        if g[e + E_KILL_RESOURCE] and b > 0:
            kill(st, g, b, True)
        gain(st, a, g[e + E_RESOURCE], g[e + E_VALUE])
    elif effect == 15:  # addHealthPoints
        most = g[g[G_KIND] + st[a + KIND] * KIND_ROW + K_MOST_HEALTH]
        if st[a + HEALTH] + g[e + E_VALUE] >= most:
            return False
        st[a + HEALTH] += g[e + E_VALUE]
        if g[e + E_KILL_SECOND] and b > 0:
            kill(st, g, b, True)
    return True


@compiled
def kills(st: Ints, g: Ints, e: int, a: int, b: int) -> bool:
    """Whether a conditional kill is one."""
    effect = g[e + E_EFFECT]
    if effect == 1:
        return True
    if effect == 11:  # killIfOtherHasMore
        return b > 0 and st[b + RECORD + g[e + E_RESOURCE]] >= g[e + E_LIMIT]
    if effect == 12:
        return st[a + RECORD + g[e + E_RESOURCE]] >= g[e + E_LIMIT]
    if effect == 13:
        return st[a + RECORD + g[e + E_RESOURCE]] <= g[e + E_LIMIT]
    if effect == 28:  # killIfFromAbove
        return b > 0 and st[a + LAST_Y] > st[b + LAST_Y] + g[G_BLOCK] // 2 and st[b + Y] > st[b + LAST_Y]
    x, y = sign(st[a + X] - st[a + LAST_X]), sign(st[a + Y] - st[a + LAST_Y])
    if x == 0 and y == 0:
        return True
    frontal = True
    if b > 0:
        frontal = x == -sign(st[b + X] - st[b + LAST_X]) and y == -sign(st[b + Y] - st[b + LAST_Y])
    return frontal if effect == 26 else not frontal


@compiled
def apply(st: Ints, g: Ints, gf: Floats, line: int, a: int, b: int) -> None:
    """Does what a line says to a sprite, or to none (0), and adds to the score what it is worth."""
    e = g[G_EFFECTS] + line * EFFECT_ROW
    effect = g[e + E_EFFECT]
    change = g[e + E_SCORE]
    chances = g[G_TYPES] * KIND_FLOATS + line
    if effect == 31:  # addTimer
        if st[TIMERS] < g[G_MOST_TIMERS]:
            row = g[G_TIMER_ROWS] + st[TIMERS] * 3
            st[row] = -1
            st[row + 1] = g[e + E_INNER]
            st[row + 2] = st[TICK] + g[e + E_TIMER]
            st[TIMERS] += 1
        else:
            st[OVERFLOW] = 1
    elif a == 0:
        if effect != 4:
            return
        transform_all(st, g, e, 0)
    elif effect == 1 or 11 <= effect <= 13 or 26 <= effect <= 28:
        if not kills(st, g, e, a, b):
            return
        kill(st, g, a, False)
    elif effect == 2:  # killBoth
        kill(st, g, a, False)
        if b > 0:
            kill(st, g, b, False)
    elif effect == 14:  # subtractHealthPoints
        number = g[e + E_STYPE]
        if number < 0:
            if subtract(st, g, e, a):
                change = g[e + E_SCORE_KILLED]
        else:
            kin = g[G_KIN] + number * 2
            for i in range(g[kin], g[kin] + g[kin + 1]):
                s = st[g[G_HEADS] + g[i] * 3]
                while s > 0:
                    if subtract(st, g, e, s):
                        change = g[e + E_SCORE_KILLED]
                    s = st[s + NEXT]
        if g[e + E_KILL_SECOND] and b > 0:
            kill(st, g, b, True)
    elif effect == 24:  # shieldFrom
        found = False
        for i in range(st[SHIELDS]):
            row = g[G_SHIELD_ROWS] + i * 3
            if st[row] == st[a + KIND] and st[row + 1] == g[e + E_STYPE] and st[row + 2] == g[e + E_SHIELDED]:
                found = True
        if not found and st[SHIELDS] < g[G_MOST_SHIELDS]:
            row = g[G_SHIELD_ROWS] + st[SHIELDS] * 3
            st[row] = st[a + KIND]
            st[row + 1] = g[e + E_STYPE]
            st[row + 2] = g[e + E_SHIELDED]
            st[SHIELDS] += 1
    elif effect == 0 or effect == 6 or effect == 7 or 19 <= effect <= 23 or effect == 25 or effect == 29:
        move_effect(st, g, gf, e, chances, a, b)
    elif not make_effect(st, g, gf, e, chances, a, b):
        return
    st[SCORE] += change


@compiled
def run_timers(st: Ints, g: Ints, gf: Floats, tmp: Ints) -> None:
    count, due = st[TIMERS], 0
    first = g[G_TIMER_ROWS]
    for i in range(count):
        if st[first + i * 3 + 2] <= st[TICK]:
            due += 1
    if due == 0:
        return
    kept, due = 0, 0
    for i in range(count):
        row = first + i * 3
        if st[row + 2] <= st[TICK]:
            place = due
            while place > 0 and tmp[(place - 1) * 3 + 2] > st[row + 2]:
                for j in range(3):
                    tmp[place * 3 + j] = tmp[(place - 1) * 3 + j]
                place -= 1
            for j in range(3):
                tmp[place * 3 + j] = st[row + j]
            due += 1
        else:
            for j in range(3):
                st[first + kept * 3 + j] = st[row + j]
            kept += 1
    st[TIMERS] = kept
    for i in range(due):
        line = tmp[i * 3 + 1]
        e = g[G_EFFECTS] + line * EFFECT_ROW
        if tmp[i * 3] < 0:
            apply(st, g, gf, line, 0, 0)
        else:
            kin = g[G_KIN] + tmp[i * 3] * 2
            fresh = st[IDENTITY]
            for j in range(g[kin], g[kin] + g[kin + 1]):
                s = st[g[G_HEADS] + g[j] * 3]
                while s > 0:
                    if not st[s + KILLED] and not st[s + DISABLED] and st[s + NAME] < fresh:
                        apply(st, g, gf, line, s, 0)
                    s = st[s + NEXT]
        if g[e + E_REPEATING] and st[TIMERS] < g[G_MOST_TIMERS]:
            row = first + st[TIMERS] * 3
            st[row] = tmp[i * 3]
            st[row + 1] = line
            st[row + 2] = st[TICK] + max(1, g[e + E_TIMER])
            st[TIMERS] += 1


@compiled
def run_edges(st: Ints, g: Ints, gf: Floats) -> None:
    for i in range(g[G_EDGE_COUNT]):
        row = g[G_EDGES] + i * 3
        kin = g[G_KIN] + g[row] * 2
        for at in range(g[row + 1], g[row + 1] + g[row + 2]):
            fresh = st[IDENTITY]
            for j in range(g[kin], g[kin] + g[kin + 1]):
                s = st[g[G_HEADS] + g[j] * 3]
                while s > 0:
                    if outside(st, g, s) and not st[s + KILLED] and not st[s + DISABLED] and st[s + NAME] < fresh:
                        apply(st, g, gf, g[at], s, 0)
                    s = st[s + NEXT]


@compiled
def touches(st: Ints, g: Ints, s: int, number: int) -> bool:
    """Whether a sprite overlaps another that is meant by a type."""
    ranks = g[G_RANK] + number * g[G_TYPES]
    reach = 0 if g[G_ALIGNED] else 1
    wide = g[G_COLUMNS] + 2
    for row in range(max(0, st[s + ROW] - reach), min(g[G_ROWS] + 1, st[s + ROW] + reach) + 1):
        for column in range(max(0, st[s + COLUMN] - reach), min(wide - 1, st[s + COLUMN] + reach) + 1):
            other = st[g[G_CELLS] + row * wide + column]
            while other > 0:
                if g[ranks + st[other + KIND]] >= 0 and other != s and overlap(st, g, s, other):
                    return True
                other = st[other + NEXT_HERE]
    return False


@compiled
def collect_touching(st: Ints, g: Ints, s: int, number: int, fresh: int, tmp: Ints) -> int:
    """Writes down all that `touches` would find and that is not new, in the order of types and creation."""
    ranks = g[G_RANK] + number * g[G_TYPES]
    reach = 0 if g[G_ALIGNED] else 1
    wide = g[G_COLUMNS] + 2
    count = 0
    for row in range(max(0, st[s + ROW] - reach), min(g[G_ROWS] + 1, st[s + ROW] + reach) + 1):
        for column in range(max(0, st[s + COLUMN] - reach), min(wide - 1, st[s + COLUMN] + reach) + 1):
            other = st[g[G_CELLS] + row * wide + column]
            while other > 0:
                rank = g[ranks + st[other + KIND]]
                if rank >= 0 and other != s and st[other + NAME] < fresh and overlap(st, g, s, other):
                    place = count
                    while place > 0:
                        before = tmp[place - 1]
                        other_rank = g[ranks + st[before + KIND]]
                        if other_rank < rank or (other_rank == rank and st[before + NAME] < st[other + NAME]):
                            break
                        tmp[place] = before
                        place -= 1
                    tmp[place] = other
                    count += 1
                other = st[other + NEXT_HERE]
    return count


@compiled
def population(st: Ints, g: Ints, number: int) -> int:
    """How many sprites are meant by a type, the dying and dead ones too."""
    kin = g[G_KIN] + number * 2
    count = 0
    for i in range(g[kin], g[kin] + g[kin + 1]):
        count += st[g[G_HEADS] + g[i] * 3 + 2]
    return count


@compiled
def any_contact(st: Ints, g: Ints, first: int, second: int) -> bool:
    """Whether any two sprites of the two types meet: asked from the side that has fewer."""
    many, others = population(st, g, first), population(st, g, second)
    if many == 0 or others == 0:
        return False
    if others < many:
        first, second = second, first
    kin = g[G_KIN] + first * 2
    for i in range(g[kin], g[kin] + g[kin + 1]):
        s = st[g[G_HEADS] + g[i] * 3]
        while s > 0:
            if touches(st, g, s, second):
                return True
            s = st[s + NEXT]
    return False


@compiled
def note(st: Ints, log: Ints, a: int, b: int) -> None:
    """Writes down that the avatar, or what it has shot, has met something."""
    count = log[0]
    if 1 + (count + 1) * EVENT > log.size:
        return
    avatar = st[AVATAR]
    shot = a if st[a + FROM_AVATAR] else b if st[b + FROM_AVATAR] else 0
    if a != avatar and b != avatar and shot == 0:
        return
    active = avatar if a == avatar or b == avatar else shot
    passive = b if active == a else a
    row = 1 + count * EVENT
    log[row] = st[TICK]
    log[row + 1] = 1 if active != avatar else 0
    log[row + 2] = st[active + KIND]
    log[row + 3] = st[passive + KIND]
    log[row + 4] = st[active + NAME]
    log[row + 5] = st[passive + NAME]
    log[row + 6] = st[active + X]
    log[row + 7] = st[active + Y]
    log[0] = count + 1


@compiled
def run_pair(st: Ints, g: Ints, gf: Floats, tmp: Ints, log: Ints, row: int) -> None:
    first, second = g[row], g[row + 1]
    contact = any_contact(st, g, first, second)
    if not contact:
        return
    kin = g[G_KIN] + first * 2
    for at in range(g[row + 2], g[row + 2] + g[row + 3]):
        line = g[at]
        e = g[G_EFFECTS] + line * EFFECT_ROW
        shielded = False
        for i in range(st[SHIELDS]):
            shield = g[G_SHIELD_ROWS] + i * 3
            if st[shield] == first and st[shield + 1] == second and st[shield + 2] == g[e + E_EFFECT]:
                shielded = True
        if shielded:
            continue
        for _ in range(g[e + E_REPEAT]):
            fresh = st[IDENTITY]
            for i in range(g[kin], g[kin] + g[kin + 1]):
                s = st[g[G_HEADS] + g[i] * 3]
                while s > 0:
                    if st[s + NAME] < fresh and not st[s + KILLED]:
                        count = collect_touching(st, g, s, second, fresh, tmp)
                        for k in range(count):
                            if not st[s + KILLED] and overlap(st, g, s, tmp[k]):
                                if log.size > 0:
                                    note(st, log, s, tmp[k])
                                apply(st, g, gf, line, s, tmp[k])
                    s = st[s + NEXT]


@compiled
def living(st: Ints, g: Ints, number: int) -> int:
    kin = g[G_KIN] + number * 2
    count = 0
    for i in range(g[kin], g[kin] + g[kin + 1]):
        group = g[G_HEADS] + g[i] * 3
        count += st[group + 2]
        if g[g[G_KIND] + g[i] * KIND_ROW + K_AVATAR]:
            s = st[group]
            while s > 0:
                count -= st[s + DISABLED]
                s = st[s + NEXT]
    return count


@compiled
def look_for_end(st: Ints, g: Ints) -> None:
    if not g[G_PLAYABLE]:
        st[ENDED] = 1
        return
    for i in range(g[G_END_COUNT]):
        row = g[G_ENDS] + i * 8
        if g[row] == 2:
            holds = st[TICK] >= g[row + 2]
        else:
            count = 0
            for j in range(4, 7):
                if g[row + j] >= 0:
                    count += living(st, g, g[row + j])
            if g[row] == 0:
                holds = count <= g[row + 2]
            elif g[row + 3]:
                holds = count >= g[row + 2]
            else:
                holds = count == g[row + 2]
        if holds:
            st[ENDED] = 1
            st[WINNER] = g[row + 1]
            return
    if st[TICK] >= 2000:
        st[ENDED] = 1
        st[WINNER] = 0


@compiled
def advance(st: Ints, g: Ints, gf: Floats, tmp: Ints, log: Ints, action: int) -> None:
    """Plays one tick.

    `tmp` has room for four numbers a sprite that there can be, two a square and three a timer; `log` for what is to be
    noted.
    """
    if st[ENDED]:
        return
    st[TICK] += 1
    avatar = st[AVATAR]
    if avatar > 0 and not st[avatar + DISABLED]:
        update_avatar(st, g, avatar, action)
    for i in range(g[G_UPDATE], g[G_UPDATE] + g[G_UPDATES]):
        group = g[G_HEADS] + g[i] * 3
        s, left = st[group], st[group + 2]
        while left > 0:
            update(st, g, gf, tmp, s)
            s = st[s + NEXT]
            left -= 1
    if st[TIMERS] > 0:
        run_timers(st, g, gf, tmp)
    run_edges(st, g, gf)
    for i in range(g[G_PAIR_COUNT]):
        run_pair(st, g, gf, tmp, log, g[G_PAIRS] + i * 4)
    if st[DYING] > 0:
        bury(st, g)
    st[SHIELDS] = 0
    look_for_end(st, g)


@compiled
def reseed(st: Ints, seed: int) -> None:
    """Gives a state another chance."""
    state = (np.int64(seed) ^ np.int64(0x5DEECE66D)) & np.int64((1 << 48) - 1)
    st[CHANCE_HIGH] = state >> 24
    st[CHANCE_LOW] = state & 0xFFFFFF


@compiled
def copy_state(source: Ints, target: Ints, g: Ints) -> None:
    """Copies what is used of a state."""
    size = g[G_SPRITES] + source[USED] * (RECORD + g[G_RESOURCES])
    copy_numbers(target, source, size)


@compiled
def rollouts(
    root: Ints, st: Ints, g: Ints, gf: Floats, tmp: Ints, log: Ints, actions: Ints, seed: int, runs: int, depth: int
) -> int:
    """Plays random actions from a state, again and again; answers how many ticks that were."""
    ticks = 0
    draw = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    for _ in range(runs):
        copy_state(root, st, g)
        draw ^= draw << np.uint64(13)
        draw ^= draw >> np.uint64(7)
        draw ^= draw << np.uint64(17)
        reseed(st, np.int64(draw >> np.uint64(16)))
        for _ in range(depth):
            draw ^= draw << np.uint64(13)
            draw ^= draw >> np.uint64(7)
            draw ^= draw << np.uint64(17)
            advance(st, g, gf, tmp, log, actions[np.int64((draw >> np.uint64(33)) % np.uint64(actions.size))])
            ticks += 1
            if st[ENDED]:
                break
    return ticks
