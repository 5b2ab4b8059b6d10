"""Facts about KuhnPoker, and every position of it as OpenSpiel has it."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest
from support.secrets import compare_imagined, heard

from ggtp.errors import MoveError
from ggtp.game import CHANCE, HIDDEN, Position, Seen, Standing, TurnKind

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install ggtp[openspiel]")

rules = importlib.import_module("ggtp.rules.kuhnpoker").RULES


def after(*moves: str) -> Position:
    position: Position = rules.start()
    for move in moves:
        position = position.play({position.turn().players[0]: move}).position
    return position


@pytest.mark.parametrize(
    ("moves", "scores"),
    [
        (("Ks Qs", "bet", "call", "Ann Ks Bob Qs"), (2, -2)),
        (("Ks Qs", "check", "check", "Ann Ks Bob Qs"), (1, -1)),
        (("Js Qs", "check", "bet", "call", "Ann Js Bob Qs"), (-2, 2)),
        (("Js Qs", "bet", "fold"), (1, -1)),
        (("Ks Qs", "check", "bet", "fold"), (-1, 1)),
    ],
)
def test_how_it_ends(moves: tuple[str, ...], scores: tuple[int, int]) -> None:
    result = after(*moves).result()
    assert result is not None
    assert tuple(result.scores.values()) == scores
    assert result.standings["Ann"] is (Standing.WIN if scores[0] > 0 else Standing.LOSS)


def test_everybody_sees_the_own_card_only() -> None:
    first, dealt = rules.start(), after("Ks Js", "bet")
    assert first.seen(CHANCE, "Ks Js", "Bob") == f"{HIDDEN} Js"
    assert dealt.view("Bob") == "Ann 0 paid 2 ??; Bob 1 paid 1 Js; bet; Bob to act, 1 to call"
    assert after("Ks Js", "bet", "fold").view("Bob").startswith("Ann 3 paid 2 ??;")
    assert after("Ks Js", "bet", "call", "Ann Ks Bob Js").view("Bob").startswith("Ann 4 paid 2 Ks;")


@pytest.mark.parametrize(
    ("text", "move"), [("k", "check"), ("pass", "check"), ("B", "bet"), ("bet 1", "bet"), ("all in", "bet")]
)
def test_words_that_people_use(text: str, move: str) -> None:
    assert after("Ks Js").parse("Ann", text) == move


def test_what_is_no_move_is_refused_with_what_can_be_done() -> None:
    with pytest.raises(MoveError, match="fold / call"):
        after("Ks Js", "bet").parse("Bob", "check")


@pytest.mark.parametrize("players", [2, 3])
def test_every_position_is_as_in_openspiel(players: int) -> None:
    """All deals and all betting: who acts, what may be done, who wins how much."""
    game = pyspiel.load_game(f"kuhn_poker(players={players})")
    compared = 0

    def compare(position: Position, state: Any) -> None:
        nonlocal compared
        compared += 1
        if state.is_terminal():
            if position.turn().kind is TurnKind.CHANCE:
                (show,) = position.moves(CHANCE)
                position = position.play({CHANCE: show}).position
            result = position.result()
            assert result is not None
            assert [float(score) for score in result.scores.values()] == state.returns()
            return
        (player,) = position.turn().players
        assert rules.players({"players": str(players)}).index(player) == state.current_player()
        # Action 0 is passing, which is checking or folding, and 1 betting, which is also calling.
        passing, betting = ("check", "bet") if "check" in position.moves(player) else ("fold", "call")
        assert sorted(position.moves(player)) == sorted((passing, betting))
        assert state.legal_actions() == [0, 1]
        for action, move in enumerate((passing, betting)):
            compare(position.play({player: move}).position, state.child(action))

    first = rules.start({"players": str(players)})
    names = "JQK" if players == 2 else "TJQK"
    for deal in first.moves(CHANCE):
        state = game.new_initial_state()
        for word in deal.split():
            state.apply_action(names.index(word[0]))
        compare(first.play({CHANCE: deal}).position, state)
    assert compared == {2: 54, 3: 600}[players]


@pytest.mark.parametrize(("players", "games"), [("2", 8), ("3", 6), ("10", 1)])
def test_what_is_imagined_looks_like_the_truth(players: str, games: int) -> None:
    rng = random.Random(3)
    played = [compare_imagined(rules, rng, {"players": players}) for _ in range(games)]
    compared, others = map(sum, zip(*played, strict=True))
    assert compared > 50
    assert others > compared // 5


def test_another_card_of_the_opponent_changes_nothing_that_is_told() -> None:
    for line in (["check", "bet", "fold"], ["bet", "fold"], ["check", "bet"]):
        histories = []
        for deal in ("Qs Js", "Qs Ks"):
            position, history = rules.start(), [{CHANCE: deal}]
            position = position.play(history[0]).position
            for move in line:
                history.append({position.turn().players[0]: move})
                position = position.play(history[-1]).position
            histories.append(history)
        one, two = (heard(rules, history, "Ann") for history in histories)
        assert one == two


def test_every_deal_is_imagined_equally_often() -> None:
    rng, seen = random.Random(8), [Seen(CHANCE, "Qs ?"), Seen("Ann", "check")]
    cards = [rules.imagine("Ann", {}, seen, rng).view(None).split("; ")[1].split()[-1] for _ in range(400)]
    assert set(cards) == {"Js", "Ks"}
    assert 150 < cards.count("Js") < 250


def test_what_contradicts_itself_is_not_imagined() -> None:
    assert rules.imagine("Ann", {}, [Seen(CHANCE, "Qs ?"), Seen("Ann", "call")], random.Random(0)) is None
    assert rules.imagine("Ann", {}, [Seen(CHANCE, "Qs Qs")], random.Random(0)) is None
