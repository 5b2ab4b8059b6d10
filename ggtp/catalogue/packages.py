"""Guests that installed packages offer as entry points, in the groups `ggtp.rules.v1` and `ggtp.engines.v1`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path

from ggtp.catalogue.faults import guest_fault
from ggtp.errors import PlacedError


@dataclass(frozen=True, slots=True)
class PackageGuest:
    """One entry point, or a package whose list of entry points can't be read."""

    name: str
    source: str
    """Which package it is from, for people."""
    entry_point: EntryPoint | None = None
    problem: str | None = None

    def load(self, error: type[PlacedError]) -> object:
        """Imports what the entry point names. The package's code runs now, and not before.

        Raises:
            PlacedError: of the class handed in, whatever the package's code did.
        """
        if self.entry_point is None:
            raise error(f"{self.source}: {self.problem}")
        try:
            loaded: object = self.entry_point.load()
        # Why so broad: it is a stranger's code, which may raise or exit as it likes.
        except (Exception, SystemExit) as fault:
            raise guest_fault(error, fault, what=f"{self.label()} can't be loaded") from fault
        return loaded

    def label(self) -> str:
        """The entry point and its package, for messages."""
        value = "" if self.entry_point is None else f" ({self.entry_point.value})"
        return f"entry point {self.name}{value} of {self.source}"

    def folder(self) -> Path | None:
        """The folder of the module that the entry point names, once it is loaded."""
        if self.entry_point is None:
            return None
        file = getattr(sys.modules.get(self.entry_point.value.partition(":")[0].strip()), "__file__", None)
        return Path(file).parent if file else None


def package_guests(group: str) -> list[PackageGuest]:
    """Every entry point of the group, by name. Nothing is imported.

    As with `importlib.metadata.entry_points`, the first distribution of a name on `sys.path`
    counts; unlike there, a package with unreadable metadata does not hide the others.
    """
    return sorted(_scan(group), key=lambda guest: guest.name.casefold())


def _scan(group: str) -> Iterator[PackageGuest]:
    seen = set()
    for distribution in distributions():
        try:
            text = distribution.read_text("entry_points.txt") or ""
        except (OSError, UnicodeDecodeError):
            continue
        # A cheap look first: hardly any package offers anything to us.
        if not re.search(rf"^\s*\[\s*{re.escape(group)}\s*\]", text, re.MULTILINE):
            continue
        name, label = _identify(distribution)
        if name in seen:
            continue
        seen.add(name)
        try:
            points = distribution.entry_points.select(group=group)
        # Why so broad: the parser of the standard library promises no particular exception.
        except Exception as fault:  # noqa: BLE001
            # Under its label, which nobody asks for, so that it hides no guest of the package's name.
            yield PackageGuest(label, label, problem=f"its entry points can't be read: {fault}")
            continue
        for point in points:
            yield PackageGuest(point.name, label, point)


def _identify(distribution: Distribution) -> tuple[str, str]:
    """A name to compare and a label for people."""
    try:
        name, version = distribution.metadata["Name"], distribution.metadata["Version"]
    # Why so broad: metadata may be missing, or in no readable form.
    except Exception:  # noqa: BLE001
        name, version = None, None
    if not name:
        return "unnamed", "a package without a name"
    return re.sub(r"[-_.]+", "-", name).casefold(), f"package {name} {version or ''}".rstrip()
