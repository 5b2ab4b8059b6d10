"""The end of the program that nobody planned: what was answered is on disk, and no engine stays behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BEFORE = ["set_option seed 5", "set_rule TicTacToe"]
COMMANDS: list[tuple[str, str, str]] = [
    ("set_engine Circle {engine}", "set_engine Circle {engine}", ""),
    ("set_engine_option Circle Depth 2", "set_engine_option Circle Depth 2", ""),
    ("start", "start", "none"),
    ("play Cross B2", "force_play Cross B2", "Cross B2"),
    ("get_last_move", "force_play Circle A1", "Cross B2, Circle A1"),
    ("comment_node took the corner", "comment_node took the corner", "Cross B2, Circle A1"),
    ("undo", "undo", "Cross B2"),
    ("force_play Circle C3", "force_play Circle C3", "Cross B2, Circle C3"),
    ("undo", "undo", "Cross B2"),
    ("redo", "redo", "Cross B2, Circle C3"),
    ("set_option show_table off", "set_option show_table off", "Cross B2, Circle C3"),
    ("play Cross A1", "force_play Cross A1", "Cross B2, Circle C3, Cross A1"),
    ("get_last_move", "force_play Circle B1", "Cross B2, Circle C3, Cross A1, Circle B1"),
]
"""Commands, the line that is in the play file once each is answered, and what is played then.

