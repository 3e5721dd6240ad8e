"""Conversion of a motion to keyframes or a regulator, and how exactly the new controller repeats the motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.control.keyframes.keyframes_file import keyframes_text, parse_keyframes, resampled
from ctrlgraph.control.regulator.regulator_file import parse_regulator
from ctrlgraph.control.regulator.regulator_recording import regulator_text, samples, stretches
from ctrlgraph.errors import CtrlGraphError, near_names
from ctrlgraph.project.rollout_request import RolloutRequest, RolloutResult, carry_out

if TYPE_CHECKING:
    from ctrlgraph.character.planar_model import PlanarCharacter
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.recording.planar_trace import Trace


@dataclass(frozen=True)
class RecordedController:
    """A controller that was made from a recorded motion."""

    text: str
    """Text of the controller's file."""
    counts: dict[str, int]
    """Size of the recording: number of "frames" for keyframes, numbers of "steps" and of "samples" for a regulator."""
    recorded: RolloutResult
    """Rollout whose motion was recorded."""
    tracked: RolloutResult
    """Rollout of the new controller from the state in which the recorded rollout began."""
    error: float
    """Root-mean-square difference of the joint angles of the two rollouts, up to the end of the shorter one, rad."""

    def as_dict(self) -> dict[str, Any]:
        """Return the recording as data for JSON, without the text."""
        runs = {"recorded": self.recorded.as_dict(), "tracked": self.tracked.as_dict()}
        return {**self.counts, "error_rad": self.error, **runs}


def record_keyframes(
    project: Project,
    request: RolloutRequest,
    *,
    after: Node | None = None,
    rate: float = 25.0,
    joints: Sequence[str] = (),
    loop: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> RecordedController:
    """Record the motion of a rollout as keyframes: joint angles at regular times.

    Args:
        project: Project with the character.
        request: Rollout to record.
        after: Node that runs before the rollout. None: the rollout begins in the start pose.
        rate: Number of keyframes per second.
        joints: Names of the joints to record. Empty: all joints.
        loop: True: after the last keyframe, the controller begins again with the first one.
        on_progress: Called with the simulated time of the recorded rollout, s.

    Raises:
        CtrlGraphError: The rollout or the node before it fails, the motion is too short, or the character has no joint
            of a given name.
    """
    character = require_planar(project.character, "recording key frames", "write the key frames by hand")
    named = dict.fromkeys(_column(character, name) for name in joints)
    columns = list(named or range(len(character.joints)))
    recorded = carry_out(project, request, after=after, on_progress=on_progress)
    if recorded.succeeded is False:
        raise CtrlGraphError(f"the motion of {request.name} cannot be recorded: {recorded.headline}")
    motion = _motion(recorded)
    frames = resampled(motion.time, motion.joint_angles(character)[:, columns], rate)
    names = [character.joints[column].name for column in columns]
    comment = f"{_title(request, after)}, recorded at {rate:g} frames a second."
    text = keyframes_text(frames, names, loop=loop, comment=comment)
    keyframes = parse_keyframes(text, character, f"{request.name}.yaml")
    tracked, error = _tracked(project, request, after, keyframes, recorded, columns)
    return RecordedController(text, {"frames": len(frames)}, recorded, tracked, error)


def record_regulator(
    project: Project,
    request: RolloutRequest,
    *,
    after: Node | None = None,
    rate: float = 250.0,
    steps: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> RecordedController:
    """Record the motion of a rollout as the reference of a regulator (time-varying LQR).

    The weights of the regulator's cost are those of Abe and Popovic (2011).

    Args:
        project: Project with the character.
        request: Rollout to record.
        after: Node that runs before the rollout. None: the rollout begins in the start pose.
        rate: Number of samples per second.
        steps: Number of footsteps to record, from the first. None: all.
        on_progress: Called with the simulated time of the recorded rollout, s.

    Raises:
        CtrlGraphError: The rollout or the node before it fails, the character does not have two feet, the motion is not
            a sequence of steps on one foot at a time, or it has fewer than `steps` steps.
    """
    character = require_planar(project.character, "recording a regulator")
    signal_rate = 1.0 / project.environment().settings.dt
    recorded = carry_out(project, request, after=after, signal_rate=signal_rate, on_progress=on_progress)
    if recorded.succeeded is False:
        raise CtrlGraphError(f"the motion of {request.name} cannot be recorded: {recorded.headline}")
    assert recorded.signals is not None  # requested
    columns = recorded.signals.columns
    found = stretches(columns, character)
    if steps is not None and steps > len(found):
        raise CtrlGraphError(f"{request.name} has only {len(found)} steps, not {steps}: record more --seconds")
    kept = [(each, samples(columns, character, each, rate)) for each in found[:steps] if each.end - each.first > 1]
    comment = f"{len(kept)} steps of {_title(request, after)}, recorded at {rate:g} samples a second."
    text = regulator_text(character, kept, comment=comment)
    regulator = parse_regulator(text, character, f"{request.name}.yaml")
    tracked, error = _tracked(project, request, after, regulator, recorded, range(len(character.joints)))
    counts = {"steps": len(kept), "samples": sum(len(rows) for _, rows in kept)}
    return RecordedController(text, counts, recorded, tracked, error)


def _column(character: PlanarCharacter, name: str) -> int:
    column = character.joint_index(name)
    if column is None:
        hint = near_names(name, character.known_joints, "joints")
        raise CtrlGraphError(f"the character {character.name} has no joint '{name}' {hint}")
    return column


def _title(request: RolloutRequest, after: Node | None) -> str:
    return request.name if after is None else f"{request.name} after {after.name}"


def _motion(result: RolloutResult) -> Trace:
    """Return the trace of a rollout without the motion of the node before the rollout."""
    return result.trace.between(result.began, float(result.trace.time[-1]))


def _tracked(
    project: Project,
    request: RolloutRequest,
    after: Node | None,
    controller: Controller,
    recorded: RolloutResult,
    joints: Sequence[int],
) -> tuple[RolloutResult, float]:
    """Run a new controller from the state in which the recorded rollout began.

    Args:
        project: Project with the character.
        request: Recorded rollout.
        after: Node that runs before the rollout. None: the rollout begins in the start pose.
        controller: New controller, which runs in place of the controller of `request`.
        recorded: Result of the recorded rollout.
        joints: Indices of the joints to compare.

    Returns:
        Result of the new controller, and the root-mean-square difference of joint angles from the recording, rad.
    """
    rollout = replace(request.rollout, controller=controller, cycles=1)
    tracked = carry_out(project, RolloutRequest(request.name, rollout), after=after)
    own, theirs = (_motion(result).joint_angles(project.character) for result in (tracked, recorded))
    both = min(len(own), len(theirs))
    columns = list(joints)
    return tracked, float(np.sqrt(np.mean((own[:both, columns] - theirs[:both, columns]) ** 2)))
