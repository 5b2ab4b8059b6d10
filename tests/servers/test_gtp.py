"""The Go Text Protocol as its specification has it, line by line, with engines of ours behind it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.errors import OptionError
from ggtp.servers.gtp import GtpServer
from ggtp.servers.play import SoloPlay
from ggtp.servers.session import Soloist

SECONDS = 60.0
CATALOGUE = Catalogue.from_environment({})
REQUIRED = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    " undo time_settings time_left final_score showboard fixed_handicap place_free_handicap set_free_handicap loadsgf"
    " reg_genmove"
)


def serve(
    script: Callable[[Callable[[str], Awaitable[str]], GtpServer], Awaitable[None]],
    rule: str = "Go",
    engine: str = "Random",
    read_file: Callable[[str], str] = lambda name: Path(name).read_text(),
    *,
    quiet: bool = True,
    **values: str,
) -> None:
    async def main() -> None:
        logged: list[str] = []
        spec: EngineSpec = CATALOGUE.find_engine(engine)
        play = SoloPlay(Soloist(spec), CATALOGUE.find_rules(rule), rule, logged.append, rng=random.Random(1))
        now = iter(range(1_000_000))
        server = GtpServer(play, values, "Somebody", 60_000, read_file, lambda: float(next(now)))

        async def say(line: str) -> str:
            answer = await server.answer(line)
            assert answer is not None
            assert answer.endswith("\n\n")
            return answer[:-2]

        try:
            async with asyncio.timeout(SECONDS):
                await server.start()
                await script(say, server)
            assert not (quiet and logged)
        finally:
            await play.close()

    asyncio.run(main())


def follow(text: str, **how: Any) -> None:
    """Say what stands left of the bars and expect what stands right of them; `*` is anything."""

    async def script(say: Callable[[str], Awaitable[str]], server: GtpServer) -> None:
        for row in filter(None, map(str.strip, text.splitlines())):
            line, _, answer = (part.strip() for part in row.partition("|"))
            said = await say(line)
            if answer.endswith("*"):
                assert said.startswith(answer[:-1]), line
            else:
                assert said == answer, line

    serve(script, **how)


@pytest.mark.process
def test_what_every_engine_must_know() -> None:
    async def script(say: Callable[[str], Awaitable[str]], server: GtpServer) -> None:
        listed = (await say("list_commands")).removeprefix("= ").split("\n")
        for name in REQUIRED.split():
            assert name in listed
            assert await say(f"known_command {name}") == "= true"
        assert await server.answer("") is None
        assert await server.answer("# a comment") is None
        assert await say("99 quit") == "=99"
        assert server.ended

    serve(script)


@pytest.mark.process
def test_ids_errors_and_comments() -> None:
    follow(
        """
        1 protocol_version      | =1 2
        name                    | = Somebody
        007 known_command foo   | =007 false
        2 foo                   | ?2 unknown command
        3                       | ?3 unknown command
        known_command           | ? missing argument
        4 boardsize 9 # nine    | =4
        boardsize               | ? missing argument
        boardsize nine          | ? boardsize not an integer
        boardsize 25            | ? unacceptable size
        komi 0                  | =
        komi six                | ? komi not a float
        komi nan                | ? komi not a float
        komi 0.3                | ? No value 0.3*
        komi 0.25               | ? unacceptable komi
        play black              | ? invalid color or coordinate
        play red A1             | ? invalid color
        play black I5           | ? invalid coordinate
        play black Z1           | ? invalid coordinate
        play black K1           | ? invalid coordinate
        genmove                 | ? missing argument
        genmove red             | ? invalid color
        time_settings 1 2       | ? not three integers
        time_settings 1 2 x     | ? not three integers
        time_left b 1           | ? not a color and two integers
        undo                    | ? cannot undo
        fixed_handicap 99       | ? invalid number of stones
        fixed_handicap 1        | ? invalid number of stones
        fixed_handicap x        | ? handicap not an integer
        set_free_handicap A1    | ? bad vertex list
        set_free_handicap A1 A1 | ? bad vertex list
        set_free_handicap A1 pass | ? bad vertex list
        loadsgf                 | ? missing filename
        loadsgf /nonexistent    | ? cannot load file*
        set_game Othello        | ? unsupported game
        list_games              | = Go
        version                 | = *
        """
    )


@pytest.mark.process
def test_stones_passes_captures_and_undo() -> None:
    follow(
        """
        boardsize 5     | =
        komi 0.5        | =
        play B A1       | =
        play W b1       | =
        play b E5       | =
        play w A2       | =
        play b A1       | ? illegal move
        play b B1       | ? illegal move
        undo            | =
        play w PASS     | =
        final_score     | = B+0.5
        play b B2       | =
        play b C2       | =
        undo            | =
        undo            | =
        undo            | =
        undo            | =
        undo            | =
        undo            | =
        undo            | ? cannot undo
        final_score     | = W+0.5
        """
    )


@pytest.mark.process
def test_handicaps() -> None:
    follow(
        """
        boardsize 9                 | =
        fixed_handicap 2            | = C3 G7
        fixed_handicap 2            | ? board not empty
        undo                        | ? cannot undo
        genmove white               | = *
        clear_board                 | =
        place_free_handicap 3       | = C3 C7 G7
        clear_board                 | =
        set_free_handicap A1 B2 C3  | =
        undo                        | ? cannot undo
        play white C3               | ? illegal move
        play white D4               | =
        set_free_handicap A1 B2     | ? board not empty
        boardsize 19                | =
        fixed_handicap 9            | = D4 K4 Q4 D10 K10 Q10 D16 K16 Q16
        """
    )


@pytest.mark.process
def test_a_komi_that_changes_keeps_the_play() -> None:
    follow(
        """
        boardsize 5  | =
        play b C3    | =
        komi 30.5    | =
        final_score  | = W+5.5
        undo         | =
        final_score  | = W+30.5
        """
    )


@pytest.mark.process
def test_moves_are_made_for_both_colours_and_stay_on_the_board() -> None:
    async def script(say: Callable[[str], Awaitable[str]], server: GtpServer) -> None:
        await say("boardsize 5")
        vertex = (await say("genmove b")).removeprefix("= ")
        assert vertex[0] in "ABCDEP"
        looked = (await say("reg_genmove w")).removeprefix("= ")
        assert await say(f"play w {looked}") == "="
        assert (await say("genmove w")).startswith("= ")  # though it is black's turn
        assert await say("undo") == "="
        for colour in "bwbwbw":
            assert (await say(f"genmove {colour}")).startswith("= ")
        board = await say("showboard")
        assert board.startswith("=\n  A B C D E\n5 ")

    serve(script)


@pytest.mark.process
def test_two_passes_end_the_game() -> None:
    follow(
        """
        boardsize 5  | =
        play b C3    | =
        play w pass  | =
        play b pass  | =
        genmove w    | = PASS
        play w A1    | ? illegal move
        undo         | =
        play b A1    | =
        """
    )


@pytest.mark.process
def test_time_is_told_and_kept() -> None:
    # The clock of this test goes a second at each look, so main time is soon over.
    follow(
        """
        boardsize 5         | =
        time_settings 1 1 1 | =
        genmove b           | = *
        genmove w           | = *
        time_left b 0 0     | =
        genmove b           | = *
        time_settings 0 0 0 | =
        genmove w           | = *
        """,
        quiet=False,  # on a busy machine there may be no time for the engine
    )


@pytest.mark.process
@pytest.mark.parametrize("rule", ["Othello", "Hex", "Gomoku", "TicTacToe"])
def test_other_games_are_played_to_their_end(rule: str) -> None:
    async def script(say: Callable[[str], Awaitable[str]], server: GtpServer) -> None:
        size = {"Othello": 6, "Hex": 4, "Gomoku": 5, "TicTacToe": 3}[rule]
        assert await say(f"boardsize {size}") == "="
        assert await say("komi 6.5") == "="
        assert await say("known_command fixed_handicap") == "= false"
        assert await say("final_score") == "? cannot score"
        for turn in range(200):
            answer = await say(f"genmove {'bw'[turn % 2]}")
            assert answer.startswith("= ")
            if await say("final_score") != "? cannot score":
                break
        assert (await say("final_score"))[:3] in ("= B", "= W", "= 0")
        assert await say("undo") == "="
        assert await say("final_score") == "? cannot score"

    serve(script, rule)


@pytest.mark.process
def test_turns_of_games_without_a_pass_are_kept() -> None:
    follow(
        """
        play b J9      | =
        play b A1      | ? illegal move
        genmove b      | ? not the turn of this color
        play w J9      | ? illegal move
        play w H8      | =
        """,
        rule="Gomoku",
    )
    follow(
        """
        play b F6            | =
        play w swap-pieces   | =
        genmove b            | = *
        """,
        rule="Hex",
    )


@pytest.mark.process
def test_records_are_loaded_all_or_not_at_all(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.sgf", tmp_path / "bad.sgf"
    good.write_text("(;SZ[5]KM[1.5]AB[aa][bb];W[cc];B[dd])")
    bad.write_text("(;SZ[5];B[cc];W[cc])")
    follow(
        f"""
        boardsize 9          | =
        play b C3            | =
        loadsgf {bad}        | ? cannot load file*
        play w C3            | ? illegal move
        play w D4            | =
        loadsgf {good} 2     | =
        play w C3            | ? illegal move
        play b B2            | =
        loadsgf {good}       | =
        play b D2            | ? illegal move
        final_score          | = B*
        """
    )


@pytest.mark.process
def test_options_of_the_engine_as_gogui_reads_them() -> None:
    async def script(say: Callable[[str], Awaitable[str]], server: GtpServer) -> None:
        assert await say("gogui-analyze_commands") == "= param/Engine Options/ggtp-param"
        rows = (await say("ggtp-param")).removeprefix("= ").split("\n")
        assert "[bool] Solver 1" in rows
        assert "[list/bound/visits/value] Final bound" in rows
        assert not [row for row in rows if " rule " in row]
        assert await say("ggtp-param Solver 0") == "="
        assert "[bool] Solver 0" in await say("ggtp-param")
        assert await say("boardsize 5") == "="
        assert "[bool] Solver 0" in await say("ggtp-param")
        assert (await say("ggtp-param Final nonsense")).startswith("? No value nonsense")
        assert await say("ggtp-param rule Chess") == "? unknown parameter"
        assert (await say("ggtp-param nonsense 1")).startswith("? unknown parameter")

    serve(script, engine="MCTS", size="5")


@pytest.mark.process
def test_a_search_can_be_interrupted() -> None:
    async def script(say: Callable[[str], Awaitable[str]], server: GtpServer) -> None:
        await say("time_settings 0 3000 1")
        thinking = asyncio.ensure_future(say("genmove b"))
        await asyncio.wait([thinking], timeout=0.3)
        assert not thinking.done()
        server.interrupt()
        assert (await thinking).startswith("= ")

    serve(script, engine="MCTS", size="9")


def test_games_that_can_not_be_spoken_of_are_refused() -> None:
    with pytest.raises(OptionError, match="can't be spoken of"):
        follow("", rule="Chess")
