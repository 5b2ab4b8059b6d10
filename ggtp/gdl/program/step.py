"""A step program as data: what kernels play, whoever has built it.

It is apart from the builder so that a game whose code is kept is played without loading a compiler.
"""

from __future__ import annotations

from dataclasses import dataclass

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.code import ZERO, Code

GENERATOR = 2
"""The first of the two slots that hold the state of the random number generator."""
ACTIVE = 4
"""The lanes whose games count."""
DRAIN = 5
"""The lanes that count no further game once their present one has ended."""
FRESH = 6
"""The lanes that have begun a game since somebody cleared the slot."""
FIRST_FACT = 7
"""The slot of the first fact; the others follow."""
COUNTER_BITS = 4
"""Digits of a counter, one slot each; so counters must be emptied every 2**4 - 1 steps."""
STEPS_PER_COUNT = (1 << COUNTER_BITS) - 1


@dataclass(frozen=True, slots=True)
class Plane:
    """Something that is counted: where a goal's count is found."""

    counter: int
    """Which counter."""
    inverted: bool
    """What is meant is the number of games less the counter."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Steps of a kind: all games move, or those of one player do and the others wait."""

    guided: Code
    """A step in which hints are followed."""
    calm: Code | None
    """The same step without hints, over the same slots, where they are not looked for always."""
    when: tuple[int, ...] = ()
    """Slots of facts, twice each, plus one where the fact must not hold: games in which all is so move, others wait."""


@dataclass(frozen=True, slots=True)
class StepProgram:
    """A game's step as data.

    Slots: constants, generator, `ACTIVE`, `DRAIN` and `FRESH`, then `facts` from `FIRST_FACT`, then
    the counters, `COUNTER_BITS` slots each. Counter 0 counts the games that ended, counter 1 those
    that were given up, as somebody had no legal move.
    """

    network: Network
    facts: tuple[int, ...]
    """The facts that the lanes keep; all others follow from these, or matter to nobody."""
    step: Code
    observe: Code | None
    """Counts the lanes that begin in terminal states; None where the step does that itself, at the cost of a step."""
    counters: int
    goals: tuple[tuple[tuple[int, Plane], ...], ...]
    """For each role, values and their planes."""
    merged: int
    """How many roles share one choice."""
    phases: tuple[Phase, ...] = ()
    """Where there are steps of several kinds: those of all games at once, or those in which some games move."""
    period: int = 1
    """Of the steps of each kind, one in so many looks for hints."""
    foresight: bool = False
    """Whether nobody overlooks a move that wins, or makes one that lets the other win."""

    @property
    def slots(self) -> int:
        """How many slots keep their values."""
        return FIRST_FACT + len(self.facts) + COUNTER_BITS * self.counters

    @property
    def operations(self) -> int:
        """Operations a step; of several kinds, in the longest."""
        return max([len(self.step), *(len(phase.guided) for phase in self.phases)])

    @property
    def further(self) -> list[Code]:
        """The code of steps of other kinds than the first, in the order of the phases."""
        codes = [code for phase in self.phases for code in (phase.guided, phase.calm) if code is not None]
        return codes[1:]

    @property
    def waits(self) -> bool:
        """Whether games wait where it is not their player who moves; the last counter counts how often they do."""
        return len(self.phases) > 1

    @property
    def waiting(self) -> int:
        """The slot that changes in a step in which a lane waits: the lowest digit of their counter, if there is one."""
        return self.slots - COUNTER_BITS if self.waits else ZERO

    @property
    def first_counter(self) -> int:
        """The slot of the lowest digit of counter 0."""
        return FIRST_FACT + len(self.facts)

    @property
    def initial(self) -> tuple[bool, ...]:
        """For each kept fact, whether it holds at the start."""
        start = set(self.network.initial)
        return tuple(fact in start for fact in self.facts)
