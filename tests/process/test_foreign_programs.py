"""Foreign programs that do wrong, each behind a bridge and through the real program; and nothing of them is left."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES
from support.programs import need_program

from ggtp.catalogue.bridges import GAMES

FAKE = FAKES / "uci_program.py"


def command(mode: str) -> str:
    return f"uci:{shlex.join([sys.executable, str(FAKE), mode])}"


@pytest.fixture(name="referee")
def make_referee(program: Callable[..., Any]) -> Any:
    referee = program()
    referee.do("set_rule Chess", "set_option wait off")
    return referee


def seat(referee: Any, mode: str, *options: str) -> None:
    referee.do(*options, f"set_engine White {command(mode)}")
    referee.do("start")


@pytest.mark.parametrize(
    ("mode", "options", "fault"),
    [
        ("crash", [], "exit: it ended with exit status 1."),
        ("illegal", [], "illegal: "),
        ("none", [], "illegal: "),
        ("long", [], "exit: it ended with exit status 1."),
        ("deaf", ["set_option time_move 100"], "late: "),
        ("flood", ["set_option time_move 100"], "late: "),
        ("hog", ["set_option engine_memory 300"], "limit: It uses "),
        ("many", ["set_option engine_processes 6"], "limit: It has "),
    ],
)
def test_what_a_program_does_wrong_is_a_fault_of_its_bridge(
    referee: Any, mode: str, options: list[str], fault: str
) -> None:
    seat(referee, mode, *options)
    said = referee.news("Fault of White")
    assert fault in said
    assert "Traceback" not in referee.transcript()
    assert referee.ask("list_played_moves") in ("", "none", "0")
    assert referee.quit() == 0


def test_last_words_say_what_the_program_did(referee: Any) -> None:
    since = len(referee.lines)
    seat(referee, "crash")
    referee.heard(since, "has ended with exit status 1. Its last words: segmentation imagined")
    assert referee.quit() == 0


def test_a_program_that_crashes_is_restarted_as_the_policy_says(referee: Any) -> None:
    referee.do("set_option fault_exit restart", "set_option restarts 1")
    seat(referee, "crash")
    referee.heard(0, r"(?s)Fault of White.*Fault of White")
    assert referee.quit() == 0


def test_one_that_is_none_is_refused_and_who_sat_there_stays(referee: Any) -> None:
    referee.do("set_engine White Random")
    said = referee.say(f"set_engine White {command('gone')}")
    assert said.answer.startswith(f"? Engine uci:{sys.executable} ")
    assert "Its last words: no licence" in said.answer
    assert referee.ask("get_engine White") == "Random"
    referee.quit()


def test_a_move_that_is_thought_about_is_withdrawn(referee: Any) -> None:
    referee.do("set_option time_move 60000")
    seat(referee, "slow")
    referee.do("force_play White e2e4", "undo", "force_play White d2d4")
    assert referee.ask("list_played_moves") == "White d2d4"
    referee.do("start")
    assert referee.ask("list_faults") == "0"
    assert referee.quit() == 0


def test_a_program_ends_when_the_referee_is_killed(referee: Any) -> None:
    referee.do("set_option time_move 60000")
    seat(referee, "slow")
    referee.signal(signal.SIGKILL)
    referee.wait()
    referee.no_trace()


def test_a_program_ends_when_its_bridge_is_killed(referee: Any) -> None:
    referee.do("set_option time_move 60000")
    seat(referee, "slow")
    (bridge,) = [pid for pid in referee.engines() if b"ggtp.engines.uci" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(referee.engines()) == 2
    os.kill(bridge, signal.SIGKILL)
    referee.news("Fault of White")
    assert referee.quit() == 0


def test_programs_are_found_where_games_are_kept_whatever_the_path() -> None:
    if os.path.dirname(need_program("stockfish")) not in GAMES:
        pytest.skip("stockfish is not where games are kept")
    script = "set_rule Chess\nset_engine White uci:stockfish\nget_engine White\n"
    done = run("--batch", "-", input=script, env={**os.environ, "PATH": "/nowhere"})
    assert done.stdout.splitlines()[-1] == "= uci:stockfish"


def test_a_description_in_a_tournament(tmp_path: Path) -> None:
    need_program("stockfish")
    (tmp_path / "fish.toml").write_text(
        'name = "Fish"\nbridge = "uci"\nargv = ["stockfish"]\n[options]\nnodes = 100\nHash = 1\n'
    )
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[adjudicate]\nlength = 40\n[[player]]\nengine = "./fish.toml"\n[[player]]\nengine = "Random"\n'
        '[[rule]]\nrule = "Chess"\n'
    )
    done = run("tournament", str(plan), "--json")
    assert done.returncode == 0, done.stderr
    players = json.loads(done.stdout)["players"]
    assert {name: row["faults"] for name, row in players.items()} == {"fish": 0, "Random": 0}
    assert sum(row["wins"] + row["draws"] + row["losses"] for row in players.values()) == 4


def run(*words: str, **keywords: Any) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "ggtp", *words]
    return subprocess.run(argv, capture_output=True, text=True, timeout=100, check=False, **keywords)
