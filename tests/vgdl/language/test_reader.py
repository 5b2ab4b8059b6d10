from __future__ import annotations

from ggtp.vgdl.language.reader import read, settings


def test_lines_belong_to_the_nearest_line_that_is_indented_less() -> None:
    (top,) = read("a\n   b\n\t\tc # comment\n\n     d\n   e\n")
    assert [child.first.text for child in top.children] == ["b", "c"]
    assert [child.first.text for child in top.children[1].children] == ["d", "e"]  # a tab is one character


def test_every_word_has_its_place_and_an_arrow_is_a_word() -> None:
    (line,) = read("\n  one>two x=1")
    assert [(word.text, word.line, word.column) for word in line.words] == [
        ("one", 2, 3),
        (">", 2, 6),
        ("two", 2, 7),
        ("x=1", 2, 11),
    ]
    left, right = line.sides()
    assert [str(word) for word in left] == ["one"]
    assert right is not None
    plain, found = settings(right)
    assert [str(word) for word in plain] == ["two"]
    assert [(setting.name, setting.value) for setting in found] == [("x", "1")]


def test_a_line_without_an_arrow_has_one_side() -> None:
    (line,) = read("a b")
    assert line.sides() == (line.words, None)


def test_walking_goes_from_the_top_down() -> None:
    (top,) = read("a\n b\n  c\n d")
    assert [line.first.text for line in top.walk()] == ["a", "b", "c", "d"]
