"""Scenes: a character on a terrain in an engine, with everything that depends on its morphology.

`Simulation` runs rollouts, and does not depend on the number of dimensions. A scene has the arrays and functions that
do:
`ctrlgraph.simulation.scenes.planar_scene` in the plane, `ctrlgraph.simulation.scenes.spatial_scene` in space.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ctrlgraph.control.controller import ControllerKind, Surroundings
from ctrlgraph.engine.engine import EngineKernels
from ctrlgraph.engine.loop import Exertion
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.ground_forces import GroundForces
from ctrlgraph.simulation.measures import Conditions, Motion, SpatialMotion
from ctrlgraph.simulation.recording.recorder import Recorder
from ctrlgraph.terrain.terrain import TerrainPreview


class Scene(ABC):
    """A character on a terrain in an engine: the part of a simulation that depends on the morphology.

    The types of the arrays and of the trace depend on the morphology.
    """

    character: Any
    """The character."""
    terrain: Any
    """The ground."""
    body: Any
    """Constants of the character, for kernels."""
    shapes: Any
    """Contact shapes of the character, for kernels."""
    kin: Any
    """State of the character, which the simulation loop updates."""
    contacts: Any
    """Contacts of the last time step."""
    world: Any
    """World of the engine."""
    kernels: EngineKernels
    """Kernels of the engine."""
    exertion: Exertion
    """Sums of forces and work, which the simulation loop updates."""

    @abstractmethod
    def recorder(self, every: int, keep: bool) -> Recorder:
        """Return a new recorder of the motion.

        Args:
            every: time steps between samples.
            keep: whether to keep the motions of all rollouts; otherwise only the last one is kept.
        """

    @property
    def x(self) -> float:
        """Return the forward position of the character's centre of mass, m."""
        return float(self.kin.com[0])

    @property
    def y(self) -> float:
        """Return the position of the character's centre of mass to the left, m; 0 in the plane."""
        return 0.0

    @property
    def heading(self) -> float:
        """Return the direction in which the trunk points, rad, from the x axis to the left; 0 in the plane."""
        return 0.0

    @property
    @abstractmethod
    def height(self) -> float:
        """Return the height of the centre of mass above the terrain without gaps and hurdles, m."""

    @property
    @abstractmethod
    def tilt(self) -> float:
        """Return the angle between the trunk and its upright pose, rad, positive forward."""

    @property
    @abstractmethod
    def preview(self) -> TerrainPreview:
        """Return the slope of the ground below the character and the obstacles ahead of it."""

    @abstractmethod
    def place(self, pose: Mapping[str, float], height: float) -> None:
        """Place the character at rest above the ground.

        Args:
            pose: angles, rad, by name of the joint.
            height: height of the lowest contact shape above the ground, m.

        Raises:
            SimulationError: a name is unknown, or a number is not finite.
        """

    @abstractmethod
    def place_like(self, kinematics: Any) -> None:
        """Set poses and velocities of the world to the state in a snapshot of another engine."""

    @abstractmethod
    def push_array(self, pushes: Sequence[Any]) -> Floats:
        """Return pushes as an array for the simulation loop.

        Raises:
            SimulationError: a push names an unknown link, or is not one for this morphology.
        """

    @abstractmethod
    def limits(self, last_step: int, bounds: Conditions) -> Any:
        """Return the limits that end a rollout early, for the simulation loop.

        Args:
            last_step: time step at which the rollout times out, counted from the simulation's start.
            bounds: range of each measure that is required at all times, by name of the measure.
        """

    @abstractmethod
    def motion(self, trace: Any, gravity: float) -> Motion | SpatialMotion:
        """Return a recorded motion with the character and the ground, from which measures are computed.

        Args:
            trace: the recorded motion of at least one sample.
            gravity: acceleration of gravity, m/s^2.
        """

    @abstractmethod
    def capture_excess(self, gravity: float) -> float | None:
        """Return how far the capture point is ahead of the feet, m; see `fall_prediction`. `gravity` is in m/s^2."""

    @abstractmethod
    def forces(self) -> GroundForces:
        """Return the forces of the ground on the links in the last time step."""

    @abstractmethod
    def loop(self, kind: ControllerKind[Any, Any, Any]) -> Callable[..., int]:
        """Return the compiled simulation loop for controllers of a kind."""

    @property
    @abstractmethod
    def ground(self) -> tuple[Any, ...]:
        """Return the arguments of the simulation loop that describe the ground."""

    @property
    def surroundings(self) -> Surroundings:
        """Return the parts of the scene that controllers can read besides the state."""
        return Surroundings(self.shapes, self.terrain)
