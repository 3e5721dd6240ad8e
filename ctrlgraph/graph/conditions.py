"""Failures after which a corrective edge is taken, evaluated at the end of the failed node.

`fallen` means that the trunk is tilted by more than `FALLEN_TORSO`, or the centre of mass lower than
`FALLEN_COM_HEIGHT`. A fall in progress counts, since corrections are more likely to succeed before the impact.
`falling` means that the node was left because a fall was predicted (`simulation.fall_prediction`).
"""

from __future__ import annotations

import enum
import math

from ctrlgraph.control.falls import FALLEN_COM_HEIGHT, FALLEN_TORSO, has_fallen
from ctrlgraph.simulation.measures import Conditions, overshoot
from ctrlgraph.simulation.outcome import BACKWARD, FORWARD, Outcome, Status

# Bounds are checked once per control tick. Values can therefore exceed them slightly before the node stops.
_TORSO_MARGIN = 0.1
_HEIGHT_MARGIN = 0.05

_UPSIDE_DOWN = 1e-6 - math.pi
"""Smallest trunk angle of a backward fall, rad. A rotation by exactly half a turn counts as forward."""


class FailureCondition(enum.StrEnum):
    """Failures of a node after which a corrective edge can be taken."""

    FALLING_FORWARD = "falling forward"
    FALLING_BACKWARD = "falling backward"
    FALLEN_FORWARD = "fallen forward"
    FALLEN_BACKWARD = "fallen backward"
    FALLEN = "fallen"
    TIMEOUT = "timeout"
    FAILED = "failed"

    @property
    def predicted(self) -> str:
        """Return the direction of the predicted fall that the condition requires; empty if it requires none."""
        return {FailureCondition.FALLING_FORWARD: FORWARD, FailureCondition.FALLING_BACKWARD: BACKWARD}.get(self, "")

    def holds(self, outcome: Outcome) -> bool:
        """Return whether the outcome of a node is this failure.

        The result is False for a node that has succeeded, and after a divergence of the simulation.
        """
        if outcome.status in (Status.COMPLETED, Status.DIVERGED):
            return False
        if self is FailureCondition.FAILED:
            return True
        if self.predicted:
            return outcome.falling == self.predicted
        if self is FailureCondition.TIMEOUT:
            return outcome.status is Status.TIMEOUT
        torso = outcome.measures.get("torso", 0.0)
        height = outcome.measures.get("com_height", math.inf)
        fallen = has_fallen(torso, height)
        directions = {FailureCondition.FALLEN_FORWARD: torso >= 0.0, FailureCondition.FALLEN_BACKWARD: torso < 0.0}
        return fallen and directions.get(self, True)

    def covered_by(self, earlier: set[FailureCondition]) -> bool:
        """Return whether at least one of the `earlier` conditions holds in every case in which this condition holds."""
        both_ways = {FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD} <= earlier
        if self.predicted:  # a walk that predicts falls tries one edge after the other
            return FailureCondition.FAILED in earlier
        if self in earlier or FailureCondition.FAILED in earlier:
            return True
        if self in (FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD):
            return FailureCondition.FALLEN in earlier
        return self is FailureCondition.FALLEN and both_ways

    def excluded_by(self, bounds: Conditions) -> bool:
        """Return whether a node leaves its `bounds`, and is stopped, before it can meet this condition.

        Args:
            bounds: ranges of measures that are required at all times, by name of the measure.
        """
        torso = bounds.get("torso", (-math.inf, math.inf))
        lowest, _ = bounds.get("com_height", (-math.inf, math.inf))
        if lowest < FALLEN_COM_HEIGHT + _HEIGHT_MARGIN:
            return False
        least = FALLEN_TORSO - _TORSO_MARGIN
        # two arcs overlap if one of them contains the beginning of the other
        begins = -math.pi if math.isinf(torso[0]) else (torso[0] + math.pi) % math.tau - math.pi
        forward = overshoot("torso", least, *torso) != 0.0 and begins < least
        backward = overshoot("torso", _UPSIDE_DOWN, *torso) != 0.0 and begins > -least
        if self is FailureCondition.FALLEN_FORWARD:
            return forward
        if self is FailureCondition.FALLEN_BACKWARD:
            return backward
        return self is FailureCondition.FALLEN and forward and backward
