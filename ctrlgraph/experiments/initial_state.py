"""The states from which a target is tested: simulated once for each world and body, then restored.

With start-state noise, the last moments before the entry are simulated again under random torques and a
random push. So every entry state is one that physics has reached: joints within their limits, feet no
deeper in the ground than any other simulation has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctrlgraph.experiments.evaluation_plan import Leg, is_cyclic
from ctrlgraph.experiments.noise import shaking_push, torque_noise
from ctrlgraph.simulation.measures import scaled_conditions
from ctrlgraph.simulation.outcome import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ctrlgraph.control.script.program import Program
    from ctrlgraph.experiments.perturbation import Variant
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.simulation import Simulation, Snapshot
    from ctrlgraph.terrain.profile import Ahead

NOISE_S = 0.2
"""For so long before the entry, start-state noise acts."""

PATIENCE_S = 0.3
"""A gait that was shaken may take so much longer to end its cycle; a pose is left at its usual moment."""


@dataclass(frozen=True)
class Failed:
    """A leg on the way that does not hold."""

    node: str
    outcome: Outcome


@dataclass(frozen=True)
class Entry:
    """Where a target is entered: the state, and its last leg's state and duration (s) for noise.

    `shaken_from` is the state in which noise begins to act, still within the last leg; `ground` is what lay
    ahead where that leg began.
    """

    state: Snapshot
    time: float
    shaken_from: Snapshot
    last: Leg
    ground: Ahead


def run_leg(
    project: Project, simulation: Simulation, leg: Leg, variant: Variant, timeout: float | None = None
) -> Outcome:
    """Run a node from the present state, judged by its own conditions."""
    node = project.graph.node(leg.node)
    usual = node.timeout * max(1.0, leg.cycles / node.cycles[1])
    program, cycles = leg_course(project, leg, simulation.ahead)
    return simulation.run(
        program,
        cycles=cycles,
        timeout=usual if timeout is None else timeout,
        success=scaled_conditions(node.success, variant.length),
        bounds=scaled_conditions(node.bounds, variant.length),
    )


def leg_course(project: Project, leg: Leg, ahead: Ahead) -> tuple[Program, int]:
    """What runs for a leg on the ground ahead, and how often."""
    return project.course(leg.edge, leg.node, leg.cycles, ahead)


def reach_entry(project: Project, simulation: Simulation, approach: Sequence[Leg], variant: Variant) -> Entry | Failed:
    """Simulate the approach from the start pose; what does not hold on the way, where something does not."""
    simulation.disturb()
    simulation.reset()
    for leg in approach[:-1]:
        outcome = run_leg(project, simulation, leg, variant)
        if not outcome.succeeded:
            return Failed(leg.node, outcome)
    before, last, ground = simulation.snapshot(), approach[-1], simulation.ahead
    outcome = run_leg(project, simulation, last, variant)
    if not outcome.succeeded:
        return Failed(last.node, outcome)
    state, time = simulation.snapshot(), simulation.time
    simulation.restore(before)
    run_leg(project, simulation, last, variant, timeout=max(simulation.settings.dt, outcome.simulated_s - NOISE_S))
    return Entry(state, time, simulation.snapshot(), last, ground)


def enter(project: Project, simulation: Simulation, entry: Entry, noise: float, rng: np.random.Generator) -> bool:
    """Bring the simulation to the entry, shaken where there is noise; False where that blew it up."""
    simulation.disturb()
    if noise == 0.0:
        simulation.restore(entry.state)
        return True
    simulation.restore(entry.shaken_from)
    left = entry.time - simulation.time
    character = simulation.character
    simulation.disturb(
        pushes=[shaking_push(rng, character, simulation.time, max(left, simulation.settings.dt), noise)],
        noise=torque_noise(rng, len(character.joints), simulation.time, left, noise),
    )
    if is_cyclic(project.graph.node(entry.last.node)):
        left += PATIENCE_S
    program, _ = leg_course(project, entry.last, entry.ground)
    outcome = simulation.run(program, timeout=left, resume=True)
    simulation.disturb()
    return outcome.status is not Status.DIVERGED
