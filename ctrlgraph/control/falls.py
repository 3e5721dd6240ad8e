"""The definition of a fall, shared by script exits, corrective edges, experiments and Gymnasium environments."""

from __future__ import annotations

FALLEN_TORSO = 0.8
"""Tilt of the trunk from upright at which a character has fallen, rad, wrapped."""

FALLEN_COM_HEIGHT = 0.55
"""Height of the centre of mass over the terrain below which a humanoid has fallen, m."""

FALLEN_HEIGHT_SHARE = 0.6
"""Fall threshold for characters of any size, as a fraction of the initial height of the centre of mass."""


def is_tilted(torso: float) -> bool:
    """Return whether a tilt of the trunk (rad, wrapped) is that of a fallen character."""
    return abs(torso) >= FALLEN_TORSO


def has_fallen(torso: float, com_height: float, lowest: float = FALLEN_COM_HEIGHT) -> bool:
    """Return whether a character has fallen or is falling.

    Args:
        torso: tilt of the trunk, rad, wrapped.
        com_height: height of the centre of mass over the terrain, m.
        lowest: height below which the character has fallen, m.
    """
    return is_tilted(torso) or com_height < lowest
