"""Whether a player can learn what the rule does not tell: views, determinizations, imagined positions.

What a player may know after a turn is what it knew before and what it was told: the moves as
`seen`, its own refusals, the umpire's words, whose turn it is and how the game ended. Two
turns that were told alike must therefore look alike.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ggtp.game import advice
from ggtp.game.checks.examine import Ledger, choose
from ggtp.game.guard import bare_position
from ggtp.game.hidden.sampling import imagine, observed
from ggtp.game.model import Observation, Player, Position, Rules, TurnKind, Verdict

CONTINUATIONS = 8
"""How many ways to go on are compared at a position."""
TRIES = 50
"""How many histories are sampled for a player at a position, where the rule does not imagine it itself."""


class LeakDetector:
    """Compares what is the same to a player and must look the same."""

    def __init__(
        self,
        rules: Rules,
        players: tuple[Player, ...],
        values: Mapping[str, str],
        ledger: Ledger,
        rng: random.Random,
    ) -> None:
        self.rules = rules
        self.players = players
        self.values = values
        self.ledger = ledger
        self.rng = rng

    def probe(self, position: Position, observations: Mapping[Player, Sequence[Observation]]) -> None:
        """Everything about secrets that can be told at a position, given what each player has observed."""
        for player in self.players:
            with self.ledger.guard("determinize"):
                self._determinize(position, player)
            if position.turn().kind is TurnKind.OVER:
                continue
            with self.ledger.guard("moves in a turn of several"):
                self._choices(position, player)
            with self.ledger.guard("imagine"):
                self._imagine(position, player, observations[player])
            if self.rules.traits.hidden:
                with self.ledger.guard("play of several moves at a position"):
                    self._continuations(position, player)

    def _determinize(self, position: Position, player: Player) -> None:
        if self.rules.traits.hidden and not advice.determinizes(bare_position(position)):
            self.ledger.note("leak", "something is hidden but determinize gives the true position away")
        for _ in range(2):
            other = advice.determinize(position, player, self.rng)
            if other is None:
                return
            self._alike("leak", "a determinized position", position, other, player)
            if not self.rules.traits.hidden:
                same = other.key() == position.key()
                self.ledger.expect(
                    same, "traits", "determinize changes a position but the traits say nothing is hidden"
                )

    def _choices(self, position: Position, player: Player) -> None:
        """A player with a choice takes longer than one with a single move: that may be known, or the turn is sealed."""
        turn = position.turn()
        if not self.rules.traits.hidden or turn.sealed or turn.kind not in (TurnKind.JOINT, TurnKind.RACE):
            return
        other = advice.determinize(position, player, self.rng)
        if other is None or other.turn().players != turn.players:
            return
        for rival in turn.players:
            same = rival == player or (len(position.moves(rival)) > 1) == (len(other.moves(rival)) > 1)
            what = "whether a player has a choice is secret but the turn is not sealed, so that time tells it"
            self.ledger.expect(same, "sealed", what, rival)

    def _imagine(self, position: Position, player: Player, seen: Sequence[Observation]) -> None:
        other = imagine(self.rules, player, self.values, seen, self.rng, tries=TRIES)
        if other is not None:
            self._alike("imagine", "an imagined position", position, other, player)
        if not self.rules.traits.hidden:
            same = other is not None and other.key() == position.key()
            what = "nothing is hidden but what a player is told does not lead to the position"
            self.ledger.expect(same, "imagine", what, player)

    def _continuations(self, position: Position, player: Player) -> None:
        """Goes on from here, and from what this may be to the player, and compares what was told alike."""
        alike: dict[object, Position] = {_public(position, player): position}
        for index in range(CONTINUATIONS):
            before = advice.determinize(position, player, self.rng) if index % 2 else position
            if before is None or before.turn() != position.turn():
                continue
            moves = choose(before, self.rng)
            verdict = before.play(moves)
            after = verdict.position
            told = _told(before, verdict, player)
            own = moves.get(player)
            # A turn of which the player is told nothing at all must leave everything as it was.
            key = (own, *told, *_public(after, player)) if own or told else _public(after, player)
            self._alike(
                "leak", "a position after a turn that was told alike", alike.setdefault(key, after), after, player
            )

    def _alike(self, check: str, what: str, first: Position, second: Position, player: Player) -> None:
        expect = self.ledger.expect
        if first is second:
            return
        same_view = first.view(player) == second.view(player)
        expect(same_view, check, f"{what} has another view", f"{player}: {first.view(player)} | {second.view(player)}")
        same_moves = list(first.moves(player)) == list(second.moves(player))
        expect(same_moves, check, f"{what} lists other moves", player)
        same_likely = list(advice.likely(first, player)) == list(advice.likely(second, player))
        expect(same_likely, check, f"{what} has other likely moves", player)
        if same_likely and advice.likely(first, player):
            casual = [advice.casual(position, player, random.Random(0)) for position in (first, second)]
            expect(casual[0] == casual[1], check, f"{what} has another move to play on with", player)
        pictures = [position.picture(player).plain() for position in (first, second)]
        expect(pictures[0] == pictures[1], check, f"{what} has another picture", player)
        same_turn = _public(first, player) == _public(second, player)
        expect(same_turn, check, f"{what} is another turn, or has another result", player)


def _public(position: Position, player: Player) -> tuple[object, ...]:
    """What everybody sees: whose turn it is, and how the game ended."""
    turn, result = position.turn(), position.result()
    ended = result and (tuple(result.standings.items()), tuple(result.scores.items()))
    return (turn.kind, turn.players, turn.sealed, ended)


def _told(before: Position, verdict: Verdict, player: Player) -> tuple[object, ...]:
    """What the player hears of a turn."""
    words = [words.text for words in verdict.announcements if words.to in (None, player)]
    return (*observed(before, verdict, player), *words)
