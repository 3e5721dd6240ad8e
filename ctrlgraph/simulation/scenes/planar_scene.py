"""Scenes of planar characters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.engine.engine import EngineLibrary
from ctrlgraph.engine.planar_loop import compiled_loop
from ctrlgraph.engine.planar_pushes import Push, push_array
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.planar.arrays import Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.collision import MAX_CONTACTS, new_contacts, shapes_of
from ctrlgraph.kernels.planar.kinematics import update_joints
from ctrlgraph.simulation.fall_prediction import capture_excess
from ctrlgraph.simulation.ground_forces import GroundForces, ground_forces
from ctrlgraph.simulation.measures import Conditions, Motion
from ctrlgraph.simulation.recording.planar_samples import new_samples, trace_of
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.recording.recorder import Recorder, zero_exertion
from ctrlgraph.simulation.scenes.planar_placement import clearance, posed
from ctrlgraph.simulation.scenes.scene import Scene
from ctrlgraph.simulation.snapshot import overwrite_arrays
from ctrlgraph.simulation.success import limits_of
from ctrlgraph.terrain.terrain import Terrain, TerrainPreview


class PlanarScene(Scene):
    """A planar character on a terrain."""

    character: PlanarCharacter
    terrain: Terrain

    def __init__(
        self, character: PlanarCharacter, terrain: Terrain, library: EngineLibrary, settings: WorldSettings
    ) -> None:
        """
        Args:
            character: the character.
            terrain: the ground.
            library: the engine.
            settings: settings of the engine.

        Raises:
            SimulationError: the engine cannot simulate the character.
        """
        self.character, self.terrain = character, terrain
        self.body, self.shapes = body_arrays(character), shapes_of(character)
        self.world = library.open(character, settings, terrain, MAX_CONTACTS)
        self.kernels = library.kernels
        self.kin = new_kinematics(len(character.links), len(character.joints))
        self.contacts = new_contacts()
        self.exertion = zero_exertion(len(character.links), 2, self.world.commands.applied, settings.dt)

    def recorder(self, every: int, keep: bool) -> Recorder:
        """Return a new recorder of the motion, which keeps one sample in `every` time steps."""
        return Recorder(self.exertion, every, keep, new_samples, trace_of)

    @property
    def height(self) -> float:
        """Return the height of the centre of mass above the terrain without gaps and hurdles, m."""
        return float(self.kin.com[1] - self.terrain.bridged.height(self.x))

    @property
    def tilt(self) -> float:
        """Return the angle between the trunk and its upright pose, rad, positive forward, from -pi to pi."""
        return (float(self.kin.link[self.character.trunk, 2]) + math.pi) % math.tau - math.pi

    @property
    def preview(self) -> TerrainPreview:
        """Return the terrain preview at the position of the centre of mass."""
        return self.terrain.preview(self.x)

    def place(self, pose: Mapping[str, float], height: float) -> None:
        """Place the character at rest on the ground, see `Scene.place`."""
        poses = posed(self.character, self.body, pose)
        poses[:, 1] += height - clearance(poses, self.shapes, self.terrain)
        overwrite_arrays(self.kin, new_kinematics(len(self.character.links), len(self.character.joints)))
        self.world.place(np.hstack([poses, np.zeros_like(poses)]))
        self.kin.link[:, 2] = poses[:, 2]
        self.kernels.observe(self.world.data, self.kin)
        update_joints(self.body, self.kin)

    def place_like(self, kinematics: Kinematics) -> None:
        """Set poses and velocities of the world to the state in a snapshot of another engine."""
        self.world.place(kinematics.link)

    def push_array(self, pushes: Sequence[Push]) -> Floats:
        """Return P pushes as an array (P, 5), see `planar_pushes.push_array`."""
        return push_array(self.character, pushes)

    def limits(self, last_step: int, bounds: Conditions) -> Any:
        """Return the limits that end a rollout early, see `Scene.limits`."""
        return limits_of(last_step, bounds, self.terrain)

    def motion(self, trace: Trace, gravity: float) -> Motion:
        """Return a recorded motion with the character and the ground, see `Scene.motion`."""
        return Motion(trace.without_repeats(), self.character, self.terrain, gravity)

    def capture_excess(self, gravity: float) -> float | None:
        """Return how far the capture point is ahead of the feet, m; see `fall_prediction`."""
        return capture_excess(self.kin, self.shapes, gravity)

    def forces(self) -> GroundForces:
        """Return the forces of the ground on the links in the last time step."""
        n = int(self.contacts.filled[0])
        link, point, force = self.contacts.link[:n], self.contacts.geometry[:n, :2], self.contacts.force[:n]
        return ground_forces(link, point, force, len(self.character.links))

    def loop(self, kind: ControllerKind[Any, Any, Any]) -> Callable[..., int]:
        """Return the compiled simulation loop for controllers of a kind."""
        return compiled_loop(self.kernels, kind)

    @property
    def ground(self) -> tuple[Any, ...]:
        """Return x and y of the points of the terrain."""
        return self.terrain.x, self.terrain.y
