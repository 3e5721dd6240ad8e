"""Conversion of a recorded walk to a regulator file, which describes a controller that follows the walk by time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller_file import comment_lines, flow_yaml
from ctrlgraph.control.regulator.regulator import WEIGHTS
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats

Columns = Mapping[str, NDArray[np.generic]]
"""Values of recorded signals, one for each sample, by name of the signal."""

TABLE_2 = (1e6, 100.0, 1e8, 1e8, 10.0)
"""Weights in the cost from table 2 of Abe and Popovic (2011), in the order of `WEIGHTS`."""

_SHORTEST = 0.1
"""Minimum time between two landings, s. An earlier contact counts as a scuff."""
_STANDS = 0.1, 0.7
"""Time after a landing, s, and the share of this time for which a foot must touch the ground to count as standing."""
_BOTH = 0.4
"""Maximum time from a landing until the other foot leaves the ground, s, for the landed foot to count as standing."""
_MOSTLY_ONE = 0.5
"""Maximum share of a step in which another foot than the standing one also touches the ground."""
_FLIGHT = 0.05
"""Maximum time without contact of any foot, s. A longer one is a flight."""
_LEVEL = 0.005
"""Maximum height difference of the two lowest contact circles of a foot that stands flat, m."""


@dataclass(frozen=True)
class Stretch:
    """A step in a recorded walk: the range of samples in which one foot stands."""

    foot: int
    """Index of the link of the standing foot."""
    first: int
    """Index of the first sample of the step."""
    end: int
    """Index of the last sample of the step plus 1."""
    flat: bool
    """Whether the foot stands on its whole sole."""


def stretches(columns: Columns, character: PlanarCharacter) -> tuple[Stretch, ...]:
    """Return the steps of a recorded walk, in order; they cover all samples.

    Args:
        columns: recorded signals by name, with a sample for each time step of the engine.
        character: character of the recording.

    Raises:
        CtrlGraphError: the character has fewer than two feet, no foot is on the ground for some time, or two feet are
            on the ground for more than half of a step.
    """
    feet = character.roles.feet
    if len(feet) < 2:
        raise CtrlGraphError(
            f"a regulator needs steps on two feet, but the character {character.name} does not have two feet"
        )
    times = np.asarray(columns["time"], np.float64)
    touching = np.column_stack([columns[f"contact.{character.links[foot].name}"] for foot in feet]).astype(bool)
    _require_ground(times, touching)
    begins = _begins(times, touching)
    ends = [begin for begin, _ in begins[1:]] + [len(times)]
    for (begin, stands), end in zip(begins, ends, strict=True):
        others = np.delete(touching[begin:end], stands, axis=1).any(axis=1)
        if others.mean() > _MOSTLY_ONE:
            span = f"from {times[begin]:.2f} s to {times[end - 1]:.2f} s both feet stand"
            raise CtrlGraphError(f"a regulator needs a motion in which only one foot stands at a time, but {span}")
    return tuple(
        Stretch(feet[k], begin, end, _is_flat(columns, character, feet[k], begin, end))
        for (begin, k), end in zip(begins, ends, strict=True)
    )


def _require_ground(times: Floats, touching: NDArray[np.bool_]) -> None:
    """Check that a recorded walk has no flight.

    Args:
        times: (n,) times of the samples, s.
        touching: (n, F) whether each of F feet touches the ground.

    Raises:
        CtrlGraphError: no foot is on the ground for longer than `_FLIGHT`.
    """
    since, standing_at = times[0], np.asarray(touching.any(axis=1))
    for time, standing in zip(times, standing_at, strict=True):
        since = time if standing else since
        if time - since > _FLIGHT:
            raise CtrlGraphError(f"a regulator needs a foot on the ground at all times, but none is at {since:.2f} s")


def _begins(times: Floats, touching: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the beginnings of the steps in a recorded walk: index of the sample, and number of the standing foot.

    Args:
        times: (n,) times of the samples, s.
        touching: (n, F) whether each of F feet touches the ground; the number of a foot is its column.
    """
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


def _is_flat(columns: Columns, character: PlanarCharacter, foot: int, first: int, end: int) -> bool:
    """Return whether a foot stands on its whole sole in most of the samples from `first` to `end` (exclusive).

    Args:
        columns: recorded signals by name.
        character: character of the recording.
        foot: index of the foot's link.
        first: index of the first sample.
        end: index of the last sample plus 1.
    """
    link = character.links[foot]
    if len(link.contacts) < 2:
        return False
    angle = np.asarray(columns[f"rotation.{link.name}"], np.float64)[first:end]
    cosine, sine = np.cos(angle), np.sin(angle)
    low = np.sort([circle.y * cosine - circle.x * sine - circle.radius for circle in link.contacts], axis=0)
    return float(np.median(low[1] - low[0])) < _LEVEL


def samples(columns: Columns, character: PlanarCharacter, stretch: Stretch, rate: float) -> Floats:
    """Return the samples of a step for a regulator file: rows of time, angles, rates and torques.

    A row has the time (s), the angles of the root link and the J joints (rad), their rates (rad/s), and J joint torques
    (N m). The first and the last recorded sample of the step are included. The torques are means until the next row, so
    that their angular impulse equals that of the recording.

    Args:
        columns: recorded signals by name, with a sample for each time step of the engine.
        character: character of the recording.
        stretch: the step.
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


def regulator_text(character: PlanarCharacter, steps: Sequence[tuple[Stretch, Floats]], *, comment: str = "") -> str:
    """Return the text of a regulator file with the cost weights of Abe and Popovic (2011), table 2.

    Args:
        character: character of the recording.
        steps: steps of the recorded walk, each with its samples as `samples` returns them.
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
