"""The catalogue as the rest of the house sees it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ggtp.catalogue import Catalogue
from ggtp.errors import EngineNotFound, RulesNotFound

if TYPE_CHECKING:
    from support.catalogues import World


def test_it_looks_where_the_environment_says(world: World) -> None:
    world.rule("rules/hex.py", "Hex", "mine")
    world.engine("engines/deep.toml", "Deep")
    environ = world.environ | {
        "GGTP_RULES_PATH": str(world.root / "rules"),
        "GGTP_ENGINES_PATH": str(world.root / "engines"),
    }
    catalogue = Catalogue.from_environment(environ)
    assert catalogue.find_rules("hex").title == "mine"
    assert catalogue.find_engine("deep").name == "Deep"
    assert "Hex" in [entry.name for entry in catalogue.list_rules()]
    assert "Deep" in [entry.name for entry in catalogue.list_engines()]


def test_what_is_not_there_is_said_by_kind() -> None:
    catalogue = Catalogue.from_environment({})
    with pytest.raises(RulesNotFound, match="No rule named nothing"):
        catalogue.find_rules("nothing")
    with pytest.raises(EngineNotFound, match="No engine named nothing"):
        catalogue.find_engine("nothing")


@pytest.mark.process
def test_nothing_is_discovered_at_import_time() -> None:
    code = """
import sys
import ggtp.catalogue
ggtp.catalogue.Catalogue.from_environment({})
assert not [name for name in sys.modules if name.startswith(("ggtp.rules", "ggtp.engines"))], sys.modules
"""
    subprocess.run([sys.executable, "-I", "-c", code], check=True, timeout=60)
