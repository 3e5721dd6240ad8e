"""A biped for the reduced dynamics, and the quantities of its steps: arrays and their construction.

`ctrlgraph.control.tracking.reduced_dynamics` computes with them. N coordinates are those of
`kernels.planar.dynamics`, J is the number of joints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.kernels.planar.arrays import Body, Floats, Ints, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES, DynamicsSpace, Tree, new_dynamics_space, tree_of

TRACKED = 4
"""Number of tracked joints: hip and knee of the standing leg, hip and knee of the swinging one."""


class Legs(NamedTuple):
    """A biped's legs among its links and joints, side 0 first."""

    hip: Ints  # (2,) joint
    knee: Ints  # (2,) joint
    ankle: Ints  # (2,) joint; -1: the leg ends in a point
    foot: Ints  # (2,) link at the leg's end
    end: Floats  # (2, 2) start of theta's vector in the foot's frame: the ankle, or the leg's end
    sole: Floats  # (2, 3, 2) in the foot's frame: below the ankle, heel, toe
    opposite: Ints  # (J,) the joint of the other side


class ReducedModel(NamedTuple):
    """A biped for the reduced dynamics, with working arrays."""

    body: Body
    tree: Tree
    legs: Legs
    space: DynamicsSpace
    kin: Kinematics
    q: Floats  # (N,)
    slope: Floats  # (N,) dq/dtheta
    curvature: Floats  # (N,) second derivative of q with respect to theta
    still: Floats  # (N,) zeros
    rows: Floats  # (N, N)
    point: Floats  # (2, N)
    other_point: Floats  # (2, N)
    bias: Floats  # (2,)
    other_bias: Floats  # (2,)
    turn: Floats  # (N,)
    pivots: Ints  # (N,)
    mass: Floats  # (N, N)
    after: Floats  # (N,)
    impulse: Floats  # (N,)
    spline: Floats  # (3,)
    angles: Floats  # (3, 4) of the tracked joints: value, first and second derivative with respect to theta


class StepProfile(NamedTuple):
    """Constraints of a step over theta, at n places from its start to its end; n is odd.

    Generalized forces M a + h are `accelerating` theta'' + `turning` theta'^2 + `weight`.
    """

    theta: Floats  # (n,)
    q: Floats  # (n, N), the standing ankle above x = 0
    slope: Floats  # (n, N) dq/dtheta
    curvature: Floats  # (n, N) second derivative of q with respect to theta
    accelerating: Floats  # (n, N)
    turning: Floats  # (n, N)
    weight: Floats  # (n, N)
    joint: Floats  # (n, J, 2) places, m
    swing: Floats  # (n, 3, 2) of the swinging foot: below the ankle, heel, toe


class CentrePolicy(NamedTuple):
    """Policy of the zero-moment point: `at` + `gain` (theta' - rate), within bounds; m ahead of the ankle."""

    at: float
    gain: float  # m s
    rate: Floats  # (n,) desired rate of theta at the places of the profile, rad/s
    low: float
    high: float


class StepMotion(NamedTuple):
    """Motion of a step, at every second place of its profile (m = (n + 1) / 2)."""

    time: Floats  # (m,) s
    rate: Floats  # (m,) rad/s
    acceleration: Floats  # (m,) rad/s^2
    centre: Floats  # (m,) the zero-moment point, m
    force: Floats  # (m, 2) of the ground, N
    torque: Floats  # (m, J) of the joints, N m


def legs_of(character: Character) -> Legs:
    """Return a biped's legs: two chains of hip, knee and ankle, or of hip and knee, from the root to a foot.

    Raises:
        CtrlGraphError: the character has no such legs.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"the character {quoted(character.name)} has {len(feet)} feet, and a biped has two")
    chains = [joint_chain(character, foot) for foot in feet]
    if len(chains[0]) != len(chains[1]) or len(chains[0]) not in (2, 3):
        raise CtrlGraphError(f"the legs of {quoted(character.name)} are not hip, knee and ankle, or hip and knee")
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
    """Return the joints from the root to a foot."""
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
    """Return the sole below the ankle, the heel and the toe, in the foot's frame."""
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
        CtrlGraphError: the character is not a biped, or has joints outside of its legs.
    """
    n_joints = len(character.joints)
    n = ROOT_COORDINATES + n_joints
    legs = legs_of(character)
    if n != ROOT_COORDINATES + 2 * (3 if legs.ankle[0] >= 0 else 2):
        raise CtrlGraphError(f"the character {quoted(character.name)} has joints beside those of its legs")
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
    """Return a profile whose arrays are zero.

    Args:
        model: the biped.
        places: number of values of theta at which the profile is sampled; odd.
    """
    n, n_joints = model.q.size, model.body.parent.size
    shapes = ((places,), *[(places, n)] * 6, (places, n_joints, 2), (places, 3, 2))
    return StepProfile(*(np.zeros(shape) for shape in shapes))


def new_motion(model: ReducedModel, places: int) -> StepMotion:
    """Return the motion along a profile, with arrays that are zero.

    Args:
        model: the biped.
        places: number of values of theta at which the profile is sampled; odd.
    """
    m = (places + 1) // 2
    shapes = (*[(m,)] * 4, (m, 2), (m, model.body.parent.size))
    return StepMotion(*(np.zeros(shape) for shape in shapes))
