"""Dynamics of a character by our kernels and by MuJoCo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.yaml_reader import load_character, parse_character
from ctrlgraph.engine.mujoco.model import build
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings
from ctrlgraph.kernels.planar import dynamics
from ctrlgraph.kernels.planar.arrays import body_arrays, new_kinematics

ROOT = Path(__file__).resolve().parent.parent
GRAVITY = 9.81

# A point-footed biped that hangs from a shank; its joints are not in the order in which they hang on each other.
FROM_A_SHANK = """
name: from-a-shank
gains: {kp: 100, kd: 10}
links:
  rShank: {mass: 5.1,   size: [.4, .08],   at: [0, .2],    contacts: [[0, -.19, .01]]}
  rThigh: {mass: 10.84, size: [.4, .12],   at: [.01, .65], contacts: []}
  torso:  {mass: 19.12, size: [.625, .2],  at: [0, 1.04],  contacts: []}
  lThigh: {mass: 10.84, size: [.4, .12],   at: [0, .69],   contacts: []}
  lShank: {mass: 5.1,   size: [.38, .08],  at: [-.02, .16], contacts: [[0, -.15, .01]]}
joints:
  lKnee: {parent: lThigh, child: lShank, at: [0, .4], limits: [0, 2.5],     torque: [300, 300]}
  lHip:  {parent: torso,  child: lThigh, at: [0, .8], limits: [-2, 1.5],    torque: [300, 300]}
  rKnee: {parent: rShank, child: rThigh, at: [0, .4], limits: [-2.5, 0],    torque: [300, 300]}
  rHip:  {parent: rThigh, child: torso,  at: [0, .8], limits: [-1.5, 2],    torque: [300, 300]}
"""


def characters() -> list[Character]:
    """Return the shipped humanoid, the shipped biped, and five links that hang from a shank."""
    return [
        load_character(ROOT / "characters" / "humanoid.yaml"),
        load_character(ROOT / "projects" / "biped" / "characters" / "biped.yaml"),
        parse_character(FROM_A_SHANK),
    ]


@dataclass
class Dynamics:
    """The kernels of one character, asked at a state (q, v), each answer an array of its own."""

    character: Character
    body: Any = field(init=False)
    tree: Any = field(init=False)
    kin: Any = field(init=False)
    space: Any = field(init=False)

    def __post_init__(self) -> None:
        links, joints = len(self.character.links), len(self.character.joints)
        self.n = 3 + joints
        self.body, self.tree = body_arrays(self.character), dynamics.tree_of(self.character)
        self.kin, self.space = new_kinematics(links, joints), dynamics.new_dynamics_space(links, joints)

    @property
    def _given(self) -> tuple[Any, ...]:
        return self.body, self.tree, self.kin

    def at(self, q: np.ndarray, v: np.ndarray) -> Dynamics:
        dynamics.place(self.body, self.tree, q, v, self.kin)
        return self

    def _filled(self, function: Any, shape: Any, *arguments: Any) -> np.ndarray:
        out = np.full(shape, np.nan)
        function(*self._given, *arguments, self.space, out)
        return out

    def mass(self) -> np.ndarray:
        return self._filled(dynamics.mass_matrix, (self.n, self.n))

    def bias(self, gravity: float = GRAVITY) -> np.ndarray:
        return self._filled(dynamics.bias_forces, self.n, gravity)

    def forces(self, acceleration: np.ndarray, gravity: float = GRAVITY) -> np.ndarray:
        return self._filled(dynamics.inverse_dynamics, self.n, acceleration, gravity)

    def point(self, link: int, x: float, y: float) -> np.ndarray:
        return self._filled(dynamics.point_jacobian, (2, self.n), link, x, y)

    def point_bias(self, link: int, x: float, y: float) -> np.ndarray:
        return self._filled(dynamics.point_bias, 2, link, x, y)

    def com(self) -> np.ndarray:
        return self._filled(dynamics.com_jacobian, (2, self.n))

    def com_bias(self) -> np.ndarray:
        return self._filled(dynamics.com_bias, 2)

    def turn(self, link: int) -> np.ndarray:
        return self._filled(dynamics.link_angle_jacobian, self.n, link)

    def energy(self, gravity: float = GRAVITY) -> float:
        """Kinetic and potential, from the links and not from the mass matrix."""
        mass, inertia = self.body.mass, self.tree.inertia
        moving = mass @ (self.kin.link[:, 3:5] ** 2).sum(axis=1) + inertia @ self.kin.link[:, 5] ** 2
        return float(0.5 * moving + gravity * mass @ self.kin.link[:, 1])


class Mujoco:
    """MuJoCo's answers about the same character, in our coordinates."""

    def __init__(self, character: Character) -> None:
        self._built = build(character, MujocoSettings(gravity=GRAVITY))
        self._model, self._data = self._built.model, mujoco.MjData(self._built.model)
        self._dofs = np.r_[0, 1, 2, self._built.dof]
        self._root = int(self._built.body[character.root])

    def at(self, q: np.ndarray, v: np.ndarray) -> Mujoco:
        self._data.qpos[self._dofs], self._data.qvel[self._dofs] = q, v
        mujoco.mj_forward(self._model, self._data)
        return self

    def mass(self) -> np.ndarray:
        full = np.zeros((self._model.nv, self._model.nv))
        mujoco.mj_fullM(self._model, self._data, full)
        return full[np.ix_(self._dofs, self._dofs)]

    def bias(self) -> np.ndarray:
        return self._data.qfrc_bias[self._dofs]

    def point(self, link: int, x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians of a link's point (2, N) and angle (N,)."""
        moved, turned = np.zeros((3, self._model.nv)), np.zeros((3, self._model.nv))
        mujoco.mj_jac(self._model, self._data, moved, turned, np.array([x, 0.0, y]), int(self._built.body[link]))
        return moved[[0, 2]][:, self._dofs], turned[1][self._dofs]

    def com(self) -> np.ndarray:
        found = np.zeros((3, self._model.nv))
        mujoco.mj_jacSubtreeCom(self._model, self._data, found, self._root)
        return found[[0, 2]][:, self._dofs]


def random_state(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates anywhere within ten metres and a turn, and velocities of a fall."""
    q, v = rng.uniform(-3.0, 3.0, n), rng.normal(0.0, 4.0, n)
    q[:2] = rng.uniform(-10.0, 10.0, 2)
    return q, v


def runge_kutta(rate: Callable[[np.ndarray], np.ndarray], state: np.ndarray, h: float) -> np.ndarray:
    """Return a state after a time h, by one classical Runge-Kutta step."""
    k1 = rate(state)
    k2 = rate(state + h / 2 * k1)
    k3 = rate(state + h / 2 * k2)
    k4 = rate(state + h * k3)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
