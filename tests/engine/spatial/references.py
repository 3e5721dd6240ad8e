"""Accurate solutions of the equations of motion of spatial characters in their coordinates."""

from __future__ import annotations

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.spatial.spatial_dynamics import bias_forces
from tests.spatial_trees import SpatialState, SpatialTree


class FixedTree:
    """A character with a fixed root, whose coordinates are the joint angles."""

    def __init__(self, character: SpatialCharacter, gravity: float = 9.81) -> None:
        root = character.links[character.root]
        self._pose, self._gravity = np.array([*root.position, *root.orientation]), gravity
        self._tree, self._bias = SpatialTree(character), np.zeros(len(character.joints))

    def terms(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mass matrix and the bias forces."""
        tree = self._tree.at(SpatialState(self._pose, q, v))
        bias_forces(tree.body, tree.kin, self._gravity, tree.space, self._bias)
        return tree.mass, self._bias.copy()

    def motion(self, q: np.ndarray, v: np.ndarray, dt: float, steps: int) -> np.ndarray:
        """Return the angles after each step of the classical Runge-Kutta method, without torques (steps, J)."""
        out, n = [], len(q)

        def rate(state: np.ndarray) -> np.ndarray:
            mass, bias = self.terms(state[:n], state[n:])
            return np.concatenate([state[n:], np.linalg.solve(mass, -bias)])

        state = np.concatenate([q, v]).astype(float)
        for _ in range(steps):
            a = rate(state)
            b = rate(state + 0.5 * dt * a)
            c = rate(state + 0.5 * dt * b)
            d = rate(state + dt * c)
            state = state + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
            out.append(state[:n])
        return np.array(out)

    def implicit_motor_steps(
        self, q: np.ndarray, v: np.ndarray, kp: float, kd: float, target: np.ndarray, dt: float, steps: int
    ) -> np.ndarray:
        """Return the angles after each step with the PD law at the end of the step (steps, J)."""
        out = []
        for _ in range(steps):
            mass, bias = self.terms(q, v)
            force = kp * (target - q) - (kd + dt * kp) * v - bias
            v = v + dt * np.linalg.solve(mass + dt * (kd + dt * kp) * np.eye(len(q)), force)
            q = q + dt * v
            out.append(q)
        return np.array(out)
