"""THE registry of playout policies: a row for each, from which the options of engines follow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from ggtp.game import Option
from ggtp.search.playouts.policy import PlayoutPolicy

PLAYOUT_POLICIES = (
    "ggtp.search.playouts.policy:RandomPolicy",
    "ggtp.search.playouts.greedy:Greedy",
    "ggtp.search.playouts.mast:Mast",
)
"""Module and class; the first is the default."""


@cache
def playout_policies() -> dict[str, type[PlayoutPolicy]]:
    """All policies of the registry, by their names."""
    rows = (row.partition(":") for row in PLAYOUT_POLICIES)
    found: list[type[PlayoutPolicy]] = [getattr(import_module(module), name) for module, _, name in rows]
    return {policy.name: policy for policy in found}


def playout_options() -> tuple[Option, ...]:
    """Which of them is followed, and what can be set of any of them."""
    known = playout_policies()
    which = Option("Policy", next(iter(known)), "how moves of playouts over positions are chosen", choices=tuple(known))
    return (which, *(option for policy in known.values() for option in policy.options))


def playout_policy(values: Mapping[str, str]) -> PlayoutPolicy:
    """The policy by the values of all options."""
    return playout_policies()[values["Policy"]].read(values)
