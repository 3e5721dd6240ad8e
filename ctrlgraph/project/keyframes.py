"""Key frames of a motion of the project, and how well they are tracked from the same state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.keyframes.keyframes_file import keyframes_text, parse_keyframes, resampled
from ctrlgraph.errors import CtrlGraphError, near_names
from ctrlgraph.project.rollout_request import RolloutRequest, RolloutResult, carry_out

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project


@dataclass(frozen=True)
class RecordedKeyframes:
    """A motion as key frames.

    text: of their file; frames: how many; recorded: the motion; tracked: what came of them from the same state; error:
    the root of the mean squared distance of all joints between the two while both go on, rad.
    """

    text: str
    frames: int
    recorded: RolloutResult
    tracked: RolloutResult
    error: float

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data, without the text."""
        return {
            "frames": self.frames,
            "error_rad": self.error,
            "recorded": self.recorded.as_dict(),
            "tracked": self.tracked.as_dict(),
        }


def record_keyframes(
    project: Project,
    request: RolloutRequest,
    *,
    after: Node | None = None,
    rate: float = 25.0,
    joints: Sequence[str] = (),
    loop: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> RecordedKeyframes:
    """Return the motion of a node or a script as key frames of all joints, or of some, and how well it is tracked.

    Args:
        project: the project.
        request: rollout to record.
        after: the node in whose last state it begins; None: the start pose.
        rate: frames a second.
        joints: names of the joints.
        loop: it goes on where it began.
        on_progress: called with the simulated time (s) of the recording.

    Raises:
        CtrlGraphError: the motion fails, is shorter than a frame, or a joint is unknown.
    """
    character = project.character
    named = dict.fromkeys(_column(character, name) for name in joints)
    columns = list(named or range(len(character.joints)))
    recorded = carry_out(project, request, after=after, on_progress=on_progress)
    if recorded.succeeded is False:
        raise CtrlGraphError(f"{request.name} is no motion to record: it {recorded.headline}")
    times, angles = _motion(recorded, character)
    frames = resampled(times, angles[:, columns], rate)
    names = [character.joints[column].name for column in columns]
    what = f"{request.name}{'' if after is None else f' after {after.name}'}, recorded at {rate:g} frames a second."
    text = keyframes_text(frames, names, loop=loop, comment=what)
    keyframes = parse_keyframes(text, character, f"{request.name}.yaml")
    again = replace(request.rollout, controller=keyframes, cycles=1)
    tracked = carry_out(project, RolloutRequest(request.name, again), after=after)
    own = _motion(tracked, character)[1]
    both = min(len(own), len(angles))
    error = float(np.sqrt(np.mean((own[:both, columns] - angles[:both, columns]) ** 2)))
    return RecordedKeyframes(text, len(frames), recorded, tracked, error)


def _column(character: Character, name: str) -> int:
    column = character.joint_index(name)
    if column is None:
        hint = near_names(name, character.known_joints, "joints")
        raise CtrlGraphError(f"the character {character.name} has no joint '{name}' {hint}")
    return column


def _motion(result: RolloutResult, character: Character) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Times and joint angles of what ran, without what came before it."""
    trace = result.trace.between(result.began, float(result.trace.time[-1]))
    return trace.time, trace.joint_angles(character)
