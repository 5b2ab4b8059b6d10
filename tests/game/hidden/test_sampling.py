"""Positions that explain what a player has observed."""

from __future__ import annotations

import importlib
import random
from collections.abc import Hashable, Mapping, Sequence

import pytest

from ggtp.errors import IllegalMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Move,
    Observation,
    Player,
    Position,
    Refused,
    Result,
    Rules,
    Seen,
    Traits,
    Turn,
    TurnKind,
    Verdict,
    result_by_winner,
    single,
)
from ggtp.game.hidden.sampling import anywhere, imagine, nearly, observed

CARDS = ("Jack", "King", "Queen")
DEALS = {f"{one} {two}": (one, two) for one in CARDS for two in CARDS if one != two}
PLAYERS = ("Ann", "Bob")


class Duel(Position):
    """Each is dealt a card that only its owner sees; Ann may bet, then the higher card wins."""

    listed = True

    def __init__(self, cards: tuple[str, str] | None = None, bet: Move | None = None) -> None:
        self.cards = cards
        self.bet = bet

    def turn(self) -> Turn:
        return CHANCE_TURN if self.cards is None else single("Ann") if self.bet is None else single("Bob")

    def moves(self, player: Player) -> Sequence[Move]:
        if player == CHANCE:
            return tuple(DEALS) if self.cards is None and self.listed else ()
        return ("bet", "check") if player in self.turn().players else ()

    def chance(self) -> Sequence[tuple[Move, int]]:
        return [(deal, 1) for deal in self.moves(CHANCE)]

    def draw(self, rng: random.Random) -> Move:
        return rng.choice(list(DEALS))

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if player == CHANCE and move in DEALS and self.cards is None:
            return Verdict(type(self)(DEALS[move]), ((player, move),))
        if move not in self.moves(player):
            raise IllegalMove(move)
        return Verdict(type(self)(self.cards, move), ((player, move),))

    def result(self) -> Result | None:
        return None

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        return DEALS[move][PLAYERS.index(observer)] if actor == CHANCE else move

    def view(self, player: Player | None) -> str:
        card = "-" if self.cards is None or player is None else self.cards[PLAYERS.index(player)]
        return f"{card} {self.bet or 'to bet'}"

    def key(self) -> Hashable:
        return (self.cards, self.bet)


class UnlistedDuel(Duel):
    """As if there were too many deals to list."""

    listed = False


class Grab(Position):
    """Whoever grabs first has it; a grab with the left hand is refused."""

    def __init__(self, winner: Player | None = None) -> None:
        self.winner = winner

    def turn(self) -> Turn:
        return single("Ann") if self.winner else Turn(TurnKind.RACE, PLAYERS, delay=1.0, default={"Ann": "right"})

    def moves(self, player: Player) -> Sequence[Move]:
        return ("left", "right") if player in self.turn().players else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        return Verdict(Grab(player), ((player, move),)) if move == "right" else Verdict(self)

    def result(self) -> Result | None:
        return None

    def view(self, player: Player | None) -> str:
        return f"{self.winner or 'nobody'} has it"

    def key(self) -> Hashable:
        return self.winner


class Toy(Rules):
    """Rules that begin with a position and count how often."""

    name = "Toy"
    traits = Traits(hidden=True, chance=True)

    def __init__(self, first: Position) -> None:
        self.first = first
        self.starts = 0

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        self.starts += 1
        return self.first


def bundled(stem: str) -> Rules:
    rules = importlib.import_module("ggtp.rules." + stem).RULES
    assert isinstance(rules, Rules)
    return rules


def random_game(
    rules: Rules, rng: random.Random, most: int = 60
) -> list[tuple[Position, dict[Player, list[Observation]]]]:
    """The positions of a game and what everybody had observed there."""
    players = rules.players(rules.complete({}))
    position = rules.start()
    told: dict[Player, list[Observation]] = {player: [] for player in players}
    game = [(position, {player: list(items) for player, items in told.items()})]
    while (turn := position.turn()).kind is not TurnKind.OVER and len(game) < most:
        moves = {
            mover: position.draw(rng) if mover == CHANCE else rng.choice(position.moves(mover))
            for mover in turn.players
        }
        verdict = position.play(moves)
        for player in players:
            told[player] += observed(position, verdict, player)
        position = verdict.position
        game.append((position, {player: list(items) for player, items in told.items()}))
    return game


@pytest.mark.parametrize("stem", ["tictactoe", "connectfour", "nim", "cantstop", "breakthrough"])
def test_without_secrets_there_is_one_explanation(stem: str) -> None:
    rules, rng = bundled(stem), random.Random(5)
    for position, told in random_game(rules, rng)[:-1:4]:
        for player, seen in told.items():
            found = imagine(rules, player, {}, seen, rng, tries=1)
            assert found is not None
            assert found.key() == position.key()


@pytest.mark.parametrize("backwards", [False, True])
def test_joint_moves_are_seen_one_by_one_in_any_order(backwards: bool) -> None:
    rules = bundled("rockpaperscissors")
    seen = [Seen("Left", "Rock"), Seen("Right", "Paper")]
    found = imagine(rules, "Left", {"rounds": "2"}, seen[::-1] if backwards else seen, random.Random(0), tries=1)
    assert found is not None
    assert found.view(None) == "1 of 2 played Left -1 Right +1"


