"""Engines: a name or a path becomes an `EngineSpec`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ggtp.catalogue.bridges import bridged, installed, split_kind, through
from ggtp.catalogue.engine_file import ADDRESS, COMMAND, Description, EngineSpec, parse_table
from ggtp.catalogue.faults import guest_fault
from ggtp.catalogue.finder import Entry, Finder, used_twice, where
from ggtp.catalogue.packages import PackageGuest
from ggtp.catalogue.paths import Folder, given_file, list_files, read_file
from ggtp.catalogue.shelves import pick, survey
from ggtp.errors import EngineFileError, EngineNotFound

GROUP = "ggtp.engines.v1"
SUFFIXES = (".toml",)
MOST_BYTES = 1 << 20
"""How large a description may be."""

NOT_INSTALLED = "The bundled engines are not installed: run `pip install -e .` in the folder that holds pyproject.toml."


@dataclass(frozen=True, slots=True)
class EngineEntry(Entry):
    """A line in the list of engines."""

    spec: EngineSpec | None = None
    """The description, where it can be used."""
    programs: tuple[str, ...] = ()
    """Of a bridge: the foreign programs that are known to work behind it and are installed, as `KIND:command`."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A description that was read: a spec, or the error that came of it."""

    name: str
    source: str
    path: Path | None
    outcome: EngineSpec | EngineFileError


class EngineFinder(Finder[_Candidate]):
    """Finds engines in the places of `ggtp.catalogue.paths`, in their order.

    Descriptions are read anew each time: they are small, and people edit them while we run.
    """

    group = GROUP
    not_installed = NOT_INSTALLED

    def find(self, text: str) -> EngineSpec:
        """The engine of that name, or described in the file of that path, or `KIND:command` with a bridge of that kind.

        Raises:
            EngineNotFound: there is none; carries names that look like it.
            EngineFileError: there is, but its description can't be used.
        """
        path = given_file(text, SUFFIXES, self._environ, description_of)
        if path is not None and path.suffix.casefold() in SUFFIXES:
            return _complete(_spec_of(self._joined(_read(path, path.stem, "a given path"))))
        spoken = split_kind(text)
        if spoken is not None:
            return self._bridged(*spoken)
        return _complete(self._by_name(text, path))

    def _bridged(self, kind: str, command: str) -> EngineSpec:
        bridge = self._by_name(kind, None)
        if not bridge.takes_command:
            raise EngineFileError(f"{bridge.name} starts no other program: say {bridge.name} alone.")
        try:
            return bridged(bridge, command, self._environ)
        except EngineFileError as error:
            text = str(error)
            raise EngineFileError(f"{text[:1].upper()}{text[1:]}.") from None

    def _by_name(self, text: str, path: Path | None) -> EngineSpec:
        found = pick(text, self._shelves())
        if len(found) == 1:
            return _spec_of(self._joined(found[0]))
        if len({item.name for item in found}) > 1:
            raise EngineNotFound(text, [item.name for item in found])
        if found:
            raise used_twice(EngineFileError, found[0], found[1:])
        if path is not None:
            raise EngineFileError(
                "a program is not an engine's description: write a .toml file with a name "
                'and argv = ["the program", "{endpoint}"], and give its path',
                path=str(path),
            )
        raise self._not_found(EngineNotFound, text)

    def entries(self) -> list[EngineEntry]:
        """Every engine of every place, the shadowed and the broken ones too, by name."""
        entries = []
        for standing in survey(self._shelves()):
            item, shadow = self._joined(standing.item), standing.shadowed_by
            spec = item.outcome if isinstance(item.outcome, EngineSpec) else None
            problem = item.outcome if isinstance(item.outcome, EngineFileError) else None
            if standing.twins and problem is None:
                problem = used_twice(EngineFileError, item, standing.twins)
            entries.append(
                EngineEntry(
                    name=item.name,
                    title=spec.title if spec is not None else "",
                    source=item.source,
                    path=item.path,
                    shadowed_by=None if shadow is None else where(shadow),
                    problem=None if problem is None else str(problem),
                    spec=spec if problem is None else None,
                    programs=() if spec is None or problem is not None else installed(spec, self._environ),
                )
            )
        return [*entries, *self._absent(EngineEntry)]

    def _joined(self, candidate: _Candidate) -> _Candidate:
        """The same; a foreign program is joined to the bridge that its description names."""
        spec = candidate.outcome
        if isinstance(spec, EngineFileError) or not spec.bridge:
            return candidate
        path = "" if candidate.path is None else str(candidate.path)
        try:
            found = pick(spec.bridge, self._shelves())
            bridge = found[0].outcome if len(found) == 1 else None
            if not isinstance(bridge, EngineSpec):
                raise EngineFileError(f"no bridge named {spec.bridge}")
            return replace(candidate, outcome=through(bridge, spec, self._environ))
        except EngineFileError as error:
            return replace(candidate, outcome=EngineFileError(str(error), path=path))

    def _in_folder(self, folder: Folder) -> list[_Candidate]:
        # One level: any other file of an engine's folder is what the engine is made of, TOML files included.
        found = list_files(folder.path, SUFFIXES, levels=1, inside=description_of)
        return [_read(path, name, folder.source) for name, path in found]

    def _from_package(self, guest: PackageGuest) -> _Candidate:
        return _given_by(guest)


