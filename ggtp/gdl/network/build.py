"""Ground programs → networks, in passes, each of which leaves the game as it was and the graph smaller.

The network may be used only as a game is played: in states that can be reached, and with
exactly one legal move of every role. Elsewhere it may differ from the rules.
"""

from __future__ import annotations

from itertools import compress

import numpy as np

from ggtp.gdl.ground.program import GroundProgram, RuleTable
from ggtp.gdl.network.cycle import Recursion
from ggtp.gdl.network.graph import (
    FALSE,
    TRUE,
    Graph,
    Ints,
    levels,
    needed_nodes,
    offsets,
    renamed,
    replaced,
    restricted,
    settle,
    spans,
)
from ggtp.gdl.network.network import Built, Network, Pass, Statistics
from ggtp.gdl.network.optimise.context import simplify
from ggtp.gdl.network.optimise.factor import factor
from ggtp.gdl.network.optimise.reach import constants
from ggtp.gdl.network.optimise.same import forced_moves, same_facts
from ggtp.gdl.network.optimise.share import halve, share

CONTEXT_ROUNDS = 3
"""How often conditions are compared with what is known around them; later rounds find next to nothing."""

HUGE = 1_000_000
"""Gates beyond which conditions are compared only after factoring: before, it takes longest and wins a few percent."""

WORTH = 0.01
"""A round that takes away a smaller part of the gates is the last."""


def build(program: GroundProgram) -> Built:
    """The network of a game.

    Facts that can never hold and moves that can never be legal are left out of it.

    Raises:
        RulesError: an atom depends on its own negation, or recursion is too wide to be written out.
    """
    passes: list[Pass] = []
    facts = len(program.facts)
    initial = np.array(program.initial, dtype=np.int64)
    sizes = tuple(map(len, program.moves))

    def note(name: str, graph: Graph) -> Graph:
        passes.append(Pass(name, graph.nodes, graph.gates))
        return graph

    loose, first_atom = loose_graph(program)
    recursion = Recursion(first_atom)
    graph = note("hashing", settle(loose, recursion))
    del loose
    reached = constants(graph, facts, initial)
    graph = note("reachability", _with_values(graph, reached))
    same = same_facts(graph, facts, initial)
    graph = note("copies", _with_values(graph, same))
    forced = forced_moves(graph, facts, sizes)
    graph = note("forced moves", _with_values(graph, forced))
    for _ in range(CONTEXT_ROUNDS if graph.gates <= HUGE else 0):
        before = graph.gates
        graph = note("context", simplify(graph, facts, sizes))
        if graph.gates > (1 - WORTH) * before:
            break
    graph = note("factoring", factor(graph))
    graph = note("context", simplify(graph, facts, sizes))
    graph = note("sharing", share(graph))
    graph = halve(graph)
    own = 2 * np.arange(graph.inputs)
    network = _network(program, graph, reached)
    statistics = Statistics(
        facts=len(network.facts),
        moves=tuple(map(len, network.moves)),
        atoms=program.atoms,
        rules=len(program.rules),
        passes=tuple(passes),
        gates=graph.nodes,
        depth=int(levels(graph).max(initial=0)),
        never=int((reached[1:] == FALSE).sum()),
        constant=int((reached == TRUE).sum()),
        copies=int(((same != own) & (same > TRUE))[1:].sum()),
        latches=_latches(graph, facts),
        forced=int((forced != own).sum()),
        recursive=recursion.atoms,
        components=recursion.components,
        rounds=recursion.rounds,
    )
    return Built(network, statistics)


def _with_values(graph: Graph, values: Ints) -> Graph:
    """The graph, tidy again, with other literals for some inputs."""
    return graph if np.array_equal(values, 2 * np.arange(graph.inputs)) else settle(replaced(graph, values))


