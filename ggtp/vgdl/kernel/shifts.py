"""Effects that move or turn sprites, as machine code, by the names that `world.effects` has for them."""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from ggtp.vgdl.kernel.layout import (
    E_ALIGN,
    E_INSET,
    E_NOT_STYPE,
    E_PIXEL,
    G_BLOCK,
    G_HEADS,
    G_HEIGHT,
    G_KIND,
    G_RANK,
    G_TYPES,
    G_WIDTH,
    GROUP,
    GROUP_COUNT,
    GROUP_FIRST,
    K_COOLDOWN,
    K_STEP,
    K_TARGET,
    KIND,
    KIND_ROW,
    LAST_MOVE,
    LAST_X,
    LAST_Y,
    NEXT,
    ORIENTED,
    PULLED,
    TICK,
    WAY_X,
    WAY_Y,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Ints, compiled
from ggtp.vgdl.kernel.sprites import below, direction, fraction, kill, move_to, push, sign, step


@compiled
def step_back(st: Ints, g: Ints, e: int, a: int, b: int) -> None:
    x, y = sign(st[a + X] - st[a + LAST_X]), sign(st[a + Y] - st[a + LAST_Y])
    if g[e + E_PIXEL] and b > 0 and x == 0 and y != 0:
        move_to(st, g, a, st[a + X], st[b + Y] - y * g[G_BLOCK])
    elif g[e + E_PIXEL] and b > 0 and y == 0 and x != 0:
        move_to(st, g, a, st[b + X] - x * g[G_BLOCK], st[a + Y])
    else:
        move_to(st, g, a, st[a + LAST_X], st[a + LAST_Y])


@compiled
def bounce_forward(st: Ints, g: Ints, a: int, b: int) -> None:
    if b > 0:
        x, y = sign(st[b + X] - st[b + LAST_X]), sign(st[b + Y] - st[b + LAST_Y])
        push(st, g, a, x, y, st[b + KIND])
        st[a + WAY_X] = x
        st[a + WAY_Y] = y


@compiled
def undo_all(st: Ints, g: Ints, e: int) -> None:
    spared = g[e + E_NOT_STYPE]
    for number in range(g[G_TYPES]):
        if spared < 0 or g[g[G_RANK] + spared * g[G_TYPES] + number] < 0:
            s = st[g[G_HEADS] + number * GROUP + GROUP_FIRST]
            while s > 0:
                move_to(st, g, s, st[s + LAST_X], st[s + LAST_Y])
                s = st[s + NEXT]


@compiled
def attract_gaze(st: Ints, g: Ints, e: int, chance: float, a: int, b: int) -> None:
    if b > 0 and st[a + ORIENTED] and st[b + ORIENTED] and fraction(st) < chance:
        st[a + WAY_X] = st[b + WAY_X]
        st[a + WAY_Y] = st[b + WAY_Y]
        if g[e + E_ALIGN] and st[a + WAY_X] != 0:
            move_to(st, g, a, st[a + X], st[b + Y])
        elif g[e + E_ALIGN] and st[a + WAY_Y] != 0:
            move_to(st, g, a, st[b + X], st[a + Y])


@compiled
def reverse(st: Ints, a: int) -> None:
    st[a + WAY_X] = -st[a + WAY_X]
    st[a + WAY_Y] = -st[a + WAY_Y]


@compiled
def flip(st: Ints, a: int) -> None:
    x, y = direction(below(st, 4))
    st[a + WAY_X] = x
    st[a + WAY_Y] = y


@compiled
def wrap_around(st: Ints, g: Ints, e: int, a: int) -> None:
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


@compiled
def turn_around(st: Ints, g: Ints, a: int) -> None:
    move_to(st, g, a, st[a + LAST_X], st[a + LAST_Y])
    for _ in range(2):
        st[a + LAST_MOVE] = g[g[G_KIND] + st[a + KIND] * KIND_ROW + K_COOLDOWN]
        push(st, g, a, 0, 1, st[a + KIND])
    reverse(st, a)


@compiled
def teleport(st: Ints, g: Ints, a: int, b: int) -> None:
    number = g[g[G_KIND] + st[b + KIND] * KIND_ROW + K_TARGET] if b > 0 else -1
    exits = st[g[G_HEADS] + number * GROUP + GROUP_COUNT] if number >= 0 else 0
    if exits == 0:
        kill(st, g, a, False)
        return
    s = st[g[G_HEADS] + number * GROUP + GROUP_FIRST]
    for _ in range(below(st, exits)):
        s = st[s + NEXT]
    move_to(st, g, a, st[s + X], st[s + Y])
    st[a + LAST_MOVE] = 0


@compiled
def pull_with_it(st: Ints, g: Ints, a: int, b: int) -> None:
    if b > 0 and st[a + PULLED] != st[TICK]:
        st[a + PULLED] = st[TICK]
        x, y = sign(st[b + X] - st[b + LAST_X]), sign(st[b + Y] - st[b + LAST_Y])
        step(st, g, a, x, y, g[g[G_KIND] + st[b + KIND] * KIND_ROW + K_STEP])
