"""The reference reasoner: plays any rulesheet, slowly and plainly, and is the judge of everything faster.

Relations are computed bottom-up, one strongly connected component after another, recursive
ones by repeating their clauses with the newest rows until nothing new comes; negation looks
only at finished components. What depends on no state is computed once; of the rest, only
the relations that a question needs (and of wide relations, only the rows: `demand`).

A state is the set of its facts: the arguments of `true`, as `Term`s.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from ggtp.errors import RulesError
from ggtp.gdl.interpret.plan import Plan
from ggtp.gdl.interpret.relation import Access, Numbering, Relation, Row
from ggtp.gdl.interpret.stratify import stratified
from ggtp.gdl.language.demand import for_states
from ggtp.gdl.language.dependencies import components, dependencies, reachable
from ggtp.gdl.language.normalise import Clause, Program, normalise, ordered
from ggtp.gdl.language.syntax import DOES, TRUE, Atom, Compound, Functor, Rulesheet, Term, Variable, literal_variables

State: TypeAlias = frozenset[Term]


REMEMBERED = 8
"""How many states' relations are kept, since questions about one state come one after another."""

OF_FIRST = Access((None, None), (0,), (1,))
"""What belongs to a first column: the moves, goals or percepts of a role."""

SMALL = 8
"""What the ordering of conditions takes for the size of a relation that is smaller now, but changes."""


