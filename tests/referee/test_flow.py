"""How a play flows: whose turn it is, who is asked, what is told and shown, and what time does."""

from __future__ import annotations

import pytest
from support.games import Grab
from support.playbook import Actor, Playbook, phantom

from ggtp.game import TurnKind

HELD = "-> The play is held. Use genmove to ask {0} again, force_play to move for it, or set_engine {0} to replace it."


def tictactoe(*engines: str, defaults: dict[str, str] | None = None, **actors: Actor) -> Playbook:
    """A play of TicTacToe that has begun. Each engine is silent but for what the table lets it say."""
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off", **(defaults or {})})
    book.lay("set_rule TicTacToe", *(f"set_engine {player} Mute" for player in engines), "start")
    return book


def aloud(book: Playbook) -> None:
    """From here on the table says what the engines say."""
    book.cast.clear()


# Figure 1 of the paper.


def test_figure_1() -> None:
    Playbook(engines=["Minimax"]).run(
        """
        set_rule TicTacToe
        = Done
        set_option show_when_play on
        = Done
        set_option genmove on
        = Done
        list_players
        = Cross=human, Circle=human
        set_rule_option starting_player Cross
        = Done
        set_enginz Circle Minimax
        ? Unknown command set_enginz. Use list_commands to see the commands. Did you mean set_engine?
        set_engine Circle Minimax
        1 start Minimax
        1< connect_engine
        1> acknowledge
        1< list_options
        1> reply Depth
        = Done
        set_engine_option Circle Depth 8
        1< set_option Depth 8
        1> acknowledge
        = Done
        start
        1< start
        = Done
        1> acknowledge
        play Cross A1
        1< made_move Cross A1
        -> Cross plays A1
        1<* have_to_play
        = Done
        1> acknowledge
        1> select_move B2
        1< made_move Circle B2
        -> Circle plays B2
        1> acknowledge
        play Cross A1
        ? No move named A1 for player Cross.
        list_possible_moves
        = Cross=B1,C1,A2,C2,A3,B3,C3
        set_option show_possible_moves on
        = Done
        set_option genmove off
        = Done
        play Cross A2
        1< made_move Cross A2
        -> Cross plays A2
        -> Circle=B1, C1, C2, A3, B3, C3
        = Done
        1> acknowledge
        genmove
        1<* have_to_play
        = Done
        1> select_move A3
        1< made_move Circle A3
        -> Circle plays A3
        -> Cross=B1, C1, C2, B3, C3
        1> acknowledge
        undo
        -> Undoing a move
        1< undone_move
        -> Circle=B1, C1, C2, A3, B3, C3
        = Done
        1> acknowledge
        """
    )


# Asking.


def test_engines_move_by_themselves_when_genmove_is_on() -> None:
    book = Playbook(engines={"A": lambda: Actor(["A1", "B1", "C1"]), "B": lambda: Actor(["A2", "B2"])})
    book.lay("set_rule TicTacToe", "set_engine Cross A", "set_engine Circle B")
    book.run(
        """
        start
        = Done
        -> Cross plays A1
        -> Circle plays A2
        -> Cross plays B1
        -> Circle plays B2
        -> Cross plays C1
        -> Cross=win 100, Circle=loss 0 (three in a row)
        """
    )
    assert book.referee.settled()


def test_engines_wait_for_genmove_when_it_is_off() -> None:
    book = tictactoe("Circle")
    book.run(
        """
        play Cross A1
        -> Cross plays A1
        = Done
        """
    )
    assert book.referee.settled()
    aloud(book)
    book.run(
        """
        genmove
        1<* have_to_play
        = Done
        """
    )
    assert not book.referee.settled()


