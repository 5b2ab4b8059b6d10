"""Pages of the manual: where they lie, and what they are called by people."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

NAME = re.compile(r"(ggtp)(?:-([\w-]+))?\.([1-8])")

LEVELS = 5
"""How far above the package the pages may lie: PREFIX/lib/python3.11/site-packages/ggtp has PREFIX at the fourth."""


def find_pages(package: Path) -> dict[str, Path]:
    """Every page by its topic: `rules` for ggtp-rules(7), `ggtp` for ggtp(1).

    Args:
        package: the folder of the package; the pages lie beside it in a checkout, and in
            `share/man` below one of the folders above it where it is installed.
    """
    pages: dict[str, Path] = {}
    for folder in _folders(package):
        for path in sorted(folder.glob("ggtp*.[1-8]")):
            found = NAME.fullmatch(path.name)
            if found is not None:
                pages.setdefault(found[2] or found[1], path)
    return pages


def title(path: Path) -> str:
    """`ggtp-rules(7)`."""
    return f"{path.stem}({path.suffix[1:]})"


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
