"""What the child makes of the library's states."""

from __future__ import annotations

import pytest

from ggtp.openspiel.child import Library, answer

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


def ask(library: Library, game: str, *history: object, **parameters: object) -> dict[str, object]:
    return answer(library, {"want": "state", "game": game, "parameters": parameters, "history": list(history)})


def test_a_chance_node_has_whole_weights(library: Library) -> None:
    about = ask(library, "pig", 0)
    assert about["kind"] == "chance"
    assert [weight for _, _, weight in about["chance"]] == [1] * 6  # type: ignore[attr-defined]


def test_a_joint_node_lists_everybody(library: Library) -> None:
    about = ask(library, "matrix_rps")
    assert (about["kind"], about["players"]) == ("joint", [0, 1])
    assert ask(library, "matrix_rps", [0, 1])["returns"] == ["-1", "1"]


def test_what_is_refused_says_so(library: Library) -> None:
    assert ask(library, "tic_tac_toe", 99) == {"error": "no such action"}
    assert ask(library, "tic_tac_toe", 0, 3, 1, 4, 2, 5) == {"error": "the game is over"}
    assert "OpenSpiel does not play" in str(ask(library, "hex", nonsense=3)["error"])


def test_a_deal_is_told_to_who_gets_the_card_only(library: Library) -> None:
    request = {"want": "told", "game": "kuhn_poker", "parameters": {"players": 2}, "history": []}
    own = answer(library, {**request, "observer": 0})["told"]
    others = answer(library, {**request, "observer": 1})["told"]
    assert len(set(own.values())) == 3
    assert len(set(others.values())) == 1
