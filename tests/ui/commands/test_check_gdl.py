"""`ggtp check` for rulesheets: faults with carets and remedies, figures of the network, and the interpreter's turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ggtp.catalogue.compile import compiler
from ggtp.errors import NotCompiled
from ggtp.gdl.play.agree import Agreement
from ggtp.ui.commands import check_gdl

GAME = """; Walk.
(role p) (init (at 1)) (succ 1 2) (succ 2 3)
(<= (legal p go) (true (at ?x)) (succ ?x ?y))
(<= (legal p stay) (true (at 1)))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does p go))
(<= (next (at 2)) (does p stay))
(<= terminal (true (at 3)))
(<= (goal p 100) (true (at 3)))
(<= (goal p 0) (not (true (at 3))))
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Any:
    def write(text: str = GAME, name: str = "walk.kif") -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


@pytest.mark.process
def test_a_good_game(run: Any, sheet: Any) -> None:
    ran = run("check", sheet(), "--games", "2", "--seed", "1")
    assert (ran.status, ran.err) == (0, "")
    text = ran.out
    assert "network: 3 facts, 2 moves" in text
    assert "kernel one_function, compiled in" in text
    assert "the network and the interpreter agree in" in text
    assert text.endswith("walk: nothing wrong was found in 2 games with seed 1.\n")


def test_json(run: Any, sheet: Any) -> None:
    found = json.loads(run("check", sheet(), "--games", "2", "--json").out)
    assert (found["findings"], found["interpreted"]) == ([], "")
    network = found["network"]
    names = ("ground_rules", "gates", "gates_before", "ops", "kernel", "ground_s", "build_s", "compile_s", "memory_mib")
    assert set(names) <= network.keys()
    assert network["moves"] == [2]
    assert network["agrees"]


def test_all_faults_are_shown_with_their_places(run: Any, sheet: Any) -> None:
    path = sheet(
        GAME.replace("(succ ?x ?y) (does p go))", "(succ ?x ?z) (does p go))") + "(<= (next (q ?v)) (unknown ?w))\n"
    )
    ran = run("check", path)
    assert ran.status == 1
    lines = ran.out.splitlines()
    errors = [line for line in lines if ": error: " in line]
    assert len(errors) >= 2
    assert any(line.startswith(f"{path}:5:") for line in errors)
    place = next(index for index, line in enumerate(lines) if line.startswith(f"{path}:5:"))
    assert lines[place + 1] == "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?z) (does p go))"
    assert lines[place + 2].strip() == "^"
    assert lines[place + 3].startswith("    ")
    found = json.loads(run("check", path, "--json").out)
    assert {fault["severity"] for fault in found["faults"]} == {"error", "warning"}
    assert all(fault["line"] and fault["column"] for fault in found["faults"])
    assert found["findings"][0]["check"] == "rulesheet"


@pytest.mark.process
def test_a_warning_is_no_finding(run: Any, sheet: Any) -> None:
    ran = run("check", sheet(GAME + "(never used)\n"), "--games", "1")
    assert ran.status == 0
    assert "warning: The relation 'never' is never used." in ran.out


def test_a_text_that_cannot_be_read(run: Any, sheet: Any) -> None:
    ran = run("check", sheet("(role p"))
    assert (ran.status, ran.out) == (1, "")
    assert "^" in ran.err


def test_the_interpreter_on_request(run: Any, sheet: Any) -> None:
    ran = run("check", sheet(), "--kernel", "interpreter", "--games", "1")
    assert ran.status == 0
    assert "The interpreter plays these rules, not a network. It was asked for.\n" in ran.out


@pytest.mark.parametrize("kernel", ["single", "table"])
def test_a_kernel_on_request(run: Any, sheet: Any, kernel: str) -> None:
    assert f"single states: {kernel}," in run("check", sheet(), "--kernel", kernel, "--games", "1").out


def test_the_network_is_for_traces(run: Any, sheet: Any) -> None:
    assert run("check", sheet(), "--kernel", "network").status == 1


def test_what_cannot_be_compiled_is_still_checked(run: Any, sheet: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **more: Any) -> None:
        raise NotCompiled("Grounding it takes more than 60 s.")

    monkeypatch.setattr(compiler, "_built", refuse)
    path = sheet(GAME + "(<= (next (other)) (does p go))")
    ran = run("check", path, "--games", "1")
    assert ran.status == 0
    assert "not a network. Grounding it takes more than 60 s." in ran.out
    found = json.loads(run("check", path, "--games", "1", "--json").out)
    assert (found["network"], found["interpreted"]) == (None, "Grounding it takes more than 60 s.")
    assert run("check", path, "--kernel", "single").status == 1


def test_a_network_that_differs_is_a_finding(run: Any, sheet: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_gdl, "compare", lambda *args, **more: Agreement(1, "After 1 moves the game is over."))
    ran = run("check", sheet(), "--games", "1")
    assert ran.status == 1
    assert "network: After 1 moves the game is over." in ran.out
    assert "agree in" not in ran.out


def test_games_is_a_number_without_traces(run: Any, sheet: Any) -> None:
    ran = run("check", sheet(), "--games", "many")
    assert (ran.status, "--games: many is no whole number" in ran.err) == (2, True)
    ran = run("check")
    assert (ran.status, "name a rule" in ran.err) == (2, True)
