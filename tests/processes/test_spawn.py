"""Programs: started with the pipes, the group and the environment that were asked for."""

from __future__ import annotations

import os
import sys

import pytest

from ggtp.processes.spawn import (
    NOTHING,
    PIPE,
    Apart,
    Process,
    ended,
    environment,
    module_command,
    spawn,
    without_folder,
)

pytestmark = pytest.mark.process

SECONDS = 60.0
"""Only for a test that fails."""
WHERE = "import os; print(os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid(), flush=True)"


def output(process: Process) -> bytes:
    assert process.stdout is not None
    with process.stdout as pipe:
        data = pipe.read()
    assert ended(process, SECONDS) == 0
    return data


@pytest.mark.parametrize(
    ("apart", "said"), [(Apart.NOT, b"False False\n"), (Apart.GROUP, b"True False\n"), (Apart.SESSION, b"True True\n")]
)
def test_a_program_is_as_far_apart_as_was_asked(apart: Apart, said: bytes) -> None:
    assert output(spawn([sys.executable, "-S", "-c", WHERE], stdin=NOTHING, apart=apart)) == said


def test_it_has_the_environment_and_the_place_that_were_given(tmp_path: os.PathLike[str]) -> None:
    program = "import os; print(os.environ.get('WORD'), os.environ.get('HOME'), os.getcwd(), flush=True)"
    process = spawn([sys.executable, "-S", "-c", program], stdin=NOTHING, env={"WORD": "said"}, cwd=tmp_path)
    assert output(process).decode().split() == ["said", "None", os.fspath(tmp_path)]


def test_one_that_goes_on_has_not_ended() -> None:
    process = spawn([sys.executable, "-S", "-c", "input()"])
    assert ended(process, 0.0) is None
    process.kill()
    assert ended(process, SECONDS) == -9
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()


@pytest.mark.parametrize("bare", [False, True])
def test_a_module_of_the_project_is_found_from_anywhere(bare: bool, tmp_path: os.PathLike[str]) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the one of the folder')")  # type: ignore[operator]  # a Path
    process = spawn(
        module_command("ggtp.gdl.ground.child", bare=bare),
        stderr=PIPE,
        env=environment(bare=bare),
        cwd=tmp_path,
    )
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(b'{"text": "(role r) (<= terminal (true x)) (init x) (<= (goal r 100) (true x))"}')
    process.stdin.close()
    data, _ = process.stdout.read() if process.stdout else b"", process.stderr.read()
    assert ended(process, SECONDS) in (0, 1)
    assert data.startswith(b'{"rules": 0}\n')
    process.stderr.close()
    if process.stdout:
        process.stdout.close()


@pytest.mark.parametrize("options", [[], ["-u"]])
def test_a_module_of_the_project_does_without_the_working_folder(options: list[str]) -> None:
    python = sys.executable
    safe = [python, *options, "-P", "-m", "ggtp.engines.mcts", "-"]
    assert without_folder([python, *options, "-m", "ggtp.engines.mcts", "-"]) == safe
    assert without_folder(safe) == safe


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "engine.py", "-m", "ggtp"],
        [sys.executable, "-m", "engine"],
        [sys.executable, "-m", "ggtp_engine"],
        ["./python", "-m", "ggtp.engines.mcts"],
        [sys.executable, "-m"],
        ["-m", "ggtp"],
        [],
    ],
)
def test_other_commands_stay_as_they_are(command: list[str]) -> None:
    assert without_folder(command) == command


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(OSError, match="no-such-program"):
        spawn(["/no-such-program"])
