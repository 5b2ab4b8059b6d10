"""A world of its own for each test: folders for every place, and packages that are not really installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from ggtp.catalogue import Catalogue
from ggtp.catalogue.engines import EngineFinder
from ggtp.catalogue.paths import folders
from ggtp.catalogue.rules import RuleFinder

RULE = """
    from ggtp.game import Rules

    class {name}(Rules):
        name = "{name}"
        title = "{title}"

        def players(self, options):
            return ("One", "Two")

        def begin(self, options):
            raise NotImplementedError

    RULES = {name}()
"""


class World:
    """Where a catalogue looks, on a disk that only the test knows."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.environ = {"HOME": str(root / "home")}
        self.site = root / "site"
        self.package = f"bundle_{root.name}"
        patch.chdir(self.folder("work"))
        patch.syspath_prepend(str(self.folder("site")))

    def folder(self, path: str) -> Path:
        """A folder, made if it was not there."""
        folder = self.root / path
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def write(self, path: str, text: str) -> Path:
        """A file with that text, its common indentation taken away."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text), encoding="utf-8")
        return target

    def rule(self, path: str, name: str, title: str = "") -> Path:
        """A file with rules of that name."""
        return self.write(path, RULE.format(name=name, title=title))

    def engine(self, path: str, name: str, more: str = "") -> Path:
        """A file that describes an engine of that name."""
        return self.write(path, f'name = "{name}"\nargv = ["{name}"]\n{more}')

    def distribution(self, name: str, entry_points: str) -> None:
        """An installed package that offers these entry points."""
        self.write(f"site/{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        self.write(f"site/{name}-1.0.dist-info/entry_points.txt", entry_points)

    def bundle(self, kind: str) -> str:
        """The bundled package, made on the disk; gives the path to write its guests below."""
        self.write(f"site/{self.package}/__init__.py", "")
        self.write(f"site/{self.package}/{kind}/__init__.py", "")
        return f"site/{self.package}/{kind}"

    def catalogue(self) -> Catalogue:
        """A catalogue that looks in this world only."""
        return Catalogue(
            RuleFinder(folders(self.environ, "rules"), f"{self.package}.rules", self.environ),
            EngineFinder(folders(self.environ, "engines"), f"{self.package}.engines", self.environ),
        )


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world in which nothing is installed, nothing bundled, and no folder has anything."""
    before = set(sys.modules)
    yield World(tmp_path, monkeypatch)
    for name in set(sys.modules) - before:
        del sys.modules[name]
