"""Conversion of a recorded motion, which must consist of steps, to a regulator file."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller_file import comment_lines, flow_yaml
from ctrlgraph.control.regulator.regulator import WEIGHTS
from ctrlgraph.errors import CtrlGraphError

FloatArray = NDArray[np.float64]
Columns = Mapping[str, NDArray[np.generic]]
"""Recorded signals by name, one value for each sample."""

TABLE_2 = (1e6, 100.0, 1e8, 1e8, 10.0)
"""Weights of Abe and Popovic (2011), table 2, in the order of `WEIGHTS`."""

_SHORTEST = 0.1
"""Minimum time between two landings, s. An earlier contact is a scuff."""
_STANDS = 0.1, 0.7
"""Time, s, and share: a foot stands if it touches the ground for this share of this time after the landing."""
_BOTH = 0.4
"""Time of double support, s, within which the former standing foot must leave the ground for a change of feet."""
_MOSTLY_ONE = 0.5
"""Maximum share of a step in which another foot also touches the ground."""
_FLIGHT = 0.05
"""Maximum interruption of contact, s. A longer one is a flight."""
_LEVEL = 0.005
"""Maximum height difference of the two lowest contact circles of a flat foot, m."""


@dataclass(frozen=True)
class Stretch:
    """Range of samples of a recording in which one foot stands."""

    foot: int
    """Index of the foot's link."""
    first: int
    """Index of the first sample."""
    end: int
    """Index after the last sample."""
    flat: bool
    """Whether the foot stands on its whole sole."""


def stretches(columns: Columns, character: Character) -> tuple[Stretch, ...]:
    """Return the steps of a recorded motion.

    Args:
        columns: recorded signals, with a sample for each time step of the engine.
        character: character of the recording.

    Raises:
        CtrlGraphError: the character has fewer than two feet, no foot is on the ground for some time, or two feet are
            on the ground for more than half of a step.
    """
    feet = character.roles.feet
    if len(feet) < 2:
        raise CtrlGraphError(f"a regulator needs steps, and the character {character.name} does not have two feet")
    times = np.asarray(columns["time"], np.float64)
    touching = np.column_stack([columns[f"contact.{character.links[foot].name}"] for foot in feet]).astype(bool)
    _require_ground(times, touching)
    begins = _begins(times, touching)
    ends = [begin for begin, _ in begins[1:]] + [len(times)]
    for (begin, stands), end in zip(begins, ends, strict=True):
        others = np.delete(touching[begin:end], stands, axis=1).any(axis=1)
        if others.mean() > _MOSTLY_ONE:
            span = f"from {times[begin]:.2f} s to {times[end - 1]:.2f} s both feet stand"
            raise CtrlGraphError(f"a regulator needs one standing foot at a time, and {span}")
    return tuple(
        Stretch(feet[k], begin, end, _is_flat(columns, character, feet[k], begin, end))
        for (begin, k), end in zip(begins, ends, strict=True)
    )


def _require_ground(times: FloatArray, touching: NDArray[np.bool_]) -> None:
    """Check that a foot is on the ground at all times.

    Raises:
        CtrlGraphError: no foot is on the ground for longer than `_FLIGHT`.
    """
    since, standing_at = times[0], np.asarray(touching.any(axis=1))
    for time, standing in zip(times, standing_at, strict=True):
        since = time if standing else since
        if time - since > _FLIGHT:
            raise CtrlGraphError(
                f"a regulator needs a foot on the ground at all times, and at {since:.2f} s there is none"
            )


