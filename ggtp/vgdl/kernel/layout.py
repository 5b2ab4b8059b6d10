"""Where everything is in the numbers of the kernel: in a state, in a sprite's record, and in the tables of a game."""

from __future__ import annotations

# The state: head, then lists of types, squares, shields, timers, and the sprites' records.
(TICK, SCORE, WINNER, ENDED, CHANCE_HIGH, CHANCE_LOW, CALLS, COUNT, USED, FREE, AVATAR, IDENTITY, DYING, TIMERS) = (
    range(14)
)
SHIELDS, OVERFLOW, LAST_ACTION = 14, 15, 16
HEAD = 20

# A sprite's record.
(KIND, X, Y, LAST_X, LAST_Y, WAY_X, WAY_Y, ORIENTED, LAST_MOVE, FIRST_TICK, AGE, START, MADE, KEPT, KEPT_X, KEPT_Y) = (
    range(16)
)
(HEALTH, KILLED, DISABLED, FROM_AVATAR, PULLED, GOAL, GOAL_X, GOAL_Y, NAME, NEXT, BEFORE) = range(16, 27)
(NEXT_HERE, BEFORE_HERE, COLUMN, ROW, NEXT_DYING) = range(27, 32)
RECORD = 32
"""Then follow the sprite's resources."""

# The game's head: sizes, and where its tables begin.
(G_TYPES, G_BLOCK, G_WIDTH, G_HEIGHT, G_COLUMNS, G_ROWS, G_ALIGNED, G_RESOURCES, G_CAPACITY, G_MOST_TIMERS) = range(10)
(G_MOST_SHIELDS, G_PLAYABLE, G_KIND, G_KIN, G_RANK, G_SINGLE, G_UPDATE) = range(10, 17)
(G_UPDATES, G_PAIRS, G_PAIR_COUNT, G_EDGES, G_EDGE_COUNT, G_EFFECTS, G_ENDS, G_END_COUNT, G_OBSTACLES) = range(20, 29)
(G_OBSTACLE_COUNT, G_HEADS, G_CELLS, G_SHIELD_ROWS, G_TIMER_ROWS, G_SPRITES, G_SIZE, G_MOST_SPRITES) = range(29, 37)
GAME_HEAD = 40

# What a type is; an effect; chances and distances are in the tables of floating-point numbers.
(K_CLASS, K_STATIC, K_ORIENTED, K_WAY_X, K_WAY_Y, K_ROTATE, K_COOLDOWN, K_STEP, K_SPEED, K_MOVES, K_LIMIT) = range(11)
(K_VALUE, K_TOTAL, K_KEEPS, K_SPAWN_X, K_SPAWN_Y, K_MADE, K_CHASED, K_FEARED, K_HEALTH, K_MOST_HEALTH) = range(11, 21)
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
