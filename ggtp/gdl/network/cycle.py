"""Recursion among ground rules, resolved: the least fixpoint of a component as a graph without cycles.

Where no rule needs two members of its component at once (paths, connections, most recursion
there is), the component is a system of linear equations over OR and AND, and is solved by
elimination: a member's equation `x = e or (a and x) or ...` has the least solution
`x = e or ...`. That takes a fraction of what repeating the rules does. Where some rule needs
two, all rules are repeated, from nothing holding, as often as there are members, or
until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ggtp.errors import RulesError
from ggtp.gdl.language.dependencies import components
from ggtp.gdl.network.graph import FALSE, TRUE, UNKNOWN, Graph, Ints, Weaver, offsets, spans

MAX_STEPS = 3_000_000
"""How many gates one component may take before it is given up."""


@dataclass(slots=True)
class Recursion:
    """Resolves cycles for `settle`, and counts them.

    The nodes from `first_atom` on are atoms, each the inverted AND of its inverted rules; the
    nodes before are rules.
    """

    first_atom: int
    components: int = 0
    atoms: int = 0
    """How many atoms were in the components."""
    largest: int = 0
    rounds: int = 0
    """The most rounds that a component was unrolled; 0 where all were solved by elimination."""
    _waiting: list[list[int]] = field(default_factory=list)

    def __call__(self, weaver: Weaver, graph: Graph, value: Ints) -> None:
        """Gives values to the components that depend on nothing unknown but themselves."""
        if not self._waiting:
            self._waiting = self._find(graph, value)
        later = []
        for component in self._waiting:
            system = self._system(graph, value, component)
            if system is None:
                later.append(component)
                continue
            self.components += 1
            self.atoms += len(system.atoms)
            self.largest = max(self.largest, len(system.atoms))
            for atom, literal in zip(system.atoms, system.solve(weaver), strict=True):
                value[atom] = literal ^ 1
            for rule in component:
                if rule < self.first_atom:
                    # Nobody asks for the rules of a component but its own atoms, which have their values.
                    value[rule] = FALSE
            self.rounds = max(self.rounds, system.rounds)
        assert len(later) < len(self._waiting), "a component depends on itself through another"
        self._waiting = later

    def _find(self, graph: Graph, value: Ints) -> list[list[int]]:
        """All components of unknown nodes with a cycle."""
        unknown = value == UNKNOWN
        owners, nodes = graph.owners(), graph.literals >> 1
        edges = unknown[owners] & unknown[nodes]
        owners, nodes = owners[edges], nodes[edges]
        # What no unknown node needs is in no cycle.
        while True:
            used = np.zeros(len(value), dtype=np.bool_)
            used[nodes] = True
            kept = used[owners]
            if kept.all():
                break
            owners, nodes = owners[kept], nodes[kept]
        targets: dict[int, list[int]] = {int(node): [] for node in sorted(set(owners.tolist()))}
        for owner, node in zip(owners.tolist(), nodes.tolist(), strict=True):
            targets[owner].append(node)
        return [list(item) for item in components(targets) if len(item) > 1]

    def _system(self, graph: Graph, value: Ints, component: Sequence[int]) -> _System | None:
        """The component's equations, unless they depend on something else that is unknown."""
        members = set(component)
        places, lengths = spans(graph.starts, np.array(component, dtype=np.int64) - graph.inputs)
        literals = graph.literals[places]
        outside = np.fromiter((node not in members for node in (literals >> 1).tolist()), dtype=np.bool_)
        known = value[literals >> 1]
        if (known[outside] == UNKNOWN).any():
            return None
        values = np.where(outside, known ^ (literals & 1), literals).tolist()
        starts = offsets(lengths).tolist()
        rows = {
            node: list(zip(values[start:end], outside[start:end].tolist(), strict=True))
            for node, start, end in zip(component, starts, starts[1:], strict=False)
        }
        system = _System([node for node in component if node >= self.first_atom])
        index = {atom: number for number, atom in enumerate(system.atoms)}
        for atom in system.atoms:
            for literal, is_known in rows[atom]:
                if is_known:
                    system.known[index[atom]].append(literal ^ 1)
                    continue
                inside = [item >> 1 for item, is_out in rows[literal >> 1] if not is_out]
                if any(not item & 1 for item, is_out in rows[literal >> 1] if not is_out):
                    raise RulesError("The rules are not stratified: an atom depends on its own negation.")
                condition = [item for item, is_out in rows[literal >> 1] if is_out]
                system.rules[index[atom]].append((condition, [index[item] for item in inside]))
        return system


