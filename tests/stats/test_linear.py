"""Small matrices, against numpy."""

from __future__ import annotations

import random

import pytest

from ggtp.stats.linear import Matrix, cholesky, inverse, product, solve, zeros

numpy = pytest.importorskip("numpy", reason="numpy, the judge, is not installed")


def positive(size: int, seed: int) -> Matrix:
    rng = random.Random(seed)
    square = numpy.array([[rng.gauss(0, 1) for _ in range(size)] for _ in range(size)])
    found: Matrix = (square @ square.T + 0.1 * numpy.eye(size)).tolist()
    return found


@pytest.mark.parametrize("size", [1, 2, 5, 30])
def test_factors_solutions_and_inverses_are_those_of_numpy(size: int) -> None:
    matrix = positive(size, size)
    lower = cholesky(matrix)
    right = [float(i) for i in range(size)]
    assert solve(lower, right) == pytest.approx(numpy.linalg.solve(matrix, right).tolist(), rel=1e-6, abs=1e-8)
    assert numpy.allclose(inverse(lower), numpy.linalg.inv(matrix), rtol=1e-6)
    assert numpy.allclose(product(matrix, inverse(lower)), numpy.eye(size), atol=1e-7)


def test_a_matrix_that_is_not_positive_definite_is_refused() -> None:
    with pytest.raises(ValueError, match="positive definite"):
        cholesky([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="positive definite"):
        cholesky(zeros(2))


def test_nothing_is_a_matrix_too() -> None:
    assert inverse(cholesky([])) == solve([], []) == []
