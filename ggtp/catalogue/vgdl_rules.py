"""Rules in the Video Game Description Language: data, so loading them runs nobody's code.

A game is a file `NAME.vgdl`; its levels are the files `NAME_lvl0.txt`, `NAME_lvl1.txt` and so on
beside it.
"""

from __future__ import annotations

import os
from pathlib import Path

from ggtp.catalogue.gdl_rules import decode
from ggtp.catalogue.loaders import RuleFile, Sketch
from ggtp.catalogue.paths import read_file
from ggtp.errors import RulesError

SUFFIXES = (".vgdl",)
MOST_LEVELS = 1000
LEVEL_BYTES = 1 << 20
"""How large the file of a level may be: four bytes for each of its squares, of which there are 500 x 500 at most."""


def load(file: RuleFile, content: bytes) -> object:
    """The rules of a file.

    Raises:
        RulesError: it is not UTF-8, or has errors; placed at the first, and naming the others.
    """
    from ggtp.vgdl.language.parse import parse  # only those who play such a game pay for it
    from ggtp.vgdl.world.rules import VideoRules

    text = decode(file.path, content)
    game = parse(text, str(file.path))

    def read_level(name: str) -> tuple[str, str]:
        path = level_path(file.path, name)
        return decode(path, read_file(path, RulesError, LEVEL_BYTES)), str(path)

    return VideoRules(file.name, game, title_of(text), read_level, count_levels(file.path))


def sketch(path: Path, content: bytes) -> Sketch:
    """The title is the comment at the top."""
    try:
        text = decode(path, content)
    except RulesError as problem:
        return Sketch(problem=problem)
    return Sketch(title=title_of(text))


def title_of(text: str) -> str:
    """What the first line of comment says, without its full stop; nothing where there is none."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first.lstrip("# ").rstrip(". ") if first.startswith("#") else ""


def level_path(game: Path, name: str) -> Path:
    """The file of a level, by its number or its path."""
    if name.isascii() and name.isdigit():
        return game.with_name(f"{game.stem}_lvl{int(name)}.txt")
    return Path(os.path.expanduser(name))


def count_levels(game: Path) -> int:
    """How many levels are beside a game, numbered from 0 without a gap."""
    return next(index for index in range(MOST_LEVELS + 1) if not level_path(game, str(index)).is_file())