def test_switching_genmove_on_lets_the_engine_move() -> None:
    book = tictactoe("Cross")
    aloud(book)
    book.run(
        """
        set_option genmove on
        1<* have_to_play
        = Done
        set_option genmove off
        = Done
        1> select_move B2
        1< made_move Cross B2
        -> Cross plays B2
        """
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("undo", ["1< undone_move"]),
        ("withdraw", ["1< undone_move", "1< redone_move"]),
        ("force_play Circle C3", ["1< made_move Circle C3"]),
        ("forfeit Circle", ["1< undone_move", "1< redone_move"]),
        ("start", ["1< start"]),
        ("goto_node 0", ["1< undone_move"]),
    ],
)
def test_a_move_on_its_way_is_dropped_when_the_supervisor_was_faster(said: str, told: list[str]) -> None:
    book = tictactoe("Circle")
    book.lay("play Cross A1")
    aloud(book)
    book.run("genmove\n1<* have_to_play\n= Done")
    begin = len(book.log)
    book.say(said)
    assert book.since(begin, "1<")[: len(told)] == told
    before = book.snapshot()
    book.engine(1, "select_move B2", *["acknowledge"] * len(told))
    after = book.snapshot()
    assert (after["tree"], after["cursor"]) == (before["tree"], before["cursor"])
    assert not book.since(begin, "-> Circle plays B2")
    assert not after["faults"]


def test_undo_while_thinking_holds_the_play_until_genmove() -> None:
    book = tictactoe("Circle", defaults={"genmove": "on"})
    aloud(book)
    book.run(
        """
        play Cross A1
        1< made_move Cross A1
        -> Cross plays A1
        1<* have_to_play
        = Done
        1> acknowledge
        undo
        -> Undoing a move
        1< undone_move
        = Done
        1> select_move B2
        1> acknowledge
        redo
        -> Redoing a move
        1< redone_move
        = Done
        1> acknowledge
        genmove
        1<* have_to_play
        = Done
        1> select_move C3
        1< made_move Circle C3
        -> Circle plays C3
        """
    )


def test_an_engine_at_the_first_move_is_withdrawn_by_a_new_start() -> None:
    book = tictactoe("Cross")
    aloud(book)
    book.run(
        """
        genmove
        1<* have_to_play
        = Done
        withdraw
        1< start
        = Done
        1> select_move A1
        1> acknowledge
        withdraw
        ? No engine is thinking.
        genmove
        1<* have_to_play
        = Done
        genmove
        ? Cross: thinking already.
        """
    )


def test_a_move_that_comes_while_a_command_waits_is_made_when_that_is_done() -> None:
    book = tictactoe("Cross")
    aloud(book)
    book.run(
        """
        genmove
        1<* have_to_play
        = Done
        get_engine_option Cross Depth
        1< get_option Depth
        1> select_move A1
        1> reply 8
        = 8
        1< made_move Cross A1
        -> Cross plays A1
        """
    )


def test_commands_said_while_another_waits_are_carried_out_in_order() -> None:
    book = tictactoe("Cross")
    aloud(book)
    book.run(
        """
        get_engine_option Cross Depth
        1< get_option Depth
        get_rule
        get_engine_option Cross Width
        get_engine Cross
        1> reply 8
        = 8
        = TicTacToe
        1< get_option Width
        1> invalid_option_name
        ? No option named Width for engine Mute.
        = Mute
        """
    )


# Joint turns.


def rock_paper_scissors(*engines: str) -> Playbook:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule RockPaperScissors", "set_rule_option rounds 2")
    book.lay(*(f"set_engine {player} Mute" for player in engines), "start")
    return book


def test_nobody_learns_a_choice_before_all_have_chosen() -> None:
    book = rock_paper_scissors("Right")
    aloud(book)
    book.run(
        """
        play Left Rock
        -> Left has chosen
        = Done
        play Left Paper
        ? Left has chosen already.
        get_last_move
        = none
        list_played_moves
        = none
        genmove
        1<* have_to_play
        = Done
        1> select_move Paper
        1< made_move Left Rock
        1< made_move Right Paper
        -> Left plays Rock
        -> Right plays Paper
        -> Umpire: Paper wraps Rock: the round is Right's.
        list_played_moves
        = Left Rock, Right Paper
        """
    )


