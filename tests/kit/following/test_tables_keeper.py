"""Tables of a play: moved on, mended, and asked for by two threads."""

import importlib
import random

import pytest
from support.games import Hunt

from ggtp.game import Refused, TurnKind
from ggtp.game.checks.examine import choose
from ggtp.kit.following import tables_keeper as module
from ggtp.kit.following.play import Play


def hunt(*told, seed=1, log=None):
    play = Play(Hunt(), {}, random.Random(seed), (log if log is not None else []).append)
    for actor, text in told:
        play.made(actor, text)
    return play


def table(play, number=0, player="Bob", stop=lambda: False, to_move=False):
    return play.keeper.table(play.node, number, player, random.Random(number), stop, to_move=to_move)


def test_tables_of_different_numbers_differ() -> None:
    play = hunt(("Ann", "?"))
    assert len({table(play, number).secret for number in range(30)}) == 4


def test_a_table_is_moved_on_and_stays_the_same_as_long_as_it_fits() -> None:
    play = hunt(("Ann", "?"))
    before = {number: table(play, number).secret for number in range(20)}
    play.made("Bob", "one far")
    after = {number: table(play, number).secret for number in range(20)}
    assert set(after.values()) == {"three", "four"}
    assert all(after[number] == secret for number, secret in before.items() if secret in ("three", "four"))


def test_a_refuted_table_is_mended_from_what_stood_before(monkeypatch):
    """No history is sampled: from the table at the start another way leads here."""
    play = hunt()
    assert table(play) is not None
    play.made("Ann", "?")
    play.made("Bob", "one near")
    monkeypatch.setattr(play.keeper, "imagine", lambda *args: None)
    found = [table(play, number).secret for number in range(20)]
    assert found.count("two") > 12


def test_where_nothing_explains_what_was_seen_an_old_table_is_kept() -> None:
    logged = []
    play = hunt(("Ann", "?"), log=logged)
    before = table(play)
    play.made("Bob", "one nowhere")
    assert table(play) is before
    play.made("Bob", "two nowhere")
    assert table(play) is before
    assert logged == ["no table explains all that was seen; one that explains most of it must do"]
    assert play.keeper.contradicted


def test_it_stops_looking_when_it_is_told_to() -> None:
    play = hunt(("Ann", "?"), ("Bob", "one nowhere"))
    asked = []

    def stop():
        asked.append(1)
        return True

    table(play, stop=stop)
    assert len(asked) <= 4


def test_what_stood_long_ago_is_forgotten(monkeypatch):
    monkeypatch.setattr(module, "KEPT", 1)
    play = hunt(("Ann", "?"))
    table(play)
    first = play.node
    assert first.tables
    play.made("Bob", "one far")
    table(play)
    assert play.node.tables
    assert first.tables == {}


def test_after_a_refusal_only_tables_that_explain_it_stand() -> None:
    play = hunt(("Ann", "?"))
    table(play)
    play.node.refused = (Refused("nothing"),)
    play.keeper.refused(play.node, "Bob")
    assert play.node.tables == {}


@pytest.mark.parametrize("to_move", [True, False])
def test_a_table_in_which_it_is_the_players_turn(to_move):
    play = hunt(("Ann", "?"))
    assert "Bob" in table(play, to_move=to_move).turn().players


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stem", "values", "games"),
    [
        ("phantomgo", {"size": "5"}, 3),
        ("phantomothello", {"size": "6"}, 1),
        ("kriegspiel", {"max_moves": "30"}, 2),
        ("mahjong", {}, 6),
        ("hexwar", {"turns": "4"}, 2),
    ],
)
def test_who_is_asked_to_move_has_a_table_with_its_moves(stem, values, games):
    """Through whole games, refusals and claims that do not stand included, told as a referee tells them."""
    rules = importlib.import_module(f"ggtp.rules.{stem}").RULES
    options = rules.complete(values)
    for seed in range(games):
        rng, logged = random.Random(seed), []
        plays = {who: Play(rules, options, random.Random(seed), logged.append) for who in rules.players(options)}
        position = rules.begin(options)
        while position.turn().kind is not TurnKind.OVER:
            for player in position.turn().players:
                if player in plays:
                    mine = plays[player].keeper.table(
                        plays[player].node, 0, player, random.Random(seed), lambda: False, to_move=True
                    )
                    assert list(mine.moves(player)) == list(position.moves(player))
                    assert mine.view(player) == position.view(player)
            verdict = position.play(choose(position, rng))
            for player, play in plays.items():
                for refusal in verdict.refused:
                    if refusal.player == player:
                        play.refused(refusal.move, refusal.reason, player)
                for actor, move in verdict.made:
                    play.made(actor, position.seen(actor, move, player))
            position = verdict.position
        assert logged == []


def test_whoever_has_to_move_finds_something_to_choose_from_though_nothing_explains_what_was_seen() -> None:
    for seed in range(20):
        play = hunt(("Ann", "?"), ("Bob", "one nowhere"), seed=seed)
        found = table(play, number=seed, to_move=True)
        assert found.turn().players == ("Bob",)
        assert play.keeper.contradicted
        # What Bob knows by himself is still true.
        assert list(found.moves("Bob")) == ["two", "three", "four"]
