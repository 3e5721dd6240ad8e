"""Tracking controllers, which feed back joint angles along the phase variable theta, as arrays for compiled functions.

A stage is a part of the motion with one set of contacts. A tracked row is one quantity q, such as a joint angle, that
the controller keeps near a function of theta.

Sizes: S stages, at most R tracked rows and K contacts per stage, L links, J joints, N = 3 + J coordinates, P polynomial
pieces per spline, D the degree of the splines. Arrays "by side" have two elements along the first axis. Element 0 is
for the motion of the controller's file, element 1 for the motion with right and left exchanged.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller_file import require_finite
from ctrlgraph.control.tracking.schema import MAX_CONTACTS, TrackingEntry
from ctrlgraph.control.tracking.splines import polynomials
from ctrlgraph.control.tracking.tracking import FORCES, Tracking
from ctrlgraph.errors import SimulationError, near_names
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.planar.arrays import Body, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES, DynamicsSpace, Tree, new_dynamics_space, tree_of


class Row(enum.IntEnum):
    """Kind of the quantity q that a controller keeps near a function c(theta) of the phase variable theta."""

    JOINT = 0
    """Angle of a joint."""
    LINK = 1
    """Angle between a link and the ground."""
    FORCE_X = 2
    """Component of the ground force along the ground."""
    FORCE_Y = 3
    """Component of the ground force normal to the ground."""


class End(enum.IntEnum):
    """Event that ends a stage, which is a part of the motion with one set of contacts."""

    THETA = 0
    """The phase variable theta exceeds a value."""
    CONTACT = 1
    """A link touches the ground."""
    LEAVES = 2
    """A link leaves the ground."""


class Policy(enum.IntEnum):
    """Rule that chooses the point of the sole at which the ground force acts."""

    NONE = 0
    """No rule: the force acts at the only contact point, or below the ankle."""
    CONSTANT = 1
    """A constant point."""
    INTEGRAL = 2
    """PI control of the rate of theta."""
    TABLE = 3
    """A table over theta and its rate."""


class TrackingModel(NamedTuple):
    """The character's dynamics and its state in a control tick, as the controller models them, with working arrays.

    J joints, N = 3 + J coordinates, R tracked quantities (rows).
    """

    body: Body
    """Constants of the character, such as masses and lengths."""
    tree: Tree
    """The character's links and joints as a tree."""
    space: DynamicsSpace
    """Working arrays of the functions in `kernels.planar.dynamics`."""
    kin: Kinematics
    """Positions and velocities of links and joints in the state `q`, `v`."""
    q: Floats
    """(N,) coordinates: x, y and angle of the root link, then joint angles, m and rad."""
    v: Floats
    """(N,) rates of the coordinates, m/s and rad/s."""
    mass: Floats
    """(N, N) mass matrix M."""
    bias: Floats
    """(N,) bias forces h: gravity, Coriolis and centrifugal forces."""
    acceleration: Floats
    """(N,) accelerations a that the controller computes."""
    force: Floats
    """(N,) generalized forces M a + h."""
    point: Floats
    """(2, N) Jacobian of the position (x, y) of a point of a link."""
    other_point: Floats
    """(2, N) Jacobian of the position of a second point."""
    point_bias: Floats
    """(2,) acceleration (x, y) of a point at a = 0, m/s^2."""
    spline: Floats
    """(3,) value, first and second derivative of a spline."""
    theta_row: Floats
    """(N,) derivatives of theta' with respect to the velocities."""
    contact: Floats
    """(N, N) equations for a that are met exactly: accelerations of the contacts, then moment of the ground force."""
    contact_value: Floats
    """(N,) right sides of the equations `contact`."""
    rows: Floats
    """(R, N) equations for a that correct the errors of the tracked quantities."""
    wanted: Floats
    """(R,) right sides of the equations `rows`: desired accelerations of the tracked quantities, rad/s^2."""
    torque: Floats
    """(J,) joint torques, N m."""
    system: Floats
    """(N, N) matrix of all equations for a; after their solution, its LU factors."""
    right: Floats
    """(N,) right sides of all equations for a; after their solution, a."""
    pivots: Ints
    """(N,) pivots of the LU factors."""
    impulse: Floats
    """(N,) impulses of the contacts in an impact, N s."""
    freedom: Floats
    """(R, N) derivatives of a with respect to each element of `wanted`."""
    bound: Floats
    """(3 + J, R) derivatives of the bounded quantities `bound_value` with respect to `wanted`."""
    bound_value: Floats
    """(3 + J,) normal force, slip in both directions (friction force beyond its limit), N, and joint torques, N m."""
    bound_low: Floats
    """(3 + J,) lower bounds of `bound_value`."""
    bound_high: Floats
    """(3 + J,) upper bounds of `bound_value`."""
    pushes: Floats
    """(3 + J,) Lagrange multipliers of the bounds; 0 for a bound without effect."""
    change: Floats
    """(R,) change of `wanted` with which the bounds are met."""


