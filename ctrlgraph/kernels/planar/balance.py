"""Planar balance feedback: from the distance and the velocity of the centre of mass relative to a reference point."""

from __future__ import annotations

from ctrlgraph.kernels.constants import FeedbackReference
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics

_PART, _JOINT, _COPF = int(FeedbackReference.PART), int(FeedbackReference.JOINT), int(FeedbackReference.COPF)


@kernel
def centre_of_pressure(kin: Kinematics) -> tuple[bool, float]:
    """Return the mean x of the centres of mass of all links in contact with the ground.

    The gains of Firmin (2014, 3.2.2) are for this point. With these gains and the force-weighted centre of pressure,
    the motion chatters or drifts.

    Args:
        kin: state of the character.

    Returns:
        Whether a link is in contact, and the mean x in the world, m (0 without contact).
    """
    total, count = 0.0, 0
    for i in range(kin.contact.size):
        if kin.contact[i] != 0:
            total += kin.link[i, 0]
            count += 1
    if count == 0:
        return False, 0.0
    return True, total / count


@kernel
def reference_x(kin: Kinematics, kind: int, index: int) -> tuple[bool, float]:
    """Return the x of a feedback's reference point, if the point exists now.

    A link or a joint always exists. A centre of pressure does not exist in flight. With a total force of at most 1 N,
    COPF is replaced by COP.

    Args:
        kin: state of the character.
        kind: kind of the reference point, a `FeedbackReference`.
        index: index of the reference link or joint; not used for a centre of pressure.

    Returns:
        Whether the point exists, and its x in the world, m.
    """
    if kind == _PART:
        return True, kin.link[index, 0]
    if kind == _JOINT:
        return True, kin.joint[index, 2]
    if kind == _COPF and kin.pressure[0] > 1.0:
        return True, kin.pressure[1] / kin.pressure[0]
    return centre_of_pressure(kin)


@kernel
def pose_feedback(kin: Kinematics, kind: int, index: int, cd: float, cv: float) -> float:
    """Return cd d + cv v, SIMBICON's correction of a joint angle for balance, rad; 0 without a reference point.

    d is the distance by which the centre of mass is ahead of the reference point in x, m, and v is its velocity in x,
    m/s. In flight, a centre of pressure does not exist. Source: Yin, Loken, van de Panne (2007), eq. 1.

    Args:
        kin: state of the character.
        kind: kind of the reference point, a `FeedbackReference`.
        index: index of the reference link or joint; not used for a centre of pressure.
        cd: gain of the distance, rad/m.
        cv: gain of the velocity, rad s/m.
    """
    known, x = reference_x(kin, kind, index)
    if not known:
        return 0.0
    return cd * (kin.com[0] - x) + cv * kin.com[2]


@kernel
def balance_force(kin: Kinematics, kind: int, index: int, cd: float, cv: float) -> float:
    """Return the horizontal virtual force that brings the centre of mass over a reference point, N.

    It is -(cd d + cv v), where d is the distance by which the centre of mass is ahead of the reference point in x, m,
    and v is its velocity in x, m/s. It is zero in flight, when no ground can provide the force (Firmin 2014, 3.2.2).

    Args:
        kin: state of the character.
        kind: kind of the reference point, a `FeedbackReference`.
        index: index of the reference link or joint; not used for a centre of pressure.
        cd: gain of the distance, N/m.
        cv: gain of the velocity, N s/m.
    """
    if not centre_of_pressure(kin)[0]:
        return 0.0
    return -pose_feedback(kin, kind, index, cd, cv)


@kernel
def height_force(kin: Kinematics, lack: float, cp: float, cv: float) -> float:
    """Return the vertical virtual force that raises the centre of mass, N; 0 in flight.

    It is cp lack - cv vy, with the vertical velocity vy of the centre of mass.

    Args:
        kin: state of the character.
        lack: height by which the centre of mass is too low, m.
        cp: gain of the height, N/m.
        cv: gain of the velocity, N s/m.
    """
    return cp * lack - cv * kin.com[3] if centre_of_pressure(kin)[0] else 0.0


@kernel
def stance_hip_torque(trunk: float, swing: float) -> float:
    """Return the torque of the stance hip, N m, with which both hips together give the trunk the torque of its PD law.

    The hips act on the pelvis with the opposite of their torques on the thighs, so -(stance + swing) = trunk (Yin,
    Loken, van de Panne 2007, section 3.1).

    Args:
        trunk: torque of the trunk's PD law, N m.
        swing: torque of the swing hip on its thigh, N m.
    """
    return -trunk - swing
