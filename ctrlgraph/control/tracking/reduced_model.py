"""Arrays for the reduced dynamics of a biped: its model, the profile of a step and the motion of a step.

`ctrlgraph.control.tracking.reduced_dynamics` explains the method and computes with the arrays. The N coordinates are
those of `kernels.planar.dynamics`. J is the number of joints. Side 0 is the standing leg.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.kernels.planar.arrays import Body, Floats, Ints, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES, DynamicsSpace, Tree, new_dynamics_space, tree_of

TRACKED = 4
"""Number of tracked joints: hip and knee of the standing leg, then hip and knee of the swinging leg."""


class Legs(NamedTuple):
    """Indices and points of a biped's two legs."""

    hip: Ints  # (2,) hip joint of each leg
    knee: Ints  # (2,) knee joint
    ankle: Ints  # (2,) ankle joint; -1 if the leg ends in a point
    foot: Ints  # (2,) link at the end of the leg
    end: Floats  # (2, 2) ankle, or end of a leg without ankle, in the foot's frame, m; theta's vector starts there
    sole: Floats  # (2, 3, 2) points of the sole in the foot's frame, m: below the ankle, heel, toe
    opposite: Ints  # (J,) joint of the other side for each joint


class ReducedModel(NamedTuple):
    """A biped for the reduced dynamics, with its pose and working arrays."""

    body: Body
    tree: Tree
    legs: Legs
    space: DynamicsSpace
    kin: Kinematics
    q: Floats  # (N,) coordinates of the pose
    slope: Floats  # (N,) dq/dtheta
    curvature: Floats  # (N,) second derivative of q with respect to theta
    still: Floats  # (N,) zeros
    rows: Floats  # (N, N) Jacobian of feet, tracked joints and theta; later its factors
    point: Floats  # (2, N) Jacobian of a point
    other_point: Floats  # (2, N) Jacobian of a second point
    bias: Floats  # (2,) acceleration of a point at zero accelerations of the coordinates
    other_bias: Floats  # (2,) the same of a second point
    turn: Floats  # (N,) Jacobian of an angle
    pivots: Ints  # (N,) pivots of the factors
    mass: Floats  # (N, N) mass matrix
    after: Floats  # (N,) velocities after an impact
    impulse: Floats  # (N,) impulses of an impact
    spline: Floats  # (3,) value, first and second derivative of a spline
    angles: Floats  # (3, 4) tracked joints: angle, first and second derivative with respect to theta


class StepProfile(NamedTuple):
    """Poses and forces of a step at n evenly spaced values of theta, from the start of the step to its end; n is odd.

    The generalized forces M a + h are `accelerating` theta'' + `turning` theta'^2 + `weight`. In the world, the
    standing ankle is above x = 0 and the ground is at y = 0.
    """

    theta: Floats  # (n,) rad
    q: Floats  # (n, N) coordinates of the pose
    slope: Floats  # (n, N) dq/dtheta
    curvature: Floats  # (n, N) second derivative of q with respect to theta
    accelerating: Floats  # (n, N) generalized forces per theta''
    turning: Floats  # (n, N) generalized forces per theta'^2
    weight: Floats  # (n, N) generalized forces at rest
    joint: Floats  # (n, J, 2) positions of the joints in the world, m
    swing: Floats  # (n, 3, 2) points of the swinging foot's sole in the world, m: below the ankle, heel, toe


class CentrePolicy(NamedTuple):
    """Policy of the zero-moment point: `at` + `gain` (theta' - `rate`), clamped to [`low`, `high`]."""

    at: float  # m ahead of the standing ankle
    gain: float  # m s
    rate: Floats  # (n,) desired theta' at each theta of the step's profile, rad/s
    low: float  # m ahead of the standing ankle
    high: float  # m ahead of the standing ankle


class StepMotion(NamedTuple):
    """Motion of a step at every second theta of its profile, which are m = (n + 1) / 2 values."""

    time: Floats  # (m,) s from the start of the step
    rate: Floats  # (m,) theta', rad/s
    acceleration: Floats  # (m,) theta'', rad/s^2
    centre: Floats  # (m,) zero-moment point, m ahead of the standing ankle
    force: Floats  # (m, 2) ground force, x and y in the world, N
    torque: Floats  # (m, J) joint torques, N m


