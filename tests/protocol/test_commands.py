"""The tables: numbers, names and arguments are the paper's own."""

from __future__ import annotations

import pytest

from ggtp.protocol.commands import (
    ANSWER_NUMBERS,
    ENGINE,
    ENGINE_COMMANDS,
    SUPERVISOR,
    SUPERVISOR_COMMANDS,
    EngineCommand,
    SupervisorCommand,
)
from ggtp.protocol.messages import AnswerKind

TABLE_1 = """
 1 get_version
 2 quit
 3 load_file filename
 4 save_file filename
 5 close_file
 6 list_commands
 7 known_command command
 8 list_options
 9 get_option option
10 list_option_choices option
11 set_option option value                            recorded
12 list_rules
13 set_rule rule                                      recorded
14 get_rule
15 list_rule_options
16 get_rule_option option
17 list_rule_option_choices option
18 set_rule_option option value                       recorded
19 list_players
20 list_engines
21 set_engine player engine                           recorded
22 get_engine player
23 list_engine_options player
24 get_engine_option player option
25 list_engine_option_choices player option
26 set_engine_option player option value              recorded
27 start                                              recorded
28 list_possible_moves [[player] table]
29 get_result [[player] table]
30 get_table [[player] table]
31 get_last_move
32 list_played_moves
33 play player move
34 force_play player move
35 genmove
36 undo                                               recorded
37 redo                                               recorded
"""
"""The paper's Table 1, with the recorded ones of the spec: undo and redo are recorded for the sake of branches."""

TABLE_2 = """
38 connect_engine               acknowledge
39 disconnect_engine            acknowledge
40 list_options                 reply
41 get_option option            reply invalid_option_name
42 list_option_choices option   reply invalid_option_name
43 set_option option value      acknowledge invalid_option_name invalid_option_value
44 start                        acknowledge
45 list_possible_moves table    reply invalid_table_number
46 get_result table             reply invalid_table_number
47 get_table table              reply invalid_table_number
48 have_to_play [delay]
49 made_move player move        acknowledge
50 illegal_move move            acknowledge
51 undone_move                  acknowledge
52 redone_move                  acknowledge
"""


def rows(table: str) -> list[str]:
    return [" ".join(line.split()) for line in table.strip().splitlines()]


def first_row(command: SupervisorCommand) -> str:
    return f"{command.number} {command.usage}" + (" recorded" if command.recorded else "")


def test_table_1_is_the_paper_s() -> None:
    assert [first_row(command) for command in SUPERVISOR_COMMANDS if command.number is not None] == rows(TABLE_1)


def second_row(command: EngineCommand) -> str:
    # The reason behind an illegal move can't be told from a move with blanks, so the two are one argument.
    words = [p.name.removesuffix(" and reason") for p in command.parameters]
    shown = [f"[{word}]" if p.optional else word for word, p in zip(words, command.parameters, strict=True)]
    answers = [kind.value for kind in AnswerKind if kind in command.answers]
    return " ".join((str(command.number), command.name, *shown, *answers))


def test_table_2_is_the_paper_s() -> None:
    assert [second_row(command) for command in ENGINE_COMMANDS if command.number is not None] == rows(TABLE_2)


def test_ours_are_besides_the_tables() -> None:
    assert [command.name for command in ENGINE_COMMANDS if command.number is None] == ["told_message"]
    assert [kind.value for kind, number in ANSWER_NUMBERS.items() if number is None] == ["tell_message"]


def test_table_3_is_the_paper_s() -> None:
    assert {number: kind.value for kind, number in ANSWER_NUMBERS.items() if number is not None} == {
        53: "reply",
        54: "acknowledge",
        55: "invalid_option_name",
        56: "invalid_option_value",
        57: "invalid_table_number",
        58: "select_move",
    }


def test_what_overtakes_a_request_for_a_move() -> None:
    """The spec's undone_move, redone_move, made_move and start; a refused move is asked for anew as well."""
    changing = {command.name for command in ENGINE_COMMANDS if command.changes}
    assert changing == {"start", "made_move", "illegal_move", "undone_move", "redone_move"}


@pytest.mark.parametrize("commands", [SUPERVISOR_COMMANDS, ENGINE_COMMANDS], ids=["supervisor", "engine"])
def test_names_are_unique_words(commands: tuple[SupervisorCommand | EngineCommand, ...]) -> None:
    names = [command.name for command in commands]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and name.replace("_", "").isalpha() for name in names)


def test_the_indexes_hold_every_command() -> None:
    assert list(SUPERVISOR.values()) == list(SUPERVISOR_COMMANDS)
    assert list(ENGINE.values()) == list(ENGINE_COMMANDS)


def test_our_own_commands_come_after_the_paper_s() -> None:
    numbers = [command.number for command in SUPERVISOR_COMMANDS]
    assert numbers[:37] == list(range(1, 38))
    assert set(numbers[37:]) == {None}


@pytest.mark.parametrize("command", SUPERVISOR_COMMANDS, ids=lambda command: command.name)
def test_every_command_says_what_it_does_and_optional_arguments_are_last(command: SupervisorCommand) -> None:
    assert command.summary
    assert not command.summary.endswith(".")
    optional = [parameter.optional for parameter in command.parameters]
    assert optional == sorted(optional)
    assert command.fewest == optional.count(False)


def test_usage_shows_what_may_be_left_out() -> None:
    assert SUPERVISOR["set_engine"].usage == "set_engine player engine"
    assert SUPERVISOR["help"].usage == "help [command]"
    assert SUPERVISOR["forfeit"].usage == "forfeit player [reason]"
    assert SUPERVISOR["start"].usage == "start"
