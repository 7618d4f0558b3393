"""Estimates with bootstrap intervals over tasks.

Tasks are the sample: episodes of one task are not independent of each other. The interval is the percentile bootstrap
of the mean, 95 %, from 2,000 resamples. The seed comes from a name, so the same values give the same bytes everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2_000
CONFIDENCE = 0.95
_AT_ONCE = 1_500_000
"""Values held in memory at once: 12 MB are 100 resamples of 300 tasks and 50 measures."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean over tasks, in the measure's unit, its interval, and `n`, the tasks with data.

    `low` and `high` are None for a single task: one value says nothing of the spread.
    """

    value: float
    low: float | None
    high: float | None
    n: int

    def as_json(self) -> dict[str, float | None]:
        """As it stands in files: rounded to 6 decimals."""
        return {"value": rounded(self.value), "low": rounded(self.low), "high": rounded(self.high), "n": self.n}


def rounded(value: float | None) -> float | None:
    """To 6 decimals, and -0.0 as 0.0."""
    return None if value is None else round(value, 6) + 0.0


def estimates(name: str, matrix: Sequence[Sequence[float | None]]) -> tuple[Estimate | None, ...]:
    """One estimate a column of a tasks x measures matrix, None where a column has no data.

    Values of None are left out, column by column. Columns with the same tasks are resampled together, and a column's
    estimate depends on the name and on its own values alone, not on the other columns.

    Raises ValueError for values that are not finite and for rows of different length.
    """
    if not matrix:
        return ()
    if len({len(row) for row in matrix}) > 1:
        raise ValueError(f"{name}: expected rows of one length, got {sorted({len(row) for row in matrix})}")
    present = np.array([[value is not None for value in row] for row in matrix], dtype=bool)
    values = np.array([[0.0 if value is None else value for value in row] for row in matrix], dtype=float)
    if not np.isfinite(values).all():
        raise ValueError(f"{name}: expected finite values, got {values[~np.isfinite(values)].tolist()}")
    found: list[Estimate | None] = [None] * values.shape[1]
    for pattern, columns in _by_pattern(present).items():
        tasks = np.frombuffer(pattern, dtype=bool)
        if tasks.any():
            for column, estimate in zip(columns, _complete(name, values[tasks][:, columns]), strict=True):
                found[column] = estimate
    return tuple(found)


def _by_pattern(present: NDArray[np.bool_]) -> dict[bytes, list[int]]:
    """The columns by which tasks they have data for."""
    patterns: dict[bytes, list[int]] = {}
    for column in range(present.shape[1]):
        patterns.setdefault(present[:, column].tobytes(), []).append(column)
    return patterns


def _complete(name: str, sample: NDArray[np.float64]) -> list[Estimate]:
    """Estimates of a matrix without gaps, tasks x measures, with at least one task."""
    n = sample.shape[0]
    if n == 1:
        return [Estimate(float(value), None, None, 1) for value in sample[0]]
    columns = np.ascontiguousarray(sample.T)
    varies = (columns != columns[:, :1]).any(axis=1)
    intervals = iter(_intervals(name, columns[varies])) if varies.any() else iter(())
    return [
        Estimate(float(column.mean()), *next(intervals), n) if apart else _constant(float(column[0]), n)
        for column, apart in zip(columns, varies, strict=True)
    ]


def _intervals(name: str, columns: NDArray[np.float64]) -> list[tuple[float, float]]:
    """The interval of the mean of each row of measures x tasks: the percentiles of the means of resampled tasks.

    The same as `scipy.stats.bootstrap` gives, which takes longer to import than most runs take to measure.
    """
    rng = np.random.default_rng(_seed(name))
    n = columns.shape[1]
    means = np.empty((len(columns), RESAMPLES))
    step = min(RESAMPLES, max(1, _AT_ONCE // columns.size))
    for start in range(0, RESAMPLES, step):
        drawn = rng.integers(0, n, (min(step, RESAMPLES - start), n))
        # Along contiguous memory, so that the rounding of a column's sum does not depend on how many columns there are.
        means[:, start : start + step] = np.ascontiguousarray(columns[:, drawn]).mean(axis=-1)
    tail = (1 - CONFIDENCE) / 2
    lows, highs = np.quantile(means, (tail, 1 - tail), axis=-1)
    return [(float(low), float(high)) for low, high in zip(lows, highs, strict=True)]


def _constant(value: float, n: int) -> Estimate:
    return Estimate(value, value, value, n)


def _seed(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])
