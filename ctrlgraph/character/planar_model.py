"""Planar characters as immutable data, in the reference pose.

World frame: x forward, y up. In the reference pose, the character stands upright with its soles at y = 0. Angles are
positive clockwise, so a thigh raised forward has a negative hip angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ctrlgraph.character.model import Character, Joint, Link
from ctrlgraph.errors import CtrlGraphError

PLANAR = "planar"
"""Value of `Character.morphology` for characters that move in a vertical plane."""


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """A circle that is fixed to a link and can touch the terrain."""

    x: float
    """Forward distance of the circle's centre from the link's centre of mass in the reference pose, m."""
    y: float
    """Height of the circle's centre above the link's centre of mass in the reference pose, m."""
    radius: float
    """Radius of the circle, m."""


@dataclass(frozen=True, slots=True)
class PlanarLink(Link):
    """A rigid link of a planar character, with its mass, size and contact circles, in the reference pose."""

    inertia: float
    """Moment of inertia about the centre of mass, in the plane of motion, kg m^2."""
    x: float
    """Forward position of the centre of mass in the reference pose, m."""
    y: float
    """Height of the centre of mass in the reference pose, m."""
    height: float
    """Vertical size in the reference pose, m."""
    width: float
    """Horizontal size in the reference pose, m."""
    contacts: tuple[ContactPoint, ...]
    """Circles with which the link touches the ground; empty if it passes through the ground."""


@dataclass(frozen=True, slots=True)
class PlanarJoint(Joint):
    """A hinge between two links of a planar character.

    Its angle is that of the child relative to the parent, clockwise. A positive torque turns the child clockwise.
    """

    x: float
    """Forward position of the hinge in the reference pose, m."""
    y: float
    """Height of the hinge in the reference pose, m."""


@dataclass(frozen=True)
class PlanarCharacter(Character):
    """A character that moves in a vertical plane."""

    morphology: ClassVar[str] = PLANAR
    links: tuple[PlanarLink, ...]
    joints: tuple[PlanarJoint, ...]


def require_planar(character: Character, feature: str, instead: str = "") -> PlanarCharacter:
    """Return the character after a check that it is planar.

    Args:
        character: character to check.
        feature: what needs a planar character, as the singular subject of the message.
        instead: what to do with a character in space instead, for the message; empty if there is nothing.

    Raises:
        CtrlGraphError: the character moves in space.
    """
    if not isinstance(character, PlanarCharacter):
        fault = f"{feature} needs a planar character, but {character.name} moves in space"
        raise CtrlGraphError(f"{fault}: {instead}" if instead else fault)
    return character
