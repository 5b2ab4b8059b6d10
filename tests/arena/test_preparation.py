"""Plans are made complete, or refused before anything is started."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ggtp.arena.preparation import complete, prepare, read_plan
from ggtp.catalogue import Catalogue
from ggtp.errors import GgtpError
from ggtp.tournament.plan.plan import Plan, PlanError, plan_from

PLAYERS = [{"engine": "Random"}, {"engine": "Minimax"}]


def made(folder: Path, **rule: Any) -> Plan:
    catalogue = Catalogue.from_environment(os.environ)
    data = {"player": PLAYERS, "rule": [{"rule": "TicTacToe", **rule}]}
    return complete(plan_from(prepare(data, catalogue, folder)), catalogue)


def test_seats_and_secrets_are_filled_in(tmp_path: Path) -> None:
    (rule,) = made(tmp_path).rules
    assert (rule.seats, rule.hidden) == (("Cross", "Circle"), False)
    assert plan_from(made(tmp_path).data()) == made(tmp_path)


def test_start_positions_come_from_play_files(tmp_path: Path) -> None:
    (tmp_path / "a.ggtp").write_text("# one\nset_rule TicTacToe\nset_engine Cross Random\nstart\nforce_play Cross a1\n")
    (tmp_path / "b.ggtp").write_text(
        "set_rule tictactoe\nstart\nplay Cross B2\nforce_play Circle A1\nundo\nforce_play Circle C3\nname_node x\n"
        "force_play Cross A2\ngoto_node x\ncomment_node here\n"
    )
    (rule,) = made(tmp_path, start=[{"file": "*.ggtp"}, {"name": "own", "moves": ["cross c1"]}]).rules
    assert [(start.name, start.moves) for start in rule.starts] == [
        ("a", ("Cross A1",)),
        ("b", ("Cross B2", "Circle C3")),
        ("own", ("Cross C1",)),
    ]
    for start in ("a.ggtp", ["a.ggtp"]):
        (rule,) = made(tmp_path, start=start).rules
        assert [(start.name, start.moves) for start in rule.starts] == [("a", ("Cross A1",))]


def test_a_forfeit_that_was_taken_back_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.ggtp").write_text("set_rule TicTacToe\nstart\nforce_play Cross A1\nforfeit Circle\nundo\n")
    (rule,) = made(tmp_path, start="a.ggtp").rules
    assert [start.moves for start in rule.starts] == [("Cross A1",)]


def test_paths_are_taken_from_the_plans_folder(tmp_path: Path) -> None:
    (tmp_path / "guests").mkdir()
    (tmp_path / "guests" / "mine.toml").write_text('name = "mine"\nargv = ["true"]\n')
    catalogue = Catalogue.from_environment(os.environ)
    data = {"player": [{"engine": "guests/mine.toml"}, {"engine": "Random"}], "rule": [{"rule": "TicTacToe"}]}
    plan = complete(plan_from(prepare(data, catalogue, tmp_path)), catalogue)
    assert (plan.players[0].name, plan.players[0].engine) == ("mine", str(tmp_path / "guests" / "mine.toml"))


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ({"rule": "TicTactoo"}, "TicTacToe"),
        ({"options": {"size": 9}}, "size"),
        ({"start": [{"moves": ["Cross A1", "Cross A2"]}]}, "move 2: It is not Cross's turn"),
        ({"start": [{"file": "none.ggtp"}]}, "No file is called"),
        ({"start": [{"file": "none.ggtp", "name": "x"}]}, "has nothing but plies besides"),
        ({"start": [{"file": "*.ggtp", "plies": -1}]}, "plies of the start positions in .* must be an integer from 0"),
        ({"start": [{"file": "book.pgn"}]}, "files with the ending .pgn are for Chess, not for TicTacToe"),
        ({"start": [{"options": {"size": "3"}}]}, "size"),
        ({"random_moves": 9}, "TicTacToe is over after fewer than 9 random moves"),
        ({"start": [{"file": "nim.ggtp"}]}, "it is of Nim, not of TicTacToe"),
        ({"start": [{"file": "bad.ggtp"}]}, r"bad\.ggtp, line 3"),
        ({"start": [{"file": "lost.ggtp"}]}, r"lost\.ggtp: it ends with a forfeit"),
        ({"start": [{"file": "empty.ggtp"}]}, "it starts no play"),
        ({"start": [{"file": "options.ggtp"}]}, "other options"),
        ({"start": [{"moves": ["Cross A1", "Circle A2", "Cross B1", "Circle B2", "Cross C1"]}]}, "the play is over"),
    ],
)
def test_what_can_not_be_played_is_refused(tmp_path: Path, rule: dict[str, Any], sentence: str) -> None:
    files = {
        "nim": "set_rule Nim\nstart\n",
        "bad": "set_rule TicTacToe\nstart\nforce_play Cross Z9\n",
        "lost": "set_rule TicTacToe\nstart\nforfeit Cross\n",
        "empty": "# nothing\n",
        "options": "set_rule TicTacToe\nset_rule_option starting_player Circle\nstart\n",
    }
    (tmp_path / "book.pgn").write_text("1. e4 *")
    for name, text in files.items():
        (tmp_path / f"{name}.ggtp").write_text(text)
    with pytest.raises(GgtpError, match=sentence):
        made(tmp_path, **rule)


def test_an_engine_that_does_not_play_the_rule_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GgtpError, match="can't play"):
        made(tmp_path, rule="PhantomTicTacToe")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file is empty"),
        ("a = " + "[" * 100_000, "it is nested too deep"),
        ("blocks = " + "9" * 10_000, "Exceeds the limit"),
        ("blocks = 0x" + "f" * 10_000, "not a number of too many digits"),
    ],
)
def test_a_plan_that_python_can_not_read_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "evening.toml"
    path.write_text(text)
    with pytest.raises(PlanError, match=sentence):
        read_plan(path, Catalogue.from_environment(os.environ))
