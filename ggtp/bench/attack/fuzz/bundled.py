"""The texts of the project that fuzzing begins with."""

from __future__ import annotations

from pathlib import Path

from ggtp.catalogue.paths import bundled


def folder(name: str, package: str = "ggtp.rules") -> Path:
    """A folder of a bundled package, which may not be there."""
    found = bundled(package)
    return Path("nowhere") if found is None else found.path / name


def texts(name: str, suffix: str, most: int, package: str = "ggtp.rules") -> list[str]:
    """The texts of a folder of a bundled package that have at most so many characters."""
    found = (path.read_text("utf-8") for path in sorted(folder(name, package).glob(f"*{suffix}")))
    return [text for text in found if len(text) <= most]
