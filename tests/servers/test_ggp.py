"""An engine as a player of general game playing, over real sockets, held against the reference's own conversation."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from support.corpus import is_own
from support.ggp_wire import WIRES, exchange, game_text, player_exchanges, say
from support.paths import FAKES

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.driver.tasks import in_thread
from ggtp.foreign.expressions import move_expression, read, read_all
from ggtp.foreign.ggp import Abort, Info, Play, Preview, Start, Stop
from ggtp.foreign.http import request_bytes, response_bytes
from ggtp.foreign.joint import advance, gdl_start, legal_moves, roles
from ggtp.servers.ggp import IDLE_SECONDS, MOST_RULES, GgpPlayer
from ggtp.servers.http import HttpServer
from ggtp.servers.session import Soloist

SECONDS = 60.0
CATALOGUE = Catalogue.from_environment({})
BAD = str(FAKES / "bad_engine.py")
COIN = """(role One) (role random) (init (step 0)) (<= (legal One (Guess Heads)) (true (step 0)))
(<= (legal One (Guess tails)) (true (step 0))) (<= (legal random heads) (true (step 0)))
(<= (legal random tails) (true (step 0))) (<= (next (won One)) (does One (Guess Heads)) (does random heads))
(next (step 1)) (<= terminal (true (step 1))) (<= (goal One 100) (true (won One)))
(<= (goal One 0) (not (true (won One))))"""


class Talk:
    """A player at a port, and what it has logged."""

    def __init__(self, player: GgpPlayer, server: HttpServer, logged: list[str]) -> None:
        self.player, self.server, self.logged = player, server, logged
        self.now = 0.0

    async def __call__(self, message: object) -> str | None:
        return await in_thread(say, self.server.port, str(message))


def talk(
    script: Callable[[Talk], Awaitable[None]],
    engine: EngineSpec | None = None,
    clock: Callable[[], float] | None = None,
) -> None:
    async def main() -> None:
        logged: list[str] = []
        soloist = Soloist(engine or CATALOGUE.find_engine("Random"))
        more: dict[str, Any] = {"clock": clock} if clock else {}
        player = GgpPlayer("Random", soloist, random.Random(1), logged.append, {} if engine else {"seed": "1"}, **more)
        server = HttpServer(player.answer)
        await server.start("127.0.0.1", 0)
        try:
            async with asyncio.timeout(SECONDS):
                await script(Talk(player, server, logged))
        finally:
            await server.close()
            await player.close()

    asyncio.run(main())


def rules(name: str):
    return CATALOGUE.find_rules(f"gdl/{name}")


@pytest.mark.process
@pytest.mark.parametrize("wire", WIRES)
def test_the_reference_and_we_answer_the_same_to_the_byte(wire: Path) -> None:
    checked = 0

    async def script(say_to: Talk) -> None:
        nonlocal checked
        for recorded in player_exchanges(wire):
            body = recorded.body
            if recorded.gap is not None:
                sheet = read_all(game_text(wire, "ticTacToe__ticTacToe"))
                words = recorded.gap[0].split()
                clocks = re.findall(r"\) (\S+) ?(\S*)\s*\)$", body)[0]
                if "START" not in words[1].upper() and "start" not in words[0]:
                    body = str(Preview(sheet, 60))
                else:
                    name, role = (words[2], words[3]) if words[0] == "(" else (words[1], words[2])
                    body = str(Start(name, role, sheet, 5, 3)).replace(" 5 3)", f" {clocks[0]} {clocks[1]})")
            request = request_bytes(body, recorded.host, recorded.receiver)
            answer = await in_thread(exchange, say_to.server.port, request)
            if recorded.answer == "":
                # There the connection is left open without an answer; here it is closed, or answered.
                assert answer in (None, "ready", "busy"), recorded.title
            elif recorded.answered.startswith(("( mark", "( claim")):  # a move that was drawn
                move = re.sub(r"\d", "[123]", re.escape(recorded.answered))
                assert re.fullmatch(move, answer or ""), recorded.title
            else:
                assert response_bytes(answer or "") == recorded.answer.encode(), recorded.title
            checked += 1

    talk(script)
    assert checked >= (16 if is_own(wire) else 18)


@pytest.mark.process
@pytest.mark.parametrize(("name", "role"), [("tictactoe", 1), ("rockpaperscissors", 0), ("blobwars", 0), ("hanoi", 0)])
def test_whole_matches(name: str, role: int) -> None:
    async def script(say_to: Talk) -> None:
        position = gdl_start(rules(name))
        mine, sheet = roles(position)[role], read_all(rules(name).text)
        assert await say_to(Start("m", mine, sheet, 60, 60)) == "ready"
        rng, last = random.Random(2), None
        for _ in range(40):
            if not legal_moves(position, mine):
                break
            answer = await say_to(Play("m", last))
            moves = {other: move_expression(rng.choice(legal_moves(position, other))) for other in roles(position)}
            moves[mine] = read(answer)
            position, _ = advance(position, moves)
            last = tuple(moves.values())
        assert await say_to(Stop("m", last)) == "done"
        assert not [line for line in say_to.logged if "any move" in line or "can't be" in line]

    talk(script)


@pytest.mark.process
def test_spelling_of_the_manager_is_kept_and_chance_is_followed() -> None:
    async def script(say_to: Talk) -> None:
        assert await say_to(Start("m", "One", read_all(COIN), 60, 60)) == "ready"
        assert await say_to(Play("m")) in ("( Guess Heads )", "( Guess tails )")
        assert await say_to(Stop("m", (("Guess", "Heads"), "heads"))) == "done"
        assert "one: one=win 100" in say_to.logged

    talk(script)


@pytest.mark.process
def test_an_engine_that_fails_or_is_late_or_lies_does_not_lose_the_match() -> None:
    for words in (("--fault", "exit1"), ("--fault", "hang"), ("--fault", "illegal", "--say", "nonsense")):

        async def script(say_to: Talk) -> None:
            sheet = read_all(rules("tictactoe").text)
            assert await say_to(Start("m", "cross", sheet, 5, 1)) == "ready"
            assert re.fullmatch(r"\( mark [123] [123] \)", await say_to(Play("m")))
            assert any("any move is given instead" in line for line in say_to.logged)

        talk(script, EngineSpec("Bad", ("{python}", BAD, "{endpoint}", *words), transport="tcp"))


@pytest.mark.process
def test_what_can_not_be_followed_or_played_is_told() -> None:
    async def script(say_to: Talk) -> None:
        sheet = read_all(rules("tictactoe").text)
        assert await say_to(Start("m", "cross", sheet, 60, 60)) == "ready"
        assert await say_to(Play("m", (("mark", "9", "9"), "noop"))) == "nil"
        assert await say_to(Play("m", ("noop",))) == "nil"
        assert await say_to(Stop("m", None)) == "done"
        hidden = read_all(rules("phantomtictactoe").text)
        assert await say_to(Start("m", "cross", hidden, 60, 60)) == "busy"
        assert await say_to(Start("m", "cross", read_all("(role)"), 60, 60)) == "busy"
        assert await say_to(Preview(read_all("(<= )"), 60)) == "busy"
        assert await say_to(Preview(sheet, 60)) == "ready"
        assert await say_to(Info()) == "( ( name Random ) ( status available ) )"
        assert any("GDL-II" in line for line in say_to.logged)

    talk(script)


@pytest.mark.process
def test_one_match_at_a_time_until_it_is_abandoned() -> None:
    now = 0.0

    async def script(say_to: Talk) -> None:
        nonlocal now
        sheet = read_all(rules("tictactoe").text)
        assert await say_to(Start("one", "cross", sheet, 60, 60)) == "ready"
        assert await say_to(Start("two", "cross", sheet, 60, 60)) == "busy"
        assert await say_to(Preview(sheet, 60)) == "busy"
        assert await say_to(Abort("two")) == "busy"
        now += IDLE_SECONDS + 121
        assert await say_to(Start("two", "cross", sheet, 60, 60)) == "ready"
        assert await say_to(Play("one")) == "busy"
        assert await say_to(Abort("two")) == "aborted"

    talk(script, clock=lambda: now)


@pytest.mark.process
def test_info_is_answered_and_a_match_ended_while_the_engine_thinks() -> None:
    async def script(say_to: Talk) -> None:
        sheet = read_all(rules("tictactoe").text)
        assert await say_to(Start("m", "cross", sheet, 5, 600)) == "ready"
        thinking = asyncio.ensure_future(say_to(Play("m")))
        while await say_to(Info()) != "( ( name Random ) ( status busy ) )":
            pass
        assert not thinking.done()
        assert await say_to(Abort("m")) == "aborted"
        assert await thinking in ("nil", "busy")

    talk(script, EngineSpec("Bad", ("{python}", BAD, "{endpoint}", "--fault", "hang"), transport="tcp"))


@pytest.mark.slow
def test_rules_are_kept_by_the_hash_of_their_text() -> None:
    async def script(say_to: Talk) -> None:
        sheets = [read_all(f"{rules('tictactoe').text} (extra {number})") for number in range(MOST_RULES + 2)]
        for sheet in (*sheets, sheets[-1]):
            assert await say_to(Preview(sheet, 60)) == "ready"
        assert len(say_to.player._rules) == MOST_RULES

    talk(script)