def test_both_engines_are_asked_and_the_first_answer_waits() -> None:
    book = rock_paper_scissors("Left", "Right")
    aloud(book)
    book.run(
        """
        genmove
        1<* have_to_play
        2<* have_to_play
        = Done
        2> select_move Rock
        -> Right has chosen
        genmove
        ? Left: thinking already.
        1> select_move Scissors
        1< made_move Left Scissors
        1< made_move Right Rock
        2< made_move Left Scissors
        2< made_move Right Rock
        -> Left plays Scissors
        -> Right plays Rock
        -> Umpire: Rock blunts Scissors: the round is Right's.
        """
    )


def test_undo_takes_back_a_commitment_first() -> None:
    book = rock_paper_scissors()
    book.lay("play Left Rock", "play Right Paper", "play Left Scissors")
    book.run(
        """
        undo
        -> Undoing a move
        = Done
        list_played_moves
        = Left Rock, Right Paper
        play Left Paper
        -> Left has chosen
        = Done
        redo
        ? There is no move to redo: players have chosen already.
        """
    )
    assert book.referee.view.play.pending == {"Left": "Paper"}
    book.lay("undo", "undo")
    assert book.referee.view.play.record is not None
    assert book.referee.view.play.record.cursor.number == 0


def test_undo_of_a_joint_step_is_told_move_by_move() -> None:
    book = rock_paper_scissors("Right")
    book.lay("force_play Left Rock", "force_play Right Paper")
    aloud(book)
    book.run(
        """
        undo
        -> Undoing a move
        1< undone_move
        1< undone_move
        = Done
        redo
        -> Redoing a move
        1< redone_move
        1< redone_move
        = Done
        """
    )


def test_a_thinking_engine_for_whom_the_supervisor_chooses_is_not_faulted() -> None:
    """Its own choice, on its way meanwhile, is overtaken and not illegal."""
    book = rock_paper_scissors("Right")
    aloud(book)
    book.run("genmove\n1<* have_to_play\n= Done")
    book.say("force_play Right Rock")
    book.engine(1, "select_move Paper")
    assert not book.referee.view.faults
    assert book.referee.view.play.pending == {"Right": "Rock"}


# Races and ticks.


def grab(kind: TurnKind = TurnKind.RACE, *, engine: bool = True, genmove: str = "on") -> Playbook:
    book = Playbook(engines={"Mute": lambda: Actor()}, rules={"Grab": Grab(kind)}, defaults={"genmove": genmove})
    book.lay("set_rule Grab", *(["set_engine Bob Mute"] if engine else []))
    return book


def test_in_a_race_the_first_counts() -> None:
    book = grab()
    book.lay("start")
    aloud(book)
    book.run(
        """
        play Ann grab
        1< made_move Ann grab
        -> Ann plays grab
        1<* have_to_play 2000
        = Done
        1> select_move pass
        1> acknowledge
        1> select_move grab
        1< made_move Bob grab
        -> Bob plays grab
        1<* have_to_play 2000
        """
    )


def test_when_a_race_is_over_the_default_is_played_once() -> None:
    """The default of the second player belongs to a turn that is over by then."""
    book = grab(engine=False)
    book.lay("start")
    book.run(
        """
        +2.0
        +0.2
        -> Ann plays pass
        +2.2
        -> Ann plays pass
        """
    )


def test_a_tick_plays_the_default_for_who_has_not_chosen() -> None:
    book = grab(TurnKind.JOINT, engine=False)
    book.run(
        """
        start
        = Done
        +1.5
        play Bob grab
        -> Bob has chosen
        = Done
        +0.7
        -> Ann plays pass
        -> Bob plays grab
        """
    )


