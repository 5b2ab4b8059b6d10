"""Games between two searches of a compiled game, which differ in the random games that they play."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from ggtp.gdl.kernel.playouts import PlayoutKernel
from ggtp.gdl.kernel.single import pack
from ggtp.gdl.play.compiled import CompiledGame
from ggtp.search.mcts.compiled.reading import move_text
from ggtp.search.mcts.compiled.search import CompiledSearch
from ggtp.search.mcts.options import Settings

LONGEST = 1000
"""Moves after which a game is a draw."""


@dataclass(frozen=True, slots=True)
class Fought:
    """What came of a game."""

    goals: tuple[int, int]
    """By the roles."""
    moves: int
    playouts: tuple[int, int]
    """What each role's search played in all."""


class Fighter:
    """One side of a match: a search for each role, with the kernel for it."""

    def __init__(
        self, game: CompiledGame, settings: Settings, rng: random.Random, kernels: Callable[[int], PlayoutKernel]
    ) -> None:
        self.game, self.settings = game, settings
        self._rng, self._kernels = rng, kernels
        self._searches: dict[int, CompiledSearch] = {}
        self.playouts = 0

    def begin(self, role: int) -> None:
        """A new game, as this role."""
        self.playouts = 0
        search = self._searches.get(role)
        if search is None:
            self._searches[role] = CompiledSearch(self.game, self.settings, self._rng, self._kernels(role))
        else:
            search.forget()

    def move(self, role: int, state: bytes, seconds: float | None) -> str:
        """Think, for so many seconds of our own processor time, and say the move."""
        search, player = self._searches[role], self.game.roles[role]
        end = None if seconds is None else time.process_time() + seconds
        search.begin(state)
        winning = search.winning(player)
        if winning is None:
            search.run(lambda: end is not None and time.process_time() >= end)
            self.playouts += search.playouts
        return search.decision(player).with_winning(winning).chosen(self.settings.final).move


def fight(
    game: CompiledGame,
    sides: tuple[Fighter, Fighter],
    seconds: float | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Fought | None:
    """One game from the start; the first side has the first role. None where it was told to stop.

    Args:
        seconds: of processor time, which a move may take; without a limit, it has the playouts of its side's settings.
    """
    network, states = game.network, game.state_kernel()
    numbers = [{move_text(text): number for number, text in enumerate(moves)} for moves in network.moves]
    for role, side in enumerate(sides):
        side.begin(role)
    state = pack(network, network.initial)
    made = 0
    while not (look := states.look(state)).terminal and made < LONGEST:
        if should_stop is not None and should_stop():
            return None
        joint = [moves[0] for moves in look.legal]
        for role, moves in enumerate(look.legal):
            if len(moves) > 1:
                joint[role] = numbers[role][sides[role].move(role, state, seconds)]
        state = states.next(state, joint)
        made += 1
    goals = look.goals if look.terminal else [50, 50]
    return Fought((goals[0], goals[1]), made, (sides[0].playouts, sides[1].playouts))
