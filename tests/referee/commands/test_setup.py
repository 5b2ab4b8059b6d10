"""Laying the table: options, the rule, and who plays."""

from __future__ import annotations

import pytest
from support.games import Grab
from support.playbook import Actor, FakeEngine, Playbook, changes


def test_the_referee_s_options() -> None:
    book = Playbook()
    book.run(
        """
        get_option genmove
        = on
        set_option GENMOVE OFF
        = Done
        get_option genmove
        = off
        list_option_choices genmove
        = on, off
        list_option_choices time_move
        = 0..86400000
        list_option_choices view
        = auto, all
        list_option_choices fault_exit
        = ask, restart, random, forfeit
        set_option time_move 1.5
        ? No value 1.5 for option time_move: it takes a whole number, 0..86400000, or a time such as 300ms, 5s or 2m.
        set_option time_move 1.5s
        = Done
        get_option time_move
        = 1500
        set_option nothing on
        ? No option named nothing.
        """
    )


def test_a_view_is_a_player_of_the_rule() -> None:
    Playbook().run(
        """
        set_rule TicTacToe
        = Done
        list_option_choices view
        = auto, all, Cross, Circle
        set_option view CIRCLE
        = Done
        get_option view
        = Circle
        set_option view ALL
        = Done
        get_option view
        = all
        set_option view Red
        ? No player named Red. There are: Cross, Circle.
        """
    )


def test_the_rule_s_options() -> None:
    Playbook().run(
        """
        set_rule Nim
        = Done
        list_rule_options
        = heaps, misere, starting_player
        get_rule_option heaps
        = 1 3 5 7
        set_rule_option heaps 2 2
        = Done
        set_rule_option heaps none
        ? No value none for option heaps: it takes 1 to 12 heaps of 1 to 99, as in 1 3 5 7.
        get_rule_option HEAPS
        = 2 2
        list_rule_option_choices heaps
        = any
        list_rule_option_choices starting_player
        = Left, Right
        get_rule_option nothing
        ? No option named nothing.
        """
    )


def test_a_rule_without_options() -> None:
    book = Playbook(rules={"Grab": Grab()})
    book.lay("set_rule Grab")
    assert book.say("list_rule_options") == "= none"


def test_a_rule_is_found_without_regard_to_case_and_begins_a_new_table() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()})
    book.lay("set_rule tictactoe", "set_engine Cross Mute", "start")
    book.cast.clear()
    book.run(
        """
        get_rule
        = TicTacToe
        set_rule NIM
        1< disconnect_engine
        1 stop kindly
        = Done
        get_rule
        = Nim
        list_players
        = Left=human, Right=human
        get_last_move
        ? The play is not started. Use start.
        """
    )


def test_an_option_that_changes_the_players_keeps_who_stays() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()})
    book.lay("set_rule CantStop", "set_rule_option players 3", "set_rule_option starting_player Blue")
    book.lay("set_engine Red Mute", "set_engine Blue Mute", "start")
    book.lay("set_rule_option players 2")
    assert book.say("list_players") == "= Red=Mute, Green=human"
    assert list(book.seated()) == ["Red"]
    assert book.say("get_rule_option starting_player") == "= Red"
    assert book.say("get_last_move") == "? The play is not started. Use start."
    book.lay("start")


def test_an_engine_is_told_changed_options_at_the_next_start() -> None:
    book = Playbook(engines={"Mute": lambda: Actor(options=("rule", "rule_options"))})
    book.lay("set_rule TicTacToe", "set_engine Circle Mute", "set_rule_option starting_player Circle", "start")
    assert book.cast[1].heard[-3:] == ["set_option rule_options starting_player=Circle", "start", "have_to_play"]


def test_an_engine_is_told_a_seed_that_was_set_later_at_the_next_start() -> None:
    def heard(*lines: str) -> list[str]:
        book = Playbook(engines={"Mute": lambda: Actor(options=("seed", "Depth"))}, defaults={"seed": "1"})
        book.lay("set_rule TicTacToe", *lines)
        return [line for line in book.cast[1].heard if "seed" in line or line == "start"]

    before = heard("set_option seed 5", "set_engine Circle Mute", "start", "start")
    first, *later = heard("set_engine Circle Mute", "set_option seed 5", "start", "start")
    assert first not in before
    assert later == before, "once, and the same as if it had been set before"
    own = heard("set_engine Circle Mute", "set_engine_option Circle seed 7", "set_option seed 5", "start")
    assert own == [first, "set_option seed 7", "start"], "what the supervisor has set stays"


def test_an_engine_that_can_t_play_the_changed_options() -> None:
    book = Playbook(engines={"Mute": lambda: Actor(options=("rule", "rule_options"))})
    book.lay("set_rule TicTacToe", "set_engine Circle Mute", "set_rule_option starting_player Circle")
    book.cast[1].answers["set_option"] = "invalid_option_value"
    before = book.snapshot()
    assert book.say("start") == "? Engine Mute can't play TicTacToe with these options."
    assert not changes(before, book.snapshot())


