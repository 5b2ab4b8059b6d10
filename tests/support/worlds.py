"""Two plays that are the same to one player: what it is told in each of them, by the real referee.

An engine hears lines of the protocol. A person at the prompt sees words and pictures, tones included, and a person on
another machine gets lines that say the same.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from support.playbook import Actor, Playbook

from ggtp.game import Move, Observation, Player, Position, Rules, TurnKind
from ggtp.game.checks.examine import choose
from ggtp.game.hidden.observing import agrees, candidates, observed
from ggtp.referee.effects import Draw, Inform

TURNS = 6
"""How long two plays go on."""


class From(Rules):
    """A game that goes on from a position."""

    name = "From"
    title = "a game that goes on"

    def __init__(self, rules: Rules, position: Position) -> None:
        self.traits = rules.traits
        self._players = rules.players(rules.complete({}))
        self._position = position

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return self._players

    def begin(self, options: Mapping[str, str]) -> Position:
        return self._position


SHOWN = {"show_table": "on", "show_possible_moves": "on"}
GUEST = 1


class World:
    """A referee with an engine for one player that hears everything, while a person looks at that player's table.

    At the same table elsewhere a person on another machine has that player's seat.
    """

    def __init__(self, rules: Rules, position: Position, player: Player) -> None:
        self.spy = Actor(options=("rule", "player"))
        self.position = position
        self.player = player
        played = {"From": From(rules, position)}
        self.book = Playbook(engines={"Spy": lambda: self.spy}, rules=played, defaults=SHOWN)
        self.book.lay("set_option chance off", "set_rule From", f"set_option view {player}")
        self.book.lay(f"set_engine {player} Spy", "start")
        self.elsewhere = Playbook(rules=played)
        self.elsewhere.lay("set_option chance off", "set_rule From", f"set_engine {player} person:ann")
        self.elsewhere.join(GUEST, "ann")
        self.elsewhere.lay("start")

    def play(self, moves: Mapping[Player, Move]) -> None:
        for book in (self.book, self.elsewhere):
            for player, move in moves.items():
                book.say(f"force_play {player} {move}")
        self.position = self.position.play(moves).position

    def knowledge(self) -> list[object]:
        """All that was said to the engine, and what is answered about its player."""
        asked = ("get_table", "list_possible_moves", "get_result")
        return [*self.spy.heard, *(self.book.say(f"{command} {self.player}") for command in asked)]

    def shown(self) -> list[object]:
        """All that a person in that seat has been told and shown, here and elsewhere."""
        here = [effect for effect in self.book.effects if isinstance(effect, Draw | Inform)]
        return [*here, *self.elsewhere.whispers[GUEST]]


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


def compare(
    rules: Rules,
    position: Position,
    other: Position,
    player: Player,
    rng: random.Random,
    turns: int = TURNS,
    *,
    to_the_end: bool = True,
) -> int:
    """Goes on from two positions that are the same to a player, and compares all that it is told and shown; how often.

    Without `to_the_end` nothing is compared when the game is over: all may be shown then.
    """
    one, two = World(rules, position, player), World(rules, other, player)
    compared = 0
    for _ in range(turns):
        assert one.knowledge() == two.knowledge()
        assert one.shown() == two.shown()
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
        if not to_the_end and after.turn().kind is TurnKind.OVER:
            break
        one.play(moves)
        two.play(theirs)
    return compared


def places(rules: Rules, rng: random.Random, longest: int) -> list[tuple[Position, dict[Player, list[Observation]]]]:
    """The positions of a game at random, and what everybody has observed up to them."""
    players = rules.players(rules.complete({}))
    position, seen = rules.start(), {player: list[Observation]() for player in players}
    found = []
    for _ in range(longest):
        if position.turn().kind is TurnKind.OVER:
            break
        found.append((position, {player: list(heard) for player, heard in seen.items()}))
        moves = choose(position, rng)
        verdict = position.play(moves)
        for player in players:
            seen[player] += observed(position, verdict, player)
        position = verdict.position
    return found
