import pytest

from ggtp.catalogue import Catalogue
from ggtp.foreign.gtp import GtpError
from ggtp.foreign.gtp_board import SPOKEN, gtp_board, handicap_stones, score_text, with_size

CATALOGUE = Catalogue.from_environment({})


def board(name, **values):
    rules = CATALOGUE.find_rules(name)
    return rules, gtp_board(rules, rules.complete(values))


@pytest.mark.parametrize("name", SPOKEN)
def test_every_move_has_a_vertex_and_every_vertex_its_move(name: str) -> None:
    rules, spoken = board(name)
    position = rules.start()
    moves = position.moves(position.turn().players[0])
    assert [spoken.move(spoken.vertex(move)) for move in moves] == list(moves)
    assert [spoken.move(spoken.vertex(move).upper()) for move in moves] == list(moves)
    assert len({spoken.vertex(move).lower() for move in moves}) == len(moves)


def test_letters_are_those_of_each_game() -> None:
    assert board("Go")[1].vertex("J9") == "J9"
    assert board("Gomoku")[1].vertex("I9") == "J9"
    assert board("Gomoku")[1].move("j9") == "I9"
    assert board("Hex")[1].vertex("i9") == "I9"
    assert board("Hex")[1].vertex("swap") == "swap-pieces"
    assert board("Hex")[1].move("swap-pieces") == "swap"
    assert board("Othello", size="12")[1].move("J10") == "i10"


def test_who_begins_is_black() -> None:
    hexagons = board("Hex")[1]
    assert [hexagons.colour(player) for player in ("Red", "Blue")] == ["black", "white"]
    assert hexagons.player("white") == "Blue"
    assert board("Gomoku", starting_player="White")[1].player("black") == "White"
    assert board("Go", handicap="2")[1].player("black") == "Black"


@pytest.mark.parametrize("vertex", ["", "I5", "K1", "A10", "A0", "AA1", "5A", "A1 "])
def test_what_is_not_on_the_board(vertex: str) -> None:
    with pytest.raises(GtpError):
        board("Go", size="9")[1].move(vertex)


@pytest.mark.parametrize("name", ["Chess", "Nim", "Backgammon", "PhantomTicTacToe", "ConnectFour", "ChineseCheckers"])
def test_other_games_are_not_spoken_of(name: str) -> None:
    assert board(name)[1] is None


def test_handicap_stones_stand_where_everybody_puts_them() -> None:
    rules = CATALOGUE.find_rules("Go")
    assert handicap_stones(rules, rules.complete({"handicap": "4"})) == ("D4", "Q4", "D16", "Q16")
    assert handicap_stones(rules, rules.complete({})) == ()


def test_sizes() -> None:
    rules = CATALOGUE.find_rules("Go")
    assert with_size(rules, {"komi": "5.5"}, 9)["size"] == "9"
    with pytest.raises(GtpError, match="unacceptable size"):
        with_size(rules, {}, 25)
    with pytest.raises(GtpError, match="unacceptable size"):
        with_size(CATALOGUE.find_rules("Othello"), {}, 7)
    small = CATALOGUE.find_rules("TicTacToe")
    assert with_size(small, {}, 3) == small.complete({})
    with pytest.raises(GtpError):
        with_size(small, {}, 4)


def test_scores() -> None:
    rules, spoken = board("Go", size="5", komi="0.5")
    position = rules.start({"size": "5", "komi": "0.5"})
    assert score_text(position, spoken) == "W+0.5"
    position = position.play({"Black": "C3"}).position
    assert score_text(position, spoken) == "B+24.5"
    rules, spoken = board("Go", size="5", komi="0")
    assert score_text(rules.start({"size": "5", "komi": "0"}), spoken) == "0"
    rules, spoken = board("Gomoku")
    position = rules.start()
    assert score_text(position, spoken) is None
    for column in "ABCDE":
        for player, row in (("Black", 1), ("White", 2)):
            if position.result() is None:
                position = position.play({player: f"{column}{row}"}).position
    assert score_text(position, spoken) == "B+1"
