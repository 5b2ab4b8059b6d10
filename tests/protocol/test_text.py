"""Words, lists and maps on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.protocol.text import (
    join_list,
    join_lists,
    join_map,
    one_line,
    quote,
    split_list,
    split_map,
    split_words,
    unquote,
)

# What the protocol can carry: any text of one line.
ITEMS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=12)
AWKWARD = st.text(st.sampled_from(list('ab ,=;"\\\t')), max_size=8)


@pytest.mark.parametrize(
    ("text", "most", "words"),
    [
        ("", 3, []),
        (" \t ", 3, []),
        ("Cross", 3, ["Cross"]),
        ("Cross A1", 2, ["Cross", "A1"]),
        ("  Cross \t A1  ", 2, ["Cross", "A1"]),
        ("Cross take 2  from B", 2, ["Cross", "take 2  from B"]),
        ("Cross\tA1", 1, ["Cross\tA1"]),
        ("a b c d", 3, ["a", "b", "c d"]),
        ("a\u00a0b c", 2, ["a\u00a0b", "c"]),
    ],
)
def test_words_are_split_at_runs_of_blanks_but_the_last_keeps_its_own(text: str, most: int, words: list[str]) -> None:
    assert split_words(text, most) == words


@given(st.text(), st.integers(1, 5))
def test_splitting_loses_nothing_but_blanks(text: str, most: int) -> None:
    words = split_words(text, most)
    assert len(words) <= most
    assert all(word and word == word.strip(" \t") for word in words)
    assert all(" " not in word and "\t" not in word for word in words[: most - 1])
    assert "".join("".join(words).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("item", "written"),
    [
        ("A1", "A1"),
        ("take 2 from B", "take 2 from B"),
        ("", '""'),
        ("a,b", '"a,b"'),
        ("a=b", '"a=b"'),
        ("a;b", '"a;b"'),
        ('say "x"', '"say \\"x\\""'),
        (" a", '" a"'),
        ("a\\b", "a\\b"),
        ("a,\\b", '"a,\\\\b"'),
    ],
)
def test_an_item_is_quoted_where_it_has_to_be(item: str, written: str) -> None:
    assert quote(item) == written
    assert unquote(written) == item


def test_the_spec_s_own_examples() -> None:
    assert join_list(["B1", "C1", "A2"]) == "B1, C1, A2"
    assert join_map({"Cross": "human", "Circle": "Minimax"}) == "Cross=human, Circle=Minimax"
    assert join_lists({"Cross": ["B1", "C1", "A2"]}) == "Cross=B1,C1,A2"
    assert join_lists({"Left": ["Rock", "a,b"], "Right": ["Rock"]}) == 'Left=Rock,"a,b"; Right=Rock'


@given(st.lists(ITEMS | AWKWARD))
def test_a_list_reads_back(items: list[str]) -> None:
    assert split_list(join_list(items)) == items


@given(st.dictionaries(ITEMS | AWKWARD, ITEMS | AWKWARD))
def test_a_map_reads_back(pairs: dict[str, str]) -> None:
    if "" in pairs and pairs[""] == "":
        pairs.pop("")  # nothing named nothing is the same as no item at all
    assert split_map(join_map(pairs)) == pairs


@given(st.text())
def test_reading_never_fails(text: str) -> None:
    assert all(isinstance(item, str) for item in split_list(text))
    assert all(isinstance(item, str) for pair in split_map(text).items() for item in pair)


def test_reading_is_lenient() -> None:
    assert split_list('a ,b,"c') == ["a", "b", "c"]
    assert split_list("") == []
    assert split_map("size=8, flag, =x") == {"size": "8", "flag": "", "": "x"}
    assert split_map("a=b=c") == {"a": "b=c"}


@given(st.text())
def test_one_line_is_printable_and_leaves_what_is(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    if text.isprintable():
        assert line == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb", "a\\x0ab"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\tb", "a b"),
        ("\u2028", "\\u2028"),
        ("\U000e0001", "\\U000e0001"),
        ("\udc80", "\\udc80"),
        ("é ♞", "é ♞"),
    ],
)
def test_what_could_break_a_terminal_is_escaped(text: str, line: str) -> None:
    assert one_line(text) == line
