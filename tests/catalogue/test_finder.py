"""Facts about what both finders share: places in order, lines for those that are absent, errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ggtp.catalogue.finder import Entry, Finder, used_twice, where
from ggtp.catalogue.packages import PackageGuest
from ggtp.catalogue.paths import Folder
from ggtp.errors import RulesError, RulesNotFound


@dataclass(frozen=True)
class Text:
    """A file of a folder."""

    name: str
    source: str
    path: Path | None


class Texts(Finder[Text]):
    """Finds text files."""

    group = "ggtp.tests.nothing"
    not_installed = "The texts are not installed."

    def entries(self) -> Sequence[Entry]:
        found = [Entry(text.name, "", text.source, text.path) for shelf in self._shelves() for text in shelf]
        return [*found, *self._absent(Entry)]

    def find(self, name: str) -> Text:
        """The first of that name."""
        for shelf in self._shelves():
            for text in shelf:
                if text.name == name:
                    return text
        raise self._not_found(RulesNotFound, name)

    def _in_folder(self, folder: Folder) -> list[Text]:
        return [Text(path.stem, folder.source, path) for path in sorted(folder.path.glob("*.txt"))]

    def _from_package(self, guest: PackageGuest) -> Text:
        return Text(guest.name, guest.source, None)


def folder(path: Path, *names: str, promised: bool = False) -> Folder:
    path.mkdir(exist_ok=True)
    for name in names:
        (path / f"{name}.txt").write_text(name)
    return Folder(path, path.name, promised=promised)


def test_folders_are_searched_in_their_order(tmp_path: Path) -> None:
    finder = Texts([folder(tmp_path / "one", "a"), folder(tmp_path / "two", "a", "b")], "ggtp.rules", {})
    assert finder.find("a").source == "one"
    assert finder.find("b").source == "two"


def test_a_promised_folder_and_a_package_that_are_absent_have_lines(tmp_path: Path) -> None:
    promised = Folder(tmp_path / "promised", "somebody", promised=True)
    missing = Folder(tmp_path / "missing", "nobody")
    promise, package = Texts([promised, missing], "ggtp.no_such_package", {}).entries()
    assert (promise.name, promise.usable, promise.problem is None) == (str(promised.path), False, False)
    assert (package.source, package.problem) == ("bundled", "The texts are not installed.")


def test_what_is_not_found_is_told_with_near_names(tmp_path: Path) -> None:
    finder = Texts([folder(tmp_path / "one", "chess")], "ggtp.rules", {})
    with pytest.raises(RulesNotFound, match="chess") as caught:
        finder.find("ches")
    assert "not installed" not in str(caught.value)


def test_what_is_not_found_may_be_in_a_package_that_is_absent() -> None:
    fault = Texts([], "ggtp.no_such_package", {})._not_found(RulesNotFound, "chess")
    assert str(fault).endswith("The texts are not installed.")


def test_a_name_that_is_used_twice_is_told_with_its_places() -> None:
    first, second, packed = (
        Text("a", "x", Path("/x/a.txt")),
        Text("a", "x", Path("/x/A.txt")),
        Text("a", "a wheel", None),
    )
    assert (where(first), where(packed)) == ("/x/a.txt", "a wheel")
    fault = used_twice(RulesError, first, [second, packed])
    assert "the name a is used twice: also by /x/A.txt and a wheel" in str(fault)
    assert fault.path == "/x/a.txt"


def test_only_lines_without_problem_or_shadow_are_usable() -> None:
    assert Entry("a", "", "x", None).usable
    assert not Entry("a", "", "x", None, shadowed_by="y").usable
    assert not Entry("a", "", "x", None, problem="broken").usable
