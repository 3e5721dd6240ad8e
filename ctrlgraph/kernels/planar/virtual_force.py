"""Planar virtual forces: joint torques with the effect of a force on a link (Firmin 2014, 3.1.2)."""

from __future__ import annotations

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Floats, Kinematics


@kernel
def add_virtual_force(body: Body, kin: Kinematics, base: int, part: int, fx: float, fy: float, torque: Floats) -> None:
    """Add to `torque` (J,) the Jacobian-transpose torques of force (fx, fy) at the part's centre of mass.

    The chain runs from the far link of the base joint to the part. A joint at (xj, yj) that rotates the part clockwise
    moves the point (x, y) by (y - yj, -(x - xj)) per radian, so its torque is fx (y - yj) - fy (x - xj), negated if the
    part is on the joint's parent side.
    """
    x, y = kin.link[part, 0], kin.link[part, 1]
    for j in range(body.parent.size):
        sign = body.chain[base, part, j]
        if sign != 0:
            torque[j] += sign * (fx * (y - kin.joint[j, 3]) - fy * (x - kin.joint[j, 2]))
