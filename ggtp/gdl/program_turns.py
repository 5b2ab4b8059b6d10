"""Who really chooses: facts that say the same, and players of whom only one has a choice at a time.

In most games a fact says whose turn it is, and everybody else has one move then. The choices of
all of them are one choice then, among one universe of moves, and what one player could do when it
is their turn shares its place in that universe with what another could do in theirs.

Everything here is proved from the network, by induction over the moves from the initial state; so
it holds in every state that can be reached, and need not hold in others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ggtp.gdl.network import FALSE, Network
from ggtp.gdl.program_graph import gate_cone


@dataclass(frozen=True, slots=True)
class Turn:
    """A role that has exactly one move unless its guard holds."""

    role: int
    guard: int
    """A literal of the network: of a fact."""
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
    """Facts that are constant, copies or inverses of others, and facts that pass a token round."""
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
            rings.append(tuple(ring))
    return rings


def find_turns(network: Network, known: Invariants) -> Turns:
    """The greatest set of roles of which at most one has a choice; empty where there are not two of them."""
    guards = _guards(network, known)
    best: list[Turn] = []
    complete = False
    for role, turns in enumerate(guards):
        for guard, idle in turns.items():
            for other in range(role + 1, len(guards)):
                if len(best) < 2 and guard ^ 1 in guards[other]:
                    best = [Turn(role, guard, idle), Turn(other, guard ^ 1, guards[other][guard ^ 1])]
                    complete = True
    for ring in known.rings:
        free = [network.fact_literal(fact) for fact in ring]
        found = []
        for role, turns in enumerate(guards):
            own = next((literal for literal in free if literal in turns), None)
            if own is not None:
                free.remove(own)
                found.append(Turn(role, own, turns[own]))
        if len(found) > max(1, len(best)):
            best, complete = found, not free
    return Turns(tuple(best), complete)


def _guards(network: Network, known: Invariants) -> list[dict[int, int]]:
    """For each role, the literals without which it has exactly one move, each with that move.

    All literals are tried at once: bit 2 * fact + value of a mask stands for the case in which all
    that is known is that the fact has this value, and a node has two masks, of the cases in which
    it can be true and in which it can be false.
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
            others = sum(2 << 2 * member for member in ring if member != fact)
            true[1 + fact] &= ~others
    for fact, literal in enumerate(known.alias):
        node = literal >> 1
        if node != 1 + fact:
            true[1 + fact], false[1 + fact] = (false[node], true[node]) if literal & 1 else (true[node], false[node])
    outputs = [literal for legal in network.legal for literal in legal]
    for gate in gate_cone(network, outputs):
        a, b = network.gates[gate]
        a_true, a_false = (false[a >> 1], true[a >> 1]) if a & 1 else (true[a >> 1], false[a >> 1])
        b_true, b_false = (false[b >> 1], true[b >> 1]) if b & 1 else (true[b >> 1], false[b >> 1])
        true[base + gate] = a_true & b_true
        false[base + gate] = a_false | b_false
    return [_guards_of(network, known, legal, true, false) for legal in network.legal]


def _guards_of(
    network: Network, known: Invariants, legal: Sequence[int], true: Sequence[int], false: Sequence[int]
) -> dict[int, int]:
    once, twice, unknown = 0, 0, 0
    sure = []
    for literal in legal:
        can, cannot = true[literal >> 1], false[literal >> 1]
        if literal & 1:
            can, cannot = cannot, can
        unknown |= can & cannot
        only = can & ~cannot
        sure.append(only)
        twice |= once & only
        once |= only
    cases = once & ~twice & ~unknown
    guards: dict[int, int] = {}
    for fact, alias in enumerate(known.alias):
        if alias != network.fact_literal(fact):
            continue
        for value in (0, 1):
            bit = 1 << 2 * fact + value
            if cases & bit:
                guards[network.fact_literal(fact) ^ value] = next(i for i, only in enumerate(sure) if only & bit)
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
