"""Search of gaits of many strides and speeds: the gaits that stepping files choose from.

    python benchmarks/gait_search.py GAITS.npz [--strides 0.3 0.66 10] [--speeds 0.5 0.95 10]

The gaits belong to the walker of projects/tracking. The search starts from stepping/first_gait.yaml and takes about a
second for each gait.

A gait is defined by the end of its step (hip, trunk, and the derivatives of the tracked angles), the middle of its
curves, and the zero-moment point. The stride is met by construction: inverse kinematics give the pose at the end. The
speed is a constraint. The cost contains torques and two causes of a fragile gait: a low swing foot, and a ground
reaction near or beyond the friction cone, at the gait's own rate and at multiples of it. A gait with only minimum
torque falls at the first push.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from ctrlgraph.character.files import load_character
from ctrlgraph.character.model import Character
from ctrlgraph.control.stepping.gait_set import SHAPES, GaitSet, bernstein
from ctrlgraph.control.tracking.reduced_model import CentrePolicy, StepProfile
from ctrlgraph.control.tracking.steps import DEGREE, StepConstraints, StepEnd, Stepper
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_file import read_tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats

PROJECT = Path(__file__).resolve().parents[1] / "projects" / "tracking"

DESIGN_PLACES = 41
RATES = (1.0, 1.5, 2.0, 2.6)
"""Multiples of the gait's rate of theta at which the ground reaction is evaluated."""
_RATE_WEIGHTS = (1.0, 0.3, 0.1, 0.03)
_STRAIGHT = 0.9998  # maximum cosine of a knee
_BOX = np.array([0.05, 0.03, 0.05, *[1.0] * 4, *[0.15] * 12, 0.03])
"""Maximum change of each variable in one round of the search."""
_LEAST_SQUARE = 0.02  # minimum squared rate of theta during a step in the search, (rad/s)^2


@dataclass(frozen=True)
class PeriodicStep:
    """A step that repeats itself."""

    rate: float
    """Theta's rate at the start, rad/s."""
    duration: float
    """s."""
    length: float
    """m."""
    slope: float
    """Slope of the return map of theta's rate at the start; at a fixed point, that of the squared rate is equal."""

    @property
    def speed(self) -> float:
        """Return the walking speed, m/s."""
        return self.length / self.duration


@dataclass(frozen=True)
class GaitWish:
    """Requirements of a gait."""

    stride: float
    """Stride, m."""
    speed: float
    """Speed, m/s."""
    friction: float = 0.5
    """Maximum ratio of tangential to normal ground force."""
    least_force: float = 100.0
    """Minimum normal ground force, N."""
    clearance: float = 0.05
    """Height of the swinging sole in the middle of the step, m."""
    torque: float = 150.0
    """Maximum joint torque, N m."""
    centre: tuple[float, float] = (-0.04, 0.14)
    """Range of the zero-moment point, m ahead of the ankle."""
    return_slope: float = 0.85
    """Maximum fraction of a deviation of theta'^2 that remains after a step."""


@dataclass(frozen=True)
class Gait:
    """A periodic step."""

    end: StepEnd
    middle: Floats
    """Middle of its curves, (4, 3)."""
    centre: float
    """Zero-moment point, m ahead of the ankle."""


class _Legs(NamedTuple):
    thigh: float
    shin: float
    ankle: float  # height over the sole, m


class _Looks(NamedTuple):
    """Properties of a candidate."""

    cost: float
    speed: float  # difference from the required speed, m/s
    margins: Floats  # at least zero if the requirements are met


