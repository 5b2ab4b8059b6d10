"""Play files: what is written, and that loading is all or nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.games import Grab
from support.playbook import Actor, FakeEngine, Playbook, changes

from ggtp.game import TurnKind
from ggtp.protocol.commands import PLAY_FILE, SUPERVISOR
from ggtp.referee.commands import files
from ggtp.referee.effects import Pause, StartEngine

PLAY = """\
# GGTP play file
set_rule TicTacToe
start
force_play Cross A1
force_play Circle B2
"""


def loaded(text: str, **extra: object) -> Playbook:
    book = Playbook(files={"file": text}, engines={"Mute": lambda: Actor()}, **extra)  # type: ignore[arg-type]
    book.lay("load_file file")
    return book


def refusal(text: str, book: Playbook | None = None) -> str:
    """The answer to a file that can't be loaded; nothing may have changed."""
    book = book or Playbook(engines={"Mute": lambda: Actor()})
    book.files["file"] = text
    before = book.snapshot()
    answer = book.say("load_file file")
    assert answer.startswith("? "), answer
    assert not changes(before, book.snapshot())
    return answer


def tree(book: Playbook) -> list[tuple[object, ...]]:
    """The play tree in full, but for what is not written into a file."""
    record = book.referee.view.play.record
    if record is None:
        return []
    rows: list[tuple[object, ...]] = [
        (
            node.number,
            node.parent.number if node.parent else None,
            node.made,
            node.verdict.refused,
            node.forfeit,
            node.name,
            node.comment,
            node.position.key(),
            node.latest.number if node.latest else None,
        )
        for node in record.nodes
    ]
    return [*rows, (record.cursor.number, dict(book.referee.view.play.pending))]


def reloaded(book: Playbook) -> Playbook:
    """Another table, where what was saved here is loaded."""
    book.lay("save_file again")
    other = Playbook(files=book.files, engines=book.actors, rules=book.rules)
    other.lay("load_file again")
    assert other.files["again"].splitlines()[1:] != []
    return other


# Saving.


def test_what_is_recorded_and_what_is_not() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_option show_table off", "set_rule tictactoe", "save_file game")
    assert book.files["game"] == "# GGTP play file\nset_option show_table off\nset_rule TicTacToe\n"
    book.run(
        """
        set_rule_option STARTING_PLAYER circle
        file+ set_rule_option starting_player Circle
        = Done
        set_engine cross mute
        file+ set_engine Cross Mute
        = Done
        set_engine_option Cross Depth 3
        file+ set_engine_option Cross Depth 3
        = Done
        start
        file+ start
        = Done
        play circle a1
        file+ force_play Circle A1
        -> Circle plays A1
        = Done
        undo
        file+ undo
        -> Undoing a move
        = Done
        redo
        file+ redo
        -> Redoing a move
        = Done
        set_option TIME_MOVE 0500
        file+ set_option time_move 500
        = Done
        name_node first  move
        file+ name_node first  move
        = Done
        comment_node a good one
        file+ comment_node a good one
        = Done
        goto_node first  move
        file+ goto_node 1
        = Done
        get_table
        = O../.../... Cross
        play Cross A1
        ? Cross is played by Mute. Use force_play to move for it.
        forfeit Cross it was tired
        file+ forfeit Cross it was tired
        -> Cross forfeits: it was tired
        -> Cross=loss, Circle=win (Cross forfeits: it was tired)
        = Done
        close_file
        file closed
        = Done
        close_file
        ? No file is open.
        """
    )


def test_the_table_of_recorded_commands_is_what_is_recorded() -> None:
    """Commands that the table calls recorded are those above (and `tell`), and moves are written as force_play."""
    assert {name for name, spec in SUPERVISOR.items() if spec.recorded} == {
        "set_option", "set_rule", "set_rule_option", "set_engine", "set_engine_option", "start", "undo", "redo",
        "goto_node", "name_node", "comment_node", "forfeit", "tell",
    }  # fmt: skip


