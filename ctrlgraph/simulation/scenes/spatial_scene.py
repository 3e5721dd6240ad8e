"""Scenes of spatial characters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.engine.engine import EngineLibrary
from ctrlgraph.engine.spatial_loop import SpatialLimits, compiled_spatial_loop, spatial_heading, spatial_tilt
from ctrlgraph.engine.spatial_pushes import spatial_push_array
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import SimulationError, near_names
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.spatial.spatial_arrays import (
    MAX_SPATIAL_CONTACTS,
    SpatialKinematics,
    new_spatial_contacts,
    new_spatial_kinematics,
    spatial_body,
)
from ctrlgraph.kernels.spatial.spatial_collision import find_spatial_contacts
from ctrlgraph.kernels.spatial.spatial_ground import spatial_ground
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_joints
from ctrlgraph.kernels.spatial.spatial_shapes import spatial_shapes
from ctrlgraph.simulation.ground_forces import GroundForces, ground_forces
from ctrlgraph.simulation.measures import BOUNDS, Conditions
from ctrlgraph.simulation.measures.spatial_motion import SpatialMotion, trunk_axes
from ctrlgraph.simulation.recording.recorder import Recorder, zero_exertion
from ctrlgraph.simulation.recording.spatial_samples import new_spatial_samples, spatial_trace_of
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.simulation.scenes.scene import Scene
from ctrlgraph.simulation.snapshot import overwrite_arrays
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain, in_space
from ctrlgraph.terrain.terrain import Terrain, TerrainPreview

_SEARCH = 40  # bisections of the height at which the character is placed


class SpatialScene(Scene):
    """A spatial character on a terrain."""

    character: SpatialCharacter
    terrain: SpatialTerrain

    def __init__(
        self,
        character: SpatialCharacter,
        terrain: SpatialTerrain | Terrain | None,
        library: EngineLibrary,
        settings: WorldSettings,
    ) -> None:
        """
        Args:
            character: the character.
            terrain: the ground. A planar terrain extends to both sides. None: level ground.
            library: the engine.
            settings: settings of the engine.

        Raises:
            SimulationError: the engine cannot simulate spatial characters, or not this one.
        """
        if library.open_spatial is None or library.spatial_kernels is None:
            raise SimulationError(
                f"the engine {library.kernels.name} simulates planar characters only: use another engine"
            )
        ground = in_space(terrain)
        self.character, self.terrain = character, ground
        self.body, self.shapes = spatial_body(character), spatial_shapes(character)
        self.world = library.open_spatial(character, settings, ground, MAX_SPATIAL_CONTACTS)
        self.kernels = library.spatial_kernels
        self.kin = new_spatial_kinematics(len(character.links), len(character.joints))
        self.contacts = new_spatial_contacts()
        self.exertion = zero_exertion(len(character.links), 3, self.world.commands.applied, settings.dt)
        self._ground = spatial_ground(ground)
        axes = trunk_axes(character)
        self._forward, self._upward = np.ascontiguousarray(axes[:, 0]), np.ascontiguousarray(axes[:, 2])

    def recorder(self, every: int, keep: bool) -> Recorder:
        """Return a new recorder of the motion, which keeps one sample in `every` time steps."""
        return Recorder(self.exertion, every, keep, new_spatial_samples, spatial_trace_of)

    @property
    def y(self) -> float:
        """Return the position of the centre of mass to the left, m."""
        return float(self.kin.com[1])

    @property
    def height(self) -> float:
        """Return the height of the centre of mass above the terrain without gaps and hurdles, m."""
        return float(self.kin.com[2] - self.terrain.bridged.height(self.x, self.y))

    @property
    def tilt(self) -> float:
        """Return the angle between the trunk and its upright pose, rad, from 0 to pi."""
        return float(spatial_tilt(self.kin, self.character.trunk, self._upward))

    @property
    def heading(self) -> float:
        """Return the direction in which the trunk points, rad, anticlockwise from the x axis when seen from above."""
        return float(spatial_heading(self.kin, self.character.trunk, self._forward))

    @property
    def preview(self) -> TerrainPreview:
        """Return the slope below the character in the direction of its heading, and the obstacles ahead."""
        return self.terrain.preview(self.x, self.y, self.heading)

    def place(self, pose: Mapping[str, float], height: float) -> None:
        """Place the character at rest on the ground, above the origin, see `Scene.place`.

        Without a pose, the character gets its start pose. The root has the orientation of the start pose.
        """
        start = self.character.start_pose
        upright = self.character.links[self.character.root].orientation if start is None else start.orientation
        self.place_at(self._angles(pose) if pose or start is None else np.array(start.angles), upright, height)

    def place_at(self, angles: Floats, orientation: Sequence[float], height: float = 0.0) -> None:
        """Place the character at rest, with its root above the origin.

        Args:
            angles: joint angles (J,), rad.
            orientation: rotation from the frame of the root link to the world.
            height: height of the lowest contact shape above the ground, m.
        """
        root = self.character.links[self.character.root]
        overwrite_arrays(self.kin, new_spatial_kinematics(len(self.character.links), len(self.character.joints)))
        self.kin.pose[self.body.root, :3], self.kin.pose[self.body.root, 3:] = root.position, orientation
        if self.character.floating:
            self._raise_to(angles, height)
        place_links(self.body, self.kin, angles)
        self.world.place(self.kin.pose, self.kin.twist, angles, np.zeros_like(angles))
        self.kernels.observe(self.world.data, self.kin)
        update_joints(self.body, self.kin)

    def _raise_to(self, angles: Floats, height: float) -> None:
        """Set the height of the root such that the lowest contact shape is at a height above the ground, m."""
        if not self.shapes.link.size:
            return
        reach = (np.linalg.norm(self.shapes.center, axis=1) + self.shapes.bound).max()
        size = float(reach + np.abs(self.body.offset).sum())
        pose = self.kin.pose[self.body.root]
        low, high = -2.0 * size, 2.0 * size
        base = self.terrain.height(float(pose[0]), float(pose[1]))
        for _ in range(_SEARCH):
            pose[2] = base + (low + high) / 2
            place_links(self.body, self.kin, angles)
            find_spatial_contacts(self.kin.pose, self.shapes, self._ground, self.contacts)
            touches = (self.contacts.other[: self.contacts.filled[0]] < 0).any()
            low, high = ((low + high) / 2, high) if touches else (low, (low + high) / 2)
        pose[2] = base + high + height
        self.contacts.filled[0] = 0

    def _angles(self, pose: Mapping[str, float]) -> Floats:
        angles = np.zeros(len(self.character.joints))
        for name, angle in pose.items():
            index = self.character.joint_index(name)
            if index is None:
                hint = near_names(name, self.character.known_joints, "joints")
                raise SimulationError(f"the character {self.character.name} has no joint '{name}' {hint}")
            if not math.isfinite(angle):
                raise SimulationError(f"the angle of '{name}' must be a finite number in rad, not {angle}")
            angles[index] = angle
        return angles

    def place_like(self, kinematics: SpatialKinematics) -> None:
        """Set poses and velocities of the world to the state in a snapshot of another engine."""
        self.world.place(
            kinematics.pose, kinematics.twist, kinematics.joint[:, 0].copy(), kinematics.joint[:, 1].copy()
        )

    def push_array(self, pushes: Sequence[Any]) -> Floats:
        """Return P pushes as an array (P, 9), see `spatial_pushes.spatial_push_array`."""
        rows: Floats = spatial_push_array(self.character, pushes)
        return rows

    def limits(self, last_step: int, bounds: Conditions) -> SpatialLimits:
        """Return the limits that end a rollout early, see `Scene.limits`."""
        known = [name for name, each in BOUNDS.items() if each.course_in_space is not None]
        unknown = [name for name in bounds if name not in known]
        if unknown:
            raise SimulationError(f"the measure '{unknown[0]}' cannot be a bound in space: use {' or '.join(known)}")
        ranges = {name: np.array(bounds.get(name, (-math.inf, math.inf)), np.float64) for name in known}
        return SpatialLimits(last_step, upward=self._upward, **ranges)

    def motion(self, trace: SpatialTrace, gravity: float) -> SpatialMotion:
        """Return a recorded motion with the character and the ground, see `Scene.motion`."""
        return SpatialMotion(trace.without_repeats(), self.character, self.terrain, gravity)

    def capture_excess(self, gravity: float) -> float | None:
        """Return None: falls are predicted in the plane only."""
        return None

    def forces(self) -> GroundForces:
        """Return the forces of the ground on the links in the last time step."""
        n = int(self.contacts.filled[0])
        ground = self.contacts.other[:n] < 0
        link, point, force = (a[:n][ground] for a in (self.contacts.link, self.contacts.point, self.contacts.force))
        return ground_forces(link, point, force, len(self.character.links))

    def loop(self, kind: ControllerKind[Any, Any, Any]) -> Callable[..., int]:
        """Return the compiled simulation loop for controllers of a kind."""
        return compiled_spatial_loop(self.kernels, kind)

    @property
    def ground(self) -> tuple[Any, ...]:
        """Return the ground as arrays."""
        return (self._ground,)