def design_gait(stepper: Stepper, wish: GaitWish, start: Gait, rounds: int = 4) -> tuple[Gait, bool]:
    """Return a gait, and whether it meets the requirements.

    SLSQP searches in rounds, each within a box around the result of the previous one.

    Args:
        stepper: Reduced dynamics with few nodes, such as `DESIGN_PLACES`.
        wish: Requirements.
        start: Initial gait.
        rounds: Maximum number of rounds.
    """
    problem = GaitProblem(stepper, wish)
    x = problem.vector(start)
    for _ in range(rounds):
        low, high = problem.bounds()
        box = list(zip((x - _BOX).clip(low, high), (x + _BOX).clip(low, high), strict=True))
        found = minimize(
            lambda x: problem.looks(x).cost,
            x.clip(low, high),
            jac=lambda x: problem.slopes(x)[0],
            method="SLSQP",
            bounds=box,
            constraints=[
                {"type": "eq", "fun": lambda x: problem.looks(x).speed, "jac": lambda x: problem.slopes(x)[1]},
                {"type": "ineq", "fun": lambda x: problem.looks(x).margins, "jac": lambda x: problem.slopes(x)[2:]},
            ],
            options={"maxiter": 40, "ftol": 1e-4},
        )
        moved = np.abs(found.x - x).max()
        x = found.x
        if found.success and moved < 1e-3:
            break
    return problem.gait(x), problem.met(x)


