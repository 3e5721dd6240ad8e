"""Pushes on a tracked gait: begun on its motion, it walks until it is steady, and is pushed at a phase of its cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import SimulationError
from ctrlgraph.experiments.aftermath import LAST_S, Aftermath, aftermath
from ctrlgraph.experiments.noise import perturbing_push, torque_noise
from ctrlgraph.experiments.surface_start import begin_on_surface
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.simulation.snapshot import Snapshot

BOUNDS = {"torso": (-1.0, 1.0), "com_height": (0.5, 1.4)}
"""What is beyond them has fallen."""

NOISE_S = 0.2
"""How long a trial is shaken before the push, s."""


@dataclass(frozen=True, slots=True)
class GaitState:
    """A steady gait, ready to be pushed: time, s; period of a cycle, s; speed, m/s."""

    snapshot: Snapshot
    time: float
    period: float
    speed: float


def steady_gait(simulation: Simulation, tracking: Tracking, rate: float, seconds: float = 5.0) -> GaitState:
    """Return the state of a gait that has walked for some time, at the beginning of a cycle.

    Raises:
        SimulationError: it has no pose to begin in, it falls before, or it makes no two cycles in the time.
    """
    begin_on_surface(simulation, tracking, rate)
    outcome = simulation.run(tracking, cycles=10_000, timeout=seconds, bounds=BOUNDS)
    phase, time, x = simulation.last_trace.phase, simulation.last_trace.time, simulation.last_trace.com[:, 0]
    # the first stage of side 0 begins: the number falls back
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
    """Return what becomes of a steady gait that is pushed on its trunk.

    Args:
        force: N, forward where positive.
        phase: share of a cycle at which the push begins.
        seed: of the torques and the push that shake it in the last 0.2 s before; None: nothing does.
        noise: how much: torques as a share of their limits, the push as a share of the weight.
        duration: of the push, s.
        seconds: how long it is watched after the push.
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
    """Return the strongest push backward and forward, N, up to which the gait does not fall, by bisection.

    Args:
        step: resolution, N; a limit is `step` below a push that fells it.
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
    """Yield what becomes of a push at each phase in each trial: phase, seed, outcome."""
    for number, phase in enumerate(phases):
        for k, seed in enumerate(seeds):
            # every phase has trials of its own
            drawn = seed + number * len(seeds)
            yield phase, k, pushed(simulation, tracking, gait, force, phase, seed=drawn)


def walks(simulation: Simulation, tracking: Tracking, rate: float, seconds: float) -> float | None:
    """Return how far a gait walks in some time, m, from a start on its motion; None where it falls."""
    begin_on_surface(simulation, tracking, rate)
    outcome = simulation.run(tracking, cycles=10_000, timeout=seconds, bounds=BOUNDS)
    return float(outcome.measures["distance"]) if outcome.status == Status.TIMEOUT else None
