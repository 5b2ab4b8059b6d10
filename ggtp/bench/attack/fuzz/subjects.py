"""THE table of what is fuzzed: for each reader the texts to begin with, and what reading one means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from ggtp.bench.attack.fuzz.trial import Budget

SECONDS = 10.0
"""The processor time for one text, of which readers need milliseconds."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One kind of text."""

    name: str
    summary: str
    module: str
    seconds: float = SECONDS

    def _loaded(self) -> ModuleType:
        return import_module(f"ggtp.bench.attack.fuzz.{self.module}")

    def seeds(self, environ: Mapping[str, str]) -> Sequence[str]:
        """The texts of the project."""
        seeds: Sequence[str] = self._loaded().seeds(environ)
        return seeds

    def reader(self, environ: Mapping[str, str]) -> Callable[[str, Budget], str]:
        """What reads a text."""
        reader: Callable[[str, Budget], str] = self._loaded().reader(environ)
        return reader


SUBJECTS: dict[str, Subject] = {
    subject.name: subject
    for subject in (
        Subject("lines", "lines of a supervisor and of engines at a table", "lines"),
        Subject("plays", "play files: replayed, saved and replayed again", "plays"),
        Subject("gdl", "rules in GDL, and random moves by the interpreter", "gdl"),
        Subject("vgdl", "rules and levels in VGDL, and random ticks", "vgdl"),
        Subject("plans", "plans of tournaments", "plans"),
        Subject("descriptions", "descriptions of engines", "descriptions"),
        Subject("journals", "journals of tournaments, damaged and forged, and their reports", "journals"),
    )
}
