"""The states from which a target is tested: simulated once for each world and body, then restored.

With start-state noise, the last moments before the entry are simulated again under random torques and a
random push. So every entry state is one that physics has reached: joints within their limits, feet no
deeper in the ground than any other simulation has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctrlgraph.experiments.evaluation_plan import Segment, is_cyclic
from ctrlgraph.experiments.noise import perturbing_push, torque_noise
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.run import run_rollout

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.simulation import Simulation, Snapshot
    from ctrlgraph.terrain.profile import TerrainPreview

NOISE_S = 0.2
"""For so long before the entry, start-state noise acts."""

PATIENCE_S = 0.3
"""A gait that was perturbed may take so much longer to end its cycle; a pose is left at its usual moment."""


@dataclass(frozen=True)
class Failed:
    """A segment on the way that fails; `node` is empty where noise before the entry made the state impossible."""

    node: str
    outcome: Outcome

    @property
    def reason(self) -> str:
        """Return why the target was not entered, in words."""
        return f"on the way, {self.node} {told(self.outcome)}" if self.node else self.outcome.reason


@dataclass(frozen=True)
class InitialState:
    """Where a target is entered: the state, and its last segment's state and duration (s) for noise.

    `perturbed_from` is the state in which noise begins to act, still within the last segment; `ground` is what lay
    ahead where that segment began.
    """

    state: Snapshot
    time: float
    perturbed_from: Snapshot
    last: Segment
    ground: TerrainPreview


def told(outcome: Outcome) -> str:
    """Return how something ended, in words."""
    return f"{outcome.status.value}: {outcome.reason}" if outcome.reason else outcome.status.value


def run_segment(
    project: Project, simulation: Simulation, segment: Segment, environment: Environment, timeout: float | None = None
) -> Outcome:
    """Run a node from the present state, judged by its own conditions."""
    rollout = project.rollout(
        segment.edge, segment.node, segment.cycles, simulation.preview, length=environment.body.length, timeout=timeout
    )
    return run_rollout(simulation, rollout)


def reach_initial_state(
    project: Project, simulation: Simulation, setup: Sequence[Segment], environment: Environment
) -> InitialState | Failed:
    """Simulate the setup from the start pose; what does not hold on the way, where something does not."""
    simulation.disturb()
    simulation.reset()
    for segment in setup[:-1]:
        outcome = run_segment(project, simulation, segment, environment)
        if not outcome.succeeded:
            return Failed(segment.node, outcome)
    before, last, ground = simulation.snapshot(), setup[-1], simulation.preview
    outcome = run_segment(project, simulation, last, environment)
    if not outcome.succeeded:
        return Failed(last.node, outcome)
    state, time = simulation.snapshot(), simulation.time
    simulation.restore(before)
    run_segment(
        project, simulation, last, environment, timeout=max(simulation.settings.dt, outcome.simulated_s - NOISE_S)
    )
    return InitialState(state, time, simulation.snapshot(), last, ground)


def enter(
    project: Project, simulation: Simulation, entry: InitialState, noise: float, rng: np.random.Generator
) -> bool:
    """Bring the simulation to the entry, perturbed where there is noise; False where that blew it up."""
    simulation.disturb()
    if noise == 0.0:
        simulation.restore(entry.state)
        return True
    simulation.restore(entry.perturbed_from)
    left = max(
        entry.time - simulation.time, simulation.settings.dt
    )  # a node at whose beginning all is at rest takes none
    character = simulation.character
    simulation.disturb(
        pushes=[perturbing_push(rng, character, simulation.time, left, noise)],
        noise=torque_noise(rng, len(character.joints), simulation.time, left, noise),
    )
    if is_cyclic(project.graph.node(entry.last.node)):
        left += PATIENCE_S
    last = entry.last
    perturbed = Rollout(project.rollout(last.edge, last.node, last.cycles, entry.ground).controller, timeout=left)
    outcome = run_rollout(simulation, perturbed, resume=True)
    simulation.disturb()
    return outcome.status is not Status.DIVERGED
