"""Counts and findings of an attack."""

from __future__ import annotations

from ggtp.bench.attack.tally import KINDS, MOST_FINDINGS, Tally, result


def test_a_finding_belongs_to_its_round() -> None:
    tally = Tally("kills")
    tally.round = 7
    tally.attempted(3)
    tally.found("lost", "A game is gone.")
    assert (tally.tried, tally.bad, tally.counts["lost"]) == (3, 1, 1)
    (finding,) = tally.findings
    assert (finding.part, finding.round, finding.kind, finding.what) == ("kills", 7, "lost", "A game is gone.")


def test_all_are_counted_and_some_are_kept_in_words() -> None:
    tally = Tally("kills")
    for _ in range(MOST_FINDINGS + 5):
        tally.found("hung", "x" * 10_000)
    assert tally.bad == MOST_FINDINGS + 5
    assert len(tally.findings) == MOST_FINDINGS
    assert len(tally.findings[0].what) < 1000


def test_figures_are_set_and_added_to() -> None:
    tally = Tally("fuzz")
    tally.measured("lines_per_s", 1234.56789)
    tally.add("lines", 10)
    tally.add("lines")
    assert tally.row()["figures"] == {"lines_per_s": 1234.568, "lines": 11}


def test_the_result_sums_up_the_parts() -> None:
    one, two = Tally("one"), Tally("two", skipped="no mounts here")
    one.attempted(2)
    one.found("left", "A process is left.")
    two.attempted()
    data = result(5, [one, two])
    assert (data["seed"], data["tried"], data["left"]) == (5, 3, 1)
    assert {kind: data[kind] for kind in KINDS} == {kind: int(kind == "left") for kind in KINDS}
    assert isinstance(data["parts"], dict)
    assert data["parts"]["two"]["skipped"] == "no mounts here"
    assert data["findings"] == [{"part": "one", "round": 0, "kind": "left", "what": "A process is left."}]
