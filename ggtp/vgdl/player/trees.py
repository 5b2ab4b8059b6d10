"""Open-loop Monte Carlo tree search as machine code.

A node is a sequence of actions, not a state: each iteration plays the sequence again from the
root, with a chance of its own, so that a node's value is the mean over what may happen.
"""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    DISABLED,
    ENDED,
    G_BLOCK,
    G_COLUMNS,
    G_HEIGHT,
    G_ROWS,
    G_WIDTH,
    SCORE,
    WAY_X,
    WAY_Y,
    WINNER,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Floats, Ints, Longs, compiled
from ggtp.vgdl.kernel.sprites import is_step, next_random, step_of
from ggtp.vgdl.kernel.tick import ModelArrays, copy_state, reseed
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player.foresight import H_SPARED, H_STEP, OFF_BOARD, Forecast, foresee, prune
from ggtp.vgdl.player.sight import Collisions, States, look, sprite_named
from ggtp.vgdl.world.world import WON

# How a search stands, and what it looks for.
(T_NODES, T_ITERATIONS, T_ADVANCES, T_DEPTH, T_BACKTRACKS, T_KIND, T_NAME, T_X, T_Y, T_REACH, T_PRIORS) = range(11)
(T_GREEDY, T_DRAW, T_BACKED, T_RANDOM_STEPS, T_GREEDY_STEPS, T_ROLLOUT, T_COLUMN, T_OPEN_LOOP) = range(11, 19)
TREE = 20

# What counts: weights, and the chance of a random step in a rollout.
(W_OUTCOME, W_SCORE, W_TARGET, W_STEP, W_EXPLORE, W_EPSILON, W_SCALE) = range(7)
WEIGHTS = 8

MOST_ACTIONS = 6
"""Children of a node."""


class Search(NamedTuple):
    """The goal of a search, its settings and its counters."""

    actions: Ints
    """Those that are tried."""
    meta: Longs
    """The target, the bounds, and what was counted."""
    field: Floats
    """How far it is to the target from each square."""
    weights: Floats


class Tree(NamedTuple):
    """The nodes of a search."""

    visits: Ints
    total: Floats
    """The sum of the values of all visits."""
    child: Ints
    """The node that each action leads to; 0 for none."""
    prior: Floats
    """What each action is taken to be worth as long as it was never tried, from 0 to 1."""
    path: Ints
    """The nodes of the iteration that is being played."""


@compiled
def draw(meta: Longs, limit: int) -> int:
    """Return a random number below a limit, of the search's own chance."""
    meta[T_DRAW] = next_random(meta[T_DRAW])
    return np.int64((np.uint64(meta[T_DRAW]) >> np.uint64(20)) % np.uint64(limit))


