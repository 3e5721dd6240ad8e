"""Pushes on a tracked gait at a phase of its steady cycle, and their outcomes."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.errors import SimulationError
from ctrlgraph.robustness.gaits.planar_surface_start import begin_on_surface
from ctrlgraph.robustness.gaits.push_response import AGAIN, BOUNDS
from ctrlgraph.robustness.noise import perturbing_push, torque_noise
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.simulation.snapshot import Snapshot

NOISE_S = 0.2
"""Duration of the noise before the push, s."""


@dataclass(frozen=True, slots=True)
class GaitState:
    """A steady gait before a push."""

    snapshot: Snapshot
    time: float
    """Time, s."""
    period: float
    """Period of a cycle, s."""
    speed: float
    """Speed, m/s."""


def steady_gait(simulation: Simulation, tracking: Tracking, rate: float, seconds: float = 5.0) -> GaitState:
    """Return the state of a gait at the beginning of a cycle, after some time.

    Args:
        simulation: Simulation of the character.
        tracking: Controller of the gait.
        rate: Rate of theta at the start.
        seconds: Minimum time, s.

    Raises:
        SimulationError: It has no initial pose, it falls, or it makes fewer than two cycles.
    """
    begin_on_surface(simulation, tracking, rate)
    outcome = simulation.run(tracking, cycles=10_000, timeout=seconds, bounds=BOUNDS)
    phase, time, x = simulation.last_trace.phase, simulation.last_trace.time, simulation.last_trace.com[:, 0]
    # a decreasing number marks the first stage of side 0
    begins = np.flatnonzero(np.diff(phase) < 0)
    if outcome.status != Status.TIMEOUT or len(begins) < 3:
        raise SimulationError(f"{tracking.name} does not walk for {seconds:g} s ({outcome.reason or outcome.status})")
    first, last = begins[-3], begins[-1]
    period = float(time[last] - time[first]) / 2
    speed = float(x[last] - x[first]) / (2 * period)
    return GaitState(simulation.snapshot(), simulation.time, period, speed)


def pushed(
    simulation: Simulation,
    tracking: Tracking,
    gait: GaitState,
    force: float,
    phase: float,
    *,
    seed: int | None = None,
    noise: float = 0.02,
    duration: float = 0.1,
    seconds: float = 10.0,
) -> Aftermath:
    """Return the outcome of a push on the trunk of a steady gait.

    Args:
        simulation: Simulation of the character.
        tracking: Controller of the gait.
        gait: Steady gait.
        force: Force, N, forward if positive.
        phase: Start of the push as a fraction of a cycle.
        seed: Seed of the noise in the last 0.2 s before. None: no noise.
        noise: Torque noise as a fraction of the limits, and push as a fraction of the weight.
        duration: Duration of the push, s.
        seconds: Time after the push, s.
    """
    character = simulation.character
    start = gait.time + NOISE_S + phase * gait.period
    pushes = [Push(start, duration, character.links[character.trunk].name, force)]
    shaking = None
    if seed is not None:
        rng = np.random.default_rng(seed)
        shaking = torque_noise(rng, len(character.joints), start - NOISE_S, NOISE_S, noise)
        pushes.append(perturbing_push(rng, character, start - NOISE_S, NOISE_S, noise))
    simulation.restore(gait.snapshot)
    simulation.disturb(pushes, shaking)
    timeout = start + duration + seconds - gait.time
    outcome = simulation.run(tracking, cycles=10_000, timeout=timeout, bounds=BOUNDS, resume=True)
    simulation.disturb()
    fell = outcome.status != Status.TIMEOUT
    return aftermath(simulation.last_trace, character, fell=fell, speed=gait.speed, seconds=LAST_S)


def push_limits(
    simulation: Simulation,
    tracking: Tracking,
    gait: GaitState,
    phase: float,
    *,
    step: float = 10.0,
    most: float = 2000.0,
) -> tuple[float, float]:
    """Return the strongest push backward and forward without a fall, N, by bisection.

    Args:
        simulation: Simulation of the character.
        tracking: Controller of the gait.
        gait: Steady gait.
        phase: Start of the push as a fraction of a cycle.
        step: Resolution, N. A limit is `step` below a push that causes a fall.
        most: Strongest push to try, N.
    """
    found = []
    for sign in (-1.0, 1.0):
        stands, falls = 0.0, most
        while falls - stands > step:
            force = round(0.5 * (stands + falls) / step) * step
            fell = pushed(simulation, tracking, gait, sign * force, phase) is Aftermath.FALLEN
            stands, falls = (stands, force) if fell else (force, falls)
        found.append(sign * stands)
    return found[0], found[1]


def push_table(
    simulation: Simulation,
    tracking: Tracking,
    gait: GaitState,
    force: float,
    phases: Sequence[float],
    seeds: Sequence[int],
) -> Iterator[tuple[float, int, Aftermath]]:
    """Yield phase, seed and outcome of a push at each phase in each trial.

    Args:
        simulation: Simulation of the character.
        tracking: Controller of the gait.
        gait: Steady gait.
        force: Force, N, forward if positive.
        phases: Starts of the push as fractions of a cycle.
        seeds: Seeds of the trials.
    """
    for number, phase in enumerate(phases):
        for k, seed in enumerate(seeds):
            # each phase has its own trials
            drawn = seed + number * len(seeds)
            yield phase, k, pushed(simulation, tracking, gait, force, phase, seed=drawn)


def walks(simulation: Simulation, tracking: Tracking, rate: float, seconds: float) -> float | None:
    """Return how far a gait moves, m, or None if it falls.

    Args:
        simulation: Simulation of the character.
        tracking: Controller of the gait.
        rate: Rate of theta at the start.
        seconds: Duration, s.
    """
    begin_on_surface(simulation, tracking, rate)
    outcome = simulation.run(tracking, cycles=10_000, timeout=seconds, bounds=BOUNDS)
    return float(outcome.measures["distance"]) if outcome.status == Status.TIMEOUT else None


LAST_S = 3.0
"""Duration of the last part of a motion that decides the outcome, s."""


class Aftermath(enum.StrEnum):
    """Outcome of a push."""

    FALLEN = "fallen"
    ROCKING = "rocking"
    STEPPING = "stepping in place"
    WALKING = "walking again"


def aftermath(trace: Trace, character: Character, *, fell: bool, speed: float, seconds: float = LAST_S) -> Aftermath:
    """Return the outcome of a push from the end of a motion.

    With fewer than two foot strikes it rocks, standing or swaying. With strikes but less than half of its former speed
    it steps in place.

    Args:
        trace: Trace of the motion.
        character: Character of the trace.
        fell: True if it left the bounds of the gait.
        speed: Speed before the push, m/s, with its sign.
        seconds: Duration of the end of the motion, s.
    """
    if fell:
        return Aftermath.FALLEN
    last = trace.time >= trace.time[-1] - seconds
    time, x = trace.time[last], trace.com[last, 0]
    feet = trace.contact[last][:, list(character.roles.feet)].astype(np.int64)
    strikes = int((np.diff(feet, axis=0) > 0).sum())
    if strikes < 2:
        return Aftermath.ROCKING
    reached = (x[-1] - x[0]) / (time[-1] - time[0]) if time[-1] > time[0] else 0.0
    return Aftermath.WALKING if reached * np.sign(speed) >= AGAIN * abs(speed) else Aftermath.STEPPING
