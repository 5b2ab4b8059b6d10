"""From a network to a step program: one move of many random games at once, as straight-line code.

A lane is a game. One run of the step code makes every lane's legal moves known, chooses one for
each role at random, makes the next state, and sees which lanes have ended: those count their goals
and begin again from the initial state. All of this is the same operations for all lanes, so a
machine word does one of them for as many games as it has bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ggtp.gdl.network.network import FALSE, TRUE, Network
from ggtp.gdl.program.choice import choose
from ggtp.gdl.program.code import Code, lower
from ggtp.gdl.program.graph import Graph, gate_cone, instantiate
from ggtp.gdl.program.guide import Guidance, Guide
from ggtp.gdl.program.outlook import Lookout, NoOutlook, Outlook
from ggtp.gdl.program.phases import Mover, movers
from ggtp.gdl.program.step import (
    ACTIVE,
    COUNTER_BITS,
    DRAIN,
    FIRST_FACT,
    FRESH,
    Phase,
    Plane,
    StepProgram,
)
from ggtp.gdl.program.turns import Invariants, Turn, Turns, find_turns, invariants, shared_places

_TYPICAL_LENGTH = 20
_OPERATIONS_PER_MOVE = 20
"""Guesses, to decide when a step looks for the end of the game before the move instead of after it. That costs a step
more for each game, and saves the gates that the end and the legal moves have in common."""
_TRIED_BOTH_WAYS = 100_000
"""Gates up to which it is tried whether legal moves are better simplified given whose turn it is, and up to which steps
with hints are those of one player. In larger games trying takes long, and the former was never the better way."""


def build_step(network: Network, *, merge: bool = True, guide: Guide | None = None) -> StepProgram:
    """Builds the step program of a game.

    Args:
        merge: use what can be proved about turns and about facts; without it, every role chooses for itself.
        guide: which moves are preferred; without it, all are equally likely.

    Raises:
        NoOutlook: the guide wants foresight, and there is nothing to foresee, or it would take too much.
    """
    own = tuple(network.fact_literal(fact) for fact in range(len(network.facts)))
    known = invariants(network) if merge else Invariants(own, ())
    turns = find_turns(network, known) if merge else Turns((), False)
    both_ways = turns.turns and len(network.gates) <= _TRIED_BOTH_WAYS
    ways = (True, False) if both_ways else (False,)
    builders = [_Builder(network, known, turns, given, guide) for given in ways]
    if builders[0].movers:
        return builders[0].build()
    return min((builder.build() for builder in builders), key=lambda program: program.operations)


def _over_at_once(network: Network) -> bool:
    """Return whether the initial state is terminal."""
    return bool(network.values(network.initial)[network.terminal >> 1] ^ network.terminal & 1)


@dataclass(frozen=True, slots=True)
class _Step:
    """Literals of one step."""

    ended: int
    stuck: int
    over: int
    goals: list[int]
    refilled: list[int]
    """The facts after it; those of the initial state where a game is over."""
    moving: int
    """Games in which a move is made; the others wait."""


class _Builder:
    """One way to build the program: graph literals of everything, then code.

    Given whose turn it is, legal moves are simpler; but what players have in common may become two
    things then, one for each. So both ways are tried.
    """

    def __init__(self, network: Network, known: Invariants, turns: Turns, given: bool, guide: Guide | None) -> None:
        self.network = network
        self.known = known
        self.turns = turns
        self.given = given
        self.graph = Graph()
        self.fact_inputs = [self.graph.input() for _ in network.facts]
        self.facts = [self._literal(literal) for literal in self.known.alias]
        self.active, self.drain, self.fresh = (self.graph.input() for _ in range(3))
        self.randoms: list[int] = []
        self.made: list[int] = []
        """The literals of all moves that are made. A choice is one way down a tree: if each move were computed where
        it is needed first, most of the tree would have to be kept meanwhile."""
        self.guide = guide
        few = guide is not None and len(network.gates) <= _TRIED_BOTH_WAYS
        self.movers = movers(network, known, turns) if few else []
        self._outlooks: dict[Mover, Outlook] = {}

    def _literal(self, literal: int) -> int:
        """A network's literal of a fact or constant, in the graph."""
        return self.fact_inputs[(literal >> 1) - 1] ^ (literal & 1) if literal > 1 else literal

    def _random(self) -> int:
        literal = self.graph.input()
        self.randoms.append(literal >> 1)
        return literal

    def build(self) -> StepProgram:
        network, graph = self.network, self.graph
        before = self._looks_before() or _over_at_once(network)
        kinds = self._kinds()
        made = [self._step(before, *kind) for kind in kinds]
        split = made[0].moving != TRUE
        counted, planes = self._planes(self._end(self.facts)[1] if split else made[0].goals)
        watched = [self._watched(step) for step in made]
        at_once: list[int] = []
        if not before:
            terminal, goals = self._end(self.facts)
            again = {literal: goals[number] for number, literal in self._chosen}
            at_once = [terminal, FALSE, *(graph.and_(terminal, again[literal]) for literal in counted)]
            at_once += [FALSE] * split
        roots = [literal for own, step in zip(watched, made, strict=True) for literal in (*own, step.over)]
        facts = self._kept([*roots, *at_once], [step.refilled for step in made])
        codes = [
            self._code(facts, own, step.over, [(fact, step.refilled[fact]) for fact in facts])
            for own, step in zip(watched, made, strict=True)
        ]
        observe = self._code(facts, at_once, terminal, []) if at_once else None
        program = StepProgram(
            network, tuple(facts), codes[0], observe, len(watched[0]), planes, len(self.turns.turns)
        )  # fmt: skip
        foresight = self.guide is not None and self.guide.foresight > 0
        if foresight and not any(self._outlooks.values()):
            raise NoOutlook
        return self._with_phases(replace(program, foresight=foresight), dict(zip(kinds, codes, strict=True)))

    def _kinds(self) -> list[tuple[Mover | None, bool]]:
        """The kinds of steps: whose, if only some games move in them, and whether hints are followed."""
        if self.guide is None:
            return [(None, False)]
        return [
            (mover, guided)
            for mover in self.movers or (None,)
            for guided in ((True, False) if self.guide.period > 1 else (True,))
        ]

    def _turn(self, mover: Mover) -> Turn:
        return self.turns.turns[mover.player]

    def _with_phases(self, program: StepProgram, codes: Mapping[tuple[Mover | None, bool], Code]) -> StepProgram:
        if self.guide is None or len(codes) == 1:
            return program
        slot = {self.fact_inputs[fact] >> 1: FIRST_FACT + i for i, fact in enumerate(program.facts)}
        phases = []
        for mover in self.movers or (None,):
            when = [self._literal(literal) for literal in mover.when] if mover is not None else []
            places = tuple(2 * slot[literal >> 1] | (literal & 1) for literal in when)
            phases.append(Phase(codes[mover, True], codes.get((mover, False)), places))
        return replace(program, phases=tuple(phases), period=self.guide.period)

    def _step(self, before: bool, mover: Mover | None, guided: bool) -> _Step:
        """A move of all games, or of those of a kind, and what comes of it."""
        network, graph = self.network, self.graph
        facts = self.facts if mover is None else self._facts_in_turn(self._turn(mover), mover.when)
        moving = TRUE
        if mover is not None:
            # Lanes whose game is over wait, too, as those do that have made as many moves as they may.
            moving = graph.and_(self.active, graph.all(self._literal(literal) for literal in mover.when))
        guidance = None
        if guided and self.guide is not None:
            guidance = Guidance(graph, facts, self.guide, self._random)
        does, stuck = self._choices(guidance) if mover is None else self._own_choice(mover, facts, moving, guidance)
        inputs = {1 + fact: literal for fact, literal in enumerate(facts)}
        inputs.update({network.move_literal(role, move) >> 1: literal for (role, move), literal in does.items()})
        then = instantiate(graph, network, inputs, network.next)
        terminal, goals = self._end(facts if before else then)
        if before:
            stuck = graph.and_(stuck, terminal ^ 1)
        stuck = graph.and_(stuck, moving)
        terminal = graph.and_(terminal, moving)
        ended = graph.and_(terminal, stuck ^ 1)
        over = graph.or_(terminal, stuck)
        start = set(network.initial)
        refilled = [
            graph.or_(literal, over) if fact in start else graph.and_(literal, over ^ 1)
            for fact, literal in enumerate(then)
        ]
        if mover is not None:
            # Most facts stay as they are where no move is made.
            waiting = instantiate(graph, network, self._idle_inputs(mover, facts), network.next)
            refilled = [
                new if old == idle else graph.or_(graph.and_(moving, new), graph.and_(moving ^ 1, old))
                for new, idle, old in zip(refilled, waiting, self.facts, strict=True)
            ]
        return _Step(ended, stuck, over, goals, refilled, moving)

    def _outlook(self, mover: Mover, facts: Sequence[int]) -> Outlook:
        """What the moves of whoever moves decide, where somebody wants to know."""
        if self.guide is None or not self.guide.foresight:
            return Outlook({}, {})
        found = self._outlooks.get(mover)
        if found is None:
            lookout = Lookout(self.graph, self.network, self.turns.turns, self.guide.foresight)
            found = self._outlooks[mover] = lookout.outlook(mover.player, facts)
        return found

    def _watched(self, step: _Step) -> list[int]:
        """What is counted after a step: games that ended, that were given up, the goals worth a counter, and, if some
        wait, how many."""
        goals = (step.goals[number] for number, _ in self._chosen)
        counted = [step.ended, step.stuck, *(self.graph.and_(step.ended, literal) for literal in goals)]
        return counted if step.moving == TRUE else [*counted, step.moving ^ 1]

    def _looks_before(self) -> bool:
        """Whether it is better to look for the end of the game before the move than after it."""
        network = self.network
        end = gate_cone(network, [network.terminal, *(literal for pairs in network.goals for _, literal in pairs)])
        rest = set(gate_cone(network, [*network.next, *(literal for legal in network.legal for literal in legal)]))
        total = len(rest) + _OPERATIONS_PER_MOVE * max(len(moves) for moves in network.moves)
        return sum(gate in rest for gate in end) * _TYPICAL_LENGTH > total

    def _end(self, facts: Sequence[int]) -> tuple[int, list[int]]:
        """The literals of the end and of all goals, in a state."""
        network = self.network
        outputs = [network.terminal, *(literal for pairs in network.goals for _, literal in pairs)]
        inputs = {1 + fact: literal for fact, literal in enumerate(facts)}
        terminal, *goals = instantiate(self.graph, network, inputs, outputs)
        return terminal, goals

    def _planes(self, goals: Sequence[int]) -> tuple[list[int], tuple[tuple[tuple[int, Plane], ...], ...]]:
        """The goal literals worth a counter, and where each role's values are counted."""
        counters: dict[int, int] = {TRUE: 0}
        # Where a literal is the same as one after it, the numbers of the goals may differ in another state.
        self._chosen: list[tuple[int, int]] = []
        planes, number = [], 0
        for pairs in self.network.goals:
            own = []
            for value, _ in pairs:
                literal = goals[number]
                inverted = literal ^ 1 in counters
                if not inverted and literal not in counters:
                    counters[literal] = len(counters) + 1
                    self._chosen.append((number, literal))
                number += 1
                if literal != FALSE:
                    own.append((value, Plane(counters[literal ^ inverted], inverted)))
            planes.append(tuple(own))
        return [literal for _, literal in self._chosen], tuple(planes)

    def _choices(self, guidance: Guidance | None) -> tuple[dict[tuple[int, int], int], int]:
        """For each role and move the literal that makes it, and whether somebody has no move."""
        network, graph = self.network, self.graph
        does: dict[tuple[int, int], int] = {}
        stuck = FALSE
        merged = {turn.role for turn in self.turns.turns}
        inputs = {1 + fact: literal for fact, literal in enumerate(self.facts)}
        for role, legal in enumerate(network.legal):
            if role in merged:
                continue
            leaves = instantiate(graph, network, inputs, legal)
            possible = [move for move, literal in enumerate(leaves) if literal != FALSE]
            conditions = [leaves[move] for move in possible]
            if guidance is not None:
                conditions = guidance.conditions([{role: move} for move in possible], conditions, {role: TRUE})
            choice = choose(graph, conditions, self._random)
            self.made += choice.selected
            does.update({(role, move): literal for move, literal in zip(possible, choice.selected, strict=True)})
            stuck = graph.or_(stuck, choice.nothing)
        if merged:
            stuck = graph.or_(stuck, self._merged_choice(does, guidance))
        return does, stuck

    def _merged_choice(self, does: dict[tuple[int, int], int], guidance: Guidance | None) -> int:
        """One choice for all who take turns; returns whether the one whose turn it is has no move."""
        network, graph, turns = self.network, self.graph, self.turns.turns
        guards = [graph.any(self._literal(literal) for literal in turn.guard) for turn in turns]
        leaves = [
            {move: literal for move, literal in enumerate(self._legal_in_turn(turn, guard)) if literal != FALSE}
            for turn, guard in zip(turns, guards, strict=True)
        ]
        places = shared_places(leaves, [network.moves[turn.role] for turn in turns])
        conditions = []
        for place in places:
            literals = {leaves[player][move] for player, move in place.items()}
            if self.given and not (self.turns.complete and len(place) == len(turns) and len(literals) == 1):
                literals = {graph.and_(guards[player], leaves[player][move]) for player, move in place.items()}
            conditions.append(graph.any(sorted(literals)))
        if guidance is not None:
            named = [{turns[player].role: move for player, move in place.items()} for place in places]
            owners = {turn.role: guard for turn, guard in zip(turns, guards, strict=True)}
            conditions = guidance.conditions(named, conditions, owners)
        choice = choose(graph, conditions, self._random)
        self.made += choice.selected
        for turn, guard in zip(turns, guards, strict=True):
            does[turn.role, turn.idle] = guard ^ 1
        for place, selected in zip(places, choice.selected, strict=True):
            certain = self.turns.complete and len(place) == 1
            for player, move in place.items():
                role = turns[player].role
                done = selected if certain else graph.and_(selected, guards[player])
                does[role, move] = graph.or_(done, does.get((role, move), FALSE))
        somebody = TRUE if self.turns.complete else graph.any(guards)
        return graph.and_(choice.nothing, somebody)

    def _own_choice(
        self, mover: Mover, facts: Sequence[int], moving: int, guidance: Guidance | None
    ) -> tuple[dict[tuple[int, int], int], int]:
        """The choice of one player where it is their turn; returns the literals of moves, and whether there is none."""
        graph, turns = self.graph, self.turns.turns
        role = self._turn(mover).role
        inputs = {1 + fact: literal for fact, literal in enumerate(facts)}
        leaves = instantiate(graph, self.network, inputs, self.network.legal[role])
        possible = [move for move, literal in enumerate(leaves) if literal != FALSE]
        conditions = self._outlook(mover, facts).conditions(graph, possible, [leaves[move] for move in possible])
        if guidance is not None:
            conditions = guidance.conditions([{role: move} for move in possible], conditions, {role: TRUE})
        choice = choose(graph, conditions, self._random, moving)
        self.made += choice.selected
        does = {(role, move): literal for move, literal in zip(possible, choice.selected, strict=True)}
        does |= {(turn.role, turn.idle): TRUE for turn in turns if turn.role != role}
        return does, choice.nothing

    def _idle_inputs(self, mover: Mover, facts: Sequence[int]) -> dict[int, int]:
        """What stands for facts and moves in games in which a player would move, but does not."""
        inputs = {1 + fact: literal for fact, literal in enumerate(facts)}
        for player, turn in enumerate(self.turns.turns):
            if player != mover.player:
                inputs[self.network.move_literal(turn.role, turn.idle) >> 1] = TRUE
        return inputs

    def _legal_in_turn(self, turn: Turn, guard: int) -> list[int]:
        """The literals that make a player's moves legal when it is their turn, or, `given`, if it is."""
        if not self.given:
            inputs = {1 + fact: literal for fact, literal in enumerate(self.facts)}
            legal = instantiate(self.graph, self.network, inputs, self.network.legal[turn.role])
            legal[turn.idle] = self.graph.and_(legal[turn.idle], guard)
            return legal
        inputs = {1 + fact: literal for fact, literal in enumerate(self._facts_in_turn(turn))}
        return instantiate(self.graph, self.network, inputs, self.network.legal[turn.role])

    def _facts_in_turn(self, turn: Turn, given: Sequence[int] = ()) -> list[int]:
        """The literals that stand for facts when it is a player's turn, and some literals of the network hold."""
        fixed: dict[int, int] = {}
        for ring in self.known.rings:
            literals = {self.network.fact_literal(member) for member in ring}
            if literals.issuperset(turn.guard):
                fixed.update({(literal >> 1) - 1: 0 for literal in literals.difference(turn.guard)})
        for literal in (*given, *turn.guard) if len(turn.guard) == 1 else given:
            fixed[(literal >> 1) - 1] = 1 ^ (literal & 1)
        return [
            fixed[of] ^ (alias & 1) if (of := (alias >> 1) - 1) in fixed else self.facts[index]
            for index, alias in enumerate(self.known.alias)
        ]

    def _kept(self, roots: Sequence[int], refilled: Sequence[Sequence[int]]) -> list[int]:
        """The facts that decide, at once or later, about the roots, by whichever step."""
        fact_of = {literal >> 1: fact for fact, literal in enumerate(self.fact_inputs)}
        graph = self.graph
        reached = bytearray(len(graph))
        kept: set[int] = set()
        stack = [literal >> 1 for literal in roots]
        while stack:
            node = stack.pop()
            if reached[node]:
                continue
            reached[node] = 1
            if node in fact_of:
                kept.add(fact_of[node])
                stack += (facts[fact_of[node]] >> 1 for facts in refilled)
            stack += (graph.left[node] >> 1, graph.right[node] >> 1)
        return sorted(kept)

    def _code(self, facts: Sequence[int], watched: Sequence[int], over: int, state: Sequence[tuple[int, int]]) -> Code:
        """Code that counts what is watched, and keeps the books of the lanes."""
        graph = self.graph
        inputs = {self.active >> 1: ACTIVE, self.drain >> 1: DRAIN, self.fresh >> 1: FRESH}
        inputs.update({self.fact_inputs[fact] >> 1: FIRST_FACT + i for i, fact in enumerate(facts)})
        slot_of = {fact: FIRST_FACT + i for i, fact in enumerate(facts)}
        outputs = []
        slot = FIRST_FACT + len(facts)
        for literal in watched:
            carry = graph.and_(literal, self.active)
            for _ in range(COUNTER_BITS):
                digit = graph.input()
                inputs[digit >> 1] = slot
                outputs.append((slot, graph.xor(digit, carry)))
                carry = graph.and_(digit, carry)
                slot += 1
        outputs.append((ACTIVE, graph.and_(self.active, graph.and_(over, self.drain) ^ 1)))
        outputs.append((FRESH, graph.or_(self.fresh, over)))
        outputs += [(slot_of[fact], literal) for fact, literal in state]
        return lower(graph, inputs, self.randoms, outputs, slot, self.made)
