"""Arrays for a biped whose joint angles are functions of theta, the lean of the standing leg (reduced dynamics).

`ctrlgraph.control.tracking.reduced_dynamics` explains the method and computes with the arrays. There are J joints and
N = 3 + J coordinates: x, y and angle of the root link, then joint angles. Leg 0 stands, leg 1 swings.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.planar.arrays import Body, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES, DynamicsSpace, Tree, new_dynamics_space, tree_of

TRACKED = 4
"""Number of tracked joints: hip and knee of the standing leg, then hip and knee of the swinging leg."""


class Legs(NamedTuple):
    """Indices of the joints and links of a biped's legs, and points of its feet. The first axis is the leg."""

    hip: Ints
    """(2,) index of each leg's hip joint."""
    knee: Ints
    """(2,) index of each leg's knee joint."""
    ankle: Ints
    """(2,) index of each leg's ankle joint; -1 if the leg ends in a point."""
    foot: Ints
    """(2,) index of the link at the end of each leg."""
    end: Floats
    """(2, 2) x and y of the ankle, or of the end of a leg without ankle, in the foot's frame, m."""
    sole: Floats
    """(2, 3, 2) x and y of three points of each sole in the foot's frame, m: below the ankle, heel, toe."""
    opposite: Ints
    """(J,) index of the joint on the other side of the body, for each of the J joints."""


class ReducedModel(NamedTuple):
    """A biped in a pose that theta (lean of the standing leg) and the angles of hips and knees determine.

    The pose has N coordinates: x, y and angle of the root link, then joint angles. The other arrays are working arrays.
    """

    body: Body
    """Constants of the character."""
    tree: Tree
    """The character's links and joints as a tree."""
    legs: Legs
    """Indices of the legs' joints, and points of the feet."""
    space: DynamicsSpace
    """Working arrays of the functions in `kernels.planar.dynamics`."""
    kin: Kinematics
    """Positions and velocities of links and joints in the pose."""
    q: Floats
    """(N,) coordinates of the pose, m and rad."""
    slope: Floats
    """(N,) derivatives of the coordinates with respect to theta."""
    curvature: Floats
    """(N,) second derivatives of the coordinates with respect to theta."""
    still: Floats
    """(N,) zeros, as velocities of a biped at rest."""
    rows: Floats
    """(N, N) Jacobian of feet, hips, knees and theta; after its factorization, the LU factors."""
    point: Floats
    """(2, N) Jacobian of the position (x, y) of a point."""
    other_point: Floats
    """(2, N) Jacobian of the position of a second point."""
    bias: Floats
    """(2,) acceleration (x, y) of a point at zero accelerations of the coordinates, m/s^2."""
    other_bias: Floats
    """(2,) acceleration of a second point at zero accelerations of the coordinates, m/s^2."""
    turn: Floats
    """(N,) Jacobian of an angle."""
    pivots: Ints
    """(N,) pivots of the LU factors."""
    mass: Floats
    """(N, N) mass matrix."""
    after: Floats
    """(N,) velocities after an impact."""
    impulse: Floats
    """(N,) impulses of the ground in an impact, N s."""
    spline: Floats
    """(3,) value, first and second derivative of a spline."""
    angles: Floats
    """(3, 4) angles of hips and knees, rad, and their first and second derivatives with respect to theta."""


class StepProfile(NamedTuple):
    """Poses and generalized forces of a step at n evenly spaced values of theta, from its start to its end; n is odd.

    The generalized forces for the N coordinates are `accelerating` theta'' + `turning` theta'^2 + `weight`. In the
    world, the standing ankle is above x = 0 and the ground is at y = 0.
    """

    theta: Floats
    """(n,) theta in each pose, rad."""
    q: Floats
    """(n, N) coordinates of each pose: x, y and angle of the root link, then joint angles, m and rad."""
    slope: Floats
    """(n, N) derivatives of the coordinates with respect to theta."""
    curvature: Floats
    """(n, N) second derivatives of the coordinates with respect to theta."""
    accelerating: Floats
    """(n, N) generalized forces per theta''."""
    turning: Floats
    """(n, N) generalized forces per theta'^2."""
    weight: Floats
    """(n, N) generalized forces at rest."""
    joint: Floats
    """(n, J, 2) world positions of the J joints, m."""
    swing: Floats
    """(n, 3, 2) world positions of three points of the swinging sole, m: below the ankle, heel, toe."""


