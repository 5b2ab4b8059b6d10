"""Rules in other words are the same rules, and what is said in them can be said back."""

from __future__ import annotations

import os

import pytest

from ggtp.catalogue import Catalogue
from ggtp.catalogue.gdl_rules import load_told
from ggtp.errors import RemoteProtocolError
from ggtp.foreign.disguise import NAME, Disguise

CATALOGUE = Catalogue.from_environment(os.environ)


@pytest.mark.parametrize("name", ["gdl/tictactoe", "gdl/connectfour", "gdl/buttons"])
def test_the_same_game_in_other_words(name: str) -> None:
    rules = CATALOGUE.find_rules(name)
    assert rules.text is not None
    disguise = Disguise(rules.text, 7)
    told = load_told(disguise.text, NAME)
    one, other = rules.begin({}), told.begin({})
    for _ in range(6):
        turn = one.turn()
        if not turn.players:
            break
        (player,) = turn.players
        own = {f"{player} {move}" for move in one.moves(player)}
        (theirs,) = other.turn().players
        said = [b"made_move %s" % f"{player} {move}".encode() for move in one.moves(player)]
        heard = {disguise.to_engine(line).removeprefix(b"made_move ").decode() for line in said}
        assert heard == {f"{theirs} {move}" for move in other.moves(theirs)}
        back = [disguise.from_engine(f"select_move {move}".encode()) for move in other.moves(theirs)]
        assert {f"{player} {line.decode().removeprefix('select_move ')}" for line in back} == own
        move = one.moves(player)[0]
        line = disguise.to_engine(f"made_move {player} {move}".encode()).decode()
        _, actor, text = line.split(" ", 2)
        one, other = one.play({player: move}).position, other.play({actor: text}).position


def test_no_word_of_the_rule_is_told() -> None:
    text = CATALOGUE.find_rules("gdl/tictactoe").text
    assert text is not None
    disguise = Disguise(text, 1)
    lines = (
        b"set_option rule_text x", b"set_option player cross", b"set_option rule gdl/tictactoe",
        b"made_move cross mark 1 1", b"illegal_move mark 1 1 no",
        b"set_option tell_moves mark 1 1, mark 1 2", b"set_option tell_table (cell 1 1 b) (control cross)",
    )  # fmt: skip
    for line in lines:
        said = disguise.to_engine(line)
        assert said.split(b" ")[0] == line.split(b" ")[0]
        assert not any(word in said for word in (b"cross", b"mark", b"cell", b"tictactoe"))
    assert disguise.text == Disguise(text, 1).text != Disguise(text, 2).text
    assert "noop" in disguise.text  # who does nothing says so in every game


@pytest.mark.parametrize("line", [b"start", b"have_to_play 100", b"set_option seed 5", b"acknowledge", b"list_options"])
def test_what_is_not_of_the_game_stays(line: bytes) -> None:
    disguise = Disguise("(role seed) (role start)", 1)
    assert disguise.to_engine(line) == disguise.from_engine(line) == line


def test_bytes_that_are_no_text_do_no_harm() -> None:
    disguise = Disguise("(role white)", 1)
    assert disguise.from_engine(b"select_move \xff\xfe") == b"select_move \xff\xfe"
    with pytest.raises(RemoteProtocolError):
        Disguise("(role white", 1)
