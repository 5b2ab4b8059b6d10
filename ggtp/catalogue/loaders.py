"""What a loader of rules is: one for each suffix of a rule file; `ggtp.catalogue.rules` has the table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ggtp.errors import RulesError

PACKAGE_FILE = "__init__.py"
"""The file of a package, which stands for the whole."""


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file with rules, and how it was found."""

    path: Path
    """For a package, its `__init__.py`."""
    name: str
    """Its path below the folder that was searched, without the suffix: `gdl/chess`."""
    module: str | None = None
    """Its dotted name, where it is a module of a bundled package."""

    @property
    def package(self) -> Path | None:
        """The folder of the package that it stands for; None where it is a file by itself."""
        return self.path.parent if self.path.name == PACKAGE_FILE else None

    def others(self) -> list[Path]:
        """The other modules of the package, in a fixed order."""
        return [] if self.package is None else sorted({*self.package.rglob("*.py")} - {self.path})


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
