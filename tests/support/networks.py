"""Networks of small games, made by hand, and a plain player of random games on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from ggtp.gdl.network.network import FALSE, TRUE, Network


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a network says about one state."""

    terminal: bool
    goals: tuple[int, ...]
    """For each role the greatest value that holds; 0 where none does."""
    legal: tuple[tuple[int, ...], ...]
    """For each role the indexes of its legal moves, in order."""
    next: tuple[int, ...]
    """The indexes of the facts of the next state, in order; without a joint move, what holds if nobody moves."""


def evaluate(network: Network, facts: Sequence[int], moves: Sequence[int] | None = None) -> Evaluation:
    """Evaluates a network, plainly.

    Args:
        facts: the indexes of the facts that hold.
        moves: for each role the index of its move.
    """
    values = network.values(facts, moves or ())

    def holds(literal: int) -> bool:
        return bool(values[literal >> 1] ^ literal & 1)

    return Evaluation(
        terminal=holds(network.terminal),
        goals=tuple(max((value for value, literal in pairs if holds(literal)), default=0) for pairs in network.goals),
        legal=tuple(tuple(i for i, literal in enumerate(legal) if holds(literal)) for legal in network.legal),
        next=tuple(fact for fact, literal in enumerate(network.next) if holds(literal)),
    )


class Builder:
    """Collects gates; facts and moves are declared first."""

    def __init__(self, roles: Iterable[str], facts: Iterable[str], moves: Iterable[Iterable[str]]) -> None:
        self.roles, self.facts = tuple(roles), tuple(facts)
        self.moves = tuple(tuple(own) for own in moves)
        self.gates: list[tuple[int, int]] = []
        self.known: dict[tuple[int, int], int] = {}
        self.inputs = 1 + len(self.facts) + sum(map(len, self.moves))
        self.literals: dict[object, int] = {name: 2 * (1 + i) for i, name in enumerate(self.facts)}
        every = [(role, name) for role, own in enumerate(self.moves) for name in own]
        self.literals.update({move: 2 * (1 + len(self.facts) + i) for i, move in enumerate(every)})

    def fact(self, name: str) -> int:
        return self.literals[name]

    def does(self, role: int, name: str) -> int:
        return self.literals[role, name]

    def all(self, *literals: int) -> int:
        total = TRUE
        for literal in sorted(literals):
            total = self._and(total, literal)
        return total

    def any(self, *literals: int) -> int:
        return self.all(*(literal ^ 1 for literal in literals)) ^ 1

    def _and(self, a: int, b: int) -> int:
        a, b = min(a, b), max(a, b)
        if a < 2:
            return b if a else FALSE
        if a >> 1 == b >> 1:
            return a if a == b else FALSE
        if (a, b) not in self.known:
            self.known[a, b] = 2 * (self.inputs + len(self.gates))
            self.gates.append((a, b))
        return self.known[a, b]

    def network(
        self,
        initial: Iterable[str],
        next_: Callable[[str], int],
        legal: Callable[[int, str], int],
        terminal: int,
        goals: Iterable[Iterable[tuple[int, int]]],
    ) -> Network:
        then = tuple(next_(fact) for fact in self.facts)
        allowed = tuple(tuple(legal(role, move) for move in own) for role, own in enumerate(self.moves))
        return Network(
            roles=self.roles,
            facts=self.facts,
            moves=self.moves,
            initial=tuple(self.facts.index(name) for name in initial),
            gates=tuple(self.gates),
            next=then,
            legal=allowed,
            terminal=terminal,
            goals=tuple(tuple(pairs) for pairs in goals),
        )


def line_game(width: int, height: int, length: int, drops: bool) -> Network:
    """Two players, marks on a board, so many in a line win; `drops`: a mark falls to the bottom of its column."""
    cells = [(x, y) for x in range(width) for y in range(height)]
    facts = [f"{mark}{x},{y}" for mark in "xo" for x, y in cells] + ["xturn", "oturn"]
    spots = [f"{x}" for x in range(width)] if drops else [f"{x},{y}" for x, y in cells]
    b = Builder(("x", "o"), facts, [[*spots, "noop"]] * 2)
    empty = {(x, y): b.all(b.fact(f"x{x},{y}") ^ 1, b.fact(f"o{x},{y}") ^ 1) for x, y in cells}

    def falls_to(role: int, x: int, y: int) -> int:
        if not drops:
            return b.does(role, f"{x},{y}")
        below = b.any(b.fact(f"x{x},{y - 1}"), b.fact(f"o{x},{y - 1}")) if y else TRUE
        return b.all(b.does(role, f"{x}"), empty[x, y], below)

    def next_(fact: str) -> int:
        if fact.endswith("turn"):
            return b.fact("oturn" if fact == "xturn" else "xturn")
        x, y = map(int, fact[1:].split(","))
        return b.any(b.fact(fact), falls_to("xo".index(fact[0]), x, y))

    def legal(role: int, move: str) -> int:
        turn = b.fact(("xturn", "oturn")[role])
        if move == "noop":
            return b.fact(("oturn", "xturn")[role])
        x, y = (int(move), height - 1) if drops else map(int, move.split(","))
        return b.all(turn, empty[x, y])

    won = []
    for mark in "xo":
        lines = []
        for x, y in cells:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(x + i * dx, y + i * dy) for i in range(length)]
                if line[-1] in empty:
                    lines.append(b.all(*(b.fact(f"{mark}{p},{q}") for p, q in line)))
        won.append(b.any(*lines))
    full = b.all(*(empty[cell] ^ 1 for cell in cells if not drops or cell[1] == height - 1))
    draw = b.all(won[0] ^ 1, won[1] ^ 1)
    goals = [[(100, won[role]), (50, draw), (0, won[1 - role])] for role in (0, 1)]
    return b.network(["xturn"], next_, legal, b.any(*won, full), goals)


