"""Rollouts: one controller run from one state, with the conditions by which it is judged."""

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
"""Default timeout of a controller, simulated s."""


@checked
@dataclass(frozen=True, slots=True)
class Rollout:
    """Description of a run of a controller.

    Without `success` and `bounds` a rollout is not judged: it ends, or leaves through a fall exit.

    >>> from ctrlgraph import Project, Rollout
    >>> project = Project.find()
    >>> isinstance(project.rollout(None, "squat", 1), Rollout)
    True
    """

    controller: Controller
    cycles: int = 1
    """Number of times that the controller runs from beginning to end."""
    timeout: float = DEFAULT_TIMEOUT
    """Simulated time after which the run is stopped, s."""
    success: Conditions = field(default_factory=dict)
    """Conditions at the end."""
    bounds: Conditions = field(default_factory=dict)
    """Ranges that must not be left during the run."""
    plausible: Conditions = field(default_factory=dict)
    """Limits that every motion of the character must keep."""

    @property
    def conditions(self) -> Conditions:
        """Return all conditions at the end."""
        return joined_conditions(self.success, self.plausible)

    @property
    def ranges(self) -> Conditions:
        """Return all ranges by which it is judged: bounds and conditions at the end."""
        return joined_conditions(self.bounds, self.conditions)


def require_runnable(rollout: Rollout, character: Character) -> None:
    """Check that a rollout can be run and judged.

    Raises:
        SimulationError: a number is out of range, or a measure does not exist or does not fit the character.
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
