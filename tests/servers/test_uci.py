"""The Universal Chess Interface, line by line, with engines of ours behind it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest
from support.paths import FAKES

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.servers.play import SoloPlay
from ggtp.servers.session import Soloist
from ggtp.servers.uci import UciServer, info_words

BAD = str(FAKES / "bad_engine.py")
SECONDS = 60.0
CATALOGUE = Catalogue.from_environment({})
MATED = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
MATE_IN_ONE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"


class Tool:
    """A chess tool: says lines, and waits for what it wants to hear."""

    def __init__(self, server: UciServer, lines: list[str]) -> None:
        self.server, self.lines = server, lines
        self.logged: list[str] = []

    async def __call__(self, *lines: str) -> None:
        for line in lines:
            await self.server.hear(line)

    async def hear(self, begins: str) -> str:
        """The next line that begins so; those before it are dropped."""
        while True:
            while self.lines:
                line = self.lines.pop(0)
                if line.startswith(begins):
                    return line
            await asyncio.sleep(0.005)


def use(script: Callable[[Tool], Awaitable[None]], spec: EngineSpec | None = None, engine: str = "Random") -> None:
    async def main() -> None:
        lines: list[str] = []
        logged: list[str] = []
        soloist = Soloist(spec or CATALOGUE.find_engine(engine))
        play = SoloPlay(soloist, CATALOGUE.find_rules("Chess"), "Chess", logged.append, rng=random.Random(1))
        server = UciServer(play, "Somebody", 200, lines.append)
        tool = Tool(server, lines)
        tool.logged = logged
        try:
            async with asyncio.timeout(SECONDS):
                await script(tool)
        finally:
            await server.close()

    asyncio.run(main())


@pytest.mark.process
def test_it_introduces_itself_with_the_options_of_the_engine() -> None:
    async def script(tool: Tool) -> None:
        await tool("uci")
        assert tool.lines[0] == "id name Somebody"
        assert "option name Depth type spin default 0 min 0 max 64" in tool.lines
        assert "option name Cache type check default true" in tool.lines
        assert any(line.startswith("option name Threads type spin default 1 ") for line in tool.lines)
        assert any(line.startswith("option name Hash type spin ") for line in tool.lines)
        assert not any("rule" in line.split()[2] for line in tool.lines if line.startswith("option"))
        assert tool.lines[-1] == "uciok"
        await tool("isready")
        assert tool.lines[-1] == "readyok"

    use(script, engine="Minimax")


@pytest.mark.process
def test_options_reach_the_engine_and_bounds_end_a_search() -> None:
    async def script(tool: Tool) -> None:
        await tool("uci", "setoption name Depth value 1", "setoption name cache value false")
        await tool("setoption name Hash value 64", "setoption name Ponder value true")
        await tool("position startpos", "go depth 2")
        assert "depth 2" in await tool.hear("info")
        move, *expected = (await tool.hear("bestmove")).split()[1:]
        assert move[1] in "12"
        assert not expected or (expected[0] == "ponder" and expected[1][1] in "78")
        await tool("go movetime 100000")
        assert "depth 1" in await tool.hear("info")
        await tool("setoption name Nonsense value 1")
        assert await tool.hear("info string") == "info string No option named Nonsense for engine Minimax."

    use(script, engine="Minimax")


@pytest.mark.process
def test_positions_and_moves() -> None:
    async def script(tool: Tool) -> None:
        await tool("uci", "isready", "ucinewgame", f"position fen {MATE_IN_ONE}", "go depth 2")
        assert (await tool.hear("bestmove")).split()[1] in ("g6g7", "g6e8")
        await tool("position startpos moves f2f3 e7e5 g2g4", "go depth 2")
        assert await tool.hear("bestmove") == "bestmove d8h4"
        await tool(f"position fen {MATED}", "go movetime 100")
        assert await tool.hear("bestmove") == "bestmove 0000"
        await tool(f"position fen {MATED}", "go infinite", "isready")
        assert tool.lines == ["readyok"]
        await tool("stop")
        assert await tool.hear("bestmove") == "bestmove 0000"

    use(script, engine="Minimax")


@pytest.mark.process
def test_what_is_wrong_is_told_and_changes_nothing() -> None:
    async def script(tool: Tool) -> None:
        await tool("position startpos moves e2e4")
        for wrong in ("startpos moves e2e5", "fen nonsense", "fen", "nowhere", f"fen {MATED} moves h8h7"):
            await tool(f"position {wrong}")
            assert (await tool.hear("info string")).startswith("info string ")
        await tool("joho debug on", "nonsense", "", "register later", "ponderhit", "stop")
        assert tool.lines == []
        await tool("go")
        assert (await tool.hear("bestmove"))[10] in "78", "it is Black's move after e2e4"

    use(script, engine="Random")


@pytest.mark.process
def test_a_clock_is_divided_and_stop_is_obeyed() -> None:
    async def script(tool: Tool) -> None:
        await tool("position startpos", "go wtime 600 btime 1 winc 10 binc 10 movestogo 20")
        await tool.hear("bestmove")
        await tool("go wtime 1 btime 1")
        await tool.hear("bestmove")
        await tool("go infinite", "isready")
        await tool.hear("readyok")
        assert not [line for line in tool.lines if line.startswith("bestmove")]
        await tool("stop")
        await tool.hear("bestmove")
        await tool("go movetime 100000", "stop")
        await tool.hear("bestmove")

    use(script, engine="MCTS")


@pytest.mark.process
def test_pondering_goes_on_with_the_expected_move_or_ends() -> None:
    async def script(tool: Tool) -> None:
        await tool("position startpos moves e2e4", "go ponder wtime 600 btime 600", "isready")
        await tool.hear("readyok")
        assert not tool.lines
        await tool("ponderhit")
        assert (await tool.hear("bestmove"))[10] in "78"
        await tool("position startpos moves d2d4", "go ponder wtime 100000 btime 100000", "stop")
        await tool.hear("bestmove")
        await tool("go infinite", "quit")
        assert tool.server.ended
        assert not [line for line in tool.lines if line.startswith("bestmove")]

    use(script, engine="MCTS")


@pytest.mark.process
def test_an_engine_that_fails_gives_any_move() -> None:
    async def script(tool: Tool) -> None:
        await tool("position startpos", "go movetime 100")
        assert len((await tool.hear("bestmove")).split()[1]) == 4
        assert "Any move is given instead." in tool.logged[0]

    use(script, EngineSpec("Bad", ("{python}", BAD, "{endpoint}", "--fault", "exit1"), transport="tcp"))


def test_what_a_search_has_found_in_words_of_the_protocol() -> None:
    found = {"value": "75.0", "depth": "3", "nodes": "40", "line": "e2e4 e7e5"}
    assert info_words(found, "e2e4") == ["depth", "3", "nodes", "40", "score", "cp", "500", "pv", "e2e4", "e7e5"]
    found = {"playouts": "7", "nodes": "0", "line": "d2d4 / d7d5"}
    assert info_words(found, "d2d4") == ["nodes", "7", "pv", "d2d4", "d7d5"]
    assert info_words({}, "d2d4") == ["pv", "d2d4"]
    assert info_words({"score": "mate -3", "value": "0"}, "d2d4") == ["score", "mate", "-3", "pv", "d2d4"]
    assert info_words({"score": "about nothing"}, "d2d4") == ["pv", "d2d4"]
