"""The play itself: what is chosen, what is played, and what is written down of it."""

from __future__ import annotations

import gc

import pytest
from support.playbook import catalogue

from ggtp.errors import CommandError, OptionError
from ggtp.game import Standing, TurnKind
from ggtp.game.record import Node
from ggtp.play.play import HUMAN, Play, SeatPlan


def play(rule: str = "TicTacToe", *, begin: bool = True) -> Play:
    result = Play()
    result.choose(catalogue().find_rules(rule), rule)
    if begin:
        result.begin(keep=True)
    return result


def move(play: Play, player: str, text: str) -> None:
    play.commit(player, play.parse(player, text))


def test_nothing_can_be_done_without_a_rule() -> None:
    for act in (Play().need_rules, Play().need_record, Play().turn, Play().undo, lambda: Play().find_player("Cross")):
        with pytest.raises(CommandError, match=r"^No rule is set\. Use set_rule\.$"):
            act()


def test_choosing_a_rule_forgets_everything_but_what_is_not_written_yet() -> None:
    table = play()
    table.fresh = ["set_option seed 1"]
    table.seats["Cross"] = SeatPlan("Engine", "Engine")
    table.choose(catalogue().find_rules("Nim"), "Nim")
    assert table.players == ("Left", "Right")
    assert [seat.engine for seat in table.seats.values()] == [HUMAN, HUMAN]
    assert table.record is None
    assert table.lines == ["set_rule Nim"]
    assert table.fresh == ["set_option seed 1", "set_rule Nim"]


def test_players_are_found_without_regard_to_case() -> None:
    table = play()
    assert table.find_player("cIRCLE") == "Circle"
    assert table.find_player("chance", chance=True) == "Chance"
    for name in ("Chance", "Square", ""):
        with pytest.raises(CommandError, match=f"No player named {name}"):
            table.find_player(name)


def test_options_are_checked_together_and_written_canonically() -> None:
    table = play("CantStop")
    assert table.set_option("PLAYERS", "03") == ("players", "3")
    assert table.record is None
    table.set_option("starting_player", "blue")
    table.set_option("players", "2")
    assert table.values == {"players": "2"}, "Blue is gone, and can't begin"
    assert table.lines[-3:] == [
        "set_rule_option players 3",
        "set_rule_option starting_player Blue",
        "set_rule_option players 2",
    ]
    before = (dict(table.values), list(table.lines), table.players)
    for name, value in (("players", "5"), ("nothing", "1"), ("starting_player", "Blue")):
        with pytest.raises(OptionError):
            table.set_option(name, value)
    assert (table.values, table.lines, table.players) == before


def test_moves_are_parsed_for_whose_turn_it_is() -> None:
    table = play()
    assert table.parse("Cross", "a1") == "A1"
    with pytest.raises(CommandError, match="It is not Circle's turn"):
        table.parse("Circle", "A1")
    with pytest.raises(CommandError, match="No move named Z9 for player Cross"):
        table.parse("Cross", "Z9")


def test_a_joint_turn_waits_for_all() -> None:
    table = play("RockPaperScissors")
    assert table.commit("Right", "Rock") is None
    assert table.pending == {"Right": "Rock"}
    with pytest.raises(CommandError, match="Right has chosen already"):
        table.parse("Right", "Paper")
    node = table.commit("Left", "Paper")
    assert node is not None
    assert node.made == (("Left", "Paper"), ("Right", "Rock"))
    assert table.pending == {}
    assert table.turn().kind is TurnKind.OVER


def test_a_forfeit_ends_the_play() -> None:
    table = play()
    move(table, "Cross", "A1")
    table.forfeit("Circle", "tired")
    result = table.result()
    assert result is not None
    assert result.standings == {"Cross": Standing.WIN, "Circle": Standing.LOSS}
    assert result.reason == "Circle forfeits: tired"
    assert table.turn().kind is TurnKind.OVER
    for act in (lambda: table.forfeit("Cross", ""), lambda: table.parse("Circle", "B1")):
        with pytest.raises(CommandError, match="The play is over"):
            act()
    assert table.lines[-1] == "forfeit Circle tired"


def test_what_holds_the_play_and_what_lets_it_go() -> None:
    table = play()
    move(table, "Cross", "A1")
    assert not table.held
    for act in (table.undo, table.redo, lambda: table.goto("0")):
        act()
        assert table.held
    move(table, "Cross", "B1")
    assert not table.held


def test_a_play_that_is_forgotten_leaves_nothing_that_only_a_search_for_garbage_would_free() -> None:
    """A referee that plays many games would grow with what it has not looked for yet."""
    table = play()
    gc.collect()
    before = sum(isinstance(each, Node) for each in gc.get_objects())
    gc.disable()
    try:
        for _ in range(50):
            table.begin(keep=False)
            for player, square in (("Cross", "A1"), ("Circle", "B2"), ("Cross", "C3")):
                move(table, player, square)
        assert sum(isinstance(each, Node) for each in gc.get_objects()) <= before + 4
    finally:
        gc.enable()


def test_beginning_again_keeps_or_forgets() -> None:
    for keep, nodes in ((True, 2), (False, 1)):
        table = play()
        move(table, "Cross", "A1")
        table.note("set_engine Cross human")
        table.begin(keep=keep)
        assert table.record is not None
        assert len(table.record.nodes) == nodes
        assert table.record.cursor.number == 0
        assert ("force_play Cross A1" in table.lines) == keep
        assert "set_engine Cross human" in table.lines
        assert table.lines[-1] == "start"
