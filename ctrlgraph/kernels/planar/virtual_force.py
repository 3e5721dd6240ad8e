"""Planar virtual forces: joint torques with the effect of a force on a link (Firmin 2014, 3.1.2)."""

from __future__ import annotations

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics


@kernel
def add_virtual_force(body: Body, kin: Kinematics, base: int, part: int, fx: float, fy: float, torque: Floats) -> None:
    """Add to `torque` the joint torques that have the effect of a force at the centre of mass of the link `part`.

    The torques act in the joints of the chain from the base joint to the part. A joint at (xj, yj) that rotates the
    part clockwise moves the part's centre (x, y) by (y - yj, -(x - xj)) per radian. So its torque, by the Jacobian
    transpose, is fx (y - yj) - fy (x - xj), negated if the part is on the joint's parent side.

    Args:
        body: constants of the character.
        kin: state of the character.
        base: index of the base joint, which belongs to the chain.
        part: index of the link.
        fx: x of the force in the world, N.
        fy: y of the force in the world, N.
        torque: joint torques (J,), N m; changed in place.
    """
    x, y = kin.link[part, 0], kin.link[part, 1]
    for j in range(body.parent.size):
        sign = body.chain[base, part, j]
        if sign != 0:
            torque[j] += sign * (fx * (y - kin.joint[j, 3]) - fy * (x - kin.joint[j, 2]))
