"""Effects of collisions, of the edge and of time, as machine code: what `world.effects` does in the interpreter."""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from ggtp.vgdl.kernel.layout import (
    E_EFFECT,
    E_INNER,
    E_KILL_SECOND,
    E_LIMIT,
    E_RESOURCE,
    E_SCORE,
    E_SCORE_KILLED,
    E_SHIELDED,
    E_STYPE,
    E_TIMER,
    E_VALUE,
    EFFECT_ROW,
    G_BLOCK,
    G_EFFECTS,
    G_HEADS,
    G_KIN,
    G_MOST_SHIELDS,
    G_MOST_TIMERS,
    G_SHIELD_ROWS,
    G_TIMER_ROWS,
    G_TYPES,
    GROUP,
    GROUP_FIRST,
    HEALTH,
    KIND,
    KIND_FLOATS,
    LAST_X,
    LAST_Y,
    LIST,
    LIST_LENGTH,
    LIST_START,
    NEXT,
    NO_ROOM,
    OVERFLOW,
    RECORD,
    SCORE,
    SHIELD,
    SHIELD_EFFECT,
    SHIELD_OTHER,
    SHIELD_TYPE,
    SHIELDS,
    TICK,
    TIMER,
    TIMER_DUE,
    TIMER_LINE,
    TIMER_TYPE,
    TIMERS,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Floats, Ints, compiled
from ggtp.vgdl.kernel.shifts import (
    attract_gaze,
    bounce_forward,
    flip,
    pull_with_it,
    reverse,
    step_back,
    teleport,
    turn_around,
    undo_all,
    wrap_around,
)
from ggtp.vgdl.kernel.sprites import kill, put, sign
from ggtp.vgdl.kernel.transforms import (
    add_health,
    change_resource,
    collect,
    collect_if_held,
    spawn,
    spawn_if,
    transform,
    transform_all,
    transform_singleton,
)
from ggtp.vgdl.language.vocabulary import Effect


@compiled
def shift(st: Ints, g: Ints, e: int, chance: float, a: int, b: int) -> None:
    """Apply one of the effects that move or turn sprites; they never decline."""
    effect = g[e + E_EFFECT]
    if effect == Effect.STEP_BACK:
        step_back(st, g, e, a, b)
    elif effect == Effect.BOUNCE_FORWARD:
        bounce_forward(st, g, a, b)
    elif effect == Effect.UNDO_ALL:
        undo_all(st, g, e)
    elif effect == Effect.ATTRACT_GAZE:
        attract_gaze(st, g, e, chance, a, b)
    elif effect == Effect.REVERSE_DIRECTION:
        reverse(st, a)
    elif effect == Effect.FLIP_DIRECTION:
        flip(st, a)
    elif effect == Effect.WRAP_AROUND:
        wrap_around(st, g, e, a)
    elif effect == Effect.TURN_AROUND:
        turn_around(st, g, a)
    elif effect == Effect.TELEPORT_TO_EXIT:
        teleport(st, g, a, b)
    elif effect == Effect.PULL_WITH_IT:
        pull_with_it(st, g, a, b)


@compiled
def change(st: Ints, g: Ints, e: int, chance: float, a: int, b: int) -> bool:
    """Apply one of the effects that make or change sprites; return False if it declines."""
    effect = g[e + E_EFFECT]
    if effect == Effect.TRANSFORM_TO:
        transform(st, g, e, a, b)
    elif effect == Effect.TRANSFORM_TO_ALL:
        transform_all(st, g, e, b)
    elif effect == Effect.TRANSFORM_TO_SINGLETON:
        transform_singleton(st, g, e, a, b)
    elif effect == Effect.SPAWN:
        spawn(st, g, e, chance, a)
    elif effect == Effect.CLONE_SPRITE:
        put(st, g, st[a + KIND], st[a + X], st[a + Y], False)
    elif effect == Effect.SPAWN_IF_HAS_MORE or effect == Effect.SPAWN_IF_HAS_LESS:
        return spawn_if(st, g, e, chance, a)
    elif effect == Effect.COLLECT_RESOURCE:
        return collect(st, g, e, a, b)
    elif effect == Effect.COLLECT_RESOURCE_IF_HELD:
        return collect_if_held(st, g, e, a, b)
    elif effect == Effect.CHANGE_RESOURCE:
        return change_resource(st, g, e, a, b)
    elif effect == Effect.ADD_HEALTH_POINTS:
        return add_health(st, g, e, a, b)
    return True


@compiled
def frontal(st: Ints, a: int, b: int) -> bool:
    """Return whether two sprites have moved against one another, or there is no second one."""
    x, y = sign(st[a + X] - st[a + LAST_X]), sign(st[a + Y] - st[a + LAST_Y])
    return b == 0 or (x == -sign(st[b + X] - st[b + LAST_X]) and y == -sign(st[b + Y] - st[b + LAST_Y]))


@compiled
def kills(st: Ints, g: Ints, e: int, a: int, b: int) -> bool:
    """Return whether the condition holds under which an effect kills the first sprite."""
    effect = g[e + E_EFFECT]
    if effect == Effect.KILL_IF_OTHER_HAS_MORE:
        return b > 0 and st[b + RECORD + g[e + E_RESOURCE]] >= g[e + E_LIMIT]
    if effect == Effect.KILL_IF_HAS_MORE:
        return st[a + RECORD + g[e + E_RESOURCE]] >= g[e + E_LIMIT]
    if effect == Effect.KILL_IF_HAS_LESS:
        return st[a + RECORD + g[e + E_RESOURCE]] <= g[e + E_LIMIT]
    if effect == Effect.KILL_IF_FROM_ABOVE:
        return b > 0 and st[a + LAST_Y] > st[b + LAST_Y] + g[G_BLOCK] // 2 and st[b + Y] > st[b + LAST_Y]
    if st[a + X] == st[a + LAST_X] and st[a + Y] == st[a + LAST_Y]:
        return True
    return frontal(st, a, b) if effect == Effect.KILL_IF_FRONTAL else not frontal(st, a, b)


@compiled
def subtract(st: Ints, g: Ints, e: int, s: int) -> bool:
    """Take health from a sprite; return whether that kills it."""
    st[s + HEALTH] -= g[e + E_VALUE]
    if st[s + HEALTH] > g[e + E_LIMIT]:
        return False
    kill(st, g, s, False)
    return True


@compiled
def subtract_health(st: Ints, g: Ints, e: int, a: int, b: int) -> int:
    """Take health from the first sprite, or from all that are meant by a type; return the change of the score."""
    points = g[e + E_SCORE]
    number = g[e + E_STYPE]
    if number < 0:
        if subtract(st, g, e, a):
            points = g[e + E_SCORE_KILLED]
    else:
        kin = g[G_KIN] + number * LIST
        for i in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
            s = st[g[G_HEADS] + g[i] * GROUP + GROUP_FIRST]
            while s > 0:
                if subtract(st, g, e, s):
                    points = g[e + E_SCORE_KILLED]
                s = st[s + NEXT]
    if g[e + E_KILL_SECOND] and b > 0:
        kill(st, g, b, True)
    return points


@compiled
def shield(st: Ints, g: Ints, e: int, a: int) -> None:
    """Keep an effect away from the type of a sprite until the end of the tick."""
    for i in range(st[SHIELDS]):
        row = g[G_SHIELD_ROWS] + i * SHIELD
        of_type = st[row + SHIELD_TYPE] == st[a + KIND] and st[row + SHIELD_OTHER] == g[e + E_STYPE]
        if of_type and st[row + SHIELD_EFFECT] == g[e + E_SHIELDED]:
            return
    if st[SHIELDS] < g[G_MOST_SHIELDS]:
        row = g[G_SHIELD_ROWS] + st[SHIELDS] * SHIELD
        st[row + SHIELD_TYPE] = st[a + KIND]
        st[row + SHIELD_OTHER] = g[e + E_STYPE]
        st[row + SHIELD_EFFECT] = g[e + E_SHIELDED]
        st[SHIELDS] += 1


@compiled
def add_timer(st: Ints, g: Ints, e: int) -> None:
    if st[TIMERS] < g[G_MOST_TIMERS]:
        row = g[G_TIMER_ROWS] + st[TIMERS] * TIMER
        st[row + TIMER_TYPE] = -1
        st[row + TIMER_LINE] = g[e + E_INNER]
        st[row + TIMER_DUE] = st[TICK] + g[e + E_TIMER]
        st[TIMERS] += 1
    else:
        st[OVERFLOW] = max(st[OVERFLOW], NO_ROOM)


@compiled
def is_shift(effect: int) -> bool:
    """Return whether an effect moves or turns sprites."""
    return (
        effect == Effect.STEP_BACK
        or effect == Effect.BOUNCE_FORWARD
        or effect == Effect.UNDO_ALL
        or effect == Effect.ATTRACT_GAZE
        or effect == Effect.REVERSE_DIRECTION
        or effect == Effect.FLIP_DIRECTION
        or effect == Effect.WRAP_AROUND
        or effect == Effect.TURN_AROUND
        or effect == Effect.TELEPORT_TO_EXIT
        or effect == Effect.PULL_WITH_IT
    )


@compiled
def is_conditional_kill(effect: int) -> bool:
    """Return whether an effect kills the first sprite under a condition."""
    return (
        effect == Effect.KILL_IF_OTHER_HAS_MORE
        or effect == Effect.KILL_IF_HAS_MORE
        or effect == Effect.KILL_IF_HAS_LESS
        or effect == Effect.KILL_IF_FRONTAL
        or effect == Effect.KILL_IF_NOT_FRONTAL
        or effect == Effect.KILL_IF_FROM_ABOVE
    )


@compiled
def apply(st: Ints, g: Ints, gf: Floats, line: int, a: int, b: int) -> None:
    """Apply an effect line to a sprite, or to none (0), and add its points to the score."""
    e = g[G_EFFECTS] + line * EFFECT_ROW
    effect = g[e + E_EFFECT]
    points = g[e + E_SCORE]
    chance = gf[g[G_TYPES] * KIND_FLOATS + line]
    if effect == Effect.ADD_TIMER:
        add_timer(st, g, e)
    elif a == 0:
        if effect != Effect.TRANSFORM_TO_ALL:  # only this one means something without sprites
            return
        transform_all(st, g, e, 0)
    elif effect == Effect.KILL_SPRITE:
        kill(st, g, a, False)
    elif is_conditional_kill(effect):
        if not kills(st, g, e, a, b):
            return
        kill(st, g, a, False)
    elif effect == Effect.KILL_BOTH:
        kill(st, g, a, False)
        if b > 0:
            kill(st, g, b, False)
    elif effect == Effect.SUBTRACT_HEALTH_POINTS:
        points = subtract_health(st, g, e, a, b)
    elif effect == Effect.SHIELD_FROM:
        shield(st, g, e, a)
    elif is_shift(effect):
        shift(st, g, e, chance, a, b)
    elif not change(st, g, e, chance, a, b):
        return
    st[SCORE] += points
