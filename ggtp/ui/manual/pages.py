"""Pages of the manual: their sources for `man`, and their text for where there is no `man`.

The text is made of the sources by `make manual`, which needs mandoc, and is a part of the package.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

NAME = re.compile(r"(ggtp)(?:-([\w-]+))?\.([1-8])")
TEXTS = Path(__file__).parent / "text"

LEVELS = 5
"""How far above the package the pages may lie: PREFIX/lib/python3.11/site-packages/ggtp has PREFIX at the fourth."""


def find_texts(folder: Path = TEXTS) -> dict[str, Path]:
    """Return the file with the text of each page, by topic: `rules` for ggtp-rules(7), `ggtp` for ggtp(1)."""
    return _by_topic(folder, ".txt")


def summary(text: str) -> str:
    """Return what a page is about: the words behind its name in the section NAME."""
    found = re.search(r"^NAME\n +\S+ +-+ +(.+)$", text, re.MULTILINE)
    return found[1] if found else ""


def find_pages(package: Path) -> dict[str, Path]:
    """Return the source of every page, by topic.

    Args:
        package: the folder of the package; the pages lie beside it in a checkout, and in
            `share/man` below one of the folders above it where it is installed.
    """
    pages: dict[str, Path] = {}
    for folder in _folders(package):
        for topic, path in _by_topic(folder).items():
            pages.setdefault(topic, path)
    return pages


def _by_topic(folder: Path, suffix: str = "") -> dict[str, Path]:
    found = ((NAME.fullmatch(path.name.removesuffix(suffix)), path) for path in sorted(folder.glob(f"ggtp*{suffix}")))
    return {name[2] or name[1]: path for name, path in found if name is not None}


def reader(environ: Mapping[str, str]) -> Path | None:
    """The program `man`, where there is one: it formats, and lets people page and search."""
    for folder in environ.get("PATH", "").split(os.pathsep):
        program = Path(folder) / "man"
        if folder and program.is_file() and os.access(program, os.X_OK):
            return program
    return None


def _folders(package: Path) -> Iterator[Path]:
    if (package.parent / "pyproject.toml").exists():
        yield package.parent / "man"
    for above in package.parents[:LEVELS]:
        for section in range(1, 9):
            yield above / "share" / "man" / f"man{section}"