class CentrePolicy(NamedTuple):
    """Control law of the zero-moment point in a step: `at` + `gain` (theta' - `rate`), clamped to [`low`, `high`].

    The zero-moment point is the point of the ground at which the ground force acts.
    """

    at: float
    """Zero-moment point at the desired theta', m ahead of the standing ankle."""
    gain: float
    """Forward shift of the zero-moment point per rad/s by which theta' is too high, m s."""
    rate: Floats
    """(n,) desired theta' at each theta of the step's profile, rad/s."""
    low: float
    """Lower bound, m ahead of the standing ankle."""
    high: float
    """Upper bound, m ahead of the standing ankle."""


class StepMotion(NamedTuple):
    """Motion of a step at every second of the n values of theta in its profile: m = (n + 1) / 2 values."""

    time: Floats
    """(m,) time from the start of the step, s."""
    rate: Floats
    """(m,) theta', rad/s."""
    acceleration: Floats
    """(m,) theta'', rad/s^2."""
    centre: Floats
    """(m,) zero-moment point, at which the ground force acts, m ahead of the standing ankle."""
    force: Floats
    """(m, 2) x and y of the ground force in the world, N."""
    torque: Floats
    """(m, J) torques of the J joints, N m."""


def legs_of(character: PlanarCharacter) -> Legs:
    """Return the joints and feet of a biped's legs. A leg is a chain of hip, knee and possibly ankle from the root.

    Raises:
        CtrlGraphError: the character does not have exactly two feet with contact circles at the ends of such chains.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"the character {quoted(character.name)} must have two feet, not {len(feet)}")
    chains = [joint_chain(character, foot) for foot in feet]
    if len(chains[0]) != len(chains[1]) or len(chains[0]) not in (2, 3):
        raise CtrlGraphError(
            f"each leg of the character {quoted(character.name)} must have a hip and a knee, with or without an ankle"
        )
    with_feet = len(chains[0]) == 3
    pairs = zip(feet, chains, strict=True)
    sole = np.array([_sole(character, foot, chain[2] if with_feet else None) for foot, chain in pairs])
    return Legs(
        hip=np.array([chain[0] for chain in chains], dtype=np.int64),
        knee=np.array([chain[1] for chain in chains], dtype=np.int64),
        ankle=np.array([chain[2] if with_feet else -1 for chain in chains], dtype=np.int64),
        foot=np.array(feet, dtype=np.int64),
        end=body_arrays(character).child_anchor[[chain[2] for chain in chains]] if with_feet else sole[:, 0].copy(),
        sole=sole,
        opposite=np.array(character.opposite_joints, dtype=np.int64),
    )


def joint_chain(character: PlanarCharacter, foot: int) -> list[int]:
    """Return the indices of the joints between the root link and the link with the index `foot`, from the root."""
    hung_by = {joint.child: j for j, joint in enumerate(character.joints)}
    chain: list[int] = []
    link = foot
    while link in hung_by:
        chain.insert(0, hung_by[link])
        link = character.joints[hung_by[link]].parent
    return chain


def _sole(character: PlanarCharacter, foot: int, ankle: int | None) -> list[tuple[float, float]]:
    """Return x and y of three points of a sole in the foot's frame, m: below the ankle, heel and toe.

    Args:
        character: the biped.
        foot: index of the foot's link.
        ankle: index of the ankle joint. None: the first point is the middle of the sole.
    """
    circles = character.links[foot].contacts
    if not circles:
        raise CtrlGraphError(f"the foot {quoted(character.links[foot].name)} has no contact circles")
    lowest = min(circle.y - circle.radius for circle in circles)
    heel, toe = min(circle.x for circle in circles), max(circle.x for circle in circles)
    middle = (heel + toe) / 2 if ankle is None else character.joints[ankle].x - character.links[foot].x
    return [(middle, lowest), (heel, lowest), (toe, lowest)]


def reduced_model(character: PlanarCharacter) -> ReducedModel:
    """Return the arrays of a biped for the reduced dynamics, with all coordinates 0.

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
    """Return an empty profile of a step (all zeros), to be filled by `reduced_dynamics.fill_profile`.

    Args:
        model: the biped.
        places: number n of values of theta in the profile; it must be odd.
    """
    n, n_joints = model.q.size, model.body.parent.size
    shapes = ((places,), *[(places, n)] * 6, (places, n_joints, 2), (places, 3, 2))
    return StepProfile(*(np.zeros(shape) for shape in shapes))


def new_motion(model: ReducedModel, places: int) -> StepMotion:
    """Return an empty motion of a step (all zeros), to be filled by `reduced_dynamics.integrate_step`.

    Args:
        model: the biped.
        places: number n of values of theta in the profile of the step.
    """
    m = (places + 1) // 2
    shapes = (*[(m,)] * 4, (m, 2), (m, model.body.parent.size))
    return StepMotion(*(np.zeros(shape) for shape in shapes))
