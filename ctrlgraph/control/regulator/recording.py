"""From the signals of a motion in steps to the file of its regulator."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import yaml
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.control.regulator.regulator import WEIGHTS
from ctrlgraph.errors import CtrlGraphError

FloatArray = NDArray[np.float64]
Columns = Mapping[str, NDArray[np.generic]]

TABLE_2 = (1e6, 100.0, 1e8, 1e8, 10.0)
"""The source's weights, in the order of `WEIGHTS` (Abe and Popovic 2011, table 2)."""

_SHORTEST = 0.1
"""A foot that comes down sooner after the other one (s) has only scuffed."""
_STANDS = 0.1, 0.7
"""From when on it stands: of the next so many seconds, it is on the ground for this share."""
_BOTH = 0.4
"""For so long at most (s) both feet stand; then the one that stood has to be off the ground."""
_MOSTLY_ONE = 0.5
"""The share of a step in which other feet may touch the ground, too."""
_FLIGHT = 0.05
"""For so long (s) contacts may flicker; then it is a flight."""
_LEVEL = 0.005
"""A sole is on the ground where the second lowest contact circle is no further above the lowest one, m."""


@dataclass(frozen=True)
class Stretch:
    """Samples of a recording (from the first up to the end, exclusive) in which a foot stands, on its sole or not."""

    foot: int
    first: int
    end: int
    flat: bool


def stretches(columns: Columns, character: Character) -> tuple[Stretch, ...]:
    """Return the steps of a recorded motion: the signals of all steps of the engine.

    Raises:
        CtrlGraphError: the character has no two feet, flies, or stands on both.
    """
    feet = character.roles.feet
    if len(feet) < 2:
        raise CtrlGraphError(f"a regulator follows steps, and the character {character.name} has no two feet")
    times = np.asarray(columns["time"], np.float64)
    touching = np.column_stack([columns[f"contact.{character.links[foot].name}"] for foot in feet]).astype(bool)
    _require_ground(times, touching)
    begins = _begins(times, touching)
    ends = [begin for begin, _ in begins[1:]] + [len(times)]
    for (begin, stands), end in zip(begins, ends, strict=True):
        others = np.delete(touching[begin:end], stands, axis=1).any(axis=1)
        if others.mean() > _MOSTLY_ONE:
            span = f"from {times[begin]:.2f} s to {times[end - 1]:.2f} s both do"
            raise CtrlGraphError(f"a regulator pins the one foot that stands, and {span}")
    return tuple(
        Stretch(feet[k], begin, end, _is_flat(columns, character, feet[k], begin, end))
        for (begin, k), end in zip(begins, ends, strict=True)
    )


def _require_ground(times: FloatArray, touching: NDArray[np.bool_]) -> None:
    """
    Raises:
        CtrlGraphError: no foot is on the ground for longer than contacts flicker.
    """
    since, standing_at = times[0], np.asarray(touching.any(axis=1))
    for time, standing in zip(times, standing_at, strict=True):
        since = time if standing else since
        if time - since > _FLIGHT:
            raise CtrlGraphError(
                f"a regulator's reference stands on a foot all the time, and at {since:.2f} s it flies"
            )


def _begins(times: FloatArray, touching: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The samples at which another foot begins to stand, and which of the feet."""
    later = np.minimum(np.searchsorted(times, times + _STANDS[0]), len(times) - 1)
    total = np.vstack([np.zeros(touching.shape[1]), np.cumsum(touching, axis=0)])
    share = (total[later + 1] - total[np.arange(len(times))]) / (later + 1 - np.arange(len(times)))[:, None]
    until = np.minimum(np.searchsorted(times, times + _BOTH), len(times) - 1)
    stands = int(np.argmax(total[until[0] + 1]))  # of feet together on the ground the one that stays
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
    """Whether it stands on its sole, for most of the time."""
    link = character.links[foot]
    if len(link.contacts) < 2:
        return False
    angle = np.asarray(columns[f"rotation.{link.name}"], np.float64)[first:end]
    cosine, sine = np.cos(angle), np.sin(angle)
    low = np.sort([circle.y * cosine - circle.x * sine - circle.radius for circle in link.contacts], axis=0)
    return float(np.median(low[1] - low[0])) < _LEVEL


def samples(columns: Columns, character: Character, stretch: Stretch, rate: float) -> FloatArray:
    """Return the rows of a step, so many a second: a time, angles, rates, torques.

    The step's first and last samples are among them. A row's torques are the means up to the next row: they have done
    what the recorded ones did.
    """
    joints = [joint.name for joint in character.joints]
    times = np.asarray(columns["time"], np.float64)
    stride = max(1, round(1.0 / (rate * float(np.median(np.diff(times))))))
    last = stretch.end - 1
    at = np.array([*range(stretch.first, last, stride), last])
    if len(at) > 2 and at[-1] - at[-2] < 0.5 * stride:
        at = np.delete(at, -2)
    torque = np.column_stack([columns[f"torque.{name}"] for name in joints]).astype(np.float64)
    torque[-1] = np.where(np.isnan(torque[-1]), torque[-2], torque[-1])  # no step followed the motion's end
    bounds = [*at, stretch.end]
    means = np.array([torque[a:b].mean(axis=0) for a, b in itertools.pairwise(bounds)])
    named = [f"rotation.{character.links[character.root].name}", *(f"angle.{name}" for name in joints)]
    named += ["root_spin", *(f"velocity.{name}" for name in joints)]
    state = np.column_stack([columns[name] for name in named]).astype(np.float64)
    return np.column_stack([times[at] - times[0], state[at], means])


def regulator_text(
    character: Character,
    steps: Sequence[tuple[Stretch, FloatArray]],
    *,
    weights: Sequence[float] = TABLE_2,
    comment: str = "",
) -> str:
    """Return a regulator's file of steps and their rows; `comment` are lines to begin with."""
    names = [joint.name for joint in character.joints]
    lines = [f"# {line}" for line in comment.splitlines()]
    lines.append("# a sample: time, angles of root and joints, their rates, the joints' torques")
    lines.append(f"joints: {_flow(names)}")
    told = ", ".join(f"{name}: {value:.6g}" for name, value in zip(WEIGHTS, weights, strict=True))
    lines += [f"weights: {{{told}}}", "switch: contact", "steps:"]
    for stretch, rows in steps:
        lines.append(f"  - stance: {_flow(character.links[stretch.foot].name)}")
        lines += ["    flat: true"] if stretch.flat else []
        lines.append("    samples:")
        lines += ("      - [" + ", ".join(f"{value:.6g}" for value in row) + "]" for row in rows)
    return "\n".join(lines) + "\n"


def _flow(value: object) -> str:
    dumped: str = yaml.safe_dump(value, default_flow_style=True, width=math.inf, allow_unicode=True)
    return dumped.removesuffix("\n").removesuffix("\n...").strip()
