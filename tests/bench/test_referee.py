"""The referee's benchmark plays real engines; here only a few moves of it, and never against a clock."""

from __future__ import annotations

import io
import json

import pytest

from ggtp.ui.cli import main
from ggtp.ui.console.environment import Environment, ExitStatus


def environment() -> Environment:
    return Environment(stdin=io.StringIO(), stdout=io.StringIO(), stderr=io.StringIO())


def bench(env: Environment, words: list[str]) -> int:
    return main(["bench", *words], env)


def output(env: Environment) -> str:
    assert isinstance(env.stdout, io.StringIO)
    return env.stdout.getvalue()


@pytest.mark.process
def test_every_transport_is_measured() -> None:
    env = environment()
    assert bench(env, ["referee", "--moves", "20", "--json"]) == ExitStatus.DONE
    (line,) = output(env).splitlines()
    figures = json.loads(line)
    assert list(figures) == ["zmq", "tcp", "stdio", "plain"]
    plain = figures.pop("plain")
    assert plain["ratio"] == round(plain["tcp"] / plain["stdio"], 3)
    assert plain["ratio"] > 0.05  # acknowledgements that are delayed would make it 0.01
    for row in figures.values():
        assert row["moves"] >= 20
        assert row["moves_per_s"] > 0
        assert row["games_per_s"] > 0
        assert row["tables_moves_per_s"] > 0
        assert row["round_trip_us"] > 0


@pytest.mark.process
def test_people_get_a_table() -> None:
    env = environment()
    assert bench(env, ["referee", "--moves", "20", "--transport", "tcp", "--rule", "Nim"]) == ExitStatus.DONE
    head, row = output(env).splitlines()
    assert head.split() == ["moves/s", "games/s", "all", "tables", "round", "trip", "moves", "memory"]
    assert row.startswith("tcp ")


@pytest.mark.parametrize("what", [["--rule", "NoSuchGame"], ["--engine", "NoSuchEngine"]])
def test_what_can_not_be_played_is_said(what: list[str]) -> None:
    env = environment()
    assert bench(env, ["referee", "--moves", "20", "--transport", "stdio", *what]) == ExitStatus.REFUSED
    assert isinstance(env.stderr, io.StringIO)
    assert "NoSuch" in env.stderr.getvalue()


@pytest.mark.parametrize("words", [["--seconds", "0"], ["--seconds", "nan"], ["--moves", "-1"], ["--tables", "0"]])
def test_what_can_not_be_measured_is_wrong_usage(words: list[str]) -> None:
    assert bench(environment(), ["referee", *words]) == ExitStatus.USAGE


@pytest.mark.process
def test_a_moment_is_enough() -> None:
    assert bench(environment(), ["referee", "--seconds", "0.000001", "--transport", "stdio"]) == ExitStatus.DONE
