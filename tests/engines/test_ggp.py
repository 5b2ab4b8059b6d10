"""The bridge `ggp:`: we are the game manager. The reference's own conversations are the judge, to the byte."""

from __future__ import annotations

import asyncio
import random
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from ggtp.engines.ggp import Ggp, play_seconds
from support.corpus import FURTHER, OWN
from support.ggp_wire import conversations, game_text, manager_exchanges

from ggtp.catalogue import Catalogue
from ggtp.catalogue.gdl_rules import load_told
from ggtp.driver.tasks import in_thread
from ggtp.errors import CommandError, EngineError, EngineFailedToStart
from ggtp.foreign.expressions import read_all, write
from ggtp.foreign.ggp import Start, read_message
from ggtp.foreign.http import MessageReader, response_bytes
from ggtp.game import Rules
from ggtp.servers.ggp import GgpPlayer
from ggtp.servers.http import HttpServer
from ggtp.servers.session import Assignment, Soloist

SECONDS = 60.0
CATALOGUE = Catalogue.from_environment({})
INFO = "( ( name SearchTwo ) ( status available ) )"


class Player(threading.Thread):
    """A player that answers as it is told, and remembers what was said to it."""

    def __init__(self, answer: Callable[[str], str | bytes | None]) -> None:
        super().__init__(daemon=True)
        self._answer = answer
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.heard: list[str] = []
        """Whole requests, as they came."""
        self._kept: list[socket.socket] = []

    @property
    def bodies(self) -> list[str]:
        return [request.partition("\r\n\r\n")[2] for request in self.heard]

    def run(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            data, reader, whole = b"", MessageReader(), False
            while not whole and (chunk := connection.recv(65536)):
                data += chunk
                whole = reader.feed(chunk)
            if not whole:
                connection.close()
                continue
            self.heard.append(data.decode())
            answer = self._answer(reader.text)
            if answer is None:
                self._kept.append(connection)  # it says nothing and hangs up never
                continue
            with suppress(OSError):  # who has asked may be gone by now
                connection.sendall(answer if isinstance(answer, bytes) else response_bytes(answer))
            connection.close()

    def close(self) -> None:
        self._server.close()
        for connection in self._kept:
            connection.close()


@contextmanager
def player(answer: Callable[[str], str | bytes | None]) -> Iterator[Player]:
    playing = Player(answer)
    playing.start()
    try:
        yield playing
    finally:
        playing.close()


def play(
    port: int,
    rules: Rules,
    role: str,
    script: Callable[[Soloist], Awaitable[None]],
    start_ms: int = 60_000,
    **options: str,
) -> None:
    async def main() -> None:
        engine = Soloist(CATALOGUE.find_engine(f"ggp:http://localhost:{port}"))
        try:
            async with asyncio.timeout(SECONDS):
                await engine.open(Assignment(rules, rules.name, {}, role, options, seed="7"))
                await engine.begin(start_ms)
                await script(engine)
        finally:
            await engine.close()

    asyncio.run(main())


def tictactoe() -> Rules:
    return CATALOGUE.find_rules("gdl/tictactoe")


def simple(moves: dict[int, str] | None = None) -> Callable[[str], str]:
    """Answers everything; the moves by the number of the PLAY."""
    count = 0

    def answer(text: str) -> str:
        nonlocal count
        head = text.split()[1].upper()
        if head == "PLAY":
            count += 1
            return (moves or {}).get(count, "noop")
        return {"INFO": INFO, "START": "ready", "STOP": "done", "ABORT": "aborted"}.get(head, "ready")

    return answer


@pytest.mark.process
@pytest.mark.parametrize(
    ("wire", "match", "game", "receiver"),
    conversations(
        (OWN, "claim.1", "claim", "PlayerTwo"),
        (FURTHER, "tourney.ticTacToe.1", "ticTacToe__ticTacToe", "SearchTwo"),
    ),
)
def test_a_match_is_led_as_the_reference_leads_it_to_the_byte(wire: Path, match: str, game: str, receiver: str) -> None:
    rules = load_told(game_text(wire, game), match.split(".")[-2])
    recorded = [exchange for exchange in manager_exchanges(wire, match) if exchange.title == "B"]
    rest = re.findall(rf"\[B\] (\( \w+ {re.escape(match)} .*) => (.*)", (wire / "server.txt").read_text())
    answers = [exchange.answered for exchange in recorded] + [answer for _, answer in rest]
    replies = iter(answers)
    first, second = rules.players(rules.complete({}))

    def answer(text: str) -> str:
        return INFO if "INFO" in text else next(replies)

    with player(answer) as playing:

        async def script(engine: Soloist) -> None:
            for said in [read_message(exchange.body) for exchange in recorded[2:]] + [
                read_message(body) for body, _ in rest
            ]:
                for role, move in zip((first, second), said.moves, strict=True):  # type: ignore[union-attr]
                    if move == "noop":
                        continue
                    name = " ".join(move)
                    if role == second:
                        assert await engine.select(role, None, SECONDS) == name
                    await engine.made(role, name)

        options = {"play_clock": "2", "match": match, "receiver": receiver}
        play(playing.port, rules, second, script, start_ms=5_500, **options)
        sent = [request for request in playing.heard if "( INFO )" not in request]
    assert len(sent) == len(answers)
    for request, exchange in zip(sent, recorded, strict=False):
        if exchange.gap is None:
            assert request == exchange.request
        else:
            head = exchange.request.partition("\r\n\r\n")[0]
            assert request.startswith(f"{head}\r\n\r\n{exchange.gap[0]}")
            assert request.endswith(exchange.gap[1])
    assert [request.partition("\r\n\r\n")[2] for request in sent[len(recorded) :]] == [body for body, _ in rest]


COIN = """(role one) (role random) (init (step 0)) (<= (legal one (guess heads)) (true (step 0)))
(<= (legal one (guess tails)) (true (step 0))) (<= (legal random heads) (true (step 0)))
(<= (legal random tails) (true (step 0))) (<= (next (won one)) (does one (guess heads)) (does random heads))
(next (step 1)) (<= terminal (true (step 1))) (<= (goal one 100) (true (won one)))
(<= (goal one 0) (not (true (won one))))"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gdl/tictactoe", {}),
        ("gdl/tictactoe", {"scramble": "on"}),
        ("gdl/rockpaperscissors", {"preview": "60"}),
        ("", {}),
    ],
)
def test_our_manager_and_our_player_play_whole_matches(name: str, options: dict[str, str]) -> None:
    rules = CATALOGUE.find_rules(name) if name else load_told(COIN, "coin")
    logged: list[str] = []

    async def main() -> None:
        other = GgpPlayer("Other", Soloist(CATALOGUE.find_engine("Random")), random.Random(1), logged.append)
        server = HttpServer(other.answer)
        await server.start("127.0.0.1", 0)
        engine = Soloist(CATALOGUE.find_engine(f"ggp:127.0.0.1:{server.port}"))
        rng = random.Random(4)
        try:
            async with asyncio.timeout(SECONDS):
                me = rules.players({})[0]
                await engine.open(Assignment(rules, rules.name, {}, me, {**options, "play_clock": "60"}, seed="7"))
                await engine.begin(60_000)
                position = rules.start()
                while players := position.turn().players:
                    moves = {}
                    for one in players:
                        if one == me:
                            moves[one] = position.parse(one, await engine.select(one, None, SECONDS))
                        else:
                            moves[one] = rng.choice(position.moves(one))
                    verdict = position.play(moves)
                    for actor, move in verdict.made:
                        await engine.made(actor, move)
                    position = verdict.position
                await engine.close()
        finally:
            await server.close()
            await engine.close()
            await other.close()

    asyncio.run(main())
    assert any(line.startswith("STOP") and line.endswith("done") for line in logged)
    assert not [line for line in logged if "can't be" in line or "any move" in line or "busy" in line]
    if "scramble" in options:
        assert not [line for line in logged if "mark" in line or "noop" in line]


@pytest.mark.process
def test_what_is_undone_begins_a_new_match_from_where_the_play_stands() -> None:
    # How often it is asked in the first match depends on how soon the move is taken back.
    first, second = simple({1: "( mark 1 1 )"}), simple({1: "( mark 3 3 )"})
    with player(lambda text: second(text) if " m.2 " in text else first(text)) as playing:

        async def script(engine: Soloist) -> None:
            assert await engine.select("cross", None, SECONDS) == "mark 1 1"
            await engine.made("cross", "mark 1 1")
            await engine.undone()
            await engine.made("cross", "mark 1 2")
            await engine.made("circle", "mark 2 2")
            assert await engine.select("cross", None, SECONDS) == "mark 3 3"

        play(playing.port, tictactoe(), "cross", script, match="m")
        messages = [read_message(body) for body in playing.bodies]
    assert [type(message).__name__ for message in messages][-3:] == ["Start", "Play", "Abort"]
    again = messages[-3]
    assert isinstance(again, Start)
    assert again.match == "m.2"
    there = load_told(" ".join(map(write, again.rules)), "again").start()
    here = tictactoe().start().play({"cross": "mark 1 2"}).position.play({"circle": "mark 2 2"}).position
    assert there.view(None) == here.view(None)
    assert str(messages[-2]) == "( PLAY m.2 NIL )"


@pytest.mark.process
def test_a_play_that_is_under_way_is_joined_by_one_start() -> None:
    with player(simple()) as playing:

        async def script(engine: Soloist) -> None:
            for number, (role, move) in enumerate((("cross", "1 1"), ("circle", "2 2"), ("cross", "1 2"))):
                await engine.made(role, f"mark {move}")
                assert number < 3
            assert await engine.select("circle", None, SECONDS) == "noop"

        play(playing.port, tictactoe(), "circle", script, match="m")
        heads = [body.split()[1] for body in playing.bodies]
    # Either it was fast enough to hear every step, or it was told of all at once.
    assert heads[-2:] == ["PLAY", "ABORT"]
    assert heads.count("PLAY") <= 5


@pytest.mark.process
@pytest.mark.parametrize("answer", ["nil", "( mark 9 9 )", "((", "", "( MARK 1 1 )"])
def test_what_a_player_says_goes_to_the_referee_as_it_is(answer: str) -> None:
    with player(simple({1: answer})) as playing:

        async def script(engine: Soloist) -> None:
            said = await engine.select("cross", None, SECONDS)
            meant = {"( MARK 1 1 )": "mark 1 1", "": "nothing"}
            assert said == meant.get(answer, answer)

        play(playing.port, tictactoe(), "cross", script)


@pytest.mark.process
@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (b"", "can't be reached for PLAY"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n", "a line of more than"),
        (b"x" * 100_000, "a line of more than"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\nab", "without sending complete message body"),
    ],
)
def test_a_player_that_breaks_the_protocol_is_at_fault(answer: bytes, match: str) -> None:
    def misbehave(text: str) -> str | bytes:
        return answer if "PLAY" in text else simple()(text)

    with player(misbehave) as playing:

        async def script(engine: Soloist) -> None:
            with pytest.raises(EngineError, match=match):
                await engine.select("cross", None, SECONDS)

        play(playing.port, tictactoe(), "cross", script)


@pytest.mark.process
def test_a_player_that_is_silent_is_left_when_the_referee_has_enough() -> None:
    def silent(text: str) -> str | None:
        return None if "PLAY" in text else simple()(text)

    with player(silent) as playing:

        async def script(engine: Soloist) -> None:
            with pytest.raises(EngineError, match="has not moved in time"):
                await engine.select("cross", 100, 0.3)
            await engine.made("cross", "mark 1 1")

        play(playing.port, tictactoe(), "cross", script, match="m")
        # The protocol has no way to take a question back but to begin again.
        assert "( ABORT m )" in playing.bodies
        assert playing.bodies[-1] == "( ABORT m.2 )"


@pytest.mark.process
def test_a_player_that_was_late_plays_on_with_what_was_played_for_it() -> None:
    count, asked = 0, threading.Event()

    def late_once(text: str) -> str | None:
        nonlocal count
        if "PLAY" not in text:
            return simple()(text)
        count += 1
        if count == 3:
            asked.set()
        return {1: "( mark 1 1 )", 2: "noop", 3: None, 4: "noop"}.get(count, "( mark 3 3 )")

    with player(late_once) as playing:

        async def script(engine: Soloist) -> None:
            assert await engine.select("cross", None, SECONDS) == "mark 1 1"
            await engine.made("cross", "mark 1 1")
            await engine.made("circle", "mark 2 2")
            waiting = asyncio.ensure_future(engine.select("cross", 60_000, SECONDS))
            await in_thread(asked.wait, SECONDS)
            # The referee has waited long enough, and plays for it.
            waiting.cancel()
            await asyncio.wait([waiting])
            await engine.made("cross", "mark 1 2")
            await engine.made("circle", "mark 2 1")
            assert await engine.select("cross", None, SECONDS) == "mark 3 3"

        play(playing.port, tictactoe(), "cross", script, match="m")
        plays = [body for body in playing.bodies if "PLAY" in body]
    assert plays[3:] == ["( PLAY m (( mark 1 2 ) noop ) )", "( PLAY m (noop ( mark 2 1 ) ) )"]


@pytest.mark.process
def test_a_busy_player_is_freed_of_what_was_left_behind_or_refused() -> None:
    left_behind = True

    def busy(text: str) -> str:
        nonlocal left_behind
        if "ABORT" in text and text.endswith(".2 )"):
            left_behind = False
        elif "ABORT" in text:
            return "busy"
        return "busy" if "START" in text and left_behind else simple({1: "( mark 2 2 )"})(text)

    async def script(engine: Soloist) -> None:
        assert await engine.select("cross", None, SECONDS) == "mark 2 2"

    with player(busy) as playing:
        play(playing.port, tictactoe(), "cross", script)
    with (
        player(lambda text: INFO if "INFO" in text else "busy") as playing,
        pytest.raises(EngineError, match="is busy"),
    ):
        play(playing.port, tictactoe(), "cross", script)


@pytest.mark.process
def test_who_is_not_there_or_can_not_be_asked_is_refused() -> None:
    async def nothing(engine: Soloist) -> None:
        raise AssertionError

    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))  # nobody else can have it, and nobody listens
        with pytest.raises(EngineFailedToStart, match="can't be reached for INFO"):
            play(reserved.getsockname()[1], tictactoe(), "cross", nothing)
    with player(simple()) as playing, pytest.raises(CommandError, match="can't play"):
        play(playing.port, CATALOGUE.find_rules("gdl/phantomtictactoe"), "cross", nothing)

    async def start(address: str) -> None:
        with pytest.raises(EngineFailedToStart, match="is no address of a player"):
            await Soloist(CATALOGUE.find_engine(f"ggp:{address}")).start()

    for address in ("https://localhost:1", "http://:1", "http://localhost:99999999"):
        asyncio.run(start(address))


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        ({"time_control": "move=20000, bank=0, increment=0"}, 9),
        ({"time_control": "move=20000, bank=0, increment=0", "noop_time": "off"}, 19),
        ({"time_control": "move=0, bank=600000, increment=10000"}, 9),
        ({"time_control": "move=9000, bank=60000, increment=0"}, 1),
        ({"time_control": "move=500, bank=0, increment=0"}, 1),
        ({"play_clock": "3"}, 3),
        ({}, 4),
    ],
)
def test_the_play_clock_that_is_told(options: dict[str, str], seconds: int) -> None:
    values = {option.name: option.default for option in Ggp.options}
    assert play_seconds({**values, **options}, turns=True) == seconds


@pytest.mark.process
def test_the_rules_and_the_clocks_are_told_as_they_are() -> None:
    with player(simple()) as playing:

        async def script(engine: Soloist) -> None:
            await engine.made("cross", "mark 1 1")

        play(playing.port, tictactoe(), "cross", script, time_control="move=20000, bank=0, increment=0")
        start = next(read_message(body) for body in playing.bodies if "START" in body)
    assert isinstance(start, Start)
    assert (start.start_clock, start.play_clock) == (57, 9)
    assert start.rules == read_all(tictactoe().text)
