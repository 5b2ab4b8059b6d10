"""Findings travel as JSON."""

from __future__ import annotations

import json

import pytest

from ggtp.asp.findings import Finding, GaveUp, Impossible, Plan, Refuted, Trying, from_json, to_json

ALL: list[Finding] = [
    Plan(100, ("(press 1 2)", "noop"), True, 0.25),
    Trying(100, 7, 1234),
    Refuted(100, 6),
    Impossible(90),
    GaveUp("no memory"),
]


@pytest.mark.parametrize("finding", ALL)
def test_there_and_back(finding: Finding) -> None:
    assert from_json(json.loads(json.dumps(to_json(finding)))) == finding


@pytest.mark.parametrize("line", [{}, {"kind": "guess"}, {"kind": "plan"}, {"kind": "refuted", "goal": 1, "more": 2}])
def test_anything_else_is_refused(line: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no finding"):
        from_json(line)
