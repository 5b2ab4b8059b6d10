"""Scripts and pipes: transcripts, exit statuses, and who waits for whom."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from ggtp.ui import batch
from ggtp.ui.batch import read_script, read_stream, run_script, whole_text
from ggtp.ui.console.environment import Environment, ExitStatus

GGTP = [sys.executable, "-m", "ggtp"]
SECONDS = 30.0


def script(text: str, **options: int) -> tuple[ExitStatus, list[str]]:
    """Run a script in this process."""
    out = io.StringIO()
    status = run_script(Environment(stdout=out, variables=os.environ), text, **options)
    return status, out.getvalue().splitlines()


def ggtp(*arguments: str, stdin: str | IO[str] = "") -> subprocess.CompletedProcess[str]:
    """Run the program with this standard input."""
    given = {"input": stdin} if isinstance(stdin, str) else {"stdin": stdin}
    return subprocess.run([*GGTP, *arguments], text=True, capture_output=True, timeout=SECONDS, **given)


FIGURE_1 = """\
set_rule TicTacToe
= Done
set_option show_when_play on
= Done
set_option genmove on
= Done
list_players
= Cross=human, Circle=human
set_rule_option starting_player Cross
= Done
set_enginz Circle Minimax
? Unknown command set_enginz. Use list_commands to see the commands. Did you mean set_engine?
set_engine Circle Minimax
= Done
set_engine_option Circle Depth 8
= Done
start
= Done
play Cross A1
-> Cross plays A1
= Done
-> Circle plays B2
play Cross A1
? No move named A1 for player Cross.
list_possible_moves
= Cross=B1,C1,A2,C2,A3,B3,C3
set_option show_possible_moves on
= Done
set_option genmove off
= Done
play Cross A2
-> Cross plays A2
-> Circle=B1, C1, C2, A3, B3, C3
= Done
genmove
= Done
-> Circle plays A3
-> Cross=B1, C1, C2, B3, C3
undo
-> Undoing a move
-> Circle=B1, C1, C2, A3, B3, C3
= Done
"""


def commands_of(transcript: str) -> str:
    """What the supervisor says in a transcript."""
    return "".join(f"{line}\n" for line in transcript.splitlines() if line[:1] not in "=?-")


@pytest.mark.process
def test_figure_1_with_the_real_engine() -> None:
    status, lines = script(commands_of(FIGURE_1))
    assert "\n".join(lines) + "\n" == FIGURE_1
    assert status == ExitStatus.REFUSED, "two of its lines are refused, on purpose"


def test_a_script_is_echoed_with_its_comments() -> None:
    status, lines = script("# a game\n\nget_rule\n  # indented\nset_rule Nim\nget_rule")
    assert lines == ["# a game", "get_rule", "= none", "  # indented", "set_rule Nim", "= Done", "get_rule", "= Nim"]
    assert status == ExitStatus.DONE


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", ExitStatus.DONE),
        ("get_rule\n", ExitStatus.DONE),
        ("frobnicate\nget_rule\n", ExitStatus.REFUSED),
        ("quit\n", ExitStatus.DONE),
        ("quit\nfrobnicate\n", ExitStatus.DONE),
    ],
)
def test_statuses(text: str, status: ExitStatus) -> None:
    assert script(text)[0] == status


def test_nothing_is_done_after_quit() -> None:
    assert script("quit\nget_rule\n")[1] == ["quit", "= Done"]


@pytest.mark.process
def test_a_command_that_needs_the_engines_moves_waits_for_them() -> None:
    text = "set_rule TicTacToe\nset_engine Cross Random\nset_engine Circle Random\nstart\nget_result\n"
    status, lines = script(text, seed=3)
    assert status == ExitStatus.DONE
    assert lines[-2] == "get_result"
    assert lines[-1].startswith("= Cross=")


@pytest.mark.process
def test_the_end_of_a_script_waits_for_the_play_to_end() -> None:
    _, lines = script("set_rule TicTacToe\nset_engine Cross Random\nset_engine Circle Random\nstart\n", seed=3)
    assert lines[-1].startswith("-> Cross=")


@pytest.mark.process
@pytest.mark.parametrize("end", ["", "quit\n"])
def test_at_the_end_engines_are_told_everything_and_sent_away(tmp_path: Path, end: str) -> None:
    answers = """#!/bin/sh
        while read -r line; do
            echo "$line" >> heard
            case $line in
            list_options) echo reply ;;
            have_to_play) echo select_move B2 ;;
            disconnect_engine) echo acknowledge; exit ;;
            *) echo acknowledge ;;
            esac
        done
    """
    (tmp_path / "e.sh").write_text(answers, encoding="utf-8")
    (tmp_path / "e.toml").write_text(
        'name = "E"\nargv = ["sh", "e.sh"]\ntransport = "stdio"\ncwd = "."\nwrites = ["."]\n', encoding="utf-8"
    )
    text = f"set_rule TicTacToe\nset_engine Circle {tmp_path}/e.toml\nstart\nplay Cross A1\n{end}"
    assert script(text)[0] is ExitStatus.DONE
    heard = (tmp_path / "heard").read_text(encoding="utf-8").splitlines()
    assert heard[-2:] == ["made_move Circle B2", "disconnect_engine"]


@pytest.mark.process
def test_waiting_can_be_switched_off() -> None:
    text = "set_option wait off\nset_rule TicTacToe\nset_engine Circle Minimax\nstart\nplay Cross A1\nget_last_move\n"
    assert script(text)[1][-1] == "= Cross A1"


@pytest.mark.process
def test_a_pipe_is_not_echoed() -> None:
    ran = ggtp(stdin="# a comment\nget_rule\nfrobnicate\n")
    assert ran.stdout.splitlines() == [
        "= none",
        "? Unknown command frobnicate. Use list_commands to see the commands.",
    ]
    assert (ran.returncode, ran.stderr) == (1, "")


@pytest.mark.process
def test_a_file_as_input_is_a_transcript(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text("# a comment\nget_rule\nquit\n")
    with path.open() as file:
        ran = ggtp(stdin=file)
    assert ran.stdout.splitlines() == ["# a comment", "get_rule", "= none", "quit", "= Done"]
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.process
def test_a_program_at_the_other_end_can_wait_for_each_answer() -> None:
    with subprocess.Popen(GGTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line, answer in (("get_rule", "= none"), ("set_rule Nim", "= Done"), ("get_rule", "= Nim")):
            program.stdin.write(f"{line}\n")
            assert program.stdout.readline() == f"{answer}\n"
        program.stdin.close()
        assert program.wait(SECONDS) == 0


@pytest.mark.process
def test_quit_ends_the_program_though_the_pipe_stays_open() -> None:
    with subprocess.Popen(
        GGTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write("quit\n")
        program.stdin.flush()
        assert program.wait(SECONDS) == 0
        assert (program.stdout.read(), program.stderr.read()) == ("= Done\n", "")


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_status_3(number: signal.Signals) -> None:
    with subprocess.Popen(
        GGTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write("get_rule\n")
        assert program.stdout.readline() == "= none\n"
        program.send_signal(number)
        assert program.wait(SECONDS) == ExitStatus.INTERRUPTED
        assert program.stdout.read() == "-> Interrupted\n"
        assert program.stderr.read() == ""


@pytest.mark.process
def test_a_reader_that_goes_away_ends_the_program() -> None:
    with subprocess.Popen(
        GGTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write("set_rule TicTacToe\nset_engine Cross Random\nset_engine Circle Random\n")
        for _ in range(3):
            program.stdout.readline()
        program.stdout.close()
        program.stdin.write("start\nget_result\n")
        program.stdin.close()
        program.wait(SECONDS)
        assert "Traceback" not in program.stderr.read()


@pytest.mark.process
def test_any_bytes_are_answered_line_by_line() -> None:
    data = (
        b"get_rule\xff\n\x00\nget_rule\rget_rule\n\r# comment\n\xed\xa0\x80\nset_rule \x00\nsave_file \x00\nget_rule\n"
    )
    ran = subprocess.run(GGTP, input=data, capture_output=True, timeout=SECONDS)
    lines = ran.stdout.decode().splitlines()
    assert [line[:2] for line in lines] == ["? ", "? ", "? ", "? ", "? ", "? ", "= "]
    assert (ran.returncode, ran.stderr) == (1, b"")


@pytest.mark.process
def test_a_script_may_be_what_another_command_prints(tmp_path: Path) -> None:
    """As a shell passes it for `ggtp --batch <(...)`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*GGTP, "--batch", str(pipe)], stdout=subprocess.PIPE, text=True) as program:
        pipe.write_text("get_rule\n")
        out, _ = program.communicate(timeout=SECONDS)
    assert out.splitlines() == ["get_rule", "= none"]
    assert program.returncode == 0


def test_a_device_is_no_script() -> None:
    with pytest.raises(OSError, match="Not a regular file"):
        read_script("/dev/null")


@pytest.mark.process
def test_millions_of_blank_lines_can_be_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "blank"
    path.write_text("get_rule\n" + "\n" * 30_000_000)
    with subprocess.Popen([*GGTP, "--batch", str(path)], stdout=subprocess.PIPE, text=True, bufsize=1) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "get_rule\n"
        program.send_signal(signal.SIGINT)
        out, _ = program.communicate(timeout=SECONDS)
    assert out.splitlines()[-1] == "-> Interrupted"
    assert program.returncode == ExitStatus.INTERRUPTED


def test_a_script_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_BYTES", 1000)
    with Path("/dev/zero").open("rb") as zeros, pytest.raises(ValueError, match="more than 1000 bytes"):
        whole_text(zeros)
    with Path("/dev/zero").open() as text, pytest.raises(ValueError, match="more than 1000 characters"):
        read_stream(text)
    assert read_stream(io.StringIO("get_rule\n")) == "get_rule\n"
