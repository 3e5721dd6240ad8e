"""Spatial characters of a few links, and a bench on which an engine simulates them without a controller."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial_model import Shape, SpatialCharacter, SpatialJoint, SpatialLink
from ctrlgraph.engine.commands import Clock
from ctrlgraph.engine.disturbance import disturbance
from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.engine.spatial_pushes import SpatialPush, spatial_push_array
from ctrlgraph.kernels.arrays import copy_arrays, new_motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import (
    MAX_SPATIAL_CONTACTS,
    new_spatial_contacts,
    new_spatial_kinematics,
    spatial_body,
)
from ctrlgraph.kernels.spatial.spatial_collision import find_spatial_contacts
from ctrlgraph.kernels.spatial.spatial_dynamics import kinetic_energy, momentum
from ctrlgraph.kernels.spatial.spatial_ground import spatial_ground
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, set_velocities, update_com
from ctrlgraph.kernels.spatial.spatial_shapes import spatial_shapes
from ctrlgraph.terrain.spatial import parse_spatial

FREE = 1e3  # limits of joints that do not reach them, rad


def link(
    name: str, mass: float, inertia: Sequence[float], position: Sequence[float] = (0, 0, 0), *shapes: Shape
) -> SpatialLink:
    """Return a link; `inertia` may leave out the three products."""
    tensor = tuple(map(float, (*inertia, 0, 0, 0)[:6]))
    return SpatialLink(name, mass, tensor, tuple(map(float, position)), (1.0, 0.0, 0.0, 0.0), shapes)


def hinge(parent: int, child: int, axis: Sequence[float], anchor: Sequence[float] = (0, 0, 0), **others: Any):
    """Return a joint, which has no limits and no PD control unless `others` give some."""
    torque = TorqueRange.symmetric(others.pop("torque", 1e4))
    fields = {"lower": -FREE, "upper": FREE, "kp": 0.0, "kd": 0.0} | others
    name = f"joint {parent} {child} {axis}"
    axis, anchor = (tuple(map(float, each)) for each in (axis, anchor))
    return SpatialJoint(
        name, parent, child, torque_limit=torque, hard_torque_limit=torque, axis=axis, anchor=anchor, **fields
    )


def character(links: Sequence[SpatialLink], joints: Sequence[SpatialJoint] = (), *, floating: bool = True):
    return SpatialCharacter("body", tuple(links), tuple(joints), {}, {}, floating=floating)


class History(NamedTuple):
    """States of the links, the joints and the centre of mass at N times."""

    pose: np.ndarray
    twist: np.ndarray
    joint: np.ndarray
    com: np.ndarray
    motion: np.ndarray
    """Momentum, angular momentum about the centre of mass, and kinetic energy (N, 7)."""
    applied: np.ndarray
    """Torques of the motors in the step before (N, J)."""
    ground: np.ndarray
    """Sum of the contact forces in the step before (N, 3)."""


def _placeholder(*given: Any) -> Any:
    raise NotImplementedError


IS_BOUNDED = OBSERVE = STEP = HASH_STATE = _placeholder


def _simulate(
    world, commands, dt, body, kin, motors, contacts, clock, disturbance, shapes, ground, every, history
) -> bool:
    for n in range(history.pose.shape[0]):
        for _ in range(every):
            if not IS_BOUNDED(world):
                return False
            OBSERVE(world, kin)
            find_spatial_contacts(kin.pose, shapes, ground, contacts)
            if not STEP(world, dt, body, kin, motors, contacts, clock, disturbance, clock.step[0] * dt):
                return False
            clock.step[0] += 1
            clock.digest[0] = HASH_STATE(world, clock.digest[0])
        OBSERVE(world, kin)
        update_com(body, kin)
        for i in range(kin.pose.shape[0]):
            for k in range(7):
                history.pose[n, i, k] = kin.pose[i, k]
            for k in range(6):
                history.twist[n, i, k] = kin.twist[i, k]
        for j in range(kin.joint.shape[0]):
            history.joint[n, j, 0], history.joint[n, j, 1] = kin.joint[j, 0], kin.joint[j, 1]
            history.applied[n, j] = commands.applied[j]
        momentum(body, kin, history.motion[n])
        history.motion[n, 6] = kinetic_energy(body, kin)
        for k in range(6):
            history.com[n, k] = kin.com[k]
        for k in range(3):
            for c in range(contacts.filled[0]):
                if contacts.other[c] < 0:
                    history.ground[n, k] += contacts.force[c, k]
    return True


@cache
def _loop(name: str) -> Callable[..., bool]:
    """Return `_simulate` for an engine, compiled."""
    kernels = ENGINES[name].load().spatial_kernels
    assert kernels is not None
    parts = {
        "IS_BOUNDED": kernels.is_bounded,
        "OBSERVE": kernels.observe,
        "STEP": kernels.step,
        "HASH_STATE": kernels.hash_state,
    }
    loop = types.FunctionType(_simulate.__code__, {**_simulate.__globals__, **parts}, f"bench_{name}")
    loop.__qualname__, loop.__module__ = f"bench_{name}", __name__
    return kernel(loop, calls=tuple(parts.values()))


class Bench:
    """A character on a terrain in an engine. Its motors hold `motors.target` with the character's gains."""

    def __init__(
        self,
        engine: str,
        character: SpatialCharacter,
        terrain: str = "flat",
        *,
        friction: float = 1.0,
        pushes: Sequence[SpatialPush] = (),
        delay: float = 0.0,
        **settings: Any,
    ) -> None:
        self.engine, self.character = engine, character
        self.library = ENGINES[engine].load()
        self.settings = ENGINES[engine].settings(**settings)
        n_links, n_joints = len(character.links), len(character.joints)
        ground = parse_spatial(terrain, friction)
        self.world = self.library.open_spatial(character, self.settings, ground, MAX_SPATIAL_CONTACTS)
        self.seed = 0
        self.body, self.kin = spatial_body(character), new_spatial_kinematics(n_links, n_joints)
        self.motors = new_motors(n_joints)
        self.motors.kp[:], self.motors.kd[:] = self.body.gains.T
        self.motors.limit[:] = self.body.torque[:, 0]
        self.contacts, self.shapes, self.ground = (
            new_spatial_contacts(),
            spatial_shapes(character),
            spatial_ground(ground),
        )
        self.clock = Clock(np.zeros(1, np.int64), np.zeros(1), np.zeros(2), np.zeros(1, np.uint64))
        rows = spatial_push_array(character, pushes)
        self.disturbance = disturbance(n_joints, self.settings.dt, rows, None, delay)

    @property
    def time(self) -> float:
        return self.settings.dt * int(self.clock.step[0])

    def place(
        self, position=None, orientation=None, velocity=(0, 0, 0), spin=(0, 0, 0), angles=None, rates=None
    ) -> Bench:
        """Place the character: the root where it is in the reference pose and all joints at 0, unless given."""
        body, kin, n_joints, root = self.body, self.kin, len(self.character.joints), self.body.root
        kin.pose[root, :3] = body.offset[root] if position is None else position
        kin.pose[root, 3:] = body.rest[root] if orientation is None else orientation
        kin.twist[root] = *velocity, *spin
        angles, rates = (np.zeros(n_joints) if each is None else np.array(each, float) for each in (angles, rates))
        place_links(body, kin, angles)
        set_velocities(body, kin, rates)
        self.world.place(kin.pose.copy(), kin.twist.copy(), angles, rates)
        return self

    def snapshot(self) -> tuple[Any, ...]:
        """Return a copy of the state: the engine, the kinematics (ODE counts turns from them) and the clock."""
        return self.world.bodies(), copy_arrays(self.kin), copy_arrays(self.clock), self.seed

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Restore a state that `snapshot` has returned."""
        bodies, kin, clock, self.seed = snapshot
        self.world.load(bodies)
        for now, then in ((self.kin, kin), (self.clock, clock)):
            for array, values in zip(now, then, strict=True):
                array[:] = values

    def now(self) -> History:
        """Return the present state, with one row."""
        return self._record(1, 0)

    def run(self, duration: float, every: int = 1) -> History:
        """Simulate for a time, and return every n-th state."""
        return self._record(round(duration / self.settings.dt / every), every)

    def _record(self, n: int, every: int) -> History:
        history = self._history(n)
        assert self._simulate(every, history)
        return history

    def done_after(self, duration: float) -> bool:
        """Simulate for a time, and return whether the engine has made all steps."""
        return self._simulate(round(duration / self.settings.dt), self._history(1))

    def _history(self, n: int) -> History:
        n_links, n_joints = len(self.character.links), len(self.character.joints)
        shapes = ((n_links, 7), (n_links, 6), (n_joints, 2), (6,), (7,), (n_joints,), (3,))
        return History(*(np.zeros((n, *shape)) for shape in shapes))

    def _simulate(self, every: int, history: History) -> bool:
        self.world.seed(self.seed)
        done = _loop(self.engine)(
            self.world.data,
            self.world.commands,
            self.settings.dt,
            self.body,
            self.kin,
            self.motors,
            self.contacts,
            self.clock,
            self.disturbance,
            self.shapes,
            self.ground,
            every,
            history,
        )
        self.seed = self.world.seed_now()
        return done
