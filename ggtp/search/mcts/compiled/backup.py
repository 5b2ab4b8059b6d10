"""What came of playouts, carried up to the root with proofs; and the rounds that all of it makes: see `search`."""

from __future__ import annotations

from ggtp.native.bits import bit
from ggtp.native.language import Halves, Words, add, address, get, halves, put, words
from ggtp.search.mcts.compiled.descend import descend, each_choice, edge_at, node_at
from ggtp.search.mcts.compiled.evaluate import evaluate, spread_later
from ggtp.search.mcts.compiled.expand import expand, give_back
from ggtp.search.mcts.compiled.layout import (
    CHILD,
    COUNT,
    DEEPEST,
    DONE,
    EDGE_DONE,
    EDGE_VALUE,
    FIRST,
    FLOOR,
    HEURISTIC,
    KIND,
    LENGTH,
    MOVE,
    NODE_HEAD,
    POINT,
    PROOF,
    PROVEN,
    READY,
    STATUS,
    T_ANCHORED,
    T_CHANCE,
    T_FULL,
    T_HEURISTIC,
    T_LIMIT,
    T_MOST,
    T_ONE,
    T_PLAYOUTS,
    T_PROVEN_AT,
    T_RAVE,
    T_RAVES,
    T_ROLES,
    T_ROOT,
    T_SOLVER,
    T_STOP,
    T_VISITS,
    TOGETHER,
    W_BATCH,
    W_FOUND_ITEM,
    W_FRESH_COUNT,
    W_LATER,
    W_LATER_WORDS,
    W_LEAVES,
    W_LENGTHS,
    W_OFFSETS,
    W_PATHS,
    W_SUMS,
    W_TREE,
)
from ggtp.search.mcts.compiled.open import note_heuristic, open_all, weigh


def add_values(t: Words, node: int, sums: Words) -> None:
    """Back a playout up at a node."""
    n = node_at(t, node)
    full = words(n)
    for role in range(t[T_ROLES]):
        add(full, NODE_HEAD + role, sums[role])
    add(n, DONE, 1)


def proof_length(t: Words, e: Halves) -> int:
    """How many moves lead to the end behind an edge of which that is certain; no node is made of the end itself."""
    return node_at(t, e[CHILD])[LENGTH] + 1 if e[CHILD] >= 0 else 1


def prove(t: Words, n: Halves, edge: int, c: Halves) -> None:
    """What is behind an edge is certain: so is the edge, and perhaps the node."""
    role = n[KIND]
    e = edge_at(t, edge)
    sure = halves(address(words(c), t[T_PROVEN_AT]))
    put(e, PROOF, sure[role])
    if n[FLOOR] == 0 or edge_at(t, n[FLOOR] - 1)[PROOF] < sure[role]:
        n[FLOOR] = edge + 1
    if get(n, STATUS) != READY:
        return
    best = e
    if sure[role] < words(t[T_MOST])[role]:
        best_value = -1
        best_length = 0
        for i in range(n[COUNT]):
            other = edge_at(t, n[FIRST] + i)
            value = get(other, PROOF)
            if value < 0:
                return
            length = proof_length(t, other)
            if value > best_value or (value == best_value and length > best_length):
                best_value = value
                best_length = length
                best = other
    chosen = halves(address(words(node_at(t, best[CHILD])), t[T_PROVEN_AT]))
    proven = halves(address(words(n), t[T_PROVEN_AT]))
    for i in range(t[T_ROLES]):
        proven[i] = chosen[i]
    if t[T_HEURISTIC]:
        n[HEURISTIC] = proven[t[T_ONE]] * POINT
    n[LENGTH] = proof_length(t, best)
    put(n, STATUS, PROVEN)


def later_moves(t: Words, w: Words, n: Halves, mine: Words, sums: Words) -> None:
    """Back a playout up at the moves of a node that the same role made here or later."""
    role = n[KIND]
    first = words(w[W_OFFSETS])[role]
    for i in range(n[COUNT]):
        edge = n[FIRST] + i
        if bit(mine, first + edge_at(t, edge)[MOVE]):
            v = halves(address(words(t[T_RAVES]), edge * 2))
            add(v, 0, 1)
            add(words(v), 1, sums[role])


