"""Initial states of tests: simulated once for each environment, then restored.

For start-state noise, the last moments before the entry are simulated again under random torques and a random push. So
every initial state is one that physics can reach, with joints within their limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctrlgraph.robustness.evaluation_plan import Segment, is_cyclic
from ctrlgraph.robustness.noise import perturbing_push, torque_noise
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.rollout import Rollout

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.simulation import Simulation, Snapshot
    from ctrlgraph.terrain.terrain import TerrainPreview

NOISE_S = 0.2
"""Duration of start-state noise before the entry, s."""

PATIENCE_S = 0.3
"""Additional time for a perturbed gait to end its cycle, s. A pose is left at its usual time."""


@dataclass(frozen=True)
class Failed:
    """A failed segment of the setup."""

    node: str
    """Node of the segment, empty if noise made the state impossible."""
    outcome: Outcome

    @property
    def reason(self) -> str:
        """Reason of the failure."""
        return f"on the way, {self.node} {outcome_text(self.outcome)}" if self.node else self.outcome.reason


@dataclass(frozen=True)
class InitialState:
    """State at the entry of a test."""

    state: Snapshot
    time: float
    """Duration of the last segment, s."""
    perturbed_from: Snapshot
    """State within the last segment from which noise acts."""
    last: Segment
    """Last segment of the setup."""
    ground: TerrainPreview
    """Terrain ahead at the start of the last segment."""


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome in words."""
    return f"{outcome.status.value}: {outcome.reason}" if outcome.reason else outcome.status.value


def run_segment(
    project: Project, simulation: Simulation, segment: Segment, environment: Environment, timeout: float | None = None
) -> Outcome:
    """Run a segment from the present state, evaluated by its node's conditions.

    Args:
        project: Project with the node.
        simulation: Simulation in the state to start from.
        segment: Segment to run.
        environment: Environment of the simulation.
        timeout: Maximum duration, s. None: that of the node.
    """
    rollout = project.rollout(
        segment.edge, segment.node, segment.cycles, simulation.preview, length=environment.body.length, timeout=timeout
    )
    return simulation.run_rollout(rollout)


def reach_initial_state(
    project: Project, simulation: Simulation, setup: Sequence[Segment], environment: Environment
) -> InitialState | Failed:
    """Simulate the setup from the start pose, and return the initial state or the failure.

    Args:
        project: Project with the nodes.
        simulation: Simulation of the environment.
        setup: Segments of the setup.
        environment: Environment of the simulation.
    """
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
    """Bring a simulation to the entry, perturbed by noise, and return False if it diverged.

    Args:
        project: Project with the nodes.
        simulation: Simulation of the environment.
        entry: Initial state.
        noise: Start-state noise.
        rng: Random generator of the noise.
    """
    simulation.disturb()
    if noise == 0.0:
        simulation.restore(entry.state)
        return True
    simulation.restore(entry.perturbed_from)
    left = max(entry.time - simulation.time, simulation.settings.dt)  # a node that starts at rest has none
    character = simulation.character
    simulation.disturb(
        pushes=[perturbing_push(rng, character, simulation.time, left, noise)],
        noise=torque_noise(rng, len(character.joints), simulation.time, left, noise),
    )
    if is_cyclic(project.graph.node(entry.last.node)):
        left += PATIENCE_S
    last = entry.last
    perturbed = Rollout(project.rollout(last.edge, last.node, last.cycles, entry.ground).controller, timeout=left)
    outcome = simulation.run_rollout(perturbed, resume=True)
    simulation.disturb()
    return outcome.status is not Status.DIVERGED
