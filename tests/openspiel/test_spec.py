"""What a rule file may say about a game of OpenSpiel."""

from __future__ import annotations

import pytest

from ggtp.errors import RulesError
from ggtp.openspiel.spec import read_spec

GAME = """
title = "a game"
game = "hex"
players = ["Red", "Blue"]
[fixed]
string_rep = "standard"
[options.board_size]
default = 5
low = 2
high = 9
summary = "how large"
[options.swap]
default = false
summary = "whether to swap"
[options.kind]
default = "a"
choices = ["a", "b"]
summary = "which"
"""


def test_options_become_parameters_of_their_types() -> None:
    spec = read_spec(GAME)
    assert spec.parameters({"board_size": "7", "swap": "on", "kind": "b"}) == {
        "string_rep": "standard", "board_size": 7, "swap": True, "kind": "b"
    }  # fmt: skip
    assert spec.players({}) == ("Red", "Blue")
    assert [option.describe_choices() for option in spec.options] == [("2..9",), ("on", "off"), ("a", "b")]


def test_players_may_be_counted() -> None:
    spec = read_spec('title = "t"\ngame = "g"\n[options.players]\ndefault = 2\nlow = 2\nhigh = 4\nsummary = "s"\n')
    assert spec.players({"players": "3"}) == ("Player1", "Player2", "Player3")
    assert (spec.traits.min_players, spec.traits.max_players) == (2, 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "no TOML"),
        ('title = "t"\ngame = "g"\ncolour = 1', "colour is not known"),
        ('title = 3\ngame = "g"', "title is not known"),
        ('game = "g"\nplayers = ["A"]', "needs its name"),
        ('title = "t"\ngame = "a b"\nplayers = ["A"]', "needs its name"),
        ('title = "t"\ngame = "g"', "either the players"),
        ('title = "t"\ngame = "g"\nplayers = ["A"]\n[options.size]\ndefault = 3', "the option size needs"),
    ],
)
def test_what_cannot_be_is_said(text: str, said: str) -> None:
    with pytest.raises(RulesError, match=said):
        read_spec(text, "x.spiel")


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 10_000])
def test_what_python_can_not_read_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match="this is no TOML"):
        read_spec(text)
