"""What is found out about new nodes of a compiled game's tree, and their edges, which come when a node is worth it.

A node that was visited once has no edges: most are never visited again, and edges are what fills memory. Where a node
gets them, all moves are tried at once, which is a look ahead: a move that wins at once proves the node, and every other
is known by a heuristic value from then on: how much both can do, and what was learned about the facts.
"""

from __future__ import annotations

from ggtp.native.bits import bit, bits_in, next_bit
from ggtp.native.language import Halves, Words, add, address, call, halves, lowest, put, reals, words
from ggtp.search.mcts.compiled.descend import draw, edge_at, exchange, node_at
from ggtp.search.mcts.compiled.layout import (
    APART,
    CHILD,
    CHOICES_ONE,
    CHOICES_TWO,
    CLOSED,
    COUNT,
    EDGE_BEGUN,
    EDGE_DONE,
    EDGE_HEURISTIC,
    EDGE_VALUE,
    EDGE_WORDS,
    EXPLORATION,
    FIRST,
    FULL_EXPLORATION,
    FULL_GOAL,
    FULL_WEIGHT,
    HEURISTIC,
    KIND,
    LENGTH,
    MOST_JOINT,
    MOVE,
    NOBODY,
    POINT,
    PROOF,
    PROVEN,
    READY,
    STATUS,
    T_AHEAD,
    T_BASE,
    T_CHANCE,
    T_EDGE_COUNT,
    T_EDGE_LIMIT,
    T_FULL,
    T_HEURISTIC,
    T_MOBILITY_WEIGHT,
    T_MOST,
    T_MOVES_AT,
    T_ONE,
    T_PROVEN_AT,
    T_RAVE,
    T_RAVES,
    T_REALS,
    T_ROLES,
    T_ROW_AT,
    T_ROW_WORDS,
    T_SOLVER,
    T_SPREAD,
    T_SPREADS,
    T_TRUST,
    T_TWO,
    T_WIDENING,
    T_WORTH,
    TOGETHER,
    UNKNOWN,
    W_AHEAD_COUNT,
    W_AHEAD_EDGES,
    W_AHEAD_FROM,
    W_AHEAD_LOOKS,
    W_AHEAD_MOVES,
    W_AHEAD_ROWS,
    W_AHEAD_SIZE,
    W_LOOK_MANY,
    W_LOOK_WIDTH,
    W_MOVE_COUNT,
    W_MOVE_MANY,
    W_OFFSETS,
    W_OPEN,
    W_OPEN_COUNT,
    W_OPEN_LOOKS,
    W_OPEN_ROWS,
    W_OPEN_WORK,
    W_SIZES,
    W_STATE_PLAN,
    W_TERMINAL_BIT,
    W_VALUES,
    WEIGHT,
)


def goal_of(t: Words, w: Words, look: Words, role: int) -> int:
    """What a role has got where the game is over."""
    sizes = words(w[W_SIZES])
    values = words(w[W_VALUES])
    goal = 0
    for other in range(role):
        goal += sizes[t[T_ROLES] + other]
    best = 0
    for i in range(goal, goal + sizes[t[T_ROLES] + role]):
        if bit(look, w[W_MOVE_COUNT] + i):
            best = max(best, values[i])
    return best


def is_over(t: Words, w: Words, look: Words) -> int:
    """Whether the game is over; also where a role has no legal move, which the language forbids."""
    if bit(look, w[W_TERMINAL_BIT]):
        return 1
    places = words(w[W_OFFSETS])
    for role in range(t[T_ROLES]):
        if next_bit(look, places[role], places[role + 1]) == places[role + 1]:
            return 1
    return 0


def certain(t: Words, w: Words, n: Halves, look: Words, length: int) -> None:
    """A node is as good as the end at which somebody has looked."""
    proven = halves(address(words(n), t[T_PROVEN_AT]))
    for role in range(t[T_ROLES]):
        proven[role] = goal_of(t, w, look, role)
    if t[T_HEURISTIC]:
        n[HEURISTIC] = proven[t[T_ONE]] * POINT
    n[LENGTH] = length


