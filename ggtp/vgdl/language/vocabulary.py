"""The words of the language: classes of sprites, effects and ends, each with its parameters and their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum


class Action(IntEnum):
    """What a player can do in a tick."""

    NIL = 0
    UP = 1
    LEFT = 2
    DOWN = 3
    RIGHT = 4
    USE = 5


Vector = tuple[int, int]

NOWHERE: Vector = (0, 0)
UP: Vector = (0, -1)
LEFT: Vector = (-1, 0)
DOWN: Vector = (0, 1)
RIGHT: Vector = (1, 0)
DIRECTIONS: tuple[Vector, ...] = (UP, LEFT, DOWN, RIGHT)
"""The four directions in the order in which chance draws from them."""
WAYS: Mapping[str, Vector] = {"UP": UP, "LEFT": LEFT, "DOWN": DOWN, "RIGHT": RIGHT, "NONE": NOWHERE, "NIL": NOWHERE}
"""Directions as the texts name them."""


class Kind(Enum):
    """What a parameter's value is."""

    NUMBER = "number"
    WHOLE = "whole number"
    FLAG = "True or False"
    SPRITE = "sprite"
    NUMBERS = "whole numbers"
    EFFECT = "effect"


class SpriteClass(IntEnum):
    """What sprites do by themselves."""

    IMMOVABLE = 0
    PASSIVE = 1
    RESOURCE = 2
    DOOR = 3
    PORTAL = 4
    FLICKER = 5
    ORIENTED_FLICKER = 6
    SPREADER = 7
    MISSILE = 8
    RANDOM_MISSILE = 9
    SPAWN_POINT = 10
    BOMBER = 11
    RANDOM_BOMBER = 12
    RANDOM_NPC = 13
    CHASER = 14
    FLEEING = 15
    RANDOM_PATH_ALT_CHASER = 16
    MOVING_AVATAR = 17
    ORIENTED_AVATAR = 18
    SHOOT_AVATAR = 19
    FLAK_AVATAR = 20
    MISSILE_AVATAR = 21
    ONGOING_AVATAR = 22


class Category(IntEnum):
    """What a player may know of a sprite's kind."""

    AVATAR = 0
    RESOURCE = 1
    PORTAL = 2
    NPC = 3
    STATIC = 4
    FROM_AVATAR = 5
    MOVABLE = 6


@dataclass(frozen=True, slots=True)
class ClassWord:
    """A class of sprites: what it is, and the values that a game may set otherwise."""

    number: SpriteClass
    speed: float = 0.0
    static: bool = False
    oriented: bool = False
    orientation: Vector = NOWHERE
    rotate: bool = False
    """A change of direction takes a move of its own."""
    category: Category = Category.MOVABLE
    limit: int = 0
    actions: tuple[Action, ...] = ()
    """What the player can do with such an avatar, besides nothing."""

    @property
    def avatar(self) -> bool:
        """Whether the player steers it."""
        return self.number >= SpriteClass.MOVING_AVATAR


FOUR = (Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP)

CLASSES: Mapping[str, ClassWord] = {
    "Immovable": ClassWord(SpriteClass.IMMOVABLE, static=True, category=Category.STATIC),
    "Passive": ClassWord(SpriteClass.PASSIVE),
    "Resource": ClassWord(SpriteClass.RESOURCE, category=Category.RESOURCE, limit=2),
    "Door": ClassWord(SpriteClass.DOOR, static=True, category=Category.PORTAL),
    "Portal": ClassWord(SpriteClass.PORTAL, static=True, category=Category.PORTAL),
    "Flicker": ClassWord(SpriteClass.FLICKER, limit=1),
    "OrientedFlicker": ClassWord(SpriteClass.ORIENTED_FLICKER, oriented=True, limit=1),
    "Spreader": ClassWord(SpriteClass.SPREADER, limit=1),
    "Missile": ClassWord(SpriteClass.MISSILE, speed=1.0, oriented=True),
    "RandomMissile": ClassWord(SpriteClass.RANDOM_MISSILE, speed=1.0, oriented=True),
    "SpawnPoint": ClassWord(SpriteClass.SPAWN_POINT, static=True, category=Category.STATIC),
    "Bomber": ClassWord(SpriteClass.BOMBER, oriented=True, orientation=RIGHT, category=Category.NPC),
    "RandomBomber": ClassWord(SpriteClass.RANDOM_BOMBER, oriented=True, orientation=RIGHT, category=Category.NPC),
    "RandomNPC": ClassWord(SpriteClass.RANDOM_NPC, speed=1.0, category=Category.NPC),
    "Chaser": ClassWord(SpriteClass.CHASER, speed=1.0, category=Category.NPC),
    "Fleeing": ClassWord(SpriteClass.FLEEING, speed=1.0, category=Category.NPC),
    "RandomPathAltChaser": ClassWord(SpriteClass.RANDOM_PATH_ALT_CHASER, speed=1.0, category=Category.NPC),
    "MovingAvatar": ClassWord(SpriteClass.MOVING_AVATAR, speed=1.0, category=Category.AVATAR, actions=FOUR),
    "OrientedAvatar": ClassWord(
        SpriteClass.ORIENTED_AVATAR,
        speed=1.0,
        oriented=True,
        orientation=RIGHT,
        rotate=True,
        category=Category.AVATAR,
        actions=FOUR,
    ),
    "ShootAvatar": ClassWord(
        SpriteClass.SHOOT_AVATAR,
        speed=1.0,
        oriented=True,
        orientation=RIGHT,
        rotate=True,
        category=Category.AVATAR,
        actions=(Action.USE, *FOUR),
    ),
    "FlakAvatar": ClassWord(
        SpriteClass.FLAK_AVATAR,
        speed=1.0,
        category=Category.AVATAR,
        actions=(Action.USE, Action.LEFT, Action.RIGHT),
    ),
    "MissileAvatar": ClassWord(
        SpriteClass.MISSILE_AVATAR,
        speed=1.0,
        oriented=True,
        orientation=RIGHT,
        rotate=True,
        category=Category.AVATAR,
    ),
    "OngoingAvatar": ClassWord(
        SpriteClass.ONGOING_AVATAR,
        speed=1.0,
        oriented=True,
        orientation=RIGHT,
        rotate=True,
        category=Category.AVATAR,
        actions=FOUR,
    ),
}


