"""THE registry of tree policies: a row for each, from which the options of engines follow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from ggtp.game import Option
from ggtp.search.tree.policy import UCT, TreePolicy

TREE_POLICIES = (
    "ggtp.search.tree.rave:Rave",
    "ggtp.search.tree.grave:Grave",
)
"""Module and class. Where several are wanted, the last of them is followed; where none is, UCB1 by itself."""


@cache
def tree_policies() -> tuple[type[TreePolicy], ...]:
    """All policies of the registry."""
    rows = (row.partition(":") for row in TREE_POLICIES)
    return tuple(getattr(import_module(module), name) for module, _, name in rows)


def tree_options() -> tuple[Option, ...]:
    """What can be set of any of them."""
    return tuple(option for policy in tree_policies() for option in policy.options)


def tree_policy(values: Mapping[str, str]) -> TreePolicy:
    """The policy that is wanted by the values of all options."""
    wanted = [found for policy in tree_policies() if (found := policy.wanted(values)) is not None]
    return wanted[-1] if wanted else UCT
