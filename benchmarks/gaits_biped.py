"""The section of docs/results/gaits.md about the biped in space; `benchmarks/gaits.py --biped` writes it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.gait_runs import PUSH_S, RECOVERED_TILT, UPRIGHT, fell, go, is_back
from benchmarks.result_header import ROOT
from ctrlgraph import Project, Push
from ctrlgraph.character.files import load_character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.control.gait.gait_values import GaitValues
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.yaml_source import parse_yaml

TITLE = "## The biped in space"
PROJECT = ROOT / "projects/biped-3d"
ENGINES = ("ode", "mujoco")
SEED = 90_417
STARTS = 25
SECONDS = 60.0
NUDGE_NS = 10.0
PHASES = 12
FORCES = (100.0, 200.0, 300.0)
"""Pushes of the walk, N."""
YAWS = ((0, "forward"), (90, "left"), (180, "backward"), (270, "right"))
RECOVERED_MPS = 0.15
LOWEST = 0.6
"""Height at which the biped has fallen, as a fraction of that of the walk."""
SPEEDS = (-0.3, 0.0, 0.3, 0.6, 0.9, 1.0, 1.1, 1.2)
DM_WALK = """\
period: 0.6
height: 0.74
step_height: 0.06
width: -0.03
arrival: 0.97
acceleration: 0.3
speed_gain: 3
speed_integral: 0.2
placement_forward: 0.05
swing_frequency: 45
swing_damping: 0.6
friction: 0.7
swing:
  left: [0, 0.45]
  right: [0.5, 0.45]
"""
"""Gait file for the humanoid of dm_control, which is smaller and has a slimmer sole."""


@functools.cache
def project(engine: str) -> Project:
    """Return the project of the biped with an engine."""
    return Project(PROJECT, engine=engine)


def gait(name: str, **values: float) -> Gait:
    """Return a gait of the biped with other values."""
    found = project("mujoco").controller(name)
    assert isinstance(found, Gait)
    constants = found.constants.copy()
    for field, value in values.items():
        constants[GaitValues._fields.index(field)] = value
    return found.with_constants(constants)


def started(engine: str, terrain: str = "flat") -> Simulation:
    """Return a simulation of the biped in its start pose."""
    return project(engine).environment(terrain=terrain).simulation(project(engine).character, keep_trace=False)


walked = functools.partial(go, lowest=LOWEST)


def minutes() -> Iterator[str]:
    """Yield the table of walks of a minute from perturbed starts."""
    yield "| engine | falls | mean speed, m/s | largest tilt, rad | largest turn of the heading, degrees |"
    yield "| --- | --- | --- | --- | --- |"
    for engine in ENGINES:
        rng = np.random.default_rng([SEED, 4])
        outcomes = [perturbed(engine, rng) for _ in range(STARTS)]
        stood = [outcome.measures for outcome in outcomes if not fell(outcome)]
        cells = "- | - | -"
        if stood:
            found = [measures["forward_speed"] for measures in stood]
            turn = max(abs(math.degrees(measures["heading_drift"])) for measures in stood)
            tilt = max(measures["max_tilt"] for measures in stood)
            cells = f"{min(found):.2f} to {max(found):.2f} | {tilt:.2f} | {turn:.1f}"
        yield f"| {engine} | {STARTS - len(stood)} of {STARTS} | {cells} |"


def perturbed(engine: str, rng: np.random.Generator) -> Outcome:
    """Return the outcome of a minute of the walk from a random phase, with a push shortly after it begins."""
    still, walk = gait("walk_in_place"), gait("walk")
    yaw, force = rng.uniform(-math.pi, math.pi), rng.uniform(0.0, NUDGE_NS) / PUSH_S
    with started(engine) as simulation:
        first = walked(simulation, still, 3.0 + rng.uniform() * still.values.period)
        if fell(first):
            return first
        push = Push(simulation.time + 0.3, PUSH_S, "trunk", x=force * math.cos(yaw), side=force * math.sin(yaw))
        simulation.disturb([push])
        return walked(simulation, walk, SECONDS)


def speeds() -> Iterator[str]:
    """Yield the table of desired and reached speeds."""
    yield f"| desired speed, m/s | {' | '.join(f'{speed:g}' for speed in SPEEDS)} |"
    yield "| --- |" + " --- |" * len(SPEEDS)
    for engine in ENGINES:
        reached, clipped = [], []
        for speed in SPEEDS:
            walk = gait("walk", forward=speed)
            with started(engine) as simulation:
                outcome = walked(simulation, walk, 15.0)
                if not fell(outcome):
                    outcome = walked(simulation, walk, 15.0, resume=True)
            reached.append("falls" if fell(outcome) else f"{outcome.measures['forward_speed']:z.2f}")
            clipped.append("-" if fell(outcome) else f"{100 * outcome.saturation:.2f} %")
        yield f"| reached, {engine} | {' | '.join(reached)} |"
        yield f"| torques at a limit, {engine} | {' | '.join(clipped)} |"


def pushes() -> Iterator[str]:
    """Yield the table of pushes at all phases of the walk."""
    yield f"| direction | engine | {' | '.join(f'{force:g} N' for force in FORCES)} |"
    yield "| --- | --- |" + " --- |" * len(FORCES)
    for yaw, word in YAWS:
        for engine in ENGINES:
            counts = [f"{count} of {PHASES}" for count in survivals(engine, yaw)]
            yield f"| {word} | {engine} | {' | '.join(counts)} |"


def survivals(engine: str, yaw: float) -> Iterator[int]:
    """Yield for each force the number of phases at which the biped survives a push."""
    walk = gait("walk")
    with started(engine) as simulation:
        walked(simulation, walk, 6.0)
        snapshots = []
        for _ in range(PHASES):
            snapshots.append(simulation.snapshot())
            walked(simulation, walk, walk.values.period / PHASES, resume=True)
        for force in FORCES:
            x, side = force * math.cos(math.radians(yaw)), force * math.sin(math.radians(yaw))
            count = 0
            for snapshot in snapshots:
                simulation.restore(snapshot)
                simulation.disturb([Push(simulation.time, PUSH_S, "trunk", x=x, side=side)])
                count += is_back(simulation, walk, 5.0, 2 * walk.values.period, RECOVERED_MPS, LOWEST)
            yield count


def slopes() -> Iterator[str]:
    """Yield the table of slopes on which the biped walks."""
    yield "| slope | ODE | MuJoCo |"
    yield "| --- | --- | --- |"
    for kind, word in (("slope", "along"), ("bank", "across")):
        cells = []
        for engine in ENGINES:
            held = []
            for degrees in (-10, -5, 5, 10):
                with started(engine, f"{kind}={degrees}") as simulation:
                    held += [] if fell(walked(simulation, gait("walk"), 20.0)) else [f"{degrees:+d}"]
            cells.append(", ".join(held) or "none")
        yield f"| {word} the heading, of -10, -5, +5, +10 degrees: no fall in 20 s | {' | '.join(cells)} |"


def others() -> Iterator[str]:
    """Yield the table of a humanoid of another maker."""
    import dm_control

    character = load_character(Path(dm_control.__file__).parent / "suite/humanoid.xml")
    assert isinstance(character, SpatialCharacter)
    speeds: Sequence[float] = (0.0, 0.2, 0.4, 0.6)
    yield f"| desired speed, m/s | {' | '.join(f'{speed:g}' for speed in speeds)} |"
    yield "| --- |" + " --- |" * len(speeds)
    cells = []
    for speed in speeds:
        walk = gait_of(parse_yaml(f"forward: {speed}\n{DM_WALK}", "walk.yaml", "gait"), character)
        with Simulation(character, engine="mujoco", keep_trace=False) as simulation:
            outcome = walked(simulation, walk, SECONDS)
        measures = outcome.measures
        cell = f"{measures['forward_speed']:z.2f} m/s, tilt up to {measures['max_tilt']:.2f} rad"
        cells.append(f"falls after {simulation.time:.0f} s" if fell(outcome) else cell)
    yield f"| mujoco | {' | '.join(cells)} |"


def biped_section() -> Iterator[str]:
    """Yield the lines of the section about the biped."""
    yield f"""{TITLE}

