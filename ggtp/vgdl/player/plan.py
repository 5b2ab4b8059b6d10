"""Best-first search as machine code: states by their difference to the first one, a heap, a table of states seen."""

# The compiler knows what the type checker calls Any or a number of numpy: they are plain numbers here.
# mypy: disable-error-code="no-any-return,arg-type,return-value"

from __future__ import annotations

from typing import NamedTuple

from ggtp.vgdl.kernel.layout import (
    AVATAR,
    ENDED,
    G_RESOURCES,
    G_SPRITES,
    RECORD,
    SCORE,
    USED,
    WAY_X,
    WAY_Y,
    WINNER,
    X,
    Y,
)
from ggtp.vgdl.kernel.native import Floats, Ints, Longs, compiled
from ggtp.vgdl.kernel.sprites import is_step, step_of
from ggtp.vgdl.kernel.tick import ModelArrays, copy_state
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player.foresight import BLOCKED, H_SPARED, H_STEP, H_TURNS, Forecast, foresee, step_effect
from ggtp.vgdl.player.sight import Collisions, States, avatar_term, look, signature, things
from ggtp.vgdl.world.world import WON

# How a search stands: nodes, those that wait, the best node that wins and the one with the highest score (-1: none).
(P_NODES, P_WAITING, P_POOL, P_TABLE, P_WON, P_BEST, P_ADVANCES, P_FULL, P_PREPRUNED, P_EQUAL, P_PREDICT) = range(11)
PLAN = 12

# A node: its parent, the action, its depth and score, where its state is in the pool and how long (a node that wins has
# none), whether the world stood still in the tick that led to it, and whether it wins.
(N_PARENT, N_ACTION, N_DEPTH, N_SCORE, N_START, N_LENGTH, N_STILL, N_WINS) = range(8)
NODE = 8


class PlanMemory(NamedTuple):
    """The arrays of a search for a plan."""

    actions: Ints
    """Those that are tried in each state."""
    meta: Longs
    """How it stands, and whether it looks at equal states once and foresees them."""
    nodes: Ints
    """A row for each state that was reached."""
    pool: Ints
    """The differences of the nodes' states to the first one."""
    heap: Floats
    """The values of the nodes that wait, as a heap."""
    items: Ints
    """The numbers of these nodes, in the same order."""
    table: Longs
    """A hash table of the signatures of all states."""


@compiled
def pack(st: Ints, root: Ints, g: Ints, pool: Ints, start: int) -> int:
    """Write the difference of a state to the first one; return its length, or -1 if there is no room."""
    size = RECORD + g[G_RESOURCES]
    common = g[G_SPRITES] + min(st[USED], root[USED]) * size
    end = g[G_SPRITES] + st[USED] * size
    at = start
    for i in range(end):
        if i >= common or st[i] != root[i]:
            if at + 2 > pool.size:
                return -1
            pool[at] = i
            pool[at + 1] = st[i]
            at += 2
    return at - start


@compiled
def unpack(st: Ints, root: Ints, g: Ints, pool: Ints, start: int, length: int) -> None:
    """Make a state from its difference to the first one."""
    copy_state(root, st, g)
    for i in range(start, start + length, 2):
        st[pool[i]] = pool[i + 1]


@compiled
def known(table: Longs, number: int, meta: Longs, keep: bool) -> bool:
    """Return whether a number is in the table; if it is not, put it there if `keep` is set."""
    if number == 0:
        number = 1
    size = table.size
    place = number & (size - 1)
    while table[place] != 0:
        if table[place] == number:
            return True
        place = (place + 1) & (size - 1)
    if keep:
        if meta[P_TABLE] * 4 > size * 3:
            meta[P_FULL] = 1
            return False
        table[place] = number
        meta[P_TABLE] += 1
    return False


@compiled
def push(heap: Floats, items: Ints, meta: Longs, value: float, node: int) -> None:
    """Put a node into the heap, whose first node is the best, and the earliest of equals."""
    at = meta[P_WAITING]
    meta[P_WAITING] += 1
    while at > 0:
        above = (at - 1) // 2
        if heap[above] > value or (heap[above] == value and items[above] < node):
            break
        heap[at] = heap[above]
        items[at] = items[above]
        at = above
    heap[at] = value
    items[at] = node


@compiled
def pop(heap: Floats, items: Ints, meta: Longs) -> int:
    """Take the best node out of the heap."""
    found = items[0]
    meta[P_WAITING] -= 1
    last = meta[P_WAITING]
    value, node = heap[last], items[last]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= last:
            break
        other = below + 1
        if other < last and (heap[other] > heap[below] or (heap[other] == heap[below] and items[other] < items[below])):
            below = other
        if value > heap[below] or (value == heap[below] and node < items[below]):
            break
        heap[at] = heap[below]
        items[at] = items[below]
        at = below
    heap[at] = value
    items[at] = node
    return found


