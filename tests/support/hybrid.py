"""Small video games for the hybrid player's parts, compiled."""

from __future__ import annotations

import random

from support.vgdl import game

from ggtp.vgdl.kernel.model import Model, State
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.player.explorer import Explorer
from ggtp.vgdl.player.hybrid import HybridPlayer
from ggtp.vgdl.player.knowledge import Knowledge
from ggtp.vgdl.player.options import HybridSettings, TreeSettings

SPRITES = """
floor > Immovable
coin > Immovable
exit > Door
trap > Immovable
box > Passive
hole > Immovable
key > Resource limit=5
gate > Immovable
foe > RandomNPC cooldown=2 cons=3
"""
RULES = """
avatar wall > stepBack
coin avatar > killSprite scoreChange=1
exit avatar > killSprite
avatar trap > killSprite scoreChange=-1
box avatar > bounceForward
box wall box > undoAll
hole box > killBoth scoreChange=1
avatar hole > stepBack
key avatar > collectResource
gate avatar > killIfOtherHasMore resource=key limit=2
avatar gate > stepBack
foe wall > stepBack
avatar foe > killSprite scoreChange=-1
"""
DEATH = "SpriteCounter stype=avatar win=False\nTimeout limit=900 win=False\n"
EXIT = "SpriteCounter stype=exit win=True\n"
MAPPING = ". > floor\nc > coin\nx > exit\nt > trap\nb > box\nh > hole\nk > key\ng > gate\nf > foe\n"


def start(level: str, sprites: str = SPRITES, rules: str = RULES, ends: str = "", mapping: str = MAPPING) -> State:
    """A game of coins, keys, boxes and foes at the start of a level; rows are separated by blanks."""
    usual = EXIT + DEATH if "x" in level else DEATH  # without any exit from the beginning it would be won
    made = game(sprites, rules, ends or usual, mapping)
    return Model(made, parse_level("\n".join(level.split()), made)).start(1)


def kind(state: State, name: str) -> int:
    """The number of a kind, which the player itself never learns."""
    return next(one.number for one in state.model.game.types if one.name == name)


def explorer(state: State, seed: int = 1, **settings: object) -> tuple[Explorer, Knowledge]:
    """A tree search with nothing known yet."""
    knowledge = Knowledge(state.model)
    return Explorer(knowledge, TreeSettings(**settings), random.Random(seed)), knowledge  # type: ignore[arg-type]


def player(state: State, seed: int = 1, **settings: object) -> HybridPlayer:
    """A player for a game."""
    return HybridPlayer(state.model, HybridSettings(megabytes=8, **settings), random.Random(seed))  # type: ignore[arg-type]


def never() -> bool:
    """There is no hurry."""
    return False


def act(hybrid: HybridPlayer, state: State, ticks: int, advances: int = 60) -> list[Action]:
    """Lets a player play some ticks, or to the end."""
    actions: list[Action] = []
    while not state.ended and len(actions) < ticks:
        actions.append(hybrid.act(state.copy(len(actions)), never, advances))
        state.advance(actions[-1])
    return actions
