"""The mean step of a recorded walk: tracked angles and centre of pressure as functions of the phase variable theta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion, GaitStep
from ctrlgraph.control.tracking.fitting.geometry import Geometry
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats

PLACES = 61
"""Number of evenly spaced values of theta at which a mean step is computed."""
BACKWARD = 0.05
"""Maximum decrease of theta within a step, as a share of theta's range. Bounces at a landing cause small decreases."""
LEAST_SAMPLES = 5
"""Minimum number of recorded samples of a step."""


@dataclass(frozen=True)
class MeanStep:
    """The mean of S recorded steps, at G evenly spaced values of theta, with R tracked angles ("rows")."""

    theta: Floats
    """(G,) values of theta, rad."""
    rows: Floats
    """(G, R) tracked angles, mean over the steps, rad."""
    each: Floats
    """(S, G, R) tracked angles in each step, rad."""
    rate: Floats
    """(G,) rate of theta, mean over the steps, rad/s."""
    centre: Floats
    """(G,) centre of pressure, mean over the steps, m ahead of the ankle; NaN if unknown."""
    last: Floats
    """(N,) coordinates of the final pose, mean over the steps, with the standing ankle or the leg's end at x = 0."""
    duration: float
    """Mean duration of a step, s."""
    backward: float
    """Maximum decrease of theta within a step, rad."""
    backward_at: float
    """Time in the recording at which `backward` occurs, s."""

    @property
    def monotonic(self) -> bool:
        """Return whether theta never decreases within a step by more than a thousandth of its range."""
        return self.backward <= 1e-3 * float(self.theta[-1] - self.theta[0])


def mean_step(motion: BodyMotion, steps: Sequence[GaitStep], geometry: Geometry) -> MeanStep:
    """Return the mean of the steps of a recorded walk. Steps in which foot 1 stands are mirrored before.

    Args:
        motion: the recorded walk.
        steps: the steps, as ranges of samples of `motion`.
        geometry: model of the biped, which computes theta and the tracked angles of a pose.

    Raises:
        CtrlGraphError: theta decreases in a step by more than the share `BACKWARD`, or a step has too few samples.
    """
    found = []
    for step in steps:
        if step.end - step.begin < LEAST_SAMPLES:
            raise CtrlGraphError(
                f"the step at {motion.time[step.begin]:.3f} s has {step.end - step.begin} samples, but needs"
                f" {LEAST_SAMPLES}: give a higher --rate"
            )
        found.append(_of_step(motion, slice(step.begin, min(step.end + 1, motion.time.size)), step.side, geometry))
    worst = max(range(len(found)), key=lambda i: found[i].backward)
    backward, at = found[worst].backward, found[worst].backward_at
    low, high = (float(np.mean([each.theta[k] for each in found])) for k in (0, -1))
    if high <= low or backward > BACKWARD * (high - low):
        raise CtrlGraphError(
            f"theta must rise from {low:.3f} to {high:.3f} rad in a step, but falls by {backward:.3f} rad at {at:.3f} s"
        )
    each = np.stack([one.rows for one in found])
    centres = np.stack([one.centre for one in found])
    known = np.isfinite(centres).sum(axis=0)
    centre = np.where(known > 0, np.nansum(centres, axis=0) / np.maximum(known, 1), np.nan)
    return MeanStep(
        theta=np.linspace(low, high, PLACES),
        rows=each.mean(axis=0),
        each=each,
        rate=np.mean([one.rate for one in found], axis=0),
        centre=centre,
        last=np.mean([one.last for one in found], axis=0),
        duration=float(np.mean([one.duration for one in found])),
        backward=backward,
        backward_at=at,
    )


def _of_step(motion: BodyMotion, part: slice, side: int, geometry: Geometry) -> MeanStep:
    """Return one step of a recorded walk in the form of a mean step. In it, `each` has the angles of every sample.

    Args:
        motion: the recorded walk.
        part: range of samples of the step.
        side: the standing foot, 0 or 1; a step on foot 1 is mirrored.
        geometry: model of the biped, which computes theta and the tracked angles of a pose.
    """
    q = motion.q[part] if side == 0 else geometry.mirrored(motion.q[part])
    theta, rows, ankle = np.zeros(len(q)), [], np.zeros(len(q))
    for i, pose in enumerate(q):
        geometry.place(pose)
        theta[i], ankle[i] = geometry.theta(), geometry.ankle()
        rows.append(geometry.rows())
    highest = np.maximum.accumulate(theta)
    deepest = int(np.argmax(highest - theta))
    time = motion.time[part]
    rising = highest + 1e-12 * np.arange(len(theta))
    at = np.linspace(theta[0], rising[-1], PLACES)
    values = np.array(rows)

    last = q[-1].copy()
    last[0] -= ankle[-1]

    def over_phase(column: Floats) -> Floats:
        return np.asarray(np.interp(at, rising, column))

    return MeanStep(
        theta=at,
        rows=np.stack([over_phase(column) for column in values.T], axis=1),
        each=values,
        rate=over_phase(np.gradient(theta, time)),
        centre=over_phase(motion.pressure[part] - ankle),
        last=last,
        duration=float(time[-1] - time[0]),
        backward=float(highest[deepest] - theta[deepest]),
        backward_at=float(time[deepest]),
    )
