"""Kinematics of the spatial tree: poses and velocities of links from those of the root and the joints, and back.

A link turns about its joints one after another, as in MuJoCo: it starts in its reference pose in the frame of its
parent, and then each joint rotates it about the joint's axis in its present orientation, with the joint's anchor fixed.
So its orientation in the frame of its parent is the product of the rest orientation and of the rotations about the
joints' axes in the frame of the link, in the order of the joints.
"""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Quaternion, Vector
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import (
    about_axis,
    add,
    conjugate,
    cross,
    dot,
    normalized,
    product,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    rotate_back,
    scale,
    subtract,
    vector_at,
)

TWO_PI = 2.0 * math.pi

ALIGNED = 1e-9
"""Sine of the angle between the first and the third of three axes below which they count as parallel."""


@kernel
def place_links(body: SpatialBody, kin: SpatialKinematics, angles: Floats) -> None:
    """Compute the poses of all links from the pose of the root and the joint angles (forward kinematics).

    Args:
        body: constants of the character.
        kin: state of the character. The root's row of `pose` is read, and normalized. The other rows of `pose`,
            `joint[:, 0]`, `axis` and `place` are filled.
        angles: joint angles (J,), rad.
    """
    for j in range(angles.size):
        kin.joint[j, 0] = angles[j]
    put_quaternion(kin.pose, body.root, 3, normalized(quaternion_at(kin.pose, body.root, 3)))
    for k in range(1, body.order.size):
        link = body.order[k]
        position, orientation = hang_link(body, kin, link)
        put_vector(kin.pose, link, 0, position)
        put_quaternion(kin.pose, link, 3, orientation)


@kernel
def hang_link(body: SpatialBody, kin: SpatialKinematics, link: int) -> tuple[Vector, Quaternion]:
    """Return the position and orientation of a link that follow from its parent's pose and its joints' angles.

    Args:
        body: constants of the character.
        kin: state of the character. The parent's row of `pose` and the angles in `joint` are read; the rows of the
            link's joints in `axis` and `place` are filled.
        link: index of the link, which is not the root.
    """
    parent = body.above[link]
    turn = quaternion_at(kin.pose, parent, 3)
    position = add(vector_at(kin.pose, parent, 0), rotate(turn, vector_at(body.offset, link, 0)))
    turn = product(turn, quaternion_at(body.rest, link, 0))
    for k in range(body.first[link], body.first[link] + body.n_joints[link]):
        j = body.joints[k]
        axis, anchor = vector_at(body.axis, j, 0), vector_at(body.anchor, j, 0)
        place = add(position, rotate(turn, anchor))
        put_vector(kin.axis, j, 0, rotate(turn, axis))
        put_vector(kin.place, j, 0, place)
        turn = product(turn, about_axis(axis, kin.joint[j, 0]))
        position = subtract(place, rotate(turn, anchor))
    return position, turn


@kernel
def set_velocities(body: SpatialBody, kin: SpatialKinematics, rates: Floats) -> None:
    """Compute the velocities of all links from the velocity of the root and the rates of the joints.

    Args:
        body: constants of the character.
        kin: state of the character. `pose`, `axis`, `place` and the root's row of `twist` are read; the other rows of
            `twist` and `joint[:, 1]` are filled.
        rates: angular velocities of the joints (J,), rad/s.
    """
    for j in range(rates.size):
        kin.joint[j, 1] = rates[j]
    for k in range(1, body.order.size):
        link = body.order[k]
        parent = body.above[link]
        here = vector_at(kin.pose, link, 0)
        spin = vector_at(kin.twist, parent, 3)
        velocity = add(vector_at(kin.twist, parent, 0), cross(spin, subtract(here, vector_at(kin.pose, parent, 0))))
        for i in range(body.first[link], body.first[link] + body.n_joints[link]):
            j = body.joints[i]
            more = scale(rates[j], vector_at(kin.axis, j, 0))
            velocity = add(velocity, cross(more, subtract(here, vector_at(kin.place, j, 0))))
            spin = add(spin, more)
        put_vector(kin.twist, link, 0, velocity)
        put_vector(kin.twist, link, 3, spin)


@kernel
def update_joints(body: SpatialBody, kin: SpatialKinematics) -> None:
    """Compute the axes and places of the joints, and the state of the centre of mass, from the states of the links.

    Args:
        body: constants of the character.
        kin: state of the character; `pose`, `twist` and the angles in `joint` are read; `axis`, `place` and `com` are
            filled.
    """
    for k in range(1, body.order.size):
        hang_link(body, kin, body.order[k])
    update_com(body, kin)


@kernel
def update_com(body: SpatialBody, kin: SpatialKinematics) -> None:
    """Compute the position and velocity of the centre of mass from the states of the links.

    Args:
        body: constants of the character.
        kin: state of the character; `pose` and `twist` are read, `com` is filled.
    """
    position, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(body.mass.size):
        position = add(position, scale(body.mass[i], vector_at(kin.pose, i, 0)))
        velocity = add(velocity, scale(body.mass[i], vector_at(kin.twist, i, 0)))
    for i in range(3):
        kin.com[i] = position[i] / body.total_mass
        kin.com[3 + i] = velocity[i] / body.total_mass


