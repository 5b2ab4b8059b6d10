"""Rules that are games of OpenSpiel: a file names the game and says what the library does not."""

from __future__ import annotations

import tomllib
from pathlib import Path

from ggtp.catalogue.gdl_rules import decode
from ggtp.catalogue.loaders import RuleFile, Sketch
from ggtp.errors import RulesError

SUFFIX = ".spiel"


def load(file: RuleFile, content: bytes) -> object:
    """The rules of a file; the library itself is loaded when a play begins, and in another process.

    Raises:
        RulesError: it is not UTF-8, no TOML, or says what cannot be.
    """
    from ggtp.openspiel.rules import OpenSpielRules  # only those who play such a game pay for it
    from ggtp.openspiel.spec import read_spec

    return OpenSpielRules(file.name, read_spec(decode(file.path, content), str(file.path)))


def sketch(path: Path, content: bytes) -> Sketch:
    """The title that the file gives."""
    try:
        title = tomllib.loads(decode(path, content)).get("title", "")
    except RulesError as problem:
        return Sketch(problem=problem)
    except (ValueError, RecursionError) as error:
        return Sketch(problem=RulesError(f"this is no TOML: {error}", path=str(path)))
    return Sketch(title=str(title))