class Interpreter:
    """Plays one rulesheet. Answers depend on the arguments alone."""

    def __init__(self, rules: Rulesheet | Program, guard: AbstractContextManager[object] | None = None) -> None:
        """A player for the rules, which need not be valid in every respect.

        Args:
            guard: a lock, where several threads ask; it is held while a question is answered.

        Raises:
            RulesError: a relation depends on its own negation, or a rule's head has a variable without a value.
        """
        self._guard = nullcontext() if guard is None else guard
        program = for_states(stratified(normalise(rules) if isinstance(rules, Rulesheet) else rules))
        self._numbering = Numbering()
        self._empty = Relation(self._numbering)
        self._graph = dependencies(program.clauses)
        self._graph.setdefault(TRUE, {})
        self._graph.setdefault(DOES, {})
        self._components = [_Component(members) for members in components(self._graph)]
        self._component_of = {member: item for item in self._components for member in item.members}
        for clause in program.clauses:
            self._component_of[clause.head.functor].clauses.append(clause)
        for component in self._components:
            component.prepare(self._graph)
        self._mark(TRUE, DOES)
        self._needs: dict[Functor, list[_Component]] = {}
        self._static: dict[Functor, Relation] = {}
        self._remembered: dict[State, _Model] = {}
        self._latest: tuple[tuple[State, tuple[tuple[Term, Term], ...]], _Model] | None = None
        """What was computed last of a state with moves."""
        nothing = _Model(self, None, {TRUE: self._empty, DOES: self._empty})
        self.roles: tuple[Term, ...] = self._find_roles(program, nothing)
        """The players, in the order of the text."""
        self._initial = self._facts(nothing.relation(("init", 1)))

    def _mark(self, true: Functor, does: Functor) -> None:
        """Notes which components change with the state, and which with the moves."""
        for component in self._components:
            targets = {target for member in component.members for target in self._graph[member]}
            found = [self._component_of[target] for target in targets]
            component.moving = does in component.members or any(item.moving for item in found)
            component.dynamic = component.moving or true in component.members or any(item.dynamic for item in found)

    def _find_roles(self, program: Program, model: _Model) -> tuple[Term, ...]:
        found = sorted((self._numbering.terms[row[0]] for row in model.relation(("role", 1)).rows), key=str)
        return tuple(dict.fromkeys((*program.roles, *found)))

    # What a player may ask.

    def initial(self) -> State:
        """The state in which the game begins."""
        return self._initial

    def facts(self, state: State) -> Collection[Term]:
        """The facts that hold in the state."""
        return state

    def state(self, facts: Collection[Term]) -> State:
        """The state in which these facts hold."""
        return frozenset(facts)

    def legal(self, state: State, role: Term) -> list[Term]:
        """The moves that the role may make, in the order of their texts."""
        with self._guard:
            return self._second(self._model(state), ("legal", 2), role)

    def next(self, state: State, moves: Mapping[Term, Term]) -> State:
        """The state after the roles' moves, which need not be legal."""
        with self._guard:
            return self._facts(self._moved(state, moves).relation(("next", 1)))

    def terminal(self, state: State) -> bool:
        """Whether the game is over."""
        with self._guard:
            return bool(self._model(state).relation(("terminal", 0)).rows)

    def goal_values(self, state: State, role: Term) -> list[Term]:
        """All goals that the rules give the role in this state; faulty rules may give none or several."""
        with self._guard:
            return self._second(self._model(state), ("goal", 2), role)

    def goal(self, state: State, role: Term) -> int | None:
        """The role's score in this state; the best where the rules give several, None where they give no number."""
        values = [str(value) for value in self.goal_values(state, role)]
        return max((int(value) for value in values if value.isascii() and value.isdigit()), default=None)

    def sees(self, state: State, moves: Mapping[Term, Term], role: Term) -> list[Term]:
        """What the role perceives when these moves are made, in games with incomplete information."""
        with self._guard:
            return self._second(self._moved(state, moves), ("sees", 2), role)

    def holds(self, state: State, name: str, moves: Mapping[Term, Term] | None = None) -> set[tuple[Term, ...]]:
        """All rows of every relation of that name, in the state and with the moves: for tests and for the curious.

        Of wide relations that rules ask for, it has the rows that they need.
        """
        with self._guard:
            model = self._model(state) if moves is None else self._moved(state, moves)
            terms = self._numbering.terms
            found = [key for key in self._graph if key[0] == name]
            return {tuple(terms[number] for number in row) for key in found for row in model.relation(key).rows}

    def _second(self, model: _Model, key: Functor, first: Term) -> list[Term]:
        terms, number = self._numbering.terms, self._numbering.number(first)
        # By an index: every role is asked for, and to look through the rows of all roles each time is quadratic.
        return sorted((terms[row[0]] for row in model.relation(key).index(OF_FIRST).get(number, ())), key=str)

    def _facts(self, relation: Relation) -> State:
        terms = self._numbering.terms
        return frozenset([terms[row[0]] for row in relation.rows])

    def _model(self, state: State) -> _Model:
        model = self._remembered.pop(state, None)
        if model is None:
            number = self._numbering.number
            true = Relation(self._numbering, [(number(fact),) for fact in state])
            model = _Model(self, None, {TRUE: true, DOES: self._empty})
            if len(self._remembered) >= REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
        self._remembered[state] = model
        return model

    def _moved(self, state: State, moves: Mapping[Term, Term]) -> _Model:
        # The roles are asked one after another what they perceive of the same moves.
        key = (state, tuple(moves.items()))
        if self._latest is None or self._latest[0] != key:
            number = self._numbering.number
            does = Relation(self._numbering, [(number(role), number(move)) for role, move in moves.items()])
            self._latest = key, _Model(self, self._model(state), {DOES: does})
        return self._latest[1]

    # How it is computed; the models call these.

    def needs(self, key: Functor) -> list[_Component]:
        """The components that the relation needs, in the order to compute them, its own last."""
        found = self._needs.get(key)
        if found is None:
            wanted = reachable(self._graph, [key]) if key in self._graph else set()
            mine = {id(self._component_of[member]) for member in wanted}
            found = self._needs[key] = [item for item in self._components if id(item) in mine]
        return found

    def component_of(self, key: Functor) -> _Component | None:
        """The component of a relation, None if no rule knows it."""
        return self._component_of.get(key)

    @property
    def static(self) -> dict[Functor, Relation]:
        """The relations computed so far that depend on no state."""
        return self._static

    @property
    def numbering(self) -> Numbering:
        """The numbers of terms."""
        return self._numbering

    @property
    def empty(self) -> Relation:
        """A relation without rows. Nobody adds any."""
        return self._empty


