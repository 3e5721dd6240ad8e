"""Kinematics of the planar tree: from poses of links to joint angles, positions of joints and the centre of mass."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics

TWO_PI = 2.0 * math.pi


@kernel
def wrapped(angle: float) -> float:
    """Return the angle wrapped to (-pi, pi]."""
    turned = angle - TWO_PI * math.floor((angle + math.pi) / TWO_PI)
    return turned if turned > -math.pi else math.pi


@kernel
def update_joints(body: Body, kin: Kinematics) -> None:
    """Compute the state of the joints and of the centre of mass from the state of the links.

    A joint's angle is the child link's angle in the world less the parent's; its anchor is fixed to the parent. For a
    link rotated clockwise by t, a vector (u, v) of its frame is (u cos t + v sin t, v cos t - u sin t) in the world.

    Args:
        body: constants of the character.
        kin: state of the character; `link` and `turn` are read, `joint` and `com` are filled.
    """
    for j in range(body.parent.size):
        p, c = body.parent[j], body.child[j]
        cosine, sine = kin.turn[p, 0], kin.turn[p, 1]
        u, v = body.anchor[j, 0], body.anchor[j, 1]
        kin.joint[j, 0] = kin.link[c, 2] - kin.link[p, 2]
        kin.joint[j, 1] = kin.link[c, 5] - kin.link[p, 5]
        kin.joint[j, 2] = kin.link[p, 0] + u * cosine + v * sine
        kin.joint[j, 3] = kin.link[p, 1] + v * cosine - u * sine
    x = y = vx = vy = 0.0
    for i in range(body.mass.size):
        m = body.mass[i]
        x += m * kin.link[i, 0]
        y += m * kin.link[i, 1]
        vx += m * kin.link[i, 3]
        vy += m * kin.link[i, 4]
    kin.com[0] = x / body.total_mass
    kin.com[1] = y / body.total_mass
    kin.com[2] = vx / body.total_mass
    kin.com[3] = vy / body.total_mass


@kernel
def hang_child(body: Body, kin: Kinematics, j: int, angle: float, rate: float) -> None:
    """Compute the pose and the velocity of a joint's child link from the state of the parent link.

    Angles are summed and never wrapped. An offset (x, y) that rotates clockwise at w moves at w (y, -x).

    Args:
        body: constants of the character.
        kin: state of the character; `link` and `turn` are known for the parent and filled for the child.
        j: index of the joint.
        angle: angle of the joint, rad.
        rate: angular velocity of the joint, rad/s.
    """
    link, turn = kin.link, kin.turn
    p, c = body.parent[j], body.child[j]
    cosine, sine = turn[p, 0], turn[p, 1]
    u, v = body.anchor[j, 0], body.anchor[j, 1]
    x, y, spin = u * cosine + v * sine, v * cosine - u * sine, link[p, 5]
    pin_x, pin_y = link[p, 0] + x, link[p, 1] + y
    pin_vx, pin_vy = link[p, 3] + spin * y, link[p, 4] - spin * x
    turned, spin = link[p, 2] + angle, spin + rate
    cosine, sine = math.cos(turned), math.sin(turned)
    u, v = body.child_anchor[j, 0], body.child_anchor[j, 1]
    x, y = u * cosine + v * sine, v * cosine - u * sine
    turn[c, 0], turn[c, 1] = cosine, sine
    link[c, 0], link[c, 1], link[c, 2] = pin_x - x, pin_y - y, turned
    link[c, 3], link[c, 4], link[c, 5] = pin_vx - spin * y, pin_vy + spin * x, spin


def pose_links(body: Body, angles: Floats, root: int, x: float, y: float, angle: float) -> Floats:
    """Return the poses (L, 3) of all links in the world: x, y of the centre of mass, m, and angle, rad.

    Args:
        body: constants of the character.
        angles: joint angles (J,), rad.
        root: index of the root link.
        x: x of the root's centre of mass, m.
        y: y of the root's centre of mass, m.
        angle: angle of the root, rad.
    """
    poses: dict[int, tuple[float, float, float]] = {root: (x, y, angle)}
    remaining = list(range(body.parent.size))
    parent, child, turns = body.parent.tolist(), body.child.tolist(), angles.tolist()
    anchor, child_anchor = body.anchor.tolist(), body.child_anchor.tolist()
    while remaining:
        for j in list(remaining):
            p, c = parent[j], child[j]
            if p not in poses:
                continue
            px, py, pt = poses[p]
            ct = pt + turns[j]
            ax, ay = _turned(anchor[j], pt)
            bx, by = _turned(child_anchor[j], ct)
            poses[c] = (px + ax - bx, py + ay - by, ct)
            remaining.remove(j)
    import numpy as np

    return np.array([poses[i] for i in range(body.mass.size)])


def _turned(offset: Sequence[float], angle: float) -> tuple[float, float]:
    u, v = offset
    return u * math.cos(angle) + v * math.sin(angle), v * math.cos(angle) - u * math.sin(angle)