class TrackingData(NamedTuple):
    """Constants of a tracking controller with S stages, at most R tracked quantities (rows) and K contacts per stage.

    The first axis of an array "by side" has two elements: 0 for the motion of the file, 1 for the motion with right and
    left exchanged.
    """

    model: TrackingModel
    """The character's dynamics, and working arrays."""
    links: Ints
    """(2,) 1 if theta is an angle, 0 if it is a distance; number of feet from which the distance is measured."""
    phase_link: Ints
    """(2, 3) by side: indices of the links with the points that define theta: two start points, one end point."""
    phase_point: Floats
    """(2, 3, 2) by side: x and y of the points that define theta, in the frames of their links, m."""
    sole: Floats
    """(L, 2, 2) x and y of heel and toe of each link in its frame, m; zeros for a link without contact circles."""
    counts: Ints
    """(S, 2) number of tracked quantities and number of contacts of each stage."""
    row_kind: Ints
    """(S, R) kinds of the tracked quantities, values of `Row`."""
    row_index: Ints
    """(2, S, R) by side: indices of the tracked joints or links; 0 for a force."""
    pieces: Floats
    """(S, R, P, D + 1) target of each tracked quantity: a spline of P polynomials of degree D, highest power first."""
    piece_count: Ints
    """(S, R) number of polynomials of each spline."""
    theta: Floats
    """(S, 2) theta at the start and the end of each stage's splines, rad or m."""
    contact_kind: Ints
    """(S, K) kinds of the contacts: FLAT, TOE, HEEL or POINT."""
    contact_link: Ints
    """(2, S, K) by side: indices of the links in contact."""
    end: Ints
    """(S,) event that ends each stage, a value of `End`."""
    end_link: Ints
    """(2, S) by side: index of the link whose contact, or loss of contact, ends the stage."""
    end_theta: Floats
    """(S, 2) theta at which each stage ends, rad or m, and theta' at which it ends earlier, rad/s or m/s (infinite:
    never)."""
    policy: Ints
    """(S,) rule for the point of the ground force, a value of `Policy`."""
    policy_numbers: Floats
    """(S, 3) point of the ground force, m ahead of the ankle; its integral and its proportional gain for theta'."""
    rate: Floats
    """(S, 1, degree + 1) polynomial of the desired theta' of an integral policy, highest power first."""
    table_range: Floats
    """(S, 4) range of a policy's table: minimum and maximum of theta, minimum and maximum of theta'."""
    table: Floats
    """(S, A, B) table of a policy: point of the ground force, m ahead of the ankle, by theta and theta'."""
    table_size: Ints
    """(S, 2) number of values of theta and of theta' that the stage's table has."""
    gains: Floats
    """(2,) gains of the tracking error, k_s / eps^2, 1/s^2, and of its rate, k_d / eps, 1/s."""
    ground: Floats
    """(4,) assumptions about the ground, in the order of GROUND."""
    switch: Floats
    """(5,) conditions for a contact to end a stage, in the order of SWITCH."""
    swaps: int
    """1 if right and left are exchanged after the last stage, else 0."""


CONTACT_KINDS = {"flat": 0, "toe": 1, "heel": 2, "point": 3}
"""Numbers of the kinds of contacts, by name in a tracking file."""
FLAT, TOE, HEEL, POINT = range(4)
GROUND = ("friction", "margin", "least_force", "lean")
"""Fields of `AssumedGroundEntry`, in the order of `TrackingData.ground`."""
SWITCH = ("after", "feet_apart", "impact", "backward", "level")
"""Fields of `SwitchEntry`, in the order of `TrackingData.switch`."""

Sides = tuple[int, int]


