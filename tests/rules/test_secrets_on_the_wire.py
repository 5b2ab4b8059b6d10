"""What a player can't know changes no byte that its engine receives, in any rule that there is.

From a position of a game at random another one is drawn that is the same to one player. The real referee plays on from
both, with an engine in that player's seat that writes down what it hears; others do what looks alike to it. As long as
the player is told the same, everything that the engine gets, every answer about that player, and every word and picture
for a person in that seat must be the same.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable
from contextlib import suppress
from itertools import combinations, product

import pytest
from support.marks import process_where
from support.playbook import catalogue
from support.worlds import World, compare, places

from ggtp.errors import MoveError
from ggtp.game import CHANCE, Move, Observation, Player, Position, Rules, TurnKind, advice
from ggtp.game.checks.examine import choose
from ggtp.game.hidden.observing import ahead_of
from ggtp.game.hidden.sampling import imagine

OF_OPENSPIEL = frozenset(
    f"openspiel/{name}"
    for name in ("bargaining", "dark_hex", "kuhn_poker", "latent_ttt", "leduc_poker", "liars_dice", "phantom_ttt")
)
"""Some of those that are looked at one by one where the adapter is tested."""
RULES = sorted(
    entry.name
    for entry in catalogue().list_rules()
    if entry.usable and (not entry.name.startswith("openspiel/") or entry.name in OF_OPENSPIEL)
)
SECRETS = [name for name in RULES if catalogue().find_rules(name).traits.hidden]
SECRET = process_where(OF_OPENSPIEL.__contains__, SECRETS)
FEW_TURNS = 12
"""At how many turns moves are compared in games that are asked of another process, move by move."""
PLACES = 6
"""From how many positions of a game two plays go on."""
LONGEST = 400


def alike(
    rules: Rules, position: Position, player: Player, seen: list[Observation], rng: random.Random
) -> Position | None:
    """Another position that is the same to the player."""
    other = advice.determinize(position, player, rng)
    return other if other is not None else imagine(rules, player, {}, seen, rng)


@pytest.mark.parametrize("name", SECRET)
def test_what_a_player_can_not_know_changes_no_byte_that_its_engine_receives(name: str) -> None:
    rules = catalogue().find_rules(name)
    rng = random.Random(name)
    compared = others = 0
    found = places(rules, rng, LONGEST)
    for position, seen in rng.sample(found, min(PLACES, len(found))):
        player = rng.choice(list(seen))
        other = alike(rules, position, player, seen[player], rng)
        if other is None or other.turn() != position.turn():
            continue
        others += other.key() != position.key()
        compared += compare(rules, position, other, player, rng)
    assert compared > 0
    assert others > 0


TURNS, SOME = 60, 12
"""At how many turns of a game moves are compared, and how many moves of each."""


def swapped(position: Position, rng: random.Random) -> list[Move]:
    """A deal, and others in which two of its words have changed places, as hands of others."""
    dealt = position.draw(rng)
    words = dealt.split(" ")
    found = [dealt]
    for one, two in combinations(range(len(words)), 2):
        changed = list(words)
        changed[one], changed[two] = words[two], words[one]
        with suppress(MoveError):
            found.append(position.parse(CHANCE, " ".join(changed)))
    return found


def choices(position: Position, actor: Player, rng: random.Random) -> list[Move]:
    if actor == CHANCE and not position.chance():
        return swapped(position, rng)
    moves = list(position.moves(actor))
    return rng.sample(moves, min(SOME, len(moves)))


def told_apart(rules: Rules, rng: random.Random) -> tuple[int, list[str]]:
    """How often moves of others left a player knowing the same, by its view, and what was told of them all the same."""
    alike_count, leaks = 0, []
    found = places(rules, rng, LONGEST)
    turns = FEW_TURNS if rules.name.startswith("openspiel/") else TURNS
    # The first turns are deals.
    for position, seen in [*found[:3], *rng.sample(found, min(turns, len(found)))]:
        turn = position.turn()
        if turn.kind is TurnKind.OVER:
            continue
        moves = choose(position, rng)
        for player, actor in product(seen, moves):
            if actor == player:
                continue
            groups: dict[Hashable, set[Move]] = defaultdict(set)
            for move in choices(position, actor, rng):
                verdict = position.play({**moves, actor: move})
                if not verdict.refused:
                    after = verdict.position
                    words = tuple(item.text for item in verdict.announcements if item.to in (None, player))
                    public = after.turn().kind, after.turn().players, words
                    groups[after.view(player), tuple(after.moves(player)), public].add(
                        position.seen(actor, move, player)
                    )
                    alike_count += 1
            leaks += [f"{player} is told {sorted(texts)[:3]}" for texts in groups.values() if len(texts) > 1]
    return alike_count, leaks


@pytest.mark.parametrize("name", SECRET)
def test_of_moves_that_leave_a_player_knowing_the_same_it_is_told_the_same(name: str) -> None:
    compared, leaks = told_apart(catalogue().find_rules(name), random.Random(name))
    assert compared > 0
    assert not leaks


UNLIKE = {"TexasHoldem", "openspiel/bargaining"}
"""Rules whose deals, as they are drawn here, hardly ever look alike to a player: of two hands none can change places
with another, and of a thousand deals few are the same to one. Their own tests look at them."""


@pytest.mark.parametrize(
    "name", process_where(OF_OPENSPIEL.__contains__, [name for name in SECRETS if name not in UNLIKE])
)
def test_a_rule_that_tells_every_move_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = catalogue().find_rules(name)
    monkeypatch.setattr(type(rules.start()), "seen", lambda _, actor, move, observer: move)
    assert told_apart(rules, random.Random(name))[1]


def test_a_rule_that_tells_too_much_is_found_out() -> None:
    rules = catalogue().find_rules("PhantomTicTacToe")
    position = rules.start().play({"Cross": "A1"}).position.play({"Circle": "B2"}).position
    other = rules.start().play({"Cross": "A1"}).position.play({"Circle": "C3"}).position
    assert World(rules, position, "Cross").knowledge() == World(rules, other, "Cross").knowledge()
    assert World(rules, position, "Circle").knowledge() != World(rules, other, "Circle").knowledge()
    assert World(rules, position, "Cross").shown() == World(rules, other, "Cross").shown()
    assert World(rules, position, "Circle").shown() != World(rules, other, "Circle").shown()
    assert CHANCE not in position.turn().players
    assert list(ahead_of(position.turn(), [], 0)) == []
