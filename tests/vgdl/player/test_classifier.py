"""Rules of intervals, from examples."""

import pytest

pytest.importorskip("llvmlite", reason="the compiler is not installed")

from ggtp.vgdl.player.classifier import Classifier, narrowest
from ggtp.vgdl.player.foresight import BLOCKED, COST, GAIN, INVENTORY, PUSHED, UNKNOWN

A, B = COST | INVENTORY, GAIN


@pytest.fixture(name="figure")
def make_figure():
    """The five examples of the paper's sixth figure."""
    found = Classifier(2)
    for inventory, effects in (
        ((10, 5), BLOCKED), ((5, 5), BLOCKED), ((3, 8), A), ((7, 9), A), ((6, 10), B),
    ):  # fmt: skip
        found.add(inventory, effects)
    return found


@pytest.mark.parametrize(
    ("inventory", "effects"),
    [((0, 5), BLOCKED), ((7, 5), BLOCKED), ((99, 8), A), ((0, 9), A), ((6, 8), A), ((3, 10), B), ((3, 0), B)],
)
def test_the_figure_of_the_paper(figure, inventory, effects):
    assert figure.predict(inventory) == effects


def test_an_item_that_tells_nothing_is_left_out(figure):
    assert not figure.blocks.holds((7, 8))
    low, high = figure.blocks.bounds[0]
    assert low < 0 < 10 < high


def test_nothing_is_known_at_first() -> None:
    assert Classifier(1).predict((3,)) == UNKNOWN


def test_the_majority_where_nothing_tells_them_apart() -> None:
    found = Classifier(1)
    found.add((0,), GAIN, count=2)
    found.add((0,), COST, count=7)
    assert found.predict((0,)) == COST
    assert not found.certain


def test_blocked_by_majority_but_never_certain() -> None:
    found = Classifier(1)
    found.add((0,), BLOCKED, count=9)
    found.add((0,), 0, count=2)
    assert found.predict((0,)) == BLOCKED
    assert not found.certain


def test_what_is_pushed_is_never_certain() -> None:
    found = Classifier(1)
    found.add((0,), PUSHED)
    assert not found.certain


def test_beyond_the_examples_it_is_novel() -> None:
    found = Classifier(1)
    found.add((0,), BLOCKED)
    found.add((2,), BLOCKED)
    assert found.blocks_within == [(0, 2)]
    assert not found.novel((1,))
    assert found.novel((3,))


def test_doubtful_examples_count_only_where_there_are_no_others() -> None:
    found = Classifier(1)
    found.add((0,), GAIN, sure=False)
    assert found.predict((0,)) == GAIN
    found.add((0,), COST)
    assert found.predict((0,)) == COST


def test_a_rule_without_counterexamples_always_holds() -> None:
    assert narrowest([(1,), (4,)], []).holds((1000,))
    assert not narrowest([(1,), (4,)], [(2,)]).consistent
