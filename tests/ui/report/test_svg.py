"""The report's drawings."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ggtp.stats.ranks import Comparison
from ggtp.stats.ratings import rate
from ggtp.stats.results import GameResult
from ggtp.ui.report.svg import distance_diagram, rating_plot


def games(*names: str) -> list[GameResult]:
    return [GameResult((a, b), (1.0, 0.0)) for a in names for b in names if a < b for _ in range(3)]


def test_a_dot_and_a_bar_for_each_player() -> None:
    root = ElementTree.fromstring(rating_plot(rate(games("a", "b", "c"))))
    assert len(list(root.iter("circle"))) == 3
    dots = [float(dot.get("cx", "")) for dot in root.iter("circle")]
    assert dots == sorted(dots, reverse=True), "the best is first, and further to the right"
    assert root.get("aria-label", "").startswith("Elo ratings with 95 % errors: a +")
    width = float(root.get("width", ""))
    assert all(0 <= float(line.get("x1", "")) <= width for line in root.iter("line"))


def test_no_players_no_plot_and_one_player_a_plot() -> None:
    assert rating_plot(rate([])) == ""
    assert ElementTree.fromstring(rating_plot(rate([GameResult(("a", "a"), (1.0, 0.0))]))).tag == "svg"


def test_names_are_escaped_and_cut() -> None:
    evil = "<script>" + "x" * 100
    text = rating_plot(rate(games(evil, "b")))
    assert "<script" not in text
    found = Comparison((evil, "b"), (1.0, 2.0), 5, 4.0, 0.03, 0.9, 0.05)
    assert "<script" not in distance_diagram(found)
    assert "…" in distance_diagram(found)


@pytest.mark.parametrize("count", [2, 3, 7, 12])
def test_everybody_has_a_place_in_the_diagram(count: int) -> None:
    names = tuple(f"player {i}" for i in range(count))
    ranks = tuple(1 + i * (count - 1) / count for i in range(count))
    found = Comparison(names, ranks, 9, 1.0, 0.5, 1.7, 0.05)
    root = ElementTree.fromstring(distance_diagram(found))
    texts = [text.text for text in root.iter("text")]
    assert set(names) <= set(texts)
    assert "CD = 1.70" in texts
    cliques = [line for line in root.iter("line") if line.get("class") == "clique"]
    assert len(cliques) == len(found.cliques())
    width, height = (float(root.get(name, "")) for name in ("width", "height"))
    for text in root.iter("text"):
        assert 0 <= float(text.get("x", "")) <= width
        assert 0 <= float(text.get("y", "")) <= height
