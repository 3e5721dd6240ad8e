"""Traces: recorded planar motions, sampled at a fixed rate. Measures are computed from them, and views show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.arguments import checked
from ctrlgraph.simulation.recording.base_trace import BaseTrace

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character


@dataclass(frozen=True, kw_only=True)
class Trace(BaseTrace):
    """The motion of a planar character with L links and J joints: n samples at a fixed rate.

    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     _ = simulation.run(project.controller("stand"), timeout=0.5)
    ...     trace = simulation.trace
    >>> trace.angle.shape == (len(trace), len(project.character.links))
    True
    """

    AXES: ClassVar[Mapping[str, str]] = {
        "time": "",
        "position": "link xy",
        "angle": "link",
        "contact": "link",
        "com": "xy",
        "com_velocity": "xy",
        "phase": "",
        "energy": "",
    }

    position: NDArray[np.float64]
    """(n, L, 2) world positions x, y of the links' centres of mass, m."""
    angle: NDArray[np.float64]
    """(n, L) global angles of the links, rad, clockwise, unwrapped."""

    @checked
    def joint_angles(self, character: Character) -> NDArray[np.float64]:
        """Return the joint angles (n, J), rad: global angle of the child link minus global angle of the parent link."""
        children = [joint.child for joint in character.joints]
        parents = [joint.parent for joint in character.joints]
        return self.angle[:, children] - self.angle[:, parents]

    def rotation(self, link: int) -> NDArray[np.float64]:
        """Return the angle of a link in the world, (n,), rad."""
        return self.angle[:, link]
