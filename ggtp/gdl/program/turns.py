"""Who really chooses: facts that say the same, and players of whom only one has a choice at a time.

In most games a fact says whose turn it is, and everybody else has one move then. The choices of
all of them are one choice then, among one universe of moves, and what one player could do when it
is their turn shares its place in that universe with what another could do in theirs.

Everything here is proved from the network, by induction over the moves from the initial state; so
it holds in every state that can be reached, and need not hold in others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ggtp.gdl.network.network import FALSE, TRUE, Network
from ggtp.gdl.program.graph import Graph, gate_cone, instantiate

_TRIED = 6
"""Facts tried for each role, to find who takes turns by what."""
_ROLES = 12
"""Roles up to which it is tried."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A role that has exactly one move unless its guard holds."""

    role: int
    guard: tuple[int, ...]
    """Literals of facts in the network; the guard holds while one of them does."""
    idle: int
    """The move that is the only legal one while the guard does not hold."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Roles whose guards exclude each other."""

    turns: tuple[Turn, ...]
    complete: bool
    """One of the guards holds in every state."""


@dataclass(frozen=True, slots=True)
class Invariants:
    """What holds in every state that can be reached."""

    alias: tuple[int, ...]
    """For each fact, a literal that is equal to it: its own, another fact's, or a constant."""
    rings: tuple[tuple[int, ...], ...]
    """Sets of three facts or more, of which exactly one holds."""


def invariants(network: Network) -> Invariants:
    """Facts that are constant, copies or inverses of others, and sets of facts of which one holds at a time.

    Of the sets those that could say whose turn it is are looked for.
    """
    plain = _plain_invariants(network)
    group = _proved_group(network, plain)
    if len(group) > 2:
        return Invariants(plain.alias, (*plain.rings, group))
    if group:
        one, other = (network.fact_literal(fact) for fact in group)
        alias = tuple(one ^ 1 ^ (literal & 1) if literal >> 1 == other >> 1 else literal for literal in plain.alias)
        return Invariants(alias, plain.rings)
    return plain


def _plain_invariants(network: Network) -> Invariants:
    """What shows in how facts follow from each other."""
    count = len(network.facts)
    starts = [0] * count
    for fact in network.initial:
        starts[fact] = 1
    alias = [network.fact_literal(fact) for fact in range(count)]

    def resolved(literal: int) -> int:
        while 1 <= literal >> 1 <= count and (known := alias[(literal >> 1) - 1] ^ (literal & 1)) != literal:
            literal = known
        return literal

    changed = True
    while changed:
        changed = False
        seen: dict[int, int] = {}
        for fact in range(count):
            own = network.fact_literal(fact)
            if resolved(own) != own:
                continue
            # Seen from the initial state, where the fact then is false.
            then = resolved(network.next[fact]) ^ starts[fact]
            if then in (FALSE, own ^ starts[fact]):
                alias[fact] = starts[fact]
                changed = True
            elif then in seen:
                first = seen[then]
                alias[fact] = network.fact_literal(first) ^ starts[first] ^ starts[fact]
                changed = True
            else:
                seen[then] = fact
        changed = _opposites(network, starts, alias, resolved_next=[resolved(then) for then in network.next]) or changed
    final = tuple(resolved(network.fact_literal(fact)) for fact in range(count))
    return Invariants(final, tuple(_rings(network, starts, final)))


def _opposites(network: Network, starts: Sequence[int], alias: list[int], resolved_next: Sequence[int]) -> bool:
    """Two facts that swap their values with each move, and differ at the start, always differ."""
    found = False
    for fact, then in enumerate(resolved_next):
        other = (then >> 1) - 1
        if then & 1 or not 0 <= other < fact or alias[other] != 2 * (1 + other) or alias[fact] != 2 * (1 + fact):
            continue
        if resolved_next[other] == network.fact_literal(fact) and starts[fact] != starts[other]:
            alias[fact] = network.fact_literal(other) ^ 1
            found = True
    return found