def test_an_answer_after_the_end_of_a_tick_is_no_fault() -> None:
    """A busy machine may read a late answer before it looks at the clock: the tick was over all the same."""
    book = grab()
    book.lay("start")
    aloud(book)
    begin = len(book.log)
    book.now += 3.0
    book.engine(1, "select_move grab")
    assert book.since(begin, "-> ") == ["-> Ann plays pass"]
    assert book.since(begin, "1<")[-1] == "1<* have_to_play 2000"


def test_looking_at_the_clock_while_a_command_waits_does_not_spin() -> None:
    book = grab(engine=False)
    book.lay("start")
    book.hold = lambda wish: True
    book.say("list_engines")
    book.wait(60.0)  # fails if the referee wants to be woken up again and again
    book.hold = lambda wish: False
    book.grant()
    book.wait(0.001)
    assert book.since(0, "-> Ann plays pass")


@pytest.mark.parametrize("said", ["set_option genmove off", "set_option show_table off", "set_engine Bob Mute"])
def test_a_race_is_not_prolonged_by_other_commands(said: str) -> None:
    book = grab()
    book.lay("start")
    book.wait(1.5)
    book.lay(said)
    begin = len(book.log)
    book.wait(0.7)
    assert book.since(begin, "-> ")[:1] == ["-> Ann plays pass"]


def test_only_who_asks_for_timers_waits_for_the_end_of_a_race() -> None:
    book = grab(engine=False)
    book.lay("start")
    assert book.referee.settled()  # a person may still move
    assert not book.referee.settled(timers=True)
    book.wait(7.0)
    assert book.referee.settled(timers=True)
    assert book.log[-1] == "-> Ann=draw 50, Bob=draw 50 (all rounds played)"


# Chance.


def test_chance_is_drawn_shown_recorded_and_replayed() -> None:
    book = Playbook(defaults={"seed": "7"})
    book.lay("set_rule CantStop", "save_file game", "start")
    drawn = book.since(0, "-> Chance plays ")
    assert len(drawn) == 1
    roll = drawn[0].removeprefix("-> Chance plays ")
    assert book.files["game"].endswith(f"start\nforce_play Chance {roll}\n")
    other = Playbook(defaults={"seed": "8"}, files=book.files)
    other.lay("load_file game", "list_played_moves")
    assert other.log[-1] == f"= Chance {roll}"


def test_chance_does_not_depend_on_the_engines() -> None:
    rolls = []
    for engines in ((), ("Red",), ("Red", "Green")):
        book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7"})
        book.lay("set_rule CantStop", *(f"set_engine {player} Mute" for player in engines), "start")
        rolls.append(book.since(0, "-> Chance plays "))
    assert rolls[0] == rolls[1] == rolls[2] != []


def test_the_seed_decides_what_is_drawn() -> None:
    def rolls(seed: int) -> list[str]:
        book = Playbook()
        book.lay("set_rule CantStop", f"set_option seed {seed}")
        for _ in range(3):
            book.lay("start")
        return book.since(0, "-> Chance plays ")

    assert rolls(1) == rolls(1)
    assert len({tuple(rolls(seed)) for seed in range(5)}) > 1


def test_chance_can_be_left_to_the_supervisor() -> None:
    book = Playbook(defaults={"chance": "off"})
    book.run(
        """
        set_rule CantStop
        = Done
        start
        = Done
        play Chance 1 1 2 3
        ? No player named Chance. There are: Red, Green.
        force_play Red roll
        ? It is not Red's turn.
        force_play Chance 1 1 2 9
        ? No move named 1 1 2 9 for player Chance.
        force_play chance 1 1 2 3
        -> Chance plays 1 1 2 3
        = Done
        force_play Chance 1 1 2 3
        ? It is not Chance's turn.
        undo
        -> Undoing a move
        = Done
        """
    )
    book.lay("genmove")
    assert book.log[-2].startswith("-> Chance plays ")


def test_undoing_a_draw_holds_chance() -> None:
    book = Playbook()
    book.lay("set_rule CantStop", "start", "undo")
    assert book.say("get_last_move") == "= none"
    book.lay("genmove")
    assert book.say("get_last_move") != "= none"


