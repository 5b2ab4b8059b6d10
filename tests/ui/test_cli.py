"""The command line: what is run, what is said, and every exit status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from ggtp import __version__
from ggtp.errors import RulesError
from ggtp.ui.commands import rules
from ggtp.ui.console.environment import Environment, ExitStatus

GGTP = [sys.executable, "-m", "ggtp"]

PLAY = "set_rule TicTacToe\nstart\nplay Cross B2\nget_last_move\n"


def shell(command: str, **kwargs: Any) -> subprocess.CompletedProcess[str]:
    """Runs a line of shell, in which `ggtp` is the program."""
    script = f'ggtp() {{ "{sys.executable}" -m ggtp "$@"; }}\n{command}'
    return subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60, check=False, **kwargs)


def test_version(run: Any) -> None:
    ran = run("--version")
    assert (ran.status, ran.out, ran.err) == (0, f"ggtp {__version__}\n", "")


@pytest.mark.process
@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_nothing_heavy_is_imported_to_say_little(words: list[str]) -> None:
    code = f"""
        import sys
        from ggtp.ui.cli import main
        main({words})
        heavy = {{"asyncio", "rich", "prompt_toolkit", "zmq", "ggtp.game", "ggtp.catalogue", "ggtp.driver"}}
        print("heavy:", sorted(heavy & set(sys.modules)))
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_help_names_options_subcommands_and_statuses(run: Any) -> None:
    ran = run("-h")
    assert ran.status == 0
    for word in ("--batch", "--seed", "--debug", "--version", "rules", "engines", "check", "bench", "exit status"):
        assert word in ran.out


@pytest.mark.parametrize("words", [[], ["-"]])
def test_a_pipe_is_carried_out(run: Any, words: list[str]) -> None:
    ran = run(*words, stdin=PLAY)
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == "= Cross B2"
    assert "play Cross B2" not in ran.out.splitlines()


def test_a_refused_command_is_status_1(run: Any) -> None:
    ran = run(stdin="no_such_command\nget_version\n")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines()[-1] == f"= ggtp {__version__}"


