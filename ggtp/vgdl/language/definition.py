"""A game as values: types of sprites, what collisions do, what ends it, what a level's letters mean.

Types are numbered: wall 0, avatar 1, the others in the order of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ggtp.vgdl.language.vocabulary import NOWHERE, Category, ClassWord, Effect, End, Vector

WALL, AVATAR = 0, 1
"""The types that every game has."""


@dataclass(slots=True)
class SpriteType:
    """What all sprites of a type have in common."""

    number: int
    name: str
    parent: int | None = None
    word: ClassWord | None = None
    """Its class; None for types of which there can be no sprites."""
    class_name: str = ""
    kin: tuple[int, ...] = ()
    """Whoever asks for this type means these: its ancestors, itself and its descendants."""
    ancestry: tuple[int, ...] = ()
    """Its ancestors and itself."""
    children: list[int] = field(default_factory=list)
    singleton: bool = False
    speed: float = 0.0
    cooldown: int = 1
    orientation: Vector = NOWHERE
    oriented: bool = False
    static: bool = False
    rotate: bool = False
    category: Category = Category.MOVABLE
    hidden: bool = False
    health: int = 0
    most_health: int = 1000
    targets: tuple[int, ...] = ()
    """`stype`: whom it makes, chases or leads to."""
    chased: int = -1
    """`stype1`: whom an alternating chaser chases."""
    feared: int = -1
    """`stype2`: whom it flees from."""
    limit: int = 0
    value: int = 1
    chance: float = 1.0
    total: int = 0
    keeps: int = 0
    """`cons`: for how many further moves a random walker keeps its direction."""
    spawn_orientation: Vector = NOWHERE
    spread: float = 1.0
    reach: float = -1.0
    """`maxDistance` in pixels; negative: any distance."""
    epsilon: float = 0.0
    ammo: tuple[int, ...] = ()
    """The resource that each of the targets costs; empty where shots are free."""
    ammo_least: tuple[int, ...] = ()
    ammo_cost: tuple[int, ...] = ()
    color: str = ""

    @property
    def target(self) -> int:
        """The one type that it makes, chases or leads to; -1 for none."""
        return self.targets[0] if self.targets else -1


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One effect with its settings; those that it does not use have their defaults."""

    effect: Effect
    score: int = 0
    repeat: int = 1
    stype: int = -1
    stype_to: int = -1
    """`stypeTo`, or `stype_other`."""
    resource: int = -1
    """`resource`, or `heldResource`."""
    value: int = 1
    limit: int = 0
    spend: int = 0
    chance: float = 1.0
    kill_second: bool = False
    kill_resource: bool = False
    pixel_perfect: bool = False
    align: bool = False
    take_orientation: bool = False
    """`takeOrientation`, or `forceOrientation`."""
    score_if_killed: int = 0
    not_stype: int = -1
    offset: float = 0.0
    shielded: int = -1
    """The effect that a shield keeps away."""
    timer: int = 0
    repeating: bool = False
    inner: EffectLine | None = None
    """What a timer does when its time has come."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class PairRule:
    """All effects of two types that meet, in the order of the text."""

    first: int
    second: int
    effects: tuple[EffectLine, ...]


@dataclass(frozen=True, slots=True)
class EdgeRule:
    """All effects of a type that leaves the screen; as often in the game as there are lines for them."""

    first: int
    effects: tuple[EffectLine, ...]


@dataclass(frozen=True, slots=True)
class TimeRule:
    """What time does to a type; -1: to no sprite in particular."""

    first: int
    effect: EffectLine


@dataclass(frozen=True, slots=True)
class EndRule:
    """When the game ends, and whether the player has won then."""

    end: End
    win: bool = False
    stypes: tuple[int, ...] = ()
    limit: int = 0
    at_least: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game; a level is still needed to play it."""

    types: tuple[SpriteType, ...]
    draw_order: tuple[int, ...]
    """The types that can have sprites, in the order in which they are drawn; they move in the reverse order."""
    mapping: Mapping[str, tuple[int, ...]]
    pairs: tuple[PairRule, ...]
    edges: tuple[EdgeRule, ...]
    times: tuple[TimeRule, ...]
    ends: tuple[EndRule, ...]
    square_size: int | None = None
    obstacles: tuple[int, ...] = ()
    """`obs`: what path finders walk around."""

    def resource_limit(self, number: int) -> int:
        """How much of a resource one can have; nothing of what is no resource."""
        kind = self.types[number]
        return kind.limit if kind.class_name == "Resource" else 0
