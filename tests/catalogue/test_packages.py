"""Entry points: read from the metadata of packages, imported only when asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ggtp.catalogue.packages import package_guests
from ggtp.errors import RulesError

if TYPE_CHECKING:
    from support.catalogues import World

GROUP = "ggtp.rules.v1"


def test_entry_points_are_listed_by_name_and_not_imported(world: World) -> None:
    world.distribution("two", f"[console_scripts]\nx = y:z\n\n[{GROUP}]\nhex = hexes:HEX\nGo = goes:GO\n")
    world.distribution("one", f"[{GROUP}]\nNim = nims:NIM\n")
    world.distribution("zero", "[ggtp.rules.v2]\nOld = olds:OLD\n")
    world.write("site/hexes.py", "HEX = 42\n")
    guests = package_guests(GROUP)
    assert [(guest.name, guest.source) for guest in guests] == [
        ("Go", "package two 1.0"),
        ("hex", "package two 1.0"),
        ("Nim", "package one 1.0"),
    ]
    assert "hexes" not in sys.modules
    hexes = guests[1]
    assert hexes.folder() is None
    assert hexes.load(RulesError) == 42
    assert hexes.folder() == world.site
    assert hexes.label() == "entry point hex (hexes:HEX) of package two 1.0"


def test_the_first_package_of_a_name_on_the_path_counts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.distribution("One_Name", f"[{GROUP}]\nLate = x:X\n")
    world.write("other/one.name-2.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: one.name\nVersion: 2.0\n")
    world.write("other/one.name-2.0.dist-info/entry_points.txt", f"[{GROUP}]\nEarly = x:X\n")
    monkeypatch.syspath_prepend(str(world.root / "other"))
    assert [guest.name for guest in package_guests(GROUP)] == ["Early"]


def test_bad_metadata_hides_nobody_else(world: World) -> None:
    world.distribution("good", f"[{GROUP}]\nHex = hexes:HEX\n")
    world.distribution("bad", f"[{GROUP}]\nno entry point\n")
    world.write("site/nameless-1.0.dist-info/entry_points.txt", f"[{GROUP}]\nGo = goes:GO\n")
    (world.folder("site/bytes-1.0.dist-info") / "entry_points.txt").write_bytes(b"[ggtp.rules.v1]\n\xff = x:y\n")
    by_name = {guest.name: guest for guest in package_guests(GROUP)}
    assert by_name.keys() == {"Hex", "Go", "package bad 1.0"}
    assert by_name["Go"].source == "a package without a name"
    with pytest.raises(RulesError, match=r"package bad 1\.0: its entry points can't be read"):
        by_name["package bad 1.0"].load(RulesError)
    assert by_name["package bad 1.0"].folder() is None
