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
    from ctrlgraph.engine.planar_loop import GOES_ON

    execution = simulation.begin(rollout, resume=resume)
    status = simulation.advance_watched(execution, first=True)
    while status in GOES_ON:
        if on_progress is not None:
            on_progress(simulation.time)
        status = simulation.advance_watched(execution, first=False)
    return simulation.end(execution, status)
