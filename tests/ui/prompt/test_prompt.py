from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from prompt_toolkit.formatted_text import to_plain_text
from support.prompts import Seat, seat, until

from ggtp.ui.console.environment import ExitStatus
from ggtp.ui.prompt.prompt import HOW_TO_LEAVE, WITHDRAWN


def message(person: Seat) -> str:
    return to_plain_text(person.prompt._message())


def foot(person: Seat) -> str:
    return to_plain_text(person.prompt._toolbar())


async def think(person: Seat) -> None:
    """Have an engine think for longer than any test takes."""
    await person.say("set_rule ConnectFour")
    await person.say("set_rule_option starting_player Red")
    await person.say("set_engine Red Minimax")
    await person.say("set_engine_option Red Depth 64")
    await person.say("set_engine_option Red Time 1000000")
    await person.say("start")
    await until(lambda: person.prompt._look().thinking, "thinking")


@pytest.mark.process
def test_a_play_against_an_engine(tmp_path: Path) -> None:
    async def main() -> ExitStatus:
        async with seat(tmp_path) as person:
            assert message(person) == "ggtp> "
            assert "no rule" in foot(person)
            await person.say("set_rule TicTacToe")
            await person.say("set_rule_option starting_player Cross")
            await person.say("set_engine Circle Minimax")
            await person.say("start")
            assert person.screen.pictures, "the table is drawn without being asked for"
            await until(lambda: message(person) == "Cross> ", "the turn in the prompt")
            assert foot(person) == " TicTacToe  >Cross: human  Circle: Minimax  node 0"
            await person.say("play Cross B2")
            await person.hear("-> Circle plays")
            await until(lambda: "node 2" in foot(person), "the engine's move in the toolbar")
            await person.say("plai Cross A2", "Did you mean play?")
            await person.say("b2", "? No move named b2 for player Cross")  # the rule says what is wrong
            await person.say("SA", "? No move named SA for player Cross")  # though save_file begins so
            free = person.prompt.driver.view.play.position.moves("Cross")
            await person.say(next(cell for cell in ("a1", "a3") if cell.upper() in free))
            await until(lambda: "node 3" in foot(person) or "node 4" in foot(person), "a move without any command")
            await person.say("quit")
            return await person.over()

    assert asyncio.run(main()) is ExitStatus.DONE


