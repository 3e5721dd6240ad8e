"""Bodies that the engine cannot reckon with: it would end the process, so they are refused before.

The exact solver factors a matrix whose entries are the accelerations that unit forces and torques at the joints
cause. A joint's motor and its stop are two equal rows of it, told apart by the stop's softness alone (CFM / dt, from
5e-8 on). Entries in whose rounding error (2e-16 of them) that is lost leave a pivot of exactly zero, on which ODE
asserts and aborts; so it did at 3.7e9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.errors import SimulationError

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character, Joint, Link

MOST_YIELDING = 1e8
"""The greatest acceleration (m/s2 or rad/s2) of a link by a newton or a newton metre at one of its joints."""


def check_body(character: Character) -> None:
    """See to it that no link is so light or small, or so far from its joint, that the engine would abort.

    Raises:
        SimulationError: one is; the message names the first.
    """
    for joint in character.joints:
        for link in (character.links[joint.parent], character.links[joint.child]):
            found = yielding(link, joint)
            if not found <= MOST_YIELDING:
                raise SimulationError(
                    f"the engine cannot simulate {character.name}: a newton at the joint '{joint.name}' would "
                    f"accelerate the link '{link.name}' by {found:.2g} m/s2, and {MOST_YIELDING:g} is the most; "
                    "give the link more mass or size, or put the joint nearer to it"
                )


def yielding(link: Link, joint: Joint) -> float:
    """Acceleration of a free link by a unit force at the joint or a unit torque, the greater of the two, SI units."""
    if link.mass <= 0.0 or link.inertia <= 0.0:  # the product of tiny sizes may be nothing at all
        return float("inf")
    lever = (joint.x - link.x) ** 2 + (joint.y - link.y) ** 2
    return max(1.0 / link.mass + lever / link.inertia, 1.0 / link.inertia)
