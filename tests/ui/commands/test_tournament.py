"""`ggtp tournament` as it is used, killed, and gone on with."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine, games, results

KILLS = int(os.environ.get("GGTP_KILLS", "4"))
"""How often a tournament is killed; more by hand."""


def plan(folder: Path, *faults: str, head: str = "", tail: str = "", rule: str = "TicTacToe") -> Path:
    path = folder / "evening.toml"
    path.write_text(
        f"""{head}
[[player]]
name = "A"
engine = "{engine(folder, "good")}"

[[player]]
name = "B"
engine = "{engine(folder, "bad", *faults)}"

[[rule]]
rule = "{rule}"
{tail}
""",
        "utf-8",
    )
    return path


@pytest.mark.process
def test_a_plan_is_played_to_its_end(run: Any, tmp_path: Path) -> None:
    ran = run("tournament", str(plan(tmp_path, head="blocks = 2")), "--json")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out)["games"] == 4
    found = results(tmp_path / "evening.journal")
    assert found.ended
    assert found.plan.name == "evening"


@pytest.mark.process
def test_what_is_said_to_people(run: Any, tmp_path: Path) -> None:
    ran = run("tournament", str(plan(tmp_path, "--fault", "illegal")), "--plain")
    assert ran.status == 0
    assert "fault of B, illegal" in ran.out
    assert "2 games: a fault cost the game." in ran.out
    assert f"ggtp report {tmp_path / 'evening.journal'}" in ran.err


@pytest.mark.process
def test_a_case_file_is_replayed(run: Any, tmp_path: Path) -> None:
    run("tournament", str(plan(tmp_path, "--fault", "illegal")), "--plain")
    case = tmp_path / "evening.journal.cases" / "1.0-1.ggtp"
    ran = run(str(case), stdin="list_played_moves\nget_result\n")
    assert ran.status == 0
    assert ran.out.splitlines()[-2:] == ["= Cross A1", "= none"]


@pytest.mark.process
def test_a_plan_can_be_checked_only(run: Any, tmp_path: Path) -> None:
    ran = run("tournament", str(plan(tmp_path)), "--check")
    assert (ran.status, ran.out) == (0, "evening: match, 2 players, 2 games of TicTacToe\n")
    assert not (tmp_path / "evening.journal").exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = ", "evening.toml: "),
        ("fromat = 3", "evening.toml:1: fromat is not a key of plans. Did you mean format?"),
        ('[[rule]]\nrule = "TicTacToe"', "evening.toml: A tournament needs two players"),
    ],
)
def test_a_wrong_plan_is_refused_with_its_name(run: Any, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "evening.toml").write_text(text)
    ran = run("tournament", str(tmp_path / "evening.toml"))
    assert (ran.status, ran.out) == (1, "")
    assert sentence in ran.err
    assert list(tmp_path.iterdir()) == [tmp_path / "evening.toml"]


def test_no_such_file(run: Any, tmp_path: Path) -> None:
    ran = run("tournament", str(tmp_path / "none.toml"))
    assert ran.status == 1
    assert "No such file" in ran.err


def spawn(words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "ggtp", "tournament", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def engines_left(folder: Path) -> list[str]:
    """Processes that have the folder in their command line."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    line = file.read()
            except OSError:
                continue
            if str(folder).encode() in line:
                found.append(line.decode(errors="replace"))
    return found


@pytest.mark.process
@pytest.mark.bound(600)
def test_killed_at_random_moments_nothing_is_lost_and_nothing_counts_twice(tmp_path: Path) -> None:
    """SIGKILL at random bytes of the journal, and a torn last line besides, again and again."""
    file = plan(tmp_path, head="blocks = 12\nseed = 3\n[time]\nmove = 20000")
    journal = tmp_path / "evening.journal"
    rng = random.Random(11)
    finished: dict[str, Any] = {}
    for _ in range(KILLS):
        before = journal.stat().st_size if journal.exists() else 0
        process = spawn([str(file), "--concurrency", "2", "--plain"])
        target = before + rng.randrange(200, 6000)
        while process.poll() is None and (not journal.exists() or journal.stat().st_size < target):
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
        process.wait()
        if rng.random() < 0.5:
            with journal.open("ab") as end:  # as if the machine had stopped in the middle of a line
                end.write(b'{"seq":999,"kind":"result","game":{"block"'[: rng.randrange(1, 40)])
        now = games(journal)
        assert finished.items() <= now.items()  # what was finished stays, as it was
        finished = now
    process = spawn([str(file), "--concurrency", "2", "--plain"])
    assert process.wait() == 0
    found = results(journal)
    assert found.ended
    assert len(found.games) == 24
    assert not found.void
    assert finished.items() <= games(journal).items()
    other = tmp_path / "other.journal"
    assert spawn([str(file), "--journal", str(other), "--plain"]).wait() == 0
    assert games(other) == games(journal)
    while engines_left(tmp_path):  # engines of the killed ones end when they notice; the test has a bound
        os.sched_yield()


@pytest.mark.process
def test_a_running_game_goes_on_with_its_moves(tmp_path: Path) -> None:
    """The second engine hangs; killed and gone on with, the game is where it was and not at its beginning."""
    file = plan(tmp_path, "--fault", "hang", tail="[time]\npatience = 1500", head="seed = 3")
    journal = tmp_path / "evening.journal"
    process = spawn([str(file), "--concurrency", "2", "--plain"])
    while not journal.exists() or b'"kind":"moves"' not in journal.read_bytes():
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert any(game.moves == ("Cross A1",) for game in results(journal).running)
    assert spawn([str(file), "--plain"]).wait() == 0
    lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
    resumed = [line["kind"] for line in lines].index("resume")
    again = [line for line in lines[resumed:] if line["kind"] == "moves" and line["from"] == 0]
    assert any(line["moves"] == ["Cross A1"] for line in again)
    assert {game.end for game in results(journal).games} == {"forfeit"}


@pytest.mark.process
def test_a_check_finds_wrong_options_with_their_lines(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(
        '[[player]]\nengine = "Minimax"\n[player.options]\nDpeth = 3\n'
        '[[player]]\nengine = "Random"\n[[rule]]\nrule = "TicTacToe"\n'
    )
    ran = run("tournament", str(path), "--check")
    assert ran.status == 1
    assert f"ggtp: {path}:4: No option named Dpeth for engine Minimax. Did you mean Depth?\n" in ran.err


@pytest.mark.parametrize(
    ("players", "rule", "sentence"),
    [
        (["Random", "Rnadom"], 'rule = "Nim"', ":4: No engine named Rnadom. Did you mean Random?"),
        (["Random", "Random2"], 'rule = "Mim"', ":6: No rule"),
        (["MCTS", "Random"], 'rule = "KuhnPoker"', ":2: Engine MCTS can't play KuhnPoker, which has secrets: try "),
        (["MCTS", "Random"], 'rule = "Nim"\noptions.misere = "onn"', ":7: No value onn for option misere: it takes on"),
    ],
)
def test_what_is_not_found_is_told_with_its_line(
    run: Any, tmp_path: Path, players: list[str], rule: str, sentence: str
) -> None:
    path = tmp_path / "p.toml"
    seated = "".join(f'[[player]]\nengine = "{player}"\n' for player in players)
    path.write_text(f"{seated}[[rule]]\n{rule}\n")
    ran = run("tournament", str(path))
    assert ran.status == 1
    assert f"{path}{sentence}" in ran.err
