"""Positions of a compiled game for minimax, in the part of Python that `native` makes machine code of.

Who decides, what a position is worth by itself, and all positions that a decision can lead to,
tried at once. The argument `a` is the array of `minimax.layout`.
"""

from __future__ import annotations

from ggtp.native.bits import FUNCTIONS as BIT_FUNCTIONS
from ggtp.native.bits import bits_in
from ggtp.native.language import Words, address, call, halves, lowest, ones, words
from ggtp.search.evaluation.heuristics import NOVEL
from ggtp.search.minimax.layout import (
    BASES,
    BEFORE,
    CHANCE,
    CHOICES,
    FIRST,
    GOAL_ROLES,
    GOAL_VALUES,
    GOALS,
    HALF,
    HEURISTICS,
    JOINTS,
    JUDGE,
    KERNEL,
    LEARNED,
    LOOK_MANY,
    LOOK_WORDS,
    LOOKS,
    ME,
    MOBILITY,
    MOVE_MANY,
    MOVES,
    NEAR,
    NOBODY,
    NODES,
    NOVELTY,
    ODD,
    OFFSETS,
    OPPOSED,
    OTHER,
    OVERS,
    PENDING,
    RESULTS,
    ROLES,
    ROOM,
    ROOM_BEFORE,
    ROWS,
    SELFISH,
    SIZES,
    USUAL,
    VIEW,
    WIDTH,
    WORDS,
    WORTH,
)
from ggtp.search.minimax.plan import POINT


def holds(a: Words, row: int, place: int) -> int:
    """One result of a look: whether a move is legal, a goal holds, or the game is over."""
    return words(a[LOOKS])[row * a[LOOK_WORDS] + (place >> 6)] >> (place & 63) & 1


def legal_count(a: Words, row: int, role: int) -> int:
    """How many legal moves a role has."""
    look = words(address(words(a[LOOKS]), row * a[LOOK_WORDS]))
    place = words(a[OFFSETS])[role]
    return bits_in(look, place, place + words(a[SIZES])[role])


def points_in(a: Words, row: int, role: int) -> int:
    """The greatest goal of a role that holds."""
    best = 0
    for goal in range(a[GOALS]):
        if words(a[GOAL_ROLES])[goal] == role:
            points = words(a[GOAL_VALUES])[goal]
            if points > best and holds(a, row, a[MOVES] + goal):
                best = points
    return best


def rounded(value: float) -> int:
    """The nearest whole number."""
    return int(value + 0.5) if value >= 0.0 else int(value - 0.5)


def mobility_of(a: Words, row: int, role: int, ply: int) -> float:
    """As `heuristics.mobility`."""
    own = 0.0
    others = 0.0
    count = 0
    for each in range(a[ROLES]):
        if each != a[CHANCE]:
            choices = legal_count(a, row, each)
            if choices <= 1:
                choices = words(a[CHOICES])[ply * a[ROLES] + each]
            if each == role:
                own = float(choices)
            else:
                others = others + choices
                count += 1
    against = float(a[USUAL])
    if count > 0:
        against = others / count
    if own + against == 0.0:
        return 50.0
    return 100.0 * own / (own + against)


def novelty_of(a: Words, row: int) -> float:
    """As `heuristics.Novelty`."""
    apart = 0
    for word in range(a[WORDS]):
        apart += ones(words(a[ROWS])[row * a[WORDS] + word] ^ words(a[FIRST])[word])
    return 50.0 - NOVEL / 2 + NOVEL * apart / (apart + a[HALF])


def learned_of(a: Words, row: int, place: int) -> float:
    """As `learning.Lesson.expected`, for the role whose worths stand in that place."""
    worth = words(address(words(a[WORTH]), place * a[WORDS] * 64))
    total = words(a[BASES])[place]
    for word in range(a[WORDS]):
        bits = words(a[ROWS])[row * a[WORDS] + word]
        while bits != 0:
            total += worth[64 * word + lowest(bits)]
            bits = bits & (bits - 1)
    return float(total) / POINT


def heuristic_for(a: Words, row: int, role: int, ply: int) -> int:
    """As `minimax.Searching.heuristic_for`, in a position whose parent is one level up."""
    total = 0.0
    parts = 0
    if a[MOBILITY]:
        total = total + mobility_of(a, row, role, ply)
        parts += 1
    if a[NOVELTY]:
        total = total + novelty_of(a, row)
        parts += 1
    heuristic = 50.0
    if parts > 0:
        heuristic = total / parts
    if a[LEARNED] and not a[NEAR]:
        learned = min(99.0, max(1.0, learned_of(a, row, role if a[VIEW] == SELFISH else 0)))
        heuristic = heuristic + (learned - heuristic) * a[LEARNED] / 1000
    if a[NEAR]:
        near = float(points_in(a, row, role))
        if a[VIEW] == OPPOSED:
            near = 50.0 + (near - points_in(a, row, a[OTHER])) / 2
        heuristic = (heuristic + near) / 2 if parts > 0 else near
    heuristic = min(99.0, max(1.0, heuristic))
    return rounded((2.0 * heuristic - 100.0) * POINT)