def tictactoe() -> Network:
    return line_game(3, 3, 3, drops=False)


def connect_four() -> Network:
    return line_game(7, 6, 4, drops=True)


def nim(heap: int = 7) -> Network:
    """Take one to three; who takes the last one wins. Lengths differ, and nobody ever has the same choices."""
    facts = [f"left{n}" for n in range(heap + 1)] + ["a", "b"]
    b = Builder(("a", "b"), facts, [["1", "2", "3", "noop"]] * 2)

    def next_(fact: str) -> int:
        if fact in "ab":
            return b.fact("b" if fact == "a" else "a")
        n = int(fact[4:])
        return b.any(
            *(
                b.all(b.fact(f"left{n + k}"), b.any(*(b.does(role, str(k)) for role in (0, 1))))
                for k in (1, 2, 3)
                if n + k <= heap
            )
        )

    def legal(role: int, move: str) -> int:
        if move == "noop":
            return b.fact("ab"[role]) ^ 1
        return b.all(b.fact("ab"[role]), *(b.fact(f"left{n}") ^ 1 for n in range(int(move))))

    over = b.fact("left0")
    goals = [[(100, b.fact("ba"[role])), (0, b.fact("ab"[role]))] for role in (0, 1)]
    return b.network([f"left{heap}", "a"], next_, legal, over, goals)


def rock_paper_scissors(rounds: int = 3) -> Network:
    """Both move at once; a win is a point, and the first to lead after the rounds wins. Paper once only."""
    facts = (
        [f"round{n}" for n in range(rounds + 1)] + [f"lead{n}" for n in range(-rounds, rounds + 1)] + ["used0", "used1"]
    )
    b = Builder(("ann", "bob"), facts, [["rock", "paper", "scissors"]] * 2)
    beats = (("rock", "scissors"), ("paper", "rock"), ("scissors", "paper"))
    wins = [b.any(*(b.all(b.does(role, x), b.does(1 - role, y)) for x, y in beats)) for role in (0, 1)]

    def next_(fact: str) -> int:
        if fact.startswith("round"):
            return b.fact(f"round{int(fact[5:]) - 1}") if fact != "round0" else FALSE
        if fact.startswith("used"):
            return b.any(b.fact(fact), b.does(int(fact[4]), "paper"))
        n = int(fact[4:])
        parts = [b.all(b.fact(fact), wins[0] ^ 1, wins[1] ^ 1)]
        if n > -rounds:
            parts.append(b.all(b.fact(f"lead{n - 1}"), wins[0]))
        if n < rounds:
            parts.append(b.all(b.fact(f"lead{n + 1}"), wins[1]))
        return b.any(*parts)

    def legal(role: int, move: str) -> int:
        return b.fact(f"used{role}") ^ 1 if move == "paper" else TRUE

    ahead = [b.any(*(b.fact(f"lead{s * n}") for n in range(1, rounds + 1))) for s in (1, -1)]
    even = b.fact("lead0")
    goals = [[(90, ahead[role]), (40, even), (10, ahead[1 - role])] for role in (0, 1)]
    return b.network(["round0", "lead0"], next_, legal, b.fact(f"round{rounds}"), goals)


def quitter(moves: int = 4) -> Network:
    """One player; one of the moves ends the game. Ended at once it is worth 100, later 0: a trap for length bias."""
    b = Builder(("me",), ["first", "over", "late"], [[f"m{n}" for n in range(moves)]])
    quits = b.does(0, "m0")

    def next_(fact: str) -> int:
        if fact == "first":
            return FALSE
        if fact == "over":
            return quits
        return b.fact("first") ^ 1

    goals = [[(100, b.fact("late") ^ 1), (0, b.fact("late"))]]
    return b.network(["first"], next_, lambda role, move: TRUE, b.fact("over"), goals)


