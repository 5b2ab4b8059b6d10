from __future__ import annotations

import time

import pytest

from ggtp.game import OpenMoves, Option, number, switch
from ggtp.protocol.commands import SUPERVISOR_COMMANDS
from ggtp.ui.prompt.suggest import MOST, Knowledge, Place, is_open, place, suggest

KNOWN = Knowledge(
    rules={"TicTacToe": "three in a row", "Nim": "take the last", "gdl/chess": ""},
    engines={"human": "a person", "Minimax": "looks ahead", "Random": "plays any move"},
    players={"Circle": "Minimax", "Cross": "human"},
    turn=("Cross",),
    options=(switch("show_table", False, "draw it"), number("patience", 60, 1, 99, "wait"), Option("view", "auto")),
    values={"show_table": "on", "patience": "70", "view": "all"},
    rule_options=(number("size", 8, 1, 26, "of the board"), Option("start", "A", choices=("A", "B"))),
    rule_values={"size": "9", "start": "B"},
    engine_options={"Circle": ("Depth", "Style", "last_search")},
    engine_choices={("Circle", "Depth"): ("0..64",), ("Circle", "Style"): ("calm", "wild"), ("Circle", "Note"): ()},
    engine_values={("Circle", "Depth"): "8"},
    moves={"Cross": ("A1", "A2", "B1", "move A1 to B2", "move A1 to C3")},
    nodes={"opening": "3 Cross A1", "3": "Cross A1", "30": "Circle B2", "0": "start"},
    files=("games/", "old.ggtp", "Old.txt", ".hidden"),
)


def texts(line: str, known: Knowledge = KNOWN) -> list[str]:
    return [suggestion.text for suggestion in suggest(line, known)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Commands.
        ("qui", ["quit"]),
        ("QUI", ["quit"]),
        ("  qui", ["quit"]),
        ("set_e", ["set_engine", "set_engine_option"]),
        ("pl", ["play"]),
        ("moves", ["list_possible_moves", "list_played_moves"]),
        ("table", ["get_table", "show_table"]),
        ("xyz", []),
        # A move, which needs no command.
        ("b", ["B1", "list_branches"]),
        ("a2", ["A2"]),
        ("move  a1 to ", ["move A1 to B2", "move A1 to C3"]),
        ("Move A1 to c", ["move A1 to C3"]),
        ("# qu", []),
        ("quit ", []),
        ("nonsense ", []),
        ("SET_RULE ", []),
        ("known_command known", ["known_command"]),
        # Rules and engines.
        ("set_rule ", ["TicTacToe", "Nim", "gdl/chess"]),
        ("set_rule t", ["TicTacToe"]),
        ("set_rule   TIC", ["TicTacToe"]),
        ("set_rule gdl/", ["gdl/chess", "games/", "old.ggtp", "Old.txt"]),
        ("set_rule ./o", ["old.ggtp"]),
        ("set_engine Cross ", ["human", "Minimax", "Random"]),
        ("set_engine cross m", ["Minimax"]),
        # Players, whoever is to move first.
        ("set_engine ", ["Cross", "Circle"]),
        ("set_engine c", ["Cross", "Circle"]),
        ("play ", ["Cross"]),
        ("play ci", []),
        ("force_play ", ["Cross", "Circle"]),
        ("set_engine_option ", ["Circle"]),
        ("list_possible_moves ", ["Cross", "Circle"]),
        ("get_clock Ci", ["Circle"]),
        ("forfeit cr", ["Cross"]),
        ("forfeit Cross because", []),
        ("get_table Cross ", ["0"]),
        # Options and values.
        ("set_option ", ["show_table", "patience", "view"]),
        ("set_option table", ["show_table"]),
        ("set_option show_table ", ["on", "off"]),
        ("set_option SHOW_TABLE of", ["off"]),
        ("set_option patience ", ["70"]),
        ("set_option patience 7", ["70"]),
        ("set_option patience 8", []),
        ("set_option view ", ["all"]),
        ("set_option nothing ", []),
        ("get_option pat", ["patience"]),
        ("set_rule_option s", ["size", "start"]),
        ("set_rule_option size ", ["9"]),
        ("set_rule_option start ", ["A", "B"]),
        ("set_rule_option start b", ["B"]),
        # Engine options and values.
        ("set_engine_option Circle ", ["Depth", "Style", "last_search"]),
        ("set_engine_option circle d", ["Depth"]),
        ("set_engine_option Cross ", []),
        ("set_engine_option Nobody ", []),
        ("set_engine_option Circle Depth ", ["8"]),
        ("set_engine_option circle style ", ["calm", "wild"]),
        ("set_engine_option Circle Style w", ["wild"]),
        ("set_engine_option Circle last_search ", []),
        ("get_engine_option Circle St", ["Style"]),
        # Moves: the rest of the line.
        ("play Cross ", ["A1", "A2", "B1", "move A1 to B2", "move A1 to C3"]),
        ("play cross a", ["A1", "A2"]),
        ("play Cross move a1 ", ["move A1 to B2", "move A1 to C3"]),
        ("play Cross move  a1  to c", ["move A1 to C3"]),
        ("play Circle ", []),
        ("force_play Cross b", ["B1"]),
        # Nodes, files, topics, text.
        ("goto_node ", ["opening", "3", "30", "0"]),
        ("goto_node 3", ["3", "30"]),
        ("goto_node op", ["opening"]),
        ("load_file ", ["games/", "old.ggtp", "Old.txt"]),
        ("load_file o", ["old.ggtp"]),
        ("load_file games/o", ["old.ggtp"]),
        ("save_file .", [".hidden"]),
        ("help fi", ["files"]),
        ("help redo", ["redo"]),
        ("name_node x", []),
        ("comment_node some words", []),
    ],
)
def test_what_is_suggested(line: str, expected: list[str]) -> None:
    assert texts(line) == expected


