"""Traces of spatial characters: recorded motions, sampled at a fixed rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.simulation.recording.base_trace import BaseTrace

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character


@dataclass(frozen=True, kw_only=True)
class SpatialTrace(BaseTrace):
    """The motion of a spatial character with L links and J joints: n samples at a fixed rate."""

    AXES: ClassVar[Mapping[str, str]] = {
        "time": "",
        "pose": "link pose",
        "joint_angle": "joint",
        "contact": "link",
        "com": "xyz",
        "com_velocity": "xyz",
        "phase": "",
        "energy": "",
    }

    pose: NDArray[np.float64]
    """(n, L, 7) world position of each link's centre of mass, m, and orientation, a quaternion (w, x, y, z)."""
    joint_angle: NDArray[np.float64]
    """(n, J) joint angles, rad."""

    @property
    def position(self) -> NDArray[np.float64]:
        """Return the world positions of the links' centres of mass, (n, L, 3), m."""
        return self.pose[:, :, :3]

    @property
    def orientation(self) -> NDArray[np.float64]:
        """Return the orientations of the links, quaternions (w, x, y, z), (n, L, 4)."""
        return self.pose[:, :, 3:]

    def joint_angles(self, character: Character) -> NDArray[np.float64]:
        """Return the joint angles, (n, J), rad."""
        return self.joint_angle

    def rotation(self, link: int) -> NDArray[np.float64]:
        """Return the orientation of a link, quaternions (w, x, y, z), (n, 4)."""
        return self.orientation[:, link]
