"""Messages of game managers, to the byte: the reference's own conversations are the judge."""

import pytest
from support.ggp_wire import GAMES, manager_exchanges, need, player_exchanges

from ggtp.errors import RemoteProtocolError
from ggtp.foreign.expressions import read_all, write
from ggtp.foreign.ggp import Abort, Info, Play, Preview, Start, Stop, info_text, read_info, read_message
from ggtp.foreign.http import request_bytes


@pytest.mark.parametrize("match", ["tourney.ticTacToe.1", "scr.1", "prev.1", "abort.1"])
def test_messages_are_written_as_the_reference_writes_them(match: str) -> None:
    for exchange in manager_exchanges(match):
        if exchange.gap is None:
            message = read_message(exchange.body)
            assert request_bytes(str(message), exchange.host, exchange.receiver) == exchange.request.encode()


@pytest.mark.parametrize(
    ("match", "game", "clocks"),
    [("tourney.ticTacToe.1", "ticTacToe__ticTacToe", (5, 2)), ("abort.1", "checkers__checkers", (20, 5))],
)
def test_a_match_begins_as_the_reference_begins_it(match: str, game: str, clocks: tuple[int, int]) -> None:
    rules = read_all(need(GAMES / f"{game}.kif").read_text())
    begun = [exchange for exchange in manager_exchanges(match) if "START" in exchange.body]
    assert len(begun) == 2
    for exchange in begun:
        before, after = exchange.gap
        role = before.split()[3]
        sent = request_bytes(str(Start(match, role, rules, *clocks)), exchange.host, exchange.receiver).decode()
        head = exchange.request.partition("\r\n\r\n")[0]  # its length, too, is that of the whole message
        assert sent.startswith(f"{head}\r\n\r\n{before}")
        assert sent.endswith(after)


def test_a_preview_is_that_of_the_reference() -> None:
    rules = read_all(need(GAMES / "ticTacToe__ticTacToe.kif").read_text())
    before, after = next(exchange.gap for exchange in manager_exchanges("PREVIEW"))
    text = str(Preview(rules, 2))
    assert text.startswith(before)
    assert text.endswith(after)
    assert len(text) == 2316


def test_requests_to_the_reference_are_understood_or_refused_as_there() -> None:
    for exchange in player_exchanges():
        if exchange.gap is None and exchange.body:
            understood = exchange.answer != "" or "broken rulesheet" in exchange.title
            try:
                read_message(exchange.body)
            except RemoteProtocolError:
                assert not understood, exchange.title
            else:
                assert understood, exchange.title


@pytest.mark.parametrize(
    "message",
    [
        Info(),
        Preview((("role", "x"),), 3),
        Start("m.1", "x", (("role", "x"), ("<=", "terminal", ("true", "a"))), 5, 3),
        Play("m.1"),
        Play("m.1", (("mark", "1", "3"), "noop")),
        Stop("m.1", ("a",)),
        Stop("m.1"),
        Abort("m.1"),
    ],
)
def test_messages_are_read_in_any_case_and_spacing(message: object) -> None:
    text = str(message)
    assert read_message(text) == message
    head = text.split()[1]
    assert read_message(text.replace(head, head.lower()).replace("( ", "(").replace(" )", ")")) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "INFO",
        "( HELLO )",
        "( INFO x )",
        "( START m x ((role x)) 5 )",
        "( START m x ((role x)) 5 soon)",
        "( START m x rules 5 3)",
        "( START m x ((role x)) -1 3)",
        "( START m x ((role x)) 999999999 3)",
        "( PLAY m )",
        "( PLAY m move )",
        "( PLAY (m) NIL )",
        f"( ABORT {'m' * 300} )",
        "( ABORT m",
    ],
)
def test_what_no_manager_says_is_refused(text: str) -> None:
    with pytest.raises(RemoteProtocolError):
        read_message(text)


def test_what_a_player_says_about_itself() -> None:
    assert info_text("Random", busy=False) == "( ( name Random ) ( status available ) )"
    assert info_text("Random", busy=True) == "( ( name Random ) ( status busy ) )"
    assert read_info("((NAME A)(Status Busy)(species human))") == {"name": "A", "status": "Busy", "species": "human"}
    assert read_info("AVAILABLE") == {"status": "available"}
    assert read_info(write((("name",), "x"))) == {"name": ""}
