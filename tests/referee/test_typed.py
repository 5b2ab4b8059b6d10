"""What people mean by what they type."""

from __future__ import annotations

import pytest
from support.playbook import Actor, Playbook

from ggtp.game.building.turns import TurnPosition
from ggtp.referee.typed import LONGEST_MOVE


def table(rule: str, *engines: str) -> Playbook:
    """A game that has begun and shows every command that is carried out."""
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7", "show_command": "on"})
    book.lay(f"set_rule {rule}", *(f"set_engine {player} Mute" for player in engines), "start")
    return book


def typed(book: Playbook, line: str) -> tuple[str, str]:
    """The command that was carried out for a line, as it is shown, and the answer to it."""
    before = len(book.log)
    answer = book.say(line, typed=True)
    shown = [text.removeprefix("-> ") for text in book.log[before + 1 :] if text.startswith("-> ")]
    return (shown[0] if shown else ""), answer


@pytest.mark.parametrize(
    ("line", "meant", "answer"),
    [
        ("a1", "play Cross A1", "= Done"),
        ("  A1 ", "play Cross A1", "= Done"),
        ("play Cross A1", "play Cross A1", "= Done"),
        ("play cross a1", "play cross a1", "= Done"),
        ("play cross Z9", "play cross Z9", "? No move named Z9 for player Cross."),
        ("undo", "undo", "? There is no move to undo."),
        ("undo now", "", "? Usage: undo"),
        ("Z9", "", "? No move named Z9 for player Cross."),  # the rule says what is wrong
        ("plai Cross A1", "", "? Unknown command plai. Use list_commands to see the commands. Did you mean play?"),
        ("resign", "forfeit Cross resigned", "= Done"),
        ("resign now", "", "? No move named resign now for player Cross."),
        ("A1" * LONGEST_MOVE, "", f"? No move named {'A1' * 20}... for player Cross."),
    ],
)
def test_a_move_may_be_typed_alone(line: str, meant: str, answer: str) -> None:
    assert typed(table("TicTacToe"), line) == (meant, answer)


@pytest.mark.parametrize("line", ["", "  ", "# A1"])
def test_a_comment_is_no_move(line: str) -> None:
    assert typed(table("TicTacToe"), line) == ("", "")


@pytest.mark.parametrize("line", ["A1", "resign", "nonsense"])
def test_before_a_play_has_begun_there_are_commands_only(line: str) -> None:
    book = Playbook()
    assert book.say(line, typed=True).startswith(f"? Unknown command {line}.")
    book.lay("set_rule TicTacToe")
    assert book.say(line, typed=True).startswith(f"? Unknown command {line}.")


def counting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that positions are asked to read from now on."""
    read: list[str] = []
    parse = TurnPosition.parse

    def parsed(self: TurnPosition[object], player: str, text: str) -> str:
        read.append(text)
        return parse(self, player, text)

    monkeypatch.setattr(TurnPosition, "parse", parsed)
    return read


@pytest.mark.parametrize("line", ["a1", "play Cross a1", "force_play Cross a1"])
def test_the_rule_reads_a_typed_move_once(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book = table("TicTacToe")
    read = counting(monkeypatch)
    assert book.say(line, typed=True) == "= Done"
    assert read == ["a1"]


@pytest.mark.parametrize("line", ["\x0b", "\x1c A1", "\ud800", "A1\nB2", "play", "play Cross", "play Cross \x0b"])
def test_whatever_is_typed_is_answered(line: str) -> None:
    assert table("TicTacToe").say(line, typed=True)[:2] in ("= ", "? ")


def test_a_move_alone_that_no_person_has_typed_is_no_command() -> None:
    book = table("TicTacToe")
    assert book.say("A1").endswith("Did you mean play Cross A1?")
    assert book.say("get_last_move") == "= none"


def test_a_line_that_is_refused_changes_nothing() -> None:
    book = table("TicTacToe", "Circle")
    before = book.snapshot()
    for line in ("Z9", "play moon 5", "play Circle A1", "plai Cross A1"):
        assert book.say(line, typed=True).startswith("? ")
    assert book.snapshot() == before


def test_a_move_that_begins_with_a_command_s_name_is_one_where_the_command_can_not_be_carried_out() -> None:
    book = table("gdl/cardgame", "south")
    move = book.referee.view.play.position.moves("north")[0]
    assert move.startswith("play ")
    assert typed(book, "play moon 9") == ("play moon 9", "? No player named moon. There are: north, south.")
    assert typed(book, move) == (f"play north {move}", "= Done")
    assert book.say("get_last_move").startswith("= Chance tell")


def test_what_can_be_carried_out_as_a_command_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    book = table("TicTacToe")
    # Whatever is typed is a move of this rule.
    monkeypatch.setattr(type(book.referee.view.play.position), "parse", lambda _self, _player, text: text)
    assert typed(book, "undo") == ("undo", "? There is no move to undo.")
    assert typed(book, "play Circle A1")[0] == "play Cross play Circle A1", "it is not Circle's turn"
    assert typed(book, "undo twice")[0] == "play Cross undo twice"
    assert typed(book, "set_engine Circle")[0] == "play Cross set_engine Circle"


def test_a_move_that_the_rule_knows_is_one_though_it_looks_like_a_command() -> None:
    book = table("CantStop", "Green")
    assert "before a pair is chosen" in book.say("stop", typed=True)
    assert "Did you mean start?" in book.say("strat", typed=True), "the rule does not know that"


@pytest.mark.parametrize("line", ["B2", "Z9"])
def test_who_is_not_to_move_is_told_so(line: str) -> None:
    book = table("TicTacToe", "Circle")
    book.lay("play Cross A1")
    assert book.say(line, typed=True) == "? It is not Cross's turn."
    assert book.say("udno", typed=True).endswith("Did you mean undo?")
    book.lay("force_play Circle B1", "undo")
    assert book.say(line, typed=True) == "? It is not Cross's turn. The play is held; genmove lets it go on."
    book.lay("forfeit Circle")
    assert book.say(line, typed=True) == "? The play is over."


def test_engines_alone_make_no_move_of_what_is_typed() -> None:
    assert table("TicTacToe", "Cross", "Circle").say("A1", typed=True).startswith("? Unknown command A1.")


def test_of_two_who_choose_at_once_the_one_is_meant_whose_move_it_is() -> None:
    book = table("RockPaperScissors")
    assert typed(book, "rock") == ("play Left Rock", "= Done")
    assert book.say("lizard", typed=True).startswith("? Unknown command lizard.")
    assert typed(book, "paper") == ("play Right Paper", "= Done")
