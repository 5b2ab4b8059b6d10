"""What an engine's program was, for a case file: its command line, and the hashes of its files."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from ggtp.catalogue import EngineSpec
from ggtp.processes.spawn import without_folder

MOST_BYTES = 2**30
"""A larger file is named with its size and without a hash: case files must not take long."""


def program_lines(spec: EngineSpec) -> tuple[str, ...]:
    """The command line, where its words are from and where it runs, and the SHA-256 of every file that it names.

    `{endpoint}` and its like stay as they are: they are others each time. The files are looked at now.
    """
    words = without_folder([word.replace("{python}", sys.executable) for word in spec.argv])
    lines = [shlex.join(words)]
    if spec.source:
        lines.append(f"described in {spec.source}")
    lines.append(f"run in {spec.cwd or Path.cwd()}")
    for path in dict.fromkeys(program_files(words, spec)):
        lines.append(f"{_digest_words(path)} {path}")
    return tuple(lines)


def program_files(words: Sequence[str], spec: EngineSpec) -> Iterator[Path]:
    """The program itself, and each argument that is a file, or a module of Python's behind `-m`."""
    folder = spec.cwd or Path.cwd()
    variables = {**os.environ, **spec.env}
    program = words[0] if "/" not in words[0] else str(folder / words[0])
    found = shutil.which(program, path=variables.get("PATH"))
    if found is not None:
        yield Path(found).resolve()
    for before, word in pairwise(words):
        if before == "-m":
            places = [str(folder), *variables.get("PYTHONPATH", "").split(os.pathsep), *sys.path]
            yield from _module_file(word, [place for place in places if place])
        elif os.path.isfile(folder / word):  # unlike Path's, it bears words of any length
            yield (folder / word).resolve()


def _module_file(name: str, places: Sequence[str]) -> Iterator[Path]:
    """The file of a module, without importing anything: a package may do what it likes then."""
    parts = name.split(".")
    for place in places:
        base = Path(place, *parts)
        for path in (base.with_name(f"{parts[-1]}.py"), base / "__main__.py"):
            if os.path.isfile(path):
                yield path.resolve()
                return
    with suppress(ImportError, ValueError, KeyError):
        yield from _mapped_file(parts)


def _mapped_file(parts: Sequence[str]) -> Iterator[Path]:
    """The same by Python's finders: a package that is installed for editing may be anywhere."""
    within: Sequence[str] = sys.path
    for end in range(1, len(parts) + 1):
        name = ".".join(parts[:end])
        specs = (finder.find_spec(name, within) for finder in sys.meta_path)
        module = next((spec for spec in specs if spec is not None), None)
        if module is None:
            return
        within = module.submodule_search_locations or ()
    assert module is not None
    if module.has_location and module.origin is not None:
        yield Path(module.origin).resolve()


def _digest_words(path: Path) -> str:
    try:
        info = path.stat()
        if not stat.S_ISREG(info.st_mode) or info.st_size > MOST_BYTES:
            return f"no hash, {info.st_size} bytes"
        return f"sha256 {_digest(path, info.st_size, info.st_mtime_ns, info.st_ino)}"
    except OSError as error:
        return f"no hash, {error.strerror}"


@lru_cache(maxsize=256)
def _digest(path: Path, _size: int, _changed: int, _inode: int) -> str:
    """The hash of a file; a file that has not changed is read once, however many games go wrong."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