def legs_of(character: Character) -> Legs:
    """Return a biped's legs: two chains of hip, knee and ankle, or of hip and knee, from the root to a foot.

    Raises:
        CtrlGraphError: the character does not have exactly two feet with contact circles on such chains.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"the character {quoted(character.name)} has {len(feet)} feet, and a biped has two")
    chains = [joint_chain(character, foot) for foot in feet]
    if len(chains[0]) != len(chains[1]) or len(chains[0]) not in (2, 3):
        raise CtrlGraphError(f"each leg of {quoted(character.name)} needs hip, knee and ankle, or hip and knee")
    with_feet = len(chains[0]) == 3
    pairs = zip(feet, chains, strict=True)
    sole = np.array([_sole(character, foot, chain[2] if with_feet else None) for foot, chain in pairs])
    end = sole[:, 0].copy()
    if with_feet:
        end[:] = [_in_child(character, chain[2]) for chain in chains]
    return Legs(
        hip=np.array([chain[0] for chain in chains], dtype=np.int64),
        knee=np.array([chain[1] for chain in chains], dtype=np.int64),
        ankle=np.array([chain[2] if with_feet else -1 for chain in chains], dtype=np.int64),
        foot=np.array(feet, dtype=np.int64),
        end=end,
        sole=sole,
        opposite=np.array(character.opposite_joints, dtype=np.int64),
    )


def joint_chain(character: Character, foot: int) -> list[int]:
    """Return the indices of the joints on the way from the root link to a foot (index of a link)."""
    hung_by = {joint.child: j for j, joint in enumerate(character.joints)}
    chain: list[int] = []
    link = foot
    while link in hung_by:
        chain.insert(0, hung_by[link])
        link = character.joints[hung_by[link]].parent
    return chain


def _in_child(character: Character, j: int) -> tuple[float, float]:
    joint = character.joints[j]
    link = character.links[joint.child]
    return joint.x - link.x, joint.y - link.y


def _sole(character: Character, foot: int, ankle: int | None) -> list[tuple[float, float]]:
    """Return three points of a sole in the foot's frame, m: below the ankle (or the middle), heel and toe."""
    circles = character.links[foot].contacts
    if not circles:
        raise CtrlGraphError(f"the foot {quoted(character.links[foot].name)} has no contact circles")
    lowest = min(circle.y - circle.radius for circle in circles)
    heel, toe = min(circle.x for circle in circles), max(circle.x for circle in circles)
    middle = (heel + toe) / 2 if ankle is None else _in_child(character, ankle)[0]
    return [(middle, lowest), (heel, lowest), (toe, lowest)]


def reduced_model(character: Character) -> ReducedModel:
    """Return a biped for the reduced dynamics.

    Raises:
        CtrlGraphError: the character is not a biped, see `legs_of`, or has joints outside of its legs.
    """
    n_joints = len(character.joints)
    n = ROOT_COORDINATES + n_joints
    legs = legs_of(character)
    if n != ROOT_COORDINATES + 2 * (3 if legs.ankle[0] >= 0 else 2):
        raise CtrlGraphError(f"the character {quoted(character.name)} must have no joints outside of its legs")
    shapes: dict[str, tuple[int, ...]] = {
        "q slope curvature still turn after impulse": (n,),
        "rows mass": (n, n),
        "point other_point": (2, n),
        "bias other_bias": (2,),
        "spline": (3,),
        "angles": (3, TRACKED),
    }
    return ReducedModel(
        body=body_arrays(character),
        tree=tree_of(character),
        legs=legs,
        space=new_dynamics_space(len(character.links), n_joints),
        kin=new_kinematics(len(character.links), n_joints),
        pivots=np.zeros(n, dtype=np.int64),
        **{name: np.zeros(shape) for names, shape in shapes.items() for name in names.split()},
    )


def new_profile(model: ReducedModel, places: int) -> StepProfile:
    """Return a profile of zeros, to be filled by `reduced_dynamics.fill_profile`.

    Args:
        model: the biped.
        places: number n of values of theta in the profile; it must be odd.
    """
    n, n_joints = model.q.size, model.body.parent.size
    shapes = ((places,), *[(places, n)] * 6, (places, n_joints, 2), (places, 3, 2))
    return StepProfile(*(np.zeros(shape) for shape in shapes))


def new_motion(model: ReducedModel, places: int) -> StepMotion:
    """Return a motion of zeros, to be filled by `reduced_dynamics.integrate_step`.

    Args:
        model: the biped.
        places: number n of values of theta in the profile of the step.
    """
    m = (places + 1) // 2
    shapes = (*[(m,)] * 4, (m, 2), (m, model.body.parent.size))
    return StepMotion(*(np.zeros(shape) for shape in shapes))
