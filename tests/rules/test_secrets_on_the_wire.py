"""What a player can't know changes no byte that its engine receives, in any rule that there is.

From a position of a game at random another one is drawn that is the same to one player. The real referee plays on from
both, with an engine in that player's seat that writes down what it hears; others do what looks alike to it. As long as
the player is told the same, everything that the engine gets, and every answer about that player, must be the same.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from support.playbook import Actor, Playbook, catalogue

from ggtp.game import CHANCE, Move, Observation, Player, Position, Rules, TurnKind
from ggtp.game.examine import choose
from ggtp.game.observing import agrees, ahead_of, candidates, observed
from ggtp.game.sampling import imagine

OF_OPENSPIEL = frozenset(
    f"openspiel/{name}"
    for name in ("bargaining", "dark_hex", "kuhn_poker", "latent_ttt", "leduc_poker", "liars_dice", "phantom_ttt")
)
"""Enough to see that the adapter keeps secrets: what is told there is made of one player's views alone."""
RULES = sorted(
    entry.name
    for entry in catalogue().list_rules()
    if entry.usable and (not entry.name.startswith("openspiel/") or entry.name in OF_OPENSPIEL)
)
PLACES = 6
"""From how many positions of a game two plays go on."""
TURNS = 6
LONGEST = 400


class From(Rules):
    """A game that goes on from a position."""

    name = "From"
    title = "a game that goes on"

    def __init__(self, rules: Rules, position: Position) -> None:
        self.traits = rules.traits  # type: ignore[misc]
        self._players = rules.players(rules.complete({}))
        self._position = position

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return self._players

    def begin(self, options: Mapping[str, str]) -> Position:
        return self._position


class World:
    """A referee, with an engine for one player that hears everything."""

    def __init__(self, rules: Rules, position: Position, player: Player) -> None:
        self.spy = Actor(options=("rule", "player"))
        self.position = position
        self.player = player
        self.book = Playbook(engines={"Spy": lambda: self.spy}, rules={"From": From(rules, position)})
        self.book.lay("set_option chance off", "set_rule From", f"set_engine {player} Spy", "start")

    def play(self, moves: Mapping[Player, Move]) -> None:
        for player, move in moves.items():
            self.book.say(f"force_play {player} {move}")
        self.position = self.position.play(moves).position

    def knowledge(self) -> list[object]:
        """All that was said to the engine, and what is answered about its player."""
        asked = ("get_table", "list_possible_moves", "get_result")
        return [*self.spy.heard, *(self.book.say(f"{command} {self.player}") for command in asked)]


def alike(
    rules: Rules, position: Position, player: Player, seen: list[Observation], rng: random.Random
) -> Position | None:
    """Another position that is the same to the player."""
    other = position.determinize(player, rng)
    return other if other is not None else imagine(rules, player, {}, seen, rng)


def same_looking(
    first: Position, moves: Mapping[Player, Move], other: Position, player: Player, rng: random.Random
) -> dict[Player, Move] | None:
    """Moves in another position that look like these; None where there are none."""
    told = observed(first, first.play(moves), player)
    found = {}
    for actor, move in moves.items():
        if actor == player:
            found[actor] = move
            continue
        listed = candidates(other, actor, player, [item for item in told if getattr(item, "actor", "") == actor], rng)
        if not listed:
            return None
        found[actor] = rng.choice(listed)[0]
    try:
        verdict = other.play(found)
    except Exception:  # noqa: BLE001  what can't be played there looks like nothing
        return None
    return found if agrees(observed(other, verdict, player), told) else None


def places(rules: Rules, rng: random.Random) -> list[tuple[Position, dict[Player, list[Observation]]]]:
    """Some positions of a game at random, and what everybody has observed up to them."""
    players = rules.players(rules.complete({}))
    position, seen = rules.start(), {player: list[Observation]() for player in players}
    found = []
    for _ in range(LONGEST):
        if position.turn().kind is TurnKind.OVER:
            break
        found.append((position, {player: list(heard) for player, heard in seen.items()}))
        moves = choose(position, rng)
        verdict = position.play(moves)
        for player in players:
            seen[player] += observed(position, verdict, player)
        position = verdict.position
    return rng.sample(found, min(PLACES, len(found)))


@pytest.mark.parametrize("name", RULES)
def test_what_a_player_can_not_know_changes_no_byte_that_its_engine_receives(name: str) -> None:
    rules = catalogue().find_rules(name)
    if not rules.traits.hidden:
        return  # there is nothing that a player can't know
    rng = random.Random(name)
    compared = others = 0
    for position, seen in places(rules, rng):
        player = rng.choice(list(seen))
        other = alike(rules, position, player, seen[player], rng)
        if other is None or other.turn() != position.turn():
            continue
        one, two = World(rules, position, player), World(rules, other, player)
        others += other.key() != position.key()
        for _ in range(TURNS):
            assert one.knowledge() == two.knowledge()
            compared += 1
            if one.position.turn().kind is TurnKind.OVER or one.position.turn() != two.position.turn():
                break
            moves = choose(one.position, rng)
            theirs = same_looking(one.position, moves, two.position, player, rng)
            if theirs is None:
                break
            after, beside = one.position.play(moves).position, two.position.play(theirs).position
            # How a game ended is known to all, and so is whose turn it is.
            if after.turn() != beside.turn() or after.result() != beside.result():
                break
            one.play(moves)
            two.play(theirs)
    assert compared > 0
    assert others > 0


def test_a_rule_that_tells_too_much_is_found_out() -> None:
    rules = catalogue().find_rules("PhantomTicTacToe")
    position = rules.start().play({"Cross": "A1"}).position.play({"Circle": "B2"}).position
    other = rules.start().play({"Cross": "A1"}).position.play({"Circle": "C3"}).position
    assert World(rules, position, "Cross").knowledge() == World(rules, other, "Cross").knowledge()
    assert World(rules, position, "Circle").knowledge() != World(rules, other, "Circle").knowledge()
    assert CHANCE not in position.turn().players
    assert list(ahead_of(position.turn(), [], 0)) == []
