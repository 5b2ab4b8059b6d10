"""The options of the hybrid player, and what a paper has switched off."""

import pytest

from ggtp.game.options import complete
from ggtp.vgdl.player.options import ABLATIONS, OPTIONS, RIVALS, HybridSettings, TreeSettings, read


def settings(**values):
    return read(complete(OPTIONS, values))


def test_the_defaults_are_those_of_the_player() -> None:
    assert settings() == HybridSettings()


@pytest.mark.parametrize("name", [name for name in ABLATIONS if name != "default"])
def test_each_ablation_changes_something(name):
    assert settings(**ABLATIONS[name]) != settings()


def test_what_the_ablations_change() -> None:
    assert not settings(**ABLATIONS["w/o BFS"]).search
    assert not settings(**ABLATIONS["w/o MCTS"]).tree
    assert settings(**ABLATIONS["breadth-first search"]).score_weight == 0
    assert settings(**ABLATIONS["w/o win heuristic"]).trees.outcome == 0
    assert settings(**ABLATIONS["w/o steps heuristic"]).trees == TreeSettings(steps=0.0)


def test_the_rivals_are_less() -> None:
    assert settings(**RIVALS["Hybrid"]) == settings()
    assert not settings(**RIVALS["MCTS"]).search
    assert not settings(**RIVALS["Best-first"]).tree


@pytest.mark.parametrize(("memory", "megabytes"), [("0", 256), ("1000", 500), ("4", 8)])
def test_half_of_the_memory_is_for_the_search(memory, megabytes):
    assert read({**complete(OPTIONS, {}), "memory": memory}).megabytes == megabytes