def test_a_move_is_in_the_file_before_it_is_told_and_answered() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule TicTacToe", "set_engine Circle Mute", "save_file game", "start")
    book.cast.clear()
    book.run(
        """
        play Cross A1
        file+ force_play Cross A1
        1< made_move Cross A1
        -> Cross plays A1
        = Done
        """
    )


def test_a_file_that_can_t_be_written_is_refused_and_the_old_one_stays_open() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "save_file game", "start")
    book.broken_disk = "full: No space left on device."
    before = book.snapshot()
    assert book.say("save_file other") == "? full: No space left on device."
    assert not changes(before, book.snapshot())
    book.broken_disk = ""
    book.lay("play Cross A1")
    assert book.files["game"].endswith("force_play Cross A1\n")


def test_a_disk_that_fails_later_closes_the_file_and_says_so() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "save_file game", "start")
    book.broken_disk = "No space left on device."
    book.run(
        """
        play Cross A1
        -> Cross plays A1
        = Done
        -> The play file game is closed: No space left on device.
        play Circle B2
        -> Circle plays B2
        = Done
        """
    )


# Loading.


@pytest.mark.parametrize("text", ["", "\n", "# GGTP play file\n\n \t\n", "# no line's end"])
def test_a_file_without_commands_is_refused_and_changes_nothing(text: str) -> None:
    book = Playbook(files={"file": text})
    book.lay("set_rule TicTacToe", "start", "play Cross A1")
    before = book.snapshot()
    assert book.say("load_file file") == "? file has no commands."
    assert not changes(before, book.snapshot())


def test_a_play_file_is_run() -> None:
    book = loaded(PLAY)
    assert book.say("list_played_moves") == "= Cross A1, Circle B2"
    assert book.say("get_rule") == "= TicTacToe"


def test_a_file_of_ours_that_was_cut_off_in_the_middle_of_a_line() -> None:
    """`force_play Circle B2` without its end may have been `force_play Circle B25`."""
    book = Playbook(files={"file": PLAY[:-1]})
    book.run(
        """
        load_file file
        -> file ends in the middle of a line, which is left out: force_play Circle B2
        = Done
        list_played_moves
        = Cross A1
        """
    )


def test_comments_blank_lines_and_queries_may_be_in_a_file() -> None:
    book = Playbook(files={"file": PLAY + "\n  # a comment\r\n\nlist_played_moves\nget_rule\n"})
    book.run(
        """
        load_file file
        -> Cross A1, Circle B2
        -> TicTacToe
        = Done
        """
    )


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("set_rule TicTacToe\nstart\nplay Cross Z9\n", "? file, line 3: No move named Z9 for player Cross."),
        ("set_enginz x y", "? file, line 1: Unknown command set_enginz. Use list_commands to see the commands. "
         "Did you mean set_engine?"),
        ("\n\nset_engine Cross", "? file, line 3: Usage: set_engine player engine"),
        ("set_rule Nothing", "? file, line 1: No rule named Nothing."),
        ("play Cross A1", "? file, line 1: No rule is set. Use set_rule."),
        ("set_rule TicTacToe\nplay Cross A1", "? file, line 2: The play is not started. Use start."),
        ("set_rule TicTacToe\nset_engine Cross Nobody", "? file, line 2: No engine named Nobody."),
        ("set_rule TicTacToe\nset_engine_option Cross Depth 3", "? file, line 2: Cross is played by a human."),
        ("set_option genmove perhaps", "? file, line 1: No value perhaps for option genmove: it takes on, off."),
        (PLAY + "undo\nundo\nundo\n", "? file, line 8: There is no move to undo."),
        (PLAY + "goto_node 7\n", "? file, line 6: No node 7 in the play tree."),
        (PLAY + "force_play Circle C3\n", "? file, line 6: It is not Circle's turn."),
        ("set_option seed 3\nset_option time_move 9\nfrobnicate", "? file, line 3: Unknown command frobnicate. "
         "Use list_commands to see the commands."),
        ("set_rule TicTacToe\nset_engine Cross Mute\nset_engine_option Cross Rule Nim",
         "? file, line 3: Option Rule is set by the referee."),
        ("set_rule TicTacToe\nset_engine Cross Mute\nset_engine_option Cross rule Nim",
         "? file, line 3: Option rule is set by the referee."),
    ],
)  # fmt: skip
def test_a_refused_line_is_named_and_nothing_has_changed(text: str, answer: str) -> None:
    assert refusal(text) == answer


