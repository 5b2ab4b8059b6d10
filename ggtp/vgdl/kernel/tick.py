"""One tick of a game as machine code, over flat arrays.

It does what `world.tick` does, sprite for sprite and draw for draw; tests and recorded games
hold it to that. The state is one array of 32-bit numbers, so that a copy of it is a copy of
memory; the game is two arrays of tables (`kernel.tables` makes them). Sprites are records with links:
those of a type hang together in the order of their creation, and so do those on a square, so
that only neighbours are compared.

`layout` tells where everything is; `kernel.sprites`, `kernel.updates` and `kernel.effects` with `kernel.shifts` and
`kernel.transforms` are the parts. They are compiled as a whole, so that what is small and often called becomes a part
of what calls it.
"""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggtp.native.language import copy_numbers
from ggtp.vgdl.kernel.effects import apply
from ggtp.vgdl.kernel.layout import (
    AVATAR,
    CHANCE_HIGH,
    CHANCE_LOW,
    COLUMN,
    DISABLED,
    DYING,
    E_EFFECT,
    E_REPEAT,
    E_REPEATING,
    E_TIMER,
    EDGE,
    EDGE_LENGTH,
    EDGE_LINES,
    EDGE_TYPE,
    EFFECT_ROW,
    END_AT_LEAST,
    END_KIND,
    END_LIMIT,
    END_ROW,
    END_TYPES,
    END_WIN,
    ENDED,
    EVENT,
    EXCEEDED,
    FROM_AVATAR,
    G_ALIGNED,
    G_COLUMNS,
    G_EDGE_COUNT,
    G_EDGES,
    G_EFFECTS,
    G_END_COUNT,
    G_ENDS,
    G_HEADS,
    G_KIN,
    G_KIND,
    G_MOST_TIMERS,
    G_PAIR_COUNT,
    G_PAIRS,
    G_PLAYABLE,
    G_RANK,
    G_RESOURCES,
    G_ROWS,
    G_SHIELD_ROWS,
    G_SPRITES,
    G_TIMER_ROWS,
    G_TYPES,
    G_UPDATE,
    G_UPDATES,
    GROUP,
    GROUP_COUNT,
    GROUP_FIRST,
    IDENTITY,
    K_AVATAR,
    KILLED,
    KIND,
    KIND_ROW,
    LIST,
    LIST_LENGTH,
    LIST_START,
    LOG_HEAD,
    LOGGED,
    MOST_END_TYPES,
    NAME,
    NEXT,
    NEXT_HERE,
    OVERFLOW,
    PAIR,
    PAIR_LENGTH,
    PAIR_LINES,
    PAIR_ONE,
    PAIR_OTHER,
    RECORD,
    ROW,
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
    USED,
    V_ACTIVE,
    V_NAME,
    V_PASSIVE,
    V_SHOT,
    WINNER,
)
from ggtp.vgdl.kernel.native import Floats, Ints, compiled
from ggtp.vgdl.kernel.sprites import bury, next_random, outside, overlap, square_at
from ggtp.vgdl.kernel.updates import update, update_avatar
from ggtp.vgdl.language.vocabulary import End
from ggtp.vgdl.world.tick import LAST_TICK
from ggtp.vgdl.world.world import LOST, MOST_CONTACTS, WON


class ModelArrays(NamedTuple):
    """The arrays of a model: the kernel knows it by these."""

    ints: Ints
    """The game's table of integers."""
    floats: Floats
    """The game's table of chances and distances."""
    scratch: Ints
    """Room for what a tick computes with: four numbers a sprite that there can be, two a square and three a timer."""
    log: Ints
    """Room for the collisions of the avatar and its shots; they are not noted if it is empty."""


