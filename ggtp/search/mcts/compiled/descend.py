"""From the root of a compiled game's tree down to a leaf, in the part of Python that `native` makes machine code of.

Threads share the tree without locks. Visits that have begun and are not backed up yet count in the bonus for being
little known, and the value is divided by the root of one plus the batches that are below the move: with batches of one
this is the paper's soft virtual loss.
"""

from __future__ import annotations

from ggtp.native.language import (
    Halves,
    Words,
    add,
    address,
    get,
    halves,
    log,
    logical_shift,
    put,
    reals,
    sqrt,
    swap,
    words,
)
from ggtp.search.mcts.compiled.layout import (
    BEGUN,
    BEING_MADE,
    CHILD,
    CHOICES_ONE,
    CHOICES_TWO,
    CLOSED,
    COUNT,
    DEEPEST,
    DONE,
    EDGE_BEGUN,
    EDGE_DONE,
    EDGE_HEURISTIC,
    EDGE_VALUE,
    EDGE_WORDS,
    EXPLORATION,
    FIRST,
    FIRST_PLAY,
    FORWARD,
    FULL_WEIGHT,
    KIND,
    LOCKED,
    MOST_WORK,
    MOVE,
    MOVED,
    NOBODY,
    NODE_HEAD,
    OPENED,
    OPENING,
    OWNER,
    PROOF,
    PROVEN,
    SCALE,
    STATUS,
    T_AHEAD,
    T_ANCHORED,
    T_CHANCE,
    T_DECOUPLED,
    T_DEPTH,
    T_EDGES,
    T_EXPANSION,
    T_FULL,
    T_HEURISTIC,
    T_MOVES_AT,
    T_NODE_COUNT,
    T_NODE_LIMIT,
    T_NODES,
    T_RAVE,
    T_RAVES,
    T_REALS,
    T_ROLES,
    T_ROOT,
    T_ROW_AT,
    T_ROW_WORDS,
    T_STRIDE,
    T_TRANSPOSITIONS,
    T_WIDENING,
    TOGETHER,
    W_BATCH,
    W_FREE,
    W_FREE_COUNT,
    W_FRESH,
    W_FRESH_COUNT,
    W_LEAVES,
    W_LENGTHS,
    W_ME,
    W_MOVES,
    W_OPEN,
    W_OPEN_COUNT,
    W_OPEN_WORK,
    W_PARENTS,
    W_PATHS,
    W_RANDOM,
    WEIGHT,
)


def draw(w: Words, bound: int) -> int:
    """A random number below the bound."""
    x = w[W_RANDOM]
    x = x ^ (x << 13)
    x = x ^ logical_shift(x, 7)
    x = x ^ (x << 17)
    w[W_RANDOM] = x
    return ((x >> 16) & 0xFFFFFFFF) * bound >> 32


def node_at(t: Words, node: int) -> Halves:
    """The record of a node."""
    return halves(address(words(t[T_NODES]), node * t[T_STRIDE]))


def edge_at(t: Words, edge: int) -> Halves:
    """The record of an edge."""
    return halves(address(words(t[T_EDGES]), edge * EDGE_WORDS))


def new_node(t: Words, w: Words) -> int:
    """A record for a node, or a negative number where the memory is used up."""
    free = w[W_FREE_COUNT]
    node = -1
    if free > 0:
        w[W_FREE_COUNT] = free - 1
        node = halves(w[W_FREE])[free - 1]
    elif t[T_NODE_COUNT] < t[T_NODE_LIMIT]:
        node = add(t, T_NODE_COUNT, 1)
        if node >= t[T_NODE_LIMIT]:
            add(t, T_NODE_COUNT, -1)
            node = -1
    if node < 0:
        t[T_FULL] = 1
        return -1
    n = node_at(t, node)
    full = words(n)
    for i in range(NODE_HEAD + t[T_ROLES]):
        full[i] = 0
    n[OPENED] = 0
    n[OWNER] = w[W_ME]
    put(n, STATUS, BEING_MADE)
    return node


def score(t: Words, w: Words, edge: int, e: Halves, bonus: float, first: float, mean: float, weight: float) -> float:
    """What an edge is worth to whoever chooses; what is certain need not be looked at again."""
    r = reals(t[T_REALS])
    if e[PROOF] >= 0:
        return -5.0
    begun = e[EDGE_BEGUN]
    done = e[EDGE_DONE]
    all_bonus = bonus
    value = first
    if begun > 0:
        value = mean
        if done > 0:
            value = float(words(e)[EDGE_VALUE]) / (float(done) * r[SCALE])
        bonus = bonus / sqrt(float(begun))
    if weight > 0.0:
        value = value + weight * (float(e[EDGE_HEURISTIC]) / r[SCALE] - value)
    value = value + bonus
    if t[T_RAVE] > 0:
        v = halves(address(words(t[T_RAVES]), edge * 2))
        if v[0] > 0:
            later = float(words(v)[1]) / (float(v[0]) * r[SCALE]) + all_bonus / sqrt(float(v[0]))
            share = sqrt(float(t[T_RAVE]) / (3.0 * float(begun) + float(t[T_RAVE])))
            value = later if begun == 0 else share * later + (1.0 - share) * value
    if begun > done:
        value = value / sqrt(1.0 + float(begun - done) / float(w[W_BATCH]))
    return value