def average(t: Words, sums: Words) -> int:
    """The value of all players together."""
    total = 0
    players = 0
    for role in range(t[T_ROLES]):
        if role != t[T_CHANCE]:
            total += sums[role]
            players += 1
    return total // players


def back_up(t: Words, w: Words, item: int) -> None:
    """Carry what came of a leaf up to the root."""
    roles = t[T_ROLES]
    sums = words(address(words(w[W_SUMS]), item * roles))
    path = halves(address(words(w[W_PATHS]), item * DEEPEST))
    child = halves(w[W_LEAVES])[item]
    mine = words(address(words(w[W_LATER]), item * w[W_LATER_WORDS]))
    add_values(t, child, sums)
    depth = halves(w[W_LENGTHS])[item]
    for back in range(depth):
        node = path[2 * (depth - 1 - back)]
        edge = path[2 * (depth - 1 - back) + 1]
        n = node_at(t, node)
        e = edge_at(t, edge)
        role = n[KIND]
        if role == TOGETHER:
            add(words(e), EDGE_VALUE, average(t, sums))
            each_choice(t, n, edge, 0, sums)
        else:
            add(words(e), EDGE_VALUE, sums[role])
            c = node_at(t, child)
            # Where somebody has looked farther, what they found stands.
            if t[T_HEURISTIC] and e[PROOF] < 0 and not (t[T_ANCHORED] and node == t[T_ROOT]):
                note_heuristic(t, n, e, c[HEURISTIC])
            if t[T_SOLVER] and e[PROOF] < 0 and get(c, STATUS) == PROVEN:
                prove(t, n, edge, c)
            if t[T_RAVE] > 0:
                # The move itself counts, too: else one that was made later once, and won, is never found out.
                place = words(w[W_OFFSETS])[role] + e[MOVE]
                mine[place >> 6] = mine[place >> 6] | (1 << (place & 63))
                later_moves(t, w, n, mine, sums)
        add(e, EDGE_DONE, 1)
        if role >= 0 and n[FLOOR] > 0:
            # Whoever chooses here has something certain, and would not take less.
            certain = edge_at(t, n[FLOOR] - 1)
            if sums[role] < certain[PROOF] * POINT:
                proven = halves(address(words(node_at(t, certain[CHILD])), t[T_PROVEN_AT]))
                for i in range(roles):
                    sums[i] = proven[i] * POINT
        add_values(t, node, sums)
        child = node


def search(w: Words, rounds: int) -> int:
    """Search for so many batches; returns how many were done before there was a reason to stop."""
    t = words(w[W_TREE])
    for done in range(rounds):
        root = node_at(t, t[T_ROOT])
        if get(t, T_STOP) or get(root, STATUS) == PROVEN or root[COUNT] == 0:
            return done
        if t[T_LIMIT] > 0 and max(t[T_PLAYOUTS], t[T_VISITS]) >= t[T_LIMIT]:
            return done
        if t[T_HEURISTIC]:
            weigh(t)
        # A tree that is small has few leaves worth a look.
        most = min(w[W_BATCH], max(4, root[DONE] // 8))
        w[W_FRESH_COUNT] = 0
        items = 0
        missed = 0
        while items < most and missed < 8:
            if descend(t, w, items) < 0:
                missed += 1
            else:
                items += 1
        expand(t, w)
        open_all(t, w)
        evaluate(t, w, items)
        if t[T_RAVE] > 0:
            spread_later(w, items)
        for item in range(items):
            back_up(t, w, item)
        give_back(t, w)
        add(t, T_VISITS, items)
        if w[W_FOUND_ITEM] >= 0 or t[T_FULL]:
            return done + 1
    return rounds


FUNCTIONS = (add_values, proof_length, prove, later_moves, average, back_up, search)
"""All of them, for `native.module_text`."""
