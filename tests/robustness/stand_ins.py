"""Works of a pool without physics: trials whose outcome is a formula, slow ones, and ones that kill their process."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np

from ctrlgraph.parallel import stop_requested
from ctrlgraph.robustness.batch import TrialBatch
from ctrlgraph.robustness.noise import trial_seed
from ctrlgraph.robustness.sweeps.sweep_log import Sweep
from ctrlgraph.simulation.trial import Trial

SUCCEEDS_FROM, SUCCEEDS_TO = -4.0, 7.5


def sweep(**changes: object) -> Sweep:
    """A sweep of 3 x 2 points with 4 trials each, all drawn at random, of a target that every project has."""
    asked = {
        "id": "s1",
        "target": "stand",
        "axes": (("slope", (-1.0, 0.0, 1.0)), ("push", (0.0, 50.0))),
        "trials": 4,
        "seed": 7,
        "perturbations": {"noise": 0.1},
    }
    return Sweep(**(asked | changes))  # type: ignore[arg-type]


def formula(batch: TrialBatch) -> list[Trial]:
    """A trial holds on slopes from -4 to 7.5, with some chance near the ends where there is noise."""
    return [_trial(batch, point, index) for point, index in batch.items]


def _trial(batch: TrialBatch, point, index: int) -> Trial:
    seed = trial_seed(batch.seed, batch.target, point, index)
    how = batch.fixed.with_values(point)
    slope = how.slope + how.noise * float(np.random.default_rng(seed).standard_normal())
    held = SUCCEEDS_FROM <= slope <= SUCCEEDS_TO
    status, reason = ("completed", "") if held else ("failed", f"slope {slope:.3g} is too much")
    return Trial(batch.target, point, index, seed, held, held, status, reason, 0, "a.t", 1, 1.0)


def slow(batch: TrialBatch) -> list[Trial]:
    """As `formula`, a fifth of a second each; ends early where it is asked to."""
    trials = []
    for point, index in batch.items:
        if stop_requested():
            break
        time.sleep(0.2)
        trials.append(_trial(batch, point, index))
    return trials


def dies_once(batch: TrialBatch) -> list[Trial]:
    """As `formula`, but the first process that gets index 2 of the first point is killed in the middle of it."""
    marker = Path(os.environ["STAND_IN_MARKER"])
    if (batch.items[0][0], 2) in batch.items and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return formula(batch)


def always_dies(batch: TrialBatch) -> list[Trial]:
    """As `formula`, but index 2 of slope 0, push 50 kills every process."""
    if ((("slope", 0.0), ("push", 50.0)), 2) in batch.items:
        os.kill(os.getpid(), signal.SIGKILL)
    return formula(batch)


def simulates_here(batch: TrialBatch) -> list[Trial]:
    """The real work; by a name of its own, so that a test can tell that workers import it."""
    from ctrlgraph.robustness.batch import simulate

    return simulate(batch)
