"""A regulator of a motion of the project, and how well it follows from the same state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.control.regulator.regulator_file import parse_regulator
from ctrlgraph.control.regulator.regulator_recording import regulator_text, samples, stretches
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.rollout_request import RolloutRequest, RolloutResult, carry_out

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project


@dataclass(frozen=True)
class RecordedRegulator:
    """A motion with the regulator that follows it.

    text: of its file; steps, samples: how many; recorded: the motion; tracked: what came of the regulator from the same
    state; error: the root of the mean squared distance of all joints between the two while both go on, rad.
    """

    text: str
    steps: int
    samples: int
    recorded: RolloutResult
    tracked: RolloutResult
    error: float

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data, without the text."""
        return {
            "steps": self.steps,
            "samples": self.samples,
            "error_rad": self.error,
            "recorded": self.recorded.as_dict(),
            "tracked": self.tracked.as_dict(),
        }


def record_regulator(
    project: Project,
    request: RolloutRequest,
    *,
    after: Node | None = None,
    rate: float = 250.0,
    steps: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> RecordedRegulator:
    """Return a regulator along the motion of a node or a script, with the source's weights, and how well it follows.

    Args:
        project: the project.
        request: rollout to record.
        after: the node in whose last state it begins; None: the start pose.
        rate: samples a second.
        steps: number of steps from the start; all by default.
        on_progress: called with the simulated time (s) of the recording.

    Raises:
        CtrlGraphError: the motion fails, flies, or has fewer steps.
    """
    character, environment = project.character, project.environment()
    recorded = carry_out(
        project,
        request,
        after=after,
        environment=environment,
        signal_rate=1.0 / environment.settings.dt,
        on_progress=on_progress,
    )
    if recorded.succeeded is False:
        raise CtrlGraphError(f"{request.name} is no motion to follow: it {recorded.headline}")
    assert recorded.signals is not None  # asked for
    columns = recorded.signals.columns
    found = stretches(columns, character)
    if steps is not None and steps > len(found):
        raise CtrlGraphError(f"{request.name} has {len(found)} steps, not {steps}: give a longer --time")
    kept = [(each, samples(columns, character, each, rate)) for each in found[:steps] if each.end - each.first > 1]
    told = f"{request.name}{'' if after is None else f' after {after.name}'}"
    comment = f"{len(kept)} steps of {told}, recorded at {rate:g} samples a second."
    text = regulator_text(character, kept, comment=comment)
    regulator = parse_regulator(text, character, f"{request.name}.yaml")
    again = replace(request.rollout, controller=regulator, cycles=1)
    tracked = carry_out(project, RolloutRequest(request.name, again), after=after, environment=environment)
    own, theirs = (
        result.trace.between(result.began, float(result.trace.time[-1])).joint_angles(character)
        for result in (tracked, recorded)
    )
    both = min(len(own), len(theirs))
    error = float(np.sqrt(np.mean((own[:both] - theirs[:both]) ** 2)))
    return RecordedRegulator(text, len(kept), sum(len(rows) for _, rows in kept), recorded, tracked, error)
