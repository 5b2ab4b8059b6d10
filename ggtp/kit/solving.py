"""Searches for plans that go on while an engine plays: see `ggtp.catalogue.solve.solver`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ggtp.catalogue.solve.solver import METHODS, Method, Problem, Solving, arms, first_arms, kept_code
from ggtp.game import Move
from ggtp.gdl.play.rules import GdlPosition, GdlRules
from ggtp.kit.engine import Game

if TYPE_CHECKING:
    from ggtp.gdl.play.compiled import CompiledGame

__all__ = ["METHODS", "Method", "Search", "begin_search"]


def begin_search(game: Game, methods: Sequence[Method], megabytes: int, cores: int) -> Search | None:
    """Begins to search for a plan from where the play stands; None where there is no way to.

    Args:
        game: the play, at a turn of the only player.
        methods: how to search.
        megabytes: what all searches together may have.
        cores: how many searches there may be.
    """
    rules = game.rules
    one = isinstance(rules, GdlRules) and len(rules.game.roles) == 1
    return Search(game, methods, megabytes, cores) if one else None


class Search:
    """A search from where a play stands. It begins without a network, and goes on where the play goes."""

    def __init__(self, game: Game, methods: Sequence[Method], megabytes: int, cores: int) -> None:
        """Begins to search: see `begin_search`."""
        self._methods = methods
        self._cores = cores
        self._rules = game.rules
        self.path = _path(game)
        """The moves that lead to where the search begins."""
        problem, ways = Problem(game.rules.text or "", start=_facts(game)), first_arms(methods)
        compiling, compiled = game.compiling, game.compiled()
        self._awaits = compiling and compiled is None
        if compiled is not None:
            problem, ways = _with_network(problem, compiled), arms(cores, methods=methods)
        elif not self._awaits:
            ways = arms(cores, by_text=True, methods=methods)
        self.solving = Solving(problem, ways, megabytes=megabytes, more=self._awaits, stays=True)

    def look(self, game: Game) -> None:
        """Lets searches by the network join, once it is there; or others by the text, where there will be none."""
        if not self._awaits or self.solving.ended:
            return  # nobody waits, or nothing is wanted until the play goes elsewhere
        problem, compiling, compiled = self.solving.problem, game.compiling, game.compiled()
        if compiled is not None:
            self._awaits = False
            self.solving.join(_with_network(problem, compiled), arms(self._cores, methods=self._methods))
        elif not compiling:
            self._awaits = False
            self.solving.join(problem, arms(self._cores, by_text=True, methods=self._methods))

    def move_on(self, game: Game) -> bool:
        """Searches from where the play stands now; False where that takes another search."""
        if game.rules is not self._rules or not self.solving.move_on(_facts(game)):
            return False
        self.path = _path(game)
        return True


def _path(game: Game) -> tuple[Move, ...]:
    return tuple(move for _, move in game.history)


def _with_network(problem: Problem, compiled: CompiledGame) -> Problem:
    from ggtp.gdl.ground.wire import encode_built
    from ggtp.gdl.network.network import Built

    network = encode_built(Built(compiled.network, compiled.statistics))
    return replace(problem, network=network, code=kept_code(compiled.kept, compiled.name))


def _facts(game: Game) -> tuple[str, ...] | None:
    """What holds where the play stands; None where it begins."""
    position = game.position
    assert isinstance(game.rules, GdlRules)
    assert isinstance(position, GdlPosition)
    return tuple(map(str, position.game.machine.facts(position.state))) if game.history else None