@compiled
def field_at(g: Ints, field: Floats, x: int, y: int) -> float:
    """Return how far it is from a place to the target."""
    block = g[G_BLOCK]
    column, row = (x + block // 2) // block, (y + block // 2) // block
    if not (0 <= column < g[G_COLUMNS] and 0 <= row < g[G_ROWS]):
        return np.inf
    return field[row * g[G_COLUMNS] + column]


@compiled
def distance(st: Ints, g: Ints, search: Search) -> float:
    """Return how far the avatar is from the target, which may have moved; 0 if it is gone."""
    meta, field = search.meta, search.field
    s = st[AVATAR]
    block = float(g[G_BLOCK])
    x, y = st[s + X], st[s + Y]
    if meta[T_KIND] < 0:
        return field_at(g, field, x, y) if meta[T_COLUMN] else 0.0
    target = sprite_named(st, g, meta[T_KIND], meta[T_NAME])
    if target == 0:
        return 0.0
    found = field_at(g, field, x, y)
    tx, ty = st[target + X], st[target + Y]
    if tx != meta[T_X] or ty != meta[T_Y]:
        planned = abs(x - meta[T_X]) + abs(y - meta[T_Y])
        found += (abs(x - tx) + abs(y - ty) - planned) / block
    return max(0.0, found)


@compiled
def evaluate(st: Ints, root: Ints, g: Ints, search: Search, steps: int) -> float:
    """Return the value of a state: by outcome, points, the distance to the target, and steps."""
    meta, weights = search.meta, search.weights
    outcome = 0.0
    if st[ENDED]:
        outcome = 1.0 if st[WINNER] == WON else -1.0
    elif st[st[AVATAR] + DISABLED]:
        outcome = -1.0
    value = weights[W_OUTCOME] * outcome + weights[W_SCORE] * (st[SCORE] - root[SCORE]) - weights[W_STEP] * steps
    if weights[W_TARGET] != 0.0 and (meta[T_KIND] >= 0 or meta[T_COLUMN]) and outcome == 0.0:
        far = distance(st, g, search)
        value -= weights[W_TARGET] * min(2.0, far / weights[W_SCALE])
    return value


@compiled
def greedy(st: Ints, g: Ints, hints: Ints, search: Search) -> int:
    """Return the action that leads nearest to the target, as its place among the actions; -1 if none does."""
    actions, meta, field = search.actions, search.meta, search.field
    s = st[AVATAR]
    block = g[G_BLOCK]
    x, y = st[s + X], st[s + Y]
    target = sprite_named(st, g, meta[T_KIND], meta[T_NAME])
    if meta[T_KIND] >= 0 and target == 0:
        return -1
    near = False
    tx, ty = 0, 0
    if target > 0:
        tx, ty = st[target + X], st[target + Y]
        near = abs(x - tx) + abs(y - ty) <= 3 * block and (tx != meta[T_X] or ty != meta[T_Y])
        if meta[T_REACH] > 0:
            dx, dy = tx - x, ty - y
            ahead = st[s + WAY_X] * dx + st[s + WAY_Y] * dy
            aside = abs(st[s + WAY_X] * dy) + abs(st[s + WAY_Y] * dx)
            if st[s + WAY_X] == 0 and st[s + WAY_Y] == 0:
                ahead, aside = abs(dx) + abs(dy), 0
            if 0 < ahead <= meta[T_REACH] * block and aside < block:
                for i in range(actions.size):
                    if actions[i] == Action.USE:
                        return i
    best, found, equal = np.inf, -1, 0
    here = field_at(g, field, x, y)
    for i in range(actions.size):
        if not is_step(actions[i]):
            continue
        dx, dy = step_of(actions[i])
        nx, ny = x + dx * hints[H_STEP], y + dy * hints[H_STEP]
        if nx < 0 or ny < 0 or nx > g[G_WIDTH] - block or ny > g[G_HEIGHT] - block:
            continue
        far = field_at(g, field, nx, ny)
        if near and far < np.inf:
            far = math.sqrt(float((nx - tx) * (nx - tx) + (ny - ty) * (ny - ty))) / block
        if far < best - 1e-9:
            best, found, equal = far, i, 1
        elif far < best + 1e-9 and far < np.inf:
            equal += 1
            if draw(meta, equal) == 0:
                found = i
    if meta[T_COLUMN] and here <= best:
        return -1
    return found


@compiled
def set_priors(st: Ints, g: Ints, hints: Ints, search: Search, prior: Floats, node: int) -> None:
    """Set the values of actions before their first visit, from 0 to 1: more for those that lead to the target."""
    actions, field = search.actions, search.field
    s = st[AVATAR]
    here = field_at(g, field, st[s + X], st[s + Y])
    best = greedy(st, g, hints, search)
    for i in range(actions.size):
        value = 0.5
        if is_step(actions[i]) and here < np.inf:
            dx, dy = step_of(actions[i])
            there = field_at(g, field, st[s + X] + dx * hints[H_STEP], st[s + Y] + dy * hints[H_STEP])
            value = 0.9 if there < here else 0.3 if there > here else 0.5
            if there == np.inf:
                value = 0.1
        if i == best:
            value = 1.0
        prior[node * MOST_ACTIONS + i] = value


@compiled
def select(search: Search, tree: Tree, node: int, allowed: int) -> int:
    """Return the action with the highest upper bound, as its place; actions that were never tried have their priors.

    This is UCB1 with values that are scaled to what the node's actions have brought. It is not that of `search.tree`,
    which trees of objects use and which `vgdl` does not import: this tree is arrays, in machine code.
    """
    actions, meta, weights = search.actions, search.meta, search.weights
    visits, total, child, prior = tree.visits, tree.total, tree.child, tree.prior
    low, high, seen = np.inf, -np.inf, 0
    for i in range(actions.size):
        c = child[node * MOST_ACTIONS + i]
        if c > 0 and visits[c] > 0:
            mean = total[c] / visits[c]
            seen += visits[c]
            high = max(high, mean)
            if mean > -0.5 * weights[W_OUTCOME]:
                low = min(low, mean)
    if low == np.inf:
        low = high
    span = max(1e-6, high - low)
    root = math.log(seen + 1.0)
    best, found, equal = -np.inf, -1, 0
    for i in range(actions.size):
        if not (allowed >> i) & 1:
            continue
        c = child[node * MOST_ACTIONS + i]
        if c > 0 and visits[c] > 0:
            mean = (total[c] / visits[c] - low) / span
            value = max(-1.0, mean) + weights[W_EXPLORE] * math.sqrt(root / visits[c])
        elif meta[T_PRIORS]:
            value = prior[node * MOST_ACTIONS + i] + weights[W_EXPLORE] * math.sqrt(root)
        else:
            value = 1e5
        if value > best + 1e-9:
            best, found, equal = value, i, 1
        elif value > best - 1e-9:
            equal += 1
            if draw(meta, equal) == 0:
                found = i
    return found


@compiled
def lost(st: Ints) -> bool:
    """Return whether a game is lost, or will be since its avatar is dead."""
    if st[ENDED]:
        return st[WINNER] != WON
    return st[st[AVATAR] + DISABLED] == 1


@compiled
def roll_out(
    states: States, model: ModelArrays, collisions: Collisions, forecast: Forecast, search: Search, steps: int,
    epsilon: float,
) -> int:  # fmt: skip
    """Play on, mostly towards the target; after a loss, try other actions instead. Return how deep it has come."""
    st, before, g = states.now, states.before, model.ints
    hints, actions, meta = forecast.hints, search.actions, search.meta
    left = meta[T_ROLLOUT]
    while left > 0 and steps < meta[T_DEPTH] and not st[ENDED] and not st[st[AVATAR] + DISABLED]:
        chosen = -1
        if meta[T_GREEDY] and draw(meta, 1_000_000) >= epsilon * 1_000_000:
            chosen = greedy(st, g, hints, search)
        if chosen < 0:
            meta[T_RANDOM_STEPS] += 1
            chosen = draw(meta, actions.size)
            off = OFF_BOARD & ~hints[H_SPARED]
            for _ in range(4):  # only what would leave the board is not even tried
                if foresee(st, g, forecast, actions[chosen]) & off == 0:
                    break
                chosen = draw(meta, actions.size)
        else:
            meta[T_GREEDY_STEPS] += 1
        copy_state(st, before, g)
        look(st, model, collisions, actions[chosen])
        meta[T_ADVANCES] += 1
        steps += 1
        left -= 1
        tried, count = 1 << chosen, 0
        while lost(st) and count < meta[T_BACKTRACKS] and tried != (1 << actions.size) - 1:
            other = draw(meta, actions.size)
            while (tried >> other) & 1:
                other = (other + 1) % actions.size
            tried |= 1 << other
            count += 1
            copy_state(before, st, g)
            reseed(st, draw(meta, 1 << 40))
            look(st, model, collisions, actions[other])
            meta[T_ADVANCES] += 1
            meta[T_BACKED] += 1
        if count > 0:
            break
    return steps


@compiled
def add_child(meta: Longs, tree: Tree, node: int, place: int) -> int:
    """Make the node to which an action leads, by its place; return 0 if there is no room for it."""
    visits, total, child = tree.visits, tree.total, tree.child
    made = meta[T_NODES]
    if made >= visits.size:
        return 0
    meta[T_NODES] += 1
    child[node * MOST_ACTIONS + place] = made
    visits[made] = 0
    total[made] = 0.0
    for i in range(MOST_ACTIONS):
        child[made * MOST_ACTIONS + i] = 0
    return made


@compiled
def iterate(
    states: States, model: ModelArrays, collisions: Collisions, forecast: Forecast, search: Search, tree: Tree,
    advances: int, iterations: int,
) -> None:  # fmt: skip
    """Play from the root again and again until a number of ticks, or of iterations, was played."""
    root, st, g = states.root, states.now, model.ints
    hints, actions, meta = forecast.hints, search.actions, search.meta
    visits, total, path = tree.visits, tree.total, tree.path
    end, last = meta[T_ADVANCES] + advances, meta[T_ITERATIONS] + iterations
    if meta[T_NODES] == 0:
        meta[T_NODES] = 1
        set_priors(root, g, hints, search, tree.prior, 0)
    while meta[T_ADVANCES] < end and meta[T_ITERATIONS] < last:
        copy_state(root, st, g)
        if meta[T_OPEN_LOOP]:
            reseed(st, draw(meta, 1 << 47))
        epsilon = search.weights[W_EPSILON] if meta[T_ITERATIONS] > 0 else 0.0
        meta[T_ITERATIONS] += 1
        node, steps, stored, new = 0, 0, 0, False
        path[0] = 0
        while not st[ENDED] and not st[st[AVATAR] + DISABLED] and steps < meta[T_DEPTH] and not new:
            i = select(search, tree, node, prune(st, g, forecast, actions))
            look(st, model, collisions, actions[i])
            meta[T_ADVANCES] += 1
            steps += 1
            below = tree.child[node * MOST_ACTIONS + i]
            if below == 0:
                new = True
                below = add_child(meta, tree, node, i)
                if below == 0:
                    break
                set_priors(st, g, hints, search, tree.prior, below)
            node = below
            stored = steps
            path[steps] = node
        steps = roll_out(states, model, collisions, forecast, search, steps, epsilon)
        value = evaluate(st, root, g, search, steps)
        for j in range(stored + 1):
            visits[path[j]] += 1
            total[path[j]] += value