class _System:
    """The equations of one component."""

    def __init__(self, atoms: list[int]) -> None:
        self.atoms = atoms
        self.known: list[list[int]] = [[] for _ in atoms]
        """For each atom the literals that make it hold by themselves."""
        self.rules: list[list[tuple[list[int], list[int]]]] = [[] for _ in atoms]
        """For each atom the other ways to it: literals that must hold, and members that must."""
        self.rounds = 0

    def solve(self, weaver: Weaver) -> list[int]:
        """The literals of the atoms."""
        start = [_any(weaver, literals) for literals in self.known]
        rules = [
            [(_all(weaver, condition), tuple(inside)) for condition, inside in ways if FALSE not in condition]
            for ways in self.rules
        ]
        size = len(self.atoms)
        repeated = size * sum(2 * len(ways) for ways in rules)
        if all(len(inside) == 1 for ways in rules for _, inside in ways):
            rows: list[dict[int, int]] = [{} for _ in rules]
            for number, ways in enumerate(rules):
                for condition, (target,) in ways:
                    if target != number:
                        rows[number][target] = weaver.either(rows[number].get(target, FALSE), condition)
            order, cost = _elimination(rows)
            if cost <= repeated:
                return _eliminate(weaver, start, rows, order)
        if repeated > MAX_STEPS:
            raise RulesError(f"The recursion of {size} atoms is too large to write out.")
        return self._repeat(weaver, start, rules)

    def _repeat(
        self, weaver: Weaver, start: list[int], rules: Sequence[Sequence[tuple[int, tuple[int, ...]]]]
    ) -> list[int]:
        values = [FALSE] * len(start)
        for _ in range(len(start)):
            new = [
                _any(
                    weaver,
                    [
                        first,
                        *(_all(weaver, [condition, *(values[item] for item in inside)]) for condition, inside in ways),
                    ],
                )
                for first, ways in zip(start, rules, strict=True)
            ]
            if new == values:
                break
            values = new
            self.rounds += 1
        return values


def _all(weaver: Weaver, literals: Iterable[int]) -> int:
    result = TRUE
    for literal in literals:
        result = weaver.both(result, literal)
    return result


def _any(weaver: Weaver, literals: Iterable[int]) -> int:
    return _all(weaver, (literal ^ 1 for literal in literals)) ^ 1


def _elimination(rows: Sequence[dict[int, int]]) -> tuple[list[int], int]:
    """An order in which to eliminate members so that few gates are needed, and about how many."""
    targets = [set(row) for row in rows]
    users: list[set[int]] = [set() for _ in rows]
    for number, found in enumerate(targets):
        for target in found:
            users[target].add(number)
    left = set(range(len(rows)))
    order: list[int] = []
    cost = 0
    while left:
        best = min(left, key=lambda item: (len(users[item]) * len(targets[item]), item))
        left.remove(best)
        order.append(best)
        cost += 2 * (len(users[best]) + 1) * (len(targets[best]) + 1)
        for user in users[best]:
            targets[user].discard(best)
            for target in targets[best]:
                if target != user:
                    targets[user].add(target)
                    users[target].add(user)
        for target in targets[best]:
            users[target].discard(best)
    return order, cost


def _eliminate(weaver: Weaver, start: list[int], rows: list[dict[int, int]], order: Sequence[int]) -> list[int]:
    """The least solution of `x[i] = start[i] or (rows[i][j] and x[j]) or ...`."""
    users: list[set[int]] = [set() for _ in rows]
    for number, row in enumerate(rows):
        for target in row:
            users[target].add(number)
    for number in order:
        row = rows[number]
        for target in row:
            users[target].discard(number)
        for user in users[number]:
            through = rows[user].pop(number)
            start[user] = weaver.either(start[user], weaver.both(through, start[number]))
            for target, condition in row.items():
                if target != user:
                    way = weaver.both(through, condition)
                    rows[user][target] = weaver.either(rows[user].get(target, FALSE), way)
                    users[target].add(user)
    values = list(start)
    for number in reversed(order):
        ways = [weaver.both(condition, values[target]) for target, condition in rows[number].items()]
        values[number] = _any(weaver, [start[number], *ways])
    return values