@compiled
def run_timers(st: Ints, g: Ints, gf: Floats, tmp: Ints) -> None:
    count, due = st[TIMERS], 0
    first = g[G_TIMER_ROWS]
    for i in range(count):
        if st[first + i * TIMER + TIMER_DUE] <= st[TICK]:
            due += 1
    if due == 0:
        return
    kept, due = 0, 0
    for i in range(count):
        row = first + i * TIMER
        if st[row + TIMER_DUE] <= st[TICK]:
            place = due
            while place > 0 and tmp[(place - 1) * TIMER + TIMER_DUE] > st[row + TIMER_DUE]:
                for j in range(TIMER):
                    tmp[place * TIMER + j] = tmp[(place - 1) * TIMER + j]
                place -= 1
            for j in range(TIMER):
                tmp[place * TIMER + j] = st[row + j]
            due += 1
        else:
            for j in range(TIMER):
                st[first + kept * TIMER + j] = st[row + j]
            kept += 1
    st[TIMERS] = kept
    for i in range(due):
        number, line = tmp[i * TIMER + TIMER_TYPE], tmp[i * TIMER + TIMER_LINE]
        e = g[G_EFFECTS] + line * EFFECT_ROW
        if number < 0:
            apply(st, g, gf, line, 0, 0)
        else:
            kin = g[G_KIN] + number * LIST
            fresh = st[IDENTITY]
            for j in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
                s = st[g[G_HEADS] + g[j] * GROUP + GROUP_FIRST]
                while s > 0:
                    if not st[s + KILLED] and not st[s + DISABLED] and st[s + NAME] < fresh:
                        apply(st, g, gf, line, s, 0)
                    s = st[s + NEXT]
        if g[e + E_REPEATING] and st[TIMERS] < g[G_MOST_TIMERS]:
            row = first + st[TIMERS] * TIMER
            st[row + TIMER_TYPE] = number
            st[row + TIMER_LINE] = line
            st[row + TIMER_DUE] = st[TICK] + max(1, g[e + E_TIMER])
            st[TIMERS] += 1


@compiled
def run_edges(st: Ints, g: Ints, gf: Floats) -> None:
    for i in range(g[G_EDGE_COUNT]):
        row = g[G_EDGES] + i * EDGE
        kin = g[G_KIN] + g[row + EDGE_TYPE] * LIST
        for at in range(g[row + EDGE_LINES], g[row + EDGE_LINES] + g[row + EDGE_LENGTH]):
            fresh = st[IDENTITY]
            for j in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
                s = st[g[G_HEADS] + g[j] * GROUP + GROUP_FIRST]
                while s > 0:
                    if outside(st, g, s) and not st[s + KILLED] and not st[s + DISABLED] and st[s + NAME] < fresh:
                        apply(st, g, gf, g[at], s, 0)
                    s = st[s + NEXT]


@compiled
def touches(st: Ints, g: Ints, s: int, number: int) -> bool:
    """Return whether a sprite overlaps another one that is meant by a type."""
    ranks = g[G_RANK] + number * g[G_TYPES]
    reach = 0 if g[G_ALIGNED] else 1
    for row in range(max(0, st[s + ROW] - reach), min(g[G_ROWS] + 1, st[s + ROW] + reach) + 1):
        for column in range(max(0, st[s + COLUMN] - reach), min(g[G_COLUMNS] + 1, st[s + COLUMN] + reach) + 1):
            other = st[square_at(g, column, row)]
            while other > 0:
                if g[ranks + st[other + KIND]] >= 0 and other != s and overlap(st, g, s, other):
                    return True
                other = st[other + NEXT_HERE]
    return False


@compiled
def collect_touching(st: Ints, g: Ints, s: int, number: int, fresh: int, tmp: Ints) -> int:
    """Collect all sprites that `touches` would find and that are not new, in the order of types and creation."""
    ranks = g[G_RANK] + number * g[G_TYPES]
    reach = 0 if g[G_ALIGNED] else 1
    count = 0
    for row in range(max(0, st[s + ROW] - reach), min(g[G_ROWS] + 1, st[s + ROW] + reach) + 1):
        for column in range(max(0, st[s + COLUMN] - reach), min(g[G_COLUMNS] + 1, st[s + COLUMN] + reach) + 1):
            other = st[square_at(g, column, row)]
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
    """Return how many sprites are meant by a type, dying and dead ones included."""
    kin = g[G_KIN] + number * LIST
    count = 0
    for i in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
        count += st[g[G_HEADS] + g[i] * GROUP + GROUP_COUNT]
    return count


