"""Planar balance feedback: from the centre of mass's distance from a reference point, and from its velocity.

The feedback functions have these arguments: `kin` is the state of the character. `kind` is a `FeedbackReference` and
`index` the link or joint that it refers to. `cd` and `cv` are gains. They use d, the distance by which the centre of
mass is ahead of the reference point in x, m, and v, its velocity in x, m/s.
"""

from __future__ import annotations

from ctrlgraph.kernels.constants import FeedbackReference
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics

_PART, _JOINT, _COPF = int(FeedbackReference.PART), int(FeedbackReference.JOINT), int(FeedbackReference.COPF)


@kernel
def centre_of_pressure(kin: Kinematics) -> tuple[bool, float]:
    """Return whether there are links in contact, and the mean x of their centres of mass, m (0 without contact).

    The gains of Firmin (2014, 3.2.2) are for this point. With these gains and the force-weighted centre of pressure,
    the motion chatters or drifts.
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
    """Return whether a feedback's reference point exists now, and its x in the world, m.

    A link or a joint always exists. A centre of pressure does not exist in flight. With a total force of at most 1 N,
    COPF is replaced by COP.
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
    """Return cd d + cv v, SIMBICON's correction of an angle, rad; 0 if the reference point does not exist now.

    Source: Yin, Loken, van de Panne (2007), eq. 1.
    """
    known, x = reference_x(kin, kind, index)
    if not known:
        return 0.0
    return cd * (kin.com[0] - x) + cv * kin.com[2]


@kernel
def balance_force(kin: Kinematics, kind: int, index: int, cd: float, cv: float) -> float:
    """Return -(cd d + cv v), N: the horizontal virtual force that brings the centre of mass over the reference point.

    It is zero in flight, when no ground can provide the force (Firmin 2014, 3.2.2).
    """
    if not _touches(kin):
        return 0.0
    return -pose_feedback(kin, kind, index, cd, cv)


@kernel
def height_force(kin: Kinematics, lack: float, cp: float, cv: float) -> float:
    """Return the vertical virtual force, N, that raises the centre of mass by `lack`, m; 0 in flight.

    It is cp lack - cv vy, with the centre of mass's vertical velocity vy.
    """
    return cp * lack - cv * kin.com[3] if _touches(kin) else 0.0


@kernel
def _touches(kin: Kinematics) -> bool:
    for i in range(kin.contact.size):
        if kin.contact[i] != 0:
            return True
    return False


@kernel
def stance_hip_torque(trunk: float, swing: float) -> float:
    """Return the stance hip torque that gives the trunk the net torque of its PD law.

    The hips act on the pelvis with the opposite of their torques on the thighs, so
    -(stance + swing) = trunk (Yin, Loken, van de Panne 2007, section 3.1).

    Args:
        trunk: torque of the trunk's PD law, N m.
        swing: torque of the swing hip on its thigh, N m.
    """
    return -trunk - swing
