"""The driver: effects carried out in order, events handed on, and nothing left behind."""

from __future__ import annotations

import asyncio
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.driving import Screen

from ggtp.driver.driver import Driver
from ggtp.driver.listeners import Listeners
from ggtp.referee.effects import Effect, Leave
from ggtp.referee.events import TimePassed


@pytest.mark.process
def test_a_play_between_two_real_engines(play: Any) -> None:
    async def script(table: Any) -> None:
        await table.say("set_rule TicTacToe", "set_engine Cross Random", "set_engine Circle Random", "start")
        await table.settled()
        assert (await table.say("get_result")).startswith("= Cross=")
        assert await table.say("quit") == "= Done"
        assert table.driver.left

    lines = play(script, seed="3")
    moves = [line for line in lines if " plays " in line]
    assert [line.split()[1] for line in moves] == ["Cross", "Circle"] * (len(moves) // 2) + ["Cross"] * (len(moves) % 2)
    assert 5 <= len(moves) <= 9


@pytest.mark.process
def test_what_is_kept_is_made_known_though_no_other_deadline_is_near(play: Any) -> None:
    async def script(table: Any) -> None:
        await table.say("set_option patience 86400000", "set_option answer_time 86400000")
        await table.say("set_option secret_window 5", "set_rule PhantomTicTacToe")
        await table.say("set_engine Cross Random", "set_engine Circle Random", "start")
        await table.settled()

    assert any(line.startswith("-> Cross=") for line in play(script, seed="3"))


@pytest.mark.process
def test_the_same_seeds_play_the_same_game(play: Any) -> None:
    async def script(table: Any) -> None:
        await table.say("set_rule TicTacToe", "set_engine Cross Random", "set_engine Circle Random", "start")
        await table.settled()
        await table.say("list_played_moves")

    assert play(script, seed="3")[-1] == play(script, seed="3")[-1]


def test_one_answer_to_each_line_and_none_to_a_comment(play: Any) -> None:
    async def script(table: Any) -> None:
        assert await table.say("# a comment") == ""
        assert await table.say("\r# an odd one") == ""
        assert await table.say("  ") == ""
        assert await table.say("get_rule") == "= none"
        assert await table.say("frobnicate") == "? Unknown command frobnicate. Use list_commands to see the commands."

    assert len(play(script)) == 2


def test_commands_may_be_said_before_the_last_is_answered(play: Any) -> None:
    async def script(table: Any) -> None:
        said = ["list_rules", "get_rule", "set_rule TicTacToe", "get_rule", "list_engines"]
        answers = await asyncio.gather(*(table.say(line) for line in said))
        assert answers[1:4] == ["= none", "= Done", "= TicTacToe"]
        assert "TicTacToe" in answers[0]
        assert answers[4].startswith("= human, ")
        assert "Random" in answers[4]

    play(script)


def test_guests_that_are_not_there(play: Any) -> None:
    async def script(table: Any) -> None:
        assert await table.say("set_rule TicTacTo") == (
            "? No rule named TicTacTo. Did you mean TicTacToe or gdl/tictactoe?"
        )
        assert await table.say("set_rule CantStp") == "? No rule named CantStp. Did you mean CantStop?"
        await table.say("set_rule TicTacToe")
        assert await table.say("set_engine Cross Randon") == "? No engine named Randon. Did you mean Random?"
        assert await table.say("list_players") == "= Cross=human, Circle=human"

    play(script)


def test_files_are_written_as_the_play_goes_and_read_again(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.ggtp"

    async def script(table: Any) -> None:
        await table.say("set_rule TicTacToe", f"save_file {path}", "start", "play Cross A1")
        assert path.read_text().splitlines()[-1] == "force_play Cross A1"
        await table.say("play Circle B2", "close_file", "play Cross C3", "set_rule Nim", f"load_file {path}")
        assert await table.say("list_played_moves") == "= Cross A1, Circle B2"

    play(script)


def test_files_that_fail(play: Any, tmp_path: Path) -> None:
    async def script(table: Any) -> None:
        assert await table.say("load_file /nowhere/game") == "? /nowhere/game: No such file or directory."
        assert await table.say("save_file /nowhere/game") == "? /nowhere/game: No such file or directory."
        assert await table.say(f"save_file {tmp_path}") == f"? {tmp_path} is not a regular file."
        (tmp_path / "bytes").write_bytes(b"\xff")
        assert await table.say(f"load_file {tmp_path / 'bytes'}") == "? line 1 is not UTF-8."
        assert (await table.say("load_file a\0b")).startswith("? ")

    play(script)


def test_a_disk_that_fills_up_is_told_before_the_answer(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "game"

    async def script(table: Any) -> None:
        await table.say("set_rule TicTacToe", f"save_file {path}", "start")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 5, before[1]))
        try:
            assert await table.say("play Cross A1") == "= Done"
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, handler)
        assert await table.say("close_file") == "? No file is open."

    lines = play(script)
    told = next(index for index, line in enumerate(lines) if line.startswith(f"-> The play file {path} is closed: "))
    assert lines[told + 1 :] == ["-> Cross plays A1", "= Done", "? No file is open."]
    assert path.read_text().endswith("start\n")


