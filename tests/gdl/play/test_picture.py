"""Boards are found among facts, and drawn; everything else is listed."""

from __future__ import annotations

from collections.abc import Iterable

from ggtp.game.picture import EMPTY, Grid, Note
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.syntax import Term
from ggtp.gdl.play.picture import MOST_PLACES, SHOWN, Board, draw, draw_log, find_boards, terms_in


def terms(texts: Iterable[str]) -> list[Term]:
    return [parse_term(text) for text in texts]


def boards_of(facts: list[Term]) -> tuple[Board, ...]:
    return find_boards(facts, facts)


def board(columns: str, rows: str, content: str = "b", name: str = "cell") -> list[Term]:
    return terms(f"({name} {x} {y} {content})" for x in columns for y in rows)


def test_a_board_of_numbers_or_letters() -> None:
    assert boards_of(board("abc", "12")) == (Board("cell", ("a", "b", "c"), ("1", "2"), True, "b"),)
    ten = terms(f"(cell {x} {y} x)" for x in range(1, 11) for y in (1, 2))
    assert boards_of(ten)[0].columns == tuple(map(str, range(1, 11)))


def test_a_board_of_marks() -> None:
    assert boards_of(terms(["(lit 1 1)", "(lit 1 2)", "(lit 2 1)"])) == (Board("lit", ("1", "2"), ("1", "2"), False),)


def test_the_largest_board_comes_first() -> None:
    found = boards_of([*board("12", "12", name="small"), *board("123", "123", name="large")])
    assert [item.name for item in found] == ["large", "small"]


def test_what_stands_there_may_come_first() -> None:
    facts = terms(["(piece wk b 1)", "(piece bk a 3)", "(piece wp b 2)", "(piece bp c 3)"])
    (found,) = boards_of(facts)
    assert (found.columns, found.rows, found.first) == (("a", "b", "c"), ("1", "2", "3"), 1)
    (grid,) = draw(facts, (found,), ("white", "black")).parts
    assert isinstance(grid, Grid)
    assert [[cell.text for cell in row] for row in grid.rows] == [
        ["bk", EMPTY.text, "bp"],
        [EMPTY.text, "wp", EMPTY.text],
        [EMPTY.text, "wk", EMPTY.text],
    ]
    # Two on one place are no board, nor is what there is nothing of at the start.
    assert boards_of(terms(["(road xx 1 1)", "(road yy 1 1)", "(road xx 1 2)", "(road yy 2 1)"])) == ()
    assert find_boards(facts, []) == ()


def test_what_is_no_board() -> None:
    assert boards_of(terms(["(control white)", "noop", "(at red here there)"])) == ()
    assert boards_of(terms(["(score a 1)"])) == ()
    # Pairs on a diagonal are a relation, not a rectangle.
    assert boards_of(terms(f"(succ {n} {n + 1})" for n in range(1, 9))) == ()
    wide = MOST_PLACES // 10
    assert boards_of(terms(f"(cell {x} {y} b)" for x in range(wide) for y in range(11))) == ()


def test_drawing() -> None:
    facts = terms(
        [
            "(cell 1 1 x)",
            "(cell 1 2 b)",
            "(cell 1 3 b)",
            "(cell 2 1 whiteknight)",
            "(cell 2 2 bp)",
            "(cell 2 3 white)",
            "(control white)",
            "quiet",
        ]
    )
    picture = draw(facts, boards_of(facts), ("white", "x"))
    grid, control, quiet = picture.parts
    assert isinstance(grid, Grid)
    assert grid.columns == ("1", "2")
    assert grid.row_labels == ("3", "2", "1")
    (_, man), (empty, pawn), (cross, knight) = grid.rows
    assert (man.text, man.tone) == ("W", "first")
    assert empty == EMPTY
    assert (pawn.text, pawn.tone) == ("bp", "plain")
    assert (cross.text, cross.tone) == ("X", "second")
    assert (knight.text, knight.tone) == ("wh", "first")
    assert (control, quiet) == (Note("control: white", "muted"), Note("quiet", "muted"))


def test_a_gap_is_part_of_the_board_and_a_blank_is_called_like_nothing() -> None:
    (found,) = boards_of(terms(["(cell 1 1 x)", "(cell 1 2 x)", "(cell 3 1 b)", "(cell 3 2 x)"]))
    assert found.columns == ("1", "2", "3")
    assert found.blank == ""
    # Most facts of a declared board do not hold at the start.
    declared = board("123", "123", "x") + board("123", "123")
    assert find_boards(declared, board("1", "1", "blank"))[0].blank == "blank"


def test_marks_are_drawn_and_a_missing_place_is_empty() -> None:
    boards = boards_of(terms(["(lit 1 1)", "(lit 1 2)", "(lit 2 1)"]))
    (grid,) = draw(terms(["(lit 2 1)"]), boards, ()).parts
    assert isinstance(grid, Grid)
    assert [[cell.text for cell in row] for row in grid.rows] == [[EMPTY.text, EMPTY.text], [EMPTY.text, "#"]]


def test_nothing_holds() -> None:
    assert draw([], (), ()).parts == (Note("nothing holds", "muted"),)


def test_a_board_with_holes() -> None:
    cross = terms(["(cell 2 1 b)", "(cell 1 2 b)", "(cell 2 2 x)", "(cell 3 2 b)", "(cell 2 3 b)"])
    boards = boards_of(cross)
    assert boards[0].holes == {("1", "1"), ("1", "3"), ("3", "1"), ("3", "3")}
    assert [line.rstrip() for line in draw(cross, boards, ("x",)).plain()[1:4]] == ["3   .", "2 . X .", "1   ."]
    # Where places are empty because nothing is said of them, they are no holes.
    some = find_boards(cross, cross[1:])
    assert not some[0].holes


def test_what_is_called_empty_is_drawn_so_though_it_is_rare() -> None:
    facts = [*board("1", "12", "peg"), *board("2", "1", "empty"), *board("2", "2", "peg")]
    assert boards_of(facts)[0].blank == "empty"
    # One letter may mean anything.
    assert boards_of([*board("1", "12", "w"), *board("2", "1", "b"), *board("2", "2", "w")])[0].blank == ""


def test_terms_stand_without_their_outer_parentheses() -> None:
    assert terms_in("(dealt sun 1) yes (sum (a b) 2)") == ["dealt sun 1", "yes", "sum (a b) 2"]
    assert terms_in("") == []


def test_a_log_tells_what_was_done_and_seen_and_what_may_be_done() -> None:
    log = ["noop [(dealt sun 1)]", "noop []", "play sun 1 [(played a sun 1) (played b sun 2)]"]
    assert draw_log(log, {"noop"}, ["play moon 1", "play moon 2"], "a").plain() == [
        "  1 sees dealt sun 1",
        "  3 play sun 1; sees played a sun 1, played b sun 2",
        "a may play moon 1, play moon 2",
    ]
    assert draw_log((), {"noop"}, (), "a").plain() == ["nothing has been seen yet", "a waits"]


def test_of_a_long_log_the_latest_is_drawn() -> None:
    lines = draw_log([f"put {number} []" for number in range(30)], (), [str(n) for n in range(30)], "a").plain()
    assert lines[0] == f"{30 - SHOWN} earlier steps"
    assert lines[-2] == " 30 put 29"
    assert lines[-1].endswith("11 and so on")
    assert len(lines) == SHOWN + 2
