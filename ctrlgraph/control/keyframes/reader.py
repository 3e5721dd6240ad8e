"""Files of key frames: read, checked and made into a controller; every fault at once, at its place.

    joints: [rHip, rKnee]
    loop: true
    duration: 1.2
    gains: {rHip: [300, 30]}
    frames:
      - [0.0, -0.4, 0.8]
      - [0.6, 0.2, 0.1]

A frame is a time and an angle for each joint; docs/keyframes.md tells the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ctrlgraph.bounds import MAX_LINKS, MAX_TIMEOUT_S
from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import refuse_arguments
from ctrlgraph.control.keyframes.keyframes import Keyframes, new_keyframes
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.errors import Finding, SourceError, suggestion
from ctrlgraph.yaml_source import YamlSource, parse_yaml, read_yaml, told, validate

MAX_FRAMES = 10_000
LEAST_GAP = 1e-3
"""Between two frames, s: no engine steps more finely than a hundredth of that, and a spline is to stay finite."""
SAME_ANGLE = 1e-3
"""Of a loop that ends where it began the first and the last frame are no further apart, rad."""

Text = Annotated[str, Field(strict=True, min_length=1, max_length=200)]
Angle = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=3600)]
Gain = Annotated[float, Field(strict=True, ge=0, le=1e6, allow_inf_nan=False)]


class KeyframesEntry(BaseModel):
    """A file of key frames."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    joints: Annotated[list[Text], Field(min_length=1, max_length=MAX_LINKS)]
    loop: Annotated[bool, Field(strict=True)] = False
    duration: Annotated[float, Field(strict=True, gt=0, le=MAX_TIMEOUT_S, allow_inf_nan=False)] | None = None
    interpolation: Literal["linear", "cubic"] = "linear"
    blend: Annotated[float, Field(strict=True, ge=0, le=10, allow_inf_nan=False)] = 0.0
    gains: Annotated[dict[Text, tuple[Gain, Gain]], Field(max_length=MAX_LINKS)] = {}
    frames: Annotated[list[list[Angle]], Field(min_length=1, max_length=MAX_FRAMES)]


def read_keyframes(path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> Keyframes:
    """Return the controller of a file, which takes no arguments and needs no other file.

    Raises:
        CtrlGraphError: there are arguments.
        SourceError: the file has faults; it holds all of them.
    """
    refuse_arguments(path, args, "key frames take")
    return _keyframes(read_yaml(path, "key frames"), path.stem, character)


def parse_keyframes(text: str, character: Character, path: str = "keyframes.yaml") -> Keyframes:
    """Return the controller of a text; `path` is the file's name in messages.

    Raises:
        SourceError: the text has faults; it holds all of them.
    """
    return _keyframes(parse_yaml(text, path, "key frames"), Path(path).stem, character)


def _keyframes(source: YamlSource, name: str, character: Character) -> Keyframes:
    entry, findings = validate(source, KeyframesEntry)
    if entry is not None:
        findings += [*_faults_of_joints(source, entry, character), *_faults_of_frames(source, entry)]
    if entry is None or findings:
        raise SourceError(told(findings))
    columns = np.array([character.joint_index(joint) for joint in entry.joints], dtype=np.int64)
    own = {character.joint_index(joint): gains for joint, gains in entry.gains.items()}
    usual = [(character.joints[column].kp, character.joints[column].kd) for column in columns]
    rows = np.array(entry.frames, dtype=np.float64)
    spans = (source.span(["frames", i]) for i in range(len(rows)))
    return new_keyframes(
        name,
        tuple(character.joints[column].name for column in columns),
        columns,
        rows[:, 0].copy(),
        rows[:, 1:],
        np.array([own.get(int(column), gains) for column, gains in zip(columns, usual, strict=True)], dtype=np.float64),
        path=source.path,
        duration=entry.duration,
        loop=entry.loop,
        smooth=entry.interpolation == "cubic",
        blend=entry.blend,
        lines=tuple(1 if span is None else span.line for span in spans),
    )


def _faults_of_joints(source: YamlSource, entry: KeyframesEntry, character: Character) -> Iterator[Finding]:
    """Names that are no joints, joints that are named twice, and gains of joints that have no frames."""
    known = [joint.name for joint in character.joints]
    seen: set[int] = set()
    for i, name in enumerate(entry.joints):
        column = character.joint_index(name)
        if column is None:
            message = f"the character {character.name} has no joint '{name}'"
            yield source.finding("unknown-joint", message, ["joints", i], hint=suggestion(name, known))
        elif column in seen:
            yield source.finding("repeated-joint", f"the joint '{name}' is named twice", ["joints", i])
        else:
            seen.add(column)
    for name in entry.gains:
        if character.joint_index(name) not in seen:
            message = f"there are gains for '{name}', which is none of the joints of the frames"
            yield source.finding(
                "unknown-joint", message, ["gains", name], key=True, hint=suggestion(name, entry.joints)
            )


def _faults_of_frames(source: YamlSource, entry: KeyframesEntry) -> Iterator[Finding]:
    """Rows of another length, times that do not rise from 0, and a loop or a duration that does not fit."""
    length, faults = 1 + len(entry.joints), 0
    for i, row in enumerate(entry.frames):
        if len(row) != length:
            faults += 1
            message = f"a frame is a time and {length - 1} angles, one for each joint: {length} numbers, not {len(row)}"
            yield source.finding("frame-length", message, ["frames", i])
    times = [row[0] for row in entry.frames if row]
    if not times:
        return
    if times[0] != 0.0:
        yield source.finding("frame-time", f"the first frame is at time 0, not {times[0]:g}", ["frames", 0, 0])
    for i, (before, after) in enumerate(itertools.pairwise(times)):
        if not after > before:
            message = f"times of frames must rise: {after:g} comes after {before:g}"
            yield source.finding("frame-time", message, ["frames", i + 1, 0])
            return
        if after - before < LEAST_GAP:
            message = f"frames are at least {LEAST_GAP:g} s apart, not {after - before:g} s"
            yield source.finding("frame-time", message, ["frames", i + 1, 0])
            return
    end = entry.duration if entry.duration is not None else times[-1]
    if 0.0 < end < LEAST_GAP or 0.0 < end - times[-1] < LEAST_GAP:
        message = f"a pass lasts at least {LEAST_GAP:g} s, and so much longer than to the last frame if it does"
        yield source.finding("frame-time", message, ["duration"])
    elif end < times[-1] or end == 0.0:
        message = f"a pass of {end:g} s ends before the last frame, at {times[-1]:g} s" if end else "it lasts no time"
        yield source.finding("frame-time", f"{message}; give a 'duration'" if not end else message, ["duration"])
    elif entry.loop and end == times[-1] and not faults:
        gaps = [abs(a - b) for a, b in zip(entry.frames[0][1:], entry.frames[-1][1:], strict=True)]
        if max(gaps) > SAME_ANGLE:
            joint = entry.joints[gaps.index(max(gaps))]
            message = (
                f"a loop ends with the frame that it began with, and {joint} is {max(gaps):.3g} rad away from it"
                " (or give a 'duration' beyond the last frame)"
            )
            yield source.finding("open-loop", message, ["frames", len(times) - 1])
