"""Updates of sprites in a tick, as machine code: what `world.updates` does in the interpreter."""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from ggtp.vgdl.kernel.layout import (
    AGE,
    G_BLOCK,
    G_COLUMNS,
    G_HEADS,
    G_KIN,
    G_KIND,
    G_OBSTACLE_COUNT,
    G_OBSTACLES,
    G_ROWS,
    GOAL,
    GOAL_X,
    GOAL_Y,
    GROUP,
    GROUP_COUNT,
    GROUP_FIRST,
    K_ACTIONS,
    K_CHASED,
    K_CLASS,
    K_COOLDOWN,
    K_FEARED,
    K_KEEPS,
    K_LIMIT,
    K_SPAWN_X,
    K_SPAWN_Y,
    K_TARGET,
    K_TOTAL,
    KEPT,
    KEPT_X,
    KEPT_Y,
    KF_CHANCE,
    KF_EPSILON,
    KF_REACH,
    KF_SPREAD,
    KIND,
    KIND_FLOATS,
    KIND_ROW,
    LAST_MOVE,
    LAST_X,
    LAST_Y,
    LIST,
    LIST_LENGTH,
    LIST_START,
    MADE,
    NEXT,
    START,
    TICK,
    WAY_X,
    WAY_Y,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Floats, Ints, compiled
from ggtp.vgdl.kernel.sprites import (
    below,
    direction,
    drift,
    fraction,
    is_step,
    kill,
    push,
    put,
    shoot,
    short_fraction,
    sign,
    step_of,
)
from ggtp.vgdl.language.vocabulary import Action, SpriteClass
from ggtp.vgdl.world.moves import Moved

NO_STEP = -1
UNREACHED, OBSTACLE = -1, -2
"""Marks of squares for which no number of steps from the goal is known."""


@compiled
def update_avatar(st: Ints, g: Ints, s: int, action: int) -> None:
    st[s + LAST_X] = st[s + X]
    st[s + LAST_Y] = st[s + Y]
    st[s + LAST_MOVE] += 1
    number = st[s + KIND]
    kind = g[G_KIND] + number * KIND_ROW
    if not (g[kind + K_ACTIONS] >> action) & 1:
        action = Action.NIL
    x, y = 0, 0
    if is_step(action):
        x, y = step_of(action)
    kind_class = g[kind + K_CLASS]
    if kind_class == SpriteClass.MISSILE_AVATAR:
        drift(st, g, s)
    elif kind_class == SpriteClass.ONGOING_AVATAR:
        if x != 0 or y != 0:
            st[s + WAY_X] = x
            st[s + WAY_Y] = y
        drift(st, g, s)
    elif kind_class == SpriteClass.FLAK_AVATAR:
        push(st, g, s, x, y, number)
        if action == Action.USE:
            shoot(st, g, s, 0, 0)
    else:
        moved = push(st, g, s, x, y, number)
        if moved == Moved.STEPPED and kind_class != SpriteClass.MOVING_AVATAR:
            st[s + WAY_X] = sign(st[s + X] - st[s + LAST_X])
            st[s + WAY_Y] = sign(st[s + Y] - st[s + LAST_Y])
        if kind_class == SpriteClass.SHOOT_AVATAR and action == Action.USE and moved == Moved.NOT:
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
    if due and drawn < gf[number * KIND_FLOATS + KF_CHANCE] and g[kind + K_TARGET] >= 0:
        made = put(st, g, g[kind + K_TARGET], st[s + X], st[s + Y], False)
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
    """Return the first sprite of the first type that has any, or 0, and the type's entry in the list of types."""
    while kin < end:
        s = st[g[G_HEADS] + g[kin] * GROUP + GROUP_FIRST]
        if s > 0:
            return s, kin
        kin += 1
    return 0, kin


@compiled
def chase(st: Ints, g: Ints, gf: Floats, tmp: Ints, s: int, number: int, flee: bool) -> None:
    """Make a step nearer to the nearest sprite of a type, or away from it."""
    count = 0
    if number >= 0:
        kin = g[G_KIN] + number * LIST
        begin, end = g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]
        exact = st[g[G_HEADS] + number * GROUP + GROUP_COUNT] > 0
        if exact:  # of exactly that type: a list of one type
            while g[begin] != number:
                begin += 1
            end = begin + 1
        best = 1 << 30
        for collecting in range(2):  # first how near the nearest are, then the steps that they suggest
            other, at = first_of(st, g, begin, end)
            while other > 0:
                dx, dy = st[s + X] - st[other + X], st[s + Y] - st[other + Y]
                far = abs(dx) + abs(dy)
                if not collecting:
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
def path_direction(number: int) -> tuple[int, int]:
    """Return a direction in the order of `world.paths`, which prefers earlier ones: up, down, left, right."""
    if number == 0:
        return 0, -1
    if number == 1:
        return 0, 1
    if number == 2:
        return -1, 0
    return 1, 0


