"""Files of regulators: read, checked and made into a controller; every fault at once, at its place.

    joints: [rHip, lHip, rKnee, lKnee]
    weights: {position: 1e+6, velocity: 100, end_position: 1e+8, end_velocity: 1e+8, torque: 10}
    steps:
      - stance: rShin
        samples:
          - [0.0, 0.02, -0.3, 0.1, 0.3, 0.2, 0.1, 2.0, -2.0, 0.1, 0.1, 10, -10, 3, 3]

A sample is a time, the angle of the root and those of the joints, their rates, and the joints' torques;
docs/regulator.md tells the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from ctrlgraph.bounds import MAX_LINKS, MAX_TIMEOUT_S
from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Place, refuse_arguments
from ctrlgraph.control.regulator.regulator import WEIGHTS, Regulator
from ctrlgraph.control.regulator.riccati import ReferenceStep
from ctrlgraph.control.regulator.stance import Stance
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.errors import Finding, SourceError, suggestion
from ctrlgraph.kernels.arrays import body_arrays
from ctrlgraph.kernels.dynamics import tree_of
from ctrlgraph.kernels.kinematics import pose_links
from ctrlgraph.yaml_source import YamlSource, parse_yaml, read_yaml, told, validate

MAX_STEPS = 1_000
MAX_SAMPLES = 10_000
LEAST_GAP, MOST_GAP = 1e-4, 0.05
"""Between two samples, s: the motion is taken to be linear from one to the next."""

Text = Annotated[str, Field(strict=True, min_length=1, max_length=200)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-1e5, le=1e5)]
Cost = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1e15)]
FloatArray = NDArray[np.float64]


class WeightsEntry(BaseModel):
    """What deviations and torques cost."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    position: Cost
    velocity: Cost
    end_position: Cost
    end_velocity: Cost
    torque: Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=1e15)]


class StepEntry(BaseModel):
    """A part of the reference in which one foot stands."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    stance: Text
    flat: Annotated[bool, Field(strict=True)] = False
    samples: Annotated[list[list[Number]], Field(min_length=2, max_length=MAX_SAMPLES)]


class RegulatorEntry(BaseModel):
    """A file of a regulator."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    joints: Annotated[list[Text], Field(min_length=1, max_length=MAX_LINKS)]
    weights: WeightsEntry
    switch: Literal["contact", "time"] = "contact"
    steps: Annotated[list[StepEntry], Field(min_length=1, max_length=MAX_STEPS)]


