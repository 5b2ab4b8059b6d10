"""What the finders of rules and of engines share: the places they search, and the lines of their lists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeVar

from ggtp.catalogue.packages import PackageGuest, package_guests
from ggtp.catalogue.paths import Folder, absence, bundled
from ggtp.catalogue.shelves import Named
from ggtp.game.names import near_names


@dataclass(frozen=True, slots=True)
class Entry:
    """A line in a list of rules or engines."""

    name: str
    title: str
    source: str
    """Where it is from, for people."""
    path: Path | None
    """Its file; None if a package gives it as an object."""
    shadowed_by: str | None = None
    """The path or source of what is found under this name in its stead."""
    problem: str | None = None
    """Why it can't be used, as far as that is known without running it."""

    @property
    def usable(self) -> bool:
        """Whether its name finds it, and nothing is known to be wrong with it."""
        return self.shadowed_by is None and self.problem is None


class Found(Named, Protocol):
    """Something that was found in one of the places."""

    @property
    def source(self) -> str: ...

    @property
    def path(self) -> Path | None: ...


Candidate = TypeVar("Candidate", bound=Found)
Line = TypeVar("Line", bound=Entry)
Error = TypeVar("Error", bound=Exception)
Raised = TypeVar("Raised", bound=Exception, covariant=True)


class PlacedError(Protocol[Raised]):
    """The class of an error that names a file."""

    def __call__(self, message: str, /, *, path: str) -> Raised: ...


def where(candidate: Found) -> str:
    """Return the path of a candidate, or its source if it has none."""
    return candidate.source if candidate.path is None else str(candidate.path)


def used_twice(error: PlacedError[Error], candidate: Found, twins: Sequence[Found]) -> Error:
    """Return the error for a name that several candidates of one place have."""
    others = " and ".join(map(where, twins))
    path = "" if candidate.path is None else str(candidate.path)
    return error(f"the name {candidate.name} is used twice: also by {others}", path=path)


class Finder(ABC, Generic[Candidate]):
    """Searches the places of `ggtp.catalogue.paths` in their order: folders, entry points, the bundled package."""

    group: ClassVar[str]
    """The group of entry points."""
    not_installed: ClassVar[str]
    """What to say if the bundled package is absent."""

    def __init__(self, folders: Sequence[Folder], package: str, environ: Mapping[str, str]) -> None:
        """The folders to search before the entry points, and the bundled package to search after them."""
        self._folders = tuple(folders)
        self._package = package
        self._environ = environ
        self._guests: list[PackageGuest] | None = None

    @abstractmethod
    def entries(self) -> Sequence[Entry]:
        """Everything in every place, the shadowed and the broken too, by name."""

    @abstractmethod
    def _in_folder(self, folder: Folder) -> list[Candidate]:
        """What a folder has."""

    @abstractmethod
    def _from_package(self, guest: PackageGuest) -> Candidate:
        """What an entry point names."""

    def _shelves(self) -> Iterator[list[Candidate]]:
        for folder in self._folders:
            yield self._in_folder(folder)
        if self._guests is None:
            self._guests = package_guests(self.group)
        yield [self._from_package(guest) for guest in self._guests]
        ours = bundled(self._package)
        if ours is not None:
            yield self._in_folder(ours)

    def _absent(self, line: Callable[[str, str, str, Path | None, None, str], Line]) -> Iterator[Line]:
        """A line for each place that should be there and is not."""
        for folder in self._folders:
            reason = absence(folder.path) if folder.promised else None
            if reason is not None:
                yield line(str(folder.path), "", folder.source, folder.path, None, reason)
        if bundled(self._package) is None:
            yield line(self._package, "", "bundled", None, None, self.not_installed)

    def _not_found(self, error: Callable[[str, Sequence[str]], Error], text: str) -> Error:
        """The error for a name that finds nothing, with names that look like it."""
        fault = error(text, near_names(text, [entry.name for entry in self.entries() if entry.usable]))
        if bundled(self._package) is None:
            # Most names are bundled ones, so this is likely why it was not found.
            fault.args = (f"{fault} {self.not_installed}",)
        return fault
