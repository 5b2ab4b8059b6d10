"""A forecast of the next tick, without playing it, as machine code: by what was learned of collisions.

`knowledge` writes what it knows into a book of numbers: for each kind of avatar and each kind of
thing, whether it blocks the way, and what else comes of a collision, by what the avatar has.
"""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    DISABLED,
    G_BLOCK,
    G_COLUMNS,
    G_HEADS,
    G_HEIGHT,
    G_RESOURCES,
    G_ROWS,
    G_TYPES,
    G_WIDTH,
    GROUP,
    GROUP_FIRST,
    HEALTH,
    KIND,
    NEXT,
    NEXT_HERE,
    RECORD,
    WAY_X,
    WAY_Y,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Floats, Ints, compiled
from ggtp.vgdl.kernel.sprites import direction, is_step, square_at, step_of
from ggtp.vgdl.language.vocabulary import Action

# What may come of a collision.
(LOSE, WIN, GAIN, COST, INVENTORY, BECOME, GONE, PORTAL, BLOCKED, UNKNOWN, HARM, PUSHED) = (1 << i for i in range(12))

# A row of the book: whether anything is known; whether it blocks within the bounds; what comes of it within the other
# bounds, and else. Then for each thing to have, and for health: both bounds.
(B_KNOWN, B_BLOCKS, B_FIRST, B_SECOND) = range(4)
BOOK_HEAD, BOOK_BOUNDS = 4, 4
(BLOCKS_LOW, BLOCKS_HIGH, FIRST_LOW, FIRST_HIGH) = range(4)

# What is known of all kinds by themselves: whether they are feared wherever they may go, how far they go in a tick.
(S_FEARED, S_STEP_X, S_STEP_Y) = range(3)
SHEET = 3

# What is known of the avatar, and how the look ahead is to prune.
(H_STEP, H_TURNS, H_PRUNE, H_HELPLESS, H_CAUTION, H_SPARED) = range(6)
HINTS = 8

# Why an action is left out; what is among the hints as spared is no reason.
NOTHING_NEW, LOSES, OFF_BOARD = 1, 2, 4


class Forecast(NamedTuple):
    """What is known for a forecast of the next tick."""

    book: Ints
    """A row for each kind of avatar and each kind of thing: what comes of their collision."""
    sheet: Ints
    """A row for each kind."""
    hints: Ints
    """What is known of the avatar, and how to prune."""


class FloodMemory(NamedTuple):
    """Room for what `warm` and `flood` compute with."""

    reached: Floats
    """A number a square."""
    queue: Ints
    """Three numbers a square: the squares that wait, whether a square does, and whether it is an entry's."""


@compiled
def book_row(g: Ints, active: int, passive: int) -> int:
    """Return where the book has the row of a pair of kinds."""
    return (active * g[G_TYPES] + passive) * (BOOK_HEAD + BOOK_BOUNDS * (g[G_RESOURCES] + 1))


@compiled
def had(st: Ints, g: Ints, s: int, i: int) -> int:
    """Return how much of a thing an avatar has; the last thing is its health."""
    return st[s + RECORD + i] if i < g[G_RESOURCES] else st[s + HEALTH]


@compiled
def expect(st: Ints, g: Ints, book: Ints, s: int, passive: int) -> int:
    """Return the expected effects if an avatar meets a kind."""
    at = book_row(g, st[s + KIND], passive)
    if book[at + B_KNOWN] == 0:
        return UNKNOWN
    blocks = book[at + B_BLOCKS] != 0
    first = True
    for i in range(g[G_RESOURCES] + 1):
        row = at + BOOK_HEAD + i * BOOK_BOUNDS
        amount = had(st, g, s, i)
        if not book[row + BLOCKS_LOW] <= amount <= book[row + BLOCKS_HIGH]:
            blocks = False
        if not book[row + FIRST_LOW] <= amount <= book[row + FIRST_HIGH]:
            first = False
    if blocks:
        return BLOCKED
    return book[at + B_FIRST] if first else book[at + B_SECOND]


@compiled
def threatened(st: Ints, g: Ints, sheet: Ints, x: int, y: int) -> bool:
    """Return whether something that is feared may be at a place after the next tick."""
    block = g[G_BLOCK]
    for number in range(g[G_TYPES]):
        if sheet[number * SHEET + S_FEARED]:
            step_x, step_y = sheet[number * SHEET + S_STEP_X], sheet[number * SHEET + S_STEP_Y]
            s = st[g[G_HEADS] + number * GROUP + GROUP_FIRST]
            while s > 0:
                dx, dy = abs(st[s + X] - x), abs(st[s + Y] - y)
                if (dx < block + step_x and dy < block) or (dx < block and dy < block + step_y):
                    return True
                s = st[s + NEXT]
    return False