def _rings(network: Network, starts: Sequence[int], alias: Sequence[int]) -> list[tuple[int, ...]]:
    count = len(network.facts)
    rings = []
    seen = [False] * count
    for fact in range(count):
        ring: list[int] = []
        at = fact
        while 0 <= at < count and not seen[at] and alias[at] == network.fact_literal(at):
            seen[at] = True
            ring.append(at)
            then = network.next[at]
            at = -1 if then & 1 else (then >> 1) - 1
        if len(ring) > 2 and at == ring[0] and sum(starts[member] for member in ring) == 1:
            rings.append(tuple(sorted(ring)))
    return rings


def find_turns(network: Network, known: Invariants) -> Turns:
    """The greatest set of roles of which at most one has a choice; empty where there are not two of them."""
    guards = _guards(network, known)
    best = Turns((), False)
    for role, turns in enumerate(guards):
        for other in range(role + 1, len(guards)):
            guard = next((literal for literal in turns if literal ^ 1 in guards[other]), None)
            if guard is not None and not best.turns:
                mate = Turn(other, (guard ^ 1,), guards[other][guard ^ 1])
                best = Turns((Turn(role, (guard,), turns[guard]), mate), True)
    for ring in known.rings:
        found = _ring_turns(network, ring, guards)
        if len(found.turns) > max(1, len(best.turns)):
            best = found
    return best


def _ring_turns(network: Network, ring: Sequence[int], guards: Sequence[Mapping[int, int]]) -> Turns:
    """Roles that have a choice while some facts of a ring hold, of which no two have any in common."""
    found = []
    for role, turns in enumerate(guards):
        # Where a fact of the ring leaves a role one move, its inverse is among the role's guards.
        idle = Counter(turns[literal ^ 1] for fact in ring if (literal := network.fact_literal(fact)) ^ 1 in turns)
        if idle:
            ((move, _),) = idle.most_common(1)
            literals = (network.fact_literal(fact) for fact in ring)
            found.append(Turn(role, tuple(literal for literal in literals if turns.get(literal ^ 1) != move), move))
    free = {network.fact_literal(fact) for fact in ring}
    chosen = []
    for turn in sorted(found, key=lambda turn: len(turn.guard)):
        if free.issuperset(turn.guard):
            free -= set(turn.guard)
            chosen.append(turn)
    return Turns(tuple(sorted(chosen, key=lambda turn: turn.role)), not free)


def _proved_group(network: Network, known: Invariants) -> tuple[int, ...]:
    """Facts, one for each role that may have to do with them, of which exactly one holds in every state."""
    taken = {fact for ring in known.rings for fact in ring}
    candidates = []
    for legal in possible(network, known):
        some = several = 0
        for can, _ in legal:
            several |= some & can
            some |= can
        # Without such a fact the role has one move at most.
        free = [fact for fact, alias in enumerate(known.alias) if alias == network.fact_literal(fact)]
        candidates.append([fact for fact in free if fact not in taken and not several >> 2 * fact & 1][:_TRIED])
    named = [own for own in candidates if own]
    if len(named) < 2 or len(named) > _ROLES:
        return ()
    groups = product(*named) if len(named) == 2 else zip(*named, strict=False)
    for group in groups:
        starts = sum(fact in network.initial for fact in group)
        if len(set(group)) == len(group) and starts == 1 and _stays_exclusive(network, known, group):
            return tuple(sorted(group))
    return ()


def _stays_exclusive(network: Network, known: Invariants, group: Sequence[int]) -> bool:
    """Whether exactly one of the facts holds after any move, given that exactly one of them holds before it."""
    outputs = [network.next[fact] for fact in group]
    for one in group:
        graph = Graph()
        fixed = {fact: int(fact == one) for fact in group}
        inputs = {1 + fact: fixed[fact] if fact in fixed else graph.input() for fact in range(len(network.facts))}
        for fact, literal in enumerate(known.alias):
            inputs[1 + fact] = inputs[literal >> 1] ^ (literal & 1) if literal > 1 else literal
        inputs.update({node: graph.input() for node in range(1 + len(network.facts), network.inputs)})
        none, exactly = TRUE, FALSE
        for literal in instantiate(graph, network, inputs, outputs):
            exactly = graph.or_(graph.and_(exactly, literal ^ 1), graph.and_(none, literal))
            none = graph.and_(none, literal ^ 1)
        if not graph.is_true(exactly):
            return False
    return True


