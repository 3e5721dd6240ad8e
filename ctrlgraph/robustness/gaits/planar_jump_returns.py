"""Simulation of jump returns: toe-off, flight and the beginning of the landing of a jump.

The state after a jump return depends mainly on the rate of theta at the end of the first stage, in which the feet are
flat on the ground. It also depends on contacts, on the ground force before, and on the engine. So jump returns are
simulated for each engine, slope and position of the ground force. The policy optimization treats these as equally
probable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.tracking.tracking import Tracking, with_constant_policy
from ctrlgraph.control.tracking.tracking_state import LANDED, RATE, STAGE, STEPS, THETA, TrackingState
from ctrlgraph.engine import loop
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.robustness.gaits.planar_surface_start import FALL, Surface
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.words import parse

LEAD_S = 0.03
"""Time before the end of the first stage at which a simulation begins, s. Contacts settle in this time."""
SETTLE_S = 0.03
"""Time after the landing at which the state is recorded, s."""
AIRBORNE_S = 1.5
"""Maximum duration of a simulation, s."""
SLOWER = 0.85
"""Slowest initial rate as a fraction of the minimum rate of the grid, because theta accelerates before the jump."""


class SimulatedPassage(NamedTuple):
    """Result of a simulated passage: toe-off, flight and landing. After a fall, all fields except `left` are NaN."""

    left: float
    """Rate of theta at the end of the first stage (feet flat), m/s; NaN if the stage did not end."""
    theta: float
    """Theta (distance of the body ahead of the feet) after the landing, m."""
    rate: float
    """Rate of theta after the landing, m/s."""
    seconds: float
    """Time from the end of the first stage to the state after the landing, s."""


class PassageRow(NamedTuple):
    """R jump returns with different rates of theta, for one engine, slope and position of the ground force."""

    engine: str
    """Name of the engine."""
    slope: float
    """Slope of the ground, degrees, upward if positive."""
    at: float
    """Position of the ground force, m ahead of the ankle."""
    passages: Floats
    """(R, 4) jump returns: columns are the fields of `SimulatedPassage`, rows are sorted by `left`."""

    def after(self, left: Floats) -> Floats:
        """Return the states after N jump returns, interpolated between the simulated ones.

        Args:
            left: (N,) rates of theta at the end of the first stage, m/s. Below the slowest simulated rate, that rate is
                used.

        Returns:
            (N, 3) theta, m, rate of theta, m/s, and duration of the jump return, s. NaN if the character fell in a
            neighbouring simulation, or above the fastest simulated rate.
        """
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
    """Simulate R jump returns (toe-off, flight, landing) for each engine, slope and position of the ground force.

    Args:
        tracking: Motion whose first stage has flat feet and ends by theta.
        places: Positions of the ground force, m ahead of the ankle.
        engines: Names of the engines.
        slopes: Slopes of the ground, degrees, upward if positive.
        rates: (R,) increasing initial rates of theta, m/s.
        on_passage: Function that is called after each jump return.

    Raises:
        CtrlGraphError: For an engine, slope and position, fewer than two simulated motions leave the ground.
    """
    rows = []
    for engine, slope in product(engines, slopes):
        ground = parse(f"slope={slope:g}") if slope else None
        with Simulation(tracking.character, ground, engine=engine, keep_trace=False) as simulation:
            for at in places:
                surface = Surface(with_constant_policy(tracking, at))
                found = np.array(list(_row(surface, simulation, rates, on_passage)))
                known = np.isfinite(found[:, 0])
                # a faster start must leave the ground faster
                rising = np.maximum.accumulate(np.where(known, found[:, 0], -np.inf))
                kept = known & (found[:, 0] > np.concatenate([[-np.inf], rising[:-1]]))
                if kept.sum() < 2:
                    raise CtrlGraphError(
                        f"the motion {tracking.name} does not leave the ground on the engine {engine}, so it"
                        " is no jump: choose another motion or engine"
                    )
                rows.append(PassageRow(engine, slope, float(at), found[kept]))
    return rows


def _row(
    surface: Surface, simulation: Simulation, rates: Floats, on_passage: Callable[[], None]
) -> Iterator[SimulatedPassage]:
    for rate in rates.tolist():
        yield _simulated(surface, simulation, rate)
        on_passage()


def _simulated(surface: Surface, simulation: Simulation, rate: float) -> SimulatedPassage:
    """Simulate a jump return from a state shortly before the end of the first stage, given the rate of theta, m/s."""
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
        # a landing that ends at once is followed by the next cycle
        landed = np.isfinite(left) and (stage == last or state.counters[STEPS] > 0)
        if landed and time - state.times[LANDED] >= SETTLE_S and not np.isfinite(found.seconds):
            # the rate of the centre of mass, because the feet may still rock
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