@compiled
def any_contact(st: Ints, g: Ints, first: int, second: int) -> bool:
    """Return whether any two sprites of two types meet; the type with fewer sprites is searched."""
    many, others = population(st, g, first), population(st, g, second)
    if many == 0 or others == 0:
        return False
    if others < many:
        first, second = second, first
    kin = g[G_KIN] + first * LIST
    for i in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
        s = st[g[G_HEADS] + g[i] * GROUP + GROUP_FIRST]
        while s > 0:
            if touches(st, g, s, second):
                return True
            s = st[s + NEXT]
    return False


@compiled
def note(st: Ints, log: Ints, a: int, b: int) -> None:
    """Log that the avatar, or its shot, has met something."""
    count = log[LOGGED]
    if LOG_HEAD + (count + 1) * EVENT > log.size:
        return
    avatar = st[AVATAR]
    shot = a if st[a + FROM_AVATAR] else b if st[b + FROM_AVATAR] else 0
    if a != avatar and b != avatar and shot == 0:
        return
    active = avatar if a == avatar or b == avatar else shot
    passive = b if active == a else a
    row = LOG_HEAD + count * EVENT
    log[row + V_SHOT] = 1 if active != avatar else 0
    log[row + V_ACTIVE] = st[active + KIND]
    log[row + V_PASSIVE] = st[passive + KIND]
    log[row + V_NAME] = st[passive + NAME]
    log[LOGGED] = count + 1


@compiled
def run_pair(st: Ints, g: Ints, gf: Floats, tmp: Ints, log: Ints, row: int, contacts: int) -> int:
    """Apply the effects of a pair of types; return the contacts of the tick so far, given those before."""
    first, second = g[row + PAIR_ONE], g[row + PAIR_OTHER]
    contact = any_contact(st, g, first, second)
    if not contact:
        return contacts
    kin = g[G_KIN] + first * LIST
    for at in range(g[row + PAIR_LINES], g[row + PAIR_LINES] + g[row + PAIR_LENGTH]):
        line = g[at]
        e = g[G_EFFECTS] + line * EFFECT_ROW
        shielded = False
        for i in range(st[SHIELDS]):
            shield = g[G_SHIELD_ROWS] + i * SHIELD
            of_types = st[shield + SHIELD_TYPE] == first and st[shield + SHIELD_OTHER] == second
            if of_types and st[shield + SHIELD_EFFECT] == g[e + E_EFFECT]:
                shielded = True
        if shielded:
            continue
        for _ in range(g[e + E_REPEAT]):
            fresh, before = st[IDENTITY], contacts
            for i in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
                s = st[g[G_HEADS] + g[i] * GROUP + GROUP_FIRST]
                while s > 0:
                    if st[s + NAME] < fresh and not st[s + KILLED]:
                        count = collect_touching(st, g, s, second, fresh, tmp)
                        contacts += count
                        if contacts > MOST_CONTACTS:
                            st[OVERFLOW] = EXCEEDED
                            return contacts
                        for k in range(count):
                            if not st[s + KILLED] and overlap(st, g, s, tmp[k]):
                                if log.size > 0:
                                    note(st, log, s, tmp[k])
                                apply(st, g, gf, line, s, tmp[k])
                    s = st[s + NEXT]
            if contacts == before:
                break  # nothing has changed, and repeating it changes nothing either
    return contacts


