"""What a play file means: the game that comes of it, or the line that is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from support.games import Faulty
from support.tournaments import find_rules

from ggtp.errors import CommandError, PlayFileError, RuleFailed
from ggtp.game import Rules, Standing
from ggtp.play import replay as replaying
from ggtp.play.play import HUMAN
from ggtp.play.replay import Replay, RulesOnly, begun, command_lines, make, make_all, replay, without_torn
from ggtp.play.writing import HEADER
from ggtp.protocol.codec import is_comment
from ggtp.protocol.commands import PLAY_FILE
from ggtp.protocol.messages import Command

BRANCHES = """\
# Circle must not answer a corner at the side.
set_option time_bank 60000
set_rule tictactoe
set_rule_option starting_player cross
set_engine circle NoSuchEngine
set_engine_option Circle depth 3
set_engine Cross person:Anna
start
force_play Cross a1
name_node corner
force_play Circle A2
comment_node loses
force_play Cross B2
goto_node corner
force_play Circle B2
comment_node <b>draws</b>
list_played_moves
undo
redo
"""


def test_a_file_is_followed_without_its_engines() -> None:
    found = replay(BRANCHES, find_rules, "x.ggtp")
    play = found.play
    record = play.need_record()
    assert found.options == {"time_bank": "60000"}
    assert play.seats["Circle"].engine == "NoSuchEngine"
    assert play.seats["Circle"].settings == {"depth": "3"}
    assert play.seats["Cross"].engine == "person:Anna"
    assert record.line() == [("Cross", "A1"), ("Circle", "B2")]
    assert [node.name for node in record.nodes] == ["", "corner", "", "", ""]
    assert [node.comment for node in record.nodes] == ["", "", "loses", "", "<b>draws</b>"]
    assert play.held, "after redo somebody has to let it go on"


def test_what_was_recorded_is_replayed_to_the_same_lines() -> None:
    play = replay(BRANCHES, find_rules).play
    assert replay("\n".join(play.lines), find_rules).play.lines == play.lines


def test_dice_are_those_of_the_file() -> None:
    play = replay("set_rule CantStop\nstart\nforce_play Chance 1 3 3 4\nforce_play Red 4 7\n", find_rules).play
    assert play.moves == ["Chance 1 3 3 4", "Red 4 7"]
    assert play.turn().players == ("Red",), "nothing is drawn that the file does not draw"


def test_a_choice_in_a_joint_turn_waits_for_the_others() -> None:
    play = replay("set_rule RockPaperScissors\nstart\nplay Left Rock\n", find_rules).play
    assert play.pending == {"Left": "Rock"}


def test_forfeits() -> None:
    play = replay("set_rule TicTacToe\nstart\nforfeit cross it was tired\n", find_rules).play
    result = play.result()
    assert result is not None
    assert result.standings == {"Cross": Standing.LOSS, "Circle": Standing.WIN}


def test_messages_are_at_the_place_where_they_were_sent() -> None:
    lines = ["set_rule TreasureHunt", "start", "tell north south go there"]
    play = replay("\n".join(lines), find_rules).play
    (message,) = play.need_record().nodes[0].messages
    assert (message.sender, message.receiver, message.text) == ("North", "South", "go there")


@pytest.mark.parametrize(("option", "nodes"), [("", 3), ("set_option KEEP_PLAYS Off\n", 2), ("set_option seed 3\n", 3)])
def test_plays_are_kept_unless_the_file_says_otherwise(option: str, nodes: int) -> None:
    text = f"{option}set_rule TicTacToe\nstart\nforce_play Cross A1\nstart\nforce_play Cross B2\n"
    assert len(replay(text, find_rules).play.need_record().nodes) == nodes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("set_rule TicTacToe\nstart\nforce_play Cross Z9\n", "x, line 3: No move named Z9 for player Cross."),
        ("set_rule NoSuchRule\n", "x, line 1: No rule named NoSuchRule."),
        ("\n# a comment\nwhat is this\n", "x, line 3: Unknown command what."),
        ("set_rule TicTacToe\nquit\n", "x, line 2: quit can't be used in a play file."),
        ("set_rule TicTacToe\nset_engine Square Random\n", "x, line 2: No player named Square."),
        ("set_rule TicTacToe\nset_engine_option Cross depth 3\n", "x, line 2: Cross is played by a human."),
        ("set_rule TicTacToe\nset_engine Cross E\nstart\nplay Cross A1\n", "x, line 4: Cross is played by E."),
        ("force_play Cross A1\n", "x, line 1: No rule is set."),
        ("set_rule TicTacToe\nforce_play Cross A1\n", "x, line 2: The play is not started."),
        ("set_rule TicTacToe\nstart\nundo\n", "x, line 3: There is no move to undo."),
        ("set_rule TicTacToe\nstart\nname_node 3\n", "x, line 3: 3 can't be a name"),
    ],
)
def test_a_line_that_is_refused_is_named(text: str, said: str) -> None:
    with pytest.raises(PlayFileError) as caught:
        replay(text, find_rules, "x")
    assert str(caught.value).startswith(said)
    assert caught.value.caret() == [text.splitlines()[caught.value.line - 1]]


def test_a_rule_that_fails_is_named_with_the_line() -> None:
    def find(name: str) -> Rules:
        return Faulty(lambda method, played: method == "parse")

    with pytest.raises(PlayFileError, match=r"^line 3: The rule Faulty failed in parse") as caught:
        replay("set_rule Faulty\nstart\nforce_play Ann grab\n", find)
    assert isinstance(caught.value.__cause__, RuleFailed)


def test_a_person_s_seat_is_free_again() -> None:
    play = replay("set_rule TicTacToe\nset_engine Cross E\nset_engine Cross Human\n", find_rules).play
    assert play.seats["Cross"].engine == HUMAN
    assert play.record is None


def test_every_command_of_a_file_is_carried_out_or_asks() -> None:
    class Listening(RulesOnly):
        def asked(self, command: Command) -> None:
            asked.add(command.name)

    asked: set[str] = set()
    for name, spec in PLAY_FILE.items():
        with suppress(PlayFileError):
            list(Replay(Listening(find_rules)).follow(" ".join((name, *["1"] * spec.fewest))))
    assert asked == {name for name, spec in PLAY_FILE.items() if not spec.recorded} - {"play", "force_play"}


def test_a_line_that_was_cut_off_is_left_out_of_our_own_files() -> None:
    assert without_torn(f"{HEADER}\nstart\nforce_play Cr") == (f"{HEADER}\nstart", "force_play Cr")
    assert without_torn(f"{HEADER}\nstart\n") == (f"{HEADER}\nstart\n", "")
    assert without_torn("start\nforce_play Cross A1") == ("start\nforce_play Cross A1", "")


def test_only_lines_with_commands_are_looked_at() -> None:
    blank = "\n" * 1_000_000 + " \t\r\n# comment\n #\n"
    text = f"{blank}start\n{blank}  undo # 1\n{blank}"
    assert list(command_lines(text)) == [(1_000_004, "start"), (2_000_008, "  undo # 1")]


@pytest.mark.parametrize(
    "text", ["", "\n", "#", " ", "a", "\na", "a\n\nb", "é\n \u2028x", "\x0cstart", " #a\n#b\n\tc \n"]
)
def test_lines_with_commands_are_those_that_mean_something(text: str) -> None:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if not is_comment(line)]
    assert list(command_lines(text)) == lines


def test_a_file_with_too_many_commands_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "MOST_COMMANDS", 3)
    text = "\n#\nset_rule tictactoe\nstart\nforce_play Cross a1\n"
    assert replay(text, find_rules).play.record is not None
    with pytest.raises(PlayFileError, match="line 7: A play file may have 3 commands"):
        replay(f"{text}\nundo\n", find_rules, "x")
    found = replay(f"{HEADER}\nset_rule TicTacToe\nstart\nforce_play Cross A", find_rules)
    assert (found.torn, found.play.moves) == ("force_play Cross A", [])


def test_moves_are_made_up_to_the_one_that_is_refused() -> None:
    play = begun(find_rules("TicTacToe"), "TicTacToe", {"starting_player": "Circle"})
    assert make(play, "circle b2") is not None
    with pytest.raises(CommandError):
        make_all(play, ["Cross A1", "Cross A2", "Circle A2"])
    assert play.moves == ["Circle B2", "Cross A1"]


def test_whoever_wants_to_know_is_told_how_far_a_long_file_is_and_can_give_it_up() -> None:
    told: list[str] = []
    text = "set_rule TicTacToe\nstart\n" + "play Cross A1\nundo\n" * 40
    replay(text, find_rules, "x.ggtp", told.append)
    assert told == ["x.ggtp: line 32 of 82 is replayed", "x.ggtp: line 64 of 82 is replayed"]

    def give_up(words: str) -> None:
        raise CommandError("Interrupted.")

    with pytest.raises(CommandError, match=r"^Interrupted\.$"):
        replay(text, find_rules, "x.ggtp", give_up)
