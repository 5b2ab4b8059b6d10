"""Rules in arrays are a sequence of rules like any other."""

from __future__ import annotations

import pytest

from ggtp.gdl.ground.program import GroundRule, RuleTable

RULES = [GroundRule(5, (1, -2)), GroundRule(6, ()), GroundRule(5, (3,)), GroundRule(7, (-4, 2, 1))]


def test_a_table_has_the_same_rules() -> None:
    table = RuleTable.of(RULES)
    assert len(table) == 4
    assert list(table) == RULES
    assert [table[index] for index in range(4)] == RULES
    assert table[-1] == RULES[-1]
    assert list(table[1:3]) == RULES[1:3]
    assert table == RULES
    assert RuleTable.of(table) is table
    with pytest.raises(IndexError):
        table[4]


def test_tables_compare_by_their_rules() -> None:
    assert RuleTable.of(RULES) == RuleTable.of(RULES)
    assert hash(RuleTable.of(RULES)) == hash(RuleTable.of(RULES))
    assert RuleTable.of(RULES) != RuleTable.of(RULES[1:])
    assert RuleTable.of(RULES) != RULES[1:]
    assert RuleTable.of(RULES) != 4


def test_an_empty_table() -> None:
    assert list(RuleTable.of([])) == []
