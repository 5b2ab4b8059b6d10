"""Parsers: whole option names, near names, our words and our streams."""

from __future__ import annotations

import argparse
import io
from typing import Any

import pytest

from ggtp.game import chance
from ggtp.ui.console.arguments import MOST_KEY, Parser, chosen_key, milliseconds, part, seconds, whole_number
from ggtp.ui.console.environment import Environment


@pytest.fixture
def env() -> Environment:
    return Environment(io.StringIO(), io.StringIO(), io.StringIO(), {})


def refused(env: Environment, parser: Parser, *words: str) -> str:
    with pytest.raises(SystemExit) as stop:
        parser.parse_args(words)
    assert stop.value.code == 2
    written: Any = env.stderr
    return str(written.getvalue()).splitlines()[-1]


def test_help_goes_to_the_output_of_the_environment(env: Environment) -> None:
    with pytest.raises(SystemExit) as stop:
        Parser(env, "ggtp x", description="What it does.").parse_args(["--help"])
    assert stop.value.code == 0
    assert "What it does." in env.stdout.getvalue()  # type: ignore[attr-defined]
    assert env.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_options_are_not_abbreviated(env: Environment) -> None:
    assert refused(env, Parser(env, "ggtp x"), "--deb") == "ggtp: no option --deb; did you mean --debug?"


def test_a_near_option_is_found_in_front_of_its_value(env: Environment) -> None:
    parser = Parser(env, "ggtp x")
    parser.add_argument("--games")
    assert refused(env, parser, "--gamse=3") == "ggtp: no option --gamse=3; did you mean --games?"


def test_what_looks_like_nothing_gets_no_suggestion(env: Environment) -> None:
    assert refused(env, Parser(env, "ggtp x"), "--xyzzy") == "ggtp: no option --xyzzy"


def test_a_word_too_many(env: Environment) -> None:
    assert refused(env, Parser(env, "ggtp x"), "word") == "ggtp: there is no use for word"


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("10", 10), ("007", 7)])
def test_whole_numbers(text: str, number: int) -> None:
    assert whole_number(1, 10)(text) == number


@pytest.mark.parametrize("text", ["0", "11", "-1", "+1", "1_0", "1.0", "٣", "", " 1", "9" * 5000])
def test_texts_that_are_no_whole_numbers(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is no whole number from 1 to 10"):
        whole_number(1, 10)(text)


def test_a_key_is_what_was_given_or_one_that_nobody_can_guess() -> None:
    assert MOST_KEY == chance.MOST_KEY
    assert whole_number(0, MOST_KEY)(str(MOST_KEY)) == MOST_KEY
    assert chosen_key(0) == 0
    assert len({chosen_key(None) for _ in range(16)}) == 16
    assert max(chosen_key(None) for _ in range(16)) > 2**96


def test_times_have_units_or_mean_what_they_always_meant() -> None:
    assert [milliseconds(0, 9000)(text) for text in ("5", "5s", "300ms")] == [5, 5000, 300]
    assert [seconds(text) for text in ("5", "0.5", "1e1", "300ms", "2m")] == [5.0, 0.5, 10.0, 0.3, 120.0]
    for text in ("", "fast", "10s", "1.5", "5+0.1"):
        with pytest.raises(argparse.ArgumentTypeError, match="is no time from 0 to 9000 milliseconds"):
            milliseconds(0, 9000)(text)
    for text in ("0", "2000m", "-1", "nan"):
        with pytest.raises(argparse.ArgumentTypeError, match="is no time in seconds from 0 to 86400"):
            seconds(text)


def test_parts() -> None:
    assert part("2/3") == (2, 3)
    for text in ("", "2", "0/3", "4/3", "1/", "a/b", "1/9999999"):
        with pytest.raises(argparse.ArgumentTypeError, match="is no part: write K/N"):
            part(text)