def description_of(folder: Path) -> Path | None:
    """The description in a folder that is an engine by itself, which has the folder's name; None for another folder."""
    path = folder / f"{folder.name}{SUFFIXES[0]}"
    return path if path.is_file() else None


def _read(path: Path, name: str, source: str) -> _Candidate:
    """What a file says. A description that can't be used goes by its own name if it has one, else by its file's."""
    try:
        content = read_file(path, EngineFileError, MOST_BYTES)
        description = Description(parse_table(content, path), path.parent, str(path), str(path), content)
        name = description.name() or name
        return _Candidate(name, source, path, description.spec())
    except EngineFileError as error:
        return _Candidate(name, source, path, error)


def _given_by(guest: PackageGuest) -> _Candidate:
    """What an entry point names: a description, a mapping with the keys of one, or the path of a file."""
    try:
        loaded = guest.load(EngineFileError)
        if isinstance(loaded, EngineSpec):
            loaded = _table(loaded)
        if isinstance(loaded, Mapping):
            description = Description(loaded, guest.folder(), guest.label())
            return _Candidate(description.name() or guest.name, guest.source, None, description.spec())
        if isinstance(loaded, str | Path):
            path = Path(loaded) if Path(loaded).is_absolute() else (guest.folder() or Path()) / loaded
            return _read(path, guest.name, guest.source)
        raise EngineFileError(
            f"{guest.label()}: a {type(loaded).__name__} is no EngineSpec, no mapping and no path of a TOML file"
        )
    except EngineFileError as error:
        return _Candidate(guest.name, guest.source, None, error)
    # Why so broad: the object may be of any class, and do anything when it is looked at.
    except Exception as fault:  # noqa: BLE001
        unusable = guest_fault(EngineFileError, fault, what=f"{guest.label()} can't be used")
        return _Candidate(guest.name, guest.source, None, unusable)


def _table(spec: EngineSpec) -> dict[str, object]:
    """The keys of a description that somebody else made, so that it is checked like any other."""
    table: dict[str, object] = {
        "name": spec.name,
        "argv": spec.argv,
        "title": spec.title,
        "transport": spec.transport,
        "rules": spec.rules,
        "plays": {key: value for key, value in asdict(spec.plays).items() if value is not None},
        "options": spec.options,
        "env": spec.env,
        "programs": spec.programs,
        "network": spec.network,
        "reads": spec.reads,
        "writes": spec.writes,
    }
    if spec.sandbox is not None:
        table["sandbox"] = spec.sandbox
    if spec.bridge:
        table = {key: value for key, value in table.items() if key != "transport"} | {"bridge": spec.bridge}
    return table if spec.cwd is None else table | {"cwd": str(spec.cwd)}


def _complete(spec: EngineSpec) -> EngineSpec:
    if spec.takes_command:
        gap = next(word for word in spec.argv if word in (COMMAND, ADDRESS))
        raise EngineFileError(
            f"{spec.name} is a bridge, since its argv has {gap}: name a program behind it, {spec.name}:PROGRAM."
        )
    return spec


def _spec_of(candidate: _Candidate) -> EngineSpec:
    if isinstance(candidate.outcome, EngineFileError):
        raise candidate.outcome
    return candidate.outcome
