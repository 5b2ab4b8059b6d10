"""The whole program in a real terminal: typed at as a person does, and read from the screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.paths import ROOT
from support.runs import engine
from support.stuck import stuck_rule

DEADLINE = 30.0
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A terminal of its own, on a socket of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "tmux"

    def _tmux(self, *words: str) -> str:
        command = ["tmux", "-S", str(self._socket), "-f", "/dev/null", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout

    def run(self, *words: str, width: int = 90, height: int = 40) -> None:
        env = {
            "XDG_STATE_HOME": str(self._folder / "state"),
            "TERM": "screen-256color",
            "LC_ALL": "C.UTF-8",
            "PATH": os.environ.get("PATH", ""),
        }
        settings = [word for name, value in env.items() for word in ("-e", f"{name}={value}")]
        command = " ".join(f"'{word}'" for word in (sys.executable, "-m", "ggtp", *words))
        # The shell stays, so that the last screen and the exit status can be read.
        line = f"cd '{ROOT}'; {command}; echo status=$?; exec cat"
        self._tmux("new-session", "-d", "-x", str(width), "-y", str(height), *settings, line)

    def keys(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p", "-S", "-200")

    def until(self, condition: Callable[[str], object]) -> str:
        """The screen, once it is as wanted."""
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            screen = self.screen()
            if condition(screen):
                return screen
            time.sleep(0.05)
        pytest.fail(f"the screen did not become what was wanted:\n{self.screen()}")

    def shows(self, *texts: str) -> str:
        return self.until(lambda screen: all(text in screen for text in texts))

    def say(self, line: str, *texts: str) -> str:
        """Type a line and wait for what it brings."""
        self.type(line)
        self.shows(f"> {line}")
        self.keys("Enter")
        return self.shows(*texts)

    def close(self) -> None:
        subprocess.run(["tmux", "-S", str(self._socket), "kill-server"], check=False, capture_output=True, timeout=20)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


def test_a_session_as_a_person_has_it(terminal: Terminal, tmp_path: Path) -> None:
    terminal.run("sessions/tictactoe.ggtp")
    terminal.shows("Tab completes", "  A B C", "= Done", "Cross>", ">Cross: human  Circle: Minimax")

    terminal.type("pl")
    terminal.shows("make a human player's move")
    terminal.keys("Tab")
    terminal.shows("Cross> play", "human, to move")
    terminal.keys("Tab")
    terminal.shows("Cross> play Cross", "A3")
    terminal.type("b2")
    terminal.keys("Tab")
    terminal.shows("Cross> play Cross B2")
    terminal.keys("Enter")
    terminal.shows("-> Cross plays B2", "2 . X .", "-> Circle plays", "node 2")

    terminal.say("undoo", "? Unknown command undoo", "Did you mean")
    terminal.say("undo", "-> Undoing a move", "held: genmove goes on")
    terminal.type("nonsense")
    terminal.shows("> nonsense")
    terminal.keys("C-c")
    terminal.until(lambda screen: "> nonsense" not in screen)
    terminal.keys("C-c")
    terminal.shows("Nothing is going on. Ctrl-D or quit leaves")

    terminal.keys("Up")
    terminal.shows("> undo\n")
    terminal.keys("C-u")
    terminal.keys("C-d")
    terminal.shows("status=0")
    assert "+undo" in (tmp_path / "state" / "ggtp" / "history").read_text()


def test_ctrl_c_while_an_engine_thinks(terminal: Terminal) -> None:
    terminal.run()
    terminal.shows("ggtp>", "no rule: set_rule")
    terminal.say("set_rule ConnectFour", "not started")
    terminal.say("set_rule_option starting_player Red", "= Done")
    terminal.say("set_engine Red Minimax", "Red: Minimax")
    terminal.say("set_engine_option Red Depth 64", "= Done")
    terminal.say("set_engine_option Red Time 1000000", "= Done")
    terminal.say("start", "A B C D E F G", "Red>", "thinking")
    terminal.type("list_pl")
    terminal.shows("Red> list_pl", "list_players")  # one can type while it thinks
    terminal.shows("thinking 1.")
    terminal.keys("C-c")
    terminal.until(lambda screen: "Red> list_pl" not in screen)
    terminal.shows("thinking")
    terminal.keys("C-c")
    terminal.shows("not waited for any more", "held: genmove goes on")
    terminal.say("force_play Red D", "-> Red plays D", "Yellow>")
    terminal.say("quit", "status=0")


def test_closing_the_terminal_leaves_no_engine(terminal: Terminal, tmp_path: Path) -> None:
    terminal.run("sessions/tictactoe.ggtp")
    terminal.shows("Cross>")
    pane = int(terminal._tmux("list-panes", "-F", "#{pane_pid}"))
    family = descendants(pane)
    assert any("ggtp.engines" in name for name in family.values())
    terminal.close()
    deadline = time.monotonic() + DEADLINE
    while alive := [pid for pid in family if running(pid)]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.05)


def descendants(root: int) -> dict[int, str]:
    """Every process below `root`, with its command line."""
    lines = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in lines.splitlines()]
    found: dict[int, str] = {}
    parents = {root}
    while parents:
        children = {int(pid): args for pid, ppid, args in rows if int(ppid) in parents}
        found |= children
        parents = set(children)
    return found


def running(pid: int) -> bool:
    """Whether a process is there and is more than a line in a table."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_ctrl_c_while_a_rule_computes(terminal: Terminal, tmp_path: Path) -> None:
    terminal.run(width=180)  # paths fit on a line
    terminal.shows("ggtp>", "no rule: set_rule")
    terminal.say(f"set_rule {stuck_rule(tmp_path)}", "not started")
    terminal.say("start", "Cross>")
    terminal.type("B2")
    terminal.keys("Enter")
    terminal.shows("-> The rule Stuck has been computing result for 3 s. Ctrl-C gives it up.")
    terminal.keys("C-c")
    terminal.shows("-> The rule Stuck failed in result", "result was interrupted after", "Circle>")
    terminal.say("undo", "-> Undoing a move", "Cross>")
    terminal.keys("C-d")
    terminal.shows("status=0")


def test_ctrl_c_while_a_rule_computes_behind_the_prompt(terminal: Terminal, tmp_path: Path) -> None:
    """The prompt reads keys by itself then, and Ctrl-C is a key that nobody reads."""
    terminal.run(width=180)  # paths fit on a line
    terminal.shows("ggtp>", "no rule: set_rule")
    terminal.say(f"set_rule {stuck_rule(tmp_path)}", "not started")
    late = engine(tmp_path, "late", "--fault", "late", "--delay-ms", "700")
    terminal.say("set_option genmove off", "= Done")
    terminal.say(f"set_engine Circle {late}", "Circle: late")
    terminal.say("start", "Cross>")
    for player, square in (("Cross", "A1"), ("Circle", "B1"), ("Cross", "A2"), ("Circle", "C1"), ("Cross", "C3")):
        terminal.say(f"force_play {player} {square}", f"-> {player} plays {square}")
    terminal.type("genmove")
    terminal.keys("Enter")
    terminal.shows("Circle> ", "thinking")
    terminal.shows("-> The rule Stuck has been computing result for 3 s. Ctrl-C gives it up.")
    terminal.keys("C-c")
    screen = terminal.shows("-> The rule Stuck failed in result", "-> Circle plays B2", "held")
    assert "Fault of" not in screen
    terminal.say("undo", "-> Undoing a move")
    terminal.keys("C-d")
    terminal.shows("status=0")