def value_at_end(a: Words, row: int, role: int) -> int:
    """The points of a role as a value; notes where two players' points do not add up to a hundred."""
    own = points_in(a, row, role)
    if a[VIEW] != OPPOSED:
        return (2 * own - 100) * POINT
    other = points_in(a, row, a[OTHER])
    if own + other != 100:
        a[ODD] = 1
    return (own - other) * POINT


def weigh(a: Words, row: int, ply: int) -> None:
    """Find out whether the game is over in a position, and what it is worth then, or by heuristics."""
    over = holds(a, row, a[RESULTS] - 1)
    for role in range(a[ROLES]):
        # A role without a legal move, which the language forbids, ends the game too.
        if over == 0 and legal_count(a, row, role) == 0:
            over = 1
    halves(a[OVERS])[row] = over
    if a[JUDGE] != 0 and over == 0:
        return
    heuristics = words(address(words(a[HEURISTICS]), row * a[WIDTH]))
    if a[VIEW] == SELFISH:
        for role in range(a[ROLES]):
            heuristics[role] = value_at_end(a, row, role) if over else heuristic_for(a, row, role, ply)
    else:
        heuristics[0] = value_at_end(a, row, a[ME]) if over else heuristic_for(a, row, a[ME], ply)


def enter(a: Words, ply: int) -> None:
    """Look at the first row, from which a search begins; what an evaluator says of it is there already."""
    call(a[LOOK_MANY], a[KERNEL], a[ROWS], 1, a[LOOKS])
    weigh(a, 0, ply)


def waits(a: Words, row: int, ply: int, role: int) -> int:
    """Whether a role has something to decide and has not done it."""
    return words(a[PENDING])[ply * a[ROLES] + role] < 0 and legal_count(a, row, role) > 1


def waiting(a: Words, row: int, ply: int) -> int:
    """How many roles have something to decide, chance included."""
    count = 0
    for role in range(a[ROLES]):
        count += waits(a, row, ply, role)
    return count


def decider(a: Words, row: int, ply: int) -> int:
    """The role that decides now, or nobody: we are first, then come the others, and chance is last."""
    if waits(a, row, ply, a[ME]):
        return a[ME]
    for role in range(a[ROLES]):
        if role != a[CHANCE] and waits(a, row, ply, role):
            return role
    if a[CHANCE] >= 0 and waits(a, row, ply, a[CHANCE]):
        return a[CHANCE]
    return NOBODY


def list_moves(a: Words, row: int, top: int, role: int) -> int:
    """Write the legal moves of a role into the joint moves behind `top`; returns how many."""
    count = 0
    first = words(a[OFFSETS])[role]
    for move in range(words(a[SIZES])[role]):
        if holds(a, row, first + move):
            halves(a[JOINTS])[(top + count) * a[ROLES] + role] = move
            count += 1
    return count


def first_move(a: Words, row: int, role: int) -> int:
    """The first legal move of a role."""
    first = words(a[OFFSETS])[role]
    for move in range(words(a[SIZES])[role]):
        if holds(a, row, first + move):
            return move
    return 0


def expand(a: Words, row: int, top: int, role: int, ply: int) -> int:
    """Make all positions that one role's decision can lead to, behind `top`; returns how many.

    Nobody has one thing to do. Negative: there is no room for them.
    """
    count = 1
    if role != NOBODY:
        count = legal_count(a, row, role)
    if top + count > a[ROOM] or count > a[ROOM_BEFORE]:
        return -1
    for other in range(a[ROLES]):
        if other != role:
            chosen = words(a[PENDING])[ply * a[ROLES] + other]
            if chosen < 0:
                chosen = first_move(a, row, other)
            for i in range(count):
                halves(a[JOINTS])[(top + i) * a[ROLES] + other] = chosen
    if role != NOBODY:
        list_moves(a, row, top, role)
    for i in range(count):
        for word in range(a[WORDS]):
            words(a[BEFORE])[i * a[WORDS] + word] = words(a[ROWS])[row * a[WORDS] + word]
    rows = address(words(a[ROWS]), top * a[WORDS])
    call(a[MOVE_MANY], a[KERNEL], a[BEFORE], address(halves(a[JOINTS]), top * a[ROLES]), count, rows)
    call(a[LOOK_MANY], a[KERNEL], rows, count, address(words(a[LOOKS]), top * a[LOOK_WORDS]))
    for i in range(count):
        weigh(a, top + i, ply + 1)
    if a[JUDGE] != 0:
        call(a[JUDGE], top, count)
    a[NODES] = a[NODES] + count
    return count


FUNCTIONS = (
    *BIT_FUNCTIONS,
    holds,
    legal_count,
    points_in,
    rounded,
    mobility_of,
    novelty_of,
    learned_of,
    heuristic_for,
    value_at_end,
    weigh,
    enter,
    waits,
    waiting,
    decider,
    list_moves,
    first_move,
    expand,
)
"""All of them, for `native.module_text`."""
