"""Deals that are played several times are remembered by nobody: not in memory, on no disk, over no network."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.paths import FAKES
from support.runs import plan_of, results, run
from support.sandboxes import wrapped

from ggtp.arena.audit import audit
from ggtp.arena.preparation import settle_deals
from ggtp.arena.runner import open_runner
from ggtp.arena.table.table import GameTable
from ggtp.catalogue import Catalogue
from ggtp.game.model import CHANCE
from ggtp.tournament.journal.journal import JournalError
from ggtp.tournament.plan.plan import Plan
from ggtp.tournament.results import Game, Job
from ggtp.tournament.schedule.schedule import Schedule

BLOCKS = 20


def name_of(folder: Path) -> str:
    return f"ggtp-{os.getpid()}-{folder.name}"


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An engine without a sandbox leaves its marks everywhere."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    yield
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run"):
        (Path(folder) / name_of(tmp_path)).unlink(missing_ok=True)


def rememberer(folder: Path, **keys: Any) -> str:
    own = folder / "own"
    own.mkdir()
    path = own / "rememberer.toml"
    argv = ["{python}", "-S", str(FAKES / "deal_rememberer.py"), str(own), name_of(folder)]
    lines = {"name": "Rememberer", "argv": argv, "transport": "stdio", **keys}
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items()), "utf-8")
    return str(path)


def kuhn(engine: str, **changes: Any) -> Plan:
    players = [{"name": "Evil", "engine": engine}, {"name": "Good", "engine": "Random"}]
    plan = plan_of({"player": players, "rule": [{"rule": "KuhnPoker"}], "blocks": BLOCKS, **changes})
    return settle_deals(plan, Catalogue.from_environment(os.environ), os.environ)


def dealt(games: tuple[Game, ...]) -> dict[str, str]:
    return {game.id: next(move for move in game.moves if move.startswith(f"{CHANCE} ")) for game in games}


@pytest.mark.process
def test_in_a_sandbox_deals_are_common_and_nobody_knows_them(tmp_path: Path) -> None:
    plan = kuhn(rememberer(tmp_path))
    assert plan.rules[0].deals == "common"
    assert run(plan, tmp_path / "a.journal").ended
    found = results(tmp_path / "a.journal")
    assert not [fault.last_words for fault in found.faults]
    cards = dealt(found.games)
    assert all(cards[f"{block}.0"] == cards[f"{block}.1"] for block in range(1, BLOCKS + 1))
    assert {guard for game in found.games for guard in game.guards.values()} == {(wrapped(), True)}
    catalogue = Catalogue.from_environment(os.environ)
    assert audit(found, catalogue.guarded_rules, probes=0).repeated == []


@pytest.mark.process
@pytest.mark.parametrize("deals", ["auto", "common"])
def test_without_a_sandbox_each_game_has_its_own_deal_unless_the_plan_says_otherwise(
    tmp_path: Path, deals: str
) -> None:
    plan = kuhn(rememberer(tmp_path), sandbox="off", deals=deals, faults={"exit": "random"})
    assert plan.rules[0].deals == ("own" if deals == "auto" else "common")
    runner = run(plan, tmp_path / "a.journal", 1)
    assert runner.ended
    found = results(tmp_path / "a.journal")
    assert any("found another game" in fault.last_words for fault in found.faults)  # the test can see it
    cards = dealt(found.games)
    same = sum(cards[f"{block}.0"] == cards[f"{block}.1"] for block in range(1, BLOCKS + 1))
    assert same == BLOCKS if deals == "common" else same < BLOCKS
    repeated = audit(found, Catalogue.from_environment(os.environ).guarded_rules, probes=0).repeated
    assert len(repeated) == (2 * BLOCKS if deals == "common" else 0)
    (line,) = runner.ledger.standings.guards.deal_lines()
    assert line == (
        "Warning: games of KuhnPoker have the same dice and deals, and Evil and Good could remember them: use a "
        'sandbox, or deals = "own".'
        if deals == "common"
        else "Each game of KuhnPoker has dice and deals of its own: Evil and Good could remember those of other games."
    )


@pytest.mark.process
@pytest.mark.parametrize(
    ("keys", "network", "deals"),
    [
        ({}, "asked", "common"),
        ({"network": True}, "asked", "own"),
        ({"network": True}, "off", "common"),
        ({"writes": ["notes"]}, "asked", "own"),
        ({"writes": ["notes"], "sandbox": "strict"}, "asked", "common"),
    ],
)
def test_an_engine_that_may_write_or_use_the_network_could_remember(
    tmp_path: Path, keys: dict[str, Any], network: str, deals: str
) -> None:
    assert kuhn(rememberer(tmp_path, **keys), network=network).rules[0].deals == deals


@pytest.mark.process
def test_rules_without_dice_and_secrets_share_all_they_have(tmp_path: Path) -> None:
    plan = kuhn(rememberer(tmp_path), rule=[{"rule": "TicTacToe"}, {"rule": "CantStop"}], sandbox="off")
    assert [rule.deals for rule in plan.rules] == ["common", "own"]


@pytest.mark.process
def test_another_attempt_is_played_by_other_processes(tmp_path: Path) -> None:
    plan = kuhn("Random")
    game = Schedule(plan).next()
    assert game is not None

    async def script() -> tuple[int | None, ...]:
        catalogue = Catalogue.from_environment(os.environ)
        table = GameTable(plan, 0, game.seats, catalogue, None, nullcontext())
        pids = []
        for job in (Job(game), Job(game), Job(game, attempt=2)):
            await table.play(job)
            pids.append(table._seating.process(table._seating.link_of("Ann")))
        await table.close()
        return tuple(pids)

    first, second, third = asyncio.run(script())
    assert first == second != third


@pytest.mark.process
def test_a_journal_keeps_what_was_settled_when_it_began(tmp_path: Path) -> None:
    plan = plan_of({"player": [{"engine": "Random", "name": name} for name in "AB"], "rule": [{"rule": "KuhnPoker"}]})
    settled = {deals: replace(plan, rules=(replace(plan.rules[0], deals=deals),)) for deals in ("common", "own")}
    for first, second in (("common", "own"), ("own", "common")):
        for wanted in (settled[first], settled[second], None):
            runner, journal = open_runner(wanted, tmp_path / f"{first}.journal")
            journal.close()
            assert runner.plan.rules[0].deals == first
    with pytest.raises(JournalError, match="deals is 'auto' in the journal and 'own' now"):
        open_runner(replace(settled["own"], deals="own"), tmp_path / "common.journal")