# Hidden information.


def test_each_engine_is_told_what_its_player_may_know() -> None:
    book = phantom("Cross", "Circle")
    aloud(book)
    book.run(
        """
        force_play Cross A1
        1< made_move Cross A1
        2< made_move Cross ?
        -> Cross plays A1
        = Done
        force_play Circle A1
        2< illegal_move A1 the square is taken
        -> Circle tries A1: refused, the square is taken
        = Done
        force_play Circle B2
        1< made_move Circle ?
        2< made_move Circle B2
        -> Circle plays B2
        = Done
        """
    )


def test_an_engine_that_is_refused_is_asked_again() -> None:
    book = phantom("Circle", genmove="on")
    book.lay("play Cross A1")
    aloud(book)
    book.run(
        """
        1> select_move A1
        1< illegal_move A1 the square is taken
        1<* have_to_play 250
        1> acknowledge
        1> select_move B2
        +0.5
        1< made_move Circle B2
        -> Circle plays ?
        """
    )
    assert not book.referee.view.faults


def mahjong(*, guest: str = "", **options: str) -> Playbook:
    """A hand at which East is here, a guest perhaps elsewhere and others are silent engines; East has discarded."""
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"seed": "7", **options})
    engines = [player for player in ("South", "West", "North") if player != guest]
    book.lay("set_rule MahJong", *(f"set_engine {player} Mute" for player in engines))
    if guest:
        book.lay(f"set_engine {guest} person:ann")
        book.join(1, "ann")
    book.lay("start")
    book.lay(f"play East {book.referee.view.play.position.moves('East')[0]}")
    return book


def to_east(book: Playbook) -> None:
    """South discards something that East can't claim, and the others do not claim either."""
    book.lay(*(f"force_play {player} pass" for player in ("South", "West", "North")))
    play = book.referee.view.play
    for tile in play.position.moves("South"):
        after = play.position.play({"South": tile}).position
        if list(after.moves("East")) == ["pass"]:
            book.lay(f"force_play South {tile}")
            return
    raise AssertionError("East can claim everything")


@pytest.mark.parametrize("forced", ["on", "off"])
def test_the_only_move_of_a_person_in_a_shared_turn_is_made_if_that_is_wanted(forced: str) -> None:
    book = mahjong(forced_moves=forced)
    to_east(book)
    play = book.referee.view.play
    assert play.turn().players == ("West", "North", "East")
    assert ("East" in play.pending) == (forced == "on")


def test_a_person_is_not_spared_a_move_while_others_look_on_from_elsewhere() -> None:
    book = mahjong(forced_moves="on", guest="North")
    to_east(book)
    assert not book.referee.view.play.pending


def test_a_turn_taken_back_is_not_played_again_by_itself() -> None:
    book = mahjong(forced_moves="on")
    to_east(book)
    before = book.referee.view.play.need_record().cursor
    book.lay("force_play West pass", "force_play North pass", f"goto_node {before.number}")
    assert not book.referee.view.play.pending


def test_a_step_that_nobody_tells_the_viewer_of_is_not_drawn() -> None:
    book = mahjong(show_table="on")
    begin = len(book.log)
    book.lay(*(f"force_play {player} pass" for player in ("South", "West", "North")))
    assert book.since(begin, "| ") == []
    assert not any("Chance" in line for line in book.since(begin))
    book.lay(f"force_play South {book.referee.view.play.position.moves('South')[0]}")
    assert book.since(begin, "| ")


# Time.


