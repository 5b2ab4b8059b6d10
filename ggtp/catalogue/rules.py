"""Rules: a name or a path becomes a `Rules` object."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ggtp.catalogue import gdl_rules, openspiel_rules, python_rules, vgdl_rules
from ggtp.catalogue.finder import Entry, Finder, used_twice, where
from ggtp.catalogue.loaders import PACKAGE_FILE, Loader, RuleFile, Sketch
from ggtp.catalogue.packages import PackageGuest
from ggtp.catalogue.paths import MOST_BYTES, Folder, given_file, list_files, read_file, read_regular
from ggtp.catalogue.shelves import Standing, pick, survey
from ggtp.errors import RulesError, RulesNotFound
from ggtp.game import Rules

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
class RuleEntry(Entry):
    """A line in the list of rules."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Rules that were found and not looked into: a file, or an entry point of a package."""

    name: str
    source: str
    file: RuleFile | None = None
    guest: PackageGuest | None = None

    @property
    def path(self) -> Path | None:
        """Its file; None for an entry point."""
        return None if self.file is None else self.file.path


@dataclass(slots=True)
class _Known:
    """What was learned from a file with this content."""

    digest: bytes
    sketch: Sketch | None = None
    rules: Rules | None = None
    error: RulesError | None = None


class RuleFinder(Finder[_Candidate]):
    """Finds rules in the places of `ggtp.catalogue.paths`, in their order.

    Order of operations: `find` tries the text as a path, then as a name; what it loaded is
    kept and given again until the file changes. `entries` reads every rule and runs none.
    """

    group = GROUP
    not_installed = NOT_INSTALLED

    def __init__(self, folders: Sequence[Folder], package: str, environ: Mapping[str, str]) -> None:
        super().__init__(folders, package, environ)
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
            raise used_twice(RulesError, found[0], found[1:])
        if path is not None:
            kinds = " or ".join(LOADERS)
            raise RulesError(f"this kind of file is not known as rules, which end in {kinds}", path=str(path))
        raise self._not_found(RulesNotFound, text)

    def locate(self, text: str) -> Path | None:
        """The file that `find` would load; None where it would load none."""
        path = self._given(text)
        if path is not None and path.suffix.casefold() in LOADERS:
            return path
        found = pick(text, self._shelves())
        return found[0].file.path if len(found) == 1 and found[0].file is not None else None

    def entries(self) -> list[RuleEntry]:
        """Every rule of every place, the shadowed and the broken ones too, by name. No guest's code runs."""
        return [*map(self._entry, survey(self._shelves())), *self._absent(RuleEntry)]

    def _given(self, text: str) -> Path | None:
        return given_file(text, tuple(LOADERS), self._environ, python_rules.package_file)

    def _in_folder(self, folder: Folder) -> list[_Candidate]:
        candidates = []
        for name, path in list_files(folder.path, tuple(LOADERS), inside=python_rules.package_file):
            dotted = None
            if folder.package is not None and path.suffix == ".py":
                dotted = f"{folder.package}.{name.replace('/', '.')}"
            # By their casefolded names, so that Hex.py and hex.py side by side are seen to be one rule twice.
            candidates.append(_Candidate(name.casefold(), folder.source, RuleFile(path, name, dotted)))
        return candidates

    def _from_package(self, guest: PackageGuest) -> _Candidate:
        return _Candidate(guest.name, guest.source, guest=guest)

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
        problem = used_twice(RulesError, candidate, standing.twins) if standing.twins else sketch.problem
        return RuleEntry(
            name=sketch.name or (candidate.name if candidate.file is None else candidate.file.name),
            title=sketch.title,
            source=candidate.source,
            path=candidate.path,
            shadowed_by=None if shadow is None else where(shadow),
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


def _digest(file: RuleFile, content: bytes) -> bytes:
    """Changes when the file does, or any module of its package."""
    found = sha256(content)
    for other in file.others():
        found.update(str(other).encode(errors="surrogateescape"))
        with suppress(OSError, ValueError):
            found.update(read_regular(other, MOST_BYTES))
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