def unlink(path: Path) -> str:
    path.unlink()
    return "was removed"


def replace(path: Path) -> str:
    (path.parent / "other").write_text("not ours\n")
    (path.parent / "other").replace(path)
    return "was replaced"


def truncate(path: Path) -> str:
    path.write_bytes(b"")
    return "was changed by another program"


@pytest.mark.parametrize("harm", [unlink, replace, truncate])
def test_a_play_file_that_others_take_away_goes_on_beside_it(
    play: Any, tmp_path: Path, harm: Callable[[Path], str]
) -> None:
    path, fresh = tmp_path / "game.ggtp", tmp_path / "game-2.ggtp"
    (tmp_path / "game-1.ggtp").write_text("somebody's\n")
    why = ""

    async def script(table: Any) -> None:
        nonlocal why
        await table.say("set_option chance off", "set_rule TicTacToe", f"save_file {path}", "start", "play Cross A1")
        why = harm(path)
        await table.say("play Circle B2", "play Cross C3")

    lines = play(script)
    assert f"-> The play file {path} {why}. The whole play is in {fresh}, which goes on." in lines
    assert sum("whole play" in line for line in lines) == 1
    assert fresh.read_text().splitlines()[1:] == [
        "set_option chance off",
        "set_rule TicTacToe",
        "start",
        "force_play Cross A1",
        "force_play Circle B2",
        "force_play Cross C3",
    ]
    assert (tmp_path / "game-1.ggtp").read_text() == "somebody's\n"