def _latches(graph: Graph, facts: int) -> int:
    """How many facts hold for ever once they do, as far as their next value shows it."""
    own = 2 * np.arange(1, 1 + facts)
    nexts = graph.roots[:facts]
    ors = (nexts & 1 == 1) & (nexts >> 1 >= graph.inputs)
    places, lengths = spans(graph.starts, (nexts[ors] >> 1) - graph.inputs)
    found = graph.literals[places] == np.repeat(own[ors] + 1, lengths)
    return int((nexts == own).sum()) + int(found.sum())


def loose_graph(program: GroundProgram) -> tuple[Graph, int]:
    """The program as a graph, which may have cycles, and the first of its nodes that stands for an atom.

    The nodes before that are rules, each the AND of its body. An atom's node is the AND of its inverted
    rules, so that the atom is its inverse. The roots are in the order of `Network`'s fields.
    """
    inputs = 1 + len(program.facts) + sum(map(len, program.moves))
    rules = RuleTable.of(program.rules)
    heads, body = rules.heads.astype(np.int64), rules.literals.astype(np.int64)
    first_atom = inputs + len(rules)
    atom_literal = np.zeros(program.atoms + 1, dtype=np.int64)
    atom_literal[1:inputs] = 2 * np.arange(1, inputs)
    atom_literal[inputs:] = 2 * (first_atom + np.arange(program.atoms + 1 - inputs)) + 1
    atom_literal[np.array(sorted(program.always), dtype=np.int64)] = TRUE
    atom_literal[0] = FALSE
    order = np.argsort(heads, kind="stable")
    lengths = np.concatenate(
        [np.diff(rules.ends, prepend=0), np.bincount(heads - inputs, minlength=program.atoms + 1 - inputs)]
    )
    literals = np.concatenate([atom_literal[np.abs(body)] ^ (body < 0), 2 * (inputs + order) + 1])
    graph = Graph(inputs, offsets(lengths), literals, atom_literal[_roots(program)])
    # Dead rules are taken off here, because it must be known where the atoms begin.
    needed = needed_nodes(graph)
    return restricted(graph, needed), int(needed[:first_atom].sum())


def _roots(program: GroundProgram) -> Ints:
    atoms = [*program.next]
    for legal in program.legal:
        atoms += legal
    atoms.append(program.terminal)
    for goals in program.goals:
        atoms += [atom for _, atom in goals]
    for sees in program.sees:
        atoms += [atom for _, atom in sees]
    return np.array(atoms, dtype=np.int64)


def _network(program: GroundProgram, graph: Graph, reached: Ints) -> Network:
    """The network without the inputs that are never true."""
    kept = reached != FALSE
    kept[0] = True
    needed = np.ones(graph.inputs + graph.nodes, dtype=np.bool_)
    needed[: graph.inputs] = kept
    number = np.cumsum(needed) - 1
    literals = renamed(graph.literals, number)
    roots = iter(renamed(graph.roots, number).tolist())
    stays = iter(kept[1:].tolist())
    fact_stays = [next(stays) for _ in program.facts]
    move_stays = [[next(stays) for _ in moves] for moves in program.moves]
    facts_number = (np.cumsum(fact_stays) - 1).tolist()
    one, two = literals[::2].tolist(), literals[1::2].tolist()
    return Network(
        roles=program.roles,
        facts=tuple(compress(program.facts, fact_stays)),
        moves=tuple(tuple(compress(moves, stay)) for moves, stay in zip(program.moves, move_stays, strict=True)),
        initial=tuple(facts_number[fact] for fact in program.initial),
        gates=tuple(zip(one, two, strict=True)),
        next=tuple(compress([next(roots) for _ in program.next], fact_stays)),
        legal=tuple(
            tuple(compress([next(roots) for _ in legal], stay))
            for legal, stay in zip(program.legal, move_stays, strict=True)
        ),
        terminal=next(roots),
        goals=tuple(tuple((value, next(roots)) for value, _ in goals) for goals in program.goals),
        sees=tuple(tuple((percept, next(roots)) for percept, _ in sees) for sees in program.sees),
    )