@compiled
def foresee(st: Ints, g: Ints, forecast: Forecast, action: int) -> int:
    """Return why an action is not worth trying; 0 if it is, or if that is not known."""
    book, sheet, hints = forecast.book, forecast.sheet, forecast.hints
    s = st[AVATAR]
    if s == 0 or st[s + DISABLED]:
        return NOTHING_NEW if action != Action.NIL else 0
    if hints[H_HELPLESS]:
        return NOTHING_NEW if action != Action.NIL else 0
    x, y = st[s + X], st[s + Y]
    if is_step(action):
        dx, dy = step_of(action)
        if hints[H_TURNS] and (st[s + WAY_X] != dx or st[s + WAY_Y] != dy):
            dx, dy = 0, 0
            turned = True
        else:
            turned = False
        x += dx * hints[H_STEP]
        y += dy * hints[H_STEP]
        if x < 0 or y < 0 or x > g[G_WIDTH] - g[G_BLOCK] or y > g[G_HEIGHT] - g[G_BLOCK]:
            return OFF_BOARD
        if not turned:
            found = step_effect(st, g, book, s, x, y)
            if found & LOSE:
                return LOSES
            if found == BLOCKED:
                if hints[H_CAUTION] and threatened(st, g, sheet, st[s + X], st[s + Y]):
                    return LOSES
                if st[s + WAY_X] == dx and st[s + WAY_Y] == dy:
                    return NOTHING_NEW
                if hints[H_TURNS] == 0 and st[s + WAY_X] == 0 and st[s + WAY_Y] == 0:
                    return NOTHING_NEW
                return 0
    if hints[H_CAUTION] and threatened(st, g, sheet, x, y):
        return LOSES
    return 0


@compiled
def step_effect(st: Ints, g: Ints, book: Ints, s: int, x: int, y: int) -> int:
    """Return the expected effects if an avatar comes to a place: those of all sprites there."""
    block = g[G_BLOCK]
    column, row = (x + block // 2) // block + 1, (y + block // 2) // block + 1
    if not (0 <= column <= g[G_COLUMNS] + 1 and 0 <= row <= g[G_ROWS] + 1):
        return UNKNOWN
    other = st[square_at(g, column, row)]
    found = 0
    while other > 0:
        if other != s:
            found |= expect(st, g, book, s, st[other + KIND])
        other = st[other + NEXT_HERE]
    return found


@compiled
def prune(st: Ints, g: Ints, forecast: Forecast, actions: Ints) -> int:
    """Return the actions that are worth trying, as bits: if none seems to be, those that may lose, and else all."""
    hints = forecast.hints
    kept, risky, every = 0, 0, 0
    for i in range(actions.size):
        bit = 1 << i
        every |= bit
        if hints[H_PRUNE] == 0:
            kept |= bit
            continue
        why = foresee(st, g, forecast, actions[i])
        if why == 0 or why & hints[H_SPARED] != 0:
            kept |= bit
        elif why == LOSES:
            risky |= bit
    if kept == 0:
        kept = risky
    return kept if kept != 0 else every


@compiled
def flood(
    enter: Floats, seeds: Ints, entries: Ints, exits: Ints, backwards: bool, wide: int, far: Floats, memory: FloodMemory
) -> None:
    """Compute distances over a board from some squares, by the cost of entering each square; below 0 it is a wall.

    A seed may be a wall itself: then it can be left, but not passed. Who enters the square of an
    entry is at its exit; backwards, distances are those to the seeds and not from them.
    """
    room = memory.queue
    size = enter.size
    queued, gate = size, 2 * size
    head, tail, waiting = 0, 0, 0
    for i in range(size):
        far[i] = np.inf
        room[queued + i] = 0
        room[gate + i] = 0
    for i in range(entries.size):
        room[gate + entries[i]] = 1
    for i in range(seeds.size):
        far[seeds[i]] = 0.0
        room[tail] = seeds[i]
        room[queued + seeds[i]] = 1
        tail = (tail + 1) % size
        waiting += 1
    while waiting > 0:
        here = room[head]
        head = (head + 1) % size
        waiting -= 1
        room[queued + here] = 0
        links = entries.size
        jumps = room[gate + here] == 1 and far[here] > 0.0 and not backwards
        for i in range(links + 4):
            if i < links:
                there = exits[i] if not backwards else entries[i]
                if here != (entries[i] if not backwards else exits[i]):
                    continue
                cost = far[here]
            else:
                x, y = direction(i - links)
                column, row = here % wide + x, here // wide + y
                if jumps or column < 0 or column >= wide or row < 0 or row * wide >= size:
                    continue
                there = row * wide + column
                if enter[there] < 0.0 or (backwards and room[gate + there] == 1):
                    continue
                cost = far[here] + (enter[here] if backwards and far[here] > 0.0 else enter[there])
            if cost < far[there] - 1e-9:
                far[there] = cost
                if room[queued + there] == 0:
                    room[queued + there] = 1
                    room[tail] = there
                    tail = (tail + 1) % size
                    waiting += 1


@compiled
def warm(
    heat: Floats, free: Ints, start: int, wide: int, pace_x: float, pace_y: float, deepest: float, memory: FloodMemory
) -> None:
    """Lower the heat around one danger: the least number of ticks in which it can come to a square, up to some depth.

    Its pace is the ticks for a square, sideways and up or down; infinite where it never goes that way.
    """
    reached, room = memory.reached, memory.queue
    size = heat.size
    for i in range(size):
        reached[i] = np.inf
        room[size + i] = 0
    reached[start] = 0.0
    heat[start] = 0.0
    room[0] = start
    head, waiting = 0, 1
    while waiting > 0:
        here = room[head]
        head = (head + 1) % size
        waiting -= 1
        room[size + here] = 0
        for i in range(4):
            x, y = direction(i)
            then = reached[here] + (pace_x if x != 0 else pace_y)
            column, row = here % wide + x, here // wide + y
            if then > deepest or column < 0 or column >= wide or row < 0 or row * wide >= size:
                continue
            there = row * wide + column
            if free[there] and then < reached[there] - 1e-9:
                reached[there] = then
                heat[there] = min(heat[there], then)
                if room[size + there] == 0:
                    room[size + there] = 1
                    room[(head + waiting) % size] = there
                    waiting += 1
