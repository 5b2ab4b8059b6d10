"""The tables of `ggtp bench gifl`, for people."""

from __future__ import annotations

from ggtp.ui.bench_gifl_tables import TABLE, Result, Score, report


def test_for_people() -> None:
    results = [
        Result("breakthrough", (90, 50, 40), 500, 80, 1000, Score(20, 0.85, 0.64, 0.95), Score(20, 0.6, 0.4, 0.8),
               0.7, 0.8, 1.25, 1.4, 0.5, 0.6, fixed_time=Score(20, 0.9, 0.7, 0.97), period=2, always=1.9),
        Result("connect4", (900, 500, 400), 500, 300, trial=0.3, switched_off=True),
    ]  # fmt: skip
    lines = report(results)
    assert [line for line in lines if line.startswith("Table")] == [
        "Table 1: features",
        "Table 2: score of UCT at a fixed number of random games a move",
        "Table 2, by our MCTS as it is",
        "Table 3: random games with features beside those without",
        "Table 4: score at a fixed time a move",
    ]
    assert lines[2].split() == ["breakthrough", "120", "63", "57", "90", "50", "40", "80"]
    assert "breakthrough              82.5%   85.0%    64.0% to 95.0%     20         1,000" in lines
    assert "breakthrough              82.5%   60.0%    40.0% to 80.0%     20         1,000" in lines
    assert "breakthrough                61%     70%     79%     80%     1.3    1.25    1.40  1 of 2    1.90" in lines
    assert any("switched off: 30.0% in the trial" in line for line in lines)


def test_the_papers_games_are_there() -> None:
    assert len(TABLE) == 8
    for row in TABLE:
        assert row.features[0] == row.features[1] + row.features[2]
