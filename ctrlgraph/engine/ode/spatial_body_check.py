"""Check for spatial characters that ODE cannot simulate; `ctrlgraph.engine.ode.body_check` gives the reason.

The motor and the stop of a joint act about its axis. So the inertia of a link about the axis of a hinge counts, not its
smallest one: a thin link of a tail may turn easily about its own axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ctrlgraph.character.spatial.spatial_frames import Array, vector
from ctrlgraph.character.spatial_model import SpatialCharacter, SpatialJoint, Vector
from ctrlgraph.engine.ode.body_check import MOST_YIELDING
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody
from ctrlgraph.kernels.spatial.spatial_rotation import rotate

SAME_PLACE = 1e-6
"""Maximum distance between the anchors of the joints between two links, m."""

PERPENDICULAR = 1e-4
"""Maximum cosine of the angle between successive axes of the joints between two links."""


def check_spatial_body(character: SpatialCharacter, body: SpatialBody) -> None:
    """Raise an error if ODE cannot simulate a character.

    Args:
        character: the character.
        body: its constants.

    Raises:
        SimulationError: a link is too light, too small or too far from a joint, which would abort the process; or the
            joints between two links are not those of a hinge, a universal joint or a ball joint.
    """
    for joint in character.joints:
        child = character.links[joint.child]
        place = vector(np.add(child.position, rotate(child.orientation, joint.anchor)))
        is_hinge = int(body.n_joints[joint.child]) == 1
        for link, lever, axis in (
            (joint.parent, place, rotate(child.orientation, joint.axis)),
            (joint.child, joint.anchor, joint.axis),
        ):
            found = _yielding(float(body.mass[link]), body.inertia[link], lever, axis if is_hinge else None)
            if not found <= MOST_YIELDING:
                name = character.links[link].name
                fault = f"the link '{name}' is too light, too small or too far from the joint '{joint.name}'"
                reason = f"1 N at this joint accelerates it by {found:.2g} m/s2, more than {MOST_YIELDING:g}"
                raise SimulationError(f"the engine cannot simulate {character.name}: {fault}; {reason}")
    for link in range(len(character.links)):
        first, count = int(body.first[link]), int(body.n_joints[link])
        _check_joints(character, [character.joints[j] for j in body.joints[first : first + count]])


def _yielding(mass: float, inertia: Array, lever: Vector, axis: Vector | None) -> float:
    """Return the acceleration of a link by a unit force or torque at a joint, as if the link had no other joints.

    The result is the larger one of two numbers: the acceleration of the joint's point by 1 N at this point, m/s2, at
    most, and the angular acceleration by 1 N m about the joint's axis, rad/s2.

    Args:
        mass: mass of the link, kg.
        inertia: inertia tensor (3, 3) of the link about its centre of mass, kg m^2.
        lever: place of the joint relative to the centre of mass, m.
        axis: unit vector along the axis, if the axis is fixed in the link; otherwise None, for any axis.
    """
    moments, axes = np.linalg.eigh(inertia)
    if mass <= 0.0 or moments[0] <= 0.0:
        return float("inf")
    along = 1.0 / moments[0] if axis is None else float(np.sum((np.array(axis) @ axes) ** 2 / moments))
    return max(1.0 / mass + float(np.dot(lever, lever)) / float(moments[0]), float(along))


def _check_joints(character: SpatialCharacter, joints: Sequence[SpatialJoint]) -> None:
    """Raise an error if all joints between two links are not one hinge, universal joint or ball joint."""
    names = ", ".join(f"'{joint.name}'" for joint in joints)
    fault = f"the engine 'ode' cannot simulate {character.name}: the joints {names}"
    if len(joints) > 3:
        raise SimulationError(f"{fault} lie between the same two links, but at most three are possible")
    for one, two in pairwise(joints):
        if np.linalg.norm(np.subtract(one.anchor, two.anchor)) > SAME_PLACE:
            raise SimulationError(
                f"{fault} lie between the same two links, but have different positions; give them the same position, "
                "put a link between them, or use the engine 'mujoco'"
            )
        if abs(np.dot(one.axis, two.axis)) > PERPENDICULAR:
            raise SimulationError(
                f"{fault} lie between the same two links, but successive axes are not perpendicular; change the axes, "
                "put a link between them, or use the engine 'mujoco'"
            )
