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
from ggtp.ui.report.play import play_html, play_of

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


def unpacked(text: str, name: str) -> Any:
    found = re.search(rf'id="data-{name}">([^<]*)<', text)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_a_file_is_followed_without_its_engines() -> None:
    play, seats = play_of(BRANCHES, "x.ggtp", find_rules)
    assert len(play.need_record().nodes) == 5
    assert seats == {"Circle": "NoSuchEngine"}


def test_every_line_of_the_tree_can_be_stepped_through() -> None:
    page = play_html(BRANCHES, "/folder/x.ggtp", find_rules, "0")
    index = unpacked(page, "index")
    assert [game["title"] for game in index["games"]] == ["TicTacToe, line 1 of 2", "TicTacToe, line 2 of 2"]
    first, second = unpacked(page, "games0")
    assert first["s"] == ["Cross A1", "Circle B2"], "where the file leaves the play comes first"
    assert first["n"] == {"2": "<b>draws</b>"}
    assert second["s"] == ["Cross A1", "Circle A2", "Cross B2"]
    assert index["heads"] == [BRANCHES], "what is copied is the file itself"
    assert index["players"] == ["human", "NoSuchEngine"]
    assert "<title>x.ggtp</title>" in page
    assert 'id="dialog"' not in page


def test_results_and_forfeits_are_told() -> None:
    page = play_html("set_rule TicTacToe\nstart\nforfeit Cross tired", "x", find_rules, "0")
    (game,) = unpacked(page, "index")["games"]
    assert game["reason"] == "Cross forfeits: tired"
    assert [seat[3] for seat in game["seats"]] == ["loss", "win"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no play is started"),
        ("set_rule TicTacToe\n", "no play is started"),
        ("set_rule TicTacToe\nstart\nforce_play Cross Z9\n", "x, line 3: No move named Z9"),
        ("set_rule NoSuchRule\n", "x, line 1: "),
        ("what is this\n", "x, line 1: "),
        ("quit\n", "can't be used in a play file"),
    ],
)
def test_a_file_that_cannot_be_followed_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(CommandError, match=re.escape(said)):
        play_html(text, "x", find_rules, "0")
