"""What is found out about worths from positions and results: known answers."""

import numpy as np
import pytest

from ggtp.search.evaluation.regression import Kinship, Positions, explained, regress

BOARD = [f"(cell {x} {y} {piece})" for x in "abcd" for y in "1234" for piece in ("man", "king")] + ["(control white)"]


def test_kin_share_a_name_and_arguments() -> None:
    kinship = Kinship(BOARD)
    single = 4 + 4 + 2
    assert kinship.kinds == single + 16 + 8 + 8, "a square, a column's or a row's pieces; control has no kin"
    numbers = np.zeros(kinship.facts + kinship.kinds)
    numbers[BOARD.index("(cell a 1 man)")] = 1.0
    assert kinship.spread(numbers).tolist() == [1.0] + [0.0] * 32


def test_to_gather_is_to_spread_the_other_way() -> None:
    kinship = Kinship(BOARD)
    rng = np.random.default_rng(1)
    one, two = rng.normal(size=kinship.facts + kinship.kinds), rng.normal(size=kinship.facts)
    assert (kinship.spread(one) * two).sum() == pytest.approx((one * kinship.gather(two)).sum())


def made_up(count, seed):
    """Positions in which facts hold at random, and what they are worth if a piece is 3 and a king 7."""
    rng = np.random.default_rng(seed)
    held, results = [], []
    for _ in range(count):
        holds = np.sort(rng.permutation(len(BOARD))[:8])
        held.append((holds, np.array([8])))
        results.append(20 + sum(3 if "man" in BOARD[f] else 7 if "king" in BOARD[f] else 0 for f in holds))
    return Positions(held, len(BOARD)), np.array(results, np.float64)


def test_what_pieces_are_worth_is_found_from_few_positions() -> None:
    positions, results = made_up(60, 1)
    *_, (worth, base) = regress(positions, results, Kinship(BOARD), 0.1)
    unseen, known = made_up(500, 2)
    assert explained(unseen.sums(worth) + base, known) > 0.95
    kings = np.array(["king" in fact for fact in BOARD])
    pieces = np.array(["man" in fact for fact in BOARD])
    assert worth[kings].mean() - worth[pieces].mean() == pytest.approx(4, abs=0.5)


def test_nothing_is_learned_where_all_results_are_the_same() -> None:
    positions, results = made_up(60, 1)
    assert list(regress(positions, np.full_like(results, 50.0), Kinship(BOARD), 0.1)) == []


def test_how_much_is_explained() -> None:
    results = np.array([0.0, 100.0, 0.0, 100.0])
    assert explained(results, results) == 1.0
    assert explained(np.full(4, 50.0), results) == 0.0
    assert explained(100 - results, results) < 0
    assert explained(np.full(4, 50.0), np.full(4, 50.0)) == 0.0
