"""Rules that compute without end: the referee names them, can be interrupted and ended, and blames no engine."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.stuck import stuck_rule

pytestmark = pytest.mark.process

NAMED = "The rule Stuck has been computing result for 3 s."


def test_an_interrupt_holds_the_play_and_ends_the_pipe(program: Callable[..., Any], tmp_path: Path) -> None:
    referee = program()
    referee.do(f"set_rule {stuck_rule(tmp_path)}", "start", "play Cross A1")
    referee.write("play Circle B2\nplay Cross A2\n")
    referee.news(NAMED)
    referee.signal(signal.SIGINT)
    referee.news("The rule Stuck failed in result (")
    assert referee.lines[-1] != NAMED
    referee.news("Interrupted")
    assert referee.wait() == 3
    assert not any("Cross plays A2" in line for line in referee.lines)
    assert referee.errors == ""


def test_a_terminated_referee_ends_though_a_rule_computes(
    program: Callable[..., Any], engines: Any, tmp_path: Path
) -> None:
    referee = program()
    referee.do(f"set_rule {stuck_rule(tmp_path)}", f"set_engine Circle {engines.bad('stdio', name='good')}", "start")
    referee.write("play Cross B2\n")
    referee.news(NAMED)
    referee.signal(signal.SIGTERM)
    assert referee.wait() == 3
    assert not any("Fault of" in line for line in referee.lines)
    referee.no_trace()


def test_a_check_gives_the_rule_up_and_names_the_method(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ggtp", "check", str(stuck_rule(tmp_path)), "--limit", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "endless: StuckPosition.result was given up after" in done.stdout
    assert re.search(r"after .*B2", " ".join(done.stdout.split())), "the moves that lead there"
    assert "The rule Stuck has been computing StuckPosition.result for 3 s." in done.stderr


def test_engines_are_not_blamed_for_a_rule_s_time(program: Callable[..., Any], engines: Any, tmp_path: Path) -> None:
    """An engine had no chance to answer what was not sent while the rule computed."""
    referee = program()
    good = engines.bad("stdio", name="good")
    referee.do(f"set_rule {stuck_rule(tmp_path)}", f"set_engine Circle {good}", "set_option answer_time 50", "start")
    referee.write("play Cross B2\n")
    referee.news(NAMED)
    referee.signal(signal.SIGINT)
    assert referee.wait() == 3
    assert not any("Fault of" in line for line in referee.lines)
