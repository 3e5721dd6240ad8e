"""Check for characters with masses and sizes with which ODE would abort the process.

ODE's exact solver factors a matrix of the accelerations that unit forces and torques at the joints cause. The motor and
the stop of a joint are two rows of this matrix. These rows differ only by the softness of the stop (CFM / dt, at least
5e-8). If the rounding error of the matrix (2e-16 of the size of its elements) exceeds the softness, a pivot becomes
exactly zero and ODE aborts. This has happened with accelerations of 3.7e9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.errors import SimulationError

if TYPE_CHECKING:
    from ctrlgraph.character.planar_model import PlanarCharacter, PlanarJoint, PlanarLink

MOST_YIELDING = 1e8
"""Maximum acceleration of a link, m/s2 or rad/s2, by a force of 1 N or a torque of 1 N m at one of its joints."""


def check_body(character: PlanarCharacter) -> None:
    """Raise an error if a link is too light, too small or too far from a joint for ODE.

    Raises:
        SimulationError: ODE would abort the process. The message names the first such link and its joint.
    """
    for joint in character.joints:
        for link in (character.links[joint.parent], character.links[joint.child]):
            found = yielding(link, joint)
            if not found <= MOST_YIELDING:
                fault = f"the link '{link.name}' is too light, too small or too far from the joint '{joint.name}'"
                reason = f"1 N at this joint accelerates it by {found:.2g} m/s2, more than {MOST_YIELDING:g}"
                raise SimulationError(f"the engine cannot simulate {character.name}: {fault}; {reason}")


def yielding(link: PlanarLink, joint: PlanarJoint) -> float:
    """Return the acceleration of a link by a unit force or torque at a joint, as if the link had no other joints.

    The result is the larger one of two numbers: the acceleration of the joint's point by 1 N at this point, m/s2, and
    the angular acceleration by 1 N m, rad/s2.

    Args:
        link: a link of the joint.
        joint: the joint at which the force or torque acts.
    """
    if link.mass <= 0.0 or link.inertia <= 0.0:  # a product of tiny sizes can be zero
        return float("inf")
    lever = (joint.x - link.x) ** 2 + (joint.y - link.y) ** 2
    return max(1.0 / link.mass + lever / link.inertia, 1.0 / link.inertia)