class _Component:
    """Relations that depend on one another, or a single one, and their clauses."""

    def __init__(self, members: Sequence[Functor]) -> None:
        self.members = members
        self.clauses: list[Clause] = []
        self.recursive = False
        self.dynamic = False
        """Whether it depends on the state."""
        self.moving = False
        """Whether it depends on the moves."""
        self.plans: list[tuple[Functor, Plan]] | None = None
        self.fresh_plans: list[tuple[Functor, Functor, Plan]] = []
        """For clauses with an atom of this component: whose rows it makes, whose newest rows it takes, and how."""

    def prepare(self, graph: Mapping[Functor, Mapping[Functor, bool]]) -> None:
        """Finds out whether it is recursive, and refuses one that depends on its own negation."""
        mine = set(self.members)
        for member in self.members:
            for target, negated in graph[member].items():
                if target in mine:
                    self.recursive = True
                    if negated:
                        raise RulesError(f"'{member[0]}' depends on its own negation, through '{target[0]}'.")

    def compile(self, model: _Model, numbering: Numbering) -> list[tuple[Functor, Plan]]:
        """The plans of the clauses, made when the relations that they need are there for the first time."""
        if self.plans is None:
            cost = _Costs(model, set(self.members))
            self.plans = []
            for clause in self.clauses:
                key = clause.head.functor
                mine = [item for item in clause.body if isinstance(item, Atom) and item.functor in self.members]
                if not mine:
                    body = tuple(ordered(clause.body, cost))
                    self.plans.append((key, Plan(Clause(clause.head, body, clause.place), numbering)))
                for atom in mine:
                    rest = [item for item in clause.body if item is not atom]
                    body = (atom, *ordered(rest, cost, set(literal_variables(atom))))
                    plan = Plan(Clause(clause.head, body, clause.place), numbering, atom)
                    self.fresh_plans.append((key, atom.functor, plan))
        return self.plans


class _Model:
    """The relations in one state, or in one state with one joint move; each is computed when first asked for."""

    def __init__(self, interpreter: Interpreter, below: _Model | None, given: dict[Functor, Relation]) -> None:
        self._interpreter = interpreter
        self._below = below
        """The same state without moves, for what does not depend on them."""
        self._relations = given

    def relation(self, key: Functor) -> Relation:
        """All rows of the relation."""
        for component in self._interpreter.needs(key):
            self._home(component)._compute(component)
        return self.ready(key)

    def ready(self, key: Functor) -> Relation:
        """The rows of a relation that has been computed."""
        component = self._interpreter.component_of(key)
        if component is None:
            return self._interpreter.empty
        return self._home(component)._table(component).get(key, self._interpreter.empty)

    def _home(self, component: _Component) -> _Model:
        """The model that keeps the component's relations."""
        return self if self._below is None or component.moving else self._below

    def _table(self, component: _Component) -> dict[Functor, Relation]:
        return self._relations if component.dynamic else self._interpreter.static

    def _compute(self, component: _Component) -> None:
        table = self._table(component)
        if component.members[0] in table:
            return
        numbering = self._interpreter.numbering
        new: dict[Functor, set[Row]] = {member: set() for member in component.members}
        for key, plan in component.compile(self, numbering):
            new[key] |= plan.rows(self.ready)
        relations = {member: Relation(numbering, rows) for member, rows in new.items()}
        # Only now: while the first plans run, the component's own relations are empty.
        table.update(relations)
        while component.recursive and any(new.values()):
            newest = {key: Relation(numbering, rows) for key, rows in new.items()}
            new = {member: set() for member in component.members}
            for key, source, plan in component.fresh_plans:
                if newest[source].rows:
                    new[key] |= plan.rows(self.ready, newest[source]) - relations[key].rows
            for key, rows in new.items():
                relations[key].add(rows)


class _Costs:
    """How many rows of a relation fit an atom, guessed from the sizes that relations have in one model."""

    def __init__(self, model: _Model, unknown: set[Functor]) -> None:
        self._model = model
        self._unknown = unknown

    def __call__(self, atom: Atom, known: Collection[Variable]) -> float:
        leaves = [leaf for arg in atom.args for leaf in _leaves(arg)]
        free = {leaf for leaf in leaves if isinstance(leaf, Variable) and leaf not in known}
        if not free:
            return 0.0
        key = atom.functor
        size = float(SMALL) ** len(leaves) if key in self._unknown else float(max(len(self._model.ready(key)), SMALL))
        return float(size ** (len(free) / len(leaves)))


def _leaves(term: Term) -> list[Term]:
    if isinstance(term, Compound):
        return [leaf for arg in term.args for leaf in _leaves(arg)]
    return [term]
