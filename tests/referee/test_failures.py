"""Faults of engines, and what follows by policy: every class with every policy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from support.playbook import Actor, Playbook

from ggtp.faults import AT_PROMPTS, FAULTS, POLICIES
from ggtp.referee.desk import FAULTS_KEPT
from ggtp.referee.events import EngineSaid

SENTENCES = {
    "exit": "it ended.",
    "lost": "the connection is lost.",
    "silence": "no move, and no end of it in sight.",
    "protocol": "not an answer of Table 3: rubbish.",
    "flood": "it sent a line of more than 10 bytes.",
    "limit": "it used more than 16 MiB.",
    "illegal": "No move named Z9 for player Cross.",
    "late": "no move within 1000 ms.",
}


def commit(book: Playbook, fault: str) -> None:
    """Let the engine of link 1, which is asked for a move, commit a fault."""
    match fault:
        case "exit" | "lost" | "flood" | "limit":
            book.fail(1, fault, SENTENCES[fault])
        case "silence":
            book.wait(61.0)
        case "late":
            book.wait(1.2)
        case "protocol":
            book.engine(1, "rubbish")
        case "illegal":
            book.engine(1, "select_move Z9")


def table(policy: str, fault: str, actor: Callable[[], Actor] = lambda: Actor()) -> Playbook:
    """Cross is an engine that is asked for its first move; Circle is a human."""
    defaults = {f"fault_{fault}": policy, "time_move": "1000" if fault == "late" else "0"}
    book = Playbook(engines={"Bad": actor}, defaults=defaults)
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "start")
    return book


@pytest.mark.parametrize(("fault", "policy"), list(product(AT_PROMPTS, POLICIES)))
def test_every_fault_with_every_policy(fault: str, policy: str) -> None:
    book = table(policy, fault)
    begin = len(book.log)
    commit(book, fault)
    play = book.referee.view.play
    assert play.record is not None
    assert [found.fault for found in book.referee.view.faults] == [fault]
    assert f"-> Fault of Cross (Bad), {fault}: {SENTENCES[fault]}" in book.since(begin)
    alive = 1 in book.links()
    moves = book.say("list_played_moves")
    match policy:
        case "ask":
            assert play.held
            assert moves == "= none"
            assert alive == FAULTS[fault].living
            assert book.referee.settled()
        case "restart":
            assert "-> Starting Bad for Cross again" in book.since(begin)
            assert not alive
            assert book.seated()["Cross"] == 2
            assert book.cast[2].heard[-2:] == ["start", "have_to_play" + (" 1000" if fault == "late" else "")]
            assert moves == "= none"
        case "random":
            assert "-> A random move is made for Cross" in book.since(begin)
            assert moves.startswith("= Cross ")
            assert alive == FAULTS[fault].living
        case "forfeit":
            assert book.say("get_result") == "= Cross=loss, Circle=win"
            assert f"-> Cross forfeits: {fault}, {SENTENCES[fault]}" in book.since(begin)
            assert book.referee.settled()
    assert book.say("list_faults") == "= 1"
    assert book.say("get_engine Cross") == "= Bad"


@pytest.mark.parametrize("fault", list(AT_PROMPTS))
def test_when_asked_the_supervisor_may_let_the_engine_try_again(fault: str) -> None:
    book = table("ask", fault)
    commit(book, fault)
    book.lay("genmove")
    (link,) = book.links()
    assert (link == 1) == FAULTS[fault].living
    assert book.cast[link].heard[-1].startswith("have_to_play")
    book.engine(link, "select_move A1")
    assert book.say("get_last_move") == "= Cross A1"


@pytest.mark.parametrize("said", ["force_play Cross B2", "set_engine Cross human", "forfeit Cross"])
@pytest.mark.parametrize("fault", list(AT_PROMPTS))
def test_when_asked_the_supervisor_may_do_something_else(fault: str, said: str) -> None:
    book = table("ask", fault)
    commit(book, fault)
    book.lay(said)
    assert book.referee.settled()


def test_a_random_move_goes_on_for_an_engine_that_is_gone() -> None:
    book = table("random", "exit")
    book.fail(1)
    book.lay("set_option show_when_play off")
    for _ in range(4):
        moves = book.say("list_possible_moves").removeprefix("= Circle=")
        if moves == "= none":
            break
        book.lay(f"play Circle {moves.split(',')[0]}")
    assert book.say("get_result") != "= none"
    assert len(book.referee.view.faults) == 1


def test_two_engines_that_are_gone_finish_the_play_at_random() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "random"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "set_engine Circle Bad", "start")
    book.fail(2)
    book.fail(1)
    assert book.say("get_result") != "= none"


def test_genmove_asks_for_one_move_only_though_it_is_made_at_random() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "random", "genmove": "off"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "set_engine Circle Bad", "start")
    book.fail(2)
    book.fail(1)
    played = book.say("list_played_moves")
    book.lay("genmove")
    assert book.say("list_played_moves").count(",") == (played.count(",") + 1 if played != "= none" else 0)


def test_restarts_in_a_row_have_a_limit() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "restart", "restarts": "2"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "start")
    for link in (1, 2, 3):
        book.fail(link)
    assert book.log[-2:] == [
        "-> Bad was restarted 2 times in a row already",
        "-> The play is held. Use genmove to ask Cross again, force_play to move for it, "
        "or set_engine Cross to replace it.",
    ]
    book.lay("genmove")
    assert 4 in book.links()


def test_a_move_between_them_begins_the_row_anew() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "restart", "restarts": "1"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "start")
    book.fail(1)
    book.engine(2, "select_move A1")
    book.fail(2)
    assert 3 in book.links()
    assert book.cast[3].heard[-2:] == ["start", "made_move Cross A1"]


def test_a_restarted_engine_gets_its_options_again() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "restart"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "set_engine_option Cross Depth 3", "start")
    book.fail(1)
    assert "set_option Depth 3" in book.cast[2].heard


def test_a_table_that_is_given_up_during_a_restart_leaves_quietly() -> None:
    """What is thrown away in the middle of a conversation has nothing more to say."""
    book = table("restart", "exit")
    book.actors["Bad"] = lambda: Actor(list_options="")
    book.fail(1)
    link = book.referee._flow.engines.links[2]
    promise = link._owed[0][1]
    assert promise is not None
    conversation = promise._go_on.__self__._conversation  # type: ignore[attr-defined]  # a method of its task
    begin = len(book.effects)
    conversation.close()
    assert book.effects[begin:] == []
    assert 2 in book.links()


def test_a_restart_that_fails_holds_the_play() -> None:
    book = table("restart", "exit")
    book.hold = lambda wish: True
    book.fail(1)
    assert not book.referee.settled()
    book.deny("No engine named Bad.")
    assert book.log[-1] == "-> No engine named Bad. The play is held."
    assert book.referee.settled()


@pytest.mark.parametrize("said", ["set_engine Cross human", "set_rule Nim", "set_engine Cross Bad"])
def test_a_restart_that_the_supervisor_overtakes_is_given_up(said: str) -> None:
    book = table("restart", "exit")
    book.hold = lambda wish: True
    book.fail(1)
    book.hold = lambda wish: False
    book.lay(said)
    seated = book.seated()
    book.grant()
    assert book.seated() == seated
    assert book.links() == set(seated.values())
    assert not book.referee._flow.failures.restarting


def test_a_play_that_goes_on_during_a_restart_is_told_in_full() -> None:
    book = table("restart", "exit")
    book.hold = lambda wish: True
    book.fail(1)
    book.hold = lambda wish: False
    book.lay("force_play Cross A1", "play Circle B1")
    book.grant()
    assert book.cast[2].heard[-4:] == ["start", "made_move Cross A1", "made_move Circle B1", "have_to_play"]


def test_an_engine_that_dies_while_idle_is_noticed() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()})
    book.lay("set_rule TicTacToe", "set_engine Circle Bad", "start")
    book.fail(1)
    assert book.log[-2] == "-> Fault of Circle (Bad), exit: it ended."
    assert book.say("list_engine_options Circle") == (
        "? Engine Bad of Circle is gone. Use set_engine to start it again."
    )


def test_an_engine_that_dies_before_the_start_is_started_again_when_it_is_needed() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad")
    book.fail(1)
    book.lay("start")
    assert "-> Starting Bad for Cross again" in book.log
    assert book.cast[2].heard[-1] == "have_to_play"


@pytest.mark.parametrize("policy", POLICIES)
def test_an_engine_that_dies_at_start_is_dealt_with_once(policy: str) -> None:
    """The policy decides, and nothing else: no restart that nobody has asked for, and not two of them."""
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": policy, "time_start": "1000"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad")
    book.cast[1].answers["start"] = ""
    book.say("start")
    book.hold = lambda wish: True
    book.fail(1)
    assert book.log.count("-> Starting Bad for Cross again") == (policy == "restart")
    assert len(book.waiting) == (policy == "restart")
    assert book.log.count("= Done") == 3
    assert (book.say("get_result") != "= none") == (policy == "forfeit")
    assert book.say("list_played_moves").startswith("= Cross") == (policy == "random")


def test_an_engine_that_dies_during_another_command() -> None:
    """The command that waits for it is refused; the fault is dealt with when that is done."""
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "forfeit"})
    book.lay("set_rule TicTacToe", "set_engine Circle Bad", "start")
    book.cast.clear()
    book.run(
        """
        get_engine_option Circle Depth
        1< get_option Depth
        get_rule
        1! exit it ended.
        1 stop now
        ? Engine Bad failed: it ended.
        = TicTacToe
        -> Fault of Circle (Bad), exit: it ended.
        -> Circle forfeits: exit, it ended.
        -> Cross=win, Circle=loss (Circle forfeits: exit, it ended.)
        """
    )


def test_an_engine_that_dies_while_another_one_is_set() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "random"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "start")
    book.hold = lambda wish: True
    book.say("set_engine Circle Bad")
    book.fail(1)
    assert book.log[-1] == "-> Fault of Cross (Bad), exit: it ended.", "nothing is played while a command waits"
    book.grant()
    book.hold = lambda wish: False
    book.grant()
    assert book.say("list_played_moves").startswith("= Cross ")
    assert "= Done" in book.log


def test_an_engine_that_dies_while_it_is_replaced_is_no_fault_any_more() -> None:
    book = Playbook(engines={"Bad": lambda: Actor(), "Good": lambda: Actor()}, defaults={"fault_exit": "forfeit"})
    book.lay("set_rule TicTacToe", "set_engine Cross Bad", "start")
    book.hold = lambda wish: True
    book.say("set_engine Cross Good")
    book.fail(1)
    book.hold = lambda wish: False
    book.grant()
    assert book.say("get_result") == "= none"
    assert book.say("get_engine Cross") == "= Good"


def test_a_fault_when_all_is_decided_changes_nothing() -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": "forfeit"})
    book.lay("set_rule TicTacToe", "set_engine Circle Bad", "start", "forfeit Cross")
    book.fail(1)
    assert book.say("get_result") == "= Cross=loss, Circle=win"


def test_last_words_are_shown() -> None:
    book = table("ask", "exit")
    book.fail(1, "exit", "it ended with exit status 1.", "\n".join(f"line {n}" for n in range(20)))
    said = book.since(0, "-> Bad said: ")
    assert said == [f"-> Bad said: line {n}" for n in range(12, 20)]


def test_what_an_engine_says_can_neither_break_a_line_nor_flood_the_screen() -> None:
    book = table("ask", "illegal")
    book.engine(1, "select_move \x1b[2J" + "x" * 100_000)
    assert "\x1b" not in "".join(book.since(0, "->"))
    assert max(len(line) for line in book.since(0, "->")) < 1000


def test_bad_bytes_are_a_fault_and_no_more() -> None:
    for line in (b"\xff\xfe", b"select_move A\rB", b"reply a\nb", b"", b"select_move " + b"\0" * 10, b"acknowledge"):
        book = table("forfeit", "protocol")
        book.handle(EngineSaid(1, line, book.now))
        assert len(book.referee.view.faults) == 1, line
    assert book.say("get_result") == "= Cross=loss, Circle=win"


def test_only_the_latest_faults_are_kept() -> None:
    book = table("ask", "illegal")
    book.lay("set_option show_when_play off")
    for _ in range(FAULTS_KEPT + 5):
        book.engine(1, "select_move Z9")
        book.lay("genmove")
    assert book.say("list_faults") == f"= {FAULTS_KEPT}"


@pytest.mark.parametrize("policy", POLICIES)
def test_an_engine_that_fails_in_a_joint_turn(policy: str) -> None:
    book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_exit": policy})
    book.lay("set_rule RockPaperScissors", "set_engine Left Bad", "set_engine Right Bad", "start")
    book.engine(1, "select_move Rock")
    book.fail(2)
    moves = book.say("list_played_moves")
    assert (moves != "= none") == (policy == "random")
    assert book.referee.settled() == (policy != "restart")


def test_both_engines_late_at_once() -> None:
    for policy in POLICIES:
        book = Playbook(engines={"Bad": lambda: Actor()}, defaults={"fault_late": policy, "time_move": "1000"})
        book.lay("set_rule RockPaperScissors", "set_engine Left Bad", "set_engine Right Bad", "start")
        book.wait(1.2)
        assert len(book.referee.view.faults) in (1, 2)
        assert (book.say("get_result") != "= none") == (policy in ("random", "forfeit"))


def test_whoever_fails_while_another_is_to_move_is_not_to_be_asked_again() -> None:
    book = Playbook(engines={"E": Actor})
    book.lay("set_rule TicTacToe", "set_engine Circle E", "start")
    held = "The play is held until the next move."
    book.run(
        f"""
        1! exit it ended.
        -> Fault of Circle (E), exit: it ended.
        -> {held} E is started again when it is Circle's turn; set_engine Circle replaces it.
        genmove
        ? It is a human's turn: Cross.
        play Cross A1
        -> Cross plays A1
        -> Starting E for Circle again
        = Done
        """
    )


def test_a_move_that_an_engine_was_asked_for_before_does_not_let_a_held_play_go_on() -> None:
    book = Playbook(engines={"E": Actor})
    book.lay("set_rule TicTacToe", "set_engine Cross E", "set_engine Circle E", "start")
    book.run(
        """
        2! exit it ended.
        -> Fault of Circle (E), exit: it ended.
        -> The play is held until genmove. E is started again when it is Circle's turn; set_engine Circle replaces it.
        """
    )
    book.engine(1, "select_move A1")
    assert book.say("list_played_moves") == "= Cross A1"
    assert book.referee.settled()
    assert book.referee.view.play.held
    assert 2 not in book.links()
    book.lay("genmove")
    assert any("Starting E for Circle again" in line for line in book.log)


def test_whoever_fails_while_chance_is_to_draw() -> None:
    book = Playbook(engines={"Bad": Actor}, defaults={"chance": "off"})
    book.lay("set_rule CantStop", "set_engine Red Bad", "start")
    book.run(
        """
        1! exit it ended.
        -> Fault of Red (Bad), exit: it ended.
        -> The play is held until genmove. Bad is started again when it is Red's turn; set_engine Red replaces it.
        """
    )


def lines_with(book: Playbook, word: str) -> list[str]:
    """Whatever was said to anybody, or written down, in which a word is; but what was said to the engine itself."""
    said = [*book.log, *(line for lines in book.whispers.values() for line in lines), *book.files.values()]
    return [line for line in said if word in line and not line.startswith(("1<", "1>"))]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("said", "fault"), [("select_move Secret7", "illegal, a move."), ("rubbish Secret7", "protocol, a line.")]
)
def test_what_an_engine_said_wrongly_in_a_game_with_secrets_is_shown_to_nobody_else(
    policy: str, said: str, fault: str
) -> None:
    name, what = fault.split(", ")
    book = Playbook(engines={"Bad": Actor}, defaults={f"fault_{name}": policy})
    book.lay("set_rule PhantomTicTacToe", "set_engine Cross Bad", "save_file game", "start")
    book.engine(1, said)
    book.say("list_faults")
    assert f"-> Fault of Cross (Bad), {name}: {what}" in book.log
    assert [line for line in lines_with(book, "Secret7") if line != said] == []
    book.lay("set_option view all")
    book.say("list_faults")
    assert "Secret7" in book.log[-2], "who wants to see everything does"


def test_last_words_in_a_game_with_secrets_are_shown_to_nobody_else() -> None:
    book = Playbook(engines={"Bad": Actor}, defaults={"fault_exit": "ask"})
    book.lay("set_rule PhantomTicTacToe", "set_engine Cross Bad", "start")
    book.fail(1, "exit", "it ended.", "I hold Secret7")
    assert "-> Fault of Cross (Bad), exit: it ended." in book.log
    assert lines_with(book, "Secret7") == []


@pytest.mark.parametrize("question", ["get_engine_option Cross Depth", "list_possible_moves Cross 1"])
@pytest.mark.parametrize("fault", ["exit", "protocol"])
def test_replies_in_a_game_with_secrets_do_not_quote_what_another_s_engine_said(question: str, fault: str) -> None:
    book = Playbook(engines={"Bad": lambda: Actor(options=("rule", "Depth"))}, defaults={"fault_exit": "ask"})
    book.lay("set_rule PhantomTicTacToe", "set_engine Cross Bad", "start")
    book.cast.clear()
    book.say(question)
    if fault == "exit":
        book.fail(1, "exit", "it ended.", "I hold Secret7")
    else:
        book.engine(1, "Secret7")
    assert any(line.startswith("? Engine Bad failed: ") for line in book.log), book.conversation()
    assert [line for line in lines_with(book, "Secret7") if line != "1> Secret7"] == []


def test_an_engine_that_is_started_again_and_fails_is_not_quoted_in_a_game_with_secrets() -> None:
    book = Playbook(engines={"Bad": lambda: Actor(start="")}, defaults={"fault_exit": "restart", "time_start": "1000"})
    book.lay("set_rule PhantomTicTacToe", "set_engine Cross Bad")
    book.say("start")
    book.engine(1, "acknowledge")
    book.fail(1, "exit", "it ended.", "I hold Secret7")
    book.fail(2, "exit", "it ended.", "I hold Secret8")
    assert any(line.startswith("-> Engine Bad failed: ") for line in book.log), book.conversation()
    assert lines_with(book, "Secret") == []


def test_an_engine_that_fails_before_a_game_with_secrets_is_quoted() -> None:
    book = Playbook(engines={"Bad": lambda: Actor(list_options="")})
    book.lay("set_rule PhantomTicTacToe")
    book.say("set_engine Cross Bad")
    book.fail(1, "exit", "it ended.", "I need a licence")
    assert lines_with(book, "I need a licence")


def test_an_engine_is_asked_again_as_often_as_it_may_and_then_the_policy_follows() -> None:
    book = table("again:2:random", "illegal")
    begin = len(book.log)
    for _ in range(2):
        commit(book, "illegal")
    asked = book.since(begin)
    assert "-> Bad is asked again, 1 of 2 times" in asked
    assert "-> Bad is asked again, 2 of 2 times" in asked
    assert "-> A random move is made for Cross" not in asked
    assert book.cast[1].heard[-1] == "have_to_play"
    commit(book, "illegal")
    assert "-> A random move is made for Cross" in book.since(begin)
    assert [found.fault for found in book.referee.view.faults] == ["illegal"] * 3


def test_a_move_ends_the_row_of_tries() -> None:
    book = table("again:1:forfeit", "illegal")
    commit(book, "illegal")
    book.run("1> select_move A1\n-> Cross plays A1")
    book.say("play Circle B1")
    commit(book, "illegal")
    assert book.say("get_result") == "= none"
    commit(book, "illegal")
    assert book.say("get_result") == "= Cross=loss, Circle=win"
