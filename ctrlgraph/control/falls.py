"""The definition of a fall, shared by script exits, corrective edges, experiments and Gymnasium environments."""

from __future__ import annotations

FALLEN_TORSO = 0.8
"""Tilt of the trunk from upright, forward or backward, rad. At this tilt or more, a character counts as fallen."""

FALLEN_COM_HEIGHT = 0.55
"""Height of a humanoid's centre of mass above the terrain, m. Below this height, the humanoid counts as fallen."""

FALLEN_HEIGHT_SHARE = 0.6
"""Fall threshold: height of the centre of mass above the terrain, as a fraction of its initial height.

Below this height, the character counts as fallen.
"""


def is_tilted(torso: float) -> bool:
    """Return whether the trunk is tilted so far that the character counts as fallen.

    Args:
        torso: angle of the trunk, rad, 0 upright, wrapped to (-pi, pi].
    """
    return abs(torso) >= FALLEN_TORSO


def has_fallen(torso: float, com_height: float, lowest: float = FALLEN_COM_HEIGHT) -> bool:
    """Return whether a character counts as fallen: its trunk is tilted too far or its centre of mass is too low.

    Args:
        torso: angle of the trunk, rad, 0 upright, wrapped to (-pi, pi].
        com_height: height of the centre of mass above the terrain, m.
        lowest: height of the centre of mass below which the character counts as fallen, m.
    """
    return is_tilted(torso) or com_height < lowest
