"""Where the machine code of minimax finds everything: the words of one array, most of them addresses of others.

The functions of `minimax.expand` and `minimax.descend` are written in the part of Python that
`native` makes machine code of, and use these numbers by name.
"""

from __future__ import annotations

SELFISH, ALONE, OPPOSED, PARANOID = 0, 1, 2, 3
"""What the others want."""
STOPPED, UNCERTAIN, SURE = -1, 0, 1
"""What a search returns besides the values."""
NOBODY = -1
"""Instead of a role that decides: nobody has a choice."""

(
    KERNEL,  # the plan of `gdl.kernel_single`, and the addresses of its two functions
    LOOK_MANY,
    MOVE_MANY,
    ROLES,  # how many of everything there are
    WORDS,
    LOOK_WORDS,
    MOVES,
    GOALS,
    RESULTS,
    WIDTH,
    CAPACITY,
    LEVELS,
    ROOM,
    ROOM_BEFORE,
    ME,  # what the search does
    OTHER,
    CHANCE,
    VIEW,
    PRUNING,
    ORDERING,
    EXTENSION,
    REDUCING,
    CACHING,
    MOBILITY,
    NOVELTY,
    NEAR,
    LEARNED,  # how much a heuristic value is made of what was learned, in thousandths
    USUAL,
    HALF,
    MOST_NODES,
    STOP,  # not 0: stop
    CLOCK,  # the address of `clock_gettime`, which clock, where it writes, and the nanosecond when time is over, or 0
    CLOCK_NAME,
    CLOCK_SAYS,
    DEADLINE,
    NODES,  # what it counts
    HITS,
    PURGES,
    COUNT,  # entries of the cache
    OLDEST,
    ODD,  # two players' points did not add up to a hundred
    OFFSETS,  # each role's first move among all moves
    SIZES,  # how many moves each role has
    GOAL_ROLES,
    GOAL_VALUES,
    FIRST,  # the state in which the game began
    WORTH,  # what was learned about each fact, for everybody or for us, and what to begin from
    BASES,
    ROWS,  # states, one behind the other
    LOOKS,  # what holds in them
    JOINTS,  # the joint moves that led to them
    HEURISTICS,  # what they are worth by themselves, to everybody or to us
    OVERS,  # whether the game is over in them
    ORDERS,  # in which order the children of a position are searched
    KEYS,  # and by what they are ordered
    BEFORE,  # copies of one state, for trying all its moves
    PENDING,  # for each level: what each role has decided already, or -1
    CHOICES,  # for each level: how many moves each role had when it last had a choice
    VALUES,  # for each level: the values that were found
    SUMS,
    HISTORY,  # how good each move was elsewhere
    SLOTS,  # the cache: where an entry is, plus one, by its hash; a table of n slots begins at place n
    MASK,  # one less than the number of slots
    MASK_BEFORE,  # the same of the table before, while entries go over to a larger one; else 0
    MASK_MOST,  # the same of the largest one
    MOVED,  # how many entries have gone over, and how many will
    TO_MOVE,
    USED,  # how many places of entries were ever used
    HASHES,
    KNOWN,  # the values of entries
    FACTS,  # of each entry: depth, level, bound, whether it is sure, the best move
    JUDGE,  # the address of a function that says what rows are worth, from a row on and how many; 0 for heuristics
    FIELDS,
) = range(73)

ENTRY_FACTS = 5


def constants() -> dict[str, int | float]:
    """All these numbers by name."""
    return {name: value for name, value in globals().items() if name.isupper() and isinstance(value, int)}
