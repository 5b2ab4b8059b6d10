"""The referee as a whole: one answer to every line, and a refused line changes nothing."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from support.games import Faulty, Grab
from support.playbook import Actor, Playbook, changes

from ggtp.errors import CommandError, OptionError
from ggtp.protocol.commands import SUPERVISOR, SUPERVISOR_COMMANDS
from ggtp.referee.effects import Leave, Respond
from ggtp.referee.events import EngineSaid, SupervisorSaid, TimePassed
from ggtp.referee.referee import Referee


def begun() -> Playbook:
    """TicTacToe in the middle: Cross is an engine, a branch was left, a file is open, clocks run."""
    book = Playbook(
        engines={"Mute": lambda: Actor(options=("rule", "Depth"))},
        defaults={"genmove": "off", "time_bank": "60000"},
    )
    book.lay("set_rule TicTacToe", "set_engine Cross Mute", "save_file game", "start")
    book.lay("force_play Cross A1", "play Circle B1", "undo", "play Circle C1", "name_node here", "comment_node hm")
    return book


def over() -> Playbook:
    book = begun()
    book.lay("forfeit Circle tired")
    return book


def chosen() -> Playbook:
    book = Playbook(engines={"Mute": lambda: Actor()})
    book.lay("set_rule TicTacToe", "set_engine Cross Mute")
    return book


STATES = {"empty": Playbook, "chosen": chosen, "begun": begun, "over": over}

REFUSED = {
    "empty": """
        get_version now | close_file | close_file x | known_command | get_option | get_option nothing
        list_option_choices nothing | set_option genmove | set_option genmove maybe | set_option seed -1
        set_option seed 1_0 | set_option seed 340282366920938463463374607431768211456 | set_option nothing on
        set_rule | set_rule NoSuchRule | get_rule x | list_rule_options | get_rule_option x
        list_rule_option_choices x | set_rule_option x 1 | list_players | list_engines | set_engine Cross human
        set_engine Cross Mute | get_engine Cross | list_engine_options Cross | get_engine_option Cross x
        list_engine_option_choices Cross x | set_engine_option Cross x 1 | start | list_possible_moves
        get_result | get_table | get_last_move | list_played_moves | play Cross A1 | force_play Cross A1
        force_play Chance six | genmove | undo | redo | show_table | get_clock Cross | list_branches | show_tree
        get_node | goto_node 0 | name_node x | comment_node x | get_comment | forfeit Cross | withdraw
        load_file nowhere | load_file | save_file | help nothing | quit now | frobnicate | set_enginz a b
        start_tournament | start_tournament nowhere | show_tournament | pause_tournament | resume_tournament
        stop_tournament | stop_tournament now | set_concurrency | set_concurrency 2 | at_game 1.0
        adjudicate_game 1.0 draw | adjudicate_game 1.0 | replay_game 1.0 | replay_game | quarantine_player A
        admit_player A | list_rulings | list_rulings all | undo_ruling | undo_ruling 3 | listen
        listen *:1 everybody | stop_listening | list_connections | tell Cross Circle hi | tell Cross | list_messages
        """,
    "chosen": """
        start now | list_possible_moves | list_possible_moves Cross | get_result | get_table Circle | get_last_move
        list_played_moves | play Circle A1 | play Cross A1 | force_play Circle A1 | genmove | undo | redo
        show_table | show_table Cross | list_branches | show_tree | get_node | goto_node 0 | name_node x
        comment_node x | get_comment | forfeit Circle | withdraw | set_rule_option starting_player Square
        set_rule_option nothing 1 | get_rule_option nothing | list_rule_option_choices nothing
        set_engine Square Mute | set_engine Circle Nobody | get_engine Square | get_engine_option Circle Depth
        list_engine_options Circle | set_engine_option Circle Depth 3 | set_engine_option Cross rule Nim
        set_engine_option Cross player Circle | set_option view Square | get_clock Square
        """,
    "begun": """
        play Circle A1 | play Cross B1 | force_play Circle B2 | force_play Cross A1 | force_play Cross Z9
        force_play Chance six | force_play Square A1 | play Cross | play | redo | goto_node 9 | goto_node there
        goto_node -1 | goto_node ² | name_node 5 | name_node here | forfeit Square | forfeit Chance | withdraw
        list_possible_moves Square | list_possible_moves 1 | list_possible_moves Circle 1 | get_table x y
        get_result Cross 1 2 | get_table Square 0 | set_engine Circle Nobody | show_table Square
        set_rule NoSuchRule | load_file nowhere | set_engine_option Circle Depth 3 | genmove now
        set_rule_option starting_player Nobody | set_option time_move -5 | set_option restarts many
        """,
    "over": """
        play Circle B2 | force_play Cross B2 | genmove | forfeit Circle | forfeit Cross again | redo | withdraw
        """,
}


def split(text: str) -> list[str]:
    """The lines of a table above."""
    return [line.strip() for line in text.strip().replace("\n", "|").split("|")]


CASES = [(state, line) for state, text in REFUSED.items() for line in split(text)]


@pytest.mark.parametrize(("state", "line"), CASES)
def test_a_refused_line_changes_nothing(state: str, line: str) -> None:
    book = STATES[state]()
    before, told = book.snapshot(), len(book.effects)
    begin = len(book.log)
    answer = book.say(line)
    assert answer.startswith("? "), answer
    assert len(answer) > 4
    assert book.since(begin + 1) == [answer], "a refusal is one line and nothing else"
    assert not changes(before, book.snapshot())
    assert not [effect for effect in book.effects[told:] if type(effect).__name__ in ("Tell", "Journal", "StopEngine")]


@pytest.mark.parametrize("spec", SUPERVISOR_COMMANDS, ids=lambda spec: spec.name)
@pytest.mark.parametrize("state", list(STATES))
def test_every_command_with_wrong_arguments(state: str, spec: object) -> None:
    command = SUPERVISOR[spec.name]  # type: ignore[attr-defined]
    book = STATES[state]()
    before = book.snapshot()
    lines = [f"{command.name} something"] if not command.parameters else []
    lines += [" ".join([command.name, *["x"] * count]) for count in range(command.fewest)]
    for line in lines:
        assert book.say(line) == f"? Usage: {command.usage}"
    assert not changes(before, book.snapshot())


QUERIES = """
    get_version | list_commands | known_command play | list_options | get_option seed | list_option_choices seed
    list_rules | get_rule | list_rule_options | get_rule_option starting_player
    list_rule_option_choices starting_player | list_players | list_engines | get_engine Cross
    list_engine_options Cross | get_engine_option Cross Depth | list_engine_option_choices Cross Depth
    list_possible_moves | list_possible_moves Cross | list_possible_moves Cross 0 | get_result | get_table
    get_table Circle | get_table Cross 0 | get_last_move | list_played_moves | help | help play | show_table
    show_table Circle | get_clock Cross | list_branches | show_tree | get_node | get_comment | list_faults
    """


@pytest.mark.parametrize("line", split(QUERIES))
def test_a_query_changes_nothing(line: str) -> None:
    book = begun()
    before = book.snapshot()
    assert book.say(line).startswith("= ")
    assert not changes(before, book.snapshot())


def test_the_lists_above_name_every_command_that_can_be_refused() -> None:
    """A new command has to be added to one of the tables of this module."""
    named = {line.split()[0] for line in (*(line for _, line in CASES), *split(QUERIES))}
    assert set(SUPERVISOR) - named == set()


def test_comments_and_blank_lines_get_no_answer() -> None:
    book = Playbook()
    for line in ("", "  ", "# hello", "\t# hello", "\r\n"):
        assert book.say(line) == ""
    assert not book.effects


def test_quit_sends_every_engine_away_and_closes_the_file() -> None:
    book = begun()
    book.cast.clear()
    book.run(
        """
        quit
        1< disconnect_engine
        1 stop kindly
        file closed
        = Done
        leave
        """
    )
    assert isinstance(book.effects[-1], Leave)


def test_show_command_shows_what_is_carried_out() -> None:
    Playbook(defaults={"show_command": "on"}).run(
        """
        get_rule
        -> get_rule
        = none
        frobnicate
        ? Unknown command frobnicate. Use list_commands to see the commands.
        """
    )


def test_a_move_without_its_command_is_understood_but_not_made() -> None:
    book = Playbook(engines={"Mute": lambda: Actor()}, defaults={"genmove": "off"})
    book.lay("set_rule TicTacToe")
    unknown = "? Unknown command {}. Use list_commands to see the commands."
    assert book.say("B2") == unknown.format("B2"), "nothing is played yet"
    book.lay("start")
    assert book.say(" b2 ") == f"{unknown.format('b2')} Did you mean play Cross B2?"
    assert book.say("B9") == unknown.format("B9")
    assert book.say("play Cross B2") == "= Done"
    assert book.say("B2") == unknown.format("B2"), "it is taken"
    assert book.say("A1") == f"{unknown.format('A1')} Did you mean play Circle A1?"
    book.lay("set_engine Circle Mute")
    assert book.say("A1") == unknown.format("A1"), "it is an engine's turn"
    book.lay("force_play Circle A1", "forfeit Cross")
    assert book.say("C3") == unknown.format("C3"), "the play is over"


def test_defaults_are_checked() -> None:
    with pytest.raises(OptionError):
        Referee(version="", defaults={"genmove": "perhaps"})


def test_chance_follows_from_the_option_seed() -> None:
    one, two = (Referee(version="", defaults={"seed": "5"}) for _ in range(2))
    assert one._desk.rng.random() == two._desk.rng.random()


def test_lines_of_engines_that_are_gone_are_ignored() -> None:
    referee = Referee(version="")
    assert referee.handle(EngineSaid(7, b"acknowledge", 1.0)) == []
    assert referee.handle(TimePassed(2.0)) == []
    referee.asked(7, 3.0)
    assert referee.next_due() is None
    assert referee.settled()


def test_an_interrupted_command_is_refused_and_changes_nothing() -> None:
    book = begun()
    book.hold = lambda wish: True
    before = book.snapshot()
    for line in ("set_rule Nim", "set_engine Circle Mute", "load_file game", "list_engines"):
        book.say(line)
        book.interrupt()
        assert book.log[-1] == "? Interrupted."
        book.grant()
        after = book.snapshot()
        before["busy"] = after["busy"]  # what was requested may still come, and counts for nothing
        assert not changes(before, after)
    book.interrupt()
    assert book.say("get_rule") == "= TicTacToe"


def test_an_engine_that_is_set_and_given_up_is_stopped() -> None:
    book = begun()
    book.actors["Mute"] = lambda: Actor(connect_engine="")
    book.say("set_engine Circle Mute")
    assert book.links() == {1, 2}
    book.interrupt()
    assert book.log[-1] == "? Interrupted."
    assert book.links() == {1}
    assert book.say("get_engine Circle") == "= human"


# A rule that raises what it may not.

METHODS = ("turn", "moves", "play", "result", "view", "picture", "seen", "parse", "begin", "players")
COMMANDS = """
    start | play Ann grab | force_play Ann pass | undo | redo | goto_node 2 | goto_node 0 | get_table | get_result
    list_possible_moves | show_table | genmove | forfeit Ann | set_rule Faulty | set_option genmove on
    set_engine Bob Mute | set_engine Ann human | load_file play | save_file other | list_played_moves | show_tree
    set_rule Grab | list_players | withdraw | set_option view Ann | get_node | quit
    """


def faulty(**options: str) -> tuple[Playbook, Faulty]:
    rule = Faulty()
    play = "set_rule Faulty\nstart\nforce_play Ann grab\n"
    book = Playbook(
        engines={"Mute": lambda: Actor()},
        rules={"Faulty": rule, "Grab": Grab()},
        files={"play": play},
        defaults={"genmove": "off", "show_table": "on", "show_possible_moves": "on", **options},
    )
    book.lay("set_rule Faulty", "set_engine Bob Mute", "save_file game", "start")
    book.lay("play Ann grab", "force_play Bob grab", "undo", "undo")
    return book, rule


@pytest.mark.parametrize("line", split(COMMANDS))
@pytest.mark.parametrize("method", METHODS)
def test_a_rule_that_raises_is_survived(method: str, line: str) -> None:
    """Either the command is refused and nothing has changed, or it is done and the play may be held."""
    book, rule = faulty()
    before = book.snapshot()
    begin = len(book.log)
    rule.fails = lambda name, played: name == method
    answer = book.say(line)
    closing = [text for text in book.since(begin + 1) if text[:2] in ("= ", "? ")]
    assert closing == [answer]
    if answer.startswith("? "):
        assert not changes(before, book.snapshot())
    if line == "quit":
        return
    rule.fails = lambda name, played: False
    assert book.say("get_version") == "= ggtp test"
    book.lay("start", "play Ann grab", "force_play Bob pass")
    assert book.say("list_played_moves") == "= Ann grab, Bob pass"


@pytest.mark.parametrize("method", ["parse", "play"])
def test_a_rule_whose_process_dies_at_an_engine_s_move_is_not_the_engine_s_fault(method: str) -> None:
    class Ended(Faulty):
        def begin(self, options: object) -> Any:
            position = super().begin({})
            setattr(position, method, lambda *_: self.end())
            return position

        def end(self) -> None:
            raise CommandError("The rule's process has ended.")

    book = Playbook(
        engines={"Mute": lambda: Actor()},
        rules={"Faulty": Ended()},
        defaults={"fault_illegal": "forfeit", "genmove": "on"},
    )
    book.lay("set_rule Faulty", "set_engine Ann Mute", "start")
    book.engine(1, "select_move pass")
    referee = book.referee
    assert referee.view.play.held
    assert referee.view.play.result() is None
    assert not referee.view.faults
    assert f"The rule Faulty failed in {method}" in "".join(book.since(0, "->"))


@pytest.mark.parametrize("method", METHODS[:8])
def test_a_rule_that_raises_at_an_engine_s_move_holds_the_play(method: str) -> None:
    book, rule = faulty(genmove="on")
    book.lay("start", "play Ann grab")
    rule.fails = lambda name, played: name == method
    book.engine(1, "select_move pass")
    assert book.referee.view.play.held
    # A picture is a line of the view where a rule has no better one.
    said = next(text for text in book.since(0, "->") if f": Broken: {method}. The play is held." in text)
    assert re.match(r"-> The rule Faulty failed in \w+ \(.*games\.py:\d+\)", said)
    rule.fails = lambda name, played: False
    book.lay("start", "play Ann grab")


def test_what_is_saved_is_what_was_played_though_the_rule_raises() -> None:
    book, rule = faulty()
    lines = ("play Ann pass", "undo", "redo", "start", "force_play Bob grab", "goto_node 2")
    for method, line in product(METHODS, lines):
        rule.fails = lambda name, played, method=method: name == method
        book.say(line)
        rule.fails = lambda name, played: False
        assert book.files["game"].splitlines() == list(book.referee.view.file_lines())
    record = book.referee.view.play.record
    assert record is not None
    book.lay("close_file")
    other = Playbook(engines=book.actors, rules=book.rules, files=book.files)
    other.lay("load_file game")
    loaded = other.referee.view.play.record
    assert loaded is not None
    assert [node.made for node in loaded.nodes] == [node.made for node in record.nodes]
    assert loaded.cursor.number == record.cursor.number


def test_our_own_mistakes_are_not_hidden() -> None:
    book = begun()
    book.referee._flow.showing.table = None
    with pytest.raises(TypeError):
        book.referee.handle(SupervisorSaid("undo", book.now))


def test_an_illegal_default_of_a_rule_holds_the_play() -> None:
    class Wrong(Grab):
        name = "Wrong"

        def begin(self, options: object) -> object:  # type: ignore[override]
            position = super().begin({})
            position.moves = lambda player: ("grab",) if player == "Ann" else ()
            return position

    book = Playbook(rules={"Wrong": Wrong()})
    book.lay("set_rule Wrong", "start")
    book.wait(3.0)
    assert book.referee.view.play.held
    assert book.say("get_rule") == "= Wrong"


def test_a_move_that_the_rule_lists_and_then_refuses_is_the_engine_s_illegal_move() -> None:
    class Fickle(Grab):
        name = "Fickle"

        def begin(self, options: object) -> object:  # type: ignore[override]
            position = super().begin({})
            position.parse = lambda player, text: text
            return position

    book = Playbook(engines={"Mute": lambda: Actor()}, rules={"Fickle": Fickle()})
    book.lay("set_rule Fickle", "set_engine Ann Mute", "start")
    book.engine(1, "select_move snatch")
    assert [fault.fault for fault in book.referee.view.faults] == ["illegal"]
    assert book.say("force_play Ann snatch") == "? No move named snatch for player Ann."


def test_every_answer_is_one_printable_line() -> None:
    book = begun()
    book.cast[1].answers["get_option"] = "reply \x1b[31m\u2028x"
    book.lay("comment_node \x07bell\u2029", "get_comment", "get_engine_option Cross Depth")
    for effect in book.effects:
        if isinstance(effect, Respond):
            assert effect.text.isprintable()