@pytest.mark.parametrize("name", sorted(SUPERVISOR.keys() - PLAY_FILE.keys()))
def test_some_commands_have_no_place_in_a_file(name: str) -> None:
    words = " ".join([name, *(["1"] * SUPERVISOR[name].fewest)])
    assert refusal(f"{PLAY}{words}\n") == f"? file, line 6: {name} can't be used in a play file."


def test_a_file_that_fails_leaves_a_play_in_progress_as_it_is() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "5"})
    book.lay("set_rule CantStop", "set_engine Red Mute", "save_file game", "start")
    refusal("set_option seed 77\nset_rule CantStop\nstart\nforce_play Chance 1 1 1 1\nforce_play Red nothing\n", book)
    refusal("set_option seed 77\nset_rule TicTacToe\nset_engine Cross Mute\nstart\nundo\n", book)
    assert book.links() == {1}


def test_a_play_in_progress_goes_on_after_a_file_that_failed() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, files={"file": "frobnicate"})
    book.lay("set_rule TicTacToe", "set_engine Cross Mute", "start")
    assert book.say("load_file file").startswith("? file, line 1")
    book.engine(1, "select_move A1")
    assert book.say("get_last_move") == "= Cross A1"


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"set_option": "invalid_option_value"}, "Engine Fussy can't play TicTacToe with these options."),
        ({"connect_engine": "rubbish"}, "Engine Fussy failed: not an answer of Table 3: rubbish."),
    ],
)
def test_an_engine_that_fails_stops_the_loading(answers: dict[str, str], why: str) -> None:
    book = Playbook(engines={"Mute": lambda: Actor(), "Fussy": lambda: Actor(**answers)})
    book.lay("set_rule Nim", "set_engine Left Mute", "start")
    text = "set_option time_move 500\nset_rule TicTacToe\nset_engine Cross Mute\nset_engine Circle Fussy\nstart\n"
    assert refusal(text, book) == f"? file: {why}"
    assert book.links() == {1}


def test_an_engine_that_can_t_play_the_file_s_rule() -> None:
    book = Playbook(descriptions=[FakeEngine("Picky", plays=lambda rules: rules.name == "Nim")])
    assert refusal("set_rule TicTacToe\nset_engine Cross Picky", book) == (
        "? file, line 2: Engine Picky can't play TicTacToe."
    )


def test_loading_starts_the_engines_and_tells_them_the_play() -> None:
    book = Playbook(engines={"Old": lambda: Actor(), "New": lambda: Actor()})
    book.lay("set_rule Nim", "set_engine Left Old", "start")
    book.files["file"] = (
        "set_rule TicTacToe\nset_engine Circle New\nset_engine_option Circle Depth 3\nstart\nforce_play Cross A1\n"
    )
    book.lay("load_file file")
    assert book.links() == {2}
    assert book.cast[2].heard == [
        "connect_engine",
        "list_options",
        "set_option rule TicTacToe",
        "set_option player Circle",
        "set_option Depth 3",
        "start",
        "made_move Cross A1",
        "have_to_play",
    ]


def test_banks_are_full_wherever_a_loaded_play_goes_back_to() -> None:
    book = loaded(f"set_option time_bank 60000\n{PLAY}")
    book.referee.set_banks({"Cross": 3.0, "Circle": 4.0})
    book.lay("play Cross C3", "undo", "undo")
    assert (book.say("get_clock Cross"), book.say("get_clock Circle")) == ("= 60000", "= 60000")


def test_loading_again_what_was_loaded_and_played_on() -> None:
    book = loaded(PLAY)
    book.lay("play Cross C3", "undo", "play Cross C1")
    assert tree(reloaded(book)) == tree(book)


