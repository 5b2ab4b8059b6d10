"""New nodes of a compiled game's tree: states made together, known ones found, and room made when memory is used up."""

from __future__ import annotations

from ggtp.native.language import Halves, Words, address, call, get, halves, logical_shift, put, swap, words
from ggtp.search.mcts.compiled.descend import edge_at, new_node, node_at, open_later
from ggtp.search.mcts.compiled.layout import (
    CHILD,
    COUNT,
    DONE,
    EDGE_WORDS,
    FIRST,
    FLOOR,
    FORWARD,
    KIND,
    MOVED,
    NOBODY,
    PROOF,
    STATUS,
    T_EDGE_COUNT,
    T_EDGES,
    T_EXPANSION,
    T_HASH,
    T_HASH_MASK,
    T_MOVES_AT,
    T_NODE_COUNT,
    T_RAVE,
    T_RAVES,
    T_ROLES,
    T_ROOT,
    T_ROW_AT,
    T_ROW_WORDS,
    T_STRIDE,
    T_TRANSPOSITIONS,
    TOGETHER,
    W_FREE,
    W_FREE_COUNT,
    W_FRESH,
    W_FRESH_COUNT,
    W_LOOK_MANY,
    W_LOOK_WIDTH,
    W_LOOKS,
    W_MOVE_MANY,
    W_MOVES,
    W_OPEN_COUNT,
    W_OPEN_WORK,
    W_PARENTS,
    W_ROWS,
    W_STATE_PLAN,
    W_TREE,
)
from ggtp.search.mcts.compiled.open import open_all, survey


def hash_of(row: Words, count: int) -> int:
    """A number that is different for different states, nearly always."""
    x = 0x2545F4914F6CDD1D
    for i in range(count):
        x = (x ^ row[i]) * 0x5851F42D4C957F2D
        x = x ^ logical_shift(x, 29)
    x = x * 0x5851F42D4C957F2D
    return x ^ logical_shift(x, 32)


def same(one: Words, other: Words, count: int) -> int:
    """Whether two states are the same."""
    for i in range(count):
        if one[i] != other[i]:
            return 0
    return 1


def known(t: Words, row: Words, node: int) -> int:
    """The node of a state: the first one that was told, which may be the given one; a negative one only asks."""
    table = halves(t[T_HASH])
    mask = t[T_HASH_MASK]
    place = hash_of(row, t[T_ROW_WORDS]) & mask
    while True:
        found = get(table, place) - 1
        if found < 0:
            if node < 0:
                return -1
            found = swap(table, place, 0, node + 1) - 1
            if found < 0:
                return node
        if same(words(address(words(node_at(t, found)), t[T_ROW_AT])), row, t[T_ROW_WORDS]):
            return found
        place = (place + 1) & mask


def expand(t: Words, w: Words) -> None:
    """Make the states of the new nodes of a batch, find those that are known, and open the others up."""
    count = w[W_FRESH_COUNT]
    if count == 0:
        return
    row = t[T_ROW_WORDS]
    rows = words(w[W_ROWS])
    fresh = halves(w[W_FRESH])
    call(w[W_MOVE_MANY], w[W_STATE_PLAN], w[W_PARENTS], w[W_MOVES], count, w[W_ROWS])
    call(w[W_LOOK_MANY], w[W_STATE_PLAN], w[W_ROWS], count, w[W_LOOKS])
    for i in range(count):
        node = fresh[2 * i]
        n = node_at(t, node)
        mine = words(address(rows, i * row))
        state = words(address(words(n), t[T_ROW_AT]))
        for k in range(row):
            state[k] = mine[k]
        found = known(t, mine, node)
        if found != node and t[T_TRANSPOSITIONS]:
            put(edge_at(t, fresh[2 * i + 1]), CHILD, found)
            n[FORWARD] = found
            put(n, STATUS, MOVED)
        else:
            look = words(address(words(w[W_LOOKS]), i * w[W_LOOK_WIDTH]))
            survey(t, w, n, look)
            if t[T_EXPANSION] <= 1:
                open_later(t, w, node, n)


def give_back(t: Words, w: Words) -> None:
    """Records of new nodes that turned out to be known serve again."""
    fresh = halves(w[W_FRESH])
    for i in range(w[W_FRESH_COUNT]):
        node = fresh[2 * i]
        if get(node_at(t, node), STATUS) == MOVED:
            free = w[W_FREE_COUNT]
            halves(w[W_FREE])[free] = node
            w[W_FREE_COUNT] = free + 1
    w[W_FRESH_COUNT] = 0


