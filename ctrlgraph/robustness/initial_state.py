"""Initial states of tests, at the end of the setup of an evaluation plan.

The setup is simulated once for each environment. Its final state is stored, and restored for each trial. With
start-state noise, the last `NOISE_S` seconds of the setup are simulated again under random torques and a random push.
Every initial state is therefore the result of a simulation, with all joints within their limits.
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
"""Duration of start-state noise before the end of the setup, s."""

PATIENCE_S = 0.3
"""Time by which start-state noise may delay the end of a gait's cycle, s. Other nodes end at their usual time."""


@dataclass(frozen=True)
class Failed:
    """Failure of a node that leads to the tested nodes, so that the test cannot begin."""

    node: str
    """Node that failed, empty if the simulation diverged under start-state noise."""
    outcome: Outcome
    """Outcome of the node, with the reason of the failure."""

    @property
    def reason(self) -> str:
        """Text that says which node failed before the test, and why."""
        return f"on the way, {self.node} {outcome_text(self.outcome)}" if self.node else self.outcome.reason


@dataclass(frozen=True)
class InitialState:
    """State in which a test begins, and an earlier state from which it can be reached under random perturbations."""

    state: Snapshot
    """State at the end of the setup."""
    time: float
    """Simulated time at the end of the setup, s."""
    perturbed_from: Snapshot
    """State `NOISE_S` before the end of the setup, from which random torques and a push act (start-state noise)."""
    last: Segment
    """Last segment (node with its cycles) of the setup."""
    ground: TerrainPreview
    """Slope and obstacle ahead at the start of this segment."""


def outcome_text(outcome: Outcome) -> str:
    """Return the status of an outcome, with the reason if there is one: "failed: torso 1.3 is above 1"."""
    return f"{outcome.status.value}: {outcome.reason}" if outcome.reason else outcome.status.value


def run_segment(
    project: Project, simulation: Simulation, segment: Segment, environment: Environment, timeout: float | None = None
) -> Outcome:
    """Run the node of a segment from the current state of a simulation, and return its outcome.

    Args:
        project: Project with the node.
        simulation: Simulation in the state from which the node starts.
        segment: Node to run, with its edge and its number of cycles.
        environment: Environment of the simulation.
        timeout: Maximum duration, s. None: the timeout of the node.
    """
    rollout = project.rollout(
        segment.edge, segment.node, segment.cycles, simulation.preview, length=environment.body.length, timeout=timeout
    )
    return simulation.run_rollout(rollout)


def reach_initial_state(
    project: Project, simulation: Simulation, setup: Sequence[Segment], environment: Environment
) -> InitialState | Failed:
    """Simulate the setup of an evaluation plan from the start pose.

    Args:
        project: Project with the nodes.
        simulation: Simulation of the environment.
        setup: Segments of the setup, at least one.
        environment: Environment of the simulation.

    Returns:
        The initial state of the test, or the failure of the first node that fails.
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
    """Bring a simulation to an initial state, perturbed by start-state noise (random torques and a random push).

    Args:
        project: Project with the nodes.
        simulation: Simulation of the environment for which the initial state was simulated.
        entry: Initial state.
        noise: Standard deviation of the torques as a share of the torque limits, and of the push as a share of the
            weight. 0: the initial state is restored unchanged.
        rng: Random generator of the noise.

    Returns:
        False if the simulation diverged under the noise.
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
