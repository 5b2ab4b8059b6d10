"""Finds guests, rules and engines, by name or path. The one room that imports guests; it looks only when asked."""

from ggtp.catalogue.catalogue import Catalogue
from ggtp.catalogue.engine_file import EngineSpec, Plays
from ggtp.catalogue.engines import EngineEntry
from ggtp.catalogue.rules import RuleEntry

__all__ = ["Catalogue", "EngineEntry", "EngineSpec", "Plays", "RuleEntry"]
