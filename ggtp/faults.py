"""What can go wrong at a table, whose fault it is, and what it may cost: one table for prompts and tournaments.

A fault is data, its cost is policy. At a prompt the supervisor sets a policy for each class of faults; a plan sets a
price. Both are costs of this table, some of which go by another name there.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class Cost(NamedTuple):
    """What a fault may cost."""

    summary: str
    policy: str
    """Its name at a prompt; nothing where it can't be chosen there."""
    price: str
    """Its name in a plan; nothing where it can't be chosen there."""


ASK = Cost("the play is held until the supervisor decides", "ask", "")
RESTART = Cost("the engine is started again and the play goes on", "restart", "restart")
RANDOM = Cost("a random legal move is made instead", "random", "random")
LOSS = Cost("the play is lost", "forfeit", "loss")
VOID = Cost("the play does not count and is played again", "", "void")
STOP = Cost("the tournament is paused after the running games", "", "stop")

COSTS = (ASK, RESTART, RANDOM, LOSS, VOID, STOP)


class FaultClass(NamedTuple):
    """A class of faults."""

    name: str
    summary: str
    """Of an engine's fault, how a sentence about the engine goes on."""
    policy: Cost | None = ASK
    """What it costs at a prompt unless the supervisor says otherwise; None where it is no fault of a play there."""
    price: Cost | None = LOSS
    """What it costs in a tournament unless the plan says otherwise; None where it can't happen there."""
    engine: bool = True
    """Whether it is an engine's; if not, it is no player's, and never costs a player anything."""
    living: bool = False
    """Whether the engine can still be talked to."""
    again: bool = False
    """True if the engine may be asked again some times before the fault costs anything."""

    def allowed(self) -> tuple[Cost, ...]:
        """What it may cost in a tournament."""
        return tuple(cost for cost in COSTS if cost.price and (self.engine or cost in (VOID, STOP)))


FAULTS: dict[str, FaultClass] = {
    fault.name: fault
    for fault in (
        FaultClass("start", "does not start, or can't play the rule", policy=None, price=VOID),
        FaultClass("exit", "ends when it should not"),
        FaultClass("lost", "loses its connection, on another machine", policy=RESTART, price=None),
        FaultClass("silence", "does not answer, or does not read"),
        FaultClass("protocol", "says what the protocol does not allow"),
        FaultClass("flood", "sends a line that is too long"),
        FaultClass("limit", "uses too much memory or too many processes"),
        FaultClass("illegal", "selects an illegal move", living=True, again=True),
        FaultClass("late", "moves too late", living=True),
        FaultClass("machine", "a move is late because the machine or the referee was", None, VOID, engine=False),
        FaultClass("rule", "the rule fails, or computes without end", None, VOID, engine=False),
        FaultClass("referee", "the referee fails", None, VOID, engine=False),
        FaultClass("worker", "the process that plays the game ends, or is stopped", None, VOID, engine=False),
    )
}
"""THE table of faults."""

POLICIES: dict[str, Cost] = {cost.policy: cost for cost in COSTS if cost.policy}
"""What a supervisor can choose, by the names at a prompt."""
AT_PROMPTS: dict[str, Cost] = {fault.name: fault.policy for fault in FAULTS.values() if fault.policy is not None}
"""The classes that have a policy, with what they cost by default."""
PRICES: dict[str, Cost] = {cost.price: cost for cost in COSTS if cost.price}
"""What a plan can choose, by the names in plans."""
IN_TOURNAMENTS: dict[str, Cost] = {fault.name: fault.price for fault in FAULTS.values() if fault.price is not None}
"""The classes that have a price, with what they cost by default."""


def fault_words(name: str) -> str:
    """What a class of faults is, as a clause; nothing for an unknown one."""
    fault = FAULTS.get(name)
    return "" if fault is None else f"an engine {fault.summary}" if fault.engine else fault.summary


def with_restarts(cost: Cost, done: int, most: int, instead: Cost) -> Cost:
    """What a fault costs that is answered by a restart at most so many times."""
    return instead if cost is RESTART and done >= most else cost


AGAIN = "again"
"""Asks the engine for another move before the fault costs anything: a word of policies and of prices, see `Retry`."""
USUAL_TRIES = 3
MOST_TRIES = 100


class Retry(NamedTuple):
    """The consequence of a fault: an engine is asked again some times, and then something is done."""

    times: int
    """The most times in a row that it is asked again; 0 for not at all."""
    then: str
    """A policy or a price."""

    def text(self) -> str:
        """`random`, or `again:3:random`."""
        return f"{AGAIN}:{self.times}:{self.then}" if self.times else self.then


def read_retry(text: str, names: Collection[str], usual: str) -> Retry | None:
    """`again`, `again:N` or `again:N:NAME` with one of the names; None for anything else.

    Args:
        text: what was written.
        names: the policies, or the prices.
        usual: what follows if no name is given.
    """
    word, *rest = text.casefold().split(":")
    times, then = (*rest, *(str(USUAL_TRIES), usual)[len(rest) :])[:2]
    if word != AGAIN or len(rest) > 2 or then not in names or not (times.isascii() and times.isdigit()):
        return None
    return Retry(int(times), then) if 1 <= int(times[:9]) <= MOST_TRIES else None


def retry_of(value: str) -> Retry:
    """Return the consequence that a canonical value stands for."""
    return read_retry(value, (value.rpartition(":")[2],), "") or Retry(0, value)
