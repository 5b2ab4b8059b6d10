"""How an engine learns its game, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.sessions import BareSession, in_state

from ggtp.errors import CommandError, GgtpError
from ggtp.protocol.introduction import (
    TELL_MOVES,
    TELL_TABLE,
    GameNews,
    forbid_reserved,
    greet,
    inform,
    introduce,
    set_option,
    turn_news,
)  # fmt: skip
from ggtp.protocol.waiting import Conversation, Task

NEWS = GameNews(
    name="Tic Tac Toe", rule="tictactoe", text="", rule_options={}, player="Cross", seed="3", threads=1, memory=0
)
ALL = tuple(NEWS.options())


def through(
    session: BareSession, conversation: Conversation[None], answer: Callable[[str], str]
) -> tuple[list[str], str]:
    """Go through a conversation with an engine that gives these answers: what it was told, and what went wrong."""
    ended: list[GgtpError | None] = []
    begin = len(session.lines)
    Task(conversation, ended.append, ended.append).advance()
    told = begin
    while not ended:
        line = session.lines[told][0].decode()
        told += 1
        session.hear(answer(line).encode(), 0.0)
    return [line.decode() for line, _, _ in session.lines[begin:]], str(ended[0] or "")


def willing(line: str) -> str:
    return "acknowledge"


def ready(*listed: str) -> BareSession:
    session = in_state("ready")
    session.listed = listed
    return session


def test_an_engine_is_greeted_and_asked_for_its_options() -> None:
    session = BareSession()
    answers = {"connect_engine": "acknowledge", "list_options": "reply rule, Depth"}
    said, wrong = through(session, greet(session, 7.0), answers.__getitem__)
    assert (said, wrong, session.listed) == (["connect_engine", "list_options"], "", ("rule", "Depth"))


def test_a_program_may_take_its_time_to_connect() -> None:
    session = BareSession()
    next(greet(session, 7.0))
    assert session.next_due() == 7.0
    hasty = BareSession()
    next(greet(hasty, 0.5))
    assert hasty.next_due() == hasty.answer_time


def test_what_is_known_is_told_in_order_with_the_text_first() -> None:
    news = replace(NEWS, text="(role a)\n  (role b)\n", rule_options={"n": "3"}, memory=64, start_clock="0")
    session = ready(*reversed(ALL))
    said, _ = through(session, introduce(session, news), willing)
    assert said == [
        "set_option rule_text (role a) (role b)",
        "set_option rule tictactoe",
        "set_option rule_options n=3",
        "set_option player Cross",
        "set_option seed 3",
        "set_option threads 1",
        "set_option memory 64",
        "set_option start_clock 0",
    ]


def test_an_engine_is_told_only_what_it_has_options_for() -> None:
    session = ready("player")
    assert through(session, introduce(session, NEWS), willing) == (["set_option player Cross"], "")


def test_an_engine_is_informed_of_what_has_changed() -> None:
    session = ready(*ALL)
    through(session, introduce(session, NEWS), willing)
    assert through(session, inform(session, "R", {"player": "Cross", "time_control": ""}), willing) == ([], "")
    said, _ = through(session, inform(session, "R", {"player": "Circle", "threads": "1"}), willing)
    assert said == ["set_option player Circle"]
    said, _ = through(session, introduce(session, NEWS), willing)
    assert said[0] == "set_option rule tictactoe", "another game is told in full"


@pytest.mark.parametrize(
    ("listed", "reason", "why"),
    [
        (("rule",), "", "with these options."),
        (("rule", "refusal"), "reply none", "with these options."),
        (("rule", "refusal"), "reply no text", "with these options. no text"),
        (("rule", "refusal"), "invalid_option_name", "with these options."),
    ],
)
def test_a_refused_game_is_an_error_with_the_engine_s_reason(listed: tuple[str, ...], reason: str, why: str) -> None:
    session = ready(*listed)
    answers = {"set_option rule tictactoe": "invalid_option_value", "get_option refusal": reason}
    _, wrong = through(session, introduce(session, NEWS), answers.__getitem__)
    assert wrong == f"Engine Bare can't play Tic Tac Toe {why}"
    assert session.informed == {}, "it is told again when it is asked again"


def test_what_is_no_part_of_the_game_may_be_refused() -> None:
    session = ready("threads", "memory")
    said, wrong = through(session, introduce(session, replace(NEWS, memory=1)), lambda _: "invalid_option_value")
    assert (said, wrong) == (["set_option threads 1", "set_option memory 1"], "")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("acknowledge", ""),
        ("invalid_option_name", "No option named Depth for engine Bare."),
        ("invalid_option_value", "No value 3 for option Depth of engine Bare."),
    ],
)
def test_an_option_is_set_or_refused(answer: str, error: str) -> None:
    session = ready()
    said, wrong = through(session, set_option(session, "Depth", "3"), lambda _: answer)
    assert (said, wrong) == (["set_option Depth 3"], error)


def test_the_game_is_not_set_by_hand() -> None:
    forbid_reserved("Depth")
    with pytest.raises(CommandError, match="Option RULE is set by the referee"):
        forbid_reserved("RULE")


def test_only_engines_that_want_it_are_told_their_moves_and_their_view() -> None:
    def never() -> str:
        raise AssertionError("nobody wants to know")

    assert turn_news(("Depth",), never, never) == {}
    assert turn_news((TELL_MOVES,), lambda: ["A1", "e7e8=Q"], never) == {TELL_MOVES: 'A1, "e7e8=Q"'}
    news = turn_news((TELL_MOVES, "x", TELL_TABLE), lambda: ["A1"], lambda: "a\nb")
    assert news == {TELL_TABLE: "a\\x0ab", TELL_MOVES: "A1"}
