"""A set of gaits over a grid of strides and speeds. Each search starts from the nearest gait found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.stepping.gait_design import DESIGN_PLACES, Gait, GaitWish, design_gait
from ctrlgraph.control.stepping.gait_set import SHAPES, GaitSet, fitted_rate
from ctrlgraph.control.tracking.steps import DEGREE, StepConstraints, Stepper
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats

FIRST = (0.42, 0.7)
"""Stride, m, and speed, m/s, of the first search. The others follow outward."""
_FARTHEST = (0.025, 0.06)
"""Maximum differences in stride, m, and speed, m/s, between neighbours. Wider ones take several searches."""

Cell = tuple[float, float]


def tracked_gait(walk: Tracking) -> Gait:
    """Return the gait of a tracking file of one stage, with coefficients of degree 6, and the start of its policy.

    Raises:
        CtrlGraphError: The file has another form.
    """
    entry = walk.resolved()
    stage = entry.stages[0]
    rows = [row for row in stage.track.values() if len(row) == DEGREE + 1]
    if len(entry.stages) != 1 or len(rows) != 4:
        raise CtrlGraphError(f"{walk.name} is no walk of one stage whose four joints follow curves of degree {DEGREE}")
    constraints = StepConstraints(stage.theta, np.array(rows, dtype=np.float64))
    policy = stage.policy or entry.policy
    integral = None if policy is None else policy.integral
    return Gait(constraints.end, constraints.coefficients[:, 2:-2].copy(), 0.0 if integral is None else integral.at)


def search_gaits(
    character: Character,
    strides: Sequence[float],
    speeds: Sequence[float],
    begin: Gait,
    on_gait: Callable[[], None] = lambda: None,
) -> GaitSet:
    """Return the gaits that were found, by stride, then by speed.

    Args:
        character: Character of the gaits.
        strides: Strides, m.
        speeds: Speeds, m/s.
        begin: Initial gait.
        on_gait: Called after each search.

    Raises:
        CtrlGraphError: No gait was found.
    """
    stepper, fine = Stepper(character, DESIGN_PLACES), Stepper(character)
    first, met = design_gait(stepper, GaitWish(*FIRST), begin)
    if not met:
        raise CtrlGraphError("no gait like the first one was found")
    found: dict[Cell, Gait] = {FIRST: first}
    wanted = [(stride, speed) for stride in strides for speed in speeds]
    kept: dict[Cell, Gait] = {}
    for cell in sorted(wanted, key=lambda cell: _apart(cell, FIRST)):
        gait = _reached(stepper, cell, found)
        if gait is not None:
            kept[cell] = gait
        on_gait()
    if not kept:
        raise CtrlGraphError("no gait was found")
    return _as_set(fine, {cell: kept[cell] for cell in wanted if cell in kept})


def _apart(one: Cell, other: Cell) -> float:
    return abs(one[0] - other[0]) / _FARTHEST[0] + abs(one[1] - other[1]) / _FARTHEST[1]


def _reached(stepper: Stepper, cell: Cell, found: dict[Cell, Gait]) -> Gait | None:
    """Search a gait from the nearest gaits, in steps no wider than the maximum differences."""
    for near in sorted(found, key=lambda other: _apart(cell, other))[:3]:
        gait = found[near]
        for between in _way(near, cell):
            gait, met = design_gait(stepper, GaitWish(*between), gait)
            if not met:
                break
            found[between] = gait
        else:
            return found[cell]
    return None


def _way(start: Cell, end: Cell) -> Iterator[Cell]:
    count = max(1, *(int(np.ceil(abs(end[k] - start[k]) / _FARTHEST[k])) for k in range(2)))
    for i in range(1, count):
        share = i / count
        yield tuple(round(a + share * (b - a), 6) for a, b in zip(start, end, strict=True))  # type: ignore[misc]
    yield end


def _as_set(stepper: Stepper, gaits: dict[Cell, Gait]) -> GaitSet:
    rows = [(*cell, *gait.end, gait.middle, gait.centre, *_course(stepper, gait)) for cell, gait in gaits.items()]
    columns = map(np.array, zip(*rows, strict=True))
    return GaitSet(**dict(zip(SHAPES, columns, strict=True)), character=stepper.character.digest)


def _course(stepper: Stepper, gait: Gait) -> tuple[float, Floats]:
    """Return the rate of theta at the start of the periodic step, and the rate over the step."""
    constraints, policy = stepper.periodic(gait.end, gait.middle), stepper.constant_centre(gait.centre)
    cycle = stepper.cycle(constraints, policy)
    if cycle is None:
        raise CtrlGraphError("a gait that was found is none on a finer grid")
    profile = stepper.follow(constraints)
    stepper.go(profile, policy, cycle.rate)
    return cycle.rate, fitted_rate(profile.theta[::2], stepper.motion.rate)
