"""What a player may learn: the rule of a hidden number, honest and not."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence

import pytest

from ggtp.errors import IllegalMove
from ggtp.game import (
    HIDDEN,
    OVER,
    Announcement,
    Move,
    Player,
    Position,
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
from ggtp.game.checks.examine import Ledger
from ggtp.game.checks.leaks import LeakDetector

PLAYERS = ("Ann", "Bob")


class Hint(Position):
    """Ann hides a number; Bob learns whether it is odd, if and only if the umpire says so."""

    words: tuple[Player | None, ...] = (None,)
    """Who is told, where the umpire speaks."""

    def __init__(self, number: Move | None = None, guess: Move | None = None) -> None:
        self.number = number
        self.guess = guess

    def turn(self) -> Turn:
        return OVER if self.guess else single("Bob" if self.number else "Ann")

    def moves(self, player: Player) -> Sequence[Move]:
        return ("1", "2", "3", "4") if player in self.turn().players else ()

    def parity(self) -> str:
        return "-" if self.number is None else "odd" if self.number in "13" else "even"

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        ((player, move),) = moves.items()
        if move not in self.moves(player):
            raise IllegalMove(move)
        after = type(self)(self.number, move) if self.number else type(self)(move)
        told = tuple(Announcement(after.parity(), to) for to in self.words if self.number is None)
        return Verdict(after, ((player, move),), announcements=told)

    def seen(self, actor: Player, move: Move, observer: Player) -> Move:
        return HIDDEN if actor == "Ann" and observer == "Bob" else move

    def result(self) -> Result | None:
        return result_by_winner(PLAYERS, "Bob" if self.guess == self.number else "Ann") if self.guess else None

    def view(self, player: Player | None) -> str:
        return f"{self.parity() if player == 'Bob' else self.number} {self.guess}"

    def key(self) -> Hashable:
        return (self.number, self.guess)

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        return None


class HintRules(Rules):
    name = "Hint"
    traits = Traits(hidden=True)

    def __init__(self, position: type[Hint] = Hint) -> None:
        self.position = position

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return PLAYERS

    def begin(self, options: Mapping[str, str]) -> Position:
        return self.position()


def findings(rules: Rules, position: Position, seen: Sequence[Seen] = ()) -> set[str]:
    ledger = Ledger()
    detector = LeakDetector(rules, PLAYERS, {}, ledger, random.Random(1))
    for _ in range(10):
        detector.probe(position, {"Ann": [Seen("Ann", seen[0].text)] if seen else [], "Bob": seen})
    return {f"{found.check}: {found.message.split(':')[0]}" for found in ledger.findings}


@pytest.mark.parametrize("to", [None, "Bob"])
def test_what_the_umpire_says_may_be_known(to: Player | None) -> None:
    class Said(Hint):
        words = (to,)

    assert findings(HintRules(Said), Said()) == set()


@pytest.mark.parametrize("words", [(), ("Ann",)])
def test_what_nobody_says_may_not(words: tuple[Player, ...]) -> None:
    class Unsaid(Hint):
        pass

    Unsaid.words = words
    assert "leak: a position after a turn that was told alike has another view" in findings(HintRules(Unsaid), Unsaid())


def test_what_only_the_umpire_says_cannot_be_imagined() -> None:
    # An engine is told moves and refusals, not the umpire's words: a view may not depend on these alone.
    found = findings(HintRules(), Hint("1"), [Seen("Ann", HIDDEN)])
    assert "imagine: an imagined position has another view" in found


def test_no_sample_is_no_finding() -> None:
    # Nothing explains these observations, so nothing is imagined and nothing can be compared.
    assert not {text for text in findings(HintRules(), Hint(), [Seen("Ann", "9")]) if text.startswith("imagine")}


def test_a_game_that_is_over_is_not_imagined() -> None:
    assert findings(HintRules(), Hint("1", "1"), [Seen("Ann", "9")]) == set()


@pytest.mark.parametrize("method", ["likely", "casual"])
def test_what_a_player_would_do_may_not_depend_on_what_it_can_not_know(method: str) -> None:
    class Knowing(Hint):
        def likely(self, player: Player) -> Sequence[Move]:
            return [self.number] if method == "likely" and self.number else self.moves(player)

        def casual(self, player: Player, rng: random.Random) -> Move:
            return self.number if method == "casual" and self.number else rng.choice(self.likely(player))

    assert any("move" in text and text.startswith("leak") for text in findings(HintRules(Knowing), Knowing()))
    assert not any("move" in text and text.startswith("leak") for text in findings(HintRules(), Hint()))


class Claim(Position):
    """Both may pass; who has the card may take as well. Everybody knows the own hand only."""

    kind = TurnKind.JOINT
    sealed = False

    def __init__(self, holders: tuple[Player, ...] = (), done: bool = False) -> None:
        self.holders = holders
        self.done = done

    def turn(self) -> Turn:
        default = dict.fromkeys(PLAYERS, "pass")
        return OVER if self.done else Turn(self.kind, PLAYERS, 1.0, default, sealed=self.sealed)

    def moves(self, player: Player) -> Sequence[Move]:
        if player not in self.turn().players:
            return ()
        return ("pass", "take") if player in self.holders else ("pass",)

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        return Verdict(type(self)(self.holders, True), tuple(moves.items()))

    def result(self) -> Result | None:
        return result_by_winner(PLAYERS, "Ann") if self.done else None

    def view(self, player: Player | None) -> str:
        hands = self.holders if player is None else tuple(holder for holder in self.holders if holder == player)
        return f"{' '.join(hands)} {self.done}"

    def key(self) -> Hashable:
        return (self.holders, self.done)

    def determinize(self, player: Player, rng: random.Random) -> Position | None:
        others = (name for name in PLAYERS if name != player and rng.random() < 0.5)
        return type(self)((*(name for name in self.holders if name == player), *others), self.done)


@pytest.mark.parametrize("kind", [TurnKind.JOINT, TurnKind.RACE])
@pytest.mark.parametrize("sealed", [False, True])
def test_a_turn_in_which_it_is_secret_who_decides_is_sealed(kind: TurnKind, sealed: bool) -> None:
    position = type("OneClaim", (Claim,), {"kind": kind, "sealed": sealed})(("Ann",))
    found = {text for text in findings(HintRules(), position) if text.startswith("sealed")}
    expected = "sealed: whether a player has a choice is secret but the turn is not sealed, so that time tells it"
    assert found == (set() if sealed else {expected})
