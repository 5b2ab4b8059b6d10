"""Compiling in the background: it ends in a game, in a reason, or when it is told to, and rules go over to it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.endless import ENDLESS
from support.paths import RULES

from ggtp.catalogue.catalogue import Catalogue
from ggtp.catalogue.compile import background
from ggtp.catalogue.compile.background import Compilation, begin_compiling
from ggtp.catalogue.compile.cache import DiskCache
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.gdl.play.rules import GdlPosition, GdlRules, load_text

TEXT = (RULES / "gdl" / "connect3.gdl").read_text("utf-8")
SECONDS = 60
"""Only for a test that fails."""


@pytest.mark.process
def test_rules_go_over_to_the_compiled_game(tmp_path: Path) -> None:
    rules = load_text(TEXT, "connect3", guard=threading.RLock())
    before = rules.begin({})
    told = threading.Event()
    compilation = Compilation(Compiler(DiskCache(tmp_path)), rules, ended=told.set)
    assert compilation.wait(SECONDS)
    assert told.wait(SECONDS)
    assert (compilation.over, compilation.why) == (True, "")
    assert compilation.game is not None
    assert rules.compiled
    # A position of the interpreter goes over when a move is made in it, and can be asked for in the new form at once.
    assert isinstance(before, GdlPosition)
    assert not isinstance(before.state, bytes)
    after = before.play({"yellow": before.moves("yellow")[0]}).position
    assert isinstance(after, GdlPosition)
    assert isinstance(after.state, bytes)
    assert compilation.game.state_of(before) == rules.begin({}).latest().state  # type: ignore[attr-defined]
    assert compilation.game.state_of(after) == after.state


@pytest.mark.process
def test_it_is_stopped(tmp_path: Path) -> None:
    rules = load_text(ENDLESS, "endless")
    compilation = Compilation(Compiler(DiskCache(tmp_path)), rules)
    compilation.close(SECONDS)
    assert compilation.wait(SECONDS)
    assert compilation.game is None
    assert compilation.why.endswith("was stopped.")
    assert not rules.compiled


@pytest.mark.process
def test_what_takes_too_much_is_left_to_the_interpreter(tmp_path: Path) -> None:
    rules = load_text(ENDLESS, "endless")
    compilation = Compilation(Compiler(DiskCache(tmp_path)), rules, megabytes=250)
    assert compilation.wait(SECONDS)
    assert compilation.why == "Grounding it takes more than 250 MiB."
    assert rules.begin({}).moves("a") == ["go"]


def test_a_bug_of_a_library_is_a_reason_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr(background.Compiler, "equip", broken)
    compilation = Compilation(Compiler(), load_text(TEXT, "connect3"))
    assert compilation.wait(SECONDS)
    assert compilation.why == "AttributeError: no such thing"


@pytest.mark.process
def test_only_rules_in_the_language_are_compiled(tmp_path: Path) -> None:
    catalogue = Catalogue.from_environment({})
    compiler = Compiler(DiskCache(tmp_path))
    assert begin_compiling(compiler, catalogue.find_rules("TicTacToe")) is None
    rules = catalogue.find_rules("gdl/tictactoe")
    assert isinstance(rules, GdlRules)
    compilation = begin_compiling(compiler, rules)
    assert compilation is not None
    assert compilation.wait(SECONDS)
    assert compilation.game is not None


def test_where_no_thread_can_be_started_the_interpreter_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    compilation = Compilation(Compiler(None), load_text(TEXT, "connect3"))
    assert compilation.over
    assert (compilation.game, compilation.why) == (None, "the system starts no more threads")
