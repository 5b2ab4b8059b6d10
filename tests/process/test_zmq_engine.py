"""Engines by others: one with the real ZeroMQ library, one that is a shell script. Neither imports anything of ours."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ZMQ_ENGINE = """
import sys
import zmq

SQUARES = [column + row for row in "123" for column in "ABC"]
endpoint, style = sys.argv[1:]
wire = zmq.Context().socket(zmq.PAIR)
wire.connect(endpoint)
moves, undone, held = [], [], []


def say(text, more=False):
    if style == "bytes":
        wire.send(text.encode())
    elif style == "lines":
        wire.send_string(text + "\\n")
    elif style == "crlf":
        wire.send_string(text + "\\r\\n")
    else:  # several lines in one message, as many as have come together
        held.append(text)
        if not wire.poll(20):
            wire.send_string("\\n".join(held))
            print(len(held), "lines together", file=sys.stderr)
            held.clear()


while True:
    command, _, rest = wire.recv_string().partition(" ")
    if command == "list_options":
        say("reply ")
    elif command == "get_table":
        say("reply " + " ".join(moves))
    elif command == "have_to_play":
        say("select_move " + next(s for s in SQUARES if s not in " ".join(moves)))
    else:
        if command == "made_move":
            moves.append(rest)
        elif command == "undone_move":
            undone.append(moves.pop())
        elif command == "redone_move":
            moves.append(undone.pop())
        elif command == "start":
            moves.clear()
        say("acknowledge")
    if command == "disconnect_engine":
        wire.close(linger=1000)
        break
"""

SH_ENGINE = r"""#!/bin/sh
# The squares that are taken, in order; what was undone is remembered in front.
taken=
undone=
tried=
while read -r command player move rest; do
    echo "$command $player $move $rest" >>"$1"
    case $command in
    list_options | get_table)
        echo "reply$taken" ;;
    have_to_play)
        if test -z "$tried"; then
            tried=yes
            echo "select_move Z9"
            continue
        fi
        for square in A1 B1 C1 A2 B2 C2 A3 B3 C3; do
            case "$taken " in
            *" $square "*) ;;
            *) break ;;
            esac
        done
        echo "select_move $square" ;;
    *)
        case $command in
        start) taken= undone= ;;
        made_move) taken="$taken $move" ;;
        undone_move) undone=" ${taken##* }$undone" taken=${taken% *} ;;
        redone_move) undone=${undone# } taken="$taken ${undone%% *}" undone=${undone#??} ;;
        esac
        echo acknowledge ;;
    esac
    test "$command" = disconnect_engine && exit 0
done
"""


@pytest.fixture(name="zmq_engine")
def describe_zmq_engine(engines: Any, tmp_path: Path) -> Callable[[str], Path]:
    script = tmp_path / "zmq_engine.py"
    script.write_text(ZMQ_ENGINE)

    def describe(style: str) -> Path:
        path: Path = engines.describe(["{python}", script, "{endpoint}", style], "zmq", f"with-{style}")
        return path

    return describe


@pytest.mark.parametrize("style", ["bytes", "lines", "crlf", "together"])
def test_a_play_over_zeromq(program: Callable[..., Any], zmq_engine: Callable[[str], Path], style: str) -> None:
    pytest.importorskip("zmq")
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Circle {zmq_engine(style)}", "start")
    for move in ("B2", "A2", "C3"):
        referee.do(f"play Cross {move}")
    moves = "Cross B2, Circle A1, Cross A2, Circle B1, Cross C3, Circle C1"
    assert referee.ask("list_played_moves") == moves
    assert referee.ask("get_result") == "Cross=loss 0, Circle=win 100"
    assert referee.ask("get_table Circle 0") == moves.replace(",", "")
    referee.do("undo", "undo", "redo")
    assert referee.ask("get_table Circle 0") == "Cross B2 Circle A1 Cross A2 Circle B1 Cross C3"
    referee.do("undo", "play Cross C1", "list_played_moves")
    assert referee.ask("list_played_moves") == "Cross B2, Circle A1, Cross A2, Circle B1, Cross C1, Circle C2"
    assert "Fault" not in referee.transcript()
    assert referee.quit() == 0


def test_several_lines_did_come_in_one_message(
    program: Callable[..., Any], zmq_engine: Callable[[str], Path], engines: Any, tmp_path: Path
) -> None:
    """An engine that ends badly shows what it wrote: that it has put lines together."""
    pytest.importorskip("zmq")
    script = tmp_path / "ends.py"
    script.write_text(
        ZMQ_ENGINE.replace(
            'elif command == "have_to_play":',
            'elif moves[1:]:\n        sys.exit("over")\n    elif command == "have_to_play":',
        )
    )
    description = engines.describe(["{python}", script, "{endpoint}", "together"], "zmq", "ends")
    referee = program()
    referee.do("set_rule TicTacToe", f"set_engine Circle {description}", "start", "play Cross B2")
    assert referee.ask("list_played_moves") == "Cross B2, Circle A1"
    lines = len(referee.lines)
    referee.do("play Cross C3")
    news = referee.heard(lines, "^-> ends said: over$")
    assert re.search("^-> ends said: [2-9] lines together$", news, re.MULTILINE), news


def test_two_over_zeromq_against_each_other(program: Callable[..., Any], zmq_engine: Callable[[str], Path]) -> None:
    pytest.importorskip("zmq")
    referee = program()
    referee.do(
        "set_rule TicTacToe", f"set_engine Cross {zmq_engine('bytes')}", f"set_engine Circle {zmq_engine('lines')}"
    )
    for _ in range(5):
        referee.do("start")
        moves = "Cross A1, Circle B1, Cross C1, Circle A2, Cross B2, Circle C2, Cross A3"
        assert referee.ask("list_played_moves") == moves
    assert "Fault" not in referee.transcript()


def test_a_shell_script(program: Callable[..., Any], engines: Any, tmp_path: Path) -> None:
    """Its first try is no move at all, so that it also hears of illegal_move."""
    if shutil.which("sh") is None:
        pytest.skip("no shell")
    script, log = tmp_path / "engine.sh", tmp_path / "log"
    script.write_text(SH_ENGINE)
    script.chmod(0o755)
    referee = program()
    description = engines.describe([script, log], "stdio", "shell", writes=True)
    referee.do("set_rule TicTacToe", f"set_engine Circle {description}", "start")
    referee.do("play Cross B2")
    said = referee.do("list_played_moves")
    assert said.answer == "= Cross B2"
    assert "Fault of Circle (shell), illegal: No move named Z9 for player Circle." in said.news
    referee.do("genmove")
    assert referee.ask("list_played_moves") == "Cross B2, Circle A1"
    referee.do("undo", "undo", "redo", "redo")
    assert referee.ask("get_table Circle 0") == "B2 A1"
    referee.do("play Cross A2", "play Cross C3")
    assert referee.ask("list_played_moves") == "Cross B2, Circle A1, Cross A2, Circle B1, Cross C3, Circle C1"
    assert referee.ask("get_result") == "Cross=loss 0, Circle=win 100"
    assert referee.quit() == 0
    assert [" ".join(line.split()) for line in log.read_text().splitlines()] == [
        *("connect_engine", "list_options", "start", "made_move Cross B2", "have_to_play", "illegal_move Z9"),
        *("have_to_play", "made_move Circle A1", "undone_move", "undone_move", "redone_move", "redone_move"),
        *("get_table 0", "made_move Cross A2", "have_to_play", "made_move Circle B1", "made_move Cross C3"),
        *("have_to_play", "made_move Circle C1", "disconnect_engine"),
    ]
