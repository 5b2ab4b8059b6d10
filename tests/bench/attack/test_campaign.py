"""`ggtp bench attack` plays the rounds of parts, and tells what they found."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from ggtp.bench.attack.campaign import generator
from ggtp.bench.attack.parts import PARTS, Attempt, Part, Site, Skipped


@pytest.fixture(name="rounds", autouse=True)
def fake_parts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, float]]:
    """Two parts: `fake` finds something in round 2, and `absent` can't be tried; the rounds that were played."""
    played: list[tuple[int, float]] = []

    @contextmanager
    def begin(site: Site) -> Iterator[Attempt]:
        assert list(site.folder.iterdir()) == []

        def attempt(number: int, rng: random.Random) -> None:
            played.append((number, rng.random()))
            site.tally.attempted()
            if number == 2:
                site.tally.found("lost", "The \x1b[1mgame\x1b[0m is gone.")

        yield attempt

    @contextmanager
    def absent(_site: Site) -> Iterator[Attempt]:
        raise Skipped("this machine has no disk")
        yield

    for name, function in (("fake", begin), ("absent", absent)):
        module = ModuleType(f"ggtp.attack_{name}")
        module.begin = function  # type: ignore[attr-defined]
        module.ROUNDS = 2  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(PARTS, name, Part(name, "try nothing", module.__name__))
    return played


def test_a_part_plays_its_rounds(run: Any, rounds: list[tuple[int, float]]) -> None:
    ran = run("bench", "attack", "--only", "fake", "--seed", "3")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("Nothing went wrong; seed 3.\n")
    assert rounds == [(number, generator(3, "fake", number).random()) for number in range(2)]


def test_a_finding_makes_it_fail_and_can_be_tried_again(run: Any, rounds: list[tuple[int, float]]) -> None:
    ran = run("bench", "attack", "--only", "fake", "--rounds", "5")
    assert ran.status == 1
    assert "fake, round 2, lost: The \\x1b[1mgame\\x1b[0m is gone." in ran.out
    assert "\x1b" not in ran.out + ran.err
    again = run("bench", "attack", "--only", "fake", "--from", "2", "--rounds", "1", "--json")
    assert again.status == 1
    assert rounds[5:] == [rounds[2]]
    data = json.loads(again.out)
    assert (data["tried"], data["lost"], data["findings"][0]["round"]) == (1, 1, 2)
    assert (data["parts"]["fake"]["first_round"], data["parts"]["fake"]["next_round"]) == (2, 3)


def test_a_part_that_can_not_be_tried_is_said_and_is_no_failure(run: Any) -> None:
    ran = run("bench", "attack", "--only", "absent", "--only", "fake", "--rounds", "1")
    assert ran.status == 0
    assert "absent was skipped: this machine has no disk" in ran.out


def test_time_is_a_limit(run: Any, rounds: list[tuple[int, float]]) -> None:
    assert run("bench", "attack", "--only", "fake", "--seconds", "0.000001").status == 0
    assert rounds == []
    assert run("bench", "attack", "--only", "fake", "--seconds", "0.2").status == 1
    assert len(rounds) > 2


def test_what_was_found_before_an_interruption_is_printed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    original = sys.modules["ggtp.attack_fake"].begin

    @contextmanager
    def begin(site: Site) -> Iterator[Attempt]:
        with original(site) as attempt:

            def interrupted(number: int, rng: random.Random) -> None:
                if number == 3:
                    raise KeyboardInterrupt
                attempt(number, rng)

            yield interrupted

    monkeypatch.setattr(sys.modules["ggtp.attack_fake"], "begin", begin)
    ran = run("bench", "attack", "--only", "fake", "--rounds", "5", "--json")
    assert ran.status == 3
    assert json.loads(ran.out)["lost"] == 1


def test_wrong_arguments(run: Any) -> None:
    assert run("bench", "attack", "--only", "nothing").status == 2
    assert run("bench", "attack", "--rounds", "0").status == 2
