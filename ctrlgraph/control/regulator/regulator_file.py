"""Reading and checking of regulator files, which describe controllers that follow a recorded motion by time.

    joints: [rHip, lHip, rKnee, lKnee]
    weights: {position: 1e+6, velocity: 100, end_position: 1e+8, end_velocity: 1e+8, torque: 10}
    steps:
      - stance: rShin
        samples:
          - [0.0, 0.02, -0.3, 0.1, 0.3, 0.2, 0.1, 2.0, -2.0, 0.1, 0.1, 10, -10, 3, 3]

A sample has the time, the angles of the root link and of the joints, the rates of these angles, and the joint torques;
see docs/reference/regulator.md.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from ctrlgraph.bounds import MAX_LINKS, MAX_TIMEOUT_S
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller_file import Entry, Name, Switch, check_joints, place_in_file, read_entry, unknown_link
from ctrlgraph.control.regulator.regulator import WEIGHTS, Regulator
from ctrlgraph.control.regulator.riccati import ReferenceStep
from ctrlgraph.control.regulator.stance import Stance
from ctrlgraph.errors import Finding
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.planar.arrays import body_arrays
from ctrlgraph.kernels.planar.dynamics import tree_of
from ctrlgraph.kernels.planar.kinematics import pose_links
from ctrlgraph.yaml_source import YamlSource, parse_yaml

MAX_STEPS = 1_000
"""Maximum number of steps of a regulator file."""
MAX_SAMPLES = 10_000
"""Maximum number of samples of a step."""
LEAST_GAP, MOST_GAP = 1e-4, 0.05
"""Minimum and maximum time between two samples, s. Between samples the motion is interpolated linearly."""

Number = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-1e5, le=1e5)]
Cost = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1e15)]


class WeightsEntry(Entry):
    """Weights in the cost that the feedback of a regulator minimizes."""

    position: Cost
    """Cost of deviations of angles, 1/(rad^2 s)."""
    velocity: Cost
    """Cost of deviations of angular velocities, s/rad^2."""
    end_position: Cost
    """Cost of deviations of angles at the end of the recorded motion, 1/rad^2."""
    end_velocity: Cost
    """Cost of deviations of angular velocities at the end of the recorded motion, s^2/rad^2."""
    torque: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=1e15)]
    """Cost of deviations of torques, 1/(N^2 m^2 s)."""


class StepEntry(Entry):
    """A step in a regulator file: a part of the recorded motion in which one link stands."""

    stance: Name
    """Name of the link that stands."""
    flat: Switch = False
    """Whether the link stands on its whole sole. If False, its lowest contact circle rolls on the ground."""
    samples: Annotated[list[list[Number]], Field(min_length=2, max_length=MAX_SAMPLES)]
    """Samples: time, s; angles of root link and joints, rad; their rates, rad/s; joint torques, N m."""


class RegulatorEntry(Entry):
    """Contents of a regulator file, which describes a controller that follows a recorded motion by time."""

    joints: Annotated[list[Name], Field(min_length=1, max_length=MAX_LINKS)]
    """Names of all joints of the character, in the order of the samples."""
    weights: WeightsEntry
    """Weights in the cost that the feedback minimizes."""
    switch: Literal["contact", "time"] = "contact"
    """End of a step: "contact" when the other foot lands, "time" at the time of the recorded motion."""
    steps: Annotated[list[StepEntry], Field(min_length=1, max_length=MAX_STEPS)]
    """The recorded motion, step by step."""


def parse_regulator(text: str, character: PlanarCharacter, path: str = "regulator.yaml") -> Regulator:
    """Return the controller that the text of a regulator file describes.

    Args:
        text: text of a regulator file.
        character: character whose dynamics determine the gains.
        path: path of the file in messages.

    Raises:
        SourceError: the text has errors; the exception lists them.
    """
    return regulator_of(parse_yaml(text, path, "regulator"), character)


def regulator_of(source: YamlSource, character: PlanarCharacter) -> Regulator:
    """Return the controller of a regulator file that has been parsed as YAML.

    Args:
        source: the parsed file.
        character: character whose dynamics determine the gains.

    Raises:
        SourceError: the file has errors; the exception lists them.
    """

    def check(entry: RegulatorEntry) -> Iterator[Finding]:
        yield from check_joints(source, entry.joints, ["joints"], character)
        yield from _check_all_joints(source, entry, character)
        yield from _check_stances(source, entry, character)
        yield from _check_samples(source, entry)

    entry = read_entry(source, RegulatorEntry, check)
    name = Path(source.path).stem
    return Regulator(
        name=name,
        path=source.path,
        character=character,
        steps=tuple(_step(entry, step, character) for step in entry.steps),
        by_contact=entry.switch == "contact",
        constants=np.array([getattr(entry.weights, each) for each in WEIGHTS], dtype=np.float64),
        places=tuple(place_in_file(source, name, ["steps", i]) for i in range(len(entry.steps))),
        weight_spans=tuple(source.number_span(["weights", each]) for each in WEIGHTS),
    )


def _step(entry: RegulatorEntry, step: StepEntry, character: PlanarCharacter) -> ReferenceStep:
    rows = np.array(step.samples, dtype=np.float64)
    n = len(character.joints)
    # from the file's order to the character's
    order = np.argsort(np.array([character.joint_index(joint) for joint in entry.joints], dtype=np.int64))
    angle, joints = rows[:, 1], rows[:, 2 : 2 + n][:, order]
    spin, rates = rows[:, 2 + n], rows[:, 3 + n : 3 + 2 * n][:, order]
    link = character.link_index(step.stance)
    assert link is not None  # checked before
    above = joints_above(character, link)
    middle = len(rows) // 2
    x, y, radius = lowest_contact(character, link, float(angle[middle]), joints[middle])
    return ReferenceStep(
        stance=Stance(link, x, y, radius, int(step.flat)),
        times=rows[:, 0].copy(),
        z=np.column_stack([angle + joints @ above, joints]),
        w=np.column_stack([spin + rates @ above, rates]),
        torque=np.ascontiguousarray(rows[:, 3 + 2 * n :][:, order]),
    )


def joints_above(character: PlanarCharacter, link: int) -> Floats:
    """Return for each of J joints 1 if it is between the root and the link with the index `link`, else 0, (J,).

    The angle of the link is the angle of the root link plus the angles of these joints.
    """
    tree, found = tree_of(character), np.zeros(len(character.joints))
    j = int(tree.hung_by[link])
    while j >= 0:
        found[j] = 1.0
        j = int(tree.hung_by[character.joints[j].parent])
    return found


def lowest_contact(character: PlanarCharacter, link: int, angle: float, joints: Floats) -> tuple[float, float, float]:
    """Return the lowest contact circle of a link in a pose.

    Args:
        character: the character.
        link: index of the link.
        angle: angle of the root link, rad.
        joints: (J,) joint angles, rad.

    Returns:
        x and y of the circle's centre in the link's frame, m, and the circle's radius, m.
    """
    turned = pose_links(body_arrays(character), joints, character.root, 0.0, 0.0, angle)[link, 2]
    cosine, sine = np.cos(turned), np.sin(turned)
    circles = character.links[link].contacts
    low = min(circles, key=lambda circle: circle.y * cosine - circle.x * sine - circle.radius)
    return low.x, low.y, low.radius


def _check_all_joints(source: YamlSource, entry: RegulatorEntry, character: PlanarCharacter) -> Iterator[Finding]:
    """Yield an error if the file lacks joints of the character."""
    columns = {character.joint_index(name) for name in entry.joints}
    missing = [joint.name for column, joint in enumerate(character.joints) if column not in columns]
    if missing and len(entry.joints) < len(character.joints):
        message = f"'joints' must list all joints of the character: add {', '.join(missing)}"
        yield source.finding("missing-joint", message, ["joints"])


def _check_stances(source: YamlSource, entry: RegulatorEntry, character: PlanarCharacter) -> Iterator[Finding]:
    """Yield errors in the standing links: unknown, without contact circles, or the same in successive steps."""
    before = None
    for i, step in enumerate(entry.steps):
        link = character.link_index(step.stance)
        place: list[str | int] = ["steps", i, "stance"]
        if link is None:
            yield unknown_link(source, step.stance, place, character)
        elif not character.links[link].contacts:
            message = f"the link '{step.stance}' has no contact circle to stand on"
            yield source.finding("no-contact", message, place)
        elif link == before:
            message = f"the standing foot must change in each step, and '{step.stance}' also stands in the step before"
            yield source.finding("same-stance", message, place)
        before = link


def _check_samples(source: YamlSource, entry: RegulatorEntry) -> Iterator[Finding]:
    """Yield errors in the number of values of a sample, and in the times of the samples."""
    joints = len(entry.joints)
    length = 3 * joints + 3
    for i, step in enumerate(entry.steps):
        for k, row in enumerate(step.samples):
            if len(row) != length:
                message = (
                    f"a sample must have {length} numbers (the time, {joints + 1} angles, {joints + 1} rates and"
                    f" {joints} torques), not {len(row)}"
                )
                yield source.finding("sample-length", message, ["steps", i, "samples", k])
                return
    if entry.steps[0].samples[0][0] != 0.0:
        message = f"the first sample must be at time 0, not {entry.steps[0].samples[0][0]:g}"
        yield source.finding("sample-time", message, ["steps", 0, "samples", 0, 0])
    rows = [(i, k, row[0]) for i, step in enumerate(entry.steps) for k, row in enumerate(step.samples)]
    for (_, _, before), (i, k, time) in itertools.pairwise(rows):
        place: list[str | int] = ["steps", i, "samples", k, 0]
        least = 0.0 if k == 0 else LEAST_GAP  # a touch-down has no duration
        if not least <= time - before <= MOST_GAP:
            message = f"samples must be {least:g} to {MOST_GAP:g} s apart, but {time:g} s comes after {before:g} s"
            yield source.finding("sample-time", message, place)
            return
    if rows[-1][2] > MAX_TIMEOUT_S:
        yield source.finding("sample-time", f"the last sample must be at {MAX_TIMEOUT_S:g} s or earlier", ["steps"])
