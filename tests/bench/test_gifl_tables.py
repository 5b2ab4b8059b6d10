"""The tables of `ggtp bench gifl`, for people."""

from __future__ import annotations

from ggtp.bench.gifl_tables import COLUMNS, TABLE, Most, Result, Score, report


def test_for_people() -> None:
    results = [
        Result("breakthrough", (90, 50, 40), 500, 80, 1000, Score(20, 0.85, 0.64, 0.95), Score(20, 0.6, 0.4, 0.8),
               0.7, 0.8, 1.25, 1.4, 0.5, 0.6, fixed_time=Score(20, 0.9, 0.7, 0.97), period=2, always=1.9,
               most=Most(2000, 1200, 8, 1.41, 2.9), finished=True),
        Result("connect4", (900, 500, 400), 500, 300, trial=0.3, switched_off=True, finished=True),
    ]  # fmt: skip
    lines = report(results)
    assert [line for line in lines if line.startswith("Table")] == [
        "Table 1: features",
        "Table 2: score of UCT at a fixed number of random games a move",
        "Table 2, by our MCTS as it is",
        "Table 3: random games with features beside those without",
        "Table 3, with as many features as FeatureCount allows, and without a search",
        "Table 4: score at a fixed time a move",
    ]
    assert lines[2].split() == ["breakthrough", "120", "63", "57", "90", "50", "40", "80"]
    assert "breakthrough              82.5%   85.0%    64.0% to 95.0%     20         1,000" in lines
    assert "breakthrough              82.5%   60.0%    40.0% to 80.0%     20         1,000" in lines
    assert "breakthrough                61%     70%     79%     80%     1.3    1.25    1.40  1 of 2    1.90" in lines
    assert "breakthrough               2,000   1,200  1 of 8    1.41    2.90" in lines
    assert not any("not finished" in line for line in lines)
    assert any("switched off: 30.0% in the trial" in line for line in lines)


def test_the_papers_games_are_there() -> None:
    assert len(TABLE) == 8
    for row in TABLE:
        assert row.features[0] == row.features[1] + row.features[2]


def test_what_was_not_measured_is_left_out() -> None:
    lines = report([Result("breakthrough", (90, 50, 40), 500, trial=0.7), Result("connect4", (9, 5, 4), finished=True)])
    assert lines == [
        "Table 1: features",
        "                          paper   off.   def.     ours   off.   def.",
        "breakthrough                120     63     57       90     50     40",
        "connect4                  2,187  1,108  1,079        9      5      4",
        "",
        "breakthrough is not finished: what is missing was not measured.",
    ]


def test_every_column_is_explained() -> None:
    one = Result("breakthrough", (9, 5, 4), 1, 1, length=1.0, playouts=1.0, overhead=1.0, most=Most(1, 1, 1, 1.0, 1.0))
    heads = [line for line in report([one]) if line.startswith("    ")]
    assert len(heads) == 3
    for word in {word for head in heads for word in head.split()} - {"paper", "ours"}:
        assert word in COLUMNS.split() or f"{word}:" in COLUMNS.split(), word
