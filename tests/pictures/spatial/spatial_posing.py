"""Synthetic spatial motions for the tests of pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.files import load_character
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial_model import Shape, SpatialCharacter, SpatialJoint, SpatialLink, SpatialRoles
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure
from ctrlgraph.pictures.spatial.spatial_renderer import SpatialRenderer
from ctrlgraph.pictures.spatial.spatial_view import view_of
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial import SpatialTerrain

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

QUADRUPED = Path(__file__).parents[3] / "projects" / "quadruped" / "characters" / "quadruped.xml"
RADIUS = 0.1
NO_ROLES = SpatialRoles()


def quadruped() -> SpatialCharacter:
    """Return the shipped quadruped."""
    character = load_character(QUADRUPED)
    assert isinstance(character, SpatialCharacter)
    return character


def linked(shapes: Sequence[Shape], roles: SpatialRoles = NO_ROLES, **options: object) -> SpatialCharacter:
    """A character with a link for each shape, all joined to the first."""
    torque = TorqueRange.symmetric(1.0)
    inertia = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    links = [
        SpatialLink(f"link{i}", 1.0, inertia, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (shape,))
        for i, shape in enumerate(shapes)
    ]
    joints = [
        SpatialJoint(
            f"joint{i}", 0, i, -1.0, 1.0, torque, torque, 1.0, 1.0, axis=(0.0, 1.0, 0.0), anchor=(0.0, 0.0, 0.0)
        )
        for i in range(1, len(links))
    ]
    parts = {"links": tuple(links), "joints": tuple(joints), "link_aliases": {}, "joint_aliases": {}}
    return SpatialCharacter(name="balls", roles=roles, **parts, **options)


def balls(count: int, roles: SpatialRoles = NO_ROLES) -> SpatialCharacter:
    """A character of balls."""
    return linked([Shape("sphere", (RADIUS, 0.0, 0.0), (0.0, 0.0, 0.0))] * count, roles)


def at(*places: Sequence[float]) -> Array:
    """Poses of unrotated links at these places."""
    return np.array([[*place, 1.0, 0.0, 0.0, 0.0] for place in places])


class Shot:
    """A picture from the origin's direction, 400 pixels per m."""

    def __init__(
        self, character: SpatialCharacter, pose: Array, view: str, terrain: SpatialTerrain | None = None
    ) -> None:
        self.view, self.size, self.scale = view_of(view), (400, 300), 0.0025
        renderer = SpatialRenderer(self.size, SpatialFigure.of(character), terrain, self.view)
        self.picture = renderer.draw(pose, np.zeros(3), self.scale, np.zeros(3), (2.0, 3.0))

    def color(self, x: float, y: float, z: float) -> list[int]:
        """Return the color at the place of a point of the world."""
        right, up, _ = self.view.axes @ (x, y, z) / self.scale
        return self.picture[int(self.size[1] / 2 - up), int(self.size[0] / 2 + right)].tolist()


def of_trunk(picture: Picture) -> NDArray[np.bool_]:
    """Return the pixels of links of the trunk, which alone are bluish."""
    return picture[:, :, 2].astype(int) > picture[:, :, 0].astype(int) + 5


def moving(character: SpatialCharacter, seconds: float, pose: Callable[[float], tuple[Sequence[float], Array]],
           touching: Callable[[float], Sequence[int]] = lambda t: ()) -> SpatialTrace:  # fmt: skip
    """A trace at 50 Hz.

    Args:
        character: Character.
        seconds: Duration, s.
        pose: Position and quaternion of the root, and the joint angles, over time.
        touching: Indices of the links that touch the ground, over time.
    """
    body, kin = spatial_body(character), new_spatial_kinematics(len(character.links), len(character.joints))
    time = np.arange(0.0, seconds + 1e-9, 0.02)
    poses, contact = [], np.zeros((len(time), len(character.links)), bool)
    for i, t in enumerate(time.tolist()):
        root, angles = pose(t)
        kin.pose[body.root] = root
        place_links(body, kin, angles)
        poses.append(kin.pose.copy())
        contact[i, list(touching(t))] = True
    com = np.average(np.array(poses)[:, :, :3], axis=1, weights=body.mass)
    n, joints = len(time), len(character.joints)
    return SpatialTrace(
        time=time, pose=np.array(poses), joint_angle=np.zeros((n, joints)), contact=contact, com=com,
        com_velocity=np.zeros((n, 3)), phase=np.zeros(n, np.int64), energy=np.zeros(n),
    )  # fmt: skip


def trotting(seconds: float, speed: float = 0.5, turn: float = 0.0) -> SpatialTrace:
    """Something like a trot of the quadruped, on a curve that turns by `turn` rad/s."""
    character = quadruped()
    home, legs = character.start_pose, character.roles.legs
    assert home is not None

    def lifted(t: float) -> Array:
        return np.maximum(np.sin(2 * np.pi * 1.6 * t + np.pi * np.array([0, 1, 1, 0])), 0.0)

    def pose(t: float) -> tuple[Sequence[float], Array]:
        angles = np.array(home.angles)
        for leg, up in zip(legs, lifted(t), strict=True):
            angles[[leg.hip[1], leg.knee]] += (0.4 * up, -0.7 * up)
        heading = turn * t
        x, y = (
            (speed * t, 0.0) if turn == 0.0 else (speed * np.sin(heading) / turn, speed * (1 - np.cos(heading)) / turn)
        )
        return (x, y, home.position[2], np.cos(heading / 2), 0.0, 0.0, np.sin(heading / 2)), angles

    return moving(
        character, seconds, pose, lambda t: [leg.foot for leg, up in zip(legs, lifted(t), strict=True) if up < 0.1]
    )
