"""Small video games for tests: a few lines of each section, and a level."""

from __future__ import annotations

import textwrap

from ggtp.vgdl.language.definition import Game
from ggtp.vgdl.language.level import parse_level
from ggtp.vgdl.language.parse import parse
from ggtp.vgdl.language.vocabulary import Action
from ggtp.vgdl.world.tick import advance
from ggtp.vgdl.world.world import Sprite, World

LETTERS = dict(zip("udlrs.", (Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT, Action.USE, Action.NIL), strict=True))
"""Actions in short."""

MAPPING = "A > avatar\nw > wall\n"


def text(sprites: str = "", rules: str = "", ends: str = "", mapping: str = "", head: str = "square_size=10") -> str:
    """The text of a game whose squares are ten pixels wide."""
    sections = {
        "SpriteSet": sprites,
        "LevelMapping": MAPPING + mapping,
        "InteractionSet": rules,
        "TerminationSet": ends,
    }
    lines = [f"BasicGame {head}".rstrip()]
    for name, body in sections.items():
        lines += [f"  {name}", textwrap.indent(textwrap.dedent(body), "    ")]
    return "\n".join(lines) + "\n"


def game(sprites: str = "", rules: str = "", ends: str = "", mapping: str = "") -> Game:
    """A game of these lines."""
    return parse(text(sprites, rules, ends, mapping))


def world(level: str, sprites: str = "", rules: str = "", ends: str = "", mapping: str = "", seed: int = 1) -> World:
    """A game of these lines at the start of a level; rows are separated by blanks."""
    made = game(sprites, rules, ends, mapping)
    return World(made, parse_level("\n".join(level.split()), made), seed)


def play(game: World, actions: str) -> World:
    """Plays ticks: u, d, l, r, s (shoot) and . for nothing."""
    for letter in actions:
        advance(game, LETTERS[letter])
    return game


def named(game: World, name: str) -> list[Sprite]:
    """The living sprites of exactly that type."""
    return [sprite for sprite in game.sprites() if sprite.kind.name == name]


def cells(game: World, name: str) -> list[tuple[float, float]]:
    """Where the living sprites of a type are, in squares."""
    return sorted((sprite.x / game.block, sprite.y / game.block) for sprite in named(game, name))
