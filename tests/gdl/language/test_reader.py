"""KIF text, byte by byte, as it is found in the wild."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.errors import RulesError
from ggtp.gdl.language import reader
from ggtp.gdl.language.reader import MAX_DEPTH, Place, Reading, SList, Symbol, read
from ggtp.gdl.language.reader import words as words_of


def texts(source: str) -> list[str]:
    return [str(expression) for expression in read(source).expressions]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("", []),
        ("   \n\t ", []),
        ("; only a comment", []),
        ("a", ["a"]),
        ("(a)", ["(a)"]),
        ("()", ["()"]),
        ("(role white)(role black)", ["(role white)", "(role black)"]),
        ("(Role WHITE)", ["(role white)"]),
        ("(a(b)c)", ["(a (b) c)"]),
        ("(a\tb\x0bc\x0cd)", ["(a b c d)"]),
        ("(a\rb)", ["(a b)"]),
        ("(a\r\nb)", ["(a b)"]),
        ("(a ; (b\n c)", ["(a c)"]),
        ("(a ; b\rc)", ["(a c)"]),
        ("(a;b\nc)", ["(a c)"]),
        ("\ufeff(a)", ["(a)"]),
        ("(a\u00a0b)", ["(a b)"]),
        ('(a |b c| "d e")', ['(a |b c| "d e")']),
        ("(<= (f ?X) (g ?X))", ["(<= (f ?x) (g ?x))"]),
        ("(++ 1 2)(= a b)(goal1-0)", ["(++ 1 2)", "(= a b)", "(goal1-0)"]),
        ("(a ü Ä)", ["(a ü ä)"]),
    ],
)
def test_what_is_read(source: str, found: list[str]) -> None:
    assert texts(source) == found


def test_every_symbol_and_list_has_its_place() -> None:
    found = read("(a b\r\n\t(c\r d)) ; x\n e").expressions
    inner = SList((Symbol("c", Place(2, 3)), Symbol("d", Place(3, 2))), Place(2, 2))
    outer = SList((Symbol("a", Place(1, 2)), Symbol("b", Place(1, 4)), inner), Place(1, 1))
    assert found == (outer, Symbol("e", Place(4, 2)))


def test_a_byte_order_mark_takes_no_column() -> None:
    assert read("\ufeffa").expressions == (Symbol("a", Place(1, 1)),)


def test_stray_closing_parentheses_are_skipped_and_told() -> None:
    reading = read("(a))\n)(b)")
    assert [str(item) for item in reading.expressions] == ["(a)", "(b)"]
    assert reading.strays == (Place(1, 4), Place(2, 1))


@pytest.mark.parametrize(
    ("source", "line", "column", "message"),
    [
        ("(", 1, 1, "never closed"),
        ("(a)\n (b (c)", 2, 2, "never closed"),
        ("(a (b)\n(c)\n(d)", 1, 1, "never closed"),
        ("(a) ; )\n(b ; )", 2, 1, "never closed"),
        ("(a \x00)", 1, 4, "U+0000"),
        ("(a)\n(b\x1b)", 2, 3, "U+001B"),
        ("(a \udc80)", 1, 4, "U+DC80"),
        ("(" * (MAX_DEPTH + 1), 1, MAX_DEPTH + 1, "open"),
    ],
)
def test_what_cannot_be_read_has_its_place(source: str, line: int, column: int, message: str) -> None:
    with pytest.raises(RulesError, match="(?i)" + message.replace("+", r"\+")) as caught:
        read(source, "game.kif")
    assert (caught.value.path, caught.value.line, caught.value.column) == ("game.kif", line, column)
    assert len(caught.value.caret()) == 2


def test_control_characters_in_comments_do_no_harm() -> None:
    assert texts("(a) ; \x00\x1b") == ["(a)"]


def test_deep_nesting_within_the_bound() -> None:
    assert texts("(" * MAX_DEPTH + ")" * MAX_DEPTH) == ["(" * MAX_DEPTH + ")" * MAX_DEPTH]


def test_very_deep_nesting_is_an_error_and_not_a_crash() -> None:
    with pytest.raises(RulesError):
        read("(" * 1_000_000)


def test_the_length_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_CHARACTERS", 10)
    assert texts("(a b c d)") == ["(a b c d)"]
    with pytest.raises(RulesError, match="more than 10 characters"):
        read("(a b c d e)")


words = st.text("abcxyz019?<=+-_|\"'", min_size=1, max_size=5)
expressions = st.recursive(words, lambda inner: st.lists(inner, max_size=4), max_leaves=20)


def written(expression: object) -> str:
    return f"({' '.join(map(written, expression))})" if isinstance(expression, list) else str(expression)


@pytest.mark.slow
@given(st.lists(expressions))
def test_reading_what_was_written(items: list[object]) -> None:
    assert texts("\n".join(map(written, items))) == [written(item) for item in items]


def outcome(source: str) -> Reading | RulesError:
    try:
        return read(source)
    except RulesError as error:
        return error


@given(st.text("(); \n\r\tab?\x00", max_size=60))
def test_any_text_is_read_or_refused_with_a_place(source: str) -> None:
    found = outcome(source)
    if isinstance(found, RulesError):
        assert found.line >= 1
        assert found.source is not None
        assert 1 <= found.column <= len(found.source)


@given(st.text("()a ", max_size=60))
def test_lines_and_columns_point_at_what_they_say(source: str) -> None:
    found = outcome(source)
    if isinstance(found, RulesError):
        assert source[found.column - 1] == "("
        return
    assert all(source[place.column - 1] == ")" for place in found.strays)
    for expression in found.expressions:
        wanted = "(" if isinstance(expression, SList) else "a"
        assert source[expression.place.column - 1] == wanted


def test_words_are_what_the_reader_sees() -> None:
    assert words_of("\ufeff(Role  White); not this (\r\n(a(b)\tC) ; nor this") == "( role white ) ( a ( b ) c )"
    assert words_of("; nothing") == ""


@given(st.text(st.sampled_from("aB ();\n\r\t|"), max_size=30), st.text(st.sampled_from("aB ();\n\r\t|"), max_size=30))
def test_texts_of_the_same_words_read_the_same(one: str, two: str) -> None:
    def outcome(source: str) -> list[str] | None:
        try:
            return texts(source)
        except RulesError:
            return None

    if words_of(one) == words_of(two):
        assert outcome(one) == outcome(two)
    assert outcome(words_of(one)) == outcome(one)
