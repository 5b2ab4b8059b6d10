"""Small dense matrices: what fitting a few dozen parameters needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[list[float]]


def zeros(size: int) -> Matrix:
    """A square matrix of zeros."""
    return [[0.0] * size for _ in range(size)]


def cholesky(matrix: Sequence[Sequence[float]]) -> Matrix:
    """The lower triangle whose square is this symmetric matrix.

    Raises:
        ValueError: the matrix is not positive definite.
    """
    lower: Matrix = []
    for i, row in enumerate(matrix):
        found: Vector = []
        for j in range(i + 1):
            other = lower[j] if j < i else found
            value = row[j] - math.fsum(a * b for a, b in zip(found, other[:j], strict=False))
            if j < i:
                found.append(value / lower[j][j])
            elif value > 0.0:
                found.append(math.sqrt(value))
            else:
                raise ValueError("the matrix is not positive definite")
        lower.append(found)
    return lower


def solve(lower: Sequence[Sequence[float]], right: Sequence[float]) -> Vector:
    """The vector that the matrix with this Cholesky factor maps to `right`."""
    forward: Vector = []
    for row, value in zip(lower, right, strict=True):
        forward.append((value - math.fsum(a * b for a, b in zip(row, forward, strict=False))) / row[-1])
    size = len(forward)
    found = [0.0] * size
    for i in range(size - 1, -1, -1):
        value = forward[i] - math.fsum(lower[j][i] * found[j] for j in range(i + 1, size))
        found[i] = value / lower[i][i]
    return found


def inverse(lower: Sequence[Sequence[float]]) -> Matrix:
    """The inverse of the matrix with this Cholesky factor."""
    size = len(lower)
    columns = [solve(lower, [1.0 if i == j else 0.0 for i in range(size)]) for j in range(size)]
    # Symmetric by construction, but for rounding.
    return [[(columns[i][j] + columns[j][i]) / 2.0 for j in range(size)] for i in range(size)]


def product(left: Sequence[Sequence[float]], right: Sequence[Sequence[float]]) -> Matrix:
    """The product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [[math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]
