"""Clauses as a grounder's text: nothing of the spelling gets through, and nothing is lost."""

from __future__ import annotations

import re

import pytest

from ggtp.errors import RulesError
from ggtp.gdl.ground.translate import Translation, relevant, translate
from ggtp.gdl.language.normalise import normalise
from ggtp.gdl.language.parse import parse


def translated(text: str) -> Translation:
    return translate(normalise(parse(text)))


def test_no_name_reaches_the_grounder() -> None:
    text = translated("""(role white') (init (#include "x"))
                         (<= (legal ?r% (move:-a ?x)) (role ?r%) (true (#include ?x)))
                         (<= terminal (not (true (#include z\\n))))""").text
    words = set(re.findall(r"[^\s(){},.:!=-]+", text))
    assert all(re.fullmatch(r"p\d+|f\d+|X\d+|\d+|not|F|R|M|#show|p\d+/\d", word) for word in words), words


def test_a_compound_without_arguments_is_a_constant_of_its_own() -> None:
    found = translated("(role r) (<= (legal r noop) (role r)) (<= (legal r (noop)) (role r))")
    assert "noop" in found.constants
    assert "(noop)" in found.constants


def test_functions_are_told_apart_by_their_number_of_arguments() -> None:
    found = translated("(role r) (init (f a)) (init (f a b))")
    assert found.functions == ("f", "f")


def test_variables_that_stand_under_not_alone_become_blanks() -> None:
    text = translated("(role r) (init (f a b)) (<= (next (g)) (role r) (not (true (f a ?x))))").text
    assert "not p2(f0(0," not in text
    assert re.search(r"not p\d\(f\d\(\d,_\)\)", text)


def test_a_variable_that_stands_twice_under_not_becomes_a_projection() -> None:
    text = translated("(role r) (init (f a b)) (<= (next (g)) (role r) (not (true (f ?x ?x))))").text
    assert re.search(r"q0 :- p\d\(f\d\(X0,X0\)\)\.", text)
    assert "not q0" in text


def test_conditions_on_what_nothing_gives() -> None:
    text = translated("(role r) (<= (next (a)) (nothing)) (<= (next (b)) (role r) (not (nothing)))").text
    assert len(re.findall(r"^p3", text, re.MULTILINE)) == 1
    assert "not" not in text


def test_what_the_play_does_not_depend_on_is_left_out() -> None:
    sheet = parse("(role r) (base (a)) (input r x) (unused 1) (<= (next (a)) (used ?x)) (used 1) (true (b))")
    assert {clause.head.name for clause in relevant(normalise(sheet).clauses)} == {"role", "next", "used"}


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (next (a ?x)) (role r))",
        "(<= (next (a)) (role r) (distinct ?x b))",
        "(<= (next (a)) (role r) (not (true (f ?x))) (distinct ?x b))",
    ],
)
def test_variables_without_values_are_refused(rule: str) -> None:
    with pytest.raises(RulesError, match=r"\?x") as caught:
        translated(f"(role r) (init (f a))\n{rule}")
    assert caught.value.line == 2
