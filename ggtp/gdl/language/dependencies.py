"""Which relation depends on which: components, their order, and cycles through negation."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from ggtp.gdl.language.normalise import Clause, Negation, atom_of
from ggtp.gdl.language.syntax import DOES, TRUE, Functor

Node = TypeVar("Node", bound=Hashable)


def dependencies(clauses: Iterable[Clause]) -> dict[Functor, dict[Functor, bool]]:
    """For each relation those in the bodies of its clauses, and whether any of them is negated there.

    Every relation that occurs anywhere is a key.
    """
    result: dict[Functor, dict[Functor, bool]] = {}
    for clause in clauses:
        found = result.setdefault(clause.head.functor, {})
        for condition in clause.body:
            atom = atom_of(condition)
            if atom is not None:
                found[atom.functor] = found.get(atom.functor, False) or isinstance(condition, Negation)
                result.setdefault(atom.functor, {})
    return result


def reachable(graph: Mapping[Node, Iterable[Node]], starts: Iterable[Node]) -> set[Node]:
    """Everything that can be reached from the starts, themselves included."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        for target in graph.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def dependents(clauses: Iterable[Clause], starts: Collection[Functor]) -> set[Functor]:
    """The relations that depend on these, which are included."""
    users: dict[Functor, list[Functor]] = {}
    for functor, targets in dependencies(clauses).items():
        for target in targets:
            users.setdefault(target, []).append(functor)
    return reachable(users, starts)


def static_relations(clauses: Collection[Clause]) -> set[Functor]:
    """The relations that are the same in all states."""
    return dependencies(clauses).keys() - dependents(clauses, (TRUE, DOES))


def components(graph: Mapping[Node, Iterable[Node]]) -> list[Sequence[Node]]:
    """The strongly connected components, each after all that it leads to."""
    # Tarjan's algorithm with its own stack: rulesheets may chain relations deeper than calls may nest.
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    result: list[Sequence[Node]] = []
    for root in graph:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        work = [(root, iter(graph[root]))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(graph.get(target, ()))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], number[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.remove(member)
                        component.append(member)
                        if member == node:
                            break
                    result.append(component[::-1])
    return result


def component_numbers(graph: Mapping[Node, Iterable[Node]]) -> dict[Node, int]:
    """For each node the number of its strongly connected component, in the order of `components`."""
    return {member: number for number, members in enumerate(components(graph)) for member in members}


def negative_cycles(clauses: Iterable[Clause]) -> list[tuple[Clause, Negation]]:
    """The negations through which relations depend on their own negation."""
    clauses = list(clauses)
    cycle = component_numbers(dependencies(clauses))
    return [
        (clause, condition)
        for clause in clauses
        for condition in clause.body
        if isinstance(condition, Negation) and cycle[condition.atom.functor] == cycle[clause.head.functor]
    ]
