"""Tracking controllers as arrays for compiled functions.

Sizes: S stages, at most R tracked rows and K contacts per stage, L links, J joints, N = 3 + J coordinates, P polynomial
pieces per spline, D the degree of the splines. Arrays with "by side" have two entries. Side 0 is the motion of the
controller. Side 1 is the same motion with right and left exchanged.
"""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller_file import require_finite
from ctrlgraph.control.tracking.schema import MAX_CONTACTS, TrackingEntry
from ctrlgraph.control.tracking.splines import polynomials
from ctrlgraph.control.tracking.tracking import FORCES, Tracking
from ctrlgraph.errors import SimulationError, near_names
from ctrlgraph.kernels.planar.arrays import Body, Floats, Ints, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES, DynamicsSpace, Tree, new_dynamics_space, tree_of


class Row(enum.IntEnum):
    """Quantity that a row of the constraint y = q - c(theta) = 0 tracks."""

    JOINT = 0
    LINK = 1  # angle between a link and the ground
    FORCE_X = 2  # component of the ground force along the ground
    FORCE_Y = 3  # component of the ground force normal to the ground


class End(enum.IntEnum):
    """Event that ends a stage."""

    THETA = 0  # theta exceeds a value
    CONTACT = 1  # a link touches the ground
    LEAVES = 2  # a link leaves the ground


class Policy(enum.IntEnum):
    """Rule that chooses the point of the sole at which the ground force acts."""

    NONE = 0
    CONSTANT = 1
    INTEGRAL = 2
    TABLE = 3


class TrackingModel(NamedTuple):
    """The controller's model of the body (its masses and lengths, and its pose in this tick), and working arrays."""

    body: Body
    tree: Tree
    space: DynamicsSpace
    kin: Kinematics
    q: Floats  # (N,) coordinates
    v: Floats  # (N,) velocities
    mass: Floats  # (N, N) mass matrix M
    bias: Floats  # (N,) bias forces h
    acceleration: Floats  # (N,) accelerations a that the controller computes
    force: Floats  # (N,) generalized forces M a + h
    point: Floats  # (2, N) Jacobian of a point
    other_point: Floats  # (2, N) Jacobian of a second point
    point_bias: Floats  # (2,) acceleration of a point at a = 0
    spline: Floats  # (3,) value, first and second derivative of a spline
    theta_row: Floats  # (N,) derivative of theta' with respect to the velocities
    contact: Floats  # (N, N) exact rows: accelerations of the contacts, then the moment of the ground force
    contact_value: Floats  # (N,) right sides of the exact rows
    rows: Floats  # (R, N) tracked rows
    wanted: Floats  # (R,) right sides of the tracked rows
    torque: Floats  # (J,) joint torques, N m
    system: Floats  # (N, N) matrix of the linear equations; later its factors
    right: Floats  # (N,) right side of the linear equations; later the solution
    pivots: Ints  # (N,) pivots of the factors
    impulse: Floats  # (N,) impulses of the contacts in an impact
    freedom: Floats  # (R, N) change of the accelerations per unit change of each tracked row's right side
    bound: Floats  # (3 + J, R) derivatives of the bounded quantities with respect to these right sides
    bound_value: Floats  # (3 + J,) bounded quantities before a change: normal force, slip (2 directions), torques
    bound_low: Floats  # (3 + J,) lower bounds
    bound_high: Floats  # (3 + J,) upper bounds
    pushes: Floats  # (3 + J,) multipliers of the bounds
    change: Floats  # (R,) change of the tracked rows' right sides with which the bounds are met


class TrackingData(NamedTuple):
    """Constants of a tracking controller."""

    model: TrackingModel
    links: Ints  # (2,) 1 if theta is an angle, 0 if it is a distance; number of feet that the distance is measured from
    phase_link: Ints  # (2, 3) by side: links of the points that define theta: two start points, one end point
    phase_point: Floats  # (2, 3, 2) by side: these points in the frames of their links, m
    sole: Floats  # (L, 2, 2) of each link with contact circles: heel and toe in its frame, see `body_soles`
    counts: Ints  # (S, 2) number of tracked rows, number of contacts
    row_kind: Ints  # (S, R) see `Row`
    row_index: Ints  # (2, S, R) by side: tracked joint or link
    pieces: Floats  # (S, R, P, D + 1) splines of the rows, see `splines.polynomials`
    piece_count: Ints  # (S, R) number of pieces of each spline
    theta: Floats  # (S, 2) range of theta of each stage
    contact_kind: Ints  # (S, K) see CONTACT_KINDS
    contact_link: Ints  # (2, S, K) by side: link in contact
    end: Ints  # (S,) see `End`
    end_link: Ints  # (2, S) by side: link whose contact, or loss of contact, ends the stage
    end_theta: Floats  # (S, 2) theta at which the stage ends, and theta' at which it ends earlier (infinite: never)
    policy: Ints  # (S,) see `Policy`
    policy_numbers: Floats  # (S, 3) at, gain, proportional
    rate: Floats  # (S, 1, degree + 1) polynomial of the desired theta' of an integral policy
    table_range: Floats  # (S, 4) range of a policy's table: theta from, to, theta' from, to
    table: Floats  # (S, A, B) table of a policy: m ahead of the ankle, at A values of theta and B of theta'
    table_size: Ints  # (S, 2) used part of the table: values of theta, values of theta'
    gains: Floats  # (2,) k_s / eps^2, k_d / eps
    ground: Floats  # (4,) see GROUND
    switch: Floats  # (5,) see SWITCH
    swaps: int  # 1 if right and left are exchanged after the last stage, else 0


