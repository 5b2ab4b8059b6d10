"""The text of a game to values, with every fault listed at its place."""

from __future__ import annotations

from collections.abc import Mapping

from ggtp.vgdl.language.definition import Game
from ggtp.vgdl.language.faults import Fault, Severity, as_error, errors
from ggtp.vgdl.language.parse_rules import RuleParser
from ggtp.vgdl.language.parse_sprites import SpriteParser
from ggtp.vgdl.language.reader import Line, Setting, Word, read, settings
from ggtp.vgdl.language.values import Values, near

HEADS = ("BasicGame", "Game")
SECTIONS = ("SpriteSet", "LevelMapping", "InteractionSet", "TerminationSet")
MOST_CHARACTERS = 1_000_000


def parse(text: str, path: str = "") -> Game:
    """The game of a text that has no errors.

    Raises:
        RulesError: it has some; placed at the first, and naming the others.
    """
    game, faults = survey(text)
    if game is None or errors(faults):
        raise as_error(faults, text, path)
    return game


def parse_leniently(text: str, path: str = "") -> Game:
    """The game of a text without the lines that mean nothing, as the framework of the recorded games reads it.

    Raises:
        RulesError: nothing is left to play.
    """
    game, faults = survey(text)
    if game is None:
        raise as_error(faults, text, path)
    return game


def survey(text: str) -> tuple[Game | None, list[Fault]]:
    """The game as far as it can be understood, and all that is wrong with its text."""
    values = Values()
    if len(text) > MOST_CHARACTERS:
        values.fault(f"the text is longer than {MOST_CHARACTERS} characters", Word("", 1, 1))
        return None, values.faults
    head = _head(read(text), values)
    if head is None:
        return None, values.faults
    sections = _sections(head, values)
    square, obstacles = _header(head, values)
    sprites = SpriteParser(values)
    types = sprites.parse(sections["SpriteSet"])
    rules = RuleParser(values, sprites.numbers)
    pairs, edges, times = rules.interactions(sections["InteractionSet"])
    game = Game(
        types=types,
        draw_order=sprites.draw_order(),
        mapping=rules.mapping(sections["LevelMapping"], types),
        pairs=pairs,
        edges=edges,
        times=times,
        ends=rules.ends(sections["TerminationSet"]),
        square_size=square,
        obstacles=tuple(number for setting in obstacles for number in values.names(setting, sprites.numbers, "sprite")),
    )
    return game, values.faults


def _head(lines: list[Line], values: Values) -> Line | None:
    if not lines:
        values.fault("the text is empty: a game begins with a line BasicGame", Word("", 1, 1))
        return None
    for line in lines:
        if line.first.text in HEADS:
            for other in lines:
                if other is not line:
                    values.fault(f"{other.first} belongs to nothing: indent it below {line.first}", other.first)
            return line
    values.fault(f"a game begins with a line BasicGame, not with {lines[0].first}", lines[0].first)
    return None


def _sections(head: Line, values: Values) -> Mapping[str, list[Line]]:
    found: dict[str, list[Line]] = {name: [] for name in SECTIONS}
    for line in head.children:
        if line.first.text in found:
            found[line.first.text] += line.children
        else:
            values.fault(f"there is no section {line.first}{near(line.first.text, SECTIONS)}", line.first)
    for name in ("SpriteSet", "TerminationSet", "InteractionSet"):
        if not found[name]:
            values.fault(f"the game has no {name}, or nothing in it", head.first, Severity.WARNING)
    return found


def _header(head: Line, values: Values) -> tuple[int | None, list[Setting]]:
    square: int | None = None
    obstacles = []
    for setting in settings(head.words[1:])[1]:
        if setting.name == "square_size":
            square = values.whole(setting, low=1, high=10_000)
        elif setting.name == "obs":
            obstacles.append(setting)
    return square, obstacles
