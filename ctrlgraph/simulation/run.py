"""Running a rollout: from the present state of a simulation to what came of it."""

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
    """Run a rollout from the simulation's present state, and judge it.

    Args:
        resume: go on where this very controller was stopped by its timeout, instead of beginning it anew.
        on_progress: called with the simulated time (s) every half second of it.

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
