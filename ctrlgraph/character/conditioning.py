"""Check for bodies that would make the engine abort the process.

The exact solver factors a matrix of the accelerations that unit forces and torques at the joints cause. The motor and
the stop of a joint are two rows of this matrix. They differ only by the softness of the stop (CFM / dt, at least 5e-8).
If the rounding error of the entries (2e-16 of their size) exceeds the softness, a pivot becomes exactly zero and ODE
aborts. This was seen at 3.7e9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.errors import SimulationError

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character, Joint, Link

MOST_YIELDING = 1e8
"""Maximum acceleration of a link due to 1 N or 1 N m at one of its joints, m/s2 or rad/s2."""


def check_body(character: Character) -> None:
    """Raise an error if a link is too light, too small or too far from its joint for the engine.

    Raises:
        SimulationError: the engine would abort; the message names the first such link.
    """
    for joint in character.joints:
        for link in (character.links[joint.parent], character.links[joint.child]):
            found = yielding(link, joint)
            if not found <= MOST_YIELDING:
                raise SimulationError(
                    f"the engine cannot simulate {character.name}: the link '{link.name}' is too light, too small or "
                    f"too far from the joint '{joint.name}'; 1 N there accelerates it by {found:.2g} m/s2, more than "
                    f"{MOST_YIELDING:g}"
                )


def yielding(link: Link, joint: Joint) -> float:
    """Return the larger of a free link's accelerations by a unit force at the joint and by a unit torque.

    Args:
        link: the link.
        joint: the joint.
    """
    if link.mass <= 0.0 or link.inertia <= 0.0:  # a product of tiny sizes can be zero
        return float("inf")
    lever = (joint.x - link.x) ** 2 + (joint.y - link.y) ** 2
    return max(1.0 / link.mass + lever / link.inertia, 1.0 / link.inertia)
