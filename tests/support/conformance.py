"""Engines that are looked at, with little patience."""

from __future__ import annotations

import asyncio
import os

from ggtp.arena.conformance.examination import Wanted, examine
from ggtp.arena.conformance.verdict import Check, Verdict
from ggtp.catalogue import Catalogue, EngineSpec
from ggtp.referee.settings import Settings


def find_engine(name: str) -> EngineSpec:
    return Catalogue.from_environment(os.environ).find_engine(name)


def looked_at(name: str, rule: str = "TicTacToe", **options: str) -> Verdict:
    """The findings about an engine in one game."""
    rules = Catalogue.from_environment(os.environ).guarded_rules(rule)
    values = rules.complete({})
    settings = Settings.defaults({"answer_time": "2500"})
    player = rules.players(values)[0]
    wanted = Wanted(find_engine(name), rules, rule, values, options, player, games=1, settings=settings)
    told: list[Check] = []
    verdict = asyncio.run(examine(wanted, told.append))
    assert tuple(told) == verdict.checks
    return verdict
