"""What benchmarks of threads and of workers share."""

from __future__ import annotations

import argparse

import pytest

from ggtp.bench.scaling import add_arguments, counts


def test_numbers_of_threads() -> None:
    assert list(counts(1)) == [1]
    assert list(counts(8)) == [1, 2, 4, 8]
    assert list(counts(6)) == [1, 2, 4, 6]


def test_options_are_named_after_what_there_are_more_of(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser, "the game", "horses")
    args = parser.parse_args(["--horses", "3"])
    assert (args.rule, args.seconds, args.horses) == ("gdl/connectfour", 5.0, 3)
    with pytest.raises(SystemExit):
        parser.parse_args(["--horses", "0"])
    assert "--horses" in capsys.readouterr().err
