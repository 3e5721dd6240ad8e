"""Return maps of tracking controllers: rate of theta at the start of a cycle as a function of that of the cycle before.

If right and left swap, a return map is from step to step. At a fixed point of the map the rate does not change. If the
slope of the map there is between -1 and 1, deviations shrink from cycle to cycle (Abe and Popovic 2011, figure 7).
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
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.robustness.gaits.planar_surface_start import FALL, WITHIN, Surface, beginning
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import Terrain

CYCLE_S = 3.0
"""Maximum duration of a cycle, s."""
NEAR_FIXED_POINT = 0.15
"""Distance from the fixed point within which the slope is estimated, m/s or rad/s."""
RATE_NOISE, ANGLE_NOISE, SPEED_NOISE = 0.1, 0.02, 0.2
"""Standard deviations of a perturbed start: of the rate, as a fraction of it; joint angles, rad; velocities, rad/s."""


class CyclesRun(NamedTuple):
    """Result of simulating cycles of a motion from one initial state."""

    rates: tuple[float, ...]
    """Rate of theta (phase variable), m/s or rad/s, at the beginning of each cycle. If right and left swap: of each
    step.
    """
    cycles: int
    """Number of completed cycles. If right and left swap, a cycle has two steps."""
    steps: int
    """Number of completed steps. If right and left do not swap, a step is a whole cycle."""
    status: str
    """Why the simulation ended: `completed`, `timeout` or another status (see `Outcome.status`)."""
    reason: str
    """Explanation of the status in words (see `Outcome.reason`)."""
    seconds: float
    """Simulated time, s."""
    distance: float
    """Distance that the character moved forward, m."""
    energy: float
    """Energy that the joint torques spent, J (see `Outcome.energy_j`)."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result as data for JSON."""
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
    """Simulate cycles of a motion. The first begins with zero tracking error, or perturbed from such a state.

    Args:
        tracking: Tracking controller of the motion.
        rate: Rate of theta (phase variable) at the start, rad/s if theta is an angle, else m/s.
        cycles: Number of cycles.
        terrain: Terrain; None means level ground.
        engine: Name of the engine.
        rng: Random generator for perturbations of rate, joint angles and joint velocities at the start. None means no
            perturbations.
        noise: Factor of the standard deviations `RATE_NOISE`, `ANGLE_NOISE` and `SPEED_NOISE`.
        surface: Surface of this controller from an earlier call, which saves time. None creates one.
        simulation: Simulation with this terrain and engine, which saves time. None creates one.
        seconds: Time, s, for which cycles are repeated, whatever their number. None: until `cycles` cycles are done.

    Raises:
        CtrlGraphError: The stage has no contacts, or no pose satisfies the constraints at the beginning of the stage.
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
        # if the simulation ends with a step, no tick has the rate for the new standing leg
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
    """Repeat the cycles of a motion for some time, beginning with zero tracking error (see `run_cycles`).

    Args:
        tracking: Tracking controller of the motion.
        rate: Rate of theta (phase variable) at the start, rad/s or m/s.
        seconds: Maximum simulated time, s.
        near: (N,) coordinates of a pose near the first one, from which the first pose is searched for.
        engine: Name of the engine.

    Raises:
        CtrlGraphError: The stage has no contacts, or no pose satisfies the constraints at the beginning of the stage.
    """
    surface = Surface(tracking)
    surface.data.model.q[:] = near
    return run_cycles(tracking, rate, MAX_CYCLES, engine=engine, seconds=seconds, surface=surface)


@dataclass(frozen=True)
class ReturnMap:
    """Samples of a return map: rate of theta at the start of a cycle, and at the start of the next cycle.

    If right and left swap, steps take the place of cycles.
    """

    rates: Floats
    """(R,) rates of theta (phase variable) at the start of a cycle, m/s or rad/s, increasing."""
    after: Floats
    """(R,) rates of theta at the start of the next cycle, m/s or rad/s; NaN after a fall."""

    def fixed_points(self) -> list[tuple[float, float]]:
        """Return (rate of theta, slope of the map) at each fixed point: a rate that is the same in the next cycle.

        The slope is that of a line fitted to the samples within `NEAR_FIXED_POINT` of the fixed point.
        """
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
        """Return the samples and the fixed points as data for JSON."""
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
    """Compute a return map: for each rate of theta, simulate a cycle that begins with zero tracking error.

    Args:
        tracking: Tracking controller of the motion.
        rates: Increasing rates of theta (phase variable) at the start of a cycle, rad/s or m/s.
        terrain: Terrain; None means level ground.
        engine: Name of the engine.
        on_cycle: Function that is called after each cycle.

    Raises:
        CtrlGraphError: The stage has no contacts, or no pose satisfies the constraints at the beginning of the stage.
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