def test_who_gives_up_says_so(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("resign", "? Unknown command resign")
            await person.say("set_rule TicTacToe")
            await person.say("set_rule_option starting_player Cross")
            await person.say("start")
            await person.say("Resign", "Cross=loss, Circle=win (Cross forfeits: resigned)")
            await person.say("undo")
            await until(lambda: message(person) == "Cross> ", "the turn again")
            await person.say("resign now", "? No move named resign now for player Cross")
            await person.say("quit")

    asyncio.run(main())


@pytest.mark.process
def test_ctrl_d_leaves_and_no_engine_is_left(tmp_path: Path) -> None:
    async def main() -> list[int]:
        async with seat(tmp_path) as person:
            await person.say("set_rule TicTacToe")
            await person.say("set_engine Circle Random")
            links = list(person.prompt.driver._links.values())
            assert len(links) == 1
            person.keys("\x04")
            assert await person.over() is ExitStatus.DONE
            assert not person.prompt.driver._links
            return [link._process.pid for link in links if link._process is not None]  # type: ignore[union-attr]

    pids = asyncio.run(main())
    assert len(pids) == 1
    for pid in pids:
        assert not Path(f"/proc/{pid}").exists()


@pytest.mark.process
def test_ctrl_c_withdraws_a_thinking_engine(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await think(person)
            await until(lambda: "thinking 0." in foot(person) and "thinking 0.0" not in foot(person), "a running clock")
            person.keys("half a line")
            await until(lambda: person.line == "half a line")
            person.keys("\x03")
            await until(lambda: person.line == "", "the line cleared")
            assert person.prompt._look().thinking
            person.keys("\x03")
            await person.hear(WITHDRAWN)
            assert not person.prompt._look().thinking
            await until(lambda: "held" in foot(person))
            assert person.ended is None
            await person.say("force_play Red D")

    asyncio.run(main())


def test_ctrl_c_with_nothing_going_on_says_how_to_leave(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            person.keys("\x03")
            await person.hear(HOW_TO_LEAVE)
            assert person.ended is None

    asyncio.run(main())


@pytest.mark.slow
def test_a_slow_command_does_not_hold_up_the_prompt(tmp_path: Path) -> None:
    stuck = tmp_path / "stuck.py"
    stuck.write_text(
        f"import pathlib, time\nwhile not pathlib.Path({str(tmp_path / 'go')!r}).exists():\n    time.sleep(0.01)\n"
    )

    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("set_rule Nim")
            person.keys(f"set_rule {stuck}\r")
            await until(lambda: "set_rule ..." in foot(person), "a command at hand")
            person.keys("list_pl")
            await until(lambda: person.menu[:2] == ["list_players", "list_played_moves"], "suggestions meanwhile")
            person.keys("\x03")
            await until(lambda: person.line == "")
            person.keys("\x03")
            await person.hear("? Interrupted.")
            await person.say("get_rule", "= Nim")
            (tmp_path / "go").touch()

    asyncio.run(main())


def test_a_file_is_loaded_first(tmp_path: Path) -> None:
    play = tmp_path / "with blank.ggtp"
    play.write_text("set_rule TicTacToe\nset_rule_option starting_player Cross\nstart\nforce_play Cross A1\n")

    async def main() -> None:
        async with seat(tmp_path, load=str(play)) as person:
            await person.hear("= Done")
            await person.say("list_played_moves", "= Cross A1")

    asyncio.run(main())


def test_a_file_that_is_not_there_is_no_end(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path, load="nowhere.ggtp") as person:
            await person.hear("? nowhere.ggtp")
            await person.say("get_rule", "= none")

    asyncio.run(main())


def test_several_pasted_lines_are_several_commands(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            person.keys("\x1b[200~set_rule Nim\n# a comment\n\nget_rule\n\x1b[201~\r")
            await person.hear("= Done")
            await person.hear("= Nim")

    asyncio.run(main())


@pytest.mark.process
def test_with_option_wait_commands_wait_for_moves(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("set_rule TicTacToe")
            await person.say("set_rule_option starting_player Cross")
            await person.say("set_engine Cross Random")
            await person.say("set_option wait on")
            person.keys("start\rget_last_move\r")
            await person.hear("= Cross ")

    asyncio.run(main())


def test_lines_are_remembered(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("set_rule Nim")
        async with seat(tmp_path) as person:
            person.keys("\x1b[A")
            await until(lambda: person.line == "set_rule Nim", "the line typed before")

    asyncio.run(main())
    assert "+set_rule Nim" in (tmp_path / "ggtp" / "history").read_text()


@pytest.mark.process
def test_a_terminating_signal_leaves_cleanly(tmp_path: Path) -> None:
    async def main(number: signal.Signals) -> ExitStatus:
        async with seat(tmp_path) as person:
            await think(person)
            os.kill(os.getpid(), number)
            ended = await person.over()
            assert not person.prompt.driver._links
            return ended

    for number in (signal.SIGTERM, signal.SIGHUP):
        assert asyncio.run(main(number)) is ExitStatus.INTERRUPTED


def test_an_interrupting_signal_is_as_good_as_the_key(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            os.kill(os.getpid(), signal.SIGINT)
            await person.hear(HOW_TO_LEAVE)

    asyncio.run(main())


def test_f1_explains_what_is_typed(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            person.keys("set_engine Cr")
            await until(lambda: person.line == "set_engine Cr")
            person.keys("\x1bOP")
            await person.hear("-> set_engine player engine")
            assert person.line == "set_engine Cr"
            person.keys("\x15\x1bOP")
            await person.hear("choose a game")

    asyncio.run(main())


def test_a_rule_that_fails_does_not_end_the_prompt(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("set_rule TicTacToe")
            await person.say("start")

            class Broken:
                def turn(self) -> None:
                    raise ZeroDivisionError

            record = person.prompt.driver.referee.view.play.record
            assert record is not None
            verdict = record.cursor.verdict
            record.cursor.verdict = type(verdict)(Broken())  # type: ignore[arg-type]
            person.prompt._changed()
            assert message(person) == "ggtp> "
            person.keys("play ")
            record.cursor.verdict = verdict
            await until(lambda: person.line == "play ")

    asyncio.run(main())


@pytest.mark.process
def test_a_search_is_followed_in_the_toolbar(tmp_path: Path) -> None:
    async def main() -> None:
        async with seat(tmp_path) as person:
            await person.say("set_rule ConnectFour")
            await person.say("set_rule_option starting_player Red")
            await person.say("set_engine Red MCTS")
            await person.say("set_engine_option Red Time 1000000")
            await person.say("start")
            await until(lambda: "playouts" in foot(person), "what the search has found")
            first = foot(person)
            await until(lambda: "playouts" in foot(person) and foot(person) != first, "what it has found since")
            await person.say("force_play Red D")
            await until(lambda: "playouts" not in foot(person), "nothing of a search that is over")

    asyncio.run(main())