def tracking_data(tracking: Tracking) -> TrackingData:
    """Return the arrays of a tracking controller.

    Raises:
        SimulationError: a constant is not finite or outside the range of its field, or theta does not rise in a stage.
    """
    require_finite(tracking)
    entry, character = tracking.resolved(), tracking.character
    for stage in entry.stages:
        if not stage.theta[0] < stage.theta[1]:
            rise = f"not go from {stage.theta[0]:g} to {stage.theta[1]:g}"
            raise SimulationError(f"{tracking.name}: theta must rise in the stage '{stage.name}', {rise}")
    n_stages, n_rows = len(entry.stages), max(len(stage.track) for stage in entry.stages)
    sides: Sides = (1, 0) if tracking.mirrored else (0, 1)
    splines = [[polynomials(row, entry.degree) for row in stage.track.values()] for stage in entry.stages]
    pieces = np.zeros((n_stages, n_rows, max(len(p) for row in splines for p in row), entry.degree + 1))
    piece_count = np.ones((n_stages, n_rows), dtype=np.int64)
    for i, of_stage in enumerate(splines):
        for r, powers in enumerate(of_stage):
            pieces[i, r, : len(powers), entry.degree + 1 - powers.shape[1] :] = powers
            piece_count[i, r] = len(powers)
    row_kind = np.zeros((n_stages, n_rows), dtype=np.int64)
    row_index = np.zeros((2, n_stages, n_rows), dtype=np.int64)
    for i, stage in enumerate(entry.stages):
        for r, name in enumerate(stage.track):
            row_kind[i, r], row_index[:, i, r] = _row(name, character, sides)
    return TrackingData(
        model=_model(character, n_rows),
        **_phase(entry, character, sides),
        sole=body_soles(character),
        counts=np.array([[len(stage.track), len(stage.contacts)] for stage in entry.stages], dtype=np.int64),
        row_kind=row_kind,
        row_index=row_index,
        pieces=pieces,
        piece_count=piece_count,
        theta=np.array([stage.theta for stage in entry.stages], dtype=np.float64),
        **_contacts(entry, character, sides),
        **_ends(entry, character, sides),
        **_policies(entry),
        gains=_gains(entry),
        ground=np.array([getattr(entry.ground, name) for name in GROUND]),
        switch=np.array([getattr(entry.switch, name) for name in SWITCH]),
        swaps=int(entry.swaps),
    )


def _gains(entry: TrackingEntry) -> Floats:
    """Return the gains (2,) of the tracking error, k_s / eps^2, 1/s^2, and of its rate, k_d / eps, 1/s.

    Equation 3 of Abe and Popovic (2011) exchanges eps and eps^2, which is an error.
    """
    gains = entry.gains
    k_d = 2.0 * gains.k_s**0.5 if gains.k_d is None else gains.k_d
    return np.array([gains.k_s / gains.eps**2, k_d / gains.eps])


def _row(name: str, character: PlanarCharacter, sides: Sides) -> tuple[Row, Sides]:
    """Return the kind of a tracked quantity, and the index of its joint or link on both sides (0 for a force).

    Args:
        name: name of a joint, a link or a force (`FORCES`).
        character: the character.
        sides: (0, 1), or (1, 0) if the controller is mirrored.
    """
    joint = character.joint_index(name)
    if joint is not None:
        return Row.JOINT, _on_sides(joint, character.opposite_joints, sides)
    if character.link_index(name) is not None:
        return Row.LINK, _link_on_sides(character, name, sides)
    return (Row.FORCE_X, Row.FORCE_Y)[FORCES.index(name)], (0, 0)


def _on_sides(index: int, opposites: Sequence[int], sides: Sides) -> Sides:
    both = (index, opposites[index])
    return both[sides[0]], both[sides[1]]


def _link_on_sides(character: PlanarCharacter, name: str, sides: Sides) -> Sides:
    link = character.link_index(name)
    if link is None:
        hint = near_names(name, character.known_links, "links")
        raise SimulationError(f"the character {character.name} has no link '{name}' {hint}")
    return _on_sides(link, character.opposite_links, sides)


def body_soles(character: PlanarCharacter) -> Floats:
    """Return x and y of heel and toe of every link (L, 2, 2) in the link's frame, m; zeros without contact circles.

    The sole consists of the contact circles whose lowest point is less than 1 cm above the lowest point of all. The
    heel is the lowest point of its rearmost circle, the toe that of its foremost circle.
    """
    soles = np.zeros((len(character.links), 2, 2))
    for i, link in enumerate(character.links):
        if not link.contacts:
            continue
        lowest = min(circle.y - circle.radius for circle in link.contacts)
        low = [circle for circle in link.contacts if circle.y - circle.radius < lowest + 0.01]
        ends = min(low, key=lambda circle: circle.x), max(low, key=lambda circle: circle.x)
        soles[i] = [(circle.x, circle.y - circle.radius) for circle in ends]
    return soles