def test_list_rules_and_list_engines() -> None:
    picky = FakeEngine("Picky", plays=lambda rules: rules.name == "Nim")
    book = Playbook(engines={"Mute": None}, descriptions=[picky])
    rules = book.say("list_rules").removeprefix("= ").split(", ")
    assert {"TicTacToe", "Nim", "RockPaperScissors"} <= set(rules)
    assert book.say("list_engines") == "? No rule is set. Use set_rule."
    book.lay("set_rule TicTacToe")
    assert book.say("list_engines") == "= human, Mute"
    book.lay("set_rule Nim")
    assert book.say("list_engines") == "= human, Mute, Picky"


def test_setting_an_engine_starts_and_introduces_it() -> None:
    book = Playbook(engines=["Clever"], defaults={"engine_memory": "100", "engine_threads": "4", "time_start": "2000"})
    book.lay("set_rule TicTacToe")
    book.run(
        """
        set_engine circle CLEVER
        1 start Clever
        1< connect_engine
        1> acknowledge
        1< list_options
        1> reply Depth, memory, threads, player, rule, rule_options, start_clock, rule_text
        1< set_option rule TicTacToe
        1> acknowledge
        1< set_option rule_options starting_player=Cross
        1> acknowledge
        1< set_option player Circle
        1> acknowledge
        1< set_option threads 4
        1> acknowledge
        1< set_option memory 75
        1> invalid_option_value
        1< set_option start_clock 2000
        1> acknowledge
        = Done
        get_engine Circle
        = Clever
        list_players
        = Cross=human, Circle=Clever
        """
    )


def test_the_description_s_options_are_set() -> None:
    book = Playbook(
        engines={"Tuned": lambda: Actor()}, descriptions=[FakeEngine("Tuned", {"Depth": "4", "Width": "2"})]
    )
    book.lay("set_rule TicTacToe", "set_engine Cross Tuned")
    assert book.cast[1].heard[-2:] == ["set_option Depth 4", "set_option Width 2"]


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("1> reply x", "? Engine E failed: reply does not answer connect_engine: connect_engine."),
        (
            "1> acknowledge\n1> acknowledge",
            "? Engine E failed: acknowledge does not answer list_options: list_options.",
        ),
        (
            "1> acknowledge\n1> reply rule\n1> invalid_option_value",
            "? Engine E can't play TicTacToe with these options.",
        ),
        ("1! exit it ended.", "? Engine E failed: it ended."),
        ("1> select_move A1", "? Engine E failed: a move nobody asked for: select_move A1."),
        ("+10.1", "? Engine E failed: no answer to connect_engine in time."),
        ("1> acknowledge\n+5.1", "? Engine E failed: no answer to list_options in time."),
    ],
)
def test_an_engine_that_does_not_behave_is_not_seated(script: str, answer: str) -> None:
    book = Playbook(engines=["E"])
    book.lay("set_rule TicTacToe")
    before = book.snapshot()
    book.say("set_engine Cross E")
    for line in script.split("\n"):
        if line.startswith("1>"):
            book.engine(1, line[3:])
        elif line.startswith("1!"):
            book.fail(1)
        else:
            book.wait(float(line))
    assert [line for line in book.log if line.startswith("?")] == [answer]
    assert book.since(0, "1 stop") == ["1 stop now"]
    assert not changes(before, book.snapshot())


def test_an_engine_that_does_not_start() -> None:
    book = Playbook(engines=["E"])
    book.lay("set_rule TicTacToe")
    book.hold = lambda wish: type(wish).__name__ == "StartEngine"
    before = book.snapshot()
    book.say("set_engine Cross E")
    book.deny("Engine E did not start: no such file.")
    assert book.log[-1] == "? Engine E did not start: no such file."
    assert not changes(before, book.snapshot())


def test_an_engine_that_refuses_an_option_of_its_description() -> None:
    book = Playbook(engines={"E": lambda: Actor(set_option="invalid_option_name", options=())},
                    descriptions=[FakeEngine("E", {"Depth": "4"})])  # fmt: skip
    book.lay("set_rule TicTacToe")
    assert book.say("set_engine Cross E") == "? No option named Depth for engine E."
    assert not book.links()


def test_replacing_an_engine_during_a_play() -> None:
    book = Playbook(engines={"Old": lambda: Actor(), "New": lambda: Actor()})
    book.lay("set_rule TicTacToe", "set_engine Circle Old", "start", "play Cross A1")
    assert book.cast[1].heard[-1] == "have_to_play"
    old = book.cast[1]
    book.lay("set_engine Circle New")
    assert old.heard[-1] == "disconnect_engine"
    assert book.cast[2].heard[-3:] == ["start", "made_move Cross A1", "have_to_play"]
    book.lay("set_engine Circle human")
    assert not book.cast
    book.lay("play Circle B2")


def test_an_engine_that_can_t_be_replaced_goes_on_thinking() -> None:
    book = Playbook(engines={"Old": lambda: Actor(), "Bad": lambda: Actor(connect_engine="nonsense")})
    book.lay("set_rule TicTacToe", "set_engine Cross Old", "start")
    assert book.say("set_engine Cross Bad").startswith("? Engine Bad failed")
    book.engine(1, "select_move A1")
    assert book.say("get_last_move") == "= Cross A1"


