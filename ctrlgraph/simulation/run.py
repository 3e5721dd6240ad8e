"""Running a rollout in a simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ctrlgraph.arguments import checked
from ctrlgraph.simulation.rollout import Rollout

if TYPE_CHECKING:
    from ctrlgraph.simulation.outcome import Outcome
    from ctrlgraph.simulation.simulation import Simulation


@checked
def run_rollout(
    simulation: Simulation,
    rollout: Rollout,
    *,
    resume: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> Outcome:
    """Run a rollout from the present state of a simulation, and judge it.

    Args:
        simulation: the simulation.
        rollout: the rollout.
        resume: continue the same controller after a timeout instead of starting it again.
        on_progress: called with the simulated time, s, twice per simulated second.

    Raises:
        SimulationError: the simulation has diverged and was not reset, or a value is out of range.

    >>> from ctrlgraph import Environment, Project, run_rollout
    >>> project = Project.find()
    >>> with Environment("slope=3").simulation(project.character) as simulation:
    ...     outcome = run_rollout(simulation, project.rollout(None, "stand", 1))
    >>> outcome.succeeded
    True
    """
    return simulation.run(
        rollout.controller,
        cycles=rollout.cycles,
        timeout=rollout.timeout,
        success=rollout.success,
        bounds=rollout.bounds,
        plausible=rollout.plausible,
        resume=resume,
        on_progress=on_progress,
    )