def test_a_file_is_loaded_first(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "play.ggtp"
    file.write_text("set_rule TicTacToe\nstart\nforce_play Cross A1\n")
    ran = run(str(file), stdin="get_last_move\n")
    assert ran.status == 0
    assert ran.out.splitlines()[-1] == "= Cross A1"


def test_a_file_that_is_not_there_is_refused(run: Any) -> None:
    ran = run("no/such.ggtp", stdin="get_version\n")
    assert ran.status == 1
    assert ran.out.startswith("? no/such.ggtp: No such file")


@pytest.mark.parametrize("file", ["", "play.ggtp"])
def test_at_a_terminal_there_is_a_prompt(run: Any, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    calls = []

    def run_prompt(env: Environment, *, load: str, seed: int | None) -> ExitStatus:
        calls.append((load, seed))
        return ExitStatus.DONE

    fake = ModuleType("ggtp.ui.prompt.prompt")
    fake.run_prompt = run_prompt  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ggtp.ui.prompt.prompt", fake)
    run.variables["TERM"] = "xterm"
    ran = run("--seed", "7", *([file] if file else []), terminal=True)
    assert (ran.status, calls) == (0, [(file, 7)])


def test_a_batch_is_a_transcript(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "play.ggtp"
    file.write_text(PLAY)
    ran = run("--batch", str(file))
    assert ran.status == 0
    assert ran.out.splitlines()[:2] == ["set_rule TicTacToe", "= Done"]


def test_files_of_a_batch_do_not_know_each_other(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("set_rule TicTacToe\n")
    (tmp_path / "b").write_text("get_rule\n")
    ran = run("--batch", str(tmp_path / "a"), str(tmp_path / "b"), "-", stdin="get_version\n")
    assert ran.status == 0
    assert ran.out.splitlines() == [
        f"# {tmp_path / 'a'}",
        "set_rule TicTacToe",
        "= Done",
        f"# {tmp_path / 'b'}",
        "get_rule",
        "= none",
        "# -",
        "get_version",
        f"= ggtp {__version__}",
    ]


def test_a_batch_ends_with_the_worst_status(run: Any, tmp_path: Path) -> None:
    (tmp_path / "good").write_text("get_version\n")
    (tmp_path / "bad").write_text("no_such_command\n")
    assert run("--batch", str(tmp_path / "bad"), str(tmp_path / "good")).status == 1
    ran = run("--batch", str(tmp_path / "none"), str(tmp_path / "good"))
    assert (ran.status, ran.err) == (1, f"ggtp: {tmp_path / 'none'}: No such file or directory\n")
    assert "get_version" in ran.out


def test_a_batch_file_that_is_no_text(run: Any, tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"get_version\n\xff\n")
    ran = run("--batch", str(tmp_path / "bytes"))
    assert (ran.status, ran.err) == (1, f"ggtp: {tmp_path / 'bytes'}: line 2 is not UTF-8\n")


def test_the_same_seed_draws_the_same(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "play.ggtp"
    file.write_text("get_option seed\n")
    assert "= 12345" in run("--seed", "12345", "--batch", str(file)).out
    assert run("--batch", str(file)).out != run("--batch", str(file)).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ruels"], "did you mean rules?"),
        (["ruels", "--all"], "did you mean rules?"),
        (["list_rules"], "it is a command for the prompt"),
        (["xyzzy"], "no file and no subcommand is called xyzzy"),
        (["--sed", "3"], "did you mean --seed?"),
        (["--seed"], "--seed"),
        (["--seed", "-1"], "--seed"),
        (["--seed", "1_0"], "1_0 is no whole number"),
        (["--batch"], "--batch"),
        (["a.ggtp", "b.ggtp"], "there is no use for b.ggtp"),
        (["a.ggtp", "--batch", "b.ggtp"], "not allowed with"),
        (["rules", "--al"], "did you mean --all?"),
    ],
)
def test_wrong_usage_is_status_2(run: Any, words: list[str], said: str) -> None:
    ran = run(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("usage: ggtp")
    assert said in ran.err.splitlines()[-1]
    assert ran.err.splitlines()[-1].startswith("ggtp: ")


def test_a_file_called_like_no_subcommand_is_a_file(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("opening").write_text("set_rule TicTacToe\n")
    assert run("opening", stdin="get_rule\n").out.splitlines()[-1] == "= TicTacToe"


@pytest.mark.slow
def test_debug_may_stand_anywhere(run: Any) -> None:
    assert run("--debug", "rules").status == run("rules", "--debug").status == 0


# Failures.


def fail_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(env: Environment, args: object) -> ExitStatus:
        raise error

    monkeypatch.setattr(rules, "run", fail)


def test_a_bug_of_ours_is_status_4_and_no_traceback(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(ZeroDivisionError("by\nzero"), monkeypatch)
    ran = run("rules")
    assert (ran.status, ran.out) == (4, "")
    first, second = ran.err.splitlines()
    assert first == "ggtp: internal error: ZeroDivisionError: by zero; run with --debug for the details"
    assert "report" in second
    assert __version__ in second


def test_a_bug_of_ours_has_its_traceback_on_demand(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(ZeroDivisionError(), monkeypatch)
    ran = run("rules", "--debug")
    assert ran.status == 4
    assert ran.err.startswith("Traceback")
    assert "ggtp: internal error: ZeroDivisionError\n" in ran.err


def test_an_error_with_a_place_draws_the_caret(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(RulesError("no such thing", path="a.py", line=2, column=3, source="x = y"), monkeypatch)
    ran = run("rules")
    assert (ran.status, ran.err) == (1, "ggtp: a.py:2:3: no such thing\nx = y\n  ^\n")
    assert run("rules", "--debug").err.startswith("Traceback")


def test_a_failure_of_the_system_is_status_1(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(PermissionError(13, "Permission denied", "/secret"), monkeypatch)
    ran = run("rules")
    assert (ran.status, ran.err) == (1, "ggtp: /secret: Permission denied\n")
    fail_with(OSError("odd"), monkeypatch)
    assert run("rules").err == "ggtp: odd\n"


def test_an_interruption_is_status_3(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(KeyboardInterrupt(), monkeypatch)
    ran = run("rules")
    assert (ran.status, ran.err) == (3, "ggtp: interrupted\n")


def test_a_reader_who_left_is_no_failure(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(BrokenPipeError(32, "Broken pipe"), monkeypatch)
    ran = run("rules")
    assert (ran.status, ran.err) == (0, "")


def test_guests_do_not_choose_the_status(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(SystemExit("bye"), monkeypatch)
    assert run("rules").status == 4


# The process.


@pytest.mark.process
def test_a_pipe_that_nobody_reads_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*GGTP, "help", "commands"], stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told() -> None:
    done = shell("ggtp rules >/dev/full")
    assert (done.returncode, done.stderr) == (1, "ggtp: No space left on device\n")


@pytest.mark.process
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_do_no_harm(closed: str) -> None:
    done = shell(f"ggtp rules {closed}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_no_character_is_too_strange_for_the_output(tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text('name = "Odd"\nargv = ["odd"]\ntitle = "∞"\n')
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "GGTP_ENGINES_PATH": str(tmp_path)}
    done = shell("ggtp engines", env=environ)
    assert done.returncode == 0
    assert "\\u221e" in done.stdout


@pytest.mark.process
def test_what_a_rule_prints_is_no_line_of_the_protocol(tmp_path: Path) -> None:
    rule = tmp_path / "chatty.py"
    rule.write_text("print('chatty')\n", encoding="utf-8")
    done = shell(f"echo 'set_rule {rule}' | ggtp")
    assert done.stdout.startswith("? ")
    assert done.stderr == "chatty\n"


@pytest.mark.process
def test_an_interrupted_check_is_status_3(tmp_path: Path) -> None:
    rule = tmp_path / "slow.py"
    rule.write_text("import time\nprint('here', flush=True)\ntime.sleep(60)\n")
    with subprocess.Popen(
        [*GGTP, "check", str(rule)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stderr is not None
        assert program.stderr.readline() == "here\n"
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err) == (3, "", "ggtp: interrupted\n")


@pytest.mark.process
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 3), (signal.SIGTERM, 3)])
def test_an_interrupted_pipe_is_status_3(number: signal.Signals, status: int) -> None:
    with subprocess.Popen(
        GGTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("get_version\n")
        program.stdin.flush()
        assert program.stdout.readline().startswith("= ")
        program.send_signal(number)
        # The pipe is still open on our side: the program may not wait for its end.
        assert program.wait(60) == status
        assert program.stdout.read() == "-> Interrupted\n"
        assert program.stderr is not None
        assert program.stderr.read() == ""


@pytest.mark.process
def test_quit_does_not_wait_for_the_end_of_the_pipe() -> None:
    with subprocess.Popen(
        GGTP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        program.stdin.write("quit\n")
        program.stdin.flush()
        assert program.wait(60) == 0
        assert program.stderr is not None
        assert program.stderr.read() == ""
