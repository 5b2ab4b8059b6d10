"""The values of the leaves of a batch, by playouts or by an evaluator.

Playouts go in the lanes of the playout kernel; or step by step, where moves are noted. An evaluator is asked in Python
for the values of all leaves of the batch together.
"""

from __future__ import annotations

from ggtp.native.bits import bit
from ggtp.native.language import Words, add, address, call, get, halves, words
from ggtp.search.mcts.compiled.descend import draw, node_at
from ggtp.search.mcts.compiled.layout import (
    FORWARD,
    FULL_GOAL,
    LEAST_ROUNDS,
    MOVED,
    POINT,
    PROVEN,
    STATUS,
    T_BEST,
    T_ENDED,
    T_LIMIT,
    T_PLAYOUTS,
    T_PROVEN_AT,
    T_RAVE,
    T_ROLES,
    T_ROW_AT,
    T_ROW_WORDS,
    T_SOLO,
    W_ARG_COUNT,
    W_ARG_GOALS,
    W_ARG_LAG,
    W_ARG_LENGTHS,
    W_ARG_ROWS,
    W_ARG_STEPS,
    W_EACH,
    W_FOUND_CHUNK,
    W_FOUND_COUNT,
    W_FOUND_ITEM,
    W_FOUND_LANE,
    W_GENERATOR,
    W_GENERATOR_WORDS,
    W_GOALS,
    W_JUDGE,
    W_LAG,
    W_LANES,
    W_LATER,
    W_LATER_WORDS,
    W_LEAF,
    W_LEAVES,
    W_LOOK_MANY,
    W_LOOK_WIDTH,
    W_LOOKS,
    W_MAX_STEPS,
    W_MOVE_MANY,
    W_MOVES,
    W_PLAY_ITEMS,
    W_PLAY_ROWS,
    W_ROWS,
    W_RUN_ARGUMENTS,
    W_RUN_FROM,
    W_SAVED,
    W_SIZES,
    W_STATE_PLAN,
    W_STEPS,
    W_SUMS,
    W_TERMINAL_BIT,
    W_WAITING,
)
from ggtp.search.mcts.compiled.open import goal_of


def evaluate(t: Words, w: Words, items: int) -> None:
    """Give the leaves of a batch their values: what is proven, what comes of playouts, or what an evaluator says."""
    waiting = take_proven(t, w, items)
    if waiting == 0:
        return
    if w[W_JUDGE] != 0:
        judge(t, w, waiting)
    else:
        play_out(t, w, waiting)


def take_proven(t: Words, w: Words, items: int) -> int:
    """Give leaves their values that are proven, and list the others; returns how many they are."""
    roles = t[T_ROLES]
    leaves = halves(w[W_LEAVES])
    chosen = halves(w[W_PLAY_ITEMS])
    sums = words(w[W_SUMS])
    waiting = 0
    for i in range(items):
        leaf = leaves[i]
        n = node_at(t, leaf)
        if get(n, STATUS) == MOVED:
            leaf = n[FORWARD]
            leaves[i] = leaf
            n = node_at(t, leaf)
        if get(n, STATUS) == PROVEN:
            proven = halves(address(words(n), t[T_PROVEN_AT]))
            for role in range(roles):
                sums[i * roles + role] = proven[role] * POINT
                if t[T_SOLO] and proven[role] > t[T_BEST]:
                    t[T_BEST] = proven[role]
                    w[W_FOUND_ITEM] = i
                    w[W_FOUND_LANE] = -1
        else:
            chosen[waiting] = i
            waiting += 1
            for role in range(roles):
                sums[i * roles + role] = 0
    w[W_WAITING] = waiting
    add(t, T_ENDED, items - waiting)
    return waiting


def copy_rows(t: Words, w: Words, waiting: int, each: int) -> None:
    """Write the states of leaves one behind the other, each as often as it is wanted."""
    row = t[T_ROW_WORDS]
    leaves = halves(w[W_LEAVES])
    chosen = halves(w[W_PLAY_ITEMS])
    play_rows = words(w[W_PLAY_ROWS])
    for i in range(waiting):
        state = words(address(words(node_at(t, leaves[chosen[i]])), t[T_ROW_AT]))
        for copy in range(each):
            into = words(address(play_rows, (i * each + copy) * row))
            for k in range(row):
                into[k] = state[k]


def judge(t: Words, w: Words, waiting: int) -> None:
    """Have an evaluator say what leaves are worth: see `Worker.judge_by`."""
    copy_rows(t, w, waiting, 1)
    call(w[W_JUDGE], waiting)
    if t[T_RAVE] > 0:
        later = words(w[W_LATER])
        for i in range(waiting * w[W_LATER_WORDS]):
            later[i] = 0  # no moves were made beyond the tree
    add(t, T_PLAYOUTS, waiting)


