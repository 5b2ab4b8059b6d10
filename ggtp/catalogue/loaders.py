"""What a loader of rules is: one for each suffix of a rule file; `ggtp.catalogue.rules` has the table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ggtp.errors import RulesError


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file with rules, and how it was found."""

    path: Path
    name: str
    """Its path below the folder that was searched, without the suffix: `gdl/chess`."""
    module: str | None = None
    """Its dotted name, where it is a module of a bundled package."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """What a file says about itself when it is read but not run."""

    name: str | None = None
    """The canonical name, where it is plain to see."""
    title: str = ""
    problem: RulesError | None = None


class Sketcher(Protocol):
    """Reads what a file says about itself. Never runs it, never raises."""

    def __call__(self, path: Path, content: bytes, /) -> Sketch: ...


class Load(Protocol):
    """Makes the `Rules` object of a file. May raise a placed `RulesError`; what it gives is checked by the caller."""

    def __call__(self, file: RuleFile, content: bytes, /) -> object: ...


@dataclass(frozen=True, slots=True)
class Loader:
    """How files of one suffix are read."""

    load: Load
    sketch: Sketcher
    named_after_file: bool = False
    """The rules have the name under which their file was found, and none of their own."""