def plant(w: Words) -> int:
    """The node of the state in the first row: the one that is known, or a new one; negative without memory."""
    t = words(w[W_TREE])
    row = words(w[W_ROWS])
    w[W_OPEN_COUNT] = 0
    node = known(t, row, -1)
    if node < 0:
        node = new_node(t, w)
        if node < 0:
            return -1
        n = node_at(t, node)
        state = words(address(words(n), t[T_ROW_AT]))
        for k in range(t[T_ROW_WORDS]):
            state[k] = row[k]
        known(t, row, node)
        call(w[W_LOOK_MANY], w[W_STATE_PLAN], w[W_ROWS], 1, w[W_LOOKS])
        survey(t, w, n, words(w[W_LOOKS]))
    w[W_OPEN_WORK] = 0
    open_later(t, w, node, node_at(t, node))
    open_all(t, w)
    return node


def mark(w: Words, queue: Halves, marks: Halves, least: int) -> int:
    """Mark the nodes that can be reached from the root through nodes with so many visits; returns how many.

    Edges to other nodes are cut off, for good if `least` is above 0.
    """
    t = words(w[W_TREE])
    queue[0] = t[T_ROOT]
    marks[t[T_ROOT]] = 1
    count = 1
    place = 0
    while place < count:
        n = node_at(t, queue[place])
        place += 1
        first = n[FIRST]
        if n[KIND] == TOGETHER:
            for role in range(t[T_ROLES]):
                first += halves(address(words(n), t[T_MOVES_AT]))[role]
        for i in range(n[COUNT]):
            e = edge_at(t, first + i)
            child = e[CHILD]
            if child >= 0 and not marks[child]:
                # What is proven is worth more than its visits.
                if node_at(t, child)[DONE] < least and e[PROOF] < 0:
                    e[CHILD] = NOBODY
                else:
                    marks[child] = 1
                    queue[count] = child
                    count += 1
    return count


def edges_of(t: Words, n: Halves) -> int:
    """How many records of edges a node has."""
    total = n[COUNT]
    if n[KIND] == TOGETHER and total > 0:
        for role in range(t[T_ROLES]):
            total += halves(address(words(n), t[T_MOVES_AT]))[role]
    return total


def slide(w: Words, order: Halves, count: int, places: Halves, nodes: int) -> None:
    """Move what is kept together, where every record stands before or at its old place.

    Args:
        order: the nodes that are kept, by their first edges.
        count: how many they are.
        places: the new number of each node that is kept, negative for the others.
        nodes: how many nodes there were.
    """
    t = words(w[W_TREE])
    edges = words(t[T_EDGES])
    raves = words(t[T_RAVES])
    next_edge = 0
    for i in range(count):
        n = node_at(t, order[i])
        first = n[FIRST]
        for k in range(edges_of(t, n)):
            for word in range(EDGE_WORDS):
                edges[next_edge * EDGE_WORDS + word] = edges[(first + k) * EDGE_WORDS + word]
            if t[T_RAVE] > 0:
                raves[next_edge * 2] = raves[(first + k) * 2]
                raves[next_edge * 2 + 1] = raves[(first + k) * 2 + 1]
            e = edge_at(t, next_edge)
            if e[CHILD] >= 0:
                e[CHILD] = places[e[CHILD]]
            next_edge += 1
        if n[FLOOR] > 0:
            n[FLOOR] = n[FLOOR] - first + next_edge - edges_of(t, n)
        n[FIRST] = next_edge - edges_of(t, n)
    t[T_EDGE_COUNT] = next_edge
    for node in range(nodes):
        if places[node] >= 0:
            source = words(node_at(t, node))
            into = words(node_at(t, places[node]))
            for word in range(t[T_STRIDE]):
                into[word] = source[word]
    t[T_ROOT] = places[t[T_ROOT]]
    t[T_NODE_COUNT] = count
    w[W_FREE_COUNT] = 0
    table = halves(t[T_HASH])
    for i in range(t[T_HASH_MASK] + 1):
        table[i] = 0
    for node in range(count):
        known(t, words(address(words(node_at(t, node)), t[T_ROW_AT])), node)


FUNCTIONS = (hash_of, same, known, expand, give_back, plant, mark, edges_of, slide)
"""All of them, for `native.module_text`."""