class GaitProblem:
    """The optimisation problem. Its vector has the hip's position ahead and up (m), the trunk's angle, end slopes (4),
    middle (12) and the zero-moment point.
    """

    def __init__(self, stepper: Stepper, wish: GaitWish) -> None:
        self._stepper, self._wish = stepper, wish
        self._legs = _measure(stepper)
        self._known: dict[bytes, _Looks] = {}
        self._slopes: tuple[bytes, Floats] = (b"", np.zeros(0))

    def vector(self, gait: Gait) -> Floats:
        """Return a gait as a vector, (20,), with its hip moved to the required stride."""
        end, legs = gait.end, self._legs
        reach = _reach(legs, end.angles[1])
        trunk = end.theta - end.angles[0] - _bend(legs, end.angles[1])
        behind = _reach(legs, end.angles[3])
        back = trunk + end.angles[2] + _bend(legs, end.angles[3])
        ahead = reach * math.sin(end.theta)
        stride = ahead - behind * math.sin(back)
        # low enough for the legs of a longer step
        ahead *= self._wish.stride / stride
        lowest = min(math.sqrt(reach**2 - ahead**2), math.sqrt(behind**2 - (self._wish.stride - ahead) ** 2))
        hip = (ahead, min(lowest, reach * math.cos(end.theta)) + legs.ankle)
        return np.array([*hip, trunk, *end.slopes, *gait.middle.ravel(), gait.centre])

    def gait(self, x: Floats) -> Gait:
        """Return the gait of a vector (20,)."""
        legs, (ahead, high) = self._legs, x[:2]
        angles = []
        for along, cosine in zip((ahead, ahead - self._wish.stride), self._knees(x), strict=True):
            knee = math.acos(min(max(cosine, -_STRAIGHT), _STRAIGHT))
            angles += [math.atan2(along, high - legs.ankle) - x[2] - _bend(legs, knee), knee]
        theta = math.atan2(ahead, high - legs.ankle)
        return Gait(StepEnd(theta, np.array(angles), x[3:7].copy()), x[7:19].reshape(4, 3).copy(), float(x[19]))

    def _knees(self, x: Floats) -> list[float]:
        """Return the cosines of the knees at the end of the step, above 1 if a leg is too short."""
        legs, up = self._legs, x[1] - self._legs.ankle
        alongs = (x[0], x[0] - self._wish.stride)
        both = 2 * legs.thigh * legs.shin
        return [float((along**2 + up**2 - legs.thigh**2 - legs.shin**2) / both) for along in alongs]

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the bounds of the vector in one round."""
        wish, legs = self._wish, self._legs
        height = legs.thigh + legs.shin + legs.ankle
        low = [0.1 * wish.stride, 0.8 * height, -0.1, *[-8.0] * 4, *[-2.0] * 12, wish.centre[0]]
        high = [0.9 * wish.stride, 0.995 * height, 0.35, *[8.0] * 4, *[2.5] * 12, wish.centre[1]]
        return np.array(low), np.array(high)

    def met(self, x: Floats) -> bool:
        """Return True if a vector meets the requirements."""
        looks = self.looks(x)
        return abs(looks.speed) < 2e-3 and float(looks.margins.min()) > -2e-3

    def slopes(self, x: Floats) -> Floats:
        """Return the derivatives (12, 20) of cost, speed and margins. The derivatives at the last vector are cached."""
        key = x.tobytes()
        if self._slopes[0] != key:
            here = _flat(self.looks(x))
            columns = []
            for k in range(x.size):
                nudged = x.copy()
                nudged[k] += 1e-6
                columns.append((_flat(self.looks(nudged)) - here) / 1e-6)
            self._slopes = key, np.column_stack(columns)
        return self._slopes[1]

    def looks(self, x: Floats) -> _Looks:
        """Return cost, speed and margins of a vector."""
        key = x.tobytes()
        if key not in self._known:
            if len(self._known) > 64:
                self._known.clear()
            try:
                self._known[key] = self._looked_at(self.gait(x), max(self._knees(x)))
            except CtrlGraphError:
                self._known[key] = _Looks(1e3, 1.0, np.full(10, -1.0))
        return self._known[key]

    def _looked_at(self, gait: Gait, straightest: float) -> _Looks:
        wish, stepper = self._wish, self._stepper
        start = stepper.start_after(gait.end)
        profile = stepper.follow(StepConstraints.between(start, gait.middle, gait.end))
        theta, share = profile.theta, np.linspace(0.0, 1.0, profile.theta.size)
        steady, driven = _affine_course(profile, gait.centre)
        kept = start.ratio**2
        slope = kept * steady[-1]
        begin = kept * driven[-1] / max(1.0 - slope, 0.02)
        course = steady * begin + driven
        square = np.maximum(course, _LEAST_SQUARE)
        weights = _simpson(square.size, 2.0 * float(theta[1] - theta[0]))
        duration = float(weights @ (1.0 / np.sqrt(square)))
        cost = 0.0
        for multiple, weight in zip(RATES, _RATE_WEIGHTS, strict=True):
            force, torque = _forces(stepper, profile, gait.centre, square * multiple**2)
            over = np.maximum(np.abs(force[:, 0]) - wish.friction * force[:, 1], 0.0) / 100.0
            under = np.maximum(wish.least_force - force[:, 1], 0.0) / 100.0
            share_of_time = weights / np.sqrt(square) / duration
            cost += 20.0 * weight * float(share_of_time @ (over**2 + under**2))
            if multiple == 1.0:
                excess = np.maximum(np.abs(torque) - wish.torque, 0.0)
                cost += float(share_of_time @ (torque**2).sum(axis=1)) / 2000.0
                cost += 20.0 * float(share_of_time @ (excess**2).sum(axis=1)) / 1e4
        height = profile.swing[:, 0, 1]
        wanted = wish.clearance * np.minimum(1.0, 6.0 * share * (1.0 - share)) ** 2
        cost += 2e5 * float(np.mean(np.maximum(wanted - height, 0.0) ** 2))
        back = np.maximum(profile.swing[:, 0, 0] - wish.stride - 0.03, 0.0)
        cost += 1e5 * float(np.mean(back**2)) + 2e4 * float(np.mean(np.maximum(height - 0.12, 0.0) ** 2))
        knees = profile.q[:, [3 + stepper.model.legs.knee[0], 3 + stepper.model.legs.knee[1]]]
        cost += 500.0 * float(np.mean(np.maximum(0.08 - knees, 0.0) ** 2 + np.maximum(knees - 1.8, 0.0) ** 2))
        trunk = profile.q[:, 2]
        cost += 3.0 * float(np.mean((trunk - trunk.mean()) ** 2)) * 100.0
        rise = height[1] / (theta[1] - theta[0])
        fall = height[-2] / (theta[1] - theta[0])
        forward = (profile.swing[-1, 0, 0] - profile.swing[-2, 0, 0]) / (theta[1] - theta[0])
        margins = np.array(
            [
                rise - 0.05,
                fall - 0.5,
                0.7 - forward,
                wish.return_slope - slope,
                0.4 - start.slip,
                0.4 + start.slip,
                (kept * driven[-1] - 0.05) * 2.0,
                start.ratio - 0.3,
                float(course.min()) - 0.2,
                10.0 * (0.997 - straightest),
            ]
        )
        return _Looks(cost, wish.stride / duration - wish.speed, margins)


def _flat(looks: _Looks) -> Floats:
    return np.array([looks.cost, looks.speed, *looks.margins])


def _measure(stepper: Stepper) -> _Legs:
    """Return the lengths of a leg with vertical links in the reference pose."""
    character, legs = stepper.character, stepper.model.legs
    hip, knee = (character.joints[int(of[0])] for of in (legs.hip, legs.knee))
    end, sole = legs.end[0], legs.sole[0, 0]
    foot = character.links[int(legs.foot[0])]
    ankle_y = foot.y + end[1]
    return _Legs(hip.y - knee.y, knee.y - ankle_y, float(end[1] - sole[1]))


def _reach(legs: _Legs, knee: float) -> float:
    return math.sqrt(legs.thigh**2 + legs.shin**2 + 2 * legs.thigh * legs.shin * math.cos(knee))


def _bend(legs: _Legs, knee: float) -> float:
    """Return the angle between the thigh and the vector from ankle to hip."""
    return math.atan2(legs.shin * math.sin(knee), legs.thigh + legs.shin * math.cos(knee))


def _affine_course(profile: StepProfile, centre: float) -> tuple[Floats, Floats]:
    """Return factors (steady, driven): theta'^2 at each second node is `steady` times its initial value plus `driven`.

    The integration is by Runge-Kutta steps.
    """
    of = [_moments(profile, forces, centre) for forces in (profile.accelerating, profile.turning, profile.weight)]
    growth, drive = (-2.0 * of[1] / of[0]).tolist(), (-2.0 * of[2] / of[0]).tolist()
    step = 2.0 * float(profile.theta[1] - profile.theta[0])
    steady, driven = [1.0], [0.0]
    for i in range(0, len(growth) - 1, 2):
        g0, g1, g2 = growth[i : i + 3]
        d0, d1, d2 = drive[i : i + 3]
        # one step of Runge-Kutta on w' = g w + d is w -> kept w + added
        kept = 1 + step / 6 * (g0 + 4 * g1 + g2 + step * g1 * (g0 + g1 + g2) + step**2 / 2 * g1 * g1 * (g0 + g2))
        kept += step**4 / 24 * g0 * g1 * g1 * g2
        k1 = d0
        k2 = g1 * step / 2 * k1 + d1
        k3 = g1 * step / 2 * k2 + d1
        k4 = g2 * step * k3 + d2
        steady.append(steady[-1] * kept)
        driven.append(driven[-1] * kept + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return np.array(steady), np.array(driven)


def _simpson(count: int, step: float) -> Floats:
    """Return the weights of Simpson's rule at an odd number of nodes."""
    weights = np.full(count, 2.0)
    weights[1::2] = 4.0
    weights[0] = weights[-1] = 1.0
    return weights * (step / 3.0)


