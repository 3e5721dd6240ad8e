"""Failures after which a corrective edge is taken, evaluated at the end of the failed node.

`fallen` means that the trunk is tilted by more than `FALLEN_TORSO`, or, in the plane, that the centre of mass is lower
than `FALLEN_COM_HEIGHT`. In space, the roll shows on which side the character lies. A fall in progress counts, since
corrections are more likely to succeed before the impact.
`falling` means that the node was left because a fall was predicted (`simulation.fall_prediction`).
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping

from ctrlgraph.control.falls import FALLEN_COM_HEIGHT, FALLEN_TORSO, has_fallen, is_tilted
from ctrlgraph.simulation.measures import Conditions, overshoot
from ctrlgraph.simulation.outcome import BACKWARD, FORWARD, Outcome, Status

# Bounds are checked once per control tick. Values can therefore exceed them slightly before the node stops.
_TORSO_MARGIN = 0.1
_HEIGHT_MARGIN = 0.05

_BACK_ROLL = 0.75 * math.pi
"""Roll beyond which a fallen character in space lies on its back, rad."""
_SIDE_SINE = math.sin(0.6)
"""Sine of the roll beyond which a fallen character in space lies on a side."""

_UPSIDE_DOWN = 1e-6 - math.pi
"""Smallest trunk angle of a backward fall, rad. A rotation by exactly half a turn counts as forward."""


class FailureCondition(enum.StrEnum):
    """Failures of a node after which a corrective edge can be taken."""

    FALLING_FORWARD = "falling forward"
    FALLING_BACKWARD = "falling backward"
    FALLEN_FORWARD = "fallen forward"
    FALLEN_BACKWARD = "fallen backward"
    FALLEN_LEFT = "fallen left"
    FALLEN_RIGHT = "fallen right"
    FALLEN_ON_BACK = "fallen on the back"
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
        if "tilt" in outcome.measures:
            return self._holds_in_space(outcome.measures)
        torso = outcome.measures.get("torso", 0.0)
        height = outcome.measures.get("com_height", math.inf)
        fallen = has_fallen(torso, height)
        directions = {FailureCondition.FALLEN_FORWARD: torso >= 0.0, FailureCondition.FALLEN_BACKWARD: torso < 0.0}
        return fallen and self not in LYING_IN_SPACE and directions.get(self, True)

    def _holds_in_space(self, measures: Mapping[str, float]) -> bool:
        roll, pitch = measures["roll"], measures["pitch"]
        side = abs(roll) < _BACK_ROLL and abs(math.sin(roll)) > _SIDE_SINE
        directions = {
            FailureCondition.FALLEN_LEFT: side and roll < 0.0,
            FailureCondition.FALLEN_RIGHT: side and roll > 0.0,
            FailureCondition.FALLEN_ON_BACK: abs(roll) >= _BACK_ROLL,
            FailureCondition.FALLEN_FORWARD: pitch >= 0.0,
            FailureCondition.FALLEN_BACKWARD: pitch < 0.0,
        }
        return is_tilted(measures["tilt"]) and directions.get(self, True)

    def covered_by(self, earlier: set[FailureCondition]) -> bool:
        """Return whether at least one of the `earlier` conditions holds in every case in which this condition holds."""
        both_ways = {FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD} <= earlier
        if self.predicted:  # a walk that predicts falls tries one edge after the other
            return FailureCondition.FAILED in earlier
        if self in earlier or FailureCondition.FAILED in earlier:
            return True
        if self in (FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD):
            return FailureCondition.FALLEN in earlier
        if self in LYING_IN_SPACE:
            return FailureCondition.FALLEN in earlier or both_ways
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


LYING_IN_SPACE = (FailureCondition.FALLEN_LEFT, FailureCondition.FALLEN_RIGHT, FailureCondition.FALLEN_ON_BACK)
"""Failures that tell how a fallen character in space lies. They never hold in the plane."""

FALLS = (FailureCondition.FALLEN_FORWARD, FailureCondition.FALLEN_BACKWARD, FailureCondition.FALLEN, *LYING_IN_SPACE)
"""Failures in which the character has fallen."""
