"""The definition of a fall, shared by script exits, corrective edges, experiments and Gymnasium environments."""

from __future__ import annotations

FALLEN_TORSO = 0.8
"""Tilt of the trunk from upright, forward or backward, from which on a character has fallen, rad."""

FALLEN_COM_HEIGHT = 0.55
"""Height of the centre of mass over the terrain below which a humanoid has fallen, m."""

FALLEN_HEIGHT_SHARE = 0.6
"""Height of the centre of mass below which a character of any size has fallen, as a fraction of its initial height."""


def is_tilted(torso: float) -> bool:
    """Return whether the trunk's angle `torso` (rad, 0 upright, wrapped to half a turn) is that of a fall."""
    return abs(torso) >= FALLEN_TORSO


def has_fallen(torso: float, com_height: float, lowest: float = FALLEN_COM_HEIGHT) -> bool:
    """Return whether a character has fallen or is falling.

    Args:
        torso: angle of the trunk, rad, 0 upright, wrapped to half a turn.
        com_height: height of the centre of mass over the terrain, m.
        lowest: height below which the character has fallen, m.
    """
    return is_tilted(torso) or com_height < lowest
