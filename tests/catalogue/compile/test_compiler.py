"""The compiler: networks from real children, limits that hold, and a cache that is believed only if it is right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.endless import ENDLESS
from support.paths import ROOT, RULES

from ggtp.catalogue.compile import compiler as module
from ggtp.catalogue.compile.cache import DiskCache
from ggtp.catalogue.compile.compiler import Compiler, Limits, missing_libraries, require_libraries
from ggtp.errors import NotCompiled, RulesError
from ggtp.gdl.kernel.playouts import runtime_code
from ggtp.gdl.play.rules import GdlPosition, load_text
from ggtp.native.machine import host
from ggtp.processes.child import End, Ended, run_child

TEXT = (RULES / "gdl" / "connect3.gdl").read_text("utf-8")


@pytest.mark.process
def test_a_game_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    first = Compiler(DiskCache(tmp_path)).compile(TEXT, progress=said.append)
    assert said[0] == "grounding"
    assert said[-1].startswith("building the network of ")
    assert not first.kept
    assert first.game.roles == ("yellow", "red")
    assert min(first.ground_s, first.build_s, first.memory_mib) > 0
    monkeypatch.setattr(module, "run_child", None)
    # Nor are they read again. Comments, blanks and capitals are not the game.
    monkeypatch.setattr("ggtp.gdl.language.parse.parse_strictly", None)
    again = Compiler(DiskCache(tmp_path)).compile(f"; another comment\n{TEXT.upper()}")
    assert again.kept
    assert again.game.network == first.game.network
    assert (again.ground_s, again.build_s, again.memory_mib) == (first.ground_s, first.build_s, first.memory_mib)


@pytest.mark.process
def test_a_late_reader_is_told_the_right_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, all that the child has said may be read at one time."""

    def read_late(*args: Any, on_line: Any, **more: Any) -> Ended:
        lines: list[Any] = []
        ended = run_child(*args, on_line=lines.append, **more)
        for line in lines:
            on_line(line)
        return ended

    monkeypatch.setattr(module, "run_child", read_late)
    compiled = Compiler(None).compile(TEXT)
    assert compiled.ground_s > 0.001
    assert compiled.build_s > 0.001


