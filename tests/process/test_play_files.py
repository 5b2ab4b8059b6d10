"""Play files with real engines: what was saved comes back, all of it or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(name="referee")
def make_referee(program: Callable[..., Any]) -> Any:
    return program()


def state(referee: Any) -> dict[str, str]:
    """All that a supervisor can ask about a play."""
    questions = ["get_rule", "list_players", "list_played_moves", "get_table", "get_result", "get_node"]
    answers = {question: referee.ask(question) for question in questions}
    answers["show_tree"] = "\n".join(referee.do("show_tree").news)
    return answers


def settings(referee: Any) -> dict[str, str]:
    return {name: referee.ask(f"get_option {name}") for name in referee.ask("list_options").split(", ")}


# -- there and back ------------------------------------------------------------------------------------------------


def test_a_play_of_engines_comes_back(
    program: Callable[..., Any], referee: Any, engines: Any, tmp_path: Path, until: Callable[..., object]
) -> None:
    file = tmp_path / "play.ggtp"
    good = engines.bad("tcp", name="good")
    referee.do("set_option genmove off", "set_rule TicTacToe", f"set_engine Cross {good}", "set_engine Circle Random")
    referee.do("set_engine_option Cross Style wild", "start", f"save_file {file}")
    for _ in range(4):
        referee.do("genmove")
    before = state(referee)
    assert before["list_players"] == "Cross=good, Circle=Random"
    assert before["list_played_moves"].count(",") == 3
    assert referee.quit() == 0

    other = program()
    other.do(f"load_file {file}")
    assert state(other) == before
    assert other.ask("get_option genmove") == "off"
    assert other.ask("get_engine_option Cross Style") == "wild"
    # Both engines know where the play stands, and go on from there.
    possible = other.ask("list_possible_moves")
    assert other.ask("list_possible_moves Cross 0").replace(" ", "") == possible.removeprefix("Cross=")
    assert other.ask("list_possible_moves Circle 0") == possible
    assert other.ask("get_table Circle 0") == before["get_table"]
    other.do("genmove")
    assert other.ask("list_played_moves").startswith(before["list_played_moves"] + ", Cross ")
    assert len(other.engines()) == 2
    # Loading it again replaces them.
    pids = other.engines()
    other.do(f"load_file {file}")
    assert state(other) == before
    until(lambda: len(other.engines()) == 2 and not set(other.engines()) & set(pids), 10)


def test_a_saved_file_is_saved_the_same_again(referee: Any, engines: Any, tmp_path: Path) -> None:
    files = [tmp_path / "one.ggtp", tmp_path / "two.ggtp"]
    referee.do("set_option genmove off", "set_rule TicTacToe", f"set_engine Cross {engines.bad('stdio', name='good')}")
    referee.do("start", "genmove", "force_play Circle C3", "undo", "force_play Circle B2", "comment_node the middle")
    referee.do("name_node here", f"save_file {files[0]}", "close_file", f"load_file {files[0]}")
    referee.do(f"save_file {files[1]}")
    assert files[0].read_text() == files[1].read_text()
    assert referee.ask("get_comment") == "the middle"
    assert referee.ask("get_node").endswith(" here")


@pytest.mark.parametrize("seed", [1, 2])
def test_chance_comes_back_exactly(program: Callable[..., Any], referee: Any, tmp_path: Path, seed: int) -> None:
    """Dice that were cast stay as they fell, whatever the seed of the one who loads the file."""
    file = tmp_path / "play.ggtp"
    referee.do(f"set_option seed {seed}", "set_rule CantStop")
    players = [item.split("=")[0] for item in referee.ask("list_players").split(", ")]
    referee.do(*(f"set_engine {player} Random" for player in players), f"save_file {file}", "start")
    before = state(referee)
    assert before["get_result"] != "none", referee.transcript()
    assert before["list_played_moves"].count("Chance") > 5
    assert referee.quit() == 0
    written = file.read_text()
    assert written.count("force_play Chance ") == before["list_played_moves"].count("Chance ")

    other = program()
    other.do("set_option seed 999", f"load_file {file}")
    assert state(other) == before
    # Without a word about the seed, too; and from the middle of the play.
    lines = [line for line in written.splitlines() if not line.startswith("set_option seed")]
    middle = len(lines) // 2
    file.write_text("\n".join(["set_option chance off", "set_option genmove off", *lines[:middle]]) + "\n")
    other.do("set_option seed 12345", f"load_file {file}")
    moves = other.ask("list_played_moves")
    assert before["list_played_moves"].startswith(moves)
    assert moves.count(", ") == middle - lines.index("start") - 2


def test_the_same_seed_makes_the_same_play(program: Callable[..., Any]) -> None:
    plays = []
    for seed in (11, 11, 12):
        referee = program()
        referee.do(f"set_option seed {seed}", "set_rule CantStop")
        players = [item.split("=")[0] for item in referee.ask("list_players").split(", ")]
        referee.do(*(f"set_engine {player} Random" for player in players), "start")
        plays.append(referee.ask("list_played_moves"))
    assert plays[0] == plays[1] != plays[2]


def test_branches_come_back(program: Callable[..., Any], referee: Any, engines: Any, tmp_path: Path) -> None:
    file, copy = tmp_path / "play.ggtp", tmp_path / "copy.ggtp"
    referee.do("set_rule TicTacToe", f"set_engine Circle {engines.bad('zmq', name='good')}", "start", "play Cross B2")
    referee.do("list_played_moves", f"save_file {file}", "play Cross A2", "list_played_moves", "undo", "undo", "undo")
    referee.do("force_play Circle C3", "play Cross A1", "list_played_moves", "undo", "undo", "undo", "undo")
    referee.do("play Cross A3", "list_played_moves", "undo", "goto_node 2", "force_play Cross C1")
    before = state(referee)
    tree = before["show_tree"]
    assert len(tree.splitlines()) > 4
    assert tree.count("*") == 1
    referee.do(f"save_file {copy}", "quit")
    for path in (file, copy):
        other = program()
        other.do("set_option genmove off", f"load_file {path}")
        assert state(other) == before, "written as it was played, and written at the end"


def test_a_forgotten_branch_is_still_there(referee: Any, tmp_path: Path) -> None:
    """A play that was begun again keeps the lines of the earlier one."""
    file = tmp_path / "play.ggtp"
    referee.do("set_rule TicTacToe", f"save_file {file}", "start", "play Cross A1", "play Circle A2", "start")
    referee.do("play Cross B2", "undo", "redo")
    before = state(referee)
    assert "Circle A2" in before["show_tree"]
    referee.do("close_file", "set_rule Nim", f"load_file {file}")
    assert state(referee) == before


# -- all or nothing ------------------------------------------------------------------------------------------------

WRONG: list[tuple[str, str]] = [
    ("force_play Circle A1", r"No move named A1 for player Circle\."),
    ("force_play Cross C3", r"It is not Cross's turn\."),
    ("frobnicate", r"Unknown command frobnicate\..*"),
    ("set_option show_table maybe", r".*show_table.*"),
    ("set_engine Circle no-such-engine", r".*no-such-engine.*"),
    ("set_rule NoSuchRule", r".*NoSuchRule.*"),
    ("load_file other.ggtp", r"load_file can't be used in a play file\."),
    ("quit", r"quit can't be used in a play file\."),
    ("redo", r"There is no move to redo\."),
]


@pytest.fixture(name="table")
def lay_table(referee: Any, engines: Any) -> Any:
    """A play with two engines, an option changed and a branch."""
    referee.do("set_option seed 77", "set_option genmove off", "set_option answer_time 4000", "set_rule TicTacToe")
    referee.do(
        f"set_engine Cross {engines.bad('tcp', name='one')}", f"set_engine Circle {engines.bad('zmq', name='two')}"
    )
    referee.do("start", "genmove", "genmove", "undo", "force_play Circle C3", "genmove")
    return referee


@pytest.mark.parametrize(("line", "why"), WRONG)
def test_a_wrong_last_line_changes_nothing(table: Any, tmp_path: Path, line: str, why: str) -> None:
    before, options, pids = state(table), settings(table), table.engines()
    assert len(pids) == 2
    file = tmp_path / "wrong.ggtp"
    lines = [
        "# a play",
        "set_option seed 3",
        "set_option genmove on",
        "set_option answer_time 77",
        "set_rule TicTacToe",
    ]
    lines += ["set_engine Circle Random", "", "start", "force_play Cross A1"]
    file.write_text("\n".join([*lines, line]) + "\n")
    said = table.say(f"load_file {file}")
    assert re.fullmatch(rf"\? {re.escape(str(file))}, line {len(lines) + 1}: {why}", said.answer)
    assert said.news == []
    assert state(table) == before
    assert settings(table) == options
    assert table.engines() == pids
    # The engines were told nothing, either.
    for player in ("Cross", "Circle"):
        assert table.ask(f"list_possible_moves {player} 0") == "C1, A2, B2, C2, A3, B3"
    table.do("genmove")
    assert table.ask("list_played_moves").startswith(before["list_played_moves"])


def test_a_wrong_file_does_not_touch_chance(program: Callable[..., Any], tmp_path: Path) -> None:
    """Not even the dice that are to come are others because of it."""
    file = tmp_path / "wrong.ggtp"
    file.write_text("set_option seed 3\nset_rule CantStop\nstart\nfrobnicate\n")
    plays = []
    for load in (False, True):
        referee = program()
        referee.do("set_option seed 77", "set_rule CantStop")
        players = [item.split("=")[0] for item in referee.ask("list_players").split(", ")]
        referee.do(*(f"set_engine {player} Random" for player in players), "set_option genmove off", "start")
        if load:
            assert referee.say(f"load_file {file}").answer.startswith("? ")
        referee.do("set_option genmove on")
        plays.append(referee.ask("list_played_moves"))
    assert plays[0] == plays[1]


@pytest.mark.parametrize("fault", ["exit1", "never-connects", "missing", "binary"])
def test_a_file_with_an_engine_that_does_not_start(table: Any, engines: Any, tmp_path: Path, fault: str) -> None:
    before, options, pids = state(table), settings(table), table.engines()
    if fault == "missing":
        engine = engines.describe(["./not-there"], "tcp", "bad")
    else:
        engine = engines.bad("tcp", fault, *(["--at", "connect_engine"] if fault != "never-connects" else []))
    file = tmp_path / "wrong.ggtp"
    seconds = 500 if fault == "never-connects" else 9000
    lines = [f"set_option connect_time {seconds}", "set_option answer_time 9000", "set_rule TicTacToe"]
    lines += [f"set_engine Cross {engines.bad('stdio', name='good')}", f"set_engine Circle {engine}", "start"]
    file.write_text("\n".join(lines) + "\n")
    said = table.say(f"load_file {file}")
    assert re.match(rf"\? {re.escape(str(file))}.*: Engine bad (failed|did not start): ", said.answer), said.answer
    assert state(table) == before
    assert settings(table) == options
    table.only(pids)
    table.do("genmove")
    assert table.ask("list_played_moves").startswith(before["list_played_moves"])


def test_files_that_cannot_be_read(table: Any, tmp_path: Path) -> None:
    before, pids = state(table), table.engines()
    binary = tmp_path / "binary.ggtp"
    binary.write_bytes(b"set_rule TicTacToe\n\xff\xfe\n")
    assert table.say(f"load_file {tmp_path / 'nowhere.ggtp'}").answer.endswith("No such file or directory.")
    assert table.say(f"load_file {tmp_path}").answer.startswith("? ")
    assert table.say(f"load_file {binary}").answer.endswith("line 2 is not UTF-8.")
    assert state(table) == before
    assert table.engines() == pids


# -- at the start --------------------------------------------------------------------------------------------------


def test_a_file_on_the_command_line(program: Callable[..., Any], engines: Any, tmp_path: Path) -> None:
    file = tmp_path / "a play.ggtp"
    engine = engines.bad("stdio", name="good")
    file.write_text(f"set_rule TicTacToe\r\nset_engine Circle {engine}\r\nstart\r\nforce_play Cross B2\r\n")
    referee = program(str(file))
    assert referee.answer().answer == "= Done"
    assert referee.ask("list_played_moves") == "Cross B2, Circle A1"
    referee.do("play Cross A2")
    assert referee.ask("list_played_moves") == "Cross B2, Circle A1, Cross A2, Circle B1"
    assert referee.quit() == 0


def test_a_wrong_file_on_the_command_line(program: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "wrong.ggtp"
    file.write_text("set_rule TicTacToe\nstart\nforce_play Cross Z9\n")
    referee = program(str(file))
    assert referee.answer().answer == f"? {file}, line 3: No move named Z9 for player Cross."
    assert referee.ask("get_rule") == "none"
    assert referee.quit() == 1
