"""Rules: a name or a path becomes a `Rules` object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ggtp.catalogue import gdl_rules, openspiel_rules, python_rules, vgdl_rules
from ggtp.catalogue.loaders import PACKAGE_FILE, Loader, RuleFile, Sketch
from ggtp.catalogue.packages import PackageGuest, package_guests
from ggtp.catalogue.paths import Folder, absence, bundled, given_file, list_files, read_file
from ggtp.catalogue.shelves import Standing, pick, survey
from ggtp.errors import RulesError, RulesNotFound
from ggtp.game import Rules
from ggtp.game.names import near_names

GROUP = "ggtp.rules.v1"

LOADERS: dict[str, Loader] = {
    ".py": Loader(python_rules.load, python_rules.sketch),
    **{suffix: Loader(gdl_rules.load, gdl_rules.sketch, named_after_file=True) for suffix in gdl_rules.SUFFIXES},
    openspiel_rules.SUFFIX: Loader(openspiel_rules.load, openspiel_rules.sketch, named_after_file=True),
    **{suffix: Loader(vgdl_rules.load, vgdl_rules.sketch, named_after_file=True) for suffix in vgdl_rules.SUFFIXES},
}
"""How each suffix is read. A new kind of rule file is a new line here."""

NAME = re.compile(r"[\w-]+(/[\w-]+)*")
"""What a rule may be called: letters, digits, `_` and `-`, with `/` between parts."""

NOT_INSTALLED = "The bundled rules are not installed: run `pip install -e .` in the folder that holds pyproject.toml."


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A line in the list of rules."""

    name: str
    title: str
    source: str
    """Where it is from, for people."""
    path: Path | None
    """Its file; None for the entry point of a package."""
    shadowed_by: str | None = None
    """The path or source of the rules that are found under this name in its stead."""
    problem: str | None = None
    """Why it can't be used, as far as that is known without running it."""

    @property
    def usable(self) -> bool:
        """Whether its name finds it, and nothing is known to be wrong with it."""
        return self.shadowed_by is None and self.problem is None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Rules that were found and not looked into: a file, or an entry point of a package."""

    name: str
    source: str
    file: RuleFile | None = None
    guest: PackageGuest | None = None

    def where(self) -> str:
        return self.source if self.file is None else str(self.file.path)


@dataclass(slots=True)
class _Known:
    """What was learned from a file with this content."""

    digest: bytes
    sketch: Sketch | None = None
    rules: Rules | None = None
    error: RulesError | None = None


class RuleFinder:
    """Finds rules in the places of `ggtp.catalogue.paths`, in their order.

    Order of operations: `find` tries the text as a path, then as a name; what it loaded is
    kept and given again until the file changes. `entries` reads every rule and runs none.
    """

    def __init__(self, folders: Sequence[Folder], package: str, environ: Mapping[str, str]) -> None:
        """The folders to search before the entry points, and the bundled package to search after them."""
        self._folders = tuple(folders)
        self._package = package
        self._environ = environ
        self._guests: list[PackageGuest] | None = None
        self._known: dict[tuple[Path, str], _Known] = {}

    def find(self, text: str) -> Rules:
        """The rules of that name, or in the file of that path.

        Raises:
            RulesNotFound: there are none; carries names that look like it.
            RulesError: there are, but they can't be used.
        """
        path = self._given(text)
        if path is not None and path.suffix.casefold() in LOADERS:
            return self._load_file(RuleFile(path, path.parent.name if path.name == PACKAGE_FILE else path.stem))
        found = pick(text, self._shelves())
        if len(found) == 1:
            return self._load(found[0])
        if found:
            raise _used_twice(found[0], found[1:])
        if path is not None:
            kinds = " or ".join(LOADERS)
            raise RulesError(f"this kind of file is not known as rules, which end in {kinds}", path=str(path))
        raise self._not_found(text)

    def locate(self, text: str) -> Path | None:
        """The file that `find` would load; None where it would load none."""
        path = self._given(text)
        if path is not None and path.suffix.casefold() in LOADERS:
            return path
        found = pick(text, self._shelves())
        return found[0].file.path if len(found) == 1 and found[0].file is not None else None

    def entries(self) -> list[RuleEntry]:
        """Every rule of every place, the shadowed and the broken ones too, by name. No guest's code runs."""
        entries = [self._entry(standing) for standing in survey(self._shelves())]
        for folder in self._folders:
            reason = absence(folder.path) if folder.promised else None
            if reason is not None:
                entries.append(RuleEntry(str(folder.path), "", folder.source, folder.path, problem=reason))
        if bundled(self._package) is None:
            entries.append(RuleEntry(self._package, "", "bundled", None, problem=NOT_INSTALLED))
        return entries

    def _given(self, text: str) -> Path | None:
        return given_file(text, tuple(LOADERS), self._environ, python_rules.package_file)

    def _shelves(self) -> Iterator[list[_Candidate]]:
        for folder in self._folders:
            yield _in_folder(folder)
        if self._guests is None:
            self._guests = package_guests(GROUP)
        yield [_Candidate(guest.name, guest.source, guest=guest) for guest in self._guests]
        ours = bundled(self._package)
        if ours is not None:
            yield _in_folder(ours)

    def _load(self, candidate: _Candidate) -> Rules:
        """Loads what was found by name, and sees that its own name agrees."""
        if candidate.file is not None:
            rules = self._load_file(candidate.file)
            if not _same_name(rules.name, candidate.name):
                raise _misnamed(rules.name, candidate.file)
            return rules
        assert candidate.guest is not None
        label = candidate.guest.label()
        rules = _checked(candidate.guest.load(RulesError), f"{label}: ", "")
        if not _same_name(rules.name, candidate.name):
            raise RulesError(f"{label}: it holds rules named {rules.name}")
        return rules

    def _load_file(self, file: RuleFile) -> Rules:
        """Loads a file, unless that was done before and it has not changed."""
        content = read_file(file.path, RulesError)
        known = self._remember(file, content)
        if known.rules is None:
            try:
                loader = LOADERS[file.path.suffix.casefold()]
                known.rules = _checked(loader.load(file, content), "", str(file.path))
            except RulesError as error:
                known.error = error
                raise
            known.error = None
        return known.rules

    def _remember(self, file: RuleFile, content: bytes) -> _Known:
        digest = _digest(file, content)
        # Found by path and by name, such a file is two rules: `chess` and `gdl/chess`.
        key = (file.path, file.name if LOADERS[file.path.suffix.casefold()].named_after_file else "")
        known = self._known.get(key)
        if known is None or known.digest != digest:
            known = self._known[key] = _Known(digest)
        return known

    def _entry(self, standing: Standing[_Candidate]) -> RuleEntry:
        candidate, shadow = standing.item, standing.shadowed_by
        sketch = self._sketch(candidate)
        problem = _used_twice(candidate, standing.twins) if standing.twins else sketch.problem
        return RuleEntry(
            name=sketch.name or (candidate.name if candidate.file is None else candidate.file.name),
            title=sketch.title,
            source=candidate.source,
            path=None if candidate.file is None else candidate.file.path,
            shadowed_by=None if shadow is None else shadow.where(),
            problem=None if problem is None else str(problem),
        )

    def _sketch(self, candidate: _Candidate) -> Sketch:
        """What is known of a candidate without running it; a load that was tried before is known."""
        if candidate.guest is not None:
            problem = candidate.guest.problem
            return Sketch(problem=None if problem is None else RulesError(f"{candidate.source}: {problem}"))
        assert candidate.file is not None
        file = candidate.file
        try:
            content = read_file(file.path, RulesError)
        except RulesError as error:
            return Sketch(problem=error)
        known = self._remember(file, content)
        if known.sketch is None:
            known.sketch = LOADERS[file.path.suffix.casefold()].sketch(file.path, content)
        sketch = known.sketch
        if known.rules is not None:
            sketch = Sketch(known.rules.name, known.rules.title)
        elif known.error is not None:
            sketch = Sketch(None, sketch.title, known.error)
        if sketch.name is not None and not _same_name(sketch.name, file.name):
            return Sketch(None, sketch.title, _misnamed(sketch.name, file))
        return sketch

    def _not_found(self, text: str) -> RulesNotFound:
        error = RulesNotFound(text, near_names(text, [entry.name for entry in self.entries() if entry.usable]))
        if bundled(self._package) is None:
            # Most names are bundled ones, so this is likely why it was not found.
            error.args = (f"{error} {NOT_INSTALLED}",)
        return error


