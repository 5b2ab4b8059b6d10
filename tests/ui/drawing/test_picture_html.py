"""Pictures as HTML."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from support.tournaments import find_rules

from ggtp.game.picture import EMPTY, Cell, Grid, Note, Picture
from ggtp.ui.drawing.picture_html import layout_html, layout_of, picture_html

BOARD = Grid(((Cell("X", "first"), EMPTY), (EMPTY, Cell("O", "second"))), ("A", "B"), ("2", "1"), chequered=True)


def parsed(html: str) -> ElementTree.Element:
    """It is XML too, which shows that everything is closed and escaped."""
    return ElementTree.fromstring(html)


def test_a_board_has_its_cells_and_labels() -> None:
    root = parsed(picture_html(Picture((BOARD, Note("Cross to move", "muted")))))
    cells = [group for group in root.iter("g") if "cell" in group.get("class", "")]
    assert [cell.get("data-slot") for cell in cells] == ["0", "1", "2", "3"]
    assert ["".join(cell.itertext()) for cell in cells] == ["X", "", "", "O"]
    assert [cell.get("class") for cell in cells] == [
        "cell t-first",
        "cell t-empty dark",
        "cell t-empty dark",
        "cell t-second",
    ]
    labels = [text.text for text in root.iter("text") if "label" in text.get("class", "")]
    assert labels == ["A", "B", "2", "1"]
    (note,) = root.iter("p")
    assert (note.text, note.get("class"), note.get("data-slot")) == ("Cross to move", "note t-muted", "4")


def test_texts_are_escaped_wherever_they_stand() -> None:
    evil = "<script>alert(1)</script>\"'&"
    picture = Picture((Grid(((Cell(evil),),), (evil,), (evil,)), Note(evil)))
    html = picture_html(picture)
    assert "<script" not in html
    assert "".join(parsed(html).itertext()).count(evil) == 4


def test_a_layout_is_the_same_whatever_stands_on_the_board() -> None:
    rules = find_rules("TicTacToe")
    start = rules.start()
    later = start.play({"Cross": "A1"}).position
    (first, empty), (second, taken) = layout_of(start.picture(None)), layout_of(later.picture(None))
    assert first == second
    assert [i for i, (a, b) in enumerate(zip(empty, taken, strict=True)) if a != b] == [6]
    assert "<text" in layout_html(first, [1] * 9)


def test_hexagons_lean_to_the_right() -> None:
    grid = Grid(((EMPTY, EMPTY), (EMPTY, EMPTY)), ("a", "b"), ("1", "2"), shape="hex")
    root = parsed(picture_html(Picture((grid,))))
    corners = [float(re.split("[ ,]", polygon.get("points", ""))[0]) for polygon in root.iter("polygon")]
    assert corners[2] - corners[0] == (corners[1] - corners[0]) / 2


def test_wide_texts_get_wide_cells() -> None:
    def width(text: str) -> float:
        root = parsed(picture_html(Picture((Grid(((Cell(text),),)),))))
        return float(next(root.iter("rect")).get("width", "0"))

    assert width("X") == width("10") < width("hello")


def test_rows_may_have_different_lengths_or_none() -> None:
    ragged = Grid(((EMPTY,), (EMPTY, EMPTY), ()))
    assert len(list(parsed(picture_html(Picture((ragged,)))).iter("rect"))) == 3
    assert parsed(picture_html(Picture((Grid(()),)))).tag == "div"
    assert parsed(picture_html(Picture(()))).tag == "div"


def test_nothing_has_a_style_of_its_own() -> None:
    assert "style=" not in picture_html(Picture((BOARD, Note("x"))))