def dead_end() -> Network:
    """One player; left ends the game, right leads to where there is no move."""
    b = Builder(("me",), ["start", "won", "lost"], [["left", "right"]])
    then = {"start": FALSE, "won": b.does(0, "left"), "lost": b.does(0, "right")}
    goals = [[(100, b.fact("won")), (0, b.fact("won") ^ 1)]]
    return b.network(["start"], then.__getitem__, lambda role, move: b.fact("start"), b.fact("won"), goals)


def carousel() -> Network:
    """Three players in turn, and a fourth who always chooses; six turns; the last to say yes wins."""
    facts = ["t0", "t1", "t2", "yes0", "yes1", "yes2", "joy"] + [f"n{n}" for n in range(7)]
    b = Builder(("a", "b", "c", "d"), facts, [["yes", "no", "noop"]] * 3 + [["joy", "woe"]])

    def next_(fact: str) -> int:
        kind, n = fact[:-1], int(fact[-1]) if fact != "joy" else 0
        if kind == "t":
            return b.fact(f"t{(n + 2) % 3}")
        if kind == "n":
            return b.fact(f"n{n - 1}") if n else FALSE
        if fact == "joy":
            return b.does(3, "joy")
        others = [b.does(role, "yes") for role in range(3) if role != n]
        return b.any(b.does(n, "yes"), b.all(b.fact(fact), *(literal ^ 1 for literal in others)))

    def legal(role: int, move: str) -> int:
        if role == 3:
            return TRUE
        turn = b.fact(f"t{role}")
        if move == "noop":
            return turn ^ 1
        # Who said yes last may not say no.
        return turn if move == "yes" else b.all(turn, b.fact(f"yes{role}") ^ 1)

    goals = [[(100, b.fact(f"yes{role}")), (0, b.fact(f"yes{role}") ^ 1)] for role in range(3)]
    goals.append([(70, b.fact("joy")), (30, b.fact("joy") ^ 1)])
    return b.network(["t0", "n0"], next_, legal, b.fact("n6"), goals)


def two_and_two() -> Network:
    """Two players, each of whom has two moves in a row, of different kinds; then it is over."""
    facts = ["t0", "t1", "t2", "t3", "p0", "p1", "p2", "high", "end"]
    b = Builder(("a", "b"), facts, [["put0", "put1", "turn", "noop"], ["put0", "put2", "turn", "noop"]])
    mine = [b.any(b.fact("t0"), b.fact("t1")), b.any(b.fact("t2"), b.fact("t3"))]

    def next_(fact: str) -> int:
        if fact[0] == "t":
            return b.fact(f"t{(int(fact[1]) + 3) % 4}")
        if fact == "end":
            return b.any(b.fact("end"), b.fact("t3"))
        if fact == "high":
            return b.any(b.fact("high"), b.does(0, "turn"), b.does(1, "turn"))
        made = [b.does(role, f"put{fact[1]}") for role in (0, 1) if f"put{fact[1]}" in b.moves[role]]
        return b.any(b.fact(fact), *made)

    def legal(role: int, move: str) -> int:
        if move == "noop":
            return mine[role] ^ 1
        if move == "turn":
            return b.all(b.fact(f"t{2 * role + 1}"), b.fact("p0"))
        return b.any(b.fact(f"t{2 * role}"), b.all(b.fact(f"t{2 * role + 1}"), b.fact(f"p{move[3]}") ^ 1))

    goals = [[(100, b.all(b.fact("p1"), b.fact("high"))), (20, b.fact("high") ^ 1)], [(60, b.fact("p2"))]]
    return b.network(["t0"], next_, legal, b.fact("end"), goals)


GAMES: dict[str, Callable[[], Network]] = {
    "tictactoe": tictactoe,
    "nim": nim,
    "rock_paper_scissors": rock_paper_scissors,
    "quitter": quitter,
    "carousel": carousel,
    "two_and_two": two_and_two,
}
"""Games that everybody can play to the end."""


def random_game(network: Network, random: Random) -> tuple[tuple[int, ...], int]:
    """Plays a game at random, plainly; returns its goals and how many moves it took."""
    facts, moves = network.initial, 0
    while not (now := evaluate(network, facts)).terminal:
        facts = evaluate(network, facts, [random.choice(legal) for legal in now.legal]).next
        moves += 1
    return now.goals, moves


def random_states(network: Network, random: Random, count: int) -> list[tuple[int, ...]]:
    """States met in random games, ends included."""
    states: list[tuple[int, ...]] = []
    while len(states) < count:
        facts = network.initial
        states.append(facts)
        while not (now := evaluate(network, facts)).terminal:
            facts = evaluate(network, facts, [random.choice(legal) for legal in now.legal]).next
            states.append(facts)
    return states[:count]