@pytest.mark.parametrize(
    ("options", "delay"),
    [
        ({}, ""),
        ({"time_move": "1500"}, " 1500"),
        ({"time_bank": "60000"}, " 60000"),
        ({"time_bank": "60000", "time_move": "1500"}, " 1500"),
        ({"time_bank": "1000", "time_move": "1500"}, " 1000"),
        ({"time_control": "60+1", "time_odds": "Cross=300ms"}, " 300"),
        ({"time_control": "60+1", "time_odds": "Circle=300ms"}, " 60000"),
    ],
)
def test_have_to_play_carries_the_time_for_this_move(options: dict[str, str], delay: str) -> None:
    book = tictactoe("Cross", defaults=options)
    aloud(book)
    book.run(f"genmove\n1<* have_to_play{delay}\n= Done")


def test_the_bank_pays_for_moves_and_is_refilled() -> None:
    book = tictactoe("Cross", defaults={"time_bank": "10000", "time_increment": "1000"})
    aloud(book)
    book.run(
        """
        get_clock Cross
        = 10000
        genmove
        1<* have_to_play 10000
        = Done
        +2.5
        1> select_move A1
        1< made_move Cross A1
        -> Cross plays A1
        1> acknowledge
        get_clock Cross
        = 8500
        get_clock Circle
        = 10000
        play Circle B1
        1< made_move Circle B1
        -> Circle plays B1
        = Done
        1> acknowledge
        genmove
        1<* have_to_play 8500
        = Done
        undo
        -> Undoing a move
        1< undone_move
        = Done
        undo
        -> Undoing a move
        1< undone_move
        = Done
        get_clock Cross
        = 10000
        redo
        -> Redoing a move
        1< redone_move
        = Done
        get_clock Cross
        = 8500
        """
    )


def test_time_begins_when_the_request_was_sent() -> None:
    book = tictactoe("Cross", defaults={"time_bank": "10000"})
    aloud(book)
    book.lay("genmove")
    book.referee.asked(1, book.now + 1.0)  # the driver was held up
    book.wait(3.0)
    book.engine(1, "select_move A1")
    assert book.say("get_clock Cross") == "= 8000"


def test_time_that_begins_at_nought_counts() -> None:
    book = tictactoe("Cross", defaults={"time_bank": "10000"})
    book.now = 0.0
    aloud(book)
    book.lay("genmove")
    book.wait(3.0)
    book.engine(1, "select_move A1")
    assert book.say("get_clock Cross") == "= 7000"


def test_a_bank_that_is_set_during_a_play_is_full() -> None:
    book = tictactoe("Cross")
    aloud(book)
    book.run(
        """
        set_option time_bank 5000
        = Done
        get_clock Cross
        = 5000
        genmove
        1<* have_to_play 5000
        = Done
        +1.0
        1> select_move A1
        1< made_move Cross A1
        -> Cross plays A1
        get_clock Cross
        = 4000
        """
    )


def test_the_margin_is_forgiven_and_no_more() -> None:
    for late, made in ((1.09, True), (1.2, False)):
        book = tictactoe("Cross", defaults={"time_move": "1000", "time_margin": "100"})
        aloud(book)
        book.lay("genmove")
        book.now += late
        book.engine(1, "select_move A1")
        assert bool(book.since(0, "-> Cross plays A1")) == made
        assert [fault.fault for fault in book.referee.view.faults] == ([] if made else ["late"])


def test_an_engine_that_does_not_move_in_time_is_late_and_withdrawn() -> None:
    book = tictactoe("Cross", defaults={"time_move": "1000"})
    aloud(book)
    book.run(
        """
        genmove
        1<* have_to_play 1000
        = Done
        +1.0
        +0.2
        -> Fault of Cross (Mute), late: no move within 1000 ms.
        1< start
        """
        + HELD.format("Cross")
    )
    book.engine(1, "select_move A1", "acknowledge")
    assert book.say("get_last_move") == "= none"


def test_without_a_limit_patience_has_an_end() -> None:
    book = tictactoe("Cross", defaults={"patience": "30000"})
    aloud(book)
    book.run(
        """
        genmove
        1<* have_to_play
        = Done
        +29.9
        +0.2
        1 stop now
        -> Fault of Cross (Mute), silence: no move, and no end of it in sight.
        """
        + HELD.format("Cross")
    )


