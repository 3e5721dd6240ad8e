"""Runs of gaits that the benchmarks of robots, of the dog and of bipeds share."""

from __future__ import annotations

import math

from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation

PUSH_S = 0.1
"""Duration of pushes, s."""
UPRIGHT = 0.7
"""Tilt at which a character has fallen, rad."""
RECOVERED_TILT = 0.15
"""Maximum tilt of a character that is back in its gait after a push, rad."""


def go(simulation: Simulation, gait: Gait, seconds: float, *, resume: bool = False, lowest: float = 0.4) -> Outcome:
    """Run a gait for a time. It ends when the character falls.

    Args:
        simulation: Simulation of the character.
        gait: The gait.
        seconds: Simulated time, s.
        resume: Whether the gait continues from the current state of the simulation.
        lowest: Height at which the character has fallen, as a fraction of that of the gait.
    """
    bounds = {"tilt": (0.0, UPRIGHT), "com_height": (lowest * gait.values.height, math.inf)}
    return simulation.run_rollout(Rollout(gait, 10**6, seconds, bounds=bounds), resume=resume)


def fell(outcome: Outcome) -> bool:
    """Return whether the character fell; a gait that ran to the end of its time did not."""
    return outcome.status.value != "timeout"


def is_back(simulation: Simulation, gait: Gait, after: float, seconds: float, off: float, lowest: float = 0.4) -> bool:
    """Return whether a pushed character goes on in its gait without a fall, near the desired velocity, and upright.

    Args:
        simulation: Simulation at the start of the push.
        gait: The gait.
        after: Time after which velocity and tilt are measured, s.
        seconds: Duration of this measurement, s.
        off: Maximum deviation of the velocity, m/s.
        lowest: Height at which the character has fallen, as a fraction of that of the gait.
    """
    if fell(go(simulation, gait, after, resume=True, lowest=lowest)):
        return False
    outcome = go(simulation, gait, seconds, resume=True, lowest=lowest)
    measures = outcome.measures
    error = max(abs(measures["forward_speed"] - gait.values.forward), abs(measures["lateral_speed"]))
    return not fell(outcome) and error < off and measures["max_tilt"] < RECOVERED_TILT
