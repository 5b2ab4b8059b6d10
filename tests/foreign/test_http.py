from pathlib import Path

import pytest
from support.corpus import is_own
from support.ggp_wire import WIRES, manager_exchanges, player_exchanges

from ggtp.errors import MessageTooLong, RemoteProtocolError
from ggtp.foreign.http import MOST_HEAD, MessageReader, request_bytes, response_bytes


@pytest.mark.parametrize("wire", WIRES)
def test_answers_are_those_of_the_reference_to_the_byte(wire: Path) -> None:
    exchanges = player_exchanges(wire) + manager_exchanges(wire, "PLAY")
    answered = [exchange for exchange in exchanges if exchange.answer]
    assert len(answered) >= (18 if is_own(wire) else 21)
    for exchange in answered:
        assert response_bytes(exchange.answered) == exchange.answer.encode(), exchange.title


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_message_may_come_in_pieces(size: int) -> None:
    data = request_bytes("( PLAY m (a b) )", "h", "n")
    reader = MessageReader()
    done = [reader.feed(data[start : start + size]) for start in range(0, len(data), size)]
    assert done == [False] * (len(done) - 1) + [True]
    assert (reader.method, reader.text) == ("POST", "( PLAY m (a b) )")


def test_what_follows_the_message_is_not_of_it() -> None:
    reader = MessageReader(answer=True)
    assert reader.feed(response_bytes("noop") + b"more")
    assert reader.text == "noop"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"GET /%28+INFO+%29 HTTP/1.0\r\n\r\n", "( INFO )"),
        (b"GET /(INFO) HTTP/1.1\r\nHost: x\r\n\r\n", "(INFO)"),
        (b"OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n", ""),
        (b"post / HTTP/1.0\ncontent-LENGTH:  6 \n\n(INFO)", "(INFO)"),
        ("POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n(é)".encode(), "(é)"),
        (b"POST / HTTP/1.0\nTransfer-Encoding: chunked\n\n3\r\n(IN\r\n3\r\nFO)\r\n0\r\n\r\n", "(INFO)"),
    ],
)
def test_kinds_of_messages(data: bytes, text: str) -> None:
    reader = MessageReader()
    assert reader.feed(data)
    assert reader.text == text


def test_the_status_of_an_answer_is_ignored() -> None:
    reader = MessageReader(answer=True)
    assert reader.feed(b"HTTP/1.0 404 Whatever\r\nContent-Length: 2\r\n\r\nok")
    assert reader.text == "ok"


def test_without_a_length_an_answer_ends_with_the_connection() -> None:
    reader = MessageReader(answer=True)
    assert not reader.feed(b"HTTP/1.0 200 OK\r\n\r\n( mark")
    assert not reader.feed(b" 1 1 )")
    reader.end()
    assert reader.text == "( mark 1 1 )"


@pytest.mark.parametrize(
    "data", [b"", b"POST / HTTP/1.0\r\nContent", b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nabcd"]
)
def test_an_end_in_the_middle_is_told(data: bytes) -> None:
    reader = MessageReader()
    reader.feed(data)
    with pytest.raises(RemoteProtocolError):
        reader.end()


@pytest.mark.parametrize(
    "data",
    [
        b"x" * (MOST_HEAD + 1),
        b"POST /" + b"x" * MOST_HEAD,
        b"POST / HTTP/1.0\r\nContent-Length: 101\r\n\r\n",
        b"POST / HTTP/1.0\r\nContent-Length: 999999999999\r\n\r\n",
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + b"x" * 101,
        b"POST / HTTP/1.0\r\nContent-Length: " + b"1" * 20 + b"\r\n\r\n",
    ],
)
def test_what_is_too_long_is_not_kept(data: bytes) -> None:
    with pytest.raises(MessageTooLong):
        MessageReader(most_body=100).feed(data)


@pytest.mark.parametrize("length", [b"-1", b"many", b"0x10", b"1" * 5000, b"", b"3 4"])
def test_a_length_that_is_none_is_refused(length: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        MessageReader().feed(b"POST / HTTP/1.0\r\nContent-Length: " + length + b"\r\n\r\n")
