"""Betting at poker: one round after the other, all-in, side pots; any number of players, limit or not.

A `Betting` never changes; an action makes a new one. Amounts are whole chips, and a bet or a
raise is named by what the player has put in *in this round* when it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["no-limit", "pot-limit", "limit"]
FOLD, CHECK, CALL, BET, RAISE, ALL_IN = "fold", "check", "call", "bet", "raise", "all-in"
NOT_YET = -1


@dataclass(frozen=True, slots=True)
class Stakes:
    """How much may be bet."""

    kind: Kind
    sizes: tuple[int, ...]
    """For each round: what a bet is in a limit game, and at least is in others."""
    cap: int = 0
    """How many bets and raises a round may have; 0 for any number."""


@dataclass(frozen=True, slots=True)
class Betting:
    """Where the betting of a hand stands."""

    stakes: Stakes
    stacks: tuple[int, ...]
    """What everybody has left to bet."""
    paid: tuple[int, ...]
    """What everybody has put in, in this hand."""
    bets: tuple[int, ...]
    """What of it in this round."""
    out: tuple[bool, ...]
    """Who has folded, or has no cards in this hand."""
    acted: tuple[int, ...]
    """The level when each acted last in this round, or `NOT_YET`."""
    level: int
    """What has to be matched."""
    step: int
    """By how much a full raise raises it at least."""
    raises: int
    """How many bets and raises there were in this round, a big blind included."""
    round: int
    to_act: int
    """Who has to act, or -1 when the round is over."""

    # What may be done.

    def to_call(self) -> int:
        """What the player to act has to add to stay in, as far as the stack reaches."""
        player = self.to_act
        return min(self.stacks[player], self.level - self.bets[player])

    def raise_range(self) -> tuple[int, int] | None:
        """The least and the most that the player to act may bet or raise to; None where that is not allowed."""
        player, stakes = self.to_act, self.stakes
        everything = self.bets[player] + self.stacks[player]
        if everything <= self.level or (stakes.cap and self.raises >= stakes.cap):
            return None
        others = (other for other in range(len(self.stacks)) if other != player and not self.out[other])
        if not any(self.bets[other] + self.stacks[other] > self.level for other in others):
            return None  # nobody could put in more
        acted = self.acted[player]
        if acted != NOT_YET and (self.level - acted) * (2 if stakes.kind == "limit" else 1) < self.step:
            # Rule 47 of the Tournament Directors Association: an all-in of less than a raise does not open the
            # betting again for those who have acted; in limit games half of one is enough.
            return None
        low = min(everything, self.level + self.step)
        if stakes.kind == "limit":
            return low, low
        if stakes.kind == "pot-limit":
            return low, max(low, min(everything, self.level + sum(self.paid) + self.level - self.bets[player]))
        return low, everything

    # What is done.

    def fold(self) -> Betting:
        """The player to act gives up."""
        return self._after(0, self.acted, self.level, self.step, self.raises, _put(self.out, self.to_act, True))

    def call(self) -> Betting:
        """The player to act matches the level, or checks."""
        acted = _put(self.acted, self.to_act, self.level)
        return self._after(self.to_call(), acted, self.level, self.step, self.raises, self.out)

    def raise_to(self, amount: int) -> Betting:
        """The player to act bets or raises to an amount within the range."""
        player, step = self.to_act, self.step
        if self.stakes.kind != "limit":
            step = max(step, amount - self.level)
        acted = _put(self.acted, player, amount)
        return self._after(amount - self.bets[player], acted, amount, step, self.raises + 1, self.out)

    def _after(
        self, added: int, acted: tuple[int, ...], level: int, step: int, raises: int, out: tuple[bool, ...]
    ) -> Betting:
        """The betting when the player to act has put in so much; made in one piece, since searches make very many."""
        player, stacks, paid, bets = self.to_act, self.stacks, self.paid, self.bets
        if added:
            stacks = _put(stacks, player, stacks[player] - added)
            paid = _put(paid, player, paid[player] + added)
            bets = _put(bets, player, bets[player] + added)
        to_act = _next_to_act(player, stacks, bets, out, acted, level)
        return Betting(self.stakes, stacks, paid, bets, out, acted, level, step, raises, self.round, to_act)

    def next_round(self, last: int) -> Betting:
        """The next round, which begins at the left of `last`."""
        count = len(self.stacks)
        nothing, nobody = (0,) * count, (NOT_YET,) * count
        step = self.stakes.sizes[min(self.round + 1, len(self.stakes.sizes) - 1)]
        to_act = _next_to_act(last, self.stacks, nothing, self.out, nobody, 0)
        return Betting(
            self.stakes, self.stacks, self.paid, nothing, self.out, nobody, 0, step, 0, self.round + 1, to_act
        )

    # How it ends.

    def live(self) -> list[int]:
        """Who is still in the hand."""
        return [player for player, out in enumerate(self.out) if not out]

    def pots(self) -> list[tuple[int, list[int]]]:
        """The main pot and the side pots: how much, and for whom. What nobody has called is a pot for one."""
        pots: list[tuple[int, list[int]]] = []
        below = 0
        for level in sorted({self.paid[player] for player in self.live()}):
            amount = sum(min(paid, level) - min(paid, below) for paid in self.paid)
            pots.append((amount, [player for player in self.live() if self.paid[player] >= level]))
            below = level
        # What folded players put in above the highest live bet stays in the last pot.
        rest = sum(max(0, paid - below) for paid in self.paid)
        if rest:
            amount, players = pots[-1]
            pots[-1] = (amount + rest, players)
        return pots

    def winnings(
        self, strength: Callable[[int], Any], order: Sequence[int], *, whole: bool
    ) -> Mapping[int, int | Fraction]:
        """What everybody takes out of the pots.

        Args:
            strength: how good a player's hand is; only asked where several are in.
            order: who gets odd chips first.
            whole: whether chips are not divided.
        """
        won: dict[int, int | Fraction] = dict.fromkeys(range(len(self.stacks)), 0)
        for amount, players in self.pots():
            winners = list(players)
            if len(players) > 1:
                best = max(strength(player) for player in players)
                winners = [player for player in order if player in players and strength(player) == best]
            share, odd = divmod(amount, len(winners))
            for index, player in enumerate(winners):
                won[player] += share + (index < odd) if whole else Fraction(amount, len(winners))
        return won


def open_betting(
    stakes: Stakes,
    stacks: Sequence[int],
    *,
    antes: int,
    blinds: Mapping[int, int],
    last: int,
) -> Betting:
    """The first round: antes are in the pot, blinds count as bets, and who is left of `last` begins.

    Players without chips have no cards in this hand. Who has too little posts what there is.
    """
    out = tuple(stack <= 0 for stack in stacks)
    dead = [min(antes, stack) for stack in stacks]
    bets = tuple(min(blinds.get(player, 0), stack - dead[player]) for player, stack in enumerate(stacks))
    level = max(blinds.values(), default=0)
    paid = tuple(dead[player] + bet for player, bet in enumerate(bets))
    left = tuple(stack - paid[player] for player, stack in enumerate(stacks))
    acted = (NOT_YET,) * len(stacks)
    to_act = _next_to_act(last, left, bets, out, acted, level)
    return Betting(stakes, left, paid, bets, out, acted, level, stakes.sizes[0], 1 if level else 0, 0, to_act)


def _next_to_act(
    last: int,
    stacks: tuple[int, ...],
    bets: tuple[int, ...],
    out: tuple[bool, ...],
    acted: tuple[int, ...],
    level: int,
) -> int:
    """Who has to act after `last`, or -1."""
    count = len(stacks)
    if out.count(False) < 2:
        return -1
    able = sum(stack > 0 and not gone for stack, gone in zip(stacks, out, strict=True))
    for offset in range(1, count + 1):
        player = (last + offset) % count
        if out[player] or not stacks[player]:
            continue
        if bets[player] < level or (acted[player] == NOT_YET and able > 1):
            return player
    return -1


def _put(items: tuple[Any, ...], index: int, item: object) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


ALIASES = {
    "f": FOLD, "k": CHECK, "x": CHECK, "ch": CHECK, "c": CALL, "b": BET, "r": RAISE, "a": ALL_IN, "pass": CHECK,
    "allin": ALL_IN, "shove": ALL_IN, "jam": ALL_IN, "muck": FOLD,
}  # fmt: skip


def read_action(text: str) -> tuple[str, int | None]:
    """The word and the amount of what a person typed: `r 40`, `raise to 40`, `b40`, `all in`."""
    plain = text.casefold().replace("$", " ").replace("all in", ALL_IN)
    for digit in range(len(plain)):
        if plain[digit].isdigit():
            plain = f"{plain[:digit]} {plain[digit:]}"
            break
    words = [word for word in plain.split() if word != "to"]
    if not words or len(words) > 2:
        return "", None
    word = ALIASES.get(words[0], words[0])
    if len(words) == 1:
        return word, None
    if not (words[1].isascii() and words[1].isdigit()) or len(words[1]) > 12:
        return "", None
    return word, int(words[1])
