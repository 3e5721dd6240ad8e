"""Balance feedback: where the centre of mass is over a point, and how fast it moves."""

from __future__ import annotations

from ctrlgraph.kernels.arrays import Kinematics
from ctrlgraph.kernels.feedback_reference import FeedbackReference
from ctrlgraph.kernels.jit import kernel

_PART, _JOINT, _COP, _COPF = (
    int(FeedbackReference.PART),
    int(FeedbackReference.JOINT),
    int(FeedbackReference.COP),
    int(FeedbackReference.COPF),
)


@kernel
def centre_of_pressure(kin: Kinematics) -> tuple[bool, float]:
    """Return the mean x of the links in contact, and whether there are any.

    Firmin's gains (2014, 3.2.2) balance with this point; with the force-weighted centre of
    pressure they chatter or drift.
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
    """Return the x of a feedback's point (part, joint, cop or copf), and whether it exists now."""
    if kind == _PART:
        return True, kin.link[index, 0]
    if kind == _JOINT:
        return True, kin.joint[index, 2]
    if kind == _COPF and kin.pressure[0] > 1.0:
        return True, kin.pressure[1] / kin.pressure[0]
    return centre_of_pressure(kin)


@kernel
def pose_feedback(kin: Kinematics, kind: int, index: int, cd: float, cv: float) -> float:
    """cd d + cv v: SIMBICON's correction of an angle (Yin, Loken, van de Panne 2007, eq. 1)."""
    known, x = reference_x(kin, kind, index)
    if not known:
        return 0.0
    return cd * (kin.com[0] - x) + cv * kin.com[2]


@kernel
def balance_force(kin: Kinematics, kind: int, index: int, cd: float, cv: float) -> float:
    """-(cd d + cv v): the horizontal virtual force that brings the centre of mass over the point.

    Zero while nothing touches the ground (Firmin 2014, 3.2.2): there is nothing to push against.
    """
    if not _touches(kin):
        return 0.0
    return -pose_feedback(kin, kind, index, cd, cv)


@kernel
def height_force(kin: Kinematics, lack: float, cp: float, cv: float) -> float:
    """cp lack - cv v: the vertical virtual force, N, that brings the centre of mass to a height which it lacks `lack` m
    of; zero while nothing touches the ground, as for `balance_force`."""
    return cp * lack - cv * kin.com[3] if _touches(kin) else 0.0


@kernel
def _touches(kin: Kinematics) -> bool:
    for i in range(kin.contact.size):
        if kin.contact[i] != 0:
            return True
    return False


@kernel
def stance_hip_torque(trunk: float, swing: float) -> float:
    """Torque of the stance hip: the trunk's net torque is then the one its PD law asks for.

    The hips act on the pelvis with the opposite of what they apply to the thighs, so
    -(stance + swing) = trunk (Yin, Loken, van de Panne 2007, section 3.1).
    """
    return -trunk - swing
