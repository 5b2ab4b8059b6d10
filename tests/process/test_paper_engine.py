"""An engine in C that was written from the paper alone, and every byte that is said to it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES

TEE = """
import os, selectors, socket, subprocess, sys

host, port, log, program = sys.argv[1:]
with socket.create_server(("127.0.0.1", 0)) as server:
    engine = subprocess.Popen([program, "127.0.0.1", str(server.getsockname()[1])])
    near, _ = server.accept()
far = socket.create_connection((host, int(port)))
for end in (near, far):
    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
watch = selectors.DefaultSelector()
watch.register(far, selectors.EVENT_READ, (near, log + ".rules"))
watch.register(near, selectors.EVENT_READ, (far, log + ".engine"))
while True:
    for key, _ in watch.select():
        data = key.fileobj.recv(65536)
        if not data:
            sys.exit(engine.wait(5))
        other, path = key.data
        with open(path, "ab") as file:
            file.write(data)
        other.sendall(data)
"""


@pytest.fixture(scope="module", name="binary")
def compile_engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    binary = tmp_path_factory.mktemp("paper") / "paper_engine"
    source = FAKES / "paper_engine.c"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, "-std=c99", *warnings, "-o", binary, source], check=True, timeout=60)
    return binary


@pytest.fixture(name="paper")
def describe_engine(engines: Any, binary: Path) -> Path:
    """The engine as its author would describe it."""
    description: Path = engines.describe([binary, "{host}", "{port}"], "tcp", "paper")
    return description


class Wire:
    """What went over the wire between the referee and the engine of one seat."""

    def __init__(self, engines: Any, binary: Path, folder: Path, name: str) -> None:
        self._log = folder / name
        tee = folder / f"{name}.py"
        tee.write_text(TEE)
        argv = ["{python}", tee, "{host}", "{port}", self._log, binary]
        self.description = engines.describe(argv, "tcp", name, writes=True)

    def said(self, end: str) -> bytes:
        path = self._log.with_name(f"{self._log.name}.{end}")
        return path.read_bytes() if path.exists() else b""

    def new(self, end: str, before: bytes) -> bytes:
        said = self.said(end)
        assert said.startswith(before)
        return said[len(before) :]


@pytest.fixture(name="wire")
def make_wire(engines: Any, binary: Path, tmp_path: Path) -> Wire:
    return Wire(engines, binary, tmp_path, "tapped")


@pytest.mark.parametrize("seat", ["Cross", "Circle"])
def test_a_play_against_random(program: Callable[..., Any], paper: Path, seat: str) -> None:
    referee = program()
    other = "Circle" if seat == "Cross" else "Cross"
    referee.do("set_option seed 7", "set_rule TicTacToe", f"set_engine {seat} {paper}", f"set_engine {other} Random")
    for _ in range(3):
        referee.do("start")
        moves = [step.split() for step in referee.ask("list_played_moves").split(", ")]
        assert 5 <= len(moves) <= 9
        assert [player for player, _ in moves] == [("Cross", "Circle")[i % 2] for i in range(len(moves))]
        assert len({move for _, move in moves}) == len(moves)
        squares = [column + row for row in "123" for column in "ABC"]
        for number, (player, move) in enumerate(moves):
            if player == seat:
                taken = {square for _, square in moves[:number]}
                assert move == next(square for square in squares if square not in taken)
        assert referee.ask("get_result") == referee.ask(f"get_result {seat} 0") != "none"
    assert "Fault" not in referee.transcript()
    assert referee.quit() == 0


def test_plays_against_minimax(program: Callable[..., Any], paper: Path) -> None:
    """Whoever takes the first free square does not win against one who looks ahead."""
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Cross {paper}", "set_engine Circle Minimax", "start")
    assert referee.ask("get_result") in ("Cross=loss 0, Circle=win 100", "Cross=draw 50, Circle=draw 50")
    assert referee.ask("get_result Cross 0") == referee.ask("get_result")
    referee.do("set_engine Cross Minimax", f"set_engine Circle {paper}", "start")
    assert referee.ask("get_result") == "Cross=win 100, Circle=loss 0"
    assert "Fault" not in referee.transcript()
    assert referee.quit() == 0


def test_options(program: Callable[..., Any], paper: Path) -> None:
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Circle {paper}")
    assert referee.ask("list_engine_options Circle") == "Depth"
    assert referee.ask("get_engine_option Circle Depth") == "3"
    assert referee.ask("list_engine_option_choices Circle Depth") == "1, 2, 3, 4, 5, 6, 7, 8, 9"
    referee.do("set_engine_option Circle Depth 8")
    assert referee.ask("get_engine_option Circle Depth") == "8"
    refused = referee.say("set_engine_option Circle Depth 64").answer
    assert refused == "? No value 64 for option Depth of engine paper."
    assert referee.say("get_engine_option Circle Width").answer == "? No option named Width for engine paper."
    assert referee.say("set_engine_option Circle Width 3").answer == "? No option named Width for engine paper."
    assert referee.ask("get_engine_option Circle Depth") == "8"


def test_options_of_the_description(
    program: Callable[..., Any], engines: Any, binary: Path, until: Callable[..., object]
) -> None:
    referee = program()
    description = engines.describe([binary, "{host}", "{port}"], "tcp", "deep", {"Depth": "9"})
    referee.do("set_rule TicTacToe", f"set_engine Circle {description}")
    assert referee.ask("get_engine_option Circle Depth") == "9"
    wrong = engines.describe([binary, "{host}", "{port}"], "tcp", "deeper", {"Depth": "10"})
    assert referee.say(f"set_engine Cross {wrong}").answer == "? No value 10 for option Depth of engine deeper."
    until(lambda: len(referee.engines()) == 1, 5)
    assert referee.ask("get_engine_option Circle Depth") == "9"


def test_what_the_engine_knows(program: Callable[..., Any], paper: Path) -> None:
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Circle {paper}", "start", "play Cross B2")
    assert referee.ask("list_played_moves") == "Cross B2, Circle A1"
    assert referee.ask("list_possible_moves Circle 0") == "B1, C1, A2, C2, A3, B3, C3"
    assert referee.ask("get_table Circle 0") == "O...X...."
    assert referee.ask("get_result Circle 0") == "none"
    for command in ("list_possible_moves", "get_table", "get_result"):
        assert referee.say(f"{command} Circle 1").answer == "? No table 1 for player Circle."
    referee.do("undo", "undo")
    assert referee.ask("get_table Circle 0") == "........."
    referee.do("redo")
    assert referee.ask("get_table Circle 0") == "....X...."
    assert referee.ask("list_possible_moves Circle 0") == "A1, B1, C1, A2, C2, A3, B3, C3"
    referee.do("redo")
    assert referee.ask("get_table Circle 0") == "O...X...."
    referee.do("undo", "force_play Circle C3")
    assert referee.ask("get_table Circle 0") == "....X...O"
    referee.do("play Cross A1")
    assert referee.ask("list_played_moves") == "Cross B2, Circle C3, Cross A1, Circle B1"
    assert referee.ask("get_table Circle 0") == "XO..X...O"


# What is said in the play of Figure 1, but for its list_options, by which our referee gets to know an engine, and
# for the moves themselves, which are those of another engine.
FIGURE_1: list[tuple[str, bytes, bytes]] = [
    ("set_engine Circle {engine}", b"connect_engine\nlist_options\n", b"acknowledge\nreply Depth\n"),
    ("set_engine_option Circle Depth 8", b"set_option Depth 8\n", b"acknowledge\n"),
    ("start", b"start\n", b"acknowledge\n"),
    (
        "play Cross A1",
        b"made_move Cross A1\nhave_to_play\nmade_move Circle B1\n",
        b"acknowledge\nselect_move B1\nacknowledge\n",
    ),
    ("play Cross A1", b"", b""),
    ("list_possible_moves", b"", b""),
    ("set_option show_possible_moves on", b"", b""),
    ("set_option genmove off", b"", b""),
    ("play Cross A2", b"made_move Cross A2\n", b"acknowledge\n"),
    ("genmove", b"have_to_play\nmade_move Circle C1\n", b"select_move C1\nacknowledge\n"),
    ("undo", b"undone_move\n", b"acknowledge\n"),
]
SHOWN = """\
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
set_enginz Circle {engine}
? Unknown command set_enginz. Use list_commands to see the commands. Did you mean set_engine?
set_engine Circle {engine}
= Done
set_engine_option Circle Depth 8
= Done
start
= Done
play Cross A1
-> Cross plays A1
= Done
-> Circle plays B1
play Cross A1
? No move named A1 for player Cross.
list_possible_moves
= Cross=C1,A2,B2,C2,A3,B3,C3
set_option show_possible_moves on
= Done
set_option genmove off
= Done
play Cross A2
-> Cross plays A2
-> Circle=C1, B2, C2, A3, B3, C3
= Done
genmove
= Done
-> Circle plays C1
-> Cross=B2, C2, A3, B3, C3
undo
-> Undoing a move
-> Circle=C1, B2, C2, A3, B3, C3
= Done
quit
= Done
"""


def test_the_wire_of_figure_1(program: Callable[..., Any], wire: Wire, until: Callable[..., object]) -> None:
    """What each command of the supervisor makes the referee say to the engine, and the engine to the referee."""
    referee = program()
    referee.do("set_rule TicTacToe", "set_rule_option starting_player Cross")
    rules = engine = b""
    for command, asked, answered in FIGURE_1:
        referee.say(command.format(engine=wire.description))
        until(lambda said=asked, before=rules: len(wire.new("rules", before)) >= len(said), 10, command)
        until(lambda said=answered, before=engine: len(wire.new("engine", before)) >= len(said), 10, command)
        assert (wire.new("rules", rules), wire.new("engine", engine)) == (asked, answered), command
        rules += asked
        engine += answered
    referee.quit()
    assert wire.said("rules") == rules + b"disconnect_engine\n"
    assert wire.said("engine") == engine + b"acknowledge\n"


def test_the_screen_of_figure_1(program: Callable[..., Any], paper: Path, tmp_path: Path) -> None:
    """The same play as a script: what the supervisor reads."""
    expected = SHOWN.format(engine=paper)
    script = tmp_path / "figure1.ggtp"
    script.write_text("".join(f"{line}\n" for line in expected.splitlines() if line[0] not in "=?-"))
    referee = program("--batch", str(script))
    assert referee.wait() == 1, "a command was refused"
    assert "\n".join(referee.lines) + "\n" == expected


TABLES_2_AND_3: list[tuple[str, list[str], list[str]]] = [
    ("set_engine Circle {engine}", ["connect_engine", "list_options"], ["acknowledge", "reply Depth"]),
    ("start", ["start"], ["acknowledge"]),
    ("list_engine_options Circle", ["list_options"], ["reply Depth"]),
    ("get_engine_option Circle Depth", ["get_option Depth"], ["reply 3"]),
    ("get_engine_option Circle Width", ["get_option Width"], ["invalid_option_name"]),
    (
        "list_engine_option_choices Circle Depth",
        ["list_option_choices Depth"],
        ["reply 1, 2, 3, 4, 5, 6, 7, 8, 9"],
    ),
    ("set_engine_option Circle Depth 4", ["set_option Depth 4"], ["acknowledge"]),
    ("set_engine_option Circle Depth deep", ["set_option Depth deep"], ["invalid_option_value"]),
    ("set_engine_option Circle Width 1 2", ["set_option Width 1 2"], ["invalid_option_name"]),
    ("set_option genmove off", [], []),
    ("play Cross B2", ["made_move Cross B2"], ["acknowledge"]),
    ("list_possible_moves Circle 0", ["list_possible_moves 0"], ["reply A1, B1, C1, A2, C2, A3, B3, C3"]),
    ("get_result Circle 0", ["get_result 0"], ["reply none"]),
    ("get_table Circle 0", ["get_table 0"], ["reply ....X...."]),
    ("get_table Circle 12", ["get_table 12"], ["invalid_table_number"]),
    ("set_option time_move 30000", [], []),
    ("genmove", ["have_to_play 30000", "made_move Circle A1"], ["select_move A1", "acknowledge"]),
    ("undo", ["undone_move"], ["acknowledge"]),
    ("redo", ["redone_move"], ["acknowledge"]),
    ("set_engine Circle human", ["disconnect_engine"], ["acknowledge"]),
]


def test_the_commands_of_tables_2_and_3(program: Callable[..., Any], wire: Wire, until: Callable[..., object]) -> None:
    """All but illegal_move, for which this engine gives no reason; bytes are compared after every command."""
    referee = program()
    referee.do("set_rule TicTacToe")
    heard = {"rules": b"", "engine": b""}
    for command, asked, answered in TABLES_2_AND_3:
        referee.say(command.format(engine=wire.description))
        for end, lines in (("rules", asked), ("engine", answered)):
            expected = "".join(f"{line}\n" for line in lines).encode()
            before = heard[end]
            until(lambda e=end, b=before, x=expected: len(wire.new(e, b)) >= len(x), 10, command)
            assert wire.new(end, before) == expected, command
            heard[end] += expected
    assert {line.split()[0] for _, asked, _ in TABLES_2_AND_3 for line in asked} == {
        *("connect_engine", "disconnect_engine", "list_options", "get_option", "list_option_choices", "set_option"),
        *("start", "list_possible_moves", "get_result", "get_table", "have_to_play", "made_move"),
        *("undone_move", "redone_move"),
    }
    referee.no_engines()
    assert "Fault" not in referee.transcript()
