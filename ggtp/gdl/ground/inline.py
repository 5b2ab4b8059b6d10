"""Wide relations of which only a part is asked, written out where they are asked.

`(between ?a ?m ?b)` holds for every three pieces, on any square. Whoever asks for `?m` alone needs none of the
others, but as a relation of its own it would be grounded for all of them. In the place of the question, the
conditions of the relation can be split (`ground.split`), and each is looked at without the others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ggtp.gdl.ground.split import widest_part
from ggtp.gdl.language.dependencies import dependencies, reachable, static_relations
from ggtp.gdl.language.normalise import (
    Clause,
    Condition,
    Program,
    atom_of,
    condition_variables,
    substitute_condition,
    unify,
)
from ggtp.gdl.language.syntax import Atom, Distinct, Functor, Term, Variable, literal_variables

WIDE = 5
"""From how many variables on, in a clause that can't be split further, a relation counts as wide."""
MOST_CLAUSES = 64
"""How many clauses may be written in the place of those that ask."""


def inline(program: Program, roots: Collection[Functor]) -> Program:
    """The program with some relations gone, where that leaves fewer variables in a clause.

    Args:
        program: its clauses should all matter to the roots.
        roots: the relations that must stay.
    """
    clauses = list(program.clauses)
    for functor in _candidates(clauses, roots):
        clauses = _without(clauses, functor) or clauses
    return Program(tuple(clauses), program.roles)


def _candidates(clauses: Sequence[Clause], roots: Collection[Functor]) -> list[Functor]:
    """Wide relations that change with the state, need nothing of themselves, and are asked in bodies, never negated."""
    graph = dependencies(clauses)
    static = static_relations(clauses)
    negated = {target for targets in graph.values() for target, inverted in targets.items() if inverted}
    wide = {
        clause.head.functor: None for clause in clauses if len(set(clause.variables())) >= WIDE and clause.head.args
    }
    return [
        functor
        for functor in wide
        if functor not in static
        and functor not in negated
        and functor not in roots
        and functor not in reachable(graph, graph[functor])
    ]


def _without(clauses: Sequence[Clause], functor: Functor) -> list[Clause] | None:
    """The clauses without a relation; None where that would not help."""
    own = [clause for clause in clauses if clause.head.functor == functor]
    users = [clause for clause in clauses if any(_asks(item, functor) for item in clause.body)]
    if not users or len(own) * len(users) > MOST_CLAUSES or not all(_drops(clause, functor) for clause in users):
        return None
    written: dict[Clause, list[Clause]] = {}
    for user in users:
        questions = [item for item in user.body if _asks(item, functor)]
        if len(questions) > 1:
            return None
        written[user] = [clause for rule in own if (clause := _resolved(user, questions[0], rule)) is not None]
    static = static_relations(clauses)
    before = max(widest_part(clause, static) for clause in own)
    after = max((widest_part(clause, static) for new in written.values() for clause in new), default=0)
    if before < WIDE or after >= before:
        return None
    kept = [clause for clause in clauses if clause.head.functor != functor]
    return list(dict.fromkeys(new for clause in kept for new in written.get(clause, [clause])))


def _drops(clause: Clause, functor: Functor) -> bool:
    """Whether some variable of the question is not in the head."""
    head = set(literal_variables(clause.head))
    return any(set(condition_variables(item)) - head for item in clause.body if _asks(item, functor))


def _resolved(user: Clause, question: Condition, rule: Clause) -> Clause | None:
    """The clause with the conditions of the rule in the place of the question; None if they never fit."""
    assert isinstance(question, Atom)
    fresh: dict[Variable, Term] = {name: Variable(f"{name.name};in") for name in rule.variables()}
    head = substitute_condition(rule.head, fresh)
    assert isinstance(head, Atom)
    values: dict[Variable, Term] = {}
    if not all(unify(one, other, values) for one, other in zip(question.args, head.args, strict=True)):
        return None
    body = []
    for item in user.body:
        body += [substitute_condition(part, fresh) for part in rule.body] if item is question else [item]
    done = dict.fromkeys(substitute_condition(item, values) for item in body)
    if any(isinstance(item, Distinct) and item.left == item.right for item in done):
        return None
    new_head = substitute_condition(user.head, values)
    assert isinstance(new_head, Atom)
    return Clause(new_head, tuple(done), user.place)


def _asks(item: Condition, functor: Functor) -> bool:
    atom = atom_of(item)
    return atom is not None and atom.functor == functor