def test_hidden_moves_and_refusals_are_explained() -> None:
    phantom = bundled("phantomtictactoe")

    class Sampled(type(phantom)):  # the rule's class is only known when it is loaded
        def imagine(self, *_: object) -> None:
            return None

    rules, rng = Sampled(), random.Random(2)
    found = wanted = refused = 0
    for _ in range(5):
        for position, told in random_game(rules, rng)[:-1]:
            for player, seen in told.items():
                refused += any(isinstance(item, Refused) for item in seen)
                wanted += 1
                other = imagine(rules, player, {}, seen, rng)
                if other is not None:
                    found += 1
                    assert other.view(player) == position.view(player)
                    assert other.moves(player) == position.moves(player)
    assert refused > 5
    assert found > 0.9 * wanted


@pytest.mark.parametrize(("reason", "possible"), [("", True), ("the square is taken", True), ("it rains", False)])
def test_a_refusal_is_explained_with_its_reason_if_that_is_known(reason: str, possible: bool) -> None:
    rules = bundled("phantomtictactoe")

    class Sampled(type(rules)):  # the rule's class is only known when it is loaded
        def imagine(self, *_: object) -> None:
            return None

    told: list[Observation] = [Seen("Cross", "A1"), Seen("Circle", HIDDEN), Refused("B2", reason)]
    found = imagine(Sampled(), "Cross", {}, told, random.Random(0))
    assert (found is not None) == possible
    if found is not None:
        assert found.view("Cross") == "X??/?O?/??? Cross 1 Circle 1 Cross to move"


@pytest.mark.parametrize("position", [Duel(), UnlistedDuel()])
def test_hidden_chance_is_drawn_and_what_was_seen_of_it_is_kept(position: Position) -> None:
    rng = random.Random(1)
    seen = [Seen(CHANCE, "King"), Seen("Ann", "bet")]
    found = [imagine(Toy(position), "Ann", {}, seen, rng) for _ in range(30)]
    assert {other.key() for other in found if other} == {(("King", "Jack"), "bet"), (("King", "Queen"), "bet")}


def test_who_moved_in_a_race_is_who_was_seen() -> None:
    found = imagine(Toy(Grab()), "Ann", {}, [Seen("Bob", "right")], random.Random(0))
    assert found is not None
    assert found.key() == "Bob"


@pytest.mark.parametrize(
    "seen",
    [
        [Seen("Ann", "bet")],
        [Seen(CHANCE, "Ace")],
        [Seen(CHANCE, "King"), Seen("Ann", "pray")],
        [Seen(CHANCE, "King"), Seen("Bob", "bet")],
        [Seen(CHANCE, "King"), Refused("bet")],
        [Refused("bet")],
    ],
)
@pytest.mark.parametrize("position", [Duel(), UnlistedDuel()])
def test_what_cannot_be_is_given_up_after_as_many_tries(position: Position, seen: list[Observation]) -> None:
    rules = Toy(position)
    assert imagine(rules, "Ann", {}, seen, random.Random(0), tries=7) is None
    assert rules.starts == 7


def test_turns_of_which_nothing_is_seen_do_not_go_on_for_ever() -> None:
    class Stuck(Grab):
        def play(self, moves: Mapping[Player, Move]) -> Verdict:
            return Verdict(self)

        def turn(self) -> Turn:
            return single("Bob")

    assert imagine(Toy(Stuck()), "Ann", {}, [Seen("Bob", "right")], random.Random(0), tries=2) is None


def test_a_game_that_is_over_is_no_explanation() -> None:
    class Ended(Grab):
        def turn(self) -> Turn:
            return OVER

        def result(self) -> Result:
            return result_by_winner(PLAYERS, "Ann")

    assert imagine(Toy(Ended()), "Ann", {}, [], random.Random(0)) is None
    assert imagine(Toy(Ended()), "Ann", {}, [Seen("Ann", "right")], random.Random(0)) is None


def test_the_rule_is_asked_first() -> None:
    class Knowing(Toy):
        def imagine(self, *_: object) -> Position:
            return Grab("Bob")

    rules = Knowing(Duel())
    found = imagine(rules, "Ann", {}, [Seen("Ann", "nonsense")], random.Random(0))
    assert found is not None
    assert found.key() == "Bob"
    assert rules.starts == 0


def test_what_is_observed_is_masked_and_only_own_refusals_are_told() -> None:
    position = Duel()
    verdict = position.play({CHANCE: "Jack King"})
    assert observed(position, verdict, "Ann") == [Seen(CHANCE, "Jack")]
    assert observed(position, verdict, "Bob") == [Seen(CHANCE, "King")]
    phantom = bundled("phantomtictactoe").start().play({"Cross": "A1"}).position
    refusal = phantom.play({"Circle": "A1"})
    assert observed(phantom, refusal, "Circle") == [Refused("A1", "the square is taken")]
    assert observed(phantom, refusal, "Cross") == []


def test_what_the_rule_can_explain_is_kept_where_the_rest_can_not_be() -> None:
    skat = importlib.import_module("ggtp.rules.skat").RULES
    hand = "CJSJCACTCKCQC9HAHTH7"
    seen = [Seen(CHANCE, f"{hand} ? ? ?"), Seen("Middlehand", "nonsense"), Seen("Rearhand", "pass")]
    position = nearly(skat, "Forehand", {}, seen, random.Random(1))
    assert position is not None
    assert "Forehand" in position.turn().players
    assert "CJ SJ CA CT CK CQ C9 HA HT H7" in position.view("Forehand")


def test_some_turn_of_a_player_is_found_in_any_game() -> None:
    uno = importlib.import_module("ggtp.rules.uno").RULES
    position = anywhere(uno, "Ann", {}, 12, random.Random(1))
    assert position is not None
    assert "Ann" in position.turn().players
    assert position.moves("Ann")
    assert anywhere(uno, "nobody", {}, 12, random.Random(1)) is None