@compiled
def preprune(st: Ints, g: Ints, forecast: Forecast, memory: PlanMemory, rest: int, action: int) -> bool:
    """Return whether the state after an action is probably known already, or lost, or the same as before."""
    hints = forecast.hints
    why = foresee(st, g, forecast, action)
    if why & ~hints[H_SPARED] != 0:
        return True
    if not is_step(action):
        return False
    s = st[AVATAR]
    dx, dy = step_of(action)
    x, y = st[s + X] + dx * hints[H_STEP], st[s + Y] + dy * hints[H_STEP]
    found = step_effect(st, g, forecast.book, s, x, y)
    if found == BLOCKED:
        x, y = st[s + X], st[s + Y]
    elif found != 0:
        return False
    if st[s + WAY_X] == 0 and st[s + WAY_Y] == 0:
        dx, dy = 0, 0
    elif found == BLOCKED or hints[H_TURNS] != 0:  # whether it turns, and where it looks then, is not worth a guess
        return False
    return known(memory.table, rest + avatar_term(st, g, s, x, y, dx, dy), memory.meta, False)


@compiled
def note_win(st: Ints, memory: PlanMemory, child: int) -> None:
    """Make a new node one that wins, and the best such node if it has more points, or as many in fewer steps."""
    meta, nodes = memory.meta, memory.nodes
    at = child * NODE
    nodes[at + N_WINS] = 1
    won = meta[P_WON]
    better = won < 0 or st[SCORE] > nodes[won * NODE + N_SCORE]
    if not better and st[SCORE] == nodes[won * NODE + N_SCORE]:
        better = nodes[at + N_DEPTH] < nodes[won * NODE + N_DEPTH]
    if better:
        meta[P_WON] = child


@compiled
def add_node(states: States, g: Ints, memory: PlanMemory, parent: int, action: int, rest: int, weight: float) -> bool:
    """Make a node of the state that is played; return False if there is no room for it.

    `rest` is the signature of everything but the avatar before the tick.
    """
    st, meta, nodes = states.now, memory.meta, memory.nodes
    if meta[P_NODES] >= nodes.size // NODE or meta[P_FULL]:
        return False
    child = meta[P_NODES]
    at = child * NODE
    nodes[at + N_PARENT] = parent
    nodes[at + N_ACTION] = action
    nodes[at + N_DEPTH] = nodes[parent * NODE + N_DEPTH] + 1
    nodes[at + N_SCORE] = st[SCORE]
    nodes[at + N_WINS] = 0
    if st[ENDED]:
        meta[P_NODES] += 1
        note_win(st, memory, child)
        return True
    length = pack(st, states.root, g, memory.pool, meta[P_POOL])
    if length < 0:
        return False
    nodes[at + N_START] = meta[P_POOL]
    nodes[at + N_LENGTH] = length
    nodes[at + N_STILL] = 1 if things(st, g) == rest else 0
    meta[P_POOL] += length
    meta[P_NODES] += 1
    if st[SCORE] > nodes[meta[P_BEST] * NODE + N_SCORE]:
        meta[P_BEST] = child
    push(memory.heap, memory.items, meta, weight * st[SCORE] - nodes[at + N_DEPTH], child)
    return True


@compiled
def search(
    states: States, model: ModelArrays, collisions: Collisions, forecast: Forecast, memory: PlanMemory, weight: float,
    advances: int,
) -> None:  # fmt: skip
    """Expand states, the best first, until a number of ticks was played, a better win was found, or none is left."""
    st, before, g = states.now, states.before, model.ints
    actions, meta, nodes = memory.actions, memory.meta, memory.nodes
    end = meta[P_ADVANCES] + advances
    while meta[P_WAITING] > 0 and meta[P_ADVANCES] < end and meta[P_FULL] == 0:
        number = pop(memory.heap, memory.items, meta)
        node = number * NODE
        unpack(before, states.root, g, memory.pool, nodes[node + N_START], nodes[node + N_LENGTH])
        rest = things(before, g)
        still = nodes[node + N_STILL] == 1
        for i in range(actions.size):
            action = actions[i]
            if action == Action.NIL and still and meta[P_EQUAL]:
                continue  # to wait where nothing moves is to be where one was
            if still and meta[P_PREDICT] and preprune(before, g, forecast, memory, rest, action):
                meta[P_PREPRUNED] += 1
                continue
            copy_state(before, st, g)
            look(st, model, collisions, action)
            meta[P_ADVANCES] += 1
            if st[ENDED] and st[WINNER] != WON:
                continue
            if not st[ENDED] and meta[P_EQUAL] and known(memory.table, signature(st, g), meta, True):
                continue
            won = meta[P_WON]
            if not add_node(states, g, memory, number, action, rest, weight):
                meta[P_FULL] = 1
                break
            if meta[P_WON] != won:
                end = meta[P_ADVANCES]  # somebody may want to stop here
