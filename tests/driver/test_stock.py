"""What the user's cache is to have, and whether it has it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.catalogue.compile.cache import DiskCache
from ggtp.driver.stock import Wanted, complete, fill, wanted

OURS = EngineSpec("MCTS", ("{python}", "-m", "ggtp.engines.mcts", "{endpoint}"))


def test_our_own_engines_compile_rules_that_are_a_text() -> None:
    catalogue = Catalogue.from_environment({})
    text, code = catalogue.find_rules("gdl/tictactoe"), catalogue.find_rules("TicTacToe")
    found = wanted(OURS, text, "gdl/tictactoe", {}, "cross")
    assert found is not None
    assert found.module == "ggtp.engines.mcts"
    assert found.options["rule_text"].startswith("(role")
    assert wanted(OURS, code, "TicTacToe", {}, "Cross") is None
    other = EngineSpec("Mine", ("{python}", "-m", "mine", "{endpoint}"))
    assert wanted(other, text, "gdl/tictactoe", {}, "cross") is None


def test_a_list_is_complete_while_all_its_files_are_there(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.put("code", b"x")
    (file,) = tmp_path.iterdir()
    os.utime(file, (1, 1))
    assert not complete(cache, "list")
    cache.put("list", file.name.encode())
    assert complete(cache, "list")
    assert file.stat().st_mtime > 1, "it counts as used"
    file.unlink()
    assert not complete(cache, "list")


def test_a_game_that_is_told_otherwise_is_another_one() -> None:
    assert Wanted("m", {"rule": "a"}).key != Wanted("m", {"rule": "b"}).key
    assert Wanted("m", {"rule": "a"}).key != Wanted("n", {"rule": "a"}).key


@pytest.mark.process
@pytest.mark.slow
def test_a_process_of_ours_fills_the_cache_and_makes_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache = DiskCache(tmp_path / "ggtp/gdl")
    text = Catalogue.from_environment({}).find_rules("gdl/tictactoe")
    what = wanted(OURS, text, "gdl/tictactoe", {}, "cross")
    assert what is not None
    fill(cache, what, 1024, lambda: False)
    assert complete(cache, what.key)
    assert len((cache.get(what.key) or b"").split()) > 3
