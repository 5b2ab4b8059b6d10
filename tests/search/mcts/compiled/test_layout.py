"""Places in the memory of a search: none is used twice, and all are known to the machine code."""

import inspect
import re

from ggtp.search.mcts.compiled import layout


def test_no_two_fields_have_the_same_place() -> None:
    for fields in (layout.TREE_FIELD, layout.WORKER_FIELD):
        assert sorted(fields.values()) == list(range(len(fields)))


def test_the_heads_of_records_hold_their_fields() -> None:
    assert layout.FORWARD < 2 * layout.NODE_HEAD
    assert layout.EDGE_HEURISTIC < 2 * layout.EDGE_VALUE
    assert layout.EDGE_HALVES == 2 * layout.EDGE_WORDS
    assert layout.EDGE_VALUE < layout.EDGE_WORDS


def test_no_word_of_a_record_has_two_names() -> None:
    source = inspect.getsource(layout)
    names = re.findall(r"^(?:NODE|EDGE)\w* = [A-Z_]+$", source, re.MULTILINE)
    assert names == []


def test_the_machine_code_knows_them_all() -> None:
    assert layout.CONSTANTS["T_ROOT"] == layout.TREE_FIELD["ROOT"]
    assert layout.CONSTANTS["W_BATCH"] == layout.WORKER_FIELD["BATCH"]
    assert layout.CONSTANTS["TOGETHER"] == -1