class Effect(IntEnum):
    """What a collision, the edge of the screen or the time does."""

    STEP_BACK = 0
    KILL_SPRITE = 1
    KILL_BOTH = 2
    TRANSFORM_TO = 3
    TRANSFORM_TO_ALL = 4
    TRANSFORM_TO_SINGLETON = 5
    BOUNCE_FORWARD = 6
    UNDO_ALL = 7
    COLLECT_RESOURCE = 8
    COLLECT_RESOURCE_IF_HELD = 9
    CHANGE_RESOURCE = 10
    KILL_IF_OTHER_HAS_MORE = 11
    KILL_IF_HAS_MORE = 12
    KILL_IF_HAS_LESS = 13
    SUBTRACT_HEALTH_POINTS = 14
    ADD_HEALTH_POINTS = 15
    SPAWN = 16
    SPAWN_IF_HAS_MORE = 17
    SPAWN_IF_HAS_LESS = 18
    ATTRACT_GAZE = 19
    REVERSE_DIRECTION = 20
    FLIP_DIRECTION = 21
    WRAP_AROUND = 22
    TURN_AROUND = 23
    SHIELD_FROM = 24
    TELEPORT_TO_EXIT = 25
    KILL_IF_FRONTAL = 26
    KILL_IF_NOT_FRONTAL = 27
    KILL_IF_FROM_ABOVE = 28
    PULL_WITH_IT = 29
    CLONE_SPRITE = 30
    ADD_TIMER = 31


@dataclass(frozen=True, slots=True)
class EffectWord:
    """An effect, and what its line sets besides what every line may set."""

    number: Effect
    settings: Mapping[str, Kind] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    """Settings without which it means nothing."""


ANY_EFFECT: Mapping[str, Kind] = {"scoreChange": Kind.NUMBERS, "repeat": Kind.WHOLE}
"""What the line of every effect may set."""
TIMED: Mapping[str, Kind] = {"timer": Kind.WHOLE, "repeating": Kind.FLAG}
"""What it may set where the time is a partner."""

_AMOUNT: Mapping[str, Kind] = {"resource": Kind.SPRITE, "limit": Kind.WHOLE}
_SPAWN: Mapping[str, Kind] = {"stype": Kind.SPRITE, "prob": Kind.NUMBER}

