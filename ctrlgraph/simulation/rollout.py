"""Rollouts: one controller that is executed from one state, with the conditions that define its success."""

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
"""Default timeout of a rollout, simulated seconds."""


@checked
@dataclass(frozen=True, slots=True)
class Rollout:
    """Description of one execution of a controller: what runs, for how long, and what counts as success.

    Without `success` and `bounds`, nothing is required of the motion: the rollout completes when the controller ends.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.simulation.rollout import Rollout
    >>> project = Project.find()
    >>> isinstance(project.rollout(None, "squat", 1), Rollout)
    True
    """

    controller: Controller
    cycles: int = 1
    """Number of times that the controller runs from beginning to end."""
    timeout: float = DEFAULT_TIMEOUT
    """Simulated time after which the rollout is stopped, s."""
    success: Conditions = field(default_factory=dict)
    """Range of each measure that is required for success, checked at the end."""
    bounds: Conditions = field(default_factory=dict)
    """Range of each measure that is required at all times. If a measure leaves its range, the rollout fails at once."""
    plausible: Conditions = field(default_factory=dict)
    """Range of each measure that is required of every motion of the character, checked at the end."""
    predicts: tuple[str, ...] = ()
    """Directions, `FORWARD` or `BACKWARD`, in which a predicted fall ends the rollout (`fall_prediction`)."""

    @property
    def conditions(self) -> Conditions:
        """Return all conditions that are checked at the end, from `success` and `plausible`."""
        return joined_conditions(self.success, self.plausible)

    @property
    def ranges(self) -> Conditions:
        """Return the ranges of `bounds`, `success` and `plausible`; a measure in several has the intersection."""
        return joined_conditions(self.bounds, self.conditions)


def require_runnable(rollout: Rollout, character: Character) -> None:
    """Check that a rollout can be simulated, and that its conditions can be measured.

    Raises:
        SimulationError: `cycles` or `timeout` is out of range, a measure does not exist, or a measure needs links with
            a role that the character does not have.
    """
    if rollout.cycles < 1 or not rollout.timeout > 0:
        raise SimulationError(
            f"cycles must be at least 1 and the timeout above 0 s, "
            f"but cycles is {rollout.cycles} and the timeout is {rollout.timeout:g} s"
        )
    unknown = [name for name in rollout.conditions if name not in MEASURES]
    if unknown:
        raise SimulationError(f"there is no measure '{unknown[0]}' {near_names(unknown[0], MEASURES, 'measures')}")
    for sentence in lacking(rollout.conditions, character).values():
        raise SimulationError(sentence)