def playouts_each(t: Words, w: Words, waiting: int) -> int:
    """How many playouts each leaf has, of so many."""
    if t[T_RAVE] > 0:
        return 1
    each = w[W_LEAF]
    if each == 0:
        each = max(1, w[W_LANES] // waiting)
        if t[T_LIMIT] > 0:
            # Where playouts are counted, lanes left over are no gift: many leaves tell more than many games of few.
            each = min(each, max(2, t[T_LIMIT] // (LEAST_ROUNDS * waiting)))
    return each


def play_out(t: Words, w: Words, waiting: int) -> None:
    """Play from leaves, each as often as there are lanes for it, and add up what came of it."""
    roles = t[T_ROLES]
    chosen = halves(w[W_PLAY_ITEMS])
    sums = words(w[W_SUMS])
    each = playouts_each(t, w, waiting)
    w[W_EACH] = each
    total = waiting * each
    copy_rows(t, w, waiting, each)
    goals = halves(w[W_GOALS])
    steps = halves(w[W_STEPS])
    for i in range(total * roles):
        goals[i] = 0
    if t[T_RAVE] > 0:
        play_noting(t, w, total)
    else:
        play(t, w, total)
    for i in range(total):
        item = chosen[i // each]
        if steps[i] < 0 and roles > 1:
            for role in range(roles):
                goals[i * roles + role] = FULL_GOAL // 2
        for role in range(roles):
            sums[item * roles + role] = sums[item * roles + role] + goals[i * roles + role]
    for i in range(waiting):
        item = chosen[i]
        for role in range(roles):
            sums[item * roles + role] = sums[item * roles + role] * POINT // each
    add(t, T_PLAYOUTS, total)


def play(t: Words, w: Words, total: int) -> None:
    """Play from rows of states, as many at a time as there are lanes."""
    lanes = w[W_LANES]
    roles = t[T_ROLES]
    arguments = words(w[W_RUN_ARGUMENTS])
    goals = halves(w[W_GOALS])
    for start in range(0, total, lanes):
        count = min(lanes, total - start)
        arguments[w[W_ARG_ROWS]] = address(words(w[W_PLAY_ROWS]), start * t[T_ROW_WORDS])
        arguments[w[W_ARG_COUNT]] = count
        arguments[w[W_ARG_GOALS]] = address(goals, start * roles)
        arguments[w[W_ARG_LENGTHS]] = address(halves(w[W_STEPS]), start)
        arguments[w[W_ARG_STEPS]] = w[W_MAX_STEPS] + w[W_LAG]
        arguments[w[W_ARG_LAG]] = w[W_LAG]
        found = 0
        if t[T_SOLO]:
            generator = words(w[W_GENERATOR])
            saved = words(w[W_SAVED])
            # Kept for the last find, until somebody has asked how it went.
            if w[W_FOUND_ITEM] < 0:
                for i in range(w[W_GENERATOR_WORDS]):
                    saved[i] = generator[i]
        call(w[W_RUN_FROM], w[W_RUN_ARGUMENTS])
        if t[T_SOLO] and w[W_FOUND_ITEM] < 0:
            for lane in range(count):
                if goals[start + lane] > t[T_BEST]:
                    t[T_BEST] = goals[start + lane]
                    w[W_FOUND_LANE] = lane
                    found = 1
            if found:
                w[W_FOUND_ITEM] = start + w[W_FOUND_LANE]
                w[W_FOUND_CHUNK] = start
                w[W_FOUND_COUNT] = count


def play_noting(t: Words, w: Words, total: int) -> None:
    """Play from rows of states step by step, and note which moves each role makes."""
    roles = t[T_ROLES]
    row = t[T_ROW_WORDS]
    width = w[W_LATER_WORDS]
    later = words(w[W_LATER])
    rows = words(w[W_PLAY_ROWS])
    looks = words(w[W_LOOKS])
    steps = halves(w[W_STEPS])
    goals = halves(w[W_GOALS])
    moves = halves(w[W_MOVES])
    sizes = words(w[W_SIZES])
    for i in range(total * width):
        later[i] = 0
    for i in range(total):
        steps[i] = -1
    left = total
    step = 0
    while left > 0 and step < w[W_MAX_STEPS]:
        call(w[W_LOOK_MANY], w[W_STATE_PLAN], w[W_PLAY_ROWS], total, w[W_LOOKS])
        for i in range(total):
            look = words(address(looks, i * w[W_LOOK_WIDTH]))
            place = 0
            stuck = 0
            for role in range(roles):
                count = 0
                for k in range(sizes[role]):
                    count += bit(look, place + k)
                if count == 0:
                    stuck = 1
                chosen = 0
                if count > 1:
                    chosen = draw(w, count)
                move = 0
                for k in range(sizes[role]):
                    if bit(look, place + k):
                        if chosen == 0:
                            move = k
                            break
                        chosen -= 1
                moves[i * roles + role] = move
                if steps[i] < 0 and count > 1:
                    mark = i * width + ((place + move) >> 6)
                    later[mark] = later[mark] | (1 << ((place + move) & 63))
                place += sizes[role]
            if steps[i] < 0 and (stuck or bit(look, w[W_TERMINAL_BIT])):
                steps[i] = step
                left -= 1
                for role in range(roles):
                    goals[i * roles + role] = goal_of(t, w, look, role)
        call(w[W_MOVE_MANY], w[W_STATE_PLAN], w[W_PLAY_ROWS], w[W_MOVES], total, w[W_ROWS])
        made = words(w[W_ROWS])
        for i in range(total * row):
            rows[i] = made[i]
        step += 1


def spread_later(w: Words, items: int) -> None:
    """Moves noted by the number of the playout → by the number of the leaf in the batch, from the last one on."""
    chosen = halves(w[W_PLAY_ITEMS])
    later = words(w[W_LATER])
    width = w[W_LATER_WORDS]
    source = w[W_WAITING] - 1
    for back in range(items):
        item = items - 1 - back
        mine = words(address(later, item * width))
        if source >= 0 and chosen[source] == item:
            other = words(address(later, source * width))
            if source != item:
                for k in range(width):
                    mine[k] = other[k]
            source -= 1
        else:
            for k in range(width):
                mine[k] = 0


FUNCTIONS = (
    evaluate,
    take_proven,
    copy_rows,
    judge,
    playouts_each,
    play_out,
    play,
    play_noting,
    spread_later,
)
"""All of them, for `native.module_text`."""
