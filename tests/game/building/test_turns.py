"""A game written as functions over states is a position and a searcher that agree."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from ggtp.errors import AmbiguousMove, IllegalMove, MalformedMove
from ggtp.game import (
    CHANCE,
    CHANCE_TURN,
    OVER,
    Note,
    Picture,
    Position,
    Result,
    Rules,
    Standing,
    Traits,
    advice,
    result_by_scores,
)
from ggtp.game.building.turns import (
    BY_CHANCE,
    ENDED,
    Phase,
    PhasedGame,
    TurnGame,
    TurnPosition,
    WinnerGame,
)
from ggtp.game.checks.contract import check_rules

State = tuple[int, int]


class Countdown(TurnGame[State]):
    """Two players take one to three from a heap; a state is the heap and who moves."""

    players = ("Ann", "Bob")

    def to_move(self, state: State) -> int:
        return state[1] if state[0] else -1

    def legal(self, state: State) -> Sequence[int]:
        return range(1, min(3, state[0]) + 1)

    def after(self, state: State, move: int) -> State:
        return (state[0] - move, 1 - state[1])

    def name(self, state: State, move: int) -> str:
        return f"take {move}"

    def read(self, state: State, text: str, moves: Mapping[str, int]) -> Sequence[str]:
        return [name for name in moves if text and text in name]

    def hint(self, state: State, moves: Mapping[str, int]) -> str:
        return f"write it as in {next(iter(moves))}"

    def why_not(self, state: State, text: str) -> str:
        return "so many are not left" if text.startswith("take ") else ""

    def result(self, state: State) -> Result | None:
        return None if state[0] else result_by_scores({"Ann": 100 * state[1], "Bob": 100 - 100 * state[1]}, "empty")

    def view(self, state: State) -> str:
        return f"{state[0]} left {state[1]}"

    def picture(self, state: State) -> Picture:
        return Picture((Note(self.view(state)),))


class CountdownRules(Rules):
    name = "Countdown"

    def players(self, options: Mapping[str, str]) -> tuple[str, ...]:
        return Countdown.players

    def begin(self, options: Mapping[str, str]) -> Position:
        return TurnPosition(Countdown(), (21, 0))


def position(heap: int) -> Position:
    return TurnPosition(Countdown(), (heap, 0))


def test_the_contract_holds() -> None:
    assert check_rules(CountdownRules(), rng=random.Random(1), games=10) == []


def test_moves_are_their_names() -> None:
    assert position(2).moves("Ann") == ("take 1", "take 2")
    assert position(2).moves("Bob") == ()
    assert position(2).play({"Ann": "take 2"}).position.turn() is OVER


def test_who_may_not_move_is_told_so() -> None:
    with pytest.raises(IllegalMove, match="not Bob's turn"):
        position(2).parse("Bob", "take 1")
    with pytest.raises(IllegalMove):
        position(2).play({"Bob": "take 1"})


@pytest.mark.parametrize("text", ["take 2", " TAKE  2", "2"])
def test_texts_that_mean_a_move(text: str) -> None:
    assert position(3).parse("Ann", text) == "take 2"


def test_a_text_that_means_several_names_them() -> None:
    with pytest.raises(AmbiguousMove, match="take 1 or take 2"):
        position(2).parse("Ann", "take")


def test_a_text_that_means_nothing_is_told_how_to_write_moves() -> None:
    with pytest.raises(MalformedMove, match="write it as in take 1"):
        position(2).parse("Ann", "give")


def test_the_searcher_goes_there_and_back() -> None:
    searcher = advice.searcher(position(3))
    assert searcher is not None
    searcher.play(searcher.number("take 3"))
    assert (searcher.to_move(), list(searcher.legal()), searcher.scores()) == (-1, [], [100.0, 0.0])
    searcher.undo()
    assert (searcher.to_move(), [searcher.text(move) for move in searcher.legal()]) == (
        0,
        ["take 1", "take 2", "take 3"],
    )


def test_a_move_that_can_be_read_and_not_made_is_illegal() -> None:
    with pytest.raises(IllegalMove, match="No move named take 3 for player Ann: so many are not left"):
        position(2).parse("Ann", "take 3")


class Last(WinnerGame[State]):
    """One player takes one, the other none or one; whoever takes the last of all wins, but with six it is a draw."""

    players = ("Ann", "Bob")

    def to_move(self, state: State) -> int:
        return state[1] if state[0] else ENDED

    def legal(self, state: State) -> Sequence[int]:
        return (1,) if state[0] else ()

    def after(self, state: State, move: int) -> State:
        return (state[0] - move, 1 - state[1])

    def name(self, state: State, move: int) -> str:
        return "one"

    def winner(self, state: State) -> int:
        return 1 - state[1]

    def reason(self, state: State) -> str:
        return "nothing is left"

    def view(self, state: State) -> str:
        return f"{state[0]} {self.mover(state)}"


class Drawn(Last):
    def winner(self, state: State) -> int:
        return -1


def test_a_text_that_means_nothing_is_just_that_where_no_hint_is_given() -> None:
    with pytest.raises(MalformedMove, match=r"^No move named give for player Ann\.$"):
        TurnPosition(Last(), (2, 0)).parse("Ann", "give")


@pytest.mark.parametrize(
    ("game", "scores", "standing"), [(Last(), [0, 100], Standing.LOSS), (Drawn(), [50, 50], Standing.DRAW)]
)
def test_who_wins_has_all_the_points(game: WinnerGame[State], scores: list[int], standing: Standing) -> None:
    ended = TurnPosition(game, (1, 1)).play({"Bob": "one"}).position
    result = ended.result()
    assert result is not None
    assert (result.standings["Ann"], list(result.scores.values()), result.reason) == (
        standing,
        scores,
        "nothing is left",
    )
    searcher = advice.searcher(ended)
    assert searcher is not None
    assert list(searcher.scores()) == scores
    assert TurnPosition(game, (1, 1)).result() is None


def test_the_view_is_the_picture_where_there_is_no_other_and_names_the_player_to_move() -> None:
    begun = TurnPosition(Last(), (2, 0))
    assert begun.picture(None).plain() == [begun.view(None)] == ["2 Ann"]
    assert TurnPosition(Last(), (0, 0)).view(None) == "0 -"


Pot = tuple[int, int, int, int]
"""The points of Ann and of Bob, the number of the player to move, and what is in the pot: -1 before dice are rolled."""
GOAL = 6


class Rolling(Phase[Pot]):
    """A die with a one, two twos and three threes: a one loses the turn, the others go into the pot."""

    def legal(self, state: Pot) -> Sequence[int]:
        return (1, 2, 3) if max(state[:2]) < GOAL else ()

    def weights(self, state: Pot) -> Sequence[int]:
        return (1, 2, 3)

    def after(self, state: Pot, move: int) -> Pot:
        ann, bob, mover, pot = state
        return (ann, bob, 1 - mover, -1) if move == 1 else (ann, bob, mover, -pot - 1 + move)

    def name(self, state: Pot, move: int) -> str:
        return f"a {move}"

    def remark(self, state: Pot, move: int, after: Pot) -> str:
        return "the turn is lost" if move == 1 else ""


class Deciding(Phase[Pot]):
    """The player rolls again, or keeps what is in the pot."""

    def legal(self, state: Pot) -> Sequence[int]:
        return (0, 1)

    def after(self, state: Pot, move: int) -> Pot:
        ann, bob, mover, pot = state
        if move == 0:
            return (ann, bob, mover, -pot - 1)
        return (ann + pot, bob, 1, -1) if mover == 0 else (ann, bob + pot, 0, -1)

    def name(self, state: Pot, move: int) -> str:
        return "keep" if move else "roll"

    def read(self, state: Pot, text: str, moves: Mapping[str, int]) -> Sequence[str]:
        return ["keep"] if text == "hold" else ()

    def hint(self, state: Pot, moves: Mapping[str, int]) -> str:
        return "write roll or keep"

    def why_not(self, state: Pot, text: str) -> str:
        return "the pot is not rolled for" if text == "wait" else ""


class Pig(PhasedGame[Pot], WinnerGame[Pot]):
    players = ("Ann", "Bob")
    chance = True
    rolling, deciding = Rolling(), Deciding()

    def phase(self, state: Pot) -> Phase[Pot]:
        return self.rolling if state[3] < 0 else self.deciding

    def to_move(self, state: Pot) -> int:
        return ENDED if max(state[:2]) >= GOAL else BY_CHANCE if state[3] < 0 else state[2]

    def winner(self, state: Pot) -> int:
        return 0 if state[0] >= GOAL else 1

    def reason(self, state: Pot) -> str:
        return f"{self.players[self.winner(state)]} has {GOAL} points"

    def view(self, state: Pot) -> str:
        return f"{' '.join(map(str, state))} {self.mover(state)}"


class PigRules(Rules):
    name = "Pig"
    traits = Traits(chance=True)

    def players(self, options: Mapping[str, str]) -> tuple[str, ...]:
        return Pig.players

    def begin(self, options: Mapping[str, str]) -> Position:
        return TurnPosition(Pig(), (0, 0, 0, -1))


def pig(*moves: str) -> Position:
    position = PigRules().start()
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


def test_the_contract_holds_with_chance_and_phases() -> None:
    assert check_rules(PigRules(), rng=random.Random(1), games=20) == []


def test_a_turn_of_chance_has_outcomes_with_weights() -> None:
    position = pig()
    assert position.turn() is CHANCE_TURN
    assert position.chance() == (("a 1", 1), ("a 2", 2), ("a 3", 3))
    assert position.moves(CHANCE) == ("a 1", "a 2", "a 3")
    assert position.moves("Ann") == ()
    rng = random.Random(2)
    drawn = [position.draw(rng) for _ in range(1200)]
    assert [round(drawn.count(name) / 200) for name in ("a 1", "a 2", "a 3")] == [1, 2, 3]


def test_outcomes_are_alike_where_no_weights_are_given() -> None:
    class Fair(Rolling):
        weights = Phase.weights

    assert list(Fair().weights((0, 0, 0, -1))) == [1, 1, 1]


def test_there_is_no_chance_on_a_players_turn_and_no_player_on_a_turn_of_chance() -> None:
    assert pig("a 3").chance() == ()
    assert pig("a 3").moves(CHANCE) == ()
    with pytest.raises(IllegalMove, match="not Ann's turn"):
        pig().parse("Ann", "roll")
    with pytest.raises(IllegalMove):
        pig("a 3").play({CHANCE: "a 3"})


def test_each_phase_has_moves_of_its_own() -> None:
    position = pig("a 3")
    assert (position.turn().players, position.moves("Ann")) == (("Ann",), ("roll", "keep"))
    assert position.parse("Ann", "hold") == "keep"
    assert pig("a 3", "roll", "a 2").view(None) == "0 0 0 5 Ann"
    with pytest.raises(MalformedMove, match="write roll or keep"):
        position.parse("Ann", "give")
    with pytest.raises(IllegalMove, match="the pot is not rolled for"):
        position.parse("Ann", "wait")


def test_the_umpire_says_what_a_phase_remarks() -> None:
    assert [words.text for words in pig().play({CHANCE: "a 1"}).announcements] == ["the turn is lost"]
    assert pig().play({CHANCE: "a 2"}).announcements == ()


def test_a_game_of_chance_ends_and_has_no_searcher() -> None:
    ended = pig("a 3", "roll", "a 3", "keep")
    assert ended.turn() is OVER
    assert advice.searcher(pig("a 3")) is None
    result = ended.result()
    assert result is not None
    assert result.reason == "Ann has 6 points"