def test_options_of_engines() -> None:
    book = Playbook(engines=["E"])
    book.lay("set_rule TicTacToe")
    book.say("set_engine Circle E")
    book.engine(1, "acknowledge", "reply Depth")
    book.run(
        """
        list_engine_options Circle
        1< list_options
        1> reply Depth, "a,b"
        = Depth, "a,b"
        list_engine_options Circle
        1< list_options
        1> reply
        = none
        get_engine_option Circle Depth
        1< get_option Depth
        1> reply 4
        = 4
        list_engine_option_choices circle Depth
        1< list_option_choices Depth
        1> reply 1..64
        = 1..64
        get_engine_option Circle Width
        1< get_option Width
        1> invalid_option_name
        ? No option named Width for engine E.
        list_engine_option_choices Circle Width
        1< list_option_choices Width
        1> invalid_option_name
        ? No option named Width for engine E.
        set_engine_option Circle Depth 80
        1< set_option Depth 80
        1> invalid_option_value
        ? No value 80 for option Depth of engine E.
        set_engine_option Circle Width 8
        1< set_option Width 8
        1> invalid_option_name
        ? No option named Width for engine E.
        set_engine_option Circle Depth 8 or so
        1< set_option Depth 8 or so
        1> acknowledge
        = Done
        set_engine_option Circle rule Nim
        ? Option rule is set by the referee.
        set_engine_option Cross Depth 8
        ? Cross is played by a human.
        """
    )
    assert book.referee.view.play.seats["Circle"].settings == {"Depth": "8 or so"}


def test_options_of_engines_are_found_without_regard_to_case() -> None:
    book = Playbook(engines=["E"])
    book.lay("set_rule TicTacToe")
    book.say("set_engine Circle E")
    book.engine(1, "acknowledge", "reply Depth, depth2")
    book.run(
        """
        set_engine_option Circle DEPTH 8
        1< set_option Depth 8
        1> acknowledge
        = Done
        get_engine_option Circle depth
        1< get_option Depth
        1> reply 8
        = 8
        list_engine_option_choices Circle dePTH
        1< list_option_choices Depth
        1> reply 1..64
        = 1..64
        set_engine_option Circle Rule Nim
        ? Option Rule is set by the referee.
        """
    )
    play = book.referee.view.play
    assert play.seats["Circle"].settings == {"Depth": "8"}
    assert play.lines[-1] == "set_engine_option Circle Depth 8"


def test_why_an_engine_refuses_its_game_is_quoted() -> None:
    answers = {"set_option": "invalid_option_value", "get_option": "reply No crosses here."}
    book = Playbook(engines={"E": lambda: Actor(options=("rule", "refusal"), **answers)})
    book.lay("set_rule TicTacToe")
    assert book.say("set_engine Cross E") == ("? Engine E can't play TicTacToe with these options. No crosses here.")


def test_an_engine_that_wants_to_know_is_told_the_clocks_and_told_again() -> None:
    book = Playbook(engines={"E": lambda: Actor(options=("rule", "time_control"))})
    book.lay("set_option time_bank 60000", "set_rule TicTacToe", "set_engine Cross E")
    told = "set_option time_control move=0, bank={}, increment=0"
    assert book.cast[1].heard[-1] == told.format(60000)
    book.say("start")
    assert told.format(60000) not in book.cast[1].heard[-2:]
    book.lay("set_option time_bank 30000")
    book.say("start")
    assert book.cast[1].heard.count(told.format(30000)) == 1


def test_an_engine_is_told_a_start_clock_that_was_set_when_it_sat_already() -> None:
    book = Playbook(engines={"E": lambda: Actor(options=("rule", "start_clock"))})
    book.lay("set_rule TicTacToe", "set_engine Cross E")
    assert "set_option start_clock 0" in book.cast[1].heard
    book.lay("set_option time_start 20000")
    book.say("start")
    heard = book.cast[1].heard
    assert heard.index("set_option start_clock 20000") < heard.index("start")
    book.say("start")
    assert heard.count("set_option start_clock 20000") == 1


def test_clocks_may_be_set_at_once_and_for_single_players() -> None:
    book = Playbook()
    book.run(
        """
        set_option time_control 5+0.1
        = Done
        get_option time_bank
        = 5000
        set_rule TicTacToe
        = Done
        set_option time_odds circle=1s, cross=0
        = Done
        get_option time_odds
        = Circle=1000ms, Cross=0
        set_option time_odds Red=1s
        ? No player named Red. There are: Cross, Circle.
        set_option time_control fast
        ? No time control fast: write 300ms for each move, 5+0.1 for a bank and an increment, or both, as in '5+0.1 1s'.
        start
        = Done
        get_clock Cross
        = none
        set_option time_odds Cross=2+1
        = Done
        start
        = Done
        get_clock Cross
        = 2000
        get_clock Circle
        = 5000
        """
    )
    lines = book.referee.view.file_lines()
    assert [line for line in lines if "time" in line] == [
        "set_option time_move 0",
        "set_option time_bank 5000",
        "set_option time_increment 100",
        "set_option time_odds Cross=2+1",
    ]