EFFECTS: Mapping[str, EffectWord] = {
    "stepBack": EffectWord(Effect.STEP_BACK, {"pixelPerfect": Kind.FLAG}),
    "killSprite": EffectWord(Effect.KILL_SPRITE),
    "killBoth": EffectWord(Effect.KILL_BOTH),
    "transformTo": EffectWord(
        Effect.TRANSFORM_TO,
        {"stype": Kind.SPRITE, "killSecond": Kind.FLAG, "forceOrientation": Kind.FLAG},
        ("stype",),
    ),
    "transformToAll": EffectWord(
        Effect.TRANSFORM_TO_ALL,
        {"stype": Kind.SPRITE, "stypeTo": Kind.SPRITE, "killSecond": Kind.FLAG, "forceOrientation": Kind.FLAG},
        ("stype", "stypeTo"),
    ),
    "transformToSingleton": EffectWord(
        Effect.TRANSFORM_TO_SINGLETON,
        {"stype": Kind.SPRITE, "stype_other": Kind.SPRITE, "takeOrientation": Kind.FLAG},
        ("stype", "stype_other"),
    ),
    "bounceForward": EffectWord(Effect.BOUNCE_FORWARD),
    "undoAll": EffectWord(Effect.UNDO_ALL, {"notStype": Kind.SPRITE}),
    "collectResource": EffectWord(Effect.COLLECT_RESOURCE, {"killResource": Kind.FLAG}),
    "collectResourceIfHeld": EffectWord(
        Effect.COLLECT_RESOURCE_IF_HELD,
        {"heldResource": Kind.SPRITE, "value": Kind.WHOLE, "killResource": Kind.FLAG},
        ("heldResource",),
    ),
    "changeResource": EffectWord(
        Effect.CHANGE_RESOURCE,
        {"resource": Kind.SPRITE, "value": Kind.WHOLE, "killResource": Kind.FLAG},
        ("resource",),
    ),
    "killIfOtherHasMore": EffectWord(Effect.KILL_IF_OTHER_HAS_MORE, _AMOUNT, ("resource",)),
    "killIfHasMore": EffectWord(Effect.KILL_IF_HAS_MORE, _AMOUNT, ("resource",)),
    "killIfHasLess": EffectWord(Effect.KILL_IF_HAS_LESS, _AMOUNT, ("resource",)),
    "subtractHealthPoints": EffectWord(
        Effect.SUBTRACT_HEALTH_POINTS,
        {
            "value": Kind.WHOLE,
            "limit": Kind.WHOLE,
            "stype": Kind.SPRITE,
            "killSecond": Kind.FLAG,
            "scoreChangeIfKilled": Kind.NUMBERS,
        },
    ),
    "addHealthPoints": EffectWord(Effect.ADD_HEALTH_POINTS, {"value": Kind.WHOLE, "killSecond": Kind.FLAG}),
    "spawn": EffectWord(Effect.SPAWN, _SPAWN, ("stype",)),
    "spawnIfHasMore": EffectWord(
        Effect.SPAWN_IF_HAS_MORE, {**_SPAWN, **_AMOUNT, "spend": Kind.WHOLE}, ("stype", "resource")
    ),
    "spawnIfHasLess": EffectWord(
        Effect.SPAWN_IF_HAS_LESS, {**_SPAWN, **_AMOUNT, "spend": Kind.WHOLE}, ("stype", "resource")
    ),
    "attractGaze": EffectWord(Effect.ATTRACT_GAZE, {"prob": Kind.NUMBER, "align": Kind.FLAG}),
    "reverseDirection": EffectWord(Effect.REVERSE_DIRECTION),
    "flipDirection": EffectWord(Effect.FLIP_DIRECTION),
    "wrapAround": EffectWord(Effect.WRAP_AROUND, {"offset": Kind.NUMBER}),
    "turnAround": EffectWord(Effect.TURN_AROUND),
    "shieldFrom": EffectWord(Effect.SHIELD_FROM, {"stype": Kind.SPRITE, "ftype": Kind.EFFECT}, ("stype", "ftype")),
    "teleportToExit": EffectWord(Effect.TELEPORT_TO_EXIT),
    "killIfFrontal": EffectWord(Effect.KILL_IF_FRONTAL),
    "killIfNotFrontal": EffectWord(Effect.KILL_IF_NOT_FRONTAL),
    "killIfFromAbove": EffectWord(Effect.KILL_IF_FROM_ABOVE),
    "pullWithIt": EffectWord(Effect.PULL_WITH_IT, {"pixelPerfect": Kind.FLAG}),
    "cloneSprite": EffectWord(Effect.CLONE_SPRITE),
    "addTimer": EffectWord(Effect.ADD_TIMER, {"ftype": Kind.EFFECT, **TIMED}, ("ftype",)),
}


class End(IntEnum):
    """What ends a game."""

    SPRITE_COUNTER = 0
    MULTI_SPRITE_COUNTER = 1
    TIMEOUT = 2


@dataclass(frozen=True, slots=True)
class EndWord:
    """A way to end, and what its line sets."""

    number: End
    settings: Mapping[str, Kind]
    needed: tuple[str, ...] = ()


ENDS: Mapping[str, EndWord] = {
    "SpriteCounter": EndWord(
        End.SPRITE_COUNTER, {"stype": Kind.SPRITE, "limit": Kind.WHOLE, "win": Kind.FLAG}, ("stype",)
    ),
    "MultiSpriteCounter": EndWord(
        End.MULTI_SPRITE_COUNTER,
        {
            "stype1": Kind.SPRITE,
            "stype2": Kind.SPRITE,
            "stype3": Kind.SPRITE,
            "limit": Kind.WHOLE,
            "min": Kind.FLAG,
            "win": Kind.FLAG,
        },
        ("stype1",),
    ),
    "Timeout": EndWord(End.TIMEOUT, {"limit": Kind.WHOLE, "win": Kind.FLAG}),
}
