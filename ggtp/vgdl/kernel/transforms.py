"""Effects that make sprites, or change what they are and have, as machine code, named as in `world.effects`."""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    DISABLED,
    E_EFFECT,
    E_KILL_RESOURCE,
    E_KILL_SECOND,
    E_LIMIT,
    E_RESOURCE,
    E_RESOURCE_LIMIT,
    E_SPEND,
    E_STYPE,
    E_STYPE_TO,
    E_TAKE,
    E_VALUE,
    G_HEADS,
    G_KIND,
    G_RESOURCES,
    GROUP,
    GROUP_COUNT,
    GROUP_FIRST,
    HEALTH,
    K_AVATAR,
    K_IS_RESOURCE,
    K_LIMIT,
    K_MOST_HEALTH,
    K_RESOURCE,
    K_VALUE,
    KIND,
    KIND_ROW,
    LAST_X,
    LAST_Y,
    NEXT,
    ORIENTED,
    RECORD,
    WAY_X,
    WAY_Y,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Ints, compiled
from ggtp.vgdl.kernel.sprites import fraction, gain, kill, put
from ggtp.vgdl.language.vocabulary import Effect


@compiled
def become(st: Ints, g: Ints, e: int, old: int, new: int, second: int) -> None:
    """Let a new sprite, if there is one, take the place of an old one with all that it has."""
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
def transform(st: Ints, g: Ints, e: int, a: int, b: int) -> None:
    if not st[a + DISABLED]:
        become(st, g, e, a, put(st, g, g[e + E_STYPE], st[a + X], st[a + Y], False), b)


@compiled
def transform_all(st: Ints, g: Ints, e: int, second: int) -> None:
    group = g[G_HEADS] + g[e + E_STYPE] * GROUP
    old, left = st[group + GROUP_FIRST], st[group + GROUP_COUNT]
    while left > 0:
        if not st[old + DISABLED]:
            become(st, g, e, old, put(st, g, g[e + E_STYPE_TO], st[old + X], st[old + Y], True), second)
        old = st[old + NEXT]
        left -= 1


@compiled
def transform_singleton(st: Ints, g: Ints, e: int, a: int, b: int) -> None:
    """Make a sprite the only one of a type: the one before becomes one of another type."""
    group = g[G_HEADS] + g[e + E_STYPE] * GROUP
    old, left = st[group + GROUP_FIRST], st[group + GROUP_COUNT]
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


@compiled
def spawn(st: Ints, g: Ints, e: int, chance: float, a: int) -> None:
    if fraction(st) < chance:
        put(st, g, g[e + E_STYPE], st[a + X], st[a + Y], False)


@compiled
def spawn_if(st: Ints, g: Ints, e: int, chance: float, a: int) -> bool:
    """Spawn if the sprite has enough of a resource, or little enough; return whether it did."""
    has = st[a + RECORD + g[e + E_RESOURCE]]
    drawn = fraction(st)
    more = g[e + E_EFFECT] == Effect.SPAWN_IF_HAS_MORE
    if drawn >= chance or (has < g[e + E_LIMIT] if more else has > g[e + E_LIMIT]):
        return False
    put(st, g, g[e + E_STYPE], st[a + X], st[a + Y], False)
    gain(st, a, g[e + E_RESOURCE], -g[e + E_SPEND])
    return True


@compiled
def collect(st: Ints, g: Ints, e: int, a: int, b: int) -> bool:
    """Let the second sprite have the first one, a resource; return False if it has all that it may have."""
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
def collect_if_held(st: Ints, g: Ints, e: int, a: int, b: int) -> bool:
    """Do the same if the second sprite has enough of another resource; return whether it did."""
    return b > 0 and st[b + RECORD + g[e + E_RESOURCE]] >= g[e + E_VALUE] and collect(st, g, e, a, b)


@compiled
def change_resource(st: Ints, g: Ints, e: int, a: int, b: int) -> bool:
    """Give a sprite more or less of a resource; return False if it would have more than it may."""
    if st[a + RECORD + g[e + E_RESOURCE]] + g[e + E_VALUE] > g[e + E_RESOURCE_LIMIT]:
        return False
    if g[e + E_KILL_RESOURCE] and b > 0:
        kill(st, g, b, True)
    gain(st, a, g[e + E_RESOURCE], g[e + E_VALUE])
    return True


@compiled
def add_health(st: Ints, g: Ints, e: int, a: int, b: int) -> bool:
    """Give a sprite health; return False if it would have as much as it may, or more."""
    most = g[g[G_KIND] + st[a + KIND] * KIND_ROW + K_MOST_HEALTH]
    if st[a + HEALTH] + g[e + E_VALUE] >= most:
        return False
    st[a + HEALTH] += g[e + E_VALUE]
    if g[e + E_KILL_SECOND] and b > 0:
        kill(st, g, b, True)
    return True
