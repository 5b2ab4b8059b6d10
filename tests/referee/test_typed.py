"""What people mean by what they type."""

from __future__ import annotations

import pytest
from support.playbook import Actor, Playbook

from ggtp.referee.typed import LONGEST_MOVE


def table(rule: str, *engines: str) -> Playbook:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7"})
    book.lay(f"set_rule {rule}", *(f"set_engine {player} Mute" for player in engines), "start")
    return book


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("a1", "play Cross A1"),
        ("  A1 ", "play Cross A1"),
        ("play Cross A1", "play Cross A1"),
        ("play cross Z9", "play cross Z9"),  # the command says what is wrong
        ("undo", "undo"),
        ("undo now", "undo now"),
        ("Z9", "play Cross Z9"),  # the rule says what is wrong
        ("plai Cross A1", "plai Cross A1"),
        ("resign", "forfeit Cross resigned"),
        ("resign now", "play Cross resign now"),
        ("", ""),
        ("#", "play Cross #"),
        ("A1" * LONGEST_MOVE, f"play Cross {'A1' * LONGEST_MOVE}"),
    ],
)
def test_a_move_may_be_typed_alone(line: str, meant: str) -> None:
    assert table("TicTacToe").referee.meant(line) == meant


@pytest.mark.parametrize("line", ["A1", "undo", "resign", "nonsense", "help me"])
def test_before_a_play_has_begun_there_are_commands_only(line: str) -> None:
    assert Playbook().referee.meant(line) == line
    book = Playbook()
    book.lay("set_rule TicTacToe")
    assert book.referee.meant(line) == line


def test_a_move_that_begins_with_a_command_s_name_is_one_where_the_command_can_not_be_carried_out() -> None:
    book = table("gdl/cardgame", "south")
    move = book.referee.view.play.position.moves("north")[0]
    assert move.startswith("play ")
    assert book.referee.meant(move) == f"play north {move}"
    assert book.referee.meant(f"play north {move}") == f"play north {move}"
    assert book.referee.meant("play moon 9") == "play moon 9", "neither is possible: the command says so"
    book.lay(book.referee.meant(move))
    assert book.say("get_last_move").startswith("= Chance tell")


def test_what_can_be_carried_out_as_a_command_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    book = table("TicTacToe")
    # Whatever is typed is a move of this rule.
    monkeypatch.setattr(type(book.referee.view.play.position), "parse", lambda _self, _player, text: text)
    assert book.referee.meant("undo") == "undo"
    assert book.referee.meant("play Circle A1") == "play Cross play Circle A1", "it is not Circle's turn"
    assert book.referee.meant("undo twice") == "play Cross undo twice"
    assert book.referee.meant("set_engine Circle") == "play Cross set_engine Circle"


def test_a_move_that_the_rule_knows_is_one_though_it_looks_like_a_command() -> None:
    book = table("CantStop", "Green")
    assert book.referee.meant("stop") == "play Red stop"
    assert "before a pair is chosen" in book.say(book.referee.meant("stop"))
    assert book.referee.meant("strat") == "strat", "the rule does not know that"


@pytest.mark.parametrize("line", ["B2", "Z9"])
def test_who_is_not_to_move_is_told_so(line: str) -> None:
    book = table("TicTacToe", "Circle")
    book.lay("play Cross A1")
    assert book.say(book.referee.meant(line)) == "? It is not Cross's turn."
    assert book.referee.meant("udno") == "udno"
    book.lay("force_play Circle B1", "undo")
    assert book.say(book.referee.meant(line)) == "? It is not Cross's turn. The play is held; genmove lets it go on."
    book.lay("forfeit Circle")
    assert book.say(book.referee.meant(line)) == "? The play is over."


def test_engines_alone_make_no_move_of_what_is_typed() -> None:
    assert table("TicTacToe", "Cross", "Circle").referee.meant("A1") == "A1"


def test_of_two_who_choose_at_once_the_one_is_meant_whose_move_it_is() -> None:
    book = table("RockPaperScissors")
    assert book.referee.meant("rock") == "play Left Rock"
    book.lay("play Left Rock")
    assert book.referee.meant("paper") == "play Right Paper"
    assert book.referee.meant("lizard") == "lizard"