def test_an_answer_is_due_at_once() -> None:
    book = tictactoe("Cross", defaults={"answer_time": "5000"})
    aloud(book)
    book.run(
        """
        get_engine_option Cross Depth
        1< get_option Depth
        +5.1
        1 stop now
        ? Engine Mute failed: no answer to get_option in time.
        -> Fault of Cross (Mute), silence: no answer to get_option in time.
        """
        + HELD.format("Cross")
    )


@pytest.mark.parametrize(("seconds", "served"), [(11.9, True), (12.1, False)])
def test_the_start_clock(seconds: float, served: bool) -> None:
    book = tictactoe("Cross", defaults={"answer_time": "2000", "time_start": "10000"})
    aloud(book)
    book.say("start")
    book.wait(seconds)
    assert bool(book.referee.view.faults) == (not served)
    assert (book.log[-1] == "1< start") == served, "nobody is asked before the engine is ready"
    book.engine(1, "acknowledge")
    assert book.log.count("= Done") == 4


def test_the_start_clock_counts_though_the_engine_owes_other_answers() -> None:
    book = tictactoe("Cross", defaults={"answer_time": "2000", "time_start": "10000"})
    aloud(book)
    book.say("force_play Cross A1")
    book.say("start")
    book.wait(1.0)
    book.engine(1, "acknowledge")
    book.wait(9.0)
    assert not book.referee.view.faults
    book.engine(1, "acknowledge")
    assert book.log[-1] == "= Done"


def test_a_new_engine_s_move_is_not_charged_while_it_prepares() -> None:
    """With a start clock the request for a move waits for the acknowledge of start."""
    book = Playbook(engines={"Slow": lambda: Actor(start="")}, defaults={"time_move": "1000", "time_start": "60000"})
    book.lay("set_rule TicTacToe", "start")
    book.say("set_engine Cross Slow")
    book.wait(30.0)
    assert not book.referee.view.faults
    aloud(book)
    book.run(
        """
        1> acknowledge
        1<* have_to_play 1000
        = Done
        """
    )


# Random fallback and draws without end.


def test_a_rule_that_draws_without_end_is_held() -> None:
    from ggtp.game import CHANCE_TURN, Position, Turn, Verdict

    class Dice(Grab):
        name = "Dice"

        def begin(self, options: object) -> Position:
            return DicePosition(TurnKind.CHANCE, 10**9, None)

    class DicePosition(type(Grab().begin({}))):
        def turn(self) -> Turn:
            return CHANCE_TURN

        def chance(self) -> list[tuple[str, int]]:
            return [("six", 1)]

        def play(self, moves: object) -> Verdict:
            return Verdict(self, (("Chance", "six"),))

    book = Playbook(rules={"Dice": Dice()}, defaults={"show_when_play": "off"})
    book.lay("set_rule Dice", "start")
    assert book.log[-2:] == ["-> 10000 draws of chance in a row: held. Use genmove to go on.", "= Done"]
    assert book.referee.settled()


def test_who_is_late_has_used_up_the_bank() -> None:
    book = tictactoe("Cross", defaults={"time_bank": "1000", "time_margin": "100"})
    aloud(book)
    book.lay("genmove")
    book.wait(2.0)
    assert book.say("get_clock Cross") == "= 0"


def test_a_late_move_is_judged_against_what_was_left_in_the_bank() -> None:
    book = tictactoe("Cross", defaults={"time_bank": "700", "time_margin": "100"})
    aloud(book)
    book.referee.set_banks({"Cross": 0.1})
    book.lay("genmove")
    book.wait(0.3)
    (fault,) = book.referee.take_faults()
    assert fault.time is not None
    assert (fault.fault, fault.time.blame, fault.time.limit) == ("late", "late", 0.1)
    assert fault.time.elapsed == pytest.approx(0.2)


