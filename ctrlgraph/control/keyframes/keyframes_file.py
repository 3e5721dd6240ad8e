"""Reading, checking and writing of key frame files, which give joint angles over time for PD control.

    joints: [rHip, rKnee]
    loop: true
    duration: 1.2
    gains: {rHip: [300, 30]}
    frames:
      - [0.0, -0.4, 0.8]
      - [0.6, 0.2, 0.1]

A frame has a time, s, and an angle for each joint, rad; see docs/reference/keyframes.md.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from ctrlgraph.bounds import MAX_LINKS, MAX_TIMEOUT_S
from ctrlgraph.character.model import Character
from ctrlgraph.control.controller_file import (
    Entry,
    Name,
    Switch,
    check_joints,
    comment_lines,
    flow_yaml,
    place_in_file,
    read_entry,
)
from ctrlgraph.control.keyframes.keyframes import Keyframes, new_keyframes
from ctrlgraph.errors import CtrlGraphError, Finding, suggestion
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.yaml_source import YamlSource, parse_yaml

MAX_FRAMES = 10_000
"""Maximum number of frames in a file."""
LEAST_GAP = 1e-3
"""Minimum time between two frames, s. Over shorter times, numbers of a spline can overflow."""
SAME_ANGLE = 1e-3
"""Maximum difference of angles, rad, up to which the last frame of a loop counts as a repetition of the first."""

Angle = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=3600)]
Gain = Annotated[float, Field(strict=True, ge=0, le=1e6, allow_inf_nan=False)]


class KeyframesEntry(Entry):
    """Contents of a key frame file: joint angles over time, which PD control tracks."""

    joints: Annotated[list[Name], Field(min_length=1, max_length=MAX_LINKS)]
    """Names of the joints that the frames drive."""
    loop: Switch = False
    """Whether the motion continues with the first frame after the last one."""
    duration: Annotated[float, Field(strict=True, gt=0, le=MAX_TIMEOUT_S, allow_inf_nan=False)] | None = None
    """Duration of one pass through all frames, s; None means the time of the last frame."""
    interpolation: Literal["linear", "cubic"] = "linear"
    """Interpolation of the angles between frames; "cubic" is a spline with continuous velocity."""
    blend: Annotated[float, Field(strict=True, ge=0, le=10, allow_inf_nan=False)] = 0.0
    """Duration of the transition from the initial angles to the angles of the frames, s."""
    gains: Annotated[dict[Name, tuple[Gain, Gain]], Field(max_length=MAX_LINKS)] = Field(default_factory=dict)
    """PD gains kp, N m/rad, and kd, N m s/rad, by name of the joint; other joints have those of the character."""
    frames: Annotated[list[list[Angle]], Field(min_length=1, max_length=MAX_FRAMES)]
    """Frames: a time, s, then an angle for each of `joints`, rad."""


def parse_keyframes(text: str, character: Character, path: str = "keyframes.yaml") -> Keyframes:
    """Return the controller that the text of a key frame file describes.

    Args:
        text: text of a key frame file.
        character: character with the joints that the text names.
        path: path of the file in messages.

    Raises:
        SourceError: the text has errors; the exception lists them.
    """
    return keyframes_of(parse_yaml(text, path, "key frames"), character)


def keyframes_of(source: YamlSource, character: Character) -> Keyframes:
    """Return the controller of a key frame file that has been parsed as YAML.

    Args:
        source: the parsed file.
        character: character with the joints that the file names.

    Raises:
        SourceError: the file has errors; the exception lists them.
    """

    def check(entry: KeyframesEntry) -> Iterator[Finding]:
        yield from check_joints(source, entry.joints, ["joints"], character)
        yield from _check_gains(source, entry, character)
        yield from _check_frames(source, entry)

    entry = read_entry(source, KeyframesEntry, check)
    name = Path(source.path).stem
    columns = np.array([character.joint_index(joint) for joint in entry.joints], dtype=np.int64)
    given = {character.joint_index(joint): gains for joint, gains in entry.gains.items()}
    defaults = [(character.joints[column].kp, character.joints[column].kd) for column in columns]
    rows = np.array(entry.frames, dtype=np.float64)
    return new_keyframes(
        name,
        tuple(character.joints[column].name for column in columns),
        columns,
        rows[:, 0].copy(),
        rows[:, 1:],
        np.array(
            [given.get(int(column), gains) for column, gains in zip(columns, defaults, strict=True)], dtype=np.float64
        ),
        path=source.path,
        duration=entry.duration,
        loop=entry.loop,
        smooth=entry.interpolation == "cubic",
        blend=entry.blend,
        lines=tuple(place_in_file(source, name, ["frames", i]).line for i in range(len(rows))),
    )


def _check_gains(source: YamlSource, entry: KeyframesEntry, character: Character) -> Iterator[Finding]:
    """Yield errors for gains of joints that are not in `joints`."""
    columns = {character.joint_index(joint) for joint in entry.joints} - {None}
    for name in entry.gains:
        if character.joint_index(name) not in columns:
            message = f"gains are given for '{name}', which is not in 'joints': add the joint, or remove its gains"
            hint = suggestion(name, entry.joints)
            yield source.finding("unknown-joint", message, ["gains", name], key=True, hint=hint)


def _check_frames(source: YamlSource, entry: KeyframesEntry) -> Iterator[Finding]:
    """Yield errors in the number of values in frames, the times, the duration and the end of a loop."""
    length, wrong_rows = 1 + len(entry.joints), 0
    for i, row in enumerate(entry.frames):
        if len(row) != length:
            wrong_rows += 1
            message = f"a frame must have {length} numbers (the time and an angle for each joint), not {len(row)}"
            yield source.finding("frame-length", message, ["frames", i])
    times = [row[0] for row in entry.frames if row]
    if not times:
        return
    if times[0] != 0.0:
        yield source.finding("frame-time", f"the first frame must be at time 0, not {times[0]:g}", ["frames", 0, 0])
    for i, (before, after) in enumerate(itertools.pairwise(times)):
        if not after > before:
            message = f"times of frames must rise from frame to frame, but {after:g} comes after {before:g}"
            yield source.finding("frame-time", message, ["frames", i + 1, 0])
            return
        if after - before < LEAST_GAP:
            message = f"frames must be at least {LEAST_GAP:g} s apart, not {after - before:g} s"
            yield source.finding("frame-time", message, ["frames", i + 1, 0])
            return
    end = entry.duration if entry.duration is not None else times[-1]
    if 0.0 < end < LEAST_GAP or 0.0 < end - times[-1] < LEAST_GAP:
        message = (
            f"'duration' must be at least {LEAST_GAP:g} s and end at the last frame or at least {LEAST_GAP:g} s later"
        )
        yield source.finding("frame-time", message, ["duration"])
    elif end < times[-1] or end == 0.0:
        message = f"'duration' must reach the last frame at {times[-1]:g} s, but is {end:g} s"
        if not end:
            message = "a single frame needs a 'duration'"
        yield source.finding("frame-time", message, ["duration"])
    elif entry.loop and end == times[-1] and not wrong_rows:
        gaps = [abs(a - b) for a, b in zip(entry.frames[0][1:], entry.frames[-1][1:], strict=True)]
        if max(gaps) > SAME_ANGLE:
            joint = entry.joints[gaps.index(max(gaps))]
            message = (
                f"the last frame of a loop must equal the first one, and {joint} differs by {max(gaps):.3g} rad: repeat"
                " the first frame, or give a 'duration' beyond the last frame"
            )
            yield source.finding("open-loop", message, ["frames", len(times) - 1])


def resampled(times: Floats, angles: Floats, rate: float) -> Floats:
    """Return key frames of a recorded motion at evenly spaced times, by linear interpolation.

    Args:
        times: (n,) times of the recorded samples, s, rising.
        angles: (n, K) angles of the joints in the samples, rad.
        rate: number of frames per second.

    Returns:
        (F, 1 + K) frames: time, s, from 0 to the duration of the motion, then K angles, rad.

    Raises:
        CtrlGraphError: the motion is too short for two frames at this rate.
    """
    since = times - times[0]
    count = round(float(since[-1]) * rate)
    if count < 1:
        raise CtrlGraphError(f"a motion of {since[-1]:g} s is too short for {rate:g} frames per second")
    grid = np.linspace(0.0, since[-1], count + 1)
    return np.column_stack([grid, *(np.interp(grid, since, column) for column in angles.T)])


def keyframes_text(frames: Floats, joints: Sequence[str], *, loop: bool, comment: str) -> str:
    """Return the text of a key frame file with cubic interpolation.

    Args:
        frames: (F, 1 + K) frames: time, s, then K angles, rad.
        joints: (K,) names of the joints.
        loop: whether the motion repeats. If so, a last frame within `SAME_ANGLE` of the first gets the same angles.
            Otherwise the last frame is removed, and `duration` makes the motion return to the first frame.
        comment: text of the comment at the beginning of the file.
    """
    frames, fields = frames.copy(), []
    if loop:
        fields.append("loop: true")
        if np.abs(frames[-1, 1:] - frames[0, 1:]).max() <= SAME_ANGLE:
            frames[-1, 1:] = frames[0, 1:]
        else:
            fields.append(f"duration: {frames[-1, 0]:.6g}")
            frames = frames[:-1]
    rows = ("  - [" + ", ".join(f"{value:.6g}" for value in row) + "]" for row in frames)
    head = [*comment_lines(comment), f"joints: {flow_yaml(list(joints))}", *fields, "interpolation: cubic", "frames:"]
    return "\n".join([*head, *rows]) + "\n"
