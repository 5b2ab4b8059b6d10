"""`ggtp as-gtp`: a controller as the specification describes one, and GNU Go at the other side of the board."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from support.programs import need_program

pytestmark = pytest.mark.process

SECONDS = 60
ARGV = [sys.executable, "-m", "ggtp", "as-gtp", "--engine"]


class Engine:
    """A program that speaks the protocol, as a controller sees it."""

    def __init__(self, argv: list[str]) -> None:
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.number = 0

    def __call__(self, command: str) -> str:
        """The text of the answer; it must be a good one."""
        self.number += 1
        self.process.stdin.write(f"{self.number} {command}\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()).strip():
            lines.append(line.rstrip("\n"))
        assert lines[0].startswith(f"={self.number}"), (command, lines)
        return "\n".join(lines).removeprefix(f"={self.number}").strip()


@contextmanager
def started(*argv: str) -> Iterator[Engine]:
    engine = Engine(list(argv))
    try:
        yield engine
        engine("quit")
        assert engine.process.wait(SECONDS) == 0
    finally:
        engine.process.kill()
        engine.process.communicate()


def test_a_whole_game_against_gnu_go() -> None:
    gnugo = need_program("gnugo")
    other = (
        gnugo,
        "--mode",
        "gtp",
        "--level",
        "0",
        "--chinese-rules",
        "--never-resign",
        "--positional-superko",
        "--seed",
        "7",
    )
    with started(*ARGV, "Random", "--seed", "5") as ours, started(*other, "--capture-all-dead") as theirs:
        for engine in (ours, theirs):
            for command in ("boardsize 5", "komi 5.5", "clear_board", "time_settings 600 0 0"):
                engine(command)
        moves = []
        while moves[-2:] != ["pass", "pass"] and len(moves) < 300:
            black = len(moves) % 2 == 0
            mover, hearer = (ours, theirs) if black else (theirs, ours)
            move = mover(f"genmove {'black' if black else 'white'}").lower()
            hearer(f"play {'black' if black else 'white'} {move}")
            moves.append(move)
        assert moves[-2:] == ["pass", "pass"]
        # All dead stones are gone, so that both count the same.
        assert ours("final_score") == theirs("final_score")


def test_comments_interrupts_and_ends() -> None:
    text = "# hello\n\n1 boardsize 9\n# interrupt\n2 genmove b\nnonsense\n"
    argv = [*ARGV, "Random", "--time", "60000", "--rule-option", "komi=6.5"]
    done = subprocess.run(argv, input=text, capture_output=True, text=True, timeout=SECONDS, check=True)
    first, second, third = done.stdout.split("\n\n")[:3]
    assert first == "=1"
    assert second.startswith("=2 ")
    assert third == "? unknown command"
    assert done.stderr == ""


def test_what_can_not_be_played_is_told(run: Any) -> None:
    for words in (("--engine", "nobody"), ("--engine", "Random", "--rule", "Chess"), ("--engine", "ASP")):
        ran = run("as-gtp", *words)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith("ggtp: ")
        assert "internal error" not in ran.err
    assert run("as-gtp", "--engine", "Random", "--rule-option", "size=99").status == 1
