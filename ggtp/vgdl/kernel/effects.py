"""What comes of it when sprites meet, as machine code: `effects` does the same for the interpreter."""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    DISABLED,
    E_ALIGN,
    E_EFFECT,
    E_INNER,
    E_INSET,
    E_KILL_RESOURCE,
    E_KILL_SECOND,
    E_LIMIT,
    E_NOT_STYPE,
    E_PIXEL,
    E_RESOURCE,
    E_RESOURCE_LIMIT,
    E_SCORE,
    E_SCORE_KILLED,
    E_SHIELDED,
    E_SPEND,
    E_STYPE,
    E_STYPE_TO,
    E_TAKE,
    E_TIMER,
    E_VALUE,
    EFFECT_ROW,
    G_BLOCK,
    G_EFFECTS,
    G_HEADS,
    G_HEIGHT,
    G_KIN,
    G_KIND,
    G_MOST_SHIELDS,
    G_MOST_TIMERS,
    G_RANK,
    G_RESOURCES,
    G_SHIELD_ROWS,
    G_TIMER_ROWS,
    G_TYPES,
    G_WIDTH,
    HEALTH,
    K_AVATAR,
    K_COOLDOWN,
    K_IS_RESOURCE,
    K_LIMIT,
    K_MADE,
    K_MOST_HEALTH,
    K_RESOURCE,
    K_STEP,
    K_VALUE,
    KIND,
    KIND_FLOATS,
    KIND_ROW,
    LAST_MOVE,
    LAST_X,
    LAST_Y,
    NEXT,
    ORIENTED,
    OVERFLOW,
    PULLED,
    RECORD,
    SCORE,
    SHIELDS,
    TICK,
    TIMERS,
    WAY_X,
    WAY_Y,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Floats, Ints, compiled
from ggtp.vgdl.kernel.sprites import below, direction, fraction, gain, kill, move_to, push, put, sign, step


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
