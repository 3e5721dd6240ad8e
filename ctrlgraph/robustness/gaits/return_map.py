"""Return maps: the rate of theta at the beginning of one cycle and of the next, or of steps if the sides swap.

If the slope of the map at its fixed point is between -1 and 1, deviations shrink from cycle to cycle (Abe and Popovic
2011, figure 7).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.controller import FINISHED
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_state import RATE, STATUS, STEPS, TrackingState
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.robustness.gaits.planar_surface_start import FALL, WITHIN, Surface, beginning
from ctrlgraph.simulation.planar_moment import Moment
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import Terrain

CYCLE_S = 3.0
"""Maximum duration of a cycle, s."""
NEAR_FIXED_POINT = 0.15
"""Distance from the fixed point within which the slope is estimated, m/s or rad/s."""
RATE_NOISE, ANGLE_NOISE, SPEED_NOISE = 0.1, 0.02, 0.2
"""Standard deviations of a perturbed start: rate, relative to it; joint angles, rad; joint velocities, rad/s."""


class CyclesRun(NamedTuple):
    """Result of a start."""

    rates: tuple[float, ...]
    """Rate of theta at the beginning of each cycle, or of each step if the sides swap."""
    cycles: int
    """Number of cycles, each of two steps if the sides swap."""
    steps: int
    """Number of steps, or of cycles if the sides do not swap."""
    status: str
    reason: str
    seconds: float
    """Duration, s."""
    distance: float
    """Distance, m."""
    energy: float
    """Work of the joints, J."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return {**self._asdict(), "rates": list(self.rates)}


def run_cycles(
    tracking: Tracking,
    rate: float,
    cycles: int,
    *,
    terrain: Terrain | None = None,
    engine: str = DEFAULT_ENGINE,
    rng: np.random.Generator | None = None,
    noise: float = 1.0,
    surface: Surface | None = None,
    simulation: Simulation | None = None,
    seconds: float | None = None,
) -> CyclesRun:
    """Run cycles that begin on the constraint surface of the stage in which cycles begin.

    Args:
        tracking: Controller of the motion.
        rate: Rate of theta at the start, m/s, or rad/s if it is an angle.
        cycles: Number of cycles.
        terrain: Terrain.
        engine: Name of the engine.
        rng: Random generator of perturbations of the rate and of the joints' angles and velocities. None: unperturbed.
        noise: Factor of these perturbations, such as `RATE_NOISE`.
        surface: Surface of this controller to reuse.
        simulation: Simulation of this terrain and engine to reuse.
        seconds: Duration, s, which replaces the number of cycles.

    Raises:
        CtrlGraphError: The stage has no pose at its beginning.
    """
    surface, begins = surface or Surface(tracking), beginning(tracking)
    simulation = simulation or Simulation(tracking.character, terrain, engine=engine, keep_trace=False)
    offsets = None
    if rng is not None:
        rate *= 1.0 + noise * RATE_NOISE * float(rng.standard_normal())
        offsets = (
            noise * np.array([[ANGLE_NOISE], [SPEED_NOISE]]) * rng.standard_normal((2, len(tracking.character.joints)))
        )
    surface.start(simulation, float(surface.data.theta[begins, 0]) + WITHIN, rate, stage=begins, offsets=offsets)
    rates: list[float] = []
    swaps, passes = tracking.entry.swaps, 0

    def look(moment: Moment) -> None:
        nonlocal passes
        state: TrackingState = moment.state
        passes = int(state.counters[STEPS])
        # a run that ends with a step has no tick with the rate of the new stance leg
        if passes == len(rates) and not (swaps and state.counters[STATUS] == FINISHED):
            rates.append(float(state.reading[RATE]))

    simulation.watch(look, simulation.settings.dt)
    begun = simulation.x
    repeated, longest = (cycles, CYCLE_S * cycles) if seconds is None else (MAX_CYCLES, seconds)
    outcome = simulation.run(tracking, cycles=repeated, timeout=longest, bounds=FALL)
    simulation.watch(None)
    done = passes // 2 if swaps else passes
    return CyclesRun(
        tuple(rates),
        done,
        passes,
        outcome.status,
        outcome.reason,
        outcome.simulated_s,
        simulation.x - begun,
        outcome.energy_j,
    )


def run_for(
    tracking: Tracking, rate: float, seconds: float, near: Floats, *, engine: str = DEFAULT_ENGINE
) -> CyclesRun:
    """Run a motion for some time from the constraint surface of the first stage.

    Args:
        tracking: Controller of the motion.
        rate: Rate of theta at the start.
        seconds: Duration, s.
        near: Coordinates, (N,), from which the first pose is searched.
        engine: Name of the engine.

    Raises:
        CtrlGraphError: The first stage has no pose at its beginning.
    """
    surface = Surface(tracking)
    surface.data.model.q[:] = near
    return run_cycles(tracking, rate, MAX_CYCLES, engine=engine, seconds=seconds, surface=surface)


@dataclass(frozen=True)
class ReturnMap:
    """A return map of cycles, or of steps if the sides swap."""

    rates: Floats
    """Rates at the beginning of cycles, m/s or rad/s."""
    after: Floats
    """Rates at the beginning of the next cycles, NaN after a fall."""

    def fixed_points(self) -> list[tuple[float, float]]:
        """Return the fixed points and the slopes there, from a line fitted to the samples within `NEAR_FIXED_POINT`."""
        found = []
        off = self.after - self.rates
        for i in range(len(off) - 1):
            if not (np.isfinite(off[i]) and np.isfinite(off[i + 1])) or off[i] * off[i + 1] > 0.0 or off[i] == 0.0:
                continue
            at = float(self.rates[i] + (self.rates[i + 1] - self.rates[i]) * off[i] / (off[i] - off[i + 1]))
            near = (np.abs(self.rates - at) <= NEAR_FIXED_POINT) & np.isfinite(self.after)
            if near.sum() >= 2:
                found.append((at, float(np.polyfit(self.rates[near], self.after[near], 1)[0])))
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the map as JSON."""
        after = [None if np.isnan(value) else float(value) for value in self.after]
        points = [{"rate": at, "slope": slope} for at, slope in self.fixed_points()]
        return {"rates": self.rates.tolist(), "after": after, "fixed_points": points}


def return_map(
    tracking: Tracking,
    rates: Sequence[float],
    *,
    terrain: Terrain | None = None,
    engine: str = DEFAULT_ENGINE,
    on_cycle: Callable[[], None] = lambda: None,
) -> ReturnMap:
    """Simulate a cycle from each rate, beginning on the constraint surface, and return the return map.

    Args:
        tracking: Controller of the motion.
        rates: Rates of theta at the start of the cycles, rad/s or m/s.
        terrain: Terrain.
        engine: Name of the engine.
        on_cycle: Called after each cycle.

    Raises:
        CtrlGraphError: The first stage has no pose at its beginning.
    """
    surface = Surface(tracking)
    after = np.full(len(rates), np.nan)
    with Simulation(tracking.character, terrain, engine=engine, keep_trace=False) as simulation:
        for i, rate in enumerate(rates):
            run = run_cycles(tracking, rate, 1, surface=surface, simulation=simulation)
            if len(run.rates) > 1:
                after[i] = run.rates[1]
            on_cycle()
    return ReturnMap(np.asarray(rates, dtype=np.float64), after)