@compiled
def first_step(st: Ints, g: Ints, tmp: Ints, fx: int, fy: int, tx: int, ty: int) -> int:
    """Return the first step of a shortest way around obstacles, as a number for `path_direction`; NO_STEP for none."""
    block, wide, high = g[G_BLOCK], g[G_COLUMNS], g[G_ROWS]
    sx, sy, gx, gy = fx // block, fy // block, tx // block, ty // block
    if (sx == gx and sy == gy) or not (0 <= gx < wide and 0 <= gy < high):
        return NO_STEP
    size = wide * high  # in `tmp`, the steps from each square; then the squares that wait
    for i in range(size):
        tmp[i] = UNREACHED
    for i in range(g[G_OBSTACLES], g[G_OBSTACLES] + g[G_OBSTACLE_COUNT]):
        s = st[g[G_HEADS] + g[i] * GROUP + GROUP_FIRST]
        while s > 0:
            x, y = st[s + X] // block, st[s + Y] // block
            if 0 <= x < wide and 0 <= y < high:
                tmp[y * wide + x] = OBSTACLE
            s = st[s + NEXT]
    if tmp[gy * wide + gx] == OBSTACLE:
        return NO_STEP
    inside = 0 <= sx < wide and 0 <= sy < high
    if not inside:
        return NO_STEP
    # Where one stands may be an obstacle: a way can begin there, but lead through it to nowhere else.
    own = tmp[sy * wide + sx]
    if own == OBSTACLE:
        return NO_STEP
    tmp[size] = gy * wide + gx
    tmp[gy * wide + gx] = 0
    head, tail = 0, 1
    while head < tail and tmp[sy * wide + sx] < 0:
        here = tmp[size + head]
        head += 1
        for i in range(4):
            dx, dy = path_direction(i)
            x, y = here % wide + dx, here // wide + dy
            if 0 <= x < wide and 0 <= y < high and tmp[y * wide + x] == UNREACHED:
                tmp[y * wide + x] = tmp[here] + 1
                tmp[size + tail] = y * wide + x
                tail += 1
    if tmp[sy * wide + sx] < 0:
        return NO_STEP
    for i in range(4):
        dx, dy = path_direction(i)
        x, y = sx + dx, sy + dy
        if 0 <= x < wide and 0 <= y < high and tmp[y * wide + x] == tmp[sy * wide + sx] - 1:
            return i
    return NO_STEP


@compiled
def alternating_chaser(st: Ints, g: Ints, gf: Floats, tmp: Ints, s: int) -> None:
    drift(st, g, s)
    number = st[s + KIND]
    kind = g[G_KIND] + number * KIND_ROW
    if fraction(st) < gf[number * KIND_FLOATS + KF_EPSILON]:
        random_walk(st, g, s)
        return
    chased, feared = g[kind + K_CHASED], g[kind + K_FEARED]
    hunters = st[g[G_HEADS] + chased * GROUP + GROUP_COUNT] if chased >= 0 else 0
    hunted = st[g[G_HEADS] + feared * GROUP + GROUP_COUNT] if feared >= 0 else 0
    if hunted > hunters:
        chase(st, g, gf, tmp, s, feared, True)
        return
    if hunters == 0:
        random_walk(st, g, s)
        return
    best, target = 1 << 30, 0
    other = st[g[G_HEADS] + chased * GROUP + GROUP_FIRST]
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
    if found >= 0:
        x, y = path_direction(found)
        push(st, g, s, x, y, number)


@compiled
def update(st: Ints, g: Ints, gf: Floats, tmp: Ints, s: int) -> None:
    """Update a sprite as its class does."""
    st[s + LAST_X] = st[s + X]
    st[s + LAST_Y] = st[s + Y]
    st[s + LAST_MOVE] += 1
    number = st[s + KIND]
    kind = g[G_KIND] + number * KIND_ROW
    kind_class = g[kind + K_CLASS]
    if kind_class == SpriteClass.FLICKER or kind_class == SpriteClass.ORIENTED_FLICKER:
        flicker(st, g, s)
    elif kind_class == SpriteClass.SPREADER:
        flicker(st, g, s)
        if st[s + AGE] == 2:
            made = g[kind + K_TARGET] if g[kind + K_TARGET] >= 0 else number
            for i in range(4):
                if fraction(st) < gf[number * KIND_FLOATS + KF_SPREAD]:
                    x, y = direction(i)
                    put(st, g, made, st[s + X] + x * g[G_BLOCK], st[s + Y] + y * g[G_BLOCK], False)
    elif kind_class == SpriteClass.RANDOM_MISSILE:
        if st[s + WAY_X] == 0 and st[s + WAY_Y] == 0:
            x, y = direction(below(st, 4))
            st[s + WAY_X] = x
            st[s + WAY_Y] = y
        drift(st, g, s)
    elif kind_class == SpriteClass.SPAWN_POINT or kind_class == SpriteClass.BOMBER:
        spawn_point(st, g, gf, s)
    elif kind_class == SpriteClass.RANDOM_BOMBER:
        x, y = direction(below(st, 4))
        push(st, g, s, x, y, number)
        spawn_point(st, g, gf, s)
    elif kind_class == SpriteClass.RANDOM_NPC:
        drift(st, g, s)
        random_walk(st, g, s)
    elif kind_class == SpriteClass.CHASER or kind_class == SpriteClass.FLEEING:
        drift(st, g, s)
        chase(st, g, gf, tmp, s, g[kind + K_TARGET], kind_class == SpriteClass.FLEEING)
    elif kind_class == SpriteClass.RANDOM_PATH_ALT_CHASER:
        alternating_chaser(st, g, gf, tmp, s)
    else:
        drift(st, g, s)