def _phase(entry: TrackingEntry, character: PlanarCharacter, sides: Sides) -> dict[str, Any]:
    angle, ahead = entry.phase.angle, entry.phase.ahead
    names = [angle.start, angle.start, angle.end] if angle is not None else [*(ahead or ()), *(ahead or ())][:2]
    link = np.zeros((2, 3), dtype=np.int64)
    point = np.zeros((2, 3, 2))
    body, soles = body_arrays(character), body_soles(character)
    for k, name in enumerate(names):
        joint = character.joint_index(name)
        if joint is not None:
            joints = list(_on_sides(joint, character.opposite_joints, sides))
            link[:, k], point[:, k] = body.parent[joints], body.anchor[joints]
        else:
            link[:, k] = _link_on_sides(character, name, sides)
            point[:, k] = soles[link[:, k]].mean(axis=1)
    return {
        "links": np.array([int(angle is not None), len(ahead or (1,))], dtype=np.int64),
        "phase_link": link,
        "phase_point": point,
    }


def _contacts(entry: TrackingEntry, character: PlanarCharacter, sides: Sides) -> dict[str, Any]:
    kind = np.zeros((len(entry.stages), MAX_CONTACTS), dtype=np.int64)
    link = np.zeros((2, len(entry.stages), MAX_CONTACTS), dtype=np.int64)
    for i, stage in enumerate(entry.stages):
        for k, (name, word) in enumerate(stage.contacts.items()):
            kind[i, k], link[:, i, k] = CONTACT_KINDS[word], _link_on_sides(character, name, sides)
    return {"contact_kind": kind, "contact_link": link}


def _ends(entry: TrackingEntry, character: PlanarCharacter, sides: Sides) -> dict[str, Any]:
    end = np.zeros(len(entry.stages), dtype=np.int64)
    link = np.zeros((2, len(entry.stages)), dtype=np.int64)
    theta = np.full((len(entry.stages), 2), np.inf)
    for i, stage in enumerate(entry.stages):
        if stage.ends.theta is not None:
            theta[i] = stage.ends.theta, np.inf if stage.ends.rate is None else stage.ends.rate
            continue
        end[i] = End.CONTACT if stage.ends.contact is not None else End.LEAVES
        link[:, i] = _link_on_sides(character, stage.ends.contact or stage.ends.leaves or "", sides)
    return {"end": end, "end_link": link, "end_theta": theta}


def _policies(entry: TrackingEntry) -> dict[str, Any]:
    found = [stage.policy or entry.policy for stage in entry.stages]
    count, degree = len(found), max([len(p.integral.rate) for p in found if p and p.integral] or [1])
    tables = [np.array(p.table.at) if p and p.table and p.table.at else np.zeros((2, 2)) for p in found]
    policy, numbers = np.zeros(count, dtype=np.int64), np.zeros((count, 3))
    rate, table_range = np.zeros((count, 1, degree)), np.zeros((count, 4))
    table = np.zeros((count, max(t.shape[0] for t in tables), max(t.shape[1] for t in tables)))
    for i, entry_of in enumerate(found):
        if entry_of is None:
            continue
        if entry_of.constant is not None:
            policy[i], numbers[i, 0] = Policy.CONSTANT, entry_of.constant.at
        elif entry_of.integral is not None:
            integral = entry_of.integral
            policy[i], numbers[i] = Policy.INTEGRAL, (integral.at, integral.gain, integral.proportional)
            powers = polynomials(integral.rate, len(integral.rate))
            rate[i, 0, degree - powers.shape[1] :] = powers[0]
        elif entry_of.table is not None:
            if entry_of.table.theta is None or entry_of.table.rate is None:
                continue  # the file of the table has not been read
            policy[i], table_range[i] = Policy.TABLE, (*entry_of.table.theta, *entry_of.table.rate)
            table[i, : tables[i].shape[0], : tables[i].shape[1]] = tables[i]
    size = np.array([t.shape for t in tables], dtype=np.int64)
    return {
        "policy": policy,
        "policy_numbers": numbers,
        "rate": rate,
        "table_range": table_range,
        "table": table,
        "table_size": size,
    }


def _model(character: PlanarCharacter, n_rows: int) -> TrackingModel:
    n_links, n_joints = len(character.links), len(character.joints)
    n = ROOT_COORDINATES + n_joints

    shapes: dict[str, tuple[int, ...]] = {
        "q v bias acceleration force theta_row contact_value right impulse": (n,),
        "mass contact system": (n, n),
        "point other_point": (2, n),
        "point_bias": (2,),
        "spline": (3,),
        "torque": (n_joints,),
        "wanted change": (n_rows,),
        "rows freedom": (n_rows, n),
        "bound": (3 + n_joints, n_rows),
        "bound_value bound_low bound_high pushes": (3 + n_joints,),
    }
    return TrackingModel(
        body=body_arrays(character),
        tree=tree_of(character),
        space=new_dynamics_space(n_links, n_joints),
        kin=new_kinematics(n_links, n_joints),
        pivots=np.zeros(n, dtype=np.int64),
        **{name: np.zeros(shape) for names, shape in shapes.items() for name in names.split()},
    )
