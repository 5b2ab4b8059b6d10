"""Ways of the zoo in tournaments, and that a program which suffers is noticed."""

from __future__ import annotations

import random
import tomllib

import pytest

from ggtp.bench.attack.engines import Contest, begin, describe, settings
from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.zoo import ways
from ggtp.bench.attack.zoo.ways import WAYS


@pytest.mark.process
@pytest.mark.parametrize("name", ["answers-and-exits", "daemon", "floods-acknowledge", "controls-in-words"])
def test_a_tournament_goes_to_its_end(site: Site, name: str) -> None:
    Contest(site, WAYS[name], "stdio", site.folder / "contest").play()
    assert site.tally.findings == []


@pytest.mark.process
def test_a_round_plays_one_way_everywhere(site: Site) -> None:
    number = list(WAYS).index("exit0")
    with begin(site) as attempt:
        attempt(number + len(WAYS), random.Random(1))
    assert (site.tally.tried, site.tally.findings) == (3, [])


@pytest.mark.process
def test_a_wrong_verdict_is_found(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = WAYS["exit0"]._replace(outcome="silence")
    monkeypatch.setitem(ways.WAYS, "exit0", wrong)
    with begin(site) as attempt:
        attempt(list(WAYS).index("exit0"), random.Random(1))
    assert [finding.kind for finding in site.tally.findings] == ["blamed"] * 4


def test_a_description_names_the_program_and_the_mark(site: Site) -> None:
    path = describe(site.folder, "Evil", "tcp", "attack00", "--fault", "late")
    spec = tomllib.loads(path.read_text())
    assert (spec["name"], spec["transport"]) == ("Evil", "tcp")
    assert spec["argv"][-4:] == ["--mark", "attack00", "--fault", "late"]


def test_settings_of_a_way() -> None:
    assert settings(WAYS["late"]) == {"time_move": 300, "time_margin": 50}