def best_of(t: Words, w: Words, n: Halves, start: int, count: int, role: int) -> int:
    """The edge with the highest score, among so many from a place on; among equals, any."""
    r = reals(t[T_REALS])
    bonus = r[EXPLORATION] * sqrt(log(float(n[BEGUN] + 1)))
    mean = 0.5
    if n[DONE] > 0:
        if role >= 0:
            mean = float(words(n)[NODE_HEAD + role]) / (float(n[DONE]) * r[SCALE])
        else:
            total = 0.0
            players = 0
            for i in range(t[T_ROLES]):
                if i != t[T_CHANCE]:
                    total += float(words(n)[NODE_HEAD + i])
                    players += 1
            mean = total / (float(n[DONE]) * r[SCALE] * float(players))
    first = r[FIRST_PLAY]
    if first < 0.0:
        first = mean
    weight = 0.0
    if t[T_HEURISTIC] and n[KIND] != TOGETHER:
        weight = r[WEIGHT]
        if t[T_ANCHORED] > 0 and start == node_at(t, t[T_ROOT])[FIRST]:
            weight = r[FULL_WEIGHT] * float(t[T_ANCHORED]) / 1000.0
    best = start
    best_score = -10.0
    turn = draw(w, count)
    for i in range(count):
        edge = start + i + turn
        if edge >= start + count:
            edge -= count
        found = score(t, w, edge, edge_at(t, edge), bonus, first, mean, weight)
        if found > best_score:
            best_score = found
            best = edge
    return best


def exchange(one: Words, other: Words, count: int) -> None:
    """Exchange the contents of two places."""
    for i in range(count):
        kept = one[i]
        one[i] = other[i]
        other[i] = kept


def widen(t: Words, n: Halves, count: int) -> int:
    """How many edges of a node are looked at by now; the next one is the best by what came of its move later."""
    wanted = int(float(t[T_WIDENING]) * sqrt(float(n[BEGUN] + 1)))
    wanted = min(count, max(1, wanted))
    opened = get(n, OPENED)
    while opened < wanted:
        if swap(n, OPENED, opened, opened | LOCKED) != opened:
            break
        best = opened
        if t[T_RAVE] > 0:
            best_mean = -1.0
            for i in range(opened, count):
                v = halves(address(words(t[T_RAVES]), (n[FIRST] + i) * 2))
                mean = 0.5 * reals(t[T_REALS])[SCALE]
                if v[0] > 0:
                    mean = float(words(v)[1]) / float(v[0])
                if mean > best_mean:
                    best_mean = mean
                    best = i
            if best != opened:
                exchange(words(edge_at(t, n[FIRST] + best)), words(edge_at(t, n[FIRST] + opened)), EDGE_WORDS)
                raves = words(t[T_RAVES])
                one = words(address(raves, (n[FIRST] + best) * 2))
                exchange(one, words(address(raves, (n[FIRST] + opened) * 2)), 2)
        opened += 1
        put(n, OPENED, opened)
    return max(1, min(wanted, opened & (LOCKED - 1)))


def select_together(t: Words, w: Words, n: Halves) -> int:
    """The edge of a joint move: by its own bound, or each role by the bounds of its own moves; chance draws."""
    roles = t[T_ROLES]
    moves = halves(address(words(n), t[T_MOVES_AT]))
    own = n[FIRST]
    joint_first = own
    chance = 0
    for role in range(roles):
        joint_first += moves[role]
        if role == t[T_CHANCE] and moves[role] > 1:
            chance = 1
    if not t[T_DECOUPLED] and not chance:
        return best_of(t, w, n, joint_first, n[COUNT], -1)
    joint = 0
    for role in range(roles):
        count = moves[role]
        chosen = 0
        if count > 1:
            chosen = draw(w, count) if role == t[T_CHANCE] else best_of(t, w, n, own, count, role) - own
        joint = joint * count + chosen
        own += count
    return joint_first + joint


def each_choice(t: Words, n: Halves, edge: int, begun: int, sums: Words) -> None:
    """Note at the moves of each role that a joint move was begun, or that it was backed up with these values."""
    roles = t[T_ROLES]
    moves = halves(address(words(n), t[T_MOVES_AT]))
    own = n[FIRST]
    joint = edge - n[FIRST]
    for role in range(roles):
        joint -= moves[role]
        own += moves[role]
    for back in range(roles):
        role = roles - 1 - back
        count = moves[role]
        own -= count
        e = edge_at(t, own + joint % count)
        joint = joint // count
        if begun != 0:
            add(e, EDGE_BEGUN, begun)
        else:
            add(e, EDGE_DONE, 1)
            add(words(e), EDGE_VALUE, sums[role])


