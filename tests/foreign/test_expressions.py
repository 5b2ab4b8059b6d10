import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.errors import RemoteProtocolError
from ggtp.foreign.expressions import (
    MOST_DEPTH,
    Expression,
    move_expression,
    move_name,
    read,
    read_all,
    write,
    write_list,
)

WORDS = st.text("abXY?12._<=-", min_size=1, max_size=6)
EXPRESSIONS = st.recursive(WORDS, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=20)


@pytest.mark.slow
@given(EXPRESSIONS)
def test_what_is_written_is_read_again(expression: Expression) -> None:
    assert read(write(expression)) == expression


def test_blanks_line_ends_and_comments_mean_nothing_and_capitals_stay() -> None:
    assert read_all("(Role\n X);no (\n ( a(b)c )") == (("Role", "X"), ("a", ("b",), "c"))


def test_blanks_are_those_of_the_reference() -> None:
    assert write(("mark", "1", ("f", "x"))) == "( mark 1 ( f x ) )"
    assert write_list((("mark", "3", "1"), "noop")) == "(( mark 3 1 ) noop )"


@pytest.mark.parametrize("text", ["", "a b", "(a", "a)", ")(", "(" * (MOST_DEPTH + 1) + ")" * (MOST_DEPTH + 1)])
def test_what_is_not_one_expression_is_refused(text: str) -> None:
    with pytest.raises(RemoteProtocolError):
        read(text)


@pytest.mark.parametrize("move", ["noop", "mark 1 3", "(noop)", "move (f a) b"])
def test_moves_of_the_house_and_back(move: str) -> None:
    assert move_name(move_expression(move)) == move
