"""`ggtp match` as it is used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.runs import engine
from support.sandboxes import wrapped

from ggtp.arena.calibration import jitter_of
from ggtp.game.chance import MOST_KEY
from ggtp.tournament.journal.journal import read_journal


@pytest.mark.process
def test_the_last_line_is_json(run: Any, tmp_path: Path) -> None:
    words = ["match", f"A={engine(tmp_path, 'good')}", f"B={engine(tmp_path, 'other')}", "--rule", "TicTacToe"]
    ran = run(*words, "--games", "4", "--seed", "2", "--concurrency", "2", "--json")
    assert (ran.status, ran.err) == (0, "")
    data = json.loads(ran.out.splitlines()[-1])
    assert data == {
        "rule": "TicTacToe",
        "games": 4,
        "players": {
            "A": {"score": 0.5, "wins": 2, "losses": 2, "draws": 0, "faults": 0},
            "B": {"score": 0.5, "wins": 2, "losses": 2, "draws": 0, "faults": 0},
        },
        "elo": {name: data["elo"]["A"] | {} for name in "AB"},
        "elo_anchor": "the mean of the players is 0",
        "difference": data["difference"],
        "protection": {name: {wrapped(): 4} for name in "AB"},
    }
    difference = data["difference"]
    assert (difference["player"], difference["other"], difference["los"]) == ("A", "B", 0.5)
    assert difference["elo"]["error"] == pytest.approx(2 * data["elo"]["A"]["error"], abs=0.02)
    assert data["elo"]["A"]["value"] == 0.0
    assert data["elo"]["A"]["low"] < 0 < data["elo"]["A"]["high"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "said"), [(("--deals", "own"), "of its own."), (("--sandbox", "off"), "of its own: A and B could")]
)
def test_whether_deals_are_common_is_said(run: Any, words: tuple[str, ...], said: str) -> None:
    ran = run("match", "A=Random", "B=Random", "--rule", "KuhnPoker", "--games", "2", "--json", *words)
    data = json.loads(ran.out)
    assert data["deals"] == [line for line in data["deals"] if said in line]
    assert data["protection"]["A"] == {"none" if "off" in words else wrapped(): 2}


@pytest.mark.process
def test_chips_are_told_with_their_error(run: Any) -> None:
    words = ["match", "Random", "Other=Random", "--rule", "KuhnPoker", "--games", "12", "--concurrency", "1"]
    words += ["--seed", "3"]
    points = json.loads(run(*words, "--json").out)["points"]
    assert points["Random"]["mean"] == -points["Other"]["mean"]
    assert points["Random"]["blocks"] == 6
    assert points["Random"]["error"] > 0
    told = f"Random {points['Random']['mean']:+.2f} "
    assert told in run(*words, "--plain").out


@pytest.mark.process
def test_a_table_for_people_and_a_journal(run: Any, tmp_path: Path) -> None:
    journal = tmp_path / "m.journal"
    words = ["match", engine(tmp_path, "good"), engine(tmp_path, "bad", "--fault", "illegal"), "--rule", "TicTacToe"]
    ran = run(*words, "--games", "3", "--time", "5000", "--journal", str(journal))
    assert ran.status == 0
    assert ran.err == "ggtp: 4 games are played, so that every player has every seat\n"
    assert "100.0 %" in ran.out
    assert "4 games: a fault cost the game." in ran.out
    assert "4 times illegal." in ran.out
    results = read_journal(journal.read_bytes())
    assert len(results.games) == 4
    assert results.plan.clocks.move == 5000
    again = run(*words, "--games", "3", "--time", "5000", "--journal", str(journal))
    assert again.status == 0
    assert len(read_journal(journal.read_bytes()).games) == 4


@pytest.mark.process
def test_engines_can_be_started_anew_for_each_game(run: Any, tmp_path: Path) -> None:
    journal = tmp_path / "m.journal"
    words = [f"{name}={engine(tmp_path, 'good')}" for name in "AB"]
    ran = run("match", *words, "--rule", "TicTacToe", "--games", "2", "--restart", "--journal", str(journal), "--json")
    assert ran.status == 0
    results = read_journal(journal.read_bytes())
    assert len(results.games) == 2
    assert all(player.restart for player in results.plan.players)


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("Random", "Randum", "--rule", "TicTacToe"), 1, "Randum"),
        (("Random", "Random", "--rule", "TicTacTo"), 1, "TicTacToe"),
        (("Random", "--rule", "TicTacToe"), 1, "two players"),
        (("Random", "Random"), 2, "--rule"),
        (("Random", "Random", "--rule", "TicTacToe", "--games", "0"), 2, "--games"),
        (("Random", "Random", "--rule", "TicTacToe", "--rule-option", "x"), 1, "write NAME=VALUE"),
        (("Random", "Random", "--rule", "TicTacToe", "--start", "none.ggtp"), 1, "No file is called"),
        (("Random", "Minimax", "--rule", "PhantomTicTacToe"), 1, "can't play"),
    ],
)
def test_what_can_not_be_played_is_refused(run: Any, words: tuple[str, ...], status: int, sentence: str) -> None:
    ran = run("match", *words)
    assert (ran.status, ran.out) == (status, "")
    assert sentence in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.process
def test_more_players_than_seats_meet_in_turn(run: Any, tmp_path: Path) -> None:
    words = [f"{name}={engine(tmp_path, 'good')}" for name in "ABC"]
    ran = run("match", *words, "--rule", "TicTacToe", "--games", "6", "--json")
    assert json.loads(ran.out)["games"] == 6
    assert list(json.loads(ran.out)["players"]) == ["A", "B", "C"]


@pytest.mark.process
def test_a_limit_that_the_machine_can_not_keep(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggtp.ui.commands.tournament_run.measure_jitter", lambda: jitter_of([2.0] * 10))
    journal = tmp_path / "m.journal"
    players = (f"A={engine(tmp_path, 'good')}", f"B={engine(tmp_path, 'other')}")
    words = ("match", *players, "--rule", "TicTacToe", "--games", "2", "--journal", str(journal))
    ran = run(*words, "--time", "19000")
    assert ran.status == 0
    assert "ggtp: A limit of 19000 ms is not sound here and now" in ran.err
    (note,) = [event.text for event in read_journal(journal.read_bytes()).happened if event.kind == "note"]
    assert note.startswith("calibration: 10 waits ended late")
    journal.unlink()
    assert "not sound" not in run(*words, "--time", "20000").err
    journal.unlink()
    assert run(*words).status == 0
    assert not [event for event in read_journal(journal.read_bytes()).happened if event.kind == "note"]  # no clocks run


@pytest.mark.process
def test_a_check_only_sees_whether_engines_take_their_options(run: Any) -> None:
    ran = run("match", "Deep=Minimax:depht=3", "Random", "--rule", "TicTacToe", "--check")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "ggtp: Deep: No option named depht for engine Minimax. Did you mean Depth?\n"
    assert run("match", "Minimax:Depth=3", "Random", "--rule", "TicTacToe", "--check").status == 0


def test_parts_need_a_journal_and_a_seed(run: Any, tmp_path: Path) -> None:
    words = ("match", "Random", "Random", "--rule", "TicTacToe", "--games", "4", "--part", "1/2")
    assert "--part needs --journal" in run(*words).err
    ran = run(*words, "--journal", str(tmp_path / "j"))
    assert "--part needs a seed" in ran.err
    assert not (tmp_path / "j").exists()


@pytest.mark.parametrize("seed", ["-1", "1.5", "0x10", str(MOST_KEY + 1)])
def test_a_seed_that_is_none_is_refused_with_its_range(run: Any, seed: str) -> None:
    ran = run("match", "Random", "Random", "--rule", "Nim", f"--seed={seed}")
    assert (ran.status, ran.out) == (2, "")
    assert f"{seed} is no whole number from 0 to {MOST_KEY}" in ran.err


@pytest.mark.process
def test_the_largest_seed_is_played_and_written_down(run: Any, tmp_path: Path) -> None:
    journal = str(tmp_path / "a.journal")
    words = ["match", "Random", "Other=Random", "--rule", "Nim", "--games", "2", "--concurrency", "1"]
    assert run(*words, f"--seed={MOST_KEY}", "--journal", journal).status == 0
    assert f"seed {MOST_KEY}" in run("report", journal).out


@pytest.mark.process
def test_a_sequential_test_ends_a_match(run: Any, tmp_path: Path) -> None:
    """Minimax wins or draws, so that the test is soon decided."""
    words = ["match", "A=Minimax:Depth=3", "B=Random", "--rule", "TicTacToe", "--seed", "2", "--concurrency", "2"]
    ran = run(*words, "--sprt", "elo0=0,elo1=200,alpha=0.1,beta=0.1,model=logistic", "--json")
    assert ran.status == 0
    data = json.loads(ran.out.splitlines()[-1])
    found = data["sprt"]
    assert (found["model"], found["elo0"], found["elo1"], found["alpha"]) == ("logistic", 0.0, 200.0, 0.1)
    assert found["decision"] == "H1"
    assert found["llr"] >= found["upper"] > 0 > found["lower"]
    assert len(found["counts"]) == 5
    assert 2 * sum(found["counts"]) <= data["games"] < 1000
    assert found["los"] > 0.9


@pytest.mark.parametrize(
    ("test", "what"),
    [
        ("elo0=0,elo2=5", "elo2 is no part of a sequential test"),
        ("elo0=5,elo1=5", "elo0 must be less than elo1"),
        ("elo0=0,elo1=5,model=gauss", "gauss"),
    ],
)
def test_a_wrong_sequential_test_is_refused(run: Any, test: str, what: str) -> None:
    ran = run("match", "Random", "Minimax", "--rule", "TicTacToe", "--sprt", test)
    assert ran.status in (1, 2)
    assert what in ran.err