def test_loading_while_a_file_is_open_keeps_that_file_true() -> None:
    """What is in an open file is the play: it is told of the one that was loaded."""
    book = Playbook(files={"other": PLAY})
    book.lay("set_rule Nim", "save_file game", "start", "play Left take 1 from A")
    book.lay("load_file other", "play Cross C3")
    again = Playbook(files=book.files)
    again.lay("load_file game")
    assert tree(again) == tree(book)
    assert again.say("list_played_moves") == "= Cross A1, Circle B2, Cross C3"


def test_a_deadline_of_the_play_before_does_not_outlive_it() -> None:
    book = Playbook(rules={"Grab": Grab()}, files={"unstarted": "set_rule Grab\n"})
    book.lay("set_rule Grab", "start", "load_file unstarted")
    book.wait(10.0)
    assert book.say("get_last_move") == "? The play is not started. Use start."


# Whatever was played, saved and loaded is the same.


def test_branches_come_back() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "start", "play Cross A1", "play Circle B1", "undo", "play Circle C1", "undo")
    book.lay("undo", "play Cross B2", "name_node the middle", "goto_node 2", "comment_node was it good?", "start")
    book.lay("play Cross C3", "undo", "redo", "goto_node the middle", "forfeit Circle", "undo")
    assert tree(reloaded(book)) == tree(book)


def test_a_commitment_comes_back() -> None:
    book = Playbook()
    book.lay("set_rule RockPaperScissors", "set_rule_option rounds 3", "start")
    book.lay("play Left Rock", "undo", "play Left Paper", "play Right Rock", "play Right Scissors")
    assert tree(reloaded(book)) == tree(book)


def test_refused_tries_come_back() -> None:
    book = Playbook(defaults={"view": "all"})
    book.lay("set_rule PhantomTicTacToe", "start", "play Cross A1", "play Circle A1", "play Circle B2", "play Cross B2")
    assert tree(reloaded(book)) == tree(book)


@pytest.mark.parametrize("view", ["all", "auto", "Cross"])
def test_a_view_comes_back(view: str) -> None:
    """It names a player, so it can only be set when there is a rule."""
    book = Playbook()
    book.lay("set_rule PhantomTicTacToe", f"set_option view {view}", "start", "play Cross A1")
    other = reloaded(book)
    assert other.say("get_option view") == f"= {view}"


def test_a_view_of_a_player_that_is_gone_does_not_spoil_the_file() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "set_option view Cross", "set_rule Nim", "start")
    assert reloaded(book).say("get_rule") == "= Nim"


def test_plays_are_kept_though_the_option_was_changed_later() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "start", "play Cross A1", "start", "play Cross B2", "start", "goto_node 1")
    book.lay("set_option keep_plays off")
    other = reloaded(book)
    assert tree(other) == tree(book)
    assert other.say("get_option keep_plays") == "= off"


def test_plays_are_kept_though_the_one_who_loads_them_does_not() -> None:
    book = Playbook()
    book.lay("set_rule TicTacToe", "start", "play Cross A1", "start", "play Cross B2", "goto_node 1", "save_file game")
    other = Playbook(files=book.files, defaults={"keep_plays": "off"})
    other.lay("load_file game")
    assert tree(other) == tree(book)


def test_without_keeping_only_the_last_play_is_written() -> None:
    book = Playbook()
    book.lay("set_option keep_plays off", "set_rule TicTacToe", "start", "play Cross A1", "start", "play Cross B2")
    assert tree(reloaded(book)) == tree(book)
    assert "force_play Cross A1" not in book.files["again"]


