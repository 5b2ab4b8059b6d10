"""Searches for plans that go on while an engine plays: see `ggtp.catalogue.solver`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ggtp.catalogue.solver import METHODS, Method, Problem, Solving, arms, kept_code
from ggtp.gdl.rules import GdlRules
from ggtp.kit.engine import Game

if TYPE_CHECKING:
    from ggtp.gdl.compiled import CompiledGame

__all__ = ["METHODS", "Method", "Solving", "begin_solving"]


def begin_solving(
    game: Game,
    compiled: CompiledGame | None,
    methods: Sequence[Method],
    megabytes: int,
    cores: int,
) -> Solving | None:
    """Begins to search for a plan from where the play stands; None where there is no way to.

    Args:
        game: the play, at a turn of the only player.
        compiled: the compiled game. Without it, the search is by the rules' text, and from their beginning only.
        methods: how to search.
        megabytes: what all searches together may have.
        cores: how many searches there may be.
    """
    rules, position = game.rules, game.position
    if not isinstance(rules, GdlRules) or len(rules.game.roles) != 1:
        return None
    began = not game.history
    if compiled is None:
        if not began:
            return None
        return Solving(Problem(rules.text or ""), arms(cores, by_text=True, methods=methods), megabytes=megabytes)
    from ggtp.gdl.kernel_single import unpack
    from ggtp.gdl.network import Built
    from ggtp.gdl.rules import GdlPosition

    assert isinstance(position, GdlPosition)
    facts = tuple(compiled.network.facts[fact] for fact in unpack(compiled.state_of(position)))
    built = Built(compiled.network, compiled.statistics)
    problem = Problem(rules.text or "", built, start=None if began else facts, code=kept_code(compiled))
    return Solving(problem, arms(cores, methods=methods), megabytes=megabytes)
