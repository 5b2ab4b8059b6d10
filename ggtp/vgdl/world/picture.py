"""Draws a game under way: a letter for each square, and a line with the figures."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.game import Cell, Grid, Note, Picture
from ggtp.game.picture import Part, Tone
from ggtp.vgdl.language.definition import AVATAR, WALL, Game, SpriteType
from ggtp.vgdl.language.vocabulary import Category
from ggtp.vgdl.world.world import LOST, WON, Sprite, World

TONES: Mapping[Category, Tone] = {
    Category.AVATAR: "first",
    Category.RESOURCE: "good",
    Category.PORTAL: "fourth",
    Category.NPC: "bad",
    Category.STATIC: "plain",
    Category.FROM_AVATAR: "second",
    Category.MOVABLE: "third",
}
AVATAR_MARK, WALL_MARK, EMPTY_MARK = "@", "#", "."


def marks(game: Game) -> dict[int, str]:
    """A character for each type: that of the level where it is the topmost sprite there, or one of its name."""
    found: dict[int, str] = {WALL: WALL_MARK, AVATAR: AVATAR_MARK}
    used = {WALL_MARK, AVATAR_MARK, EMPTY_MARK, " "}
    order = {number: place for place, number in enumerate(game.draw_order)}
    for letter, numbers in game.mapping.items():
        if not numbers:
            continue
        top = max(numbers, key=lambda number: order.get(number, -1))
        if top not in found and not _steered(game.types[top]) and letter.isprintable() and letter not in used:
            found[top] = letter
            used.add(letter)
    for kind in game.types:
        if _steered(kind):
            found[kind.number] = AVATAR_MARK
        elif kind.number not in found:
            choices = [*kind.name.lower(), *kind.name.upper(), *"*+%&$!?:;=~^"]
            found[kind.number] = next((one for one in choices if one not in used and one.isascii()), "?")
            used.add(found[kind.number])
    return found


def _steered(kind: SpriteType) -> bool:
    return kind.word is not None and kind.word.avatar


def draw(world: World) -> Picture:
    """The whole screen, and what there is to know besides."""
    parts: list[Part] = [Grid(tuple(tuple(row) for row in cells(world))), Note(status(world), "muted")]
    if world.winner == WON:
        parts.append(Note("won", "good"))
    elif world.winner == LOST:
        parts.append(Note("lost", "bad"))
    return Picture(tuple(parts))


def cells(world: World) -> list[list[Cell]]:
    """What is on top of each square; sprites between squares are drawn on the one that has most of them."""
    game, block = world.game, world.block
    letters = marks(game)
    rows = [[Cell(EMPTY_MARK, "empty")] * world.level.width for _ in range(world.level.height)]
    for number in game.draw_order:
        for sprite in world.groups[number]:
            column, row = (sprite.x + block // 2) // block, (sprite.y + block // 2) // block
            if not sprite.disabled and 0 <= row < len(rows) and 0 <= column < len(rows[0]):
                rows[row][column] = _cell(world, sprite, letters[number])
    return rows


def _cell(world: World, sprite: Sprite, letter: str) -> Cell:
    if sprite.kind.number in world.background and letter != WALL_MARK:
        return Cell(EMPTY_MARK, "empty")
    if letter == WALL_MARK:
        return Cell(letter, "muted")
    category = Category.FROM_AVATAR if sprite.from_avatar else sprite.kind.category
    return Cell(letter, TONES[category])


def status(world: World) -> str:
    """Tick, score, and what the avatar has."""
    words = [f"tick {world.tick + 1}", f"score {world.score}"]
    avatar = world.avatar
    if avatar is not None:
        if avatar.kind.health:
            words.append(f"health {avatar.health}")
        for number, amount in sorted(avatar.resources.items()):
            if amount:
                words.append(f"{world.game.types[number].name} {amount}")
    return ", ".join(words)


def legend(world: World) -> str:
    """What the letters mean of all that there is now, but walls, what is always there, and the avatar."""
    letters = marks(world.game)
    seen = [
        kind for kind, group in zip(world.game.types, world.groups, strict=True)
        if group and kind.number not in world.background and kind.number != WALL and not _steered(kind)
    ]  # fmt: skip
    return ", ".join(f"{letters[kind.number]} {kind.name}" for kind in seen)
