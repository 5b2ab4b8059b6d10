"""What can be asked, from whose point of view, and how lists are written."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.games import Grab, GrabPosition
from support.playbook import Actor, Playbook

from ggtp.game import OpenMoves, Player, TurnKind
from ggtp.protocol.commands import SUPERVISOR
from ggtp.protocol.text import split_list


def test_the_program() -> None:
    book = Playbook()
    assert book.say("get_version") == "= ggtp test"
    assert split_list(book.say("list_commands")[2:]) == list(SUPERVISOR)
    assert book.say("known_command play") == "= true"
    assert book.say("known_command PLAY") == "= false"
    assert book.say("known_command no such thing") == "= false"
    options = split_list(book.say("list_options")[2:])
    assert options[:6] == ["show_command", "show_when_play", "show_possible_moves", "show_results", "show_table",
                           "genmove"]  # fmt: skip
    assert all(book.say(f"get_option {name}").startswith("= ") for name in options)
    assert all(book.say(f"list_option_choices {name}").startswith("= ") for name in options)


def test_help_is_information_before_the_closing_line() -> None:
    book = Playbook()
    book.run(
        """
        help start
        -> start
        ->     begin the play, or begin it again
        ->     It is written into a play file.
        ->     With option wait on, it waits for the engines' pending moves.
        = Done
        """
    )
    book.lay("help")
    assert book.since(0, "-> play player move")


def phantom() -> Playbook:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule PhantomTicTacToe", "set_engine Circle Mute", "start", "play Cross A1", "force_play Circle A1")
    return book


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("list_possible_moves", "= Circle=B1,C1,A2,B2,C2,A3,B3,C3"),
        ("list_possible_moves 0", "= Circle=B1,C1,A2,B2,C2,A3,B3,C3"),
        ("list_possible_moves 1", "? No table 1."),
        ("list_possible_moves circle", "= Circle=B1,C1,A2,B2,C2,A3,B3,C3"),
        ("list_possible_moves Cross", "= none"),
        ("list_possible_moves Cross 0", "= none"),
        ("list_possible_moves Cross 1", "? No table 1 for player Cross."),
        ("list_possible_moves Circle 0", "= list_possible_moves"),
        ("list_possible_moves Circle 99", "= list_possible_moves"),
        ("list_possible_moves Circle x", "? Usage: list_possible_moves [[player] table]"),
        ("list_possible_moves Circle -1", "? Usage: list_possible_moves [[player] table]"),
        ("list_possible_moves Circle ²", "? Usage: list_possible_moves [[player] table]"),
        ("list_possible_moves Square", "? No player named Square. There are: Cross, Circle."),
        ("list_possible_moves Square 0", "? No player named Square. There are: Cross, Circle."),
        ("get_table", "= X../.../... Cross 1 Circle 0 Circle to move; Cross found -; Circle found A1"),
        ("get_table Cross", "= X??/???/??? Cross 1 Circle 0 Circle to move"),
        ("get_table Circle", "= X??/???/??? Cross 1 Circle 0 Circle to move"),
        ("get_table Circle 0", "= get_table"),
        ("get_result", "= none"),
        ("get_result Cross", "= none"),
        ("get_result Circle 2", "= get_result"),
    ],
)
def test_points_of_view(line: str, answer: str) -> None:
    assert phantom().say(line) == answer


def test_a_table_that_an_engine_does_not_have() -> None:
    book = phantom()
    book.cast[1].answers["get_table"] = "invalid_table_number"
    assert book.say("get_table Circle 7") == "? No table 7 for player Circle."


def test_several_players_are_separated_by_semicolons() -> None:
    book = Playbook()
    book.lay("set_rule RockPaperScissors", "start")
    assert book.say("list_possible_moves") == "= Left=Rock,Paper,Scissors; Right=Rock,Paper,Scissors"


def test_moves_too_many_to_list_are_shown_by_their_patterns() -> None:
    class BetPosition(GrabPosition):
        def moves(self, player: Player) -> Sequence[str]:
            return OpenMoves(["raise 40"], ["raise 40..2000", "x=y"])

    class Bet(Grab):
        name = "Bet"

        def begin(self, options: object) -> GrabPosition:
            return BetPosition(TurnKind.RACE, 1, None)

    book = Playbook(rules={"Bet": Bet()})
    book.lay("set_rule Bet", "start")
    assert book.say("list_possible_moves Ann") == '= Ann=raise 40,raise 40..2000,"x=y"'


def test_show_table_draws_for_the_viewer() -> None:
    book = phantom()
    begin = len(book.log)
    book.lay("show_table")
    shown = book.since(begin, "| ")
    begin = len(book.log)
    book.lay("show_table Cross")
    assert book.since(begin, "| ") == shown, "Cross is the only human, so all that is shown is what Cross knows"
    begin = len(book.log)
    book.lay("set_option view all", "show_table")
    assert book.since(begin, "| ") != shown


def test_engines_and_clocks() -> None:
    Playbook().run(
        """
        set_rule TicTacToe
        = Done
        get_engine Cross
        = human
        get_engine Square
        ? No player named Square. There are: Cross, Circle.
        get_clock Cross
        = none
        get_clock Square
        ? No player named Square. There are: Cross, Circle.
        list_faults
        = 0
        """
    )