def test_a_play_file_whose_folder_is_gone_is_closed(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "game"
    path.parent.mkdir()

    async def script(table: Any) -> None:
        await table.say("set_rule TicTacToe", f"save_file {path}", "start")
        path.unlink()
        path.parent.rmdir()
        await table.say("play Cross A1")
        assert await table.say("close_file") == "? No file is open."

    lines = play(script)
    assert [line for line in lines if "is closed" in line] == [
        f"-> The play file {path} is closed: {path}-1: No such file or directory."
    ]


def test_what_one_command_records_in_pieces_is_in_the_new_file_once(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "game"

    async def script(table: Any) -> None:
        await table.say("set_option seed 1", "set_rule Backgammon", f"save_file {path}")
        path.unlink()
        await table.say("start")
        await table.say(f"save_file {tmp_path / 'again'}")

    play(script)
    assert (tmp_path / "game-1").read_text() == (tmp_path / "again").read_text()


@pytest.mark.process
def test_a_deadline_is_kept(play: Any) -> None:
    async def script(table: Any) -> None:
        table.engine("Slow", "--fault", "hang")
        await table.say("set_rule TicTacToe", "set_option time_move 50", "set_option time_margin 20")
        await table.say("set_engine Cross Slow", "start")
        await table.screen.until("-> Fault of Cross (Slow), late: no move within 50 ms.")

    play(script)


@pytest.mark.process
def test_an_engine_that_ends_is_told_with_its_last_words(play: Any) -> None:
    async def script(table: Any) -> None:
        table.engine("Bad", "--fault", "exit1")
        await table.say("set_rule TicTacToe", "set_engine Cross Bad", "start")
        await table.screen.until("-> The play is held.")

    lines = play(script)
    assert "-> Fault of Cross (Bad), exit: it ended with exit status 1." in lines
    assert any(line.startswith("-> Bad said: bad_engine: giving up") for line in lines)


@pytest.mark.process
def test_a_restarted_engine_goes_on(play: Any) -> None:
    async def script(table: Any) -> None:
        table.engine("Bad", "--fault", "exit0", "--at", "made_move")
        await table.say("set_rule TicTacToe", "set_option fault_exit restart", "set_option restarts 1")
        await table.say("set_engine Cross Bad", "start")
        # It is told the play when it is back, and does it again.
        await table.screen.until("-> Bad was restarted 1 times in a row already")
        await table.settled()
        assert await table.say("list_played_moves") == "= Cross A1"

    assert play(script).count("-> Starting Bad for Cross again") == 1


@pytest.mark.process
def test_closing_ends_engines_that_do_not_want_to(play: Any) -> None:
    async def script(table: Any) -> None:
        table.engine("Stubborn", "--fault", "ignores-term")
        await table.say("set_rule TicTacToe", "set_engine Cross Stubborn", "quit")

    assert play(script)[-1] == "= Done"


# With a referee that does as the test says.


class StubReferee:
    """Decides nothing."""

    def __init__(self) -> None:
        self.view = SimpleNamespace()
        self.is_settled = False
        self.effects: list[Effect] = []
        self.bug: Exception | None = None

    def asked(self, number: int, at: float) -> None:
        pass

    def handle(self, event: object) -> list[Effect]:
        if self.bug is not None:
            raise self.bug
        return self.effects

    def settled(self, *, timers: bool = False) -> bool:
        return self.is_settled

    def next_due(self) -> float | None:
        return asyncio.get_running_loop().time() + 1000.0

    def keeps_choices(self) -> bool:
        return False


def stub_driver(changed: Callable[[], None] | None = None) -> tuple[Driver, StubReferee]:
    referee = StubReferee()
    driver = Driver(lambda last_words: referee, None, Screen(), listeners=Listeners(changed))  # type: ignore[arg-type]
    return driver, referee


def test_who_waits_for_rest_is_woken_by_an_event_that_decides_nothing() -> None:
    async def main() -> None:
        driver, referee = stub_driver()
        driver.post(TimePassed(0.0))  # arms the timer
        waiter = asyncio.ensure_future(driver.settled())
        await asyncio.sleep(0)
        referee.is_settled = True
        driver.post(TimePassed(0.0))
        await asyncio.wait_for(waiter, 5.0)
        await driver.close()

    asyncio.run(main())


def test_a_bug_of_ours_reaches_whoever_waits() -> None:
    async def main() -> None:
        driver, referee = stub_driver()
        waiter = asyncio.ensure_future(driver.settled())
        await asyncio.sleep(0)
        referee.bug = ZeroDivisionError("ours")
        driver.post(TimePassed(0.0))
        for waiting in (waiter, driver.command("get_rule"), driver.settled()):
            try:
                await asyncio.wait_for(waiting, 5.0)
            except ZeroDivisionError:
                continue
            raise AssertionError("it was swallowed")
        await driver.close()

    asyncio.run(main())


def test_front_ends_are_told_of_changes() -> None:
    async def main() -> int:
        calls = []
        driver, referee = stub_driver(lambda: calls.append(1))
        referee.effects = [Leave()]
        driver.post(TimePassed(0.0))
        await driver.close()
        return len(calls)

    assert asyncio.run(main()) == 1