def note_begun(t: Words, node: int, edge: int, amount: int) -> None:
    """A visit has begun here, or was called off."""
    n = node_at(t, node)
    add(n, BEGUN, amount)
    add(edge_at(t, edge), EDGE_BEGUN, amount)
    if n[KIND] == TOGETHER:
        each_choice(t, n, edge, amount, words(0))


def on_path(path: Halves, depth: int, node: int) -> int:
    """Whether a way down has come through a node already."""
    for i in range(depth):
        if path[2 * i] == node:
            return 1
    return 0


def fresh_child(t: Words, w: Words, n: Halves, node: int, edge: int) -> int:
    """A new node behind an edge, whose state is made later; negative where there is no memory, or it has come."""
    made = new_node(t, w)
    if made < 0:
        return -1
    e = edge_at(t, edge)
    if swap(e, CHILD, NOBODY, made) != NOBODY:
        free = w[W_FREE_COUNT]
        halves(w[W_FREE])[free] = made
        w[W_FREE_COUNT] = free + 1
        return -2
    place = w[W_FRESH_COUNT]
    w[W_FRESH_COUNT] = place + 1
    fresh = halves(address(words(w[W_FRESH]), place))
    fresh[0] = made
    fresh[1] = edge
    m = node_at(t, made)
    m[CHOICES_ONE] = n[CHOICES_ONE]
    m[CHOICES_TWO] = n[CHOICES_TWO]
    row = t[T_ROW_WORDS]
    into = words(address(words(w[W_PARENTS]), place * row))
    state = words(address(words(n), t[T_ROW_AT]))
    for i in range(row):
        into[i] = state[i]
    moves = halves(address(words(n), t[T_MOVES_AT]))
    chosen = halves(w[W_MOVES])
    roles = t[T_ROLES]
    if n[KIND] != TOGETHER:
        for role in range(roles):
            chosen[place * roles + role] = moves[role]
        chosen[place * roles + n[KIND]] = e[MOVE]
        return made
    own = n[FIRST]
    joint = edge - n[FIRST]
    for role in range(roles):
        joint -= moves[role]
        own += moves[role]
    for back in range(roles):
        role = roles - 1 - back
        own -= moves[role]
        chosen[place * roles + role] = edge_at(t, own + joint % moves[role])[MOVE]
        joint = joint // moves[role]
    return made


def open_later(t: Words, w: Words, node: int, n: Halves) -> None:
    """A closed node is to get its edges together with others, unless these are enough work already."""
    if w[W_OPEN_WORK] < MOST_WORK and swap(n, STATUS, CLOSED, OPENING) == CLOSED:
        place = w[W_OPEN_COUNT]
        w[W_OPEN_COUNT] = place + 1
        if t[T_AHEAD]:
            w[W_OPEN_WORK] = w[W_OPEN_WORK] + max(n[CHOICES_ONE], n[CHOICES_TWO])
        halves(w[W_OPEN])[place] = node


def descend(t: Words, w: Words, item: int) -> int:
    """Go down to a leaf; negative where another thread is just making it."""
    path = halves(address(words(w[W_PATHS]), item * DEEPEST))
    node = t[T_ROOT]
    depth = 0
    leaf = -1
    while leaf < 0:
        n = node_at(t, node)
        status = get(n, STATUS)
        if status == MOVED:
            node = n[FORWARD]
            continue
        if status == BEING_MADE:
            if n[OWNER] != w[W_ME]:
                break
            leaf = node
            continue
        if status == CLOSED:
            leaf = node
            if n[DONE] + 1 >= t[T_EXPANSION]:
                open_later(t, w, node, n)
            continue
        if (status == PROVEN and depth > 0) or status == OPENING or n[COUNT] == 0 or depth >= DEEPEST:
            leaf = node
            continue
        edge = 0
        if n[KIND] == TOGETHER:
            edge = select_together(t, w, n)
        else:
            count = n[COUNT]
            if t[T_WIDENING] > 0:
                count = widen(t, n, count)
            edge = best_of(t, w, n, n[FIRST], count, n[KIND])
        child = get(edge_at(t, edge), CHILD)
        if child < 0:
            child = fresh_child(t, w, n, node, edge)
            if child == -2:
                child = get(edge_at(t, edge), CHILD)
            if child < 0:
                leaf = node
                continue
        path[2 * depth] = node
        path[2 * depth + 1] = edge
        note_begun(t, node, edge, 1)
        depth += 1
        if t[T_TRANSPOSITIONS] and child <= node and on_path(path, depth, child):
            leaf = child
        node = child
    if leaf < 0:
        for i in range(depth):
            note_begun(t, path[2 * i], path[2 * i + 1], -1)
        return -1
    halves(w[W_LENGTHS])[item] = depth
    halves(w[W_LEAVES])[item] = leaf
    if depth > t[T_DEPTH]:
        t[T_DEPTH] = depth
    return leaf


FUNCTIONS = (
    draw,
    node_at,
    edge_at,
    new_node,
    score,
    best_of,
    exchange,
    widen,
    select_together,
    each_choice,
    note_begun,
    on_path,
    fresh_child,
    open_later,
    descend,
)
"""All of them, for `native.module_text`."""
