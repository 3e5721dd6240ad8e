"""A rollout: one controller run from one state, and what it is judged by. Whatever simulates, simulates these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctrlgraph.arguments import checked
from ctrlgraph.errors import SimulationError, near_names
from ctrlgraph.simulation.measures import MEASURES, Conditions, joined_conditions, lacking

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.controller import Controller

DEFAULT_TIMEOUT = 20.0
"""Of a controller for which nothing else is said, s."""


@checked
@dataclass(frozen=True, slots=True)
class Rollout:
    """What a simulation is given to run.

    cycles: how often the controller runs from its beginning to its end; timeout: simulated s after which it is given
    up; success: conditions at its end; bounds: ranges that hold all the time (both of `simulation.measures`). Without
    either it is not judged: it ends, or it leaves through a fall exit. plausible: conditions that every motion has to
    hold, and that say nothing of what it is.

    >>> from ctrlgraph import Project, Rollout
    >>> project = Project.find()
    >>> isinstance(project.rollout(None, "squat", 1), Rollout)
    True
    """

    controller: Controller
    cycles: int = 1
    timeout: float = DEFAULT_TIMEOUT
    success: Conditions = field(default_factory=dict)
    bounds: Conditions = field(default_factory=dict)
    plausible: Conditions = field(default_factory=dict)

    @property
    def conditions(self) -> Conditions:
        """Return what must hold at its end."""
        return joined_conditions(self.success, self.plausible)

    @property
    def ranges(self) -> Conditions:
        """Return what it is judged by: what must hold all the time, and at its end."""
        return joined_conditions(self.bounds, self.conditions)


def require_runnable(rollout: Rollout, character: Character) -> None:
    """Require that a rollout can be run and judged.

    Raises:
        SimulationError: a number is out of range, or there is no such measure, or none of this character.
    """
    if rollout.cycles < 1 or not rollout.timeout > 0:
        raise SimulationError(
            f"cycles must be at least 1 and the timeout above 0, not {rollout.cycles} and {rollout.timeout:g}"
        )
    unknown = [name for name in rollout.conditions if name not in MEASURES]
    if unknown:
        raise SimulationError(f"there is no measure '{unknown[0]}' {near_names(unknown[0], MEASURES, 'measures')}")
    for sentence in lacking(rollout.conditions, character).values():
        raise SimulationError(sentence)
