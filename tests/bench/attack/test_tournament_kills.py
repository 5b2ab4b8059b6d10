"""Tournaments that are killed and resumed lose and double nothing, and a loss would be noticed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from ggtp.bench.attack import tournament_kills
from ggtp.bench.attack.parts import Site
from ggtp.bench.attack.tournament_kills import TournamentKills


@pytest.fixture(name="small", autouse=True)
def small_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six games instead of 24."""
    monkeypatch.setattr(tournament_kills, "BLOCKS", 1)
    monkeypatch.setattr(tournament_kills, "GAMES", 6)


@pytest.fixture(name="kill")
def make_kill(site: Site, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Play a tournament with one kill of this victim, as soon as there is one."""

    def kill(victim: str) -> None:
        monkeypatch.setattr(tournament_kills, "VICTIMS", (victim,))
        monkeypatch.setattr(tournament_kills, "MOST_KILLS", 1)
        TournamentKills(site, 0, random.Random(0), 0.0).attempt()

    return kill


@pytest.mark.process
@pytest.mark.parametrize("victim", ["all", "worker", "engine"])
def test_nothing_is_lost(site: Site, kill: Callable[[str], None], victim: str) -> None:
    kill(victim)
    assert site.tally.findings == []
    assert site.tally.figures[f"{victim}_kills"] == 1


@pytest.mark.process
def test_what_is_lost_is_found(site: Site, kill: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    original = Path.read_bytes

    def without_end(path: Path) -> bytes:
        data = original(path)
        return b"\n".join(data.split(b"\n")[:-3]) + b"\n" if path.name == "attack.journal" else data

    monkeypatch.setattr(Path, "read_bytes", without_end)
    kill("worker")
    assert site.tally.counts["lost"] >= 1
