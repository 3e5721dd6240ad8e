"""Random spatial characters, and their dynamics by our kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial_model import SpatialCharacter, SpatialJoint, SpatialLink
from ctrlgraph.kernels.spatial import spatial_dynamics as dynamics
from ctrlgraph.kernels.spatial import spatial_kinematics as kinematics
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics, spatial_body

GRAVITY = 9.81

TORQUE = TorqueRange.symmetric(100.0)


def random_quaternion(rng: np.random.Generator) -> tuple[float, ...]:
    return unit(rng.normal(size=4))


def unit(vector: np.ndarray) -> tuple[float, ...]:
    return tuple(float(x) for x in vector / np.linalg.norm(vector))


def random_inertia(rng: np.random.Generator, mass: float) -> tuple[float, ...]:
    """Return xx, yy, zz, xy, xz, yz of the inertia of equal masses at random points."""
    points = rng.normal(0.0, 0.15, (8, 3))
    tensor = mass / 8 * (np.eye(3) * (points**2).sum() - points.T @ points)
    return tuple(float(tensor[i, k]) for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def random_axes(rng: np.random.Generator, count: int, perpendicular: bool) -> list[tuple[float, ...]]:
    """Return unit vectors at random, or such that each is perpendicular to the next."""
    axes = [np.array(unit(rng.normal(size=3)))]
    while len(axes) < count:
        axis = rng.normal(size=3)
        if perpendicular:
            axis -= axis @ axes[-1] * axes[-1]
        axes.append(np.array(unit(axis)))
    return [unit(axis) for axis in axes]


def random_tree(
    rng: np.random.Generator, n_links: int, *, floating: bool = True, joints: int = 3, perpendicular: bool = False
) -> SpatialCharacter:
    """Return a tree of links, with 1 to `joints` joints above each link. Links and joints are in random order.

    Args:
        rng: source of randomness.
        n_links: number of links.
        floating: whether the root moves freely.
        joints: greatest number of joints between two links.
        perpendicular: whether successive axes between the same links are perpendicular.
    """
    name = rng.permutation(n_links)  # index of each link in the character, from the root outward
    links: list[Any] = [None] * n_links
    hinges = []
    for i in range(n_links):
        mass = float(rng.uniform(0.5, 5.0))
        links[name[i]] = SpatialLink(
            name=f"link{name[i]}",
            mass=mass,
            inertia=random_inertia(rng, mass),
            position=tuple(rng.normal(0.0, 0.3, 3).tolist()),
            orientation=random_quaternion(rng),
        )
        if i == 0:
            continue
        parent = name[rng.integers(max(0, i - 3), i)]
        axes = random_axes(rng, int(rng.integers(1, joints + 1)), perpendicular)
        hinges.append([(int(parent), int(name[i]), axis) for axis in axes])
    pairs = [hinge for k in rng.permutation(len(hinges)) for hinge in hinges[k]]
    return SpatialCharacter(
        name=f"random tree of {n_links} links",
        links=tuple(links),
        joints=tuple(
            SpatialJoint(
                name=f"joint{j}",
                parent=parent,
                child=child,
                lower=-3.0,
                upper=3.0,
                torque_limit=TORQUE,
                hard_torque_limit=TORQUE,
                kp=100.0,
                kd=10.0,
                axis=axis,
                anchor=tuple(rng.normal(0.0, 0.2, 3).tolist()),
                armature=float(rng.uniform(0.0, 0.1)),
            )
            for j, (parent, child, axis) in enumerate(pairs)
        ),
        link_aliases={},
        joint_aliases={},
        floating=floating,
    )


@dataclass
class SpatialState:
    """Position and velocity of a spatial character, in its coordinates."""

    root: np.ndarray
    """Pose of the root link (7,)."""
    angles: np.ndarray
    """Joint angles (J,), rad."""
    velocity: np.ndarray
    """Velocities (V,): of the root link, if it is floating, and of the joint angles."""


def random_state(rng: np.random.Generator, character: SpatialCharacter) -> SpatialState:
    """Return a random state; a fixed root is in its reference pose."""
    root, n = character.links[character.root], len(character.joints)
    pose = np.array([*root.position, *root.orientation])
    if character.floating:
        pose = np.array([*rng.normal(size=3), *random_quaternion(rng)])
    return SpatialState(pose, rng.uniform(-2.5, 2.5, n), rng.normal(0.0, 2.0, 6 * character.floating + n))


@dataclass
class SpatialTree:
    """The kernels of one character, asked at a state, each answer an array of its own."""

    character: SpatialCharacter
    body: Any = field(init=False)
    kin: Any = field(init=False)
    space: Any = field(init=False)

    def __post_init__(self) -> None:
        links, joints = len(self.character.links), len(self.character.joints)
        self.start = 6 * self.character.floating
        self.n = self.start + joints
        self.body, self.kin = spatial_body(self.character), new_spatial_kinematics(links, joints)
        self.space = dynamics.new_spatial_dynamics_space(links, joints)

    def at(self, state: SpatialState) -> SpatialTree:
        """Compute the kinematics at a state."""
        root = self.body.root
        self.kin.pose[root] = state.root
        self.kin.twist[root] = state.velocity[:6] if self.start else 0.0
        kinematics.place_links(self.body, self.kin, state.angles)
        kinematics.set_velocities(self.body, self.kin, state.velocity[self.start :])
        kinematics.update_com(self.body, self.kin)
        return self

    def _filled(self, function: Any, shape: Any, *arguments: Any) -> np.ndarray:
        out = np.full(shape, np.nan)
        function(self.body, self.kin, *arguments, out)
        return out

    @property
    def poses(self) -> np.ndarray:
        return self.kin.pose.copy()

    @property
    def twists(self) -> np.ndarray:
        return self.kin.twist.copy()

    @property
    def axes(self) -> np.ndarray:
        return self.kin.axis.copy()

    @property
    def places(self) -> np.ndarray:
        return self.kin.place.copy()

    @property
    def com(self) -> np.ndarray:
        return self.kin.com.copy()

    @property
    def momentum(self) -> np.ndarray:
        return self._filled(dynamics.momentum, 6)

    @property
    def angular_momentum(self) -> np.ndarray:
        return self.momentum[3:]

    @property
    def energy(self) -> np.ndarray:
        """Potential and kinetic energy."""
        potential = dynamics.potential_energy(self.body, self.kin, GRAVITY)
        return np.array([potential, dynamics.kinetic_energy(self.body, self.kin)])

    @property
    def mass(self) -> np.ndarray:
        return self._filled(dynamics.mass_matrix, (self.n, self.n), self.space)

    @property
    def bias(self) -> np.ndarray:
        return self._filled(dynamics.bias_forces, self.n, GRAVITY, self.space)

    def forces(self, acceleration: np.ndarray) -> np.ndarray:
        return self._filled(dynamics.inverse_dynamics, self.n, acceleration, GRAVITY, self.space)

    def jacobians(self, link: int, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the linear and the angular Jacobian of a point of a link."""
        linear = np.full((3, self.n), np.nan)
        angular = self._filled(dynamics.point_jacobian, (3, self.n), link, tuple(point.tolist()), linear)
        return linear, angular

    @property
    def com_jacobian(self) -> np.ndarray:
        return self._filled(dynamics.com_jacobian, (3, self.n), self.space)