def _moments(profile: StepProfile, forces: Floats, centre: float) -> Floats:
    found: Floats = profile.q[:, 1] * forces[:, 0] + (centre - profile.q[:, 0]) * forces[:, 1] + forces[:, 2]
    return found


def _forces(stepper: Stepper, profile: StepProfile, centre: float, square: Floats) -> tuple[Floats, Floats]:
    """Return the ground force, (m, 2), and the joint torques, (m, J), at each second node of a profile."""
    of = [_moments(profile, forces, centre)[::2] for forces in (profile.accelerating, profile.turning, profile.weight)]
    acceleration = -(of[1] * square + of[2]) / of[0]
    forces = profile.accelerating[::2] * acceleration[:, None] + profile.turning[::2] * square[:, None]
    forces += profile.weight[::2]
    torque = forces[:, 3:].copy()
    model = stepper.model
    j = int(model.tree.hung_by[model.legs.foot[0]])
    while j >= 0:
        x, y = profile.joint[::2, j, 0], profile.joint[::2, j, 1]
        torque[:, j] -= -y * forces[:, 0] + (x - centre) * forces[:, 1]
        j = int(model.tree.hung_by[model.body.parent[j]])
    return forces[:, :2], torque


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


def search_gaits(character: Character, strides: Sequence[float], speeds: Sequence[float], begin: Gait) -> GaitSet:
    """Return the gaits that were found, by stride, then by speed.

    Args:
        character: Character of the gaits.
        strides: Strides, m.
        speeds: Speeds, m/s.
        begin: Initial gait.

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
    constraints, policy = periodic(stepper, gait.end, gait.middle), constant_centre(stepper, gait.centre)
    found = cycle(stepper, constraints, policy)
    if found is None:
        raise CtrlGraphError("a gait that was found is none on a finer grid")
    profile = stepper.follow(constraints)
    stepper.go(profile, policy, found.rate)
    return found.rate, _fitted_rate(profile.theta[::2], stepper.motion.rate)


def periodic(stepper: Stepper, end: StepEnd, middle: Floats) -> StepConstraints:
    """The step that begins as it ends."""
    return StepConstraints.between(stepper.start_after(end), middle, end)


def constant_centre(stepper: Stepper, at: float) -> CentrePolicy:
    """The policy with a constant zero-moment point, m ahead of the ankle."""
    return CentrePolicy(at, 0.0, np.zeros(stepper.profile.theta.size), at, at)


def cycle(stepper: Stepper, constraints: StepConstraints, policy: CentrePolicy) -> PeriodicStep | None:
    """The periodic step of a consistent gait; None if there is no stable one."""
    ratio = stepper.start_after(constraints.end).ratio
    profile = stepper.follow(constraints)

    def after(square: float) -> float:
        found = stepper.go(profile, policy, math.sqrt(square))
        return (found.rate * ratio) ** 2 if found.continued else math.nan

    square = _fixed_point(after)
    if square is None:
        return None
    nudge = 1e-4 * square
    slope = (after(square + nudge) - after(square - nudge)) / (2 * nudge)
    result = stepper.go(profile, policy, math.sqrt(square))
    length = float(profile.swing[-1, 0, 0])
    return PeriodicStep(math.sqrt(square), result.duration, length, slope) if abs(slope) < 1.0 else None


def _fixed_point(after: Callable[[float], float], begin: float = 4.0, tolerance: float = 1e-13) -> float | None:
    """Return the fixed point of w -> after(w) by iteration from `begin` or a larger w; None if there is none."""
    while math.isnan(after(begin)):
        begin *= 1.5
        if begin > 400.0:
            return None
    for _ in range(1000):
        found = after(begin)
        if math.isnan(found) or found > 400.0:
            return None
        if abs(found - begin) <= tolerance * found:
            return found
        begin = found
    return None


def _fitted_rate(theta: Floats, rate: Floats) -> Floats:
    """Return the coefficients (7,) of the Bezier curve over a step that is nearest to theta's rates (m,), rad/s."""
    share = (theta - theta[0]) / (theta[-1] - theta[0])
    return np.asarray(np.linalg.lstsq(bernstein(share).T, rate, rcond=None)[0], np.float64)


def main() -> None:
    """Search the gaits and write their set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--strides", nargs=3, type=float, default=(0.3, 0.66, 10), metavar=("LEAST", "MOST", "COUNT"))
    parser.add_argument("--speeds", nargs=3, type=float, default=(0.5, 0.95, 10), metavar=("LEAST", "MOST", "COUNT"))
    given = parser.parse_args()
    character = load_character(PROJECT / "characters" / "walker.yaml")
    begin = tracked_gait(read_tracking(PROJECT / "stepping" / "first_gait.yaml", character, policies=False))
    strides, speeds = (
        np.linspace(least, most, round(count)).round(6).tolist() for least, most, count in (given.strides, given.speeds)
    )
    found = search_gaits(character, strides, speeds, begin)
    found.save(given.file)
    print(f"{found.count} of {len(strides) * len(speeds)} gaits found")


if __name__ == "__main__":
    main()
