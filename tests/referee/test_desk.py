"""The desk: requests, the play file, and whose knowledge is shown."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from ggtp.rules.nim import Nim
from support.playbook import Actor, Playbook

from ggtp.errors import CommandError, MoveRefused, RuleFailed
from ggtp.game import TurnKind
from ggtp.play.writing import HEADER
from ggtp.referee.desk import Desk
from ggtp.referee.effects import CloseJournal, Inform, Journal, ListRules, Request
from ggtp.referee.settings import Settings


def desk() -> Desk:
    return Desk(Settings.defaults({}))


def test_requests_have_tickets_of_their_own() -> None:
    table = desk()
    one, two = table.request(ListRules()), table.request(ListRules())
    assert table.effects == [Request(1, ListRules()), Request(2, ListRules())]
    table.granted(2, ["Nim"])
    table.denied(1, "no")
    table.granted(2, "again")
    table.granted(9, "never asked for")
    assert (one.done, two.done) == (True, True)
    assert not table.requests


def test_information_is_one_printable_line() -> None:
    table = desk()
    table.inform("a\nb\x1b")
    assert table.effects == [Inform("a\\x0ab\\x1b")]


def test_what_is_recorded_goes_to_an_open_file_once() -> None:
    table = desk()
    table.play.note("start")
    table.flush()
    assert table.effects == []
    table.journal = "game"
    table.play.note("undo")
    table.flush()
    table.flush()
    assert table.effects == [Journal(("undo",))]
    table.close_journal()
    table.play.note("redo")
    table.flush()
    assert table.effects == [Journal(("undo",)), CloseJournal()]
    assert table.play.lines == ["start", "undo", "redo"]


def test_a_file_begins_with_the_options_that_were_set() -> None:
    table = desk()
    table.set_option("seed", "4")
    table.set_option("GENMOVE", "off")
    table.play.note("set_rule Nim")
    assert table.file_lines() == (HEADER, "set_option seed 4", "set_option genmove off", "set_rule Nim")


def test_setting_the_seed_begins_the_draws_anew() -> None:
    table = desk()
    table.set_option("seed", "4")
    drawn = table.rng.random()
    table.rng.random()
    table.set_option("seed", "4")
    assert table.rng.random() == drawn


@pytest.mark.parametrize(
    ("engines", "moves", "view", "viewer"),
    [
        ("", "", "auto", "Cross"),
        ("", "A1", "auto", "Circle"),
        ("Cross", "", "auto", "Circle"),
        ("Circle", "A1", "auto", "Cross"),
        ("Cross Circle", "", "auto", None),
        ("", "", "all", None),
        ("Circle", "A1", "Circle", "Circle"),
        ("Cross Circle", "", "Cross", "Cross"),
    ],
)
def test_who_sees_a_game_with_secrets(engines: str, moves: str, view: str, viewer: str | None) -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule PhantomTicTacToe", f"set_option view {view}", "start")
    book.lay(*(f"set_engine {player} Mute" for player in engines.split()))
    book.lay(*(f"force_play Cross {move}" for move in moves.split()))
    assert book.referee.view.viewer == viewer


def test_while_no_person_has_the_turn_a_secret_is_shown_to_who_moved_last() -> None:
    book = Playbook()
    book.lay("set_rule TexasHoldem", "start", "play Ann call", "play Bob check", "goto_node 3")
    assert book.referee.view.play.turn().kind is TurnKind.CHANCE
    assert book.referee.view.viewer == "Bob"


def test_who_has_chosen_at_a_joint_turn_is_no_longer_shown_to_the_next() -> None:
    book = Playbook()
    book.lay("set_rule HexWar", "start")
    red, blue = book.referee.view.play.players
    assert book.referee.view.viewer == red
    book.lay(f"play {red} {book.referee.view.play.position.moves(red)[0]}")
    assert book.referee.view.viewer == blue


def test_everybody_sees_a_game_without_secrets() -> None:
    book = Playbook()
    assert book.referee.view.viewer is None
    book.lay("set_rule TicTacToe", "start")
    assert book.referee.view.viewer is None


def test_a_view_of_a_player_of_another_game_shows_no_secrets() -> None:
    book = Playbook()
    book.lay("set_rule Nim", "set_option view Left", "set_rule PhantomTicTacToe", "start")
    assert book.referee.view.viewer == "Cross"


def test_only_a_rule_s_failures_are_caught() -> None:
    table = desk()
    for ours in (SystemExit(), CommandError("Nothing goes on."), ValueError("our mistake")):
        with pytest.raises(type(ours)), table.rule_at_risk():
            raise ours
    assert not table.play.held
    failure = RuleFailed("Nim", "play", "nim.py:7", "KeyError: 3")
    with table.rule_at_risk():
        raise failure
    assert table.play.held
    assert table.failure is failure
    assert table.effects == [Inform("The rule Nim failed in play (nim.py:7): KeyError: 3. The play is held.")]


def test_a_rule_that_refuses_the_move_that_it_has_drawn_has_failed() -> None:
    table = desk()
    table.play.choose(Nim(), "Nim")
    with table.rule_at_risk():
        raise MoveRefused("This move is impossible.")
    assert table.play.held
    assert table.failure is not None
    assert "refuses a move of its own, This move is impossible." in str(table.failure)


class Hasty(Nim):
    """A rule with a start clock of its own."""

    def start_clock(self, options: Mapping[str, str]) -> float:
        return 1.5


def test_a_rule_may_have_a_start_clock_unless_the_supervisor_sets_one() -> None:
    table = desk()
    assert table.start_clock == 0
    table.play.choose(Nim(), "Nim")
    assert table.start_clock == 0
    table.play.choose(Hasty(), "Nim")
    assert table.start_clock == 1.5
    table.settings.set("time_start", "700")
    assert table.start_clock == 0.7
    table.settings.set("time_start", "0")
    table.explicit["time_start"] = "0"
    assert table.start_clock == 0
