"""The places of everything in the numbers of the kernel: in a state, in a sprite's record, in the tables of a game."""

from __future__ import annotations

# The state: head, then lists of types, squares, shields, timers, and the sprites' records.
(TICK, SCORE, WINNER, ENDED, CHANCE_HIGH, CHANCE_LOW, CALLS, COUNT, USED, FREE, AVATAR, IDENTITY, DYING, TIMERS) = (
    range(14)
)
SHIELDS, OVERFLOW = 14, 15
NO_ROOM, EXCEEDED = 1, 2
"""Values of OVERFLOW: a state had no room for a sprite or a timer; or the game has more than any may have."""
HEAD = 20

# The rows of these lists: the sprites of a type (0: none); what is shielded from what, until the end of the tick; what
# waits for its tick (type -1: it is done to no sprite).
(GROUP_FIRST, GROUP_LAST, GROUP_COUNT) = range(3)
GROUP = 3
(SHIELD_TYPE, SHIELD_OTHER, SHIELD_EFFECT) = range(3)
SHIELD = 3
(TIMER_TYPE, TIMER_LINE, TIMER_DUE) = range(3)
TIMER = 3

# A sprite's record. LINK_HERE is where its own place is written: the word of its square, or NEXT_HERE of another sprite
# there. NEXT of a record that is free leads to the next free one.
(KIND, X, Y, LAST_X, LAST_Y, WAY_X, WAY_Y, ORIENTED, LAST_MOVE, FIRST_TICK, AGE, START, MADE, KEPT, KEPT_X, KEPT_Y) = (
    range(16)
)
(HEALTH, KILLED, DISABLED, FROM_AVATAR, PULLED, GOAL, GOAL_X, GOAL_Y, NAME, NEXT, BEFORE) = range(16, 27)
(NEXT_HERE, LINK_HERE, COLUMN, ROW, NEXT_DYING) = range(27, 32)
RECORD = 32
"""Then follow the sprite's resources."""

# The game's head: sizes, and where its tables begin.
(G_TYPES, G_BLOCK, G_WIDTH, G_HEIGHT, G_COLUMNS, G_ROWS, G_ALIGNED, G_RESOURCES, G_CAPACITY, G_MOST_TIMERS) = range(10)
(G_MOST_SHIELDS, G_PLAYABLE, G_KIND, G_KIN, G_RANK, G_SINGLE, G_UPDATE) = range(10, 17)
(G_UPDATES, G_PAIRS, G_PAIR_COUNT, G_EDGES, G_EDGE_COUNT, G_EFFECTS, G_ENDS, G_END_COUNT, G_OBSTACLES) = range(20, 29)
(G_OBSTACLE_COUNT, G_HEADS, G_CELLS, G_SHIELD_ROWS, G_TIMER_ROWS, G_SPRITES, G_MOST_SPRITES) = range(29, 36)
GAME_HEAD = 40

# The rows of its tables: a list (where it begins, and its length); the effects of two types that meet; of a type that
# leaves the screen; what ends the game; what an avatar shoots, with the column of the ammunition (-1: none).
(LIST_START, LIST_LENGTH) = range(2)
LIST = 2
(PAIR_ONE, PAIR_OTHER, PAIR_LINES, PAIR_LENGTH) = range(4)
PAIR = 4
(EDGE_TYPE, EDGE_LINES, EDGE_LENGTH) = range(3)
EDGE = 3
(END_KIND, END_WIN, END_LIMIT, END_AT_LEAST, END_TYPES) = range(5)
END_ROW, MOST_END_TYPES = 8, 3
(SHOT_TYPE, SHOT_AMMO, SHOT_LEAST, SHOT_COST) = range(4)
SHOT_ROW = 4

# What a type is; an effect; chances and distances are in the tables of floating-point numbers.
(K_CLASS, K_STATIC, K_ORIENTED, K_WAY_X, K_WAY_Y, K_ROTATE, K_COOLDOWN, K_STEP, K_SPEED, K_MOVES, K_LIMIT) = range(11)
(K_VALUE, K_TOTAL, K_KEEPS, K_SPAWN_X, K_SPAWN_Y, K_TARGET, K_CHASED, K_FEARED, K_HEALTH, K_MOST_HEALTH) = range(11, 21)
(K_AVATAR, K_RESOURCE, K_IS_RESOURCE, K_SHOTS, K_SHOT_COUNT, K_ACTIONS) = range(21, 27)
KIND_ROW = 28
(KF_CHANCE, KF_SPREAD, KF_REACH, KF_EPSILON) = range(4)
KIND_FLOATS = 4
(E_EFFECT, E_SCORE, E_REPEAT, E_STYPE, E_STYPE_TO, E_RESOURCE, E_RESOURCE_LIMIT, E_VALUE, E_LIMIT, E_SPEND) = range(10)
(E_KILL_SECOND, E_KILL_RESOURCE, E_PIXEL, E_ALIGN, E_TAKE, E_SCORE_KILLED, E_NOT_STYPE, E_INSET) = range(10, 18)
(E_SHIELDED, E_TIMER, E_REPEATING, E_INNER) = range(18, 22)
EFFECT_ROW = 24

# The log of a tick's collisions: how many there were, then a row for each: whether the avatar's shot has met something
# or the avatar itself, the types of both, and the name of what was met.
LOGGED, LOG_HEAD = 0, 1
(V_SHOT, V_ACTIVE, V_PASSIVE, V_NAME) = range(4)
EVENT = 4
