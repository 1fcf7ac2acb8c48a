"""The exact answers, from the values of all coalitions, straight from the definitions."""

from itertools import combinations
from math import comb, factorial

import numpy as np

from benchmarks.set_functions import Table
from espalier.explain.plan import FloatArray


def shapley_values(table: Table) -> FloatArray:
    """What each player adds to all coalitions without it, those of each size weighted alike."""
    size, values = table.size, table.values
    numbers = np.arange(2**size)
    weights = np.array([1 / (size * comb(size - 1, others)) for others in range(size)])
    found = np.empty(size)
    for player in range(size):
        without = numbers[numbers >> player & 1 == 0]
        found[player] = weights[_sizes(without)] @ (values[without | 1 << player] - values[without])
    return found


def synergies(table: Table) -> FloatArray:
    """ASIV as in Eq. 7: twice Eq. 10, whose S holds j and k others and so has k + 1 players."""
    size = table.size
    return _second_differences(
        table, [2 * factorial(size - 2 - k) * factorial(k + 1) / factorial(size) for k in range(size - 1)]
    )


def interactions(table: Table) -> FloatArray:
    """The Shapley interaction index of every pair."""
    size = table.size
    return _second_differences(
        table, [factorial(k) * factorial(size - 2 - k) / factorial(size - 1) for k in range(size - 1)]
    )


def relative_error(estimate: FloatArray, truth: FloatArray) -> float:
    """Root mean square error in units of the truth's root mean square."""
    return float(np.sqrt(np.square(estimate - truth).sum() / np.square(truth).sum()))


def _second_differences(table: Table, weights: list[float]) -> FloatArray:
    size, values = table.size, table.values
    numbers = np.arange(2**size)
    by_size = np.array(weights)
    found = np.zeros((size, size))
    for i, j in combinations(range(size), 2):
        without = numbers[(numbers >> i & 1 == 0) & (numbers >> j & 1 == 0)]
        only_i, only_j = without | 1 << i, without | 1 << j
        differences = values[only_i | 1 << j] - values[only_i] - values[only_j] + values[without]
        found[i, j] = found[j, i] = by_size[_sizes(without)] @ differences
    return found


def _sizes(numbers: np.ndarray) -> np.ndarray:
    return np.bitwise_count(numbers).astype(np.int64)
