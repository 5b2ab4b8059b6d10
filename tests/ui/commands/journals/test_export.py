"""`ggtp export`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from support.tournaments import journal


@pytest.fixture
def chess_path(tmp_path: Path) -> Path:
    found = tmp_path / "evening.journal"
    found.write_bytes(journal(["Chess", "TicTacToe"], {"A": 0.5, "B": 0.5}, blocks=1))
    return found


def test_the_ending_says_the_format(run: Any, chess_path: Path, tmp_path: Path) -> None:
    ran = run("export", str(chess_path), "-o", str(tmp_path / "games.PGN"))
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "ggtp: TicTacToe can't be written as pgn: 2 games are left out\n"
    with (tmp_path / "games.PGN").open() as file:
        rounds = []
        while (game := chess.pgn.read_game(file)) is not None:
            rounds.append(game.headers["Round"])
    assert rounds == ["1.0", "1.1"]
    assert run("export", str(chess_path), "-o", str(tmp_path / "games.jsonl")).status == 0
    kinds = [json.loads(line)["kind"] for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert (kinds[0], kinds.count("game")) == ("tournament", 4)


def test_standard_output_and_chosen_games(run: Any, chess_path: Path) -> None:
    ran = run("export", str(chess_path), "--format", "jsonl", "--game", "2.1", "--game", "g2.0")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["game"] for line in lines if line["kind"] == "game"] == ["g2.1", "g2.0"]


def test_a_folder_gets_a_file_for_each_game(run: Any, chess_path: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert run("export", str(chess_path), "--format", "pgn", "-o", str(tmp_path / "out")).status == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["1.0.pgn", "1.1.pgn"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("-o", "x.pgm"), "is no format: it is one of .pgn, .sgf, .jsonl, or say --format."),
        (("-o", "x"), "is no format"),
        ((), "--format is needed where no file's ending says the format: it is one of pgn, sgf, jsonl"),
        (("--format", "sgf"), "Chess, TicTacToe can't be written as sgf. Use --format jsonl"),
        (("--format", "jsonl", "--game", "9.9"), "has no game 9.9 that counts: there are 1.0 to 2.1"),
    ],
)
def test_what_can_not_be_written(run: Any, chess_path: Path, words: tuple[str, ...], what: str) -> None:
    ran = run("export", str(chess_path), *words)
    assert (ran.status, ran.out) == (1, "")
    assert what in ran.err


def test_nothing_is_lost_if_it_fails(run: Any, chess_path: Path, tmp_path: Path) -> None:
    old = tmp_path / "games.sgf"
    old.write_text("old")
    assert run("export", str(chess_path), "-o", str(old)).status == 1
    assert old.read_text() == "old"
    empty = tmp_path / "empty.journal"
    empty.write_bytes(journal(blocks=1).splitlines(keepends=True)[0])
    assert "no game that counts yet" in run("export", str(empty), "--format", "jsonl").err
    (tmp_path / "plan.toml").write_text("blocks = 1\n")
    assert "It is no journal" in run("export", str(tmp_path / "plan.toml"), "--format", "pgn").err
