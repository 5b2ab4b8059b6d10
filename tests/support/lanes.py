"""Straight-line code on Python's integers, one bit a lane: what kernels are compared with."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st
from support.networks import evaluate

from ggtp.gdl.network.network import Network
from ggtp.gdl.program.code import AND, AND_NOT, ONES, OR, RANDOM, XOR, Code

WORD = 0xFFFF_FFFF_FFFF_FFFF


class Kept(dict[str, bytes]):
    """A cache of machine code that is a dictionary; it remembers what was asked."""

    def __init__(self) -> None:
        self.hits = 0

    def get(self, key: str, default: bytes | None = None) -> bytes | None:  # type: ignore[override]
        found = super().get(key, default)
        self.hits += found is not None
        return found

    def put(self, key: str, data: bytes) -> None:
        self[key] = data


KEPT = Kept()
"""For all tests, so that what no game has a part in is compiled once."""


def run_code(code: Code, memory: list[int], everybody: int, random: Callable[[], int]) -> None:
    """Runs code once; `everybody` has a bit for each lane."""
    memory[ONES] = everybody
    values = list(memory[: code.slots])
    for opcode, a, b in zip(code.opcodes, code.left, code.right, strict=True):
        if opcode == RANDOM:
            values.append(random())
        else:
            x, y = values[a], values[b]
            values.append({AND: x & y, OR: x | y, XOR: x ^ y, AND_NOT: x & ~y}[opcode])
    for slot, value in code.stores:
        memory[slot] = values[value]


def xorshift(memory: list[int], generator: int, words: int) -> int:
    """One draw of xorshift128+ from the state in two slots."""
    drawn = 0
    for word in range(words):
        shift = 64 * word
        x, y = memory[generator] >> shift & WORD, memory[generator + 1] >> shift & WORD
        x ^= x << 23 & WORD
        new = x ^ y ^ (x >> 18) ^ (y >> 5)
        for slot, value in ((generator, y), (generator + 1, new)):
            memory[slot] = memory[slot] & ~(WORD << shift) | value << shift
        drawn |= (new + y & WORD) << shift
    return drawn


def random_network(seed: int) -> Network:
    """A network that is a game of a kind: anything may follow from anything."""
    random = Random(seed)
    fact_count = random.randint(1, 5)
    sizes = [random.randint(1, 4) for _ in range(random.randint(1, 3))]
    base = 1 + fact_count + sum(sizes)
    gates: list[tuple[int, int]] = []

    def literal(nodes: list[int]) -> int:
        return 2 * random.choice(nodes) + random.randint(0, 1)

    of_facts = list(range(1 + fact_count))
    for _ in range(random.randint(0, 12)):
        gates.append((literal(of_facts), literal(of_facts)))
        of_facts.append(base + len(gates) - 1)
    every = [*range(base), *of_facts[1 + fact_count :]]
    for _ in range(random.randint(0, 12)):
        gates.append((literal(every), literal(every)))
        every.append(base + len(gates) - 1)
    return Network(
        roles=tuple(f"r{i}" for i in range(len(sizes))),
        facts=tuple(f"f{i}" for i in range(fact_count)),
        moves=tuple(tuple(f"m{i}" for i in range(size)) for size in sizes),
        initial=tuple(i for i in range(fact_count) if random.randint(0, 1)),
        gates=tuple(gates),
        next=tuple(literal(every) for _ in range(fact_count)),
        legal=tuple(tuple(literal(of_facts) for _ in range(size)) for size in sizes),
        terminal=literal(of_facts),
        goals=tuple(tuple((value, literal(of_facts)) for value in (0, 30, 100)) for _ in sizes),
    )


def networks() -> st.SearchStrategy[Network]:
    """Random networks; numbers that are drawn one by one would take longer than the tests."""
    return st.builds(random_network, st.integers(0, 1 << 32))


def distribution(network: Network) -> dict[tuple[tuple[int, ...], int], float]:
    """The probabilities of goals and lengths in random games; for games that end after a bounded number of moves."""
    known: dict[tuple[int, ...], dict[tuple[tuple[int, ...], int], float]] = {}

    def of(facts: tuple[int, ...]) -> dict[tuple[tuple[int, ...], int], float]:
        if facts in known:
            return known[facts]
        now = evaluate(network, facts)
        total: dict[tuple[tuple[int, ...], int], float] = {}
        if now.terminal:
            total[now.goals, 0] = 1.0
        else:
            joint = [()]
            for legal in now.legal:
                joint = [(*moves, move) for moves in joint for move in legal]
            for moves in joint:
                for (goals, length), part in of(evaluate(network, facts, moves).next).items():
                    key = goals, length + 1
                    total[key] = total.get(key, 0.0) + part / len(joint)
        known[facts] = total
        return total

    return of(network.initial)
