"""The verdict, for people and for programs."""

from __future__ import annotations

import json

from ggtp.arena.conformance.verdict import MOST_DETAILS, Check, Verdict


def test_failures_outrank_warnings_and_are_told_once() -> None:
    check = Check("options", text="3 options")
    check.warn("slow")
    check.fail("wrong")
    check.warn("wrong")
    assert (check.grade, check.details) == ("failed", ["slow", "wrong"])
    assert list(check.lines(9)) == [
        "FAILED   options    3 options",
        "                      slow",
        "                      wrong",
    ]
    for number in range(20):
        check.warn(str(number))
    assert len(check.details) == MOST_DETAILS


def test_a_verdict_counts() -> None:
    good, odd, left, bad = (Check(name) for name in "abcd")
    odd.warn("odd")
    left.skip("no secrets")
    assert Verdict("E", "R", "P", (good,)).summary() == "No check failed."
    verdict = Verdict("E", "R", "P", (good, odd, left))
    assert (verdict.conforms, verdict.summary()) == (True, "No check failed (1 warning, 1 skipped).")
    bad.fail("bad")
    verdict = Verdict("E", "R", "P", (good, bad))
    assert (verdict.conforms, verdict.summary()) == (False, "1 of 2 checks failed.")
    data = json.loads(json.dumps(verdict.data()))
    assert data["checks"][1] == {"name": "d", "grade": "failed", "text": "", "details": ["bad"]}
    assert (data["engine"], data["rule"], data["player"], data["conforms"]) == ("E", "R", "P", False)