@pytest.mark.parametrize("command", SUPERVISOR_COMMANDS, ids=lambda command: str(command.name))
def test_nothing_is_known_and_nothing_fails(command: object) -> None:
    name = getattr(command, "name", "")
    for line in (name, f"{name} ", f"{name} a ", f"{name} a b ", f"{name} a b c"):
        assert isinstance(suggest(line, Knowledge()), list)


def test_the_empty_line_offers_every_command() -> None:
    commands = [command.name for command in SUPERVISOR_COMMANDS]
    assert texts("", Knowledge()) == commands
    assert texts("") == [*KNOWN.moves["Cross"], *commands], "and before them the moves of a person who is to move"


@pytest.mark.parametrize(
    ("line", "start"),
    [("set_r", -5), ("set_rule ", 0), ("set_rule tic", -3), ("play Cross move  a1", -8), ("load_file games/o", -1)],
)
def test_where_it_begins(line: str, start: int) -> None:
    assert {suggestion.start for suggestion in suggest(line, KNOWN)} == {start}


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("set_r", True),
        ("red", False),
        ("set_engine Ci", True),
        ("set_engine Cross M", False),
        ("known_command se", False),
    ],
)
def test_whether_an_argument_follows(line: str, more: bool) -> None:
    assert {suggestion.more for suggestion in suggest(line, KNOWN)} == {more}


@pytest.mark.parametrize(
    ("line", "meta"),
    [
        ("qui", "leave, with every engine gone"),
        ("set_rule tic", "three in a row"),
        ("set_engine Cross mi", "looks ahead"),
        ("set_engine Cr", "human, to move"),
        ("set_option pat", "wait (now 70)"),
        ("set_option patience ", "now; a whole number, 1..99"),
        ("set_option view ", "now; any text"),
        ("set_option show_table on", "now"),
        ("goto_node op", "3 Cross A1"),
        ("help files", "play files"),
    ],
)
def test_what_it_is(line: str, meta: str) -> None:
    assert suggest(line, KNOWN)[0].meta == meta


def test_chance_can_be_forced_at_its_turn() -> None:
    known = Knowledge(players={"Red": "human"}, turn=("Chance",), moves={"Chance": ("1 2", "1 3")})
    assert texts("force_play ", known) == ["Chance", "Red"]
    assert texts("force_play chance 1", known) == ["1 2", "1 3"]
    assert texts("play ", known) == ["Red"]


def test_open_moves_show_what_else_there_is() -> None:
    known = Knowledge(
        players={"Red": "human"}, turn=("Red",), moves={"Red": OpenMoves(("fold", "call"), ("raise 1..9",))}
    )
    shown = [(suggestion.text, suggestion.hint) for suggestion in suggest("play Red ", known)]
    assert shown == [("fold", ""), ("call", ""), ("", "raise 1..9")]


def test_a_game_with_very_many_moves_stays_quick() -> None:
    known = Knowledge(players={"Red": "human"}, turn=("Red",), moves={"Red": [f"m{n}" for n in range(200_000)]})
    begin = time.monotonic()
    assert len(texts("play Red m", known)) == MOST
    assert texts("play Red m199999", known) == ["m199999"]
    assert time.monotonic() - begin < 2


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Place("command", "")),
        ("\tse", Place("command", "se")),
        ("#", None),
        ("undo ", None),
    ],
)
def test_place(line: str, expected: Place | None) -> None:
    assert place(line) == expected


def test_place_of_an_argument() -> None:
    at = place("set_engine_option  Circle\tDepth 1")
    assert at is not None
    assert (at.kind, at.fragment, at.arguments, at.more) == ("engine_value", "1", ("Circle", "Depth"), False)


@pytest.mark.parametrize(
    ("choice", "expected"), [("1..64", True), ("-3..", True), ("any", True), ("on", False), ("read-only", False)]
)
def test_is_open(choice: str, expected: bool) -> None:
    assert is_open(choice) is expected
