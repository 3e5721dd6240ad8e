"""Spatial characters as immutable data, in the reference pose.

World frame: x forward, y to the left, z up. Rotations are unit quaternions (w, x, y, z), and angles are positive
anticlockwise about their axis.

The frame of a link has its origin at the link's centre of mass. Its axes are those of the file that the character was
read from. A link moves relative to its parent by the joints whose child it is, in the order of `Character.joints`: one
joint is a hinge, two are a universal joint, three are a ball joint (with its angles about successive axes), and none is
only possible for the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ctrlgraph.character.model import Character, Joint, Link, Roles

SPATIAL = "spatial"
"""Value of `Character.morphology` for characters that move in space."""

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

Color = tuple[float, float, float, float]
"""Red, green, blue and opacity, from 0 to 1."""

UNROTATED: Quaternion = (1.0, 0.0, 0.0, 0.0)
"""Quaternion of no rotation."""

DEFAULT_COLOR: Color = (0.6, 0.6, 0.65, 1.0)
"""Color of shapes for which a file states none."""

ShapeKind = Literal["sphere", "capsule", "box", "cylinder", "ellipsoid", "mesh"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A solid that is fixed to a link. Its axis of symmetry is its z axis."""

    kind: ShapeKind
    size: Vector
    """Sphere: radius, 0, 0. Capsule and cylinder: radius, half the length of the axis (without caps), 0. Box and
    ellipsoid: half the sizes along x, y and z. Mesh: scale along x, y and z. All in m except the scale."""
    position: Vector
    """Centre from the link's centre of mass, in the frame of the link, m."""
    orientation: Quaternion = UNROTATED
    """Rotation from the frame of the shape to the frame of the link."""
    collides: bool = True
    """Whether the shape can touch the ground and other links. If not, it is only drawn."""
    color: Color = DEFAULT_COLOR
    """Color for pictures."""
    mesh: str = ""
    """Name of the mesh in `SpatialCharacter.meshes`, for shapes of the kind "mesh"; these do not collide."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """A triangulated surface of a link, only for pictures."""

    vertices: tuple[Vector, ...]
    """Positions of the corners, m."""
    triangles: tuple[tuple[int, int, int], ...]
    """Indices of the corners of each triangle, anticlockwise when seen from outside."""


@dataclass(frozen=True, slots=True)
class SpatialLink(Link):
    """A rigid link of a spatial character."""

    inertia: tuple[float, float, float, float, float, float]
    """Inertia tensor about the centre of mass, in the frame of the link: xx, yy, zz, xy, xz, yz, kg m^2."""
    position: Vector
    """Centre of mass in the reference pose, relative to the parent link's centre of mass, in the parent's frame, m; of
    the root, in the world."""
    orientation: Quaternion
    """Rotation in the reference pose from the frame of the link to the frame of the parent; of the root, to the
    world."""
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class SpatialJoint(Joint):
    """A hinge of a spatial character: one axis of rotation of a link relative to its parent."""

    axis: Vector
    """Unit vector of the axis, in the frame of the child link."""
    anchor: Vector
    """Position of the axis from the child's centre of mass, in the frame of the child link, m."""
    stiffness: float = 0.0
    """Stiffness of the passive spring, N m/rad. It acts in addition to PD control and has no limit."""
    spring_angle: float = 0.0
    """Angle at which the passive spring is relaxed, rad."""
    damping: float = 0.0
    """Passive damping, N m s/rad."""
    armature: float = 0.0
    """Inertia of the rotor, which adds to the diagonal of the mass matrix, kg m^2."""
    friction_loss: float = 0.0
    """Dry friction of the joint, N m."""


@dataclass(frozen=True, slots=True)
class SpatialLeg:
    """A leg of a spatial character, as indices of joints and links."""

    name: str
    """Name such as "front left", or else the name of the leg's foot."""
    hip: tuple[int, ...]
    """Joints between the trunk and the upper leg, from the trunk outward."""
    knee: int
    """Joint below the upper leg."""
    ankles: tuple[int, ...]
    """Joints below the knee, from the knee outward."""
    foot: int
    """Link that touches the ground."""


@dataclass(frozen=True, slots=True)
class SpatialRoles(Roles):
    """Roles of the links of a spatial character."""

    legs: tuple[SpatialLeg, ...] = ()
    """Legs: front before hind, and left before right."""
    spine: tuple[int, ...] = ()
    """Joints between links of the trunk, from the root outward."""
    neck: tuple[int, ...] = ()
    """Joints between the trunk and the head, from the trunk outward."""
    tail: tuple[int, ...] = ()
    """Joints of the tail, from the trunk outward."""


@dataclass(frozen=True, slots=True)
class NamedPose:
    """A pose that the file of a character contains under a name."""

    position: Vector
    """Position of the root link's centre of mass in the world, m."""
    orientation: Quaternion
    """Rotation from the frame of the root link to the world."""
    angles: tuple[float, ...]
    """Angles of the J joints, rad."""


@dataclass(frozen=True)
class SpatialCharacter(Character):
    """A character that moves in space."""

    morphology: ClassVar[str] = SPATIAL
    links: tuple[SpatialLink, ...]
    joints: tuple[SpatialJoint, ...]
    roles: SpatialRoles = SpatialRoles()
    floating: bool = True
    """Whether the root link moves freely. If not, it is fixed to the world in its reference pose."""
    poses: dict[str, NamedPose] = field(default_factory=dict)
    """Poses by name, such as "home": the key frames of a MuJoCo model."""
    excludes: tuple[tuple[int, int], ...] = ()
    """Pairs of links that do not touch each other, as indices in ascending order. Neighbors in the tree are not listed.
    """
    meshes: Mapping[str, Mesh] = field(default_factory=dict)
    """Meshes by name, for pictures. The meshes of a MuJoCo model are read from their files when they are used."""

    @property
    def start_pose(self) -> NamedPose | None:
        """Return the pose in which simulations begin: "home", or the first pose; None without poses."""
        return self.poses.get("home") or next(iter(self.poses.values()), None)