def read_regulator(path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> Regulator:
    """Return the controller of a file, which takes no arguments and needs no other file.

    Raises:
        CtrlGraphError: there are arguments.
        SourceError: the file has faults; it holds all of them.
    """
    refuse_arguments(path, args, "a regulator takes")
    return _regulator(read_yaml(path, "regulator"), path.stem, character)


def parse_regulator(text: str, character: Character, path: str = "regulator.yaml") -> Regulator:
    """Return the controller of a text; `path` is the file's name in messages.

    Raises:
        SourceError: the text has faults; it holds all of them.
    """
    return _regulator(parse_yaml(text, path, "regulator"), Path(path).stem, character)


def _regulator(source: YamlSource, name: str, character: Character) -> Regulator:
    entry, findings = validate(source, RegulatorEntry)
    if entry is not None:
        faults = [*_faults_of_joints(source, entry, character), *_faults_of_stances(source, entry, character)]
        findings += [*faults, *_faults_of_samples(source, entry, character)]
    if entry is None or findings:
        raise SourceError(told(findings))
    return Regulator(
        name=name,
        path=source.path,
        character=character,
        steps=tuple(_step(entry, step, character) for step in entry.steps),
        by_contact=entry.switch == "contact",
        constants=np.array([getattr(entry.weights, each) for each in WEIGHTS], dtype=np.float64),
        places=tuple(_place(source, name, ["steps", i]) for i in range(len(entry.steps))),
        weight_spans=tuple(source.number_span(["weights", each]) for each in WEIGHTS),
    )


def _place(source: YamlSource, name: str, location: list[str | int]) -> Place:
    """Where a value stands."""
    span = source.span(location)
    return Place(source.path, name, 1, 1) if span is None else Place(source.path, name, span.line, span.column)


def _step(entry: RegulatorEntry, step: StepEntry, character: Character) -> ReferenceStep:
    rows = np.array(step.samples, dtype=np.float64)
    n = len(character.joints)
    # from the order of the file to that of the character
    order = np.argsort(np.array([character.joint_index(joint) for joint in entry.joints], dtype=np.int64))
    angle, joints = rows[:, 1], rows[:, 2 : 2 + n][:, order]
    spin, rates = rows[:, 2 + n], rows[:, 3 + n : 3 + 2 * n][:, order]
    link = character.link_index(step.stance)
    assert link is not None  # a fault else
    above = hanging(character, link)
    middle = len(rows) // 2
    x, y, radius = lowest_contact(character, link, float(angle[middle]), joints[middle])
    return ReferenceStep(
        stance=Stance(link, x, y, radius, int(step.flat)),
        times=rows[:, 0].copy(),
        z=np.column_stack([angle + joints @ above, joints]),
        w=np.column_stack([spin + rates @ above, rates]),
        torque=np.ascontiguousarray(rows[:, 3 + 2 * n :][:, order]),
    )


def hanging(character: Character, link: int) -> FloatArray:
    """Return (J,): 1 for the joints between the root and a link, whose angles add to its own."""
    tree, found = tree_of(character), np.zeros(len(character.joints))
    j = int(tree.hung_by[link])
    while j >= 0:
        found[j] = 1.0
        j = int(tree.hung_by[character.joints[j].parent])
    return found


def lowest_contact(character: Character, link: int, angle: float, joints: FloatArray) -> tuple[float, float, float]:
    """Return x, y (from the centre of mass, in the link's frame) and radius of a link's lowest contact circle, m."""
    turned = pose_links(body_arrays(character), joints, character.root, 0.0, 0.0, angle)[link, 2]
    cosine, sine = np.cos(turned), np.sin(turned)
    circles = character.links[link].contacts
    low = min(circles, key=lambda circle: circle.y * cosine - circle.x * sine - circle.radius)
    return low.x, low.y, low.radius


def _faults_of_joints(source: YamlSource, entry: RegulatorEntry, character: Character) -> Iterator[Finding]:
    """Names that are no joints, joints that are named twice or not at all."""
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
    missing = [name for column, name in enumerate(known) if column not in seen]
    if missing and len(entry.joints) < len(known):
        message = (
            f"the dynamics need all joints, and {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        )
        yield source.finding("missing-joint", message, ["joints"])


def _faults_of_stances(source: YamlSource, entry: RegulatorEntry, character: Character) -> Iterator[Finding]:
    """Feet that are no links, cannot touch the ground, or stand twice in a row."""
    before = None
    for i, step in enumerate(entry.steps):
        link = character.link_index(step.stance)
        place: list[str | int] = ["steps", i, "stance"]
        if link is None:
            message = f"the character {character.name} has no link '{step.stance}'"
            yield source.finding("unknown-link", message, place, hint=suggestion(step.stance, character.link_names))
        elif not character.links[link].contacts:
            message = f"the link '{step.stance}' has no contact circle to stand on"
            yield source.finding("no-contact", message, place)
        elif link == before:
            message = f"a step ends where another foot comes down, and '{step.stance}' stands already"
            yield source.finding("same-stance", message, place)
        before = link


def _faults_of_samples(source: YamlSource, entry: RegulatorEntry, character: Character) -> Iterator[Finding]:
    """Rows of another length, and times that do not rise, or rise too far."""
    joints = len(entry.joints)
    length = 3 * joints + 3
    for i, step in enumerate(entry.steps):
        for k, row in enumerate(step.samples):
            if len(row) != length:
                message = (
                    f"a sample is a time, {joints + 1} angles, {joints + 1} rates and {joints} torques:"
                    f" {length} numbers, not {len(row)}"
                )
                yield source.finding("sample-length", message, ["steps", i, "samples", k])
                return
    if entry.steps[0].samples[0][0] != 0.0:
        message = f"the first sample is at time 0, not {entry.steps[0].samples[0][0]:g}"
        yield source.finding("sample-time", message, ["steps", 0, "samples", 0, 0])
    rows = [(i, k, row[0]) for i, step in enumerate(entry.steps) for k, row in enumerate(step.samples)]
    for (_, _, before), (i, k, time) in itertools.pairwise(rows):
        place: list[str | int] = ["steps", i, "samples", k, 0]
        least = 0.0 if k == 0 else LEAST_GAP  # a touch-down takes no time
        if not least <= time - before <= MOST_GAP:
            message = f"samples are {least:g} to {MOST_GAP:g} s apart, and {time:g} comes after {before:g}"
            yield source.finding("sample-time", message, place)
            return
    if rows[-1][2] > MAX_TIMEOUT_S:
        yield source.finding("sample-time", f"a reference lasts at most {MAX_TIMEOUT_S:g} s", ["steps"])