@kernel
def measure_angles(body: SpatialBody, pose: Floats, joint: Floats) -> None:
    """Compute the joint angles from the orientations of the links.

    There are at most three joints between two links, and the axes of two in succession must be perpendicular. Three
    joints describe each orientation by two sets of angles; the result is the one whose first angle is nearer to the
    present one. If the third axis is parallel to the first (gimbal lock), the first angle is not changed. Of the angles
    that differ by whole turns, the result is the one that is nearest to the present angle.

    Args:
        body: constants of the character.
        pose: poses of the links (L, 7), see `SpatialKinematics.pose`.
        joint: angles and rates of the joints (J, 2); the angles are replaced.
    """
    for link in range(body.above.size):
        parent, count, first = body.above[link], body.n_joints[link], body.first[link]
        if parent < 0:
            continue
        turn = product(conjugate(quaternion_at(pose, parent, 3)), quaternion_at(pose, link, 3))
        turn = product(conjugate(quaternion_at(body.rest, link, 0)), turn)
        if count == 3:
            j = body.joints[first]
            angle = _first_of_three(body, turn, first, joint[j, 0])
            joint[j, 0] = angle
            turn = product(about_axis(vector_at(body.axis, j, 0), -angle), turn)
            first += 1
            count -= 1
        j = body.joints[first]
        axis = vector_at(body.axis, j, 0)
        if count == 1:
            sine = turn[1] * axis[0] + turn[2] * axis[1] + turn[3] * axis[2]
            joint[j, 0] = nearest_angle(2.0 * math.atan2(sine, turn[0]), joint[j, 0])
        else:
            other = body.joints[first + 1]
            last = vector_at(body.axis, other, 0)
            normal = cross(axis, last)
            carried = rotate(turn, last)  # only the first rotation moves the last axis
            joint[j, 0] = nearest_angle(math.atan2(dot(carried, normal), dot(carried, last)), joint[j, 0])
            carried = rotate_back(turn, axis)  # and only the last rotation the first axis
            joint[other, 0] = nearest_angle(math.atan2(dot(carried, normal), dot(carried, axis)), joint[other, 0])


@kernel
def _first_of_three(body: SpatialBody, turn: Quaternion, first: int, present: float) -> float:
    """Return the angle of the first of three joints between two links.

    Args:
        body: constants of the character.
        turn: product of the rotations about the three axes.
        first: index in `body.joints` of the first of the joints.
        present: present angle of the first joint, rad.
    """
    one = vector_at(body.axis, body.joints[first], 0)
    two = vector_at(body.axis, body.joints[first + 1], 0)
    carried = rotate(turn, vector_at(body.axis, body.joints[first + 2], 0))
    # the second rotation leaves the third axis in the plane of `one` and `two` x `one`; the first turns it about `one`
    sine, cosine = dot(carried, two), dot(carried, cross(two, one))
    if sine * sine + cosine * cosine < ALIGNED * ALIGNED:
        return present
    angle = nearest_angle(math.atan2(sine, cosine), present)
    opposite = nearest_angle(math.atan2(-sine, -cosine), present)
    return opposite if abs(opposite - present) < abs(angle - present) else angle


@kernel
def measure_rates(body: SpatialBody, twist: Floats, axis: Floats, joint: Floats) -> None:
    """Compute the rates of the joints from the angular velocities of the links.

    There are at most three joints between two links, and the axes of two in succession must be perpendicular. If the
    first of three axes is parallel to the third (gimbal lock), each takes half of the rotation about them.

    Args:
        body: constants of the character.
        twist: velocities of the links (L, 6), see `SpatialKinematics.twist`.
        axis: axes of the joints in the world (J, 3), from `update_joints` with the present angles.
        joint: angles and rates of the joints (J, 2); the rates are replaced.
    """
    for link in range(body.above.size):
        parent, count, first = body.above[link], body.n_joints[link], body.first[link]
        if parent < 0:
            continue
        spin = subtract(vector_at(twist, link, 3), vector_at(twist, parent, 3))
        for k in range(first, first + count):
            joint[body.joints[k], 1] = dot(spin, vector_at(axis, body.joints[k], 0))
        if count == 3:  # the first and the third axis are both perpendicular to the second, but not to each other
            one, three = body.joints[first], body.joints[first + 2]
            middle = vector_at(axis, body.joints[first + 1], 0)
            normal = cross(middle, vector_at(axis, three, 0))
            sine = dot(vector_at(axis, one, 0), normal)
            if abs(sine) < ALIGNED:
                joint[one, 1], joint[three, 1] = 0.5 * joint[one, 1], 0.5 * joint[three, 1]
            else:
                joint[one, 1] = dot(spin, normal) / sine
                joint[three, 1] = dot(spin, cross(vector_at(axis, one, 0), middle)) / sine


@kernel
def nearest_angle(angle: float, present: float) -> float:
    """Return an angle plus the whole number of turns that brings it nearest to another angle.

    Args:
        angle: the angle, rad.
        present: the other angle, rad.
    """
    return angle - TWO_PI * math.floor((angle - present + math.pi) / TWO_PI)
