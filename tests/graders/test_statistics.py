"""Estimates: means over tasks with bootstrap intervals."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import bootstrap

from graders.statistics import Estimate, estimates

ROOT = Path(__file__).parents[2]


def made(tasks: int, measures: int, seed: int = 7) -> list[list[float | None]]:
    draw = random.Random(seed)
    return [[draw.choice((0.0, 100.0, 100 / 3)) for _ in range(measures)] for _ in range(tasks)]


def column(values: list[float | None]) -> Estimate | None:
    (estimate,) = estimates("somebody", [[value] for value in values])
    return estimate


def test_the_value_is_the_mean_over_tasks_inside_its_interval() -> None:
    estimate = column([0, 0, 0, 100] * 10)
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.value == 25
    assert estimate.n == 40
    assert 10 <= estimate.low < 25 < estimate.high <= 40


def test_an_interval_is_as_wide_as_the_normal_approximation_says() -> None:
    estimate = column([0.0, 100.0] * 150)
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    half = 1.96 * 50 / 300**0.5
    assert estimate.low == pytest.approx(50 - half, abs=0.6)
    assert estimate.high == pytest.approx(50 + half, abs=0.6)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    draw = random.Random(11)
    samples: list[list[float | None]] = [[100.0 * (draw.random() < 0.3) for _ in range(400)] for _ in range(60)]
    covered = 0
    for estimate in estimates("coverage", samples):
        assert estimate is not None
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 30 <= estimate.high
    assert 0.91 <= covered / 400 <= 0.98


def test_missing_values_are_left_out_and_never_zero() -> None:
    with_gaps = column([None, 100.0, None, 50.0, 0.0, None])
    without = column([100.0, 50.0, 0.0])
    assert with_gaps == without
    assert with_gaps is not None
    assert (with_gaps.value, with_gaps.n) == (50, 3)


def test_a_column_without_data_has_no_estimate() -> None:
    assert estimates("somebody", [[None, 1.0], [None, 3.0]])[0] is None
    assert estimates("somebody", []) == ()


def test_one_task_says_nothing_of_the_spread() -> None:
    assert column([40.0]) == Estimate(40.0, None, None, 1)
    assert column([None, 40.0, None]) == Estimate(40.0, None, None, 1)


@pytest.mark.parametrize("same", [0.0, 100.0, 100 / 3, 0.1])
@pytest.mark.parametrize("tasks", [2, 3, 7, 300])
def test_equal_values_have_an_interval_without_width(same: float, tasks: int) -> None:
    assert column([same] * tasks) == Estimate(same, same, same, tasks)


def test_an_estimate_depends_on_its_own_column_alone() -> None:
    matrix = made(37, 12)
    together = estimates("somebody", matrix)
    for place in range(12):
        assert estimates("somebody", [[row[place]] for row in matrix]) == (together[place],)


def test_a_gap_in_one_column_does_not_change_another() -> None:
    matrix = made(20, 3)
    whole = estimates("somebody", matrix)
    matrix[4][1] = None
    gap = estimates("somebody", matrix)
    assert (gap[0], gap[2]) == (whole[0], whole[2])
    assert gap[1] != whole[1]


def test_another_name_draws_other_resamples() -> None:
    matrix = [[float(number)] for number in range(50)]
    first, again, other = (estimates(name, matrix)[0] for name in ("one", "one", "two"))
    assert first == again != other


def test_estimates_are_the_same_in_every_process() -> None:
    code = (
        "from graders.statistics import estimates\n"
        "print(estimates('somebody', [[float(n * n % 7), n / 3] for n in range(40)]))"
    )
    printed = set()
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        printed.add(done.stdout)
    printed.add(f"{estimates('somebody', [[float(n * n % 7), n / 3] for n in range(40)])}\n")
    assert len(printed) == 1


def test_values_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        column([1.0, float("nan")])
    with pytest.raises(ValueError, match="finite"):
        column([1.0, float("inf")])


def test_rows_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        estimates("somebody", [[1.0], [1.0, 2.0]])


@pytest.mark.parametrize("tasks", [2, 5, 60, 301])
def test_intervals_are_those_of_the_bootstrap_of_scipy(tasks: int) -> None:
    matrix = made(tasks, 3, seed=tasks)
    for number, estimate in enumerate(estimates("somebody", matrix)):
        sample = (np.array([row[number] for row in matrix], dtype=float),)
        rng = np.random.default_rng(int.from_bytes(hashlib.sha256(b"somebody").digest()[:8]))
        known = bootstrap(sample, np.mean, n_resamples=2000, method="percentile", rng=rng).confidence_interval
        assert estimate is not None
        assert (estimate.low, estimate.high) == pytest.approx((known.low, known.high), abs=1e-9)
