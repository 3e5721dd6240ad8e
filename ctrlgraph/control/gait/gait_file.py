"""Reading of gait files.

    period: 0.45
    forward: 0.5
    swing:
      front left: [0, 0.45]
      hind right: [0, 0.45]
      front right: [0.5, 0.45]
      hind left: [0.5, 0.45]

`swing` lists for each leg the start and the duration of its swing as fractions of the period. See
docs/reference/gait.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, create_model

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller_file import Entry, Name, read_entry
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_arrays import MAX_LEGS
from ctrlgraph.control.gait.gait_plan import SHORTEST_SWING, PlanMode
from ctrlgraph.control.gait.gait_values import (
    DEFAULTS,
    MAX_OFFSET,
    MAX_SWING,
    RANGES,
    TRAJECTORY,
    GaitValues,
    Published,
)
from ctrlgraph.control.gait.legged_body import legged_body
from ctrlgraph.errors import Finding, SourceError, Span
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.yaml_source import YamlSource

_PERIODS = 2.02
"""Period of a trot, in units of the time sqrt(height / gravity)."""
MAX_TRAJECTORIES = 100
"""Maximum number of joints with a trajectory."""
_STEP = 0.18
"""Height of the feet in the middle of their swing, as a fraction of the height of the centre of mass."""

Start = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Duration = Annotated[float, Field(strict=True, ge=0, le=MAX_SWING, allow_inf_nan=False)]


class _TrajectoryEntry(Entry):
    """Angle of a joint that belongs to no leg, relative to the start pose."""

    offset: Annotated[float, Field(strict=True, ge=-MAX_OFFSET, le=MAX_OFFSET, allow_inf_nan=False)] = 0.0
    """Mean angle, rad."""
    amplitude: Annotated[float, Field(strict=True, ge=0, le=MAX_OFFSET, allow_inf_nan=False)] = 0.0
    """Amplitude of the oscillation, one in each period, rad."""
    phase: Start = 0.0
    """Phase at which the oscillation has its maximum."""
    turn: Annotated[float, Field(strict=True, ge=-MAX_OFFSET, le=MAX_OFFSET, allow_inf_nan=False)] = 0.0
    """Additional angle per desired rate of the heading, s."""


class _SwingEntry(Entry):
    swing: Annotated[dict[Name, tuple[Start, Duration]], Field(max_length=MAX_LEGS)]
    """Start and duration of the swing by leg, fractions of the period; other legs always stand."""
    trajectories: Annotated[dict[Name, _TrajectoryEntry], Field(max_length=MAX_TRAJECTORIES)] = Field({})
    """Angles of joints that belong to no leg, by joint; others keep the start pose."""
    published: tuple[Literal["foothold", "target", "swing", "weight", "stance"], ...] = ()
    """Laws of the published controller, which replace those of ctrlgraph."""
    plan: PlanMode = ""
    """Whether footsteps are planned, and whether each plan begins in the measured state."""


_VALUES = {
    name: (Annotated[float, Field(strict=True, ge=low, le=high, allow_inf_nan=False)] | None, None)
    for name, (low, high) in RANGES.items()
}
GaitEntry = create_model("GaitEntry", __base__=_SwingEntry, **_VALUES)  # type: ignore[call-overload]
"""Contents of a gait file: the swings of the legs, and the fields of `GaitValues`, which have default values."""


def gait_of(source: YamlSource, character: SpatialCharacter) -> Gait:
    """Return the controller of a gait file that has been parsed as YAML.

    Args:
        source: the parsed file.
        character: character with the legs that the file names.

    Raises:
        SourceError: the file has errors, or the character has no legs; the exception lists them.
    """
    legs, body = [leg.name for leg in character.roles.legs], legged_body(character)
    free = {joint.name: j for j, joint in enumerate(character.joints) if j not in body.legs.joints}
    if not 2 <= len(legs) <= MAX_LEGS:
        message = f"a gait needs a character with 2 to {MAX_LEGS} legs, but {character.name} has {len(legs)}"
        raise SourceError([source.finding("no-legs", message, [])])

    def check(entry: _SwingEntry) -> Iterator[Finding]:
        for name in entry.swing:
            if name not in legs:
                message = f"the character {character.name} has no leg '{name}'"
                hint = f"its legs are {', '.join(legs)}"
                yield source.finding("unknown-leg", message, ["swing", name], key=True, hint=hint)

        for name, path in entry.trajectories.items():
            if name not in free:
                message = f"'{name}' is not a joint of {character.name} that belongs to no leg"
                hint = f"these joints are {', '.join(free) or 'none'}"
                yield source.finding("unknown-joint", message, ["trajectories", name], key=True, hint=hint)
                continue
            joint, mean = character.joints[free[name]], body.angles[free[name]] + path.offset
            if mean - path.amplitude < joint.lower or mean + path.amplitude > joint.upper:
                message = (
                    f"{name} moves from {mean - path.amplitude:.3g} to {mean + path.amplitude:.3g} rad, but its limits "
                    f"are {joint.lower:.3g} and {joint.upper:.3g} rad"
                )
                yield source.finding("beyond-limits", message, ["trajectories", name], key=True)

        if entry.plan and (len(entry.swing) < len(legs) or len({duration for _, duration in entry.swing.values()}) > 1):
            message = "a plan of footsteps needs swings of all legs with the same duration"
            yield source.finding("uneven-swings", message, ["swing"], key=True)
        if entry.plan and any(duration < SHORTEST_SWING for _, duration in entry.swing.values()):
            message = f"a plan of footsteps needs swings of at least {SHORTEST_SWING:g} of the period"
            yield source.finding("short-swings", message, ["swing"], key=True)
        if entry.plan and entry.published:
            message = "a plan of footsteps replaces laws of the published controller: remove 'published' or 'plan'"
            yield source.finding("plan-of-published", message, ["published"], key=True)

    entry = read_entry(source, GaitEntry, check)
    given = {name: getattr(entry, name) for name in GaitValues._fields if getattr(entry, name) is not None}
    height = given.get("height", body.height)
    sized = {"height": height, "period": _PERIODS * math.sqrt(height / GRAVITY), "step_height": _STEP * height}
    values = GaitValues(**(DEFAULTS | sized | given))
    swings = [entry.swing.get(leg, (0.0, 0.0)) for leg in legs]
    places = [_span(source, [name], name in given) for name in GaitValues._fields]
    for k in range(2):
        places += [_span(source, ["swing", leg, k], leg in entry.swing) for leg in legs]
    constants = [*values, *(start for start, _ in swings), *(duration for _, duration in swings)]
    for joint, trajectory in entry.trajectories.items():
        constants += [getattr(trajectory, name) for name in TRAJECTORY]
        places += [
            _span(source, ["trajectories", joint, name], name in trajectory.model_fields_set) for name in TRAJECTORY
        ]
    return Gait(
        Path(source.path).stem,
        source.path,
        tuple(legs),
        body,
        np.array(constants),
        Published(**dict.fromkeys(entry.published, True)),
        entry.plan,
        {name: free[name] for name in entry.trajectories},
        tuple(places),
    )


def gait_warnings(source: YamlSource, gait: Gait) -> list[Finding]:
    """Return the warning that the gait has a desired velocity but no leg swings, if so.

    Args:
        source: the file of the gait.
        gait: the gait.
    """
    values = gait.values
    if gait.swings[:, 1].any() or not (values.forward or values.sideways or values.turn):
        return []
    message = "no leg swings, so the character only stands"
    return [
        source.finding(
            "no-swing",
            message,
            ["swing"],
            hint="give swings of legs under 'swings' to make the character walk",
            severity="warning",
        )
    ]


def _span(source: YamlSource, location: list[str | int], is_given: bool) -> Span | None:
    return source.span(location) if is_given else None
