"""Messages of game managers, to the byte: the reference's own conversations are the judge."""

from pathlib import Path

import pytest
from support.corpus import FURTHER, OWN
from support.ggp_wire import WIRES, conversations, game_text, manager_exchanges, player_exchanges

from ggtp.errors import RemoteProtocolError
from ggtp.foreign.expressions import read_all, write
from ggtp.foreign.ggp import Abort, Info, Play, Preview, Start, Stop, info_text, read_info, read_message
from ggtp.foreign.http import request_bytes


@pytest.mark.parametrize(
    ("wire", "match"),
    conversations(
        (OWN, "claim.1"),
        (OWN, "claim.abort"),
        (FURTHER, "tourney.ticTacToe.1"),
        (FURTHER, "scr.1"),
        (FURTHER, "prev.1"),
        (FURTHER, "abort.1"),
    ),
)
def test_messages_are_written_as_the_reference_writes_them(wire: Path, match: str) -> None:
    exchanges = [exchange for exchange in manager_exchanges(wire, match) if exchange.gap is None]
    assert exchanges
    for exchange in exchanges:
        message = read_message(exchange.body)
        assert request_bytes(str(message), exchange.host, exchange.receiver) == exchange.request.encode()


@pytest.mark.parametrize(
    ("wire", "match", "game", "clocks"),
    conversations(
        (OWN, "claim.1", "claim", (5, 2)),
        (FURTHER, "tourney.ticTacToe.1", "ticTacToe__ticTacToe", (5, 2)),
        (FURTHER, "abort.1", "checkers__checkers", (20, 5)),
    ),
)
def test_a_match_begins_as_the_reference_begins_it(wire: Path, match: str, game: str, clocks: tuple[int, int]) -> None:
    rules = read_all(game_text(wire, game))
    begun = [exchange for exchange in manager_exchanges(wire, match) if "START" in exchange.body]
    assert len(begun) == 2
    for exchange in begun:
        before, after = exchange.gap or (exchange.body, exchange.body)
        role = before.split()[3]
        sent = request_bytes(str(Start(match, role, rules, *clocks)), exchange.host, exchange.receiver).decode()
        head = exchange.request.partition("\r\n\r\n")[0]  # its length, too, is that of the whole message
        assert sent.startswith(f"{head}\r\n\r\n{before}")
        assert sent.endswith(after)


@pytest.mark.parametrize(("wire", "game"), conversations((OWN, "claim"), (FURTHER, "ticTacToe__ticTacToe")))
def test_a_preview_is_that_of_the_reference(wire: Path, game: str) -> None:
    exchange = manager_exchanges(wire, "PREVIEW")[0]
    before, after = exchange.gap or (exchange.body, exchange.body)
    text = str(Preview(read_all(game_text(wire, game)), 2))
    assert text.startswith(before)
    assert text.endswith(after)
    assert f"Content-Length: {len(text)}\r\n" in exchange.request


@pytest.mark.parametrize("wire", WIRES)
def test_requests_to_the_reference_are_understood_or_refused_as_there(wire: Path) -> None:
    exchanges = [exchange for exchange in player_exchanges(wire) if exchange.gap is None and exchange.body]
    assert any(exchange.answer == "" for exchange in exchanges)
    for exchange in exchanges:
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
