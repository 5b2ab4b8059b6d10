"""The texts of the project."""

from __future__ import annotations

from ggtp.bench.attack.fuzz.bundled import folder, texts


def test_texts_are_found_and_long_ones_left_out() -> None:
    assert (folder("gdl") / "tictactoe.gdl").exists()
    assert 0 < len(texts("gdl", ".gdl", 5000)) < len(texts("gdl", ".gdl", 10**6))
    assert texts("nowhere", ".gdl", 5000) == []
    assert folder("gdl", "ggtp.no_such_package").name == "nowhere"
