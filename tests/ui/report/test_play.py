"""The page of a single play file."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import pytest
from support.tournaments import find_rules

from ggtp.errors import CommandError
from ggtp.play.replay import replay
from ggtp.ui.report.play import play_html

BRANCHES = """# Circle must not answer a corner at the side.
set_rule TicTacToe
set_engine Circle NoSuchEngine
set_engine_option Circle depth 3
start
force_play Cross A1
name_node corner
force_play Circle A2
comment_node loses
force_play Cross B2
goto_node corner
force_play Circle B2
comment_node <b>draws</b>
"""


def page_of(text: str, path: str) -> str:
    return play_html(replay(text, find_rules, path).play, text, path, "0")


def unpacked(text: str, name: str) -> Any:
    found = re.search(rf'id="data-{name}">([^<]*)<', text)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_every_line_of_the_tree_can_be_stepped_through() -> None:
    page = page_of(BRANCHES, "/folder/x.ggtp")
    index = unpacked(page, "index")
    assert [game["title"] for game in index["games"]] == ["TicTacToe, line 1 of 2", "TicTacToe, line 2 of 2"]
    first, second = unpacked(page, "games0")
    assert first["s"] == ["Cross A1", "Circle B2"], "where the file leaves the play comes first"
    assert first["n"] == {"2": "<b>draws</b>"}
    assert second["s"] == ["Cross A1", "Circle A2", "Cross B2"]
    assert index["heads"] == [BRANCHES], "what is copied is the file itself"
    assert [game["head"] for game in index["games"]] == [0, 0]
    assert index["players"] == ["human", "NoSuchEngine"]
    assert "<title>x.ggtp</title>" in page
    assert 'id="dialog"' not in page


def test_results_and_forfeits_are_told() -> None:
    page = page_of("set_rule TicTacToe\nstart\nforfeit Cross tired", "x")
    (game,) = unpacked(page, "index")["games"]
    assert game["reason"] == "Cross forfeits: tired"
    assert [seat[3] for seat in game["seats"]] == ["loss", "win"]


@pytest.mark.parametrize("text", ["", "set_rule TicTacToe\n"])
def test_without_a_game_there_is_no_page(text: str) -> None:
    with pytest.raises(CommandError):
        page_of(text, "x")