def heuristic_at(t: Words, row: Words, one: int, two: int) -> int:
    """What the first of two players may expect where they have so much to do."""
    even = FULL_GOAL * POINT // 2
    heuristic = even + (FULL_GOAL * POINT * one // max(1, one + two) - even) * t[T_MOBILITY_WEIGHT] // 1000
    if t[T_TRUST] > 0:
        worth = words(t[T_WORTH])
        learned = t[T_BASE]
        for word in range(t[T_ROW_WORDS]):
            bits = row[word]
            while bits != 0:
                learned += worth[64 * word + lowest(bits)]
                bits = bits & (bits - 1)
        heuristic = heuristic + (learned - heuristic) * t[T_TRUST] // 1000
    return min((FULL_GOAL - 1) * POINT, max(POINT, heuristic))


def survey(t: Words, w: Words, n: Halves, look: Words) -> None:
    """Find out who chooses in a new node, or what everybody has got."""
    if is_over(t, w, look):
        certain(t, w, n, look, 0)
        put(n, STATUS, PROVEN)
        return
    places = words(w[W_OFFSETS])
    moves = halves(address(words(n), t[T_MOVES_AT]))
    choosing = 0
    chooser = 0
    for role in range(t[T_ROLES]):
        moves[role] = next_bit(look, places[role], places[role + 1]) - places[role]
        count = bits_in(look, places[role], places[role + 1])
        if count > 1:
            choosing += 1
            chooser = role
            if role == t[T_CHANCE]:
                choosing += t[T_ROLES]
            if role == t[T_ONE]:
                n[CHOICES_ONE] = count
            if role == t[T_TWO]:
                n[CHOICES_TWO] = count
    n[KIND] = chooser if choosing <= 1 else TOGETHER
    # Who has not moved yet can do as much as the other, as far as is known.
    n[CHOICES_ONE] = n[CHOICES_ONE] if n[CHOICES_ONE] > 0 else n[CHOICES_TWO]
    n[CHOICES_TWO] = n[CHOICES_TWO] if n[CHOICES_TWO] > 0 else n[CHOICES_ONE]
    if t[T_HEURISTIC]:
        n[HEURISTIC] = heuristic_at(t, words(address(words(n), t[T_ROW_AT])), n[CHOICES_ONE], n[CHOICES_TWO])
    n[LENGTH] = 0
    put(n, STATUS, CLOSED)


def set_edge(t: Words, edge: int, move: int, heuristic: int) -> None:
    """A new edge for a move."""
    e = edge_at(t, edge)
    e[CHILD] = NOBODY
    e[MOVE] = move
    e[EDGE_DONE] = 0
    e[EDGE_BEGUN] = 0
    e[PROOF] = UNKNOWN
    e[EDGE_HEURISTIC] = heuristic
    words(e)[EDGE_VALUE] = 0
    if t[T_RAVE] > 0:
        raves = words(t[T_RAVES])
        raves[edge * 2] = 0
        raves[edge * 2 + 1] = 0


def turned(t: Words, role: int, heuristic: int) -> int:
    """A heuristic value for the first player as one for a role, or the other way round."""
    return heuristic if role == t[T_ONE] else FULL_GOAL * POINT - heuristic


def open_up(t: Words, w: Words, n: Halves, look: Words) -> int:
    """Give a node its edges; whether there was memory for them."""
    places = words(w[W_OFFSETS])
    moves = halves(address(words(n), t[T_MOVES_AT]))
    together = 1 if n[KIND] == TOGETHER else 0
    joint = 1
    needed = 0
    for role in range(t[T_ROLES]):
        count = bits_in(look, places[role], places[role + 1])
        joint = min(joint * count, MOST_JOINT + 1)
        if together:
            needed += count
    needed += joint
    if joint > MOST_JOINT:
        return 1
    first = add(t, T_EDGE_COUNT, needed)
    if first + needed > t[T_EDGE_LIMIT]:
        add(t, T_EDGE_COUNT, -needed)
        t[T_FULL] = 1
        return 0
    edge = first
    heuristic = turned(t, n[KIND], n[HEURISTIC])
    for role in range(t[T_ROLES]):
        if together or role == n[KIND]:
            end = places[role + 1]
            place = next_bit(look, places[role], end)
            while place < end:
                set_edge(t, edge, place - places[role], heuristic)
                edge += 1
                place = next_bit(look, place + 1, end)
        if together:
            moves[role] = bits_in(look, places[role], places[role + 1])
    if together:
        for i in range(joint):
            set_edge(t, edge + i, i, 0)
    elif t[T_WIDENING] > 0:
        for i in range(joint - 1):
            other = i + draw(w, joint - i)
            exchange(words(edge_at(t, first + i)), words(edge_at(t, first + other)), EDGE_WORDS)
    n[FIRST] = first
    n[COUNT] = joint
    return 1


def try_edge(t: Words, w: Words, node: int, edge: int) -> None:
    """What is behind an edge is to be looked at, together with others."""
    if w[W_AHEAD_COUNT] == w[W_AHEAD_SIZE]:
        look_ahead(t, w)
    place = w[W_AHEAD_COUNT]
    w[W_AHEAD_COUNT] = place + 1
    n = node_at(t, node)
    behind = halves(address(words(w[W_AHEAD_EDGES]), place))
    behind[0] = node
    behind[1] = edge
    row = t[T_ROW_WORDS]
    into = words(address(words(w[W_AHEAD_FROM]), place * row))
    state = words(address(words(n), t[T_ROW_AT]))
    for i in range(row):
        into[i] = state[i]
    moves = halves(address(words(n), t[T_MOVES_AT]))
    chosen = halves(w[W_AHEAD_MOVES])
    for role in range(t[T_ROLES]):
        chosen[place * t[T_ROLES] + role] = moves[role]
    chosen[place * t[T_ROLES] + n[KIND]] = edge_at(t, edge)[MOVE]


def look_ahead(t: Words, w: Words) -> None:
    """Look at what is behind edges: a win proves the node before it, all else is estimated."""
    count = w[W_AHEAD_COUNT]
    w[W_AHEAD_COUNT] = 0
    call(w[W_MOVE_MANY], w[W_STATE_PLAN], w[W_AHEAD_FROM], w[W_AHEAD_MOVES], count, w[W_AHEAD_ROWS])
    call(w[W_LOOK_MANY], w[W_STATE_PLAN], w[W_AHEAD_ROWS], count, w[W_AHEAD_LOOKS])
    places = words(w[W_OFFSETS])
    one = t[T_ONE]
    two = t[T_TWO]
    for i in range(count):
        behind = halves(address(words(w[W_AHEAD_EDGES]), i))
        n = node_at(t, behind[0])
        e = edge_at(t, behind[1])
        role = n[KIND]
        look = words(address(words(w[W_AHEAD_LOOKS]), i * w[W_LOOK_WIDTH]))
        if is_over(t, w, look):
            goal = goal_of(t, w, look, role)
            e[EDGE_HEURISTIC] = goal * POINT
            if t[T_SOLVER] and goal > 0 and goal == words(t[T_MOST])[role]:
                certain(t, w, n, look, 1)
                e[PROOF] = goal
        elif t[T_HEURISTIC]:
            ones_count = bits_in(look, places[one], places[one + 1])
            twos_count = bits_in(look, places[two], places[two + 1])
            if ones_count <= 1:
                ones_count = n[CHOICES_ONE]
            if twos_count <= 1:
                twos_count = n[CHOICES_TWO]
            row = words(address(words(w[W_AHEAD_ROWS]), i * t[T_ROW_WORDS]))
            e[EDGE_HEURISTIC] = turned(t, role, heuristic_at(t, row, ones_count, twos_count))


def best_heuristic(t: Words, n: Halves) -> int:
    """What whoever chooses in a node may expect."""
    best = 0
    for i in range(n[COUNT]):
        e = edge_at(t, n[FIRST] + i)
        best = max(best, e[PROOF] * POINT if e[PROOF] >= 0 else e[EDGE_HEURISTIC])
    return best


def note_spread(t: Words, n: Halves) -> None:
    """Note how far apart the heuristic values of a node's moves are, but for those that end the game."""
    least = FULL_GOAL * POINT
    most = 0
    for i in range(n[COUNT]):
        heuristic = edge_at(t, n[FIRST] + i)[EDGE_HEURISTIC]
        if heuristic > 0 and heuristic < FULL_GOAL * POINT:
            least = min(least, heuristic)
            most = max(most, heuristic)
    if n[COUNT] > 1 and most > 0:
        add(t, T_SPREAD, most - least)
        add(t, T_SPREADS, 1)


def weigh(t: Words) -> None:
    """Let heuristic values count as much as they tell moves apart, and explore more where less is estimated."""
    r = reals(t[T_REALS])
    share = min(1.0, float(t[T_SPREAD]) / (float(max(1, t[T_SPREADS])) * float(APART)))
    r[WEIGHT] = r[FULL_WEIGHT] * share * share
    r[EXPLORATION] = r[FULL_EXPLORATION] * (1.0 - 0.5 * r[WEIGHT])


def note_heuristic(t: Words, n: Halves, e: Halves, heuristic: int) -> None:
    """What is behind an edge is estimated anew, for the first player; the node follows."""
    role = n[KIND]
    old = e[EDGE_HEURISTIC]
    mine = turned(t, role, heuristic)
    if mine == old:
        return
    e[EDGE_HEURISTIC] = mine
    best = turned(t, role, n[HEURISTIC])
    if mine >= best:
        n[HEURISTIC] = heuristic
    elif old >= best:
        n[HEURISTIC] = turned(t, role, best_heuristic(t, n))


def open_all(t: Words, w: Words) -> None:
    """Give all nodes their edges that were told, and look behind them."""
    count = w[W_OPEN_COUNT]
    w[W_OPEN_COUNT] = 0
    w[W_OPEN_WORK] = 0
    if count == 0:
        return
    row = t[T_ROW_WORDS]
    nodes = halves(w[W_OPEN])
    for i in range(count):
        into = words(address(words(w[W_OPEN_ROWS]), i * row))
        state = words(address(words(node_at(t, nodes[i])), t[T_ROW_AT]))
        for k in range(row):
            into[k] = state[k]
    call(w[W_LOOK_MANY], w[W_STATE_PLAN], w[W_OPEN_ROWS], count, w[W_OPEN_LOOKS])
    w[W_AHEAD_COUNT] = 0
    for i in range(count):
        n = node_at(t, nodes[i])
        if not open_up(t, w, n, words(address(words(w[W_OPEN_LOOKS]), i * w[W_LOOK_WIDTH]))):
            put(n, STATUS, CLOSED)
            nodes[i] = NOBODY
        elif t[T_AHEAD] and n[KIND] != TOGETHER:
            for k in range(n[COUNT]):
                try_edge(t, w, nodes[i], n[FIRST] + k)
    if w[W_AHEAD_COUNT] > 0:
        look_ahead(t, w)
    for i in range(count):
        if nodes[i] >= 0:
            n = node_at(t, nodes[i])
            if n[LENGTH] > 0:
                put(n, STATUS, PROVEN)
            else:
                if t[T_HEURISTIC] and n[KIND] != TOGETHER and n[COUNT] > 0:
                    note_spread(t, n)
                    n[HEURISTIC] = turned(t, n[KIND], best_heuristic(t, n))
                put(n, STATUS, READY)


FUNCTIONS = (
    goal_of,
    is_over,
    certain,
    heuristic_at,
    survey,
    set_edge,
    turned,
    open_up,
    try_edge,
    look_ahead,
    best_heuristic,
    note_spread,
    weigh,
    note_heuristic,
    open_all,
)
"""All of them, for `native.module_text`."""