ACTS = st.one_of(
    st.tuples(st.just("move"), st.integers(0, 40)),
    st.tuples(st.sampled_from(["undo", "redo", "start", "genmove"]), st.just(0)),
    st.tuples(st.just("goto_node"), st.integers(0, 30)),
    st.tuples(st.sampled_from(["name_node", "comment_node"]), st.integers(0, 5)),
    st.tuples(st.just("forfeit"), st.integers(0, 1)),
    st.tuples(st.just("save"), st.just(0)),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(["TicTacToe", "RockPaperScissors", "PhantomTicTacToe", "CantStop", "Grab"]),
    st.lists(ACTS, max_size=30),
)
def test_any_play_is_the_same_when_it_is_loaded_again(rule: str, acts: list[tuple[str, int]]) -> None:
    """Both the file that was kept open all the time and the one that is written at the end."""
    book = Playbook(rules={"Grab": Grab(TurnKind.RACE, 4, None)}, defaults={"show_when_play": "off"})
    book.lay(f"set_rule {rule}", "save_file kept", "start")
    for act, number in acts:
        play = book.referee.view.play
        match act:
            case "move":
                options = [(p, m) for p in play.turn().players if p not in play.pending for m in play.position.moves(p)]
                if options and play.result() is None:
                    player, move = options[number % len(options)]
                    book.lay(f"force_play {player} {move}")
            case "goto_node":
                book.say(f"goto_node {number}")
            case "name_node" | "comment_node":
                book.say(f"{act} text {number} of it")
            case "forfeit":
                book.say(f"forfeit {play.players[number]} enough")
            case "save":
                book.lay("save_file kept")
            case _:
                book.say(act)
    other = reloaded(book)
    assert tree(other) == tree(book)
    third = Playbook(files=book.files, rules=book.rules)
    third.lay("load_file kept")
    assert tree(third) == tree(book)
    assert other.files["again"].splitlines() == list(other.referee.view.file_lines())


def test_an_engine_that_dies_while_another_one_of_the_file_starts_takes_no_seat() -> None:
    text = "set_rule TicTacToe\nset_engine Cross Mute\nset_engine Circle Mute\nstart\n"
    book = Playbook(files={"two": text}, engines={"Mute": lambda: Actor()})
    book.hold = lambda wish: isinstance(wish, StartEngine) and wish.link == 2
    book.say("load_file two")
    book.fail(1)
    book.grant()
    assert book.log[-1].startswith("? two: Engine Mute failed: it ended.")
    assert book.links() == set()


# Long files.

LONG = "set_rule TicTacToe\nset_engine Circle Mute\nstart\n" + "force_play Cross A1\nundo\n" * 50


def test_a_long_file_is_replayed_in_slices_says_how_far_it_is_and_can_be_interrupted() -> None:
    book = Playbook(files={"file": LONG}, engines={"Mute": lambda: Actor()})
    book.lay("set_rule Nim")
    book.hold = lambda wish: isinstance(wish, Pause)
    before = book.snapshot()
    assert book.say("load_file file") == ""
    book.now += 4
    book.grant()
    assert book.log[-1] == "-> file: line 32 of 103 is replayed"
    book.grant()
    assert book.log[-1] == "-> file: line 32 of 103 is replayed", "it is not said again so soon"
    book.interrupt()
    assert book.log[-1] == "? Interrupted."
    book.grant()
    assert not changes(before, book.snapshot())
    assert book.say("get_rule") == "= Nim"


def test_an_engine_is_told_a_long_play_in_slices_and_goes_if_that_is_interrupted() -> None:
    def mute() -> Actor:
        actors.append(Actor())
        return actors[-1]

    actors: list[Actor] = []
    book = Playbook(engines={"Mute": mute}, rules={"Grab": Grab(TurnKind.RACE, 100, None)})
    book.lay("set_rule Grab", "start", *["force_play Ann grab"] * 80)
    book.hold = lambda wish: isinstance(wish, Pause)
    assert book.say("set_engine Ann Mute") == ""
    assert sum(line.startswith("made_move") for line in actors[0].heard) == 32
    book.grant()
    assert sum(line.startswith("made_move") for line in actors[0].heard) == 64
    book.interrupt()
    assert book.log[-1] == "? Interrupted."
    assert not book.cast, "the engine is gone"
    assert book.say("get_engine Ann") == "= human"


def test_answers_that_a_file_asks_for_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_SHOWN", 1000)
    text = "set_rule TicTacToe\n" + "list_players\n" * 100
    assert refusal(text).endswith("The answers that a play file asks for may have 1000 characters.")
