"""What comes of leaving the ground in a cyclic motion: toe-off, flight and the first moment of the landing, simulated.

What is between the last stage with flat feet and the first of the next landing follows from the rate of theta as that
stage ends, nearly: how contacts give and where the ground's force was before also matter, and engines differ in them.
So passages are simulated in rows, one for each engine, slope of the ground and place of the force, and a policy that is
to hold on all of them takes the rows as outcomes of the same probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.tracking.state import LANDED, RATE, STAGE, STEPS, THETA, TrackingState
from ctrlgraph.control.tracking.tracking import Tracking, with_constant_policy
from ctrlgraph.engine import loop
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.surface_start import FALL, Surface
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.words import parse

LEAD_S = 0.03
"""A passage begins so long before the feet cease to stand flat: until then contacts have come to bear."""
SETTLE_S = 0.03
"""What counts of a landing is what has come of it after so long."""
AIRBORNE_S = 1.5
"""Who has not landed after so long does not."""
SLOWER = 0.85
"""The slowest passage begins with so much of the slowest rate that is asked about, since theta speeds up meanwhile."""


class SimulatedPassage(NamedTuple):
    """What comes of leaving the ground: theta's rate as the stage with flat feet ended, theta and its rate a moment
    after the landing, and the seconds between; NaN where it is a fall."""

    left: float
    theta: float
    rate: float
    seconds: float


class PassageRow(NamedTuple):
    """The passages of one engine on ground of one slope (degrees), with the ground's force at one place (m before the
    ankle) around them.

    passages: (R, 4) in the order of the rates `left`, the fields of SimulatedPassage.
    """

    engine: str
    slope: float
    at: float
    passages: Floats

    def after(self, left: Floats) -> Floats:
        """Return theta, its rate and the seconds (N, 3) after the ground was left at these rates (N,); NaN where either
        neighbour fell, or beyond the fastest."""
        known = self.passages
        i = np.clip(np.searchsorted(known[:, 0], left) - 1, 0, len(known) - 2)
        share = np.maximum(0.0, (left - known[i, 0]) / (known[i + 1, 0] - known[i, 0]))[:, None]
        found = (1.0 - share) * known[i, 1:] + share * known[i + 1, 1:]
        found[share[:, 0] > 1.0] = np.nan
        return np.asarray(found)


def simulated_passages(
    tracking: Tracking,
    places: Sequence[float],
    engines: Sequence[str],
    slopes: Sequence[float],
    rates: Floats,
    on_passage: Callable[[], None] = lambda: None,
) -> list[PassageRow]:
    """Return a row of passages for each engine, each slope (degrees, up) and each place of the ground's force.

    Args:
        tracking: a motion whose first stage stands flat and ends by theta.
        rates: (R,) of theta at the start, LEAD_S before the end of the first stage, m/s, rising.

    Raises:
        CtrlGraphError: somewhere the motion does not leave the ground at all.
    """
    rows = []
    for engine, slope in product(engines, slopes):
        ground = parse(f"slope={slope:g}") if slope else None
        with Simulation(tracking.character, ground, engine=engine, keep_trace=False) as simulation:
            for at in places:
                surface = Surface(with_constant_policy(tracking, at))
                found = np.array(list(_row(surface, simulation, rates, on_passage)))
                known = np.isfinite(found[:, 0])
                # a faster start that left the ground no faster tells nothing new
                rising = np.maximum.accumulate(np.where(known, found[:, 0], -np.inf))
                kept = known & (found[:, 0] > np.concatenate([[-np.inf], rising[:-1]]))
                if kept.sum() < 2:
                    raise CtrlGraphError(f"{tracking.name} does not come to leave the ground on {engine}")
                rows.append(PassageRow(engine, slope, float(at), found[kept]))
    return rows


def _row(
    surface: Surface, simulation: Simulation, rates: Floats, on_passage: Callable[[], None]
) -> Iterator[SimulatedPassage]:
    for rate in rates.tolist():
        yield _simulated(surface, simulation, rate)
        on_passage()


def _simulated(surface: Surface, simulation: Simulation, rate: float) -> SimulatedPassage:
    """What comes of a start shortly before the end of the first stage."""
    tracking = surface.tracking
    end = float(surface.data.end_theta[0, 0])
    last = len(tracking.entry.stages) - 1
    left, found = float("nan"), SimulatedPassage(float("nan"), float("nan"), float("nan"), float("nan"))
    began = 0.0

    def look(moment: Moment) -> None:
        nonlocal left, found, began
        state: TrackingState = moment.state
        stage, time = int(state.counters[STAGE]), moment.time
        if stage >= 1 and not np.isfinite(left):
            left, began = float(state.reading[RATE]), time
        # a landing that is over at once has gone over to the next cycle
        landed = np.isfinite(left) and (stage == last or state.counters[STEPS] > 0)
        if landed and time - state.times[LANDED] >= SETTLE_S and not np.isfinite(found.seconds):
            # of the body alone: feet may still rock
            speed = float(moment.kinematics.com[2])
            found = SimulatedPassage(left, float(state.reading[THETA]), speed, time - began)

    try:
        surface.start(simulation, end - LEAD_S * rate, rate)
    except CtrlGraphError:
        return found
    simulation.watch(look, simulation.settings.dt)
    execution = simulation.begin(Rollout(tracking, 2, AIRBORNE_S, bounds=FALL))
    status, first = loop.STILL_RUNNING, True
    while not np.isfinite(found.seconds):
        status = simulation.advance_watched(execution, first=first)
        first = False
        if status not in loop.GOES_ON:
            break
    simulation.end(execution, status)
    simulation.watch(None)
    return found._replace(left=left)
