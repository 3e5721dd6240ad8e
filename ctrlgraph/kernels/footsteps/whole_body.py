"""Whole-body inverse kinematics: one damped Gauss-Newton step towards the objectives of a pose.

The objectives are those of the source: contact points of the feet, the centre of mass, the rotation of the trunk, and
smooth motion of the joints. Joint angles stay within their limits.
"""

from __future__ import annotations

from typing import NamedTuple

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.linear_algebra import cholesky, cholesky_solve_rows
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_dynamics import SpatialDynamicsSpace, com_jacobian, point_jacobian
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_com
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    conjugate,
    integrated,
    product,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    rotation_vector,
    vector_at,
)

LARGEST_STEP = 0.3
"""Largest change of a joint angle in a step, rad."""
CONTACT_WEIGHT, COM_WEIGHT, TURN_WEIGHT = 1.0, 0.3, 0.05
"""Weights of squared distances of contact points, 1/m^2, of the centre of mass, 1/m^2, and of the squared rotation of
the trunk from its target, 1/rad^2."""
DAMPING = 1e-6
"""Damping of all velocities."""


class PoseTargets(NamedTuple):
    """Objectives of a pose of a body with F feet and J joints. A foot has C contact points."""

    foot: Ints
    """Link of each foot (F,)."""
    contact: Floats
    """Contact points in the frame of the foot's link (F, C, 3), m."""
    place: Floats
    """Target of each contact point in the world (F, C, 3), m."""
    com: Floats
    """Target of the centre of mass (3,), m."""
    turn: Floats
    """Target of the trunk's orientation (4,)."""
    smooth: Floats
    """Weight of the squared difference of each joint angle from its expected one (J,), 1/rad^2."""
    expected: Floats
    """Angle of each joint if it goes on as before (J,), rad."""


class PoseWork(NamedTuple):
    """Workspace for V = 6 + J degrees of freedom."""

    linear: Floats
    """Jacobian of a point (3, V)."""
    angular: Floats
    """Jacobian of a rotation (3, V)."""
    normal: Floats
    """Normal matrix (V, V)."""
    right: Floats
    """Right-hand side, then the change (1, V)."""


@separate_kernel
def improve_pose(
    body: SpatialBody,
    kin: SpatialKinematics,
    space: SpatialDynamicsSpace,
    targets: PoseTargets,
    work: PoseWork,
    angles: Floats,
) -> None:
    """Improve a pose by one step.

    Args:
        body: constants of the body, whose root is floating.
        kin: poses of the links; those of the improved pose are results.
        space: workspace.
        targets: objectives.
        work: workspace.
        angles: joint angles (J,), rad; improved in place.
    """
    normal, right, n = work.normal, work.right, work.right.shape[1]
    for i in range(n):
        right[0, i] = 0.0
        for k in range(n):
            normal[i, k] = 0.0
        normal[i, i] = DAMPING
    for foot in range(targets.foot.size):
        link = targets.foot[foot]
        turn = quaternion_at(kin.pose, link, 3)
        for j in range(targets.contact.shape[1]):
            contact = vector_at(targets.contact[foot], j, 0)
            point = add(vector_at(kin.pose, link, 0), rotate(turn, contact))
            point_jacobian(body, kin, link, point, work.linear, work.angular)
            _add_rows(work, work.linear, CONTACT_WEIGHT, vector_at(targets.place[foot], j, 0), point)
    update_com(body, kin)
    com_jacobian(body, kin, space, work.linear)
    aim = (targets.com[0], targets.com[1], targets.com[2])
    _add_rows(work, work.linear, COM_WEIGHT, aim, (kin.com[0], kin.com[1], kin.com[2]))
    wanted = (targets.turn[0], targets.turn[1], targets.turn[2], targets.turn[3])
    off = rotation_vector(product(wanted, conjugate(quaternion_at(kin.pose, body.root, 3))))
    for k in range(3):
        normal[3 + k, 3 + k] += TURN_WEIGHT
        right[0, 3 + k] += TURN_WEIGHT * off[k]
    for j in range(angles.size):
        normal[6 + j, 6 + j] += targets.smooth[j]
        right[0, 6 + j] += targets.smooth[j] * (targets.expected[j] - angles[j])
    if not cholesky(normal):
        return
    cholesky_solve_rows(normal, right)
    change = right[0]
    largest = 0.0
    for i in range(3, n):
        largest = max(largest, abs(change[i]))
    share = 1.0 if largest <= LARGEST_STEP else LARGEST_STEP / largest
    root = body.root
    moved = (share * change[0], share * change[1], share * change[2])
    turned = (share * change[3], share * change[4], share * change[5])
    put_vector(kin.pose, root, 0, add(vector_at(kin.pose, root, 0), moved))
    put_quaternion(kin.pose, root, 3, integrated(quaternion_at(kin.pose, root, 3), turned, 1.0))
    for j in range(angles.size):
        angles[j] = min(max(angles[j] + share * change[6 + j], body.limits[j, 0]), body.limits[j, 1])
    place_links(body, kin, angles)


@kernel
def _add_rows(
    work: PoseWork, jacobian: Floats, weight: float, target: tuple[float, float, float], now: tuple[float, float, float]
) -> None:
    """Add the squared distance of a point from its target to the normal equations."""
    n = work.right.shape[1]
    for k in range(3):
        off = target[k] - now[k]
        for a in range(n):
            value = weight * jacobian[k, a]
            if value == 0.0:
                continue
            work.right[0, a] += value * off
            for b in range(n):
                work.normal[a, b] += value * jacobian[k, b]