def _begins(times: FloatArray, touching: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the changes of the standing foot: index of the sample, and column of the foot in `touching`."""
    later = np.minimum(np.searchsorted(times, times + _STANDS[0]), len(times) - 1)
    total = np.vstack([np.zeros(touching.shape[1]), np.cumsum(touching, axis=0)])
    share = (total[later + 1] - total[np.arange(len(times))]) / (later + 1 - np.arange(len(times)))[:, None]
    until = np.minimum(np.searchsorted(times, times + _BOTH), len(times) - 1)
    stands = int(np.argmax(total[until[0] + 1]))  # of two feet on the ground, the one with more contact
    begins = [(0, stands)]
    for i in range(1, len(times)):
        if times[i] - times[begins[-1][0]] < _SHORTEST:
            continue
        for k in range(touching.shape[1]):
            comes_down = touching[i, k] and not touching[i - 1, k] and share[i, k] >= _STANDS[1]
            if k != stands and comes_down and not touching[i : until[i] + 1, stands].all():
                begins.append((i, k))
                stands = k
                break
    return begins


def _is_flat(columns: Columns, character: Character, foot: int, first: int, end: int) -> bool:
    """Return whether the foot stands on its whole sole in most of the samples from `first` to `end`."""
    link = character.links[foot]
    if len(link.contacts) < 2:
        return False
    angle = np.asarray(columns[f"rotation.{link.name}"], np.float64)[first:end]
    cosine, sine = np.cos(angle), np.sin(angle)
    low = np.sort([circle.y * cosine - circle.x * sine - circle.radius for circle in link.contacts], axis=0)
    return float(np.median(low[1] - low[0])) < _LEVEL


def samples(columns: Columns, character: Character, stretch: Stretch, rate: float) -> FloatArray:
    """Return the samples of a step for a regulator file, as rows of time, angles, rates and torques.

    The rows include the first and the last recorded sample of the step. The torques of a row are means until the next
    row, so that their impulse equals that of the recording.

    Args:
        columns: recorded signals, with a sample for each time step of the engine.
        character: character of the recording.
        stretch: range of samples of the step.
        rate: number of rows per second.
    """
    joints = [joint.name for joint in character.joints]
    times = np.asarray(columns["time"], np.float64)
    stride = max(1, round(1.0 / (rate * float(np.median(np.diff(times))))))
    last = stretch.end - 1
    at = np.array([*range(stretch.first, last, stride), last])
    if len(at) > 2 and at[-1] - at[-2] < 0.5 * stride:
        at = np.delete(at, -2)
    torque = np.column_stack([columns[f"torque.{name}"] for name in joints]).astype(np.float64)
    torque[-1] = np.where(np.isnan(torque[-1]), torque[-2], torque[-1])  # no time step follows
    bounds = [*at, stretch.end]
    means = np.array([torque[a:b].mean(axis=0) for a, b in itertools.pairwise(bounds)])
    named = [f"rotation.{character.links[character.root].name}", *(f"angle.{name}" for name in joints)]
    named += ["root_spin", *(f"velocity.{name}" for name in joints)]
    state = np.column_stack([columns[name] for name in named]).astype(np.float64)
    return np.column_stack([times[at] - times[0], state[at], means])


def regulator_text(character: Character, steps: Sequence[tuple[Stretch, FloatArray]], *, comment: str = "") -> str:
    """Return the text of a regulator file with the cost weights of Abe and Popovic (2011), table 2.

    Args:
        character: character of the recording.
        steps: footsteps. For each one, its part of the recording, and its samples, one in each row (see `samples`).
        comment: text of the comment at the beginning of the file.
    """
    names = [joint.name for joint in character.joints]
    lines = comment_lines(comment)
    lines.append("# a sample: time, angles of root and joints, their rates, the joints' torques")
    lines.append(f"joints: {flow_yaml(names)}")
    values = ", ".join(f"{name}: {value:.6g}" for name, value in zip(WEIGHTS, TABLE_2, strict=True))
    lines += [f"weights: {{{values}}}", "switch: contact", "steps:"]
    for stretch, rows in steps:
        lines.append(f"  - stance: {flow_yaml(character.links[stretch.foot].name)}")
        lines += ["    flat: true"] if stretch.flat else []
        lines.append("    samples:")
        lines += ("      - [" + ", ".join(f"{value:.6g}" for value in row) + "]" for row in rows)
    return "\n".join(lines) + "\n"