def test_an_engine_that_waited_for_a_processor_is_given_up_later() -> None:
    book = tictactoe("Cross", defaults={"time_move": "1000", "time_margin": "100"})
    aloud(book)
    book.lay("genmove")
    book.wait(1.09)
    assert not book.referee.is_late(1, book.now)
    assert book.referee.is_late(1, book.now + 0.02)
    book.referee.kept_waiting(1, 0.5)
    book.wait(0.4)
    assert book.referee.take_faults() == []
    book.engine(1, "select_move A1")
    (fault,) = book.referee.take_faults()
    assert fault.time is not None
    assert (fault.fault, fault.time.blame, fault.time.waited) == ("late", "machine", 0.5)
    assert fault.what == "the move took 1490 ms of 1000 ms."


def test_an_illegal_move_costs_its_time_too() -> None:
    book = tictactoe("Cross", defaults={"time_bank": "10000"})
    aloud(book)
    book.lay("genmove")
    book.wait(3.0)
    book.engine(1, "select_move Z9")
    assert book.say("get_clock Cross") == "= 7000"


def test_a_turn_with_a_clock_goes_on_after_an_undo() -> None:
    book = grab(engine=False)
    book.lay("start")
    book.wait(10.0)
    book.say("undo")
    assert book.referee.settled(timers=True)
    assert book.say("genmove") == "= Done"
    assert not book.referee.settled(timers=True)


def test_an_illegal_try_is_not_told_to_the_opponent() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()})
    book.lay("set_rule PhantomTicTacToe", "set_engine Circle Mute", "start")
    aloud(book)
    book.lay("play Cross A1")
    book.engine(1, "acknowledge")
    book.engine(1, "select_move Z9")
    faults = [line for line in book.log if "Fault" in line]
    assert faults
    assert not any("Z9" in line for line in faults)


def test_an_engine_that_wants_it_is_told_its_moves_and_its_view_with_each_request() -> None:
    told = Actor(options=("tell_moves", "tell_table"), moves=["B2"])
    book = Playbook(engines={"Told": lambda: told, "Mute": lambda: Actor()})
    book.lay("set_rule TicTacToe", "set_engine Cross Told", "set_engine Circle Mute", "start")
    assert told.heard[-4:-1] == [
        "set_option tell_table .../.../... Cross",
        "set_option tell_moves A1, B1, C1, A2, B2, C2, A3, B3, C3",
        "have_to_play",
    ]
    assert not any("tell" in line for line in book.cast[2].heard)


def test_an_engine_is_told_no_more_than_its_player_may_know() -> None:
    told = Actor(options=("tell_moves", "tell_table"))
    book = Playbook(engines={"Told": lambda: told})
    book.lay("set_rule KuhnPoker", "set_option seed 3", "set_engine Ann Told", "start")
    news = [line for line in told.heard if "tell" in line]
    view, position = news[0].removeprefix("set_option tell_table "), book.referee.view.play.position
    assert view == position.view("Ann") != position.view(None)
    assert news[1] == f"set_option tell_moves {', '.join(position.moves('Ann'))}"


def test_a_refused_try_earns_no_increment() -> None:
    book = phantom("Circle", genmove="on", time_bank="10000", time_increment="1000", secret_window="0")
    book.lay("play Cross A1")
    book.cast.clear()
    book.wait(0.5)
    book.engine(1, "select_move A1")
    assert book.referee.view.banks["Circle"] == pytest.approx(9.5)
    book.wait(0.25)
    book.engine(1, "acknowledge", "select_move B2")
    assert book.referee.view.banks["Circle"] == pytest.approx(10.25)


def test_a_move_that_does_not_count_earns_no_increment() -> None:
    book = tictactoe("Circle", defaults={"genmove": "on", "time_bank": "10000", "time_increment": "1000"})
    book.lay("play Cross A1")
    book.cast.clear()
    book.wait(0.5)
    book.engine(1, "select_move A1")
    assert book.referee.view.banks["Circle"] == pytest.approx(9.5)
