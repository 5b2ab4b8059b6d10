"""The defaults of the contract: what an author gets without writing it."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import pytest

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove, OptionError
from ggtp.game import (
    CHANCE_TURN,
    HIDDEN,
    OVER,
    Move,
    OpenMoves,
    Option,
    Player,
    Position,
    Result,
    Rules,
    Standing,
    Talk,
    Turn,
    TurnKind,
    Verdict,
    result_by_scores,
    result_by_winner,
    single,
)


class Listed(Position):
    """A position of Ann's with the moves that it is made with."""

    def __init__(self, *moves: Move, outcomes: Sequence[tuple[Move, int]] = ()) -> None:
        self.listed = moves
        self.outcomes = outcomes

    def turn(self) -> Turn:
        return CHANCE_TURN if self.outcomes else single("Ann")

    def moves(self, player: Player) -> Sequence[Move]:
        return self.listed if player == "Ann" else ()

    def play(self, moves: Mapping[Player, Move]) -> Verdict:
        return Verdict(self, tuple(moves.items()))

    def result(self) -> Result | None:
        return None

    def view(self, player: Player | None) -> str:
        return "what there is"

    def key(self) -> Hashable:
        return self.listed

    def chance(self) -> Sequence[tuple[Move, int]]:
        return self.outcomes


class Counted(Rules):
    name = "Counted"
    own_options = (Option("seats", "2", low=1, high=3),)
    first_player_open = True

    def players(self, options: Mapping[str, str]) -> tuple[Player, ...]:
        return ("Ann", "Bob", "Cid")[: int(options["seats"])]

    def begin(self, options: Mapping[str, str]) -> Position:
        return Listed(options["starting_player"], options["seats"])


class Fixed(Counted):
    first_player_open = False


def test_parse_takes_the_name_itself_before_anything_else() -> None:
    assert Listed("a1", "A1").parse("Ann", "A1") == "A1"


def test_parse_takes_other_cases_and_blanks() -> None:
    assert Listed("take 2 from B").parse("Ann", "  TAKE   2 from b ") == "take 2 from B"


def test_parse_does_not_guess() -> None:
    with pytest.raises(AmbiguousMove, match="a1 or A1"):
        Listed("aB", "a1", "A1").parse("Ann", "A1 ")


def test_parse_refuses_what_is_no_move() -> None:
    with pytest.raises(MalformedMove, match="No move named C3 for player Ann"):
        Listed("A1").parse("Ann", "C3")


def test_parse_says_that_it_is_not_the_players_turn() -> None:
    with pytest.raises(IllegalMove, match="It is not Bob's turn"):
        Listed("A1").parse("Bob", "A1")


def test_drawing_follows_the_weights() -> None:
    position = Listed(outcomes=(("rare", 1), ("often", 9)))
    rng = random.Random(3)
    drawn = [position.draw(rng) for _ in range(1000)]
    assert set(drawn) == {"rare", "often"}
    assert 50 < drawn.count("rare") < 150


def test_the_defaults_are_those_of_a_game_without_secrets() -> None:
    position = Listed("A1")
    assert position.seen("Ann", "A1", "Bob") == "A1" != HIDDEN
    assert position.picture("Ann").plain() == ["what there is"]
    assert not Listed("A1").chance()


def test_open_moves_are_a_tuple_that_says_what_else_there_is() -> None:
    moves = OpenMoves(["fold", "call"], ["raise 40..2000"])
    assert tuple(moves) == ("fold", "call")
    assert moves.patterns == ("raise 40..2000",)


def test_most_points_win_alone() -> None:
    result = result_by_scores({"Ann": 3, "Bob": Fraction(7, 2), "Cid": 0}, "counted")
    assert result.standings == {"Ann": Standing.LOSS, "Bob": Standing.WIN, "Cid": Standing.LOSS}
    assert result.scores["Bob"] == Fraction(7, 2)
    assert result.reason == "counted"


def test_most_points_are_shared() -> None:
    result = result_by_scores({"Ann": 3, "Bob": 3, "Cid": 1})
    assert result.standings == {"Ann": Standing.DRAW, "Bob": Standing.DRAW, "Cid": Standing.LOSS}


@pytest.mark.parametrize(
    ("winner", "scores", "standing"),
    [("Bob", {"Ann": 0, "Bob": 100}, Standing.LOSS), (None, {"Ann": 50, "Bob": 50}, Standing.DRAW)],
)
def test_result_by_winner(winner: str | None, scores: dict[str, int], standing: Standing) -> None:
    result = result_by_winner(("Ann", "Bob"), winner)
    assert result.scores == scores
    assert result.standings["Ann"] is standing


def test_an_open_first_player_is_an_option_among_those_who_play() -> None:
    option = Counted().options({"seats": "3"})[-1]
    assert (option.name, option.default, option.choices) == ("starting_player", "Ann", ("Ann", "Bob", "Cid"))


def test_a_fixed_first_player_is_no_option() -> None:
    assert [option.name for option in Fixed().options()] == ["seats"]


def test_start_completes_the_options() -> None:
    assert Counted().start({"starting_player": "bob"}).key() == ("Bob", "2")
    assert Counted().start().key() == ("Ann", "2")


@pytest.mark.parametrize("values", [{"starting_player": "Cid"}, {"seats": "4"}, {"colour": "red"}])
def test_start_refuses_what_there_is_not(values: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        Counted().start(values)


def test_partners_hear_each_other_and_others_only_where_talk_is_public() -> None:
    talk = Talk((("A", "B", "C"), ("D",)))
    assert talk.partners("B") == ("A", "C")
    assert talk.partners("D") == talk.partners("E") == ()
    assert [talk.hears(player, "A", "B") for player in "ABCD"] == [True, True, False, False]
    assert all(Talk(talk.sides, private=False).hears(player, "A", "B") for player in "ABCD")


def test_in_a_race_anybody_may_be_first() -> None:
    race, rng = Turn(TurnKind.RACE, ("Ann", "Bob"), delay=1.0), random.Random(1)
    assert {race.movers(rng) for _ in range(30)} == {("Ann",), ("Bob",)}
    assert {race.movers(rng, "Bob") for _ in range(30)} == {("Bob",)}
    assert race.movers(rng, "Eve") in {("Ann",), ("Bob",)}
    assert Turn(TurnKind.JOINT, ("Ann", "Bob")).movers(rng, "Bob") == ("Ann", "Bob")
    assert OVER.movers(rng) == ()