@pytest.mark.process
def test_a_network_for_others_to_play(tmp_path: Path) -> None:
    """Nothing that plays it is loaded: in a process of its own, since here it is."""
    program = (
        "import sys; from pathlib import Path; from ggtp.catalogue.compile.cache import DiskCache;"
        "from ggtp.catalogue.compile.compiler import Compiler;"
        f"compiler = Compiler(DiskCache(Path({str(tmp_path)!r}))); text = sys.stdin.read();"
        "assert compiler.kept(text) is None; made = compiler.network(text); assert made.seconds > 0;"
        "assert compiler.kept(text) == made;"
        "assert not {'numpy', 'llvmlite', 'clingo'} & set(sys.modules); print(made.name)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], input=TEXT, capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ran.stderr == ""
    assert ran.stdout.strip() == module._key(TEXT)
    assert Compiler(DiskCache(tmp_path)).compile(TEXT).kept


@pytest.mark.process
def test_machine_code_is_kept_too(tmp_path: Path) -> None:
    compiler = Compiler(DiskCache(tmp_path))
    fresh = compiler.compile(TEXT, keep_code=False)
    fresh.game.state_kernel()
    before = len(list(tmp_path.iterdir()))
    compiler.compile(TEXT).game.state_kernel()
    assert len(list(tmp_path.iterdir())) > before


@pytest.mark.process
def test_what_all_games_need_is_made_while_a_network_is_built(tmp_path: Path) -> None:
    compiler = Compiler(DiskCache(tmp_path))
    game = compiler.compile(TEXT).game
    before = set(tmp_path.iterdir())
    game.playouts("one_function")
    more = [file for file in tmp_path.iterdir() if file not in before]
    # The step program, and the game's own code.
    assert len(more) == 2
    assert runtime_code(host().words) in next(file.read_bytes() for file in before if b"run_from" in file.read_bytes())


@pytest.mark.process
def test_a_damaged_cache_is_replaced(tmp_path: Path) -> None:
    compiler = Compiler(DiskCache(tmp_path))
    compiler.compile(TEXT)
    (path,) = (file for file in tmp_path.iterdir() if b'"kind": "network"' in file.read_bytes())
    good = path.read_bytes()
    path.write_bytes(good[:-8])
    assert not compiler.compile(TEXT).kept
    assert compiler.compile(TEXT).kept
    # Right in itself, but written by somebody with another idea of the head.
    key = module._key(TEXT)
    for head in (b"{}", b"[]", b"nonsense", b'{"ground_s": "x", "build_s": 1, "memory_mib": 1}'):
        compiler.cache.put(key, head + b"\nrest")
        assert not compiler.compile(TEXT).kept


@pytest.mark.process
def test_without_a_cache() -> None:
    assert not Compiler().compile(TEXT).kept


@pytest.mark.process
def test_rules_play_with_the_compiled_machine(tmp_path: Path) -> None:
    rules = load_text(TEXT, "game")
    Compiler(DiskCache(tmp_path)).equip(rules)
    position = rules.begin({})
    assert isinstance(position, GdlPosition)
    assert isinstance(position.state, bytes)
    assert position.turn().players == ("yellow",)


@pytest.mark.process
def test_time_holds() -> None:
    with pytest.raises(NotCompiled, match="takes more than 1 s"):
        Compiler().compile(ENDLESS, Limits(seconds=1))


@pytest.mark.process
def test_memory_holds() -> None:
    with pytest.raises(NotCompiled, match="takes more than 250 MiB"):
        Compiler().compile(ENDLESS, Limits(seconds=60, megabytes=250))


@pytest.mark.process
def test_it_can_be_stopped() -> None:
    with pytest.raises(NotCompiled, match="was stopped"):
        Compiler().compile(ENDLESS, should_stop=lambda: True)


@pytest.mark.process
def test_faults_of_the_rules() -> None:
    with pytest.raises(RulesError) as caught:
        Compiler().compile("(role a)\n(<= )")
    assert (caught.value.line, caught.value.column) == (2, 1)
    with pytest.raises(RulesError):
        Compiler().compile("(role a")
    with pytest.raises(RulesError):
        Compiler().compile("(legal a b) (<= terminal (true x)) (goal a 100)")


@pytest.mark.process
def test_rules_are_unharmed_by_a_failure() -> None:
    rules = load_text(TEXT, "game")
    machine = rules.game.machine
    with pytest.raises(NotCompiled):
        Compiler().equip(rules, should_stop=lambda: True)
    assert rules.game.machine is machine


@pytest.mark.parametrize(
    ("ended", "failed", "said"),
    [
        (Ended(End.BY_ITSELF, -11, None, "", 1), [], "Grounding it failed: status -11."),
        (Ended(End.BY_ITSELF, 1, None, "x\nKeyError: 'y'", 1), [], "Grounding it failed: KeyError: 'y'."),
        (Ended(End.BY_ITSELF, -6, None, "what(): std::bad_alloc", 1), [], "Grounding it takes more than 4096 MiB."),
        (Ended(End.BY_ITSELF, -24, None, "", 1), [], "Grounding it takes more than 60 s."),
        (Ended(End.BY_ITSELF, 1, None, "", 1), [{"failed": "memory"}], "Grounding it takes more than 4096 MiB."),
        (Ended(End.BY_ITSELF, 1, None, "", 1), [{"failed": "stopped", "message": "Too many."}], "Too many."),
        (Ended(End.GARBLED, -9, None, "", 1), [], "Grounding it takes more than 60 s."),
    ],
)
def test_reasons(monkeypatch: pytest.MonkeyPatch, ended: Ended, failed: list[dict[str, str]], said: str) -> None:
    def child(name: str, request: Any, *, on_line: Any, **more: Any) -> Ended:
        for line in failed:
            on_line(line)
        return ended

    monkeypatch.setattr(module, "run_child", child)
    with pytest.raises(NotCompiled) as caught:
        Compiler().compile(TEXT)
    assert str(caught.value) == said


def test_missing_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_libraries() == []
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(NotCompiled, match=r"numpy are not installed.*pip install clingo llvmlite numpy"):
        require_libraries()
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "clingo" else name)
    with pytest.raises(NotCompiled, match="clingo is not installed"):
        Compiler().compile(TEXT)


@pytest.mark.process
def test_the_interpreter_needs_no_libraries() -> None:
    source = """
import sys
for name in ("clingo", "llvmlite", "numpy"):
    sys.modules[name] = None
from ggtp.catalogue import Catalogue
from ggtp.catalogue.compile.compiler import Compiler
from ggtp.errors import NotCompiled
rules = Catalogue.from_environment({}).find_rules("gdl/tictactoe")
position = rules.begin({})
print(len(position.moves("cross")))
"""
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("9\n", "")