CONTACT_KINDS = {"flat": 0, "toe": 1, "heel": 2, "point": 3}
FLAT, TOE, HEEL, POINT = range(4)
GROUND = ("friction", "margin", "least_force", "lean")
"""Fields of `AssumedGroundEntry`, in the order of `TrackingData.ground`."""
SWITCH = ("after", "feet_apart", "impact", "backward", "level")
"""Fields of `SwitchEntry`, in the order of `TrackingData.switch`."""

Sides = tuple[int, int]


def tracking_data(tracking: Tracking) -> TrackingData:
    """Return the arrays of a tracking controller.

    Raises:
        SimulationError: a constant is not finite or not allowed in its field, or a stage's range of theta is empty.
    """
    require_finite(tracking)
    entry, character = tracking.resolved(), tracking.character
    for stage in entry.stages:
        if not stage.theta[0] < stage.theta[1]:
            raise SimulationError(f"{tracking.name}: theta must rise in the stage '{stage.name}'")
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
    """Return k_s / eps^2 and k_d / eps. Equation 3 of the paper exchanges eps and eps^2; this corrects it."""
    gains = entry.gains
    k_d = 2.0 * gains.k_s**0.5 if gains.k_d is None else gains.k_d
    return np.array([gains.k_s / gains.eps**2, k_d / gains.eps])


def _row(name: str, character: Character, sides: Sides) -> tuple[Row, Sides]:
    """Return the quantity of the row with this name, and by side the joint or link that has it (0 for a force)."""
    if character.joint_index(name) is not None:
        return Row.JOINT, _joint_on_sides(character, name, sides)
    if character.link_index(name) is not None:
        return Row.LINK, _link_on_sides(character, name, sides)
    return (Row.FORCE_X, Row.FORCE_Y)[FORCES.index(name)], (0, 0)


def _joint_on_sides(character: Character, name: str, sides: Sides) -> Sides:
    joint = character.joint_index(name)
    assert joint is not None  # checked before
    both = (joint, character.opposite_joints[joint])
    return both[sides[0]], both[sides[1]]


def _link_on_sides(character: Character, name: str, sides: Sides) -> Sides:
    link = character.link_index(name)
    if link is None:
        hint = near_names(name, character.known_links, "links")
        raise SimulationError(f"the character {character.name} has no link '{name}' {hint}")
    both = (link, character.opposite_links[link])
    return both[sides[0]], both[sides[1]]


def body_soles(character: Character) -> Floats:
    """Return heel and toe of every link (L, 2, 2), m, in the link's frame; zeros for a link without contact circles.

    Of the contact circles whose lowest point is less than 1 cm above the link's lowest one, the heel is the lowest
    point of the rearmost circle, and the toe that of the foremost circle.
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


def _phase(entry: TrackingEntry, character: Character, sides: Sides) -> dict[str, Any]:
    angle, ahead = entry.phase.angle, entry.phase.ahead
    names = [angle.start, angle.start, angle.end] if angle is not None else [*(ahead or ()), *(ahead or ())][:2]
    link = np.zeros((2, 3), dtype=np.int64)
    point = np.zeros((2, 3, 2))
    body, soles = body_arrays(character), body_soles(character)
    for k, name in enumerate(names):
        if character.joint_index(name) is not None:
            joints = list(_joint_on_sides(character, name, sides))
            link[:, k], point[:, k] = body.parent[joints], body.anchor[joints]
        else:
            link[:, k] = _link_on_sides(character, name, sides)
            point[:, k] = soles[link[:, k]].mean(axis=1)
    return {
        "links": np.array([int(angle is not None), len(ahead or (1,))], dtype=np.int64),
        "phase_link": link,
        "phase_point": point,
    }


def _contacts(entry: TrackingEntry, character: Character, sides: Sides) -> dict[str, Any]:
    kind = np.zeros((len(entry.stages), MAX_CONTACTS), dtype=np.int64)
    link = np.zeros((2, len(entry.stages), MAX_CONTACTS), dtype=np.int64)
    for i, stage in enumerate(entry.stages):
        for k, (name, word) in enumerate(stage.contacts.items()):
            kind[i, k], link[:, i, k] = CONTACT_KINDS[word], _link_on_sides(character, name, sides)
    return {"contact_kind": kind, "contact_link": link}


def _ends(entry: TrackingEntry, character: Character, sides: Sides) -> dict[str, Any]:
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


def _model(character: Character, n_rows: int) -> TrackingModel:
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