@compiled
def living(st: Ints, g: Ints, number: int) -> int:
    kin = g[G_KIN] + number * LIST
    count = 0
    for i in range(g[kin + LIST_START], g[kin + LIST_START] + g[kin + LIST_LENGTH]):
        group = g[G_HEADS] + g[i] * GROUP
        count += st[group + GROUP_COUNT]
        if g[g[G_KIND] + g[i] * KIND_ROW + K_AVATAR]:
            s = st[group + GROUP_FIRST]
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
        row = g[G_ENDS] + i * END_ROW
        if g[row + END_KIND] == End.TIMEOUT:
            holds = st[TICK] >= g[row + END_LIMIT]
        else:
            count = 0
            for j in range(END_TYPES, END_TYPES + MOST_END_TYPES):
                if g[row + j] >= 0:
                    count += living(st, g, g[row + j])
            if g[row + END_KIND] == End.SPRITE_COUNTER:
                holds = count <= g[row + END_LIMIT]
            elif g[row + END_AT_LEAST]:
                holds = count >= g[row + END_LIMIT]
            else:
                holds = count == g[row + END_LIMIT]
        if holds:
            st[ENDED] = 1
            st[WINNER] = WON if g[row + END_WIN] else LOST
            return
    if st[TICK] >= LAST_TICK:
        st[ENDED] = 1
        st[WINNER] = LOST


@compiled
def advance(st: Ints, g: Ints, gf: Floats, tmp: Ints, log: Ints, action: int) -> None:
    """Play one tick; the arrays of the model are those of `ModelArrays`."""
    if st[ENDED]:
        return
    st[TICK] += 1
    avatar = st[AVATAR]
    if avatar > 0 and not st[avatar + DISABLED]:
        update_avatar(st, g, avatar, action)
    for i in range(g[G_UPDATE], g[G_UPDATE] + g[G_UPDATES]):
        group = g[G_HEADS] + g[i] * GROUP
        s, left = st[group + GROUP_FIRST], st[group + GROUP_COUNT]
        while left > 0:
            update(st, g, gf, tmp, s)
            s = st[s + NEXT]
            left -= 1
    if st[TIMERS] > 0:
        run_timers(st, g, gf, tmp)
    run_edges(st, g, gf)
    contacts = 0
    for i in range(g[G_PAIR_COUNT]):
        if st[OVERFLOW] != EXCEEDED:
            contacts = run_pair(st, g, gf, tmp, log, g[G_PAIRS] + i * PAIR, contacts)
    if st[DYING] > 0:
        bury(st, g)
    st[SHIELDS] = 0
    if st[OVERFLOW] == EXCEEDED:
        st[ENDED] = 1
    else:
        look_for_end(st, g)


@compiled
def reseed(st: Ints, seed: int) -> None:
    """Set the random numbers of a state anew."""
    state = (np.int64(seed) ^ np.int64(0x5DEECE66D)) & np.int64((1 << 48) - 1)
    st[CHANCE_HIGH] = state >> 24
    st[CHANCE_LOW] = state & 0xFFFFFF


@compiled
def copy_state(source: Ints, target: Ints, g: Ints) -> None:
    """Copy the part of a state that is used."""
    size = g[G_SPRITES] + source[USED] * (RECORD + g[G_RESOURCES])
    copy_numbers(target, source, size)


@compiled
def rollouts(root: Ints, st: Ints, model: ModelArrays, actions: Ints, seed: int, runs: int, depth: int) -> int:
    """Play random actions from a state, again and again; return the number of ticks."""
    g, gf, tmp, log = model.ints, model.floats, model.scratch, model.log
    ticks = 0
    draw = int(np.int64(np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)))
    for _ in range(runs):
        copy_state(root, st, g)
        draw = next_random(draw)
        reseed(st, np.int64(np.uint64(draw) >> np.uint64(16)))
        for _ in range(depth):
            draw = next_random(draw)
            chosen = np.int64((np.uint64(draw) >> np.uint64(33)) % np.uint64(actions.size))
            advance(st, g, gf, tmp, log, actions[chosen])
            ticks += 1
            if st[ENDED]:
                break
    return ticks
