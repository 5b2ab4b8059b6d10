"""What stands where in the memory of a search of a compiled game: the plans of trees and threads, nodes and edges.

A tree is memory: records of nodes and edges in two arrays, and a table that finds nodes by their states. The numbers
below are places in them; the machine code of `descend`, `expand` and `backup` has them as constants.
"""

from __future__ import annotations

# The words of a tree's plan. Those from T_STOP on change while threads search.
(
    T_NODES, T_EDGES, T_RAVES, T_HASH, T_HASH_MASK, T_STRIDE, T_NODE_LIMIT, T_EDGE_LIMIT, T_NODE_COUNT,
    T_EDGE_COUNT, T_ROOT, T_ROLES, T_ROW_WORDS, T_PROVEN_AT, T_MOVES_AT, T_ROW_AT, T_CHANCE, T_MOST, T_REALS,
    T_SOLVER, T_TRANSPOSITIONS, T_WIDENING, T_RAVE, T_DECOUPLED, T_STOP, T_PLAYOUTS, T_VISITS, T_DEPTH,
    T_SOLO, T_BEST, T_FULL, T_LIMIT, T_ENDED, T_EXPANSION, T_AHEAD, T_HEURISTIC, T_ONE, T_TWO, T_WORTH, T_BASE,
    T_TRUST, T_SPREAD, T_SPREADS, T_ANCHORED, T_MOBILITY_WEIGHT,
) = range(45)  # fmt: skip

# The words of a thread's plan.
(
    W_TREE, W_STATE_PLAN, W_LOOK_MANY, W_MOVE_MANY, W_RUN_FROM, W_RUN_ARGUMENTS, W_ARG_ROWS, W_ARG_COUNT,
    W_ARG_GOALS, W_ARG_LENGTHS, W_ARG_STEPS, W_ARG_LAG, W_LAG, W_MAX_STEPS, W_SIZES, W_VALUES, W_LOOK_WIDTH,
    W_TERMINAL_BIT, W_MOVE_COUNT, W_RANDOM, W_ME, W_BATCH, W_LEAF, W_LANES, W_PATHS, W_LENGTHS, W_LEAVES,
    W_FRESH, W_FRESH_COUNT, W_PARENTS, W_MOVES, W_ROWS, W_LOOKS, W_PLAY_ROWS, W_PLAY_ITEMS, W_GOALS, W_STEPS,
    W_SUMS, W_FREE, W_FREE_COUNT, W_GENERATOR, W_GENERATOR_WORDS, W_SAVED, W_FOUND_LANE, W_FOUND_ITEM,
    W_FOUND_CHUNK, W_FOUND_COUNT, W_LATER, W_LATER_WORDS, W_OFFSETS, W_WAITING, W_EACH, W_OPEN, W_OPEN_COUNT,
    W_OPEN_ROWS, W_OPEN_LOOKS, W_AHEAD_SIZE, W_AHEAD_COUNT, W_AHEAD_FROM, W_AHEAD_MOVES, W_AHEAD_ROWS, W_AHEAD_LOOKS,
    W_AHEAD_EDGES, W_OPEN_WORK, W_JUDGE,
) = range(65)  # fmt: skip

EXPLORATION, FIRST_PLAY, SCALE, WEIGHT, FULL_EXPLORATION, FULL_WEIGHT = range(6)
"""The floating numbers of a tree: bonus, value of a move never tried (negative for that of its position), what one
is worth in the integers in which values are added up, the weight of a move's heuristic value; and what the bonus is
without heuristic values, and their weight where they tell moves apart."""

# A node, in halves; then its values for each role, what is proven for each role, each role's move, and its state.
(
    FIRST, COUNT, KIND, STATUS, DONE, BEGUN, LENGTH, OPENED, FLOOR, HEURISTIC, CHOICES_ONE, CHOICES_TWO, OWNER, FORWARD,
) = range(14)  # fmt: skip
"""The heuristic value is that of the first of two players; how many moves each has, or had when it last had a choice;
the thread that is making the node; and, where its state was known already, the node that stands for it."""
NODE_HEAD = 7
TOGETHER = -1
"""The kind of node where several roles choose, or chance; else it is the number of the role that chooses."""
BEING_MADE, READY, PROVEN, MOVED, CLOSED, OPENING = range(6)
"""How far a node is; a closed one has no edges yet, and a thread is opening another."""

# An edge, in halves; the sum of its values is its last word.
CHILD, MOVE, EDGE_DONE, EDGE_BEGUN, PROOF, EDGE_HEURISTIC = range(6)
"""The heuristic value is what whoever chooses may expect behind the edge, as long as nothing is proven."""
EDGE_WORDS, EDGE_HALVES, EDGE_VALUE = 4, 8, 3
NOBODY = -1
UNKNOWN = -1

DEEPEST = 500
"""How deep a tree may be."""
POINT = 1024
"""A point of a goal, in the whole numbers in which values are added up."""
FULL_GOAL = 100
LOCKED = 1 << 30
APART = 1280
"""Between the best and the worst heuristic value of a node's moves, on average: if it is less, less is estimated."""
MOST_WORK = 1024
"""Of a batch, no more nodes are opened when they have so many moves together: a batch must not take long."""
LEAST_ROUNDS = 16
"""Where the number of playouts is limited, they are spread over so many batches, if there are as many."""
MOST_JOINT = 1 << 20
"""A node with more joint moves than that has none in the tree: playouts go on from it."""

CONSTANTS: dict[str, int | float] = {
    name: value for name, value in list(globals().items()) if name.isupper() and isinstance(value, int)
}
TREE_FIELD = {name.removeprefix("T_"): place for name, place in list(globals().items()) if name.startswith("T_")}
WORKER_FIELD = {name.removeprefix("W_"): place for name, place in list(globals().items()) if name.startswith("W_")}