Command: `python benchmarks/gaits.py --biped`. The man of projects/biped-3d, 70 kg, on level ground with the default
friction, at 2 ms. The gains were chosen by evolution strategies on MuJoCo (900 runs; the time without a fall while
the desired speed rises) and about 1,000 other trials, some of them with pushes at other phases than here.

{STARTS} walks of {SECONDS:g} s begin at random phases of a walk in place; 0.3 s later the trunk is pushed for
{PUSH_S:g} s in a random direction with up to {NUDGE_NS:g} N s. Seed {SEED}. A fall is a tilt of {UPRIGHT:g} rad or a
height below 60 % of that of the walk.
"""
    yield from minutes()
    yield """
The walk with other desired speeds: mean speed from 15 to 30 s, and share of all torques at a limit.
"""
    yield from speeds()
    yield f"""
Pushes of the trunk for {PUSH_S:g} s at {PHASES} phases of the walk at 0.6 m/s: number of pushes that the biped
survives, which means that it does not fall, and after 5 s is within {RECOVERED_MPS:g} m/s of the desired velocity and
tilts by less than {RECOVERED_TILT:g} rad.
"""
    yield from pushes()
    yield ""
    yield from slopes()
    yield f"""
The same controller walks the unmodified humanoid of dm_control (40.8 kg, soles of two capsules), with a gait file for
its size, for {SECONDS:g} s. This file was chosen by 12 trials of 20 s at 0, 0.3 and 0.6 m/s on MuJoCo; ODE
cannot simulate its ankles, whose axes do not meet.
"""
    yield from others()