def _in_folder(folder: Folder) -> list[_Candidate]:
    candidates = []
    for name, path in list_files(folder.path, tuple(LOADERS), inside=python_rules.package_file):
        dotted = None
        if folder.package is not None and path.suffix == ".py":
            dotted = f"{folder.package}.{name.replace('/', '.')}"
        # By their casefolded names, so that Hex.py and hex.py side by side are seen to be one rule twice.
        candidates.append(_Candidate(name.casefold(), folder.source, RuleFile(path, name, dotted)))
    return candidates


def _digest(file: RuleFile, content: bytes) -> bytes:
    """Changes when the file does, or any module of its package."""
    found = sha256(content)
    for other in file.others():
        found.update(str(other).encode(errors="surrogateescape"))
        with suppress(OSError):
            found.update(other.read_bytes())
    return found.digest()


def _checked(loaded: object, label: str, path: str) -> Rules:
    """What a guest gave, if it is rules with a possible name.

    Raises:
        RulesError: it is not.
    """
    if isinstance(loaded, type) and issubclass(loaded, Rules):
        raise RulesError(f"{label}{loaded.__name__} is a class of rules; name an object of it", path=path)
    if not isinstance(loaded, Rules):
        raise RulesError(f"{label}something of type {type(loaded).__name__} is not a Rules object", path=path)
    name: object = getattr(loaded, "name", None)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise RulesError(
            f"{label}the rules need a name of letters, digits, `_`, `-` and `/`; theirs is {name!r}", path=path
        )
    return loaded


def _same_name(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _misnamed(name: str, file: RuleFile) -> RulesError:
    what = "file" if file.package is None else "folder"
    return RulesError(
        f"it holds rules named {name}, which are not found by that name: name the {what} after them",
        path=str(file.path),
    )


def _used_twice(candidate: _Candidate, twins: Sequence[_Candidate]) -> RulesError:
    others = " and ".join(twin.where() for twin in twins)
    path = "" if candidate.file is None else str(candidate.file.path)
    return RulesError(f"the name {candidate.name} is used twice: also by {others}", path=path)
