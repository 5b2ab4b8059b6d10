"""The search in a process of its own."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT
from support.puzzles import ENDLESS, RULES, SHORT_OF_TIME, SWITCHES, built, outcome

from ggtp.asp import solve_child
from ggtp.asp.solve_child import main
from ggtp.gdl.ground.wire import encode_built


def network(name: str) -> str:
    return base64.b64encode(encode_built(built(name))).decode()


def answers(**request: object) -> tuple[int, list[dict[str, Any]]]:
    out = io.BytesIO()
    status = main(io.BytesIO(json.dumps(request).encode()), out)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("method", ["steps", "once"])
def test_by_network(method: str) -> None:
    status, lines = answers(network=network(SWITCHES), method=method)
    plan = lines[-1]
    assert (status, plan["kind"], plan["goal"]) == (0, "plan", 100)
    assert outcome(SWITCHES, tuple(plan["moves"])) == 100


@pytest.mark.parametrize("method", ["steps", "once"])
def test_by_text(method: str) -> None:
    status, lines = answers(text=SWITCHES, method=method, horizon=3)
    assert (status, lines[-1]["kind"]) == (0, "plan")
    assert outcome(SWITCHES, tuple(lines[-1]["moves"])) == 100


def test_a_start_and_a_goal() -> None:
    start = ["(on a)", "(done 3)", "(never (heard of))"]
    status, lines = answers(network=network(SWITCHES), start=start, goal=99)
    assert status == 0
    assert lines[-1].pop("seconds") > lines[-1].pop("preparing") >= 0
    assert lines[-1] == {"kind": "plan", "goal": 40, "moves": ["(switch b)"], "shortest": True}


def test_where_there_is_nothing_it_says_so() -> None:
    status, lines = answers(network=network(SHORT_OF_TIME), goal=-1)
    assert status == 1
    assert lines == [{"kind": "gave_up", "reason": "there is nothing more to try"}]


def test_a_network_of_its_own() -> None:
    status, lines = answers(text=SWITCHES, method="steps", build=True)
    assert (status, lines[-1]["kind"], lines[-1]["shortest"]) == (0, "plan", True)
    assert outcome(SWITCHES, tuple(lines[-1]["moves"])) == 100
    assert 0 < lines[-1]["preparing"] < lines[-1]["seconds"]
    # Atoms of the unrolled network are fewer than those of the text.
    _, by_text = answers(text=SWITCHES, method="steps")
    count = [next(line["count"] for line in found if line["kind"] == "trying") for found in (lines, by_text)]
    assert count[0] < count[1]


def test_a_network_that_would_be_too_large_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_child, "MOST_RULES", 1)
    monkeypatch.setattr("ggtp.gdl.ground.grounder.ASK_EVERY", 1)
    for stay in (False, True):
        status, lines = answers(text=SWITCHES, method="steps", build=True, stay=stay)
        assert status == 1
        assert [line["kind"] for line in lines] == ["gave_up"]


def test_states_first_where_they_are_few() -> None:
    status, lines = answers(network=network(SWITCHES), method="once", sweep=True)
    assert (status, lines[-1]["shortest"]) == (0, True)
    assert {line["what"] for line in lines if line["kind"] == "trying"} == {"states"}


@pytest.mark.process
def test_it_stays_and_is_told_of_other_states() -> None:
    """As a process, since it reads while it searches."""
    with subprocess.Popen(
        [sys.executable, "-m", "ggtp.asp.solve_child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def tell(**line: object) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps(line).encode() + b"\n")
            process.stdin.flush()

        def until(kind: str, number: int) -> list[dict[str, Any]]:
            assert process.stdout is not None
            heard = []
            for text in process.stdout:
                heard.append(json.loads(text))
                if (heard[-1]["kind"], heard[-1]["number"]) == (kind, number):
                    break
            return heard

        tell(text=ENDLESS, method="steps", stay=True)
        assert until("refuted", 0)
        # It would go on for ever, and obeys at once.
        tell(number=1, start=["(at 7)"])
        plan, rested = until("rested", 1)[-2:]
        assert (plan["moves"], plan["number"], rested["final"]) == (["go"], 1, True)
        tell(number=2, start=["(at 0)"])
        assert until("refuted", 2)
        # Without a state it rests.
        tell(number=2)
        assert until("rested", 2)[-1]["final"] is False
        tell(number=3, start=["(at 5)"])
        assert until("rested", 3)[-2]["moves"] == []
        process.stdin.close()
        assert process.wait(60) == 0


def test_rules_that_cannot_be_grounded_are_told_of() -> None:
    status, lines = answers(text="(role r) (<= (legal r ?x) (distinct ?x 1)) (<= terminal (true x))", method="once")
    assert status == 1
    assert "gets no value" in lines[-1]["reason"]


@pytest.mark.process
def test_memory_is_bounded() -> None:
    """As a process, since the limit stays."""
    request = {"network": network("pegsolitaire"), "method": "once", "horizon": 2000, "megabytes": 60, "order": False}
    ran = subprocess.run(
        [sys.executable, "-m", "ggtp.asp.solve_child"],
        input=json.dumps(request).encode(),
        capture_output=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode != 0
    # Where clingo itself runs out of memory the process ends, and whoever started it says so.
    assert not lines or lines[-1]["kind"] in {"gave_up", "trying"}


@pytest.mark.process
def test_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    request = tmp_path / "request"
    request.write_text(json.dumps({"text": (RULES / "pegsolitaire.gdl").read_text(), "method": "once", "horizon": 31}))
    starter = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-m', 'ggtp.asp.solve_child'],"
        f"stdin=open({str(request)!r}), stdout=subprocess.PIPE, start_new_session=True);"
        "child.stdout.readline(); print(child.pid)"
    )
    ran = subprocess.run([sys.executable, "-c", starter], capture_output=True, text=True, cwd=ROOT, check=True)
    gone = Path(f"/proc/{ran.stdout.strip()}")
    for _ in range(200):
        if not gone.exists() or "Z" in (gone / "stat").read_text().split(")")[1].split()[0]:
            return
        subprocess.run([sys.executable, "-c", "pass"], check=True)  # some time passes
    raise AssertionError("it is still there")
