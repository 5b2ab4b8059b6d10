"""Progress: not too often, and gone at the end of a terminal's line."""

from __future__ import annotations

import io

from ggtp.ui.console.progress import AT_TERMINAL, IN_LOG, WIDTH, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_short_job_leaves_nothing_in_a_log() -> None:
    out, clock = io.StringIO(), Clock()
    progress = Progress(out, clock)
    progress.say("game 1")
    progress.clear()
    assert out.getvalue() == ""


def test_a_long_job_leaves_a_line_now_and_then() -> None:
    out, clock = io.StringIO(), Clock()
    progress = Progress(out, clock)
    for game in range(1, 4):
        clock.now += IN_LOG
        progress.say(f"game {game}")
        progress.say("not now")
    progress.clear()
    assert out.getvalue() == "game 1\ngame 2\ngame 3\n"


def test_a_terminal_has_one_line_that_is_written_over() -> None:
    out, clock = Terminal(), Clock()
    progress = Progress(out, clock)
    progress.say("one")
    progress.say("too soon")
    clock.now += AT_TERMINAL
    progress.say("two\n" + "x" * 500)
    progress.clear()
    first, second, blank, rest = out.getvalue().split("\r")[1:]
    assert first == "one".ljust(WIDTH)
    assert second.startswith("two\\x0ax")
    assert {len(first), len(second), len(blank)} == {WIDTH}
    assert (blank.strip(), rest) == ("", "")
