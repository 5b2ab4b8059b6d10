"""Finds guests, rules and engines, by name or path. The one room that imports guests; it looks only when asked."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggtp.catalogue.catalogue import Catalogue
    from ggtp.catalogue.engine_file import EngineSpec, Plays
    from ggtp.catalogue.engines import EngineEntry
    from ggtp.catalogue.rules import RuleEntry

__all__ = ["Catalogue", "EngineEntry", "EngineSpec", "Plays", "RuleEntry"]

_HOMES = {
    "Catalogue": "catalogue",
    "EngineEntry": "engines",
    "EngineSpec": "engine_file",
    "Plays": "engine_file",
    "RuleEntry": "rules",
}


def __getattr__(name: str) -> object:
    """Loads what is asked for: the room's processes that only compile or play shall not load all of it."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found
