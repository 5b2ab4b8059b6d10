"""Numbers for terms, and relations with views and indexes that grow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggtp.errors import RulesError
from ggtp.gdl.interpret.relation import Access, Numbering, Relation, picker, row_picker
from ggtp.gdl.language.parse import parse_term
from ggtp.gdl.language.reader import MAX_DEPTH


def test_equal_terms_have_one_number_and_one_object() -> None:
    numbering = Numbering()
    one, other = numbering.number(parse_term("(f a (g b))")), numbering.number(parse_term("(f a (g b))"))
    assert one == other
    assert numbering.terms[one] == parse_term("(f a (g b))")
    inner = numbering.number(parse_term("(g b)"))
    assert numbering.args[one] == (numbering.number(parse_term("a")), inner)
    assert numbering.terms[numbering.compound("g", numbering.args[inner])] is numbering.terms[inner]
    assert numbering.functors[one] == ("f", 2)
    assert numbering.functors[numbering.number(parse_term("a"))] is None


def test_a_constant_and_a_compound_without_arguments_differ() -> None:
    numbering = Numbering()
    assert numbering.number(parse_term("noop")) != numbering.number(parse_term("(noop)"))


def test_terms_do_not_grow_for_ever() -> None:
    numbering = Numbering()
    number = numbering.number(parse_term("z"))
    for _ in range(MAX_DEPTH):
        number = numbering.compound("s", (number,))
    with pytest.raises(RulesError, match="terms without end"):
        numbering.compound("s", (number,))


@pytest.mark.parametrize(
    ("columns", "key", "row"), [((), (), ()), ((1,), 8, (8,)), ((2, 0), (9, 7), (9, 7)), ((0, 0), (7, 7), (7, 7))]
)
def test_pickers(columns: tuple[int, ...], key: object, row: tuple[int, ...]) -> None:
    assert picker(columns)((7, 8, 9)) == key
    assert row_picker(columns)((7, 8, 9)) == row


def relation_of(*texts: str) -> tuple[Numbering, Relation]:
    """A relation with one column, which holds these terms."""
    numbering = Numbering()
    return numbering, Relation(numbering, [(numbering.number(parse_term(text)),) for text in texts])


def test_an_index_looks_inside_compounds() -> None:
    numbering, relation = relation_of("(cell 1 2 b)", "(cell 1 3 x)", "(cell 2 2 b)", "(control x)", "cell")
    number = {text: numbering.number(parse_term(text)) for text in ("1", "2", "3", "b", "x")}
    shape = ((("cell", 3), (None, None, None)),)
    found = relation.index(Access(shape, (0,), (1, 2)))
    assert set(found[number["1"]]) == {(number["2"], number["b"]), (number["3"], number["x"])}
    assert set(found[number["2"]]) == {(number["2"], number["b"])}
    assert len(found) == 2
    assert set(relation.index(Access(shape, (), (2,)))[()]) == {(number["b"],), (number["x"],)}
    same = relation.index(Access(shape, (), (0,), ((0, 1),)))
    assert set(same[()]) == {(number["2"],)}


def test_an_index_looks_inside_nested_compounds() -> None:
    numbering, relation = relation_of("(f (g a b) (g c d))", "(f a (g c d))", "(f (g a b) c)", "(f (g b b) (h c d))")
    inner = (("g", 2), (None, None))
    shape = ((("f", 2), (inner, inner)),)
    a, b, c, d = (numbering.number(parse_term(text)) for text in "abcd")
    assert {key: set(rows) for key, rows in relation.index(Access(shape, (0,), (1, 2, 3))).items()} == {a: {(b, c, d)}}


rows = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), max_size=12)
columns = st.lists(st.integers(0, 2), max_size=3, unique=True).map(tuple)


@given(rows, rows, columns, columns)
def test_indexes_grow_with_their_relation(
    first: set[tuple[int, ...]], more: set[tuple[int, ...]], known: tuple[int, ...], wanted: tuple[int, ...]
) -> None:
    access = Access((None, None, None), known, wanted)
    growing = Relation(Numbering(), first)
    growing.index(access)
    growing.add(more - first)
    whole = Relation(Numbering(), first | more)
    assert growing.rows == whole.rows
    assert len(growing) == len(first | more)
    found = {key: set(answers) for key, answers in growing.index(access).items()}
    assert found == {key: set(answers) for key, answers in whole.index(access).items()}
    for row in first | more:
        assert row_picker(wanted)(row) in found[picker(known)(row)]
