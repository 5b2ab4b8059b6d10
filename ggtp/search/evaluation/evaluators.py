"""THE registry of evaluators: a row for each, from which the options of engines follow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from ggtp.game import Option
from ggtp.search.evaluation.evaluator import Evaluator

EVALUATORS = (
    "ggtp.search.evaluation.evaluator:ByPlayouts",
    "ggtp.search.evaluation.evaluator:ByHeuristics",
    "ggtp.search.evaluation.linear:Linear",
)
"""Module and class."""


@cache
def evaluators() -> dict[str, type[Evaluator]]:
    """All evaluators of the registry, by their names."""
    rows = (row.partition(":") for row in EVALUATORS)
    found: list[type[Evaluator]] = [getattr(import_module(module), name) for module, _, name in rows]
    return {evaluator.name: evaluator for evaluator in found}


def evaluation_options(own: Evaluator) -> tuple[Option, ...]:
    """Which of them is asked by a search that has one of its own, the default, and what can be set of any of them."""
    known = [evaluator for evaluator in evaluators().values() if evaluator.name == own.name or not evaluator.fused]
    names = (own.name, *(evaluator.name for evaluator in known if evaluator.name != own.name))
    which = Option("Evaluation", own.name, "what positions are worth where the search ends", choices=names)
    return (which, *(option for evaluator in known for option in evaluator.options))


def evaluator_of(values: Mapping[str, str]) -> Evaluator:
    """The evaluator by the values of all options."""
    return evaluators()[values["Evaluation"]].read(values)