`get_last_move` waits for the engine.
"""


def lines_of(file: Path) -> list[str]:
    text = file.read_text()
    assert text.endswith("\n"), "the last line is whole"
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.fixture(scope="module", name="heir")
def make_heir(new_program: Callable[..., Any]) -> Iterator[Any]:
    """A program that loads what the killed ones have left."""
    heir = new_program()
    yield heir
    heir.end()


@pytest.mark.parametrize("count", range(len(COMMANDS) + 1))
def test_killed_after_an_answer(
    program: Callable[..., Any], heir: Any, engines: Any, tmp_path: Path, count: int
) -> None:
    engine = engines.bad("stdio" if count % 2 else "tcp", name="good")
    file = tmp_path / "play.ggtp"
    referee = program()
    referee.do(*BEFORE, f"save_file {file}")
    for command, _, _ in COMMANDS[:count]:
        referee.do(command.format(engine=engine))
    referee.signal(signal.SIGKILL)
    assert referee.wait() == -signal.SIGKILL
    recorded = [*BEFORE, *(line.format(engine=engine) for _, line, _ in COMMANDS)]
    written = lines_of(file)
    # The move that an engine makes on its own may be there already.
    count += count < len(COMMANDS) and COMMANDS[count][0] == "get_last_move" and len(written) > len(BEFORE) + count
    assert written == recorded[: len(BEFORE) + count]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    referee.no_engines()
    referee.no_trace()
    # The file loads, and the play goes on from where it was.
    heir.do("set_option genmove off", f"load_file {file}")
    played = COMMANDS[count - 1][2] if count else ""
    if played:
        assert heir.ask("list_played_moves") == played
    else:
        assert heir.say("list_played_moves").answer == "? The play is not started. Use start."


def test_killed_while_an_engine_thinks(program: Callable[..., Any], engines: Any, tmp_path: Path) -> None:
    """Engines that do not notice, or do not care, and their children."""
    file = tmp_path / "play.ggtp"
    referee = program()
    referee.do("set_rule TicTacToe", f"save_file {file}")
    referee.do(f"set_engine Cross {engines.bad('tcp', 'forks', name='parent')}")
    referee.do(f"set_engine Circle {engines.bad('zmq', 'hang', name='stubborn')}", "start")
    referee.news("Cross plays A1")
    assert len(referee.engines()) == 4
    referee.signal(signal.SIGKILL)
    assert referee.wait() == -signal.SIGKILL
    assert lines_of(file)[-2:] == ["start", "force_play Cross A1"], "what was shown is on disk"
    referee.no_engines(5)
    referee.no_trace()


@pytest.mark.parametrize("fault", ["ignores-term", "deaf", "stderr-flood"])
def test_killed_with_an_engine_that_does_not_end(program: Callable[..., Any], engines: Any, fault: str) -> None:
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Circle {engines.bad('stdio', fault)}", "start")
    assert len(referee.engines()) == 1
    referee.signal(signal.SIGKILL)
    referee.wait()
    referee.no_engines(5)
    referee.no_trace()


def test_told_to_end_again_and_again(program: Callable[..., Any], engines: Any, until: Callable[..., object]) -> None:
    """Whoever is impatient while a stubborn engine is ended sees no traceback, and nothing is left."""
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Circle {engines.bad('zmq', 'ignores-term')}", "start")
    referee.signal(signal.SIGTERM)
    until(lambda: referee.lines[-1] == "-> Interrupted", 10)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
        referee.signal(number)
    assert referee.wait(5) == 3
    assert referee.engines() == []
    assert referee.errors == ""
    referee.no_trace()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("state", ["idle", "thinking", "starting", "stubborn"])
def test_told_to_end(
    program: Callable[..., Any],
    engines: Any,
    tmp_path: Path,
    until: Callable[..., object],
    number: signal.Signals,
    state: str,
) -> None:
    file = tmp_path / "play.ggtp"
    referee = program()
    referee.do("set_rule TicTacToe", f"save_file {file}")
    if state == "starting":
        referee.write(f"set_engine Circle {engines.bad('tcp', 'never-connects')}\n")
        until(lambda: referee.engines(), 10)
    else:
        fault = {"thinking": "hang", "stubborn": "ignores-term"}.get(state, "")
        referee.do(f"set_engine Circle {engines.bad('zmq', fault)}", "start", "play Cross A1")
        assert len(referee.engines()) == 1
    referee.signal(number)
    assert referee.wait(5) == 3
    assert referee.engines() == [], "they are gone before the program is"
    assert referee.lines[-1] == "-> Interrupted"
    assert referee.errors == ""
    referee.no_trace()
    if state != "starting":
        assert "force_play Cross A1" in lines_of(file)


def test_told_to_end_twice(program: Callable[..., Any], engines: Any) -> None:
    """Impatience does not leave engines behind."""
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Circle {engines.bad('stdio', 'forks')}", "start")
    for _ in range(3):
        if referee.running:
            referee.signal(signal.SIGINT)
    referee.wait(10)
    referee.no_engines(5)
    referee.no_trace()


def test_the_reader_goes_away(program: Callable[..., Any], engines: Any, until: Callable[..., object]) -> None:
    """A broken pipe where the answers go is an end like another."""
    read, write = os.pipe()
    referee = program(stdout=write)
    os.close(write)
    referee.write(f"set_rule TicTacToe\nset_engine Circle {engines.bad('zmq')}\nstart\n")
    until(lambda: referee.engines(), 10)
    os.close(read)
    referee.write("play Cross A1\nget_version\nget_version\n")
    referee.close_input()
    assert referee.wait(10) in (0, -signal.SIGPIPE)
    referee.no_engines(5)
    referee.no_trace()
    assert "Traceback" not in referee.errors


def test_an_old_file_survives_until_the_new_one_is_whole(program: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "play.ggtp"
    file.write_text("# mine\nset_rule Nim\n")
    file.chmod(0o640)
    referee = program()
    assert referee.say(f"save_file {tmp_path}").answer.startswith("? ")
    assert referee.say(f"save_file {tmp_path / 'nowhere' / 'play.ggtp'}").answer.startswith("? ")
    assert file.read_text() == "# mine\nset_rule Nim\n"
    referee.do("set_rule TicTacToe", f"save_file {file}")
    assert lines_of(file) == ["set_rule TicTacToe"]
    assert file.stat().st_mode & 0o777 == 0o640
    referee.do("start", "play Cross A1", "close_file", "play Circle B1")
    assert lines_of(file) == ["set_rule TicTacToe", "start", "force_play Cross A1"]
    assert referee.say("close_file").answer == "? No file is open."
