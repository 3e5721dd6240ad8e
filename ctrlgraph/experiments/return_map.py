"""Return maps: the rate of theta at the beginning of one cycle, and at the beginning of the next; where right and left
swap, of one step and of the next.

Where the map's slope at its fixed point is between -1 and 1, deviations shrink from cycle to cycle (Abe and Popovic
2011, figure 7).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.controller import FINISHED
from ctrlgraph.control.tracking.state import RATE, STATUS, STEPS, TrackingState
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.experiments.surface_start import FALL, WITHIN, Surface, beginning
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.profile import Terrain

CYCLE_S = 3.0
"""A cycle that takes longer is none."""
NEAR_FIXED_POINT = 0.15
"""m/s, or rad/s, on either side of the fixed point from which its slope is estimated."""
SHAKEN_RATE, SHAKEN_ANGLE, SHAKEN_SPEED = 0.1, 0.02, 0.2
"""Standard deviations of a shaken start: of the rate relative to it, of angles in rad, of their velocities in rad/s."""


class CyclesRun(NamedTuple):
    """What came of a start: its rates at the beginning of each cycle (of each step where right and left swap, two of
    which are a cycle), cycles done, steps done (cycles where nothing swaps), how it ended, and how it moved."""

    rates: tuple[float, ...]
    cycles: int
    steps: int
    status: str
    reason: str
    seconds: float
    distance: float
    energy: float

    def as_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "rates": list(self.rates)}


def run_cycles(
    tracking: Tracking,
    rate: float,
    cycles: int,
    *,
    terrain: Terrain | None = None,
    engine: str = DEFAULT_ENGINE,
    rng: np.random.Generator | None = None,
    shaken: float = 1.0,
    surface: Surface | None = None,
    simulation: Simulation | None = None,
    seconds: float | None = None,
) -> CyclesRun:
    """Return what comes of so many cycles that begin on the constraint surface of the stage in which cycles begin.

    Args:
        rate: of theta at the start, m/s; rad/s where it is an angle.
        rng: shakes the start: the rate, and angles and velocities of all joints.
        shaken: how much of `SHAKEN_RATE` and the others.
        surface, simulation: of this controller, ground and engine, where there are such already.
        seconds: as long as this, however many cycles that takes.

    Raises:
        CtrlGraphError: that stage has no pose at its beginning.
    """
    surface, begins = surface or Surface(tracking), beginning(tracking)
    simulation = simulation or Simulation(tracking.character, terrain, engine=engine, keep_trace=False)
    shake = None
    if rng is not None:
        rate *= 1.0 + shaken * SHAKEN_RATE * float(rng.standard_normal())
        shake = (
            shaken
            * np.array([[SHAKEN_ANGLE], [SHAKEN_SPEED]])
            * rng.standard_normal((2, len(tracking.character.joints)))
        )
    surface.start(simulation, float(surface.data.theta[begins, 0]) + WITHIN, rate, stage=begins, shake=shake)
    rates: list[float] = []
    swaps, passes = tracking.entry.swaps, 0

    def look(moment: Moment) -> None:
        nonlocal passes
        state: TrackingState = moment.state
        passes = int(state.counters[STEPS])
        # where a run ends with a step, no tick has read the rate of the leg that would stand now
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
    """Return what comes of a start on the constraint surface of the first stage while it lasts for so long (s).

    Args:
        near: coordinates (N,) from which the first pose is sought.

    Raises:
        CtrlGraphError: the first stage has no pose at its beginning.
    """
    surface = Surface(tracking)
    surface.data.model.q[:] = near
    return run_cycles(tracking, rate, MAX_CYCLES, engine=engine, seconds=seconds, surface=surface)


@dataclass(frozen=True)
class ReturnMap:
    """Rates (m/s or rad/s) at the beginning of cycles, and of the next ones, NaN after a fall; in the order of the
    rates. Of steps where right and left swap."""

    rates: Floats
    after: Floats

    def fixed_points(self) -> list[tuple[float, float]]:
        """Return where the map crosses the diagonal, and its slope there: that of the line fitted to the samples within
        `NEAR_FIXED_POINT`."""
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
    """Return the return map at these rates, each from the constraint surface.

    Raises:
        CtrlGraphError: the first stage has no pose at its beginning.
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
