"""Programs and loops that several tests of engines share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ctrlgraph.character.model import Character, TorqueRange
from ctrlgraph.engine.loop import STILL_RUNNING
from ctrlgraph.kernels.arrays import copy_arrays
from ctrlgraph.kernels.planar.arrays import new_kinematics
from ctrlgraph.kernels.planar.collision import find_contacts, new_contacts, shapes_of
from ctrlgraph.kernels.planar.kinematics import update_joints
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.terrain.terrain import Terrain


def thrashing(handmade, seed: int = 3, kp: float = 400.0, kd: float = 40.0):
    """A program that throws every joint to random angles, five times a second."""
    rng = np.random.default_rng(seed)
    joints = handmade.character.joints
    phases = [
        handmade.phase(
            [handmade.act("POSE", j.name, rng.uniform(j.lower, j.upper), kp, kd) for j in joints],
            [handmade.to((k + 1) % 6, "TIME", 0.2)],
        )
        for k in range(6)
    ]
    return handmade.program(*phases)


def weaker_one_way(character: Character, share: float) -> Character:
    """The character with a share of every other joint's strength anticlockwise, of the others' clockwise."""
    factors = [(share, 1.0), (1.0, share)]
    joints = [
        replace(
            joint,
            torque_limit=TorqueRange(*np.multiply(joint.torque_limit, factors[j % 2]).tolist()),
            hard_torque_limit=TorqueRange(*np.multiply(joint.hard_torque_limit, factors[j % 2]).tolist()),
        )
        for j, joint in enumerate(character.joints)
    ]
    return replace(character, joints=tuple(joints))


def run_steps(simulation, program, steps: int):
    """Run a number of steps, giving control after each."""
    dt = simulation.settings.dt
    for _ in range(steps):
        yield simulation.run(program, timeout=dt)


def place(simulation, links) -> None:
    """Put the links at poses and velocities (L, 6), and let the simulation see them."""
    simulation._world.place(links)
    simulation._library.kernels.observe(simulation._world.data, simulation._kin)
    update_joints(simulation._body, simulation._kin)


def stepped(simulation, program, steps: int):
    """Run a number of steps, giving control after each: the kinematics and contacts are those that the step began with,
    the forces those that it had, and the world is at its end."""
    execution = simulation.begin(Rollout(program, timeout=(steps + 1) * simulation.settings.dt))
    for _ in range(steps):
        assert simulation.advance(execution, 1) == STILL_RUNNING
        yield simulation


def links_now(simulation) -> np.ndarray:
    """Poses and velocities of the links (L, 6) at the end of the last step."""
    kin = copy_arrays(simulation._kin)
    simulation._library.kernels.observe(simulation._world.data, kin)
    return kin.link


def contacts_at(character: Character, terrain: Terrain, x: float, y: float, angle: float = 0.0) -> np.ndarray:
    """Return the contacts (n, 5) of the first link alone at (x, y), turned clockwise by `angle`."""
    kin, found = new_kinematics(len(character.links), len(character.joints)), new_contacts()
    kin.link[0, :3], kin.link[1:, 1] = (x, y, angle), 100.0
    kin.turn[:, 0], kin.turn[:, 1] = np.cos(kin.link[:, 2]), np.sin(kin.link[:, 2])
    find_contacts(kin, shapes_of(character), terrain.x, terrain.y, found)
    return found.geometry[: found.filled[0]].copy()