def possible(network: Network, known: Invariants) -> list[list[tuple[int, int]]]:
    """For each role and move, the cases in which it can be legal, and in which it can be illegal.

    All literals are tried at once: bit 2 * fact + value of a mask stands for the case in which all
    that is known is that the fact has this value.
    """
    count = len(network.facts)
    everything = (1 << 2 * count) - 1
    base = network.inputs
    true = [everything] * (base + len(network.gates))
    false = [everything] * (base + len(network.gates))
    true[0] = 0
    for fact in range(count):
        true[1 + fact] ^= 1 << 2 * fact
        false[1 + fact] ^= 2 << 2 * fact
    for ring in known.rings:
        for fact in ring:
            true[1 + fact] &= ~sum(2 << 2 * member for member in ring if member != fact)
    for fact, literal in enumerate(known.alias):
        node = literal >> 1
        if node != 1 + fact:
            true[1 + fact], false[1 + fact] = (false[node], true[node]) if literal & 1 else (true[node], false[node])

    gates = tuple(network.gates)

    def masks(literal: int) -> tuple[int, int]:
        node = literal >> 1
        return (false[node], true[node]) if literal & 1 else (true[node], false[node])

    for gate in gate_cone(network, [literal for legal in network.legal for literal in legal]):
        (a_true, a_false), (b_true, b_false) = map(masks, gates[gate])
        true[base + gate] = a_true & b_true
        false[base + gate] = a_false | b_false
    return [[masks(literal) for literal in legal] for legal in network.legal]


def _guards(network: Network, known: Invariants) -> list[dict[int, int]]:
    """For each role, the literals without which it has exactly one move, each with that move."""
    return [_guards_of(network, known, legal) for legal in possible(network, known)]


def _guards_of(network: Network, known: Invariants, legal: Sequence[tuple[int, int]]) -> dict[int, int]:
    once = twice = unknown = 0
    for can, cannot in legal:
        only = can & ~cannot
        unknown |= can & cannot
        twice |= once & only
        once |= only
    cases = once & ~twice & ~unknown
    guards: dict[int, int] = {}
    for fact, alias in enumerate(known.alias):
        if alias == network.fact_literal(fact):
            for value in (0, 1):
                bit = 1 << 2 * fact + value
                if cases & bit:
                    idle = next(move for move, (can, cannot) in enumerate(legal) if can & ~cannot & bit)
                    guards[alias ^ value] = idle
    return guards


def shared_places(leaves: Sequence[Mapping[int, int]], names: Sequence[Sequence[str]]) -> list[dict[int, int]]:
    """Gives the moves of players who never choose at the same time places in one universe.

    Args:
        leaves: for each player, moves and the literals that make them legal in the player's turn.
        names: for each player, the names of all moves.

    Returns:
        The places: for each, the move of each player that has one there. Moves that are legal
        under the same condition meet, then moves of the same name, then what is left.
    """
    places: list[dict[int, int]] = []
    for player, own in enumerate(leaves):
        left = list(own)
        for by_name in (False, True):
            free: dict[object, list[dict[int, int]]] = {}
            for place in places:
                for mate, move in place.items():
                    free.setdefault(names[mate][move] if by_name else leaves[mate][move], []).append(place)
            unplaced = []
            for move in left:
                candidates = free.get(names[player][move] if by_name else own[move], [])
                while candidates and player in candidates[-1]:
                    candidates.pop()
                if candidates:
                    candidates.pop()[player] = move
                else:
                    unplaced.append(move)
            left = unplaced
        spare = [place for place in places if player not in place]
        for move, place in zip(left, spare, strict=False):
            place[player] = move
        places += [{player: move} for move in left[len(spare) :]]
    return places
