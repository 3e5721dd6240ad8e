"""Planar motions as MuJoCo models: the character, the ground, and key frames.

Z is up, X forward; metres, radians, seconds. The root's joints are two slides and a hinge: x and height of the root
link's centre of mass, and its angle, clockwise. Hinges have the names of the joints. A key frame has `time`, `qpos` and
`qvel`: `mujoco.mj_resetDataKeyframe(model, data, k)` restores the pose.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from ctrlgraph.character.mjcf.writer import model_element
from ctrlgraph.character.model import Character
from ctrlgraph.export.ground_below import ground_below
from ctrlgraph.export.planar_poses import frame_times, sampled, tree_poses
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.simulation.signals import Signals
from ctrlgraph.terrain.terrain import Terrain

ROOT_JOINTS = 3
"""Number of joints of the root in the model."""
_THICKNESS, _HALF_WIDTH = 0.1, 2.0  # m


def mjcf_of(signals: Signals, character: Character, rate: float, ground: Terrain | None = None) -> str:
    """Return the motion as the text of a MuJoCo model.

    Args:
        signals: the motion.
        character: the character that moves.
        rate: key frames per second.
        ground: the ground, written as boxes along the motion; level at height 0 by default.

    Raises:
        CtrlGraphError: the motion is shorter than a frame, or a link has MuJoCo's name of the ground.
    """
    root = model_element(character)
    at = frame_times(signals, rate)
    world = root.find("worldbody")
    assert world is not None
    if ground is not None and (ground.y != 0.0).any():
        _replace_floor(world, ground, signals)
    poses, order = tree_poses(signals, character, at), _joints_in_order(world, character)
    positions = np.column_stack([poses.place, poses.rotation[:, character.root], poses.joint[:, order]])
    rates = [f"velocity.{character.joints[j].name}" for j in order]
    velocities = np.column_stack([sampled(signals, name, at) for name in ("root_vx", "root_vy", "root_spin", *rates)])
    keyframe = SubElement(root, "keyframe")
    for time, place, velocity in zip(at.tolist(), positions, velocities, strict=True):
        SubElement(keyframe, "key", time=f"{time:.9g}", qpos=_numbers(place), qvel=_numbers(velocity))
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _joints_in_order(world: Element, character: Character) -> list[int]:
    """Return the joints in the order of the model."""
    names = [joint.get("name", "") for joint in world.iter("joint")][ROOT_JOINTS:]
    return [character.joint_names.index(name) for name in names]


def _numbers(values: Floats) -> str:
    return " ".join(f"{value + 0.0:.9g}" for value in values.tolist())


def _replace_floor(world: Element, ground: Terrain, signals: Signals) -> None:
    """Replace the level floor by a box for each straight segment of the ground."""
    floor = next(geom for geom in world.iter("geom") if geom.get("name") == "floor")
    world.remove(floor)
    surface = ground_below(signals, ground)
    for (run, rise), (x, y) in zip(np.diff(surface, axis=0).tolist(), surface[:-1].tolist(), strict=True):
        length = float(np.hypot(run, rise))
        if length == 0.0:
            continue
        below = _THICKNESS / 2 / length
        place = np.array([x + run / 2 + rise * below, 0.0, y + rise / 2 - run * below])
        turn = -float(np.arctan2(rise, run)) / 2
        SubElement(
            world,
            "geom",
            type="box",
            pos=_numbers(place),
            quat=_numbers(np.array([np.cos(turn), 0.0, np.sin(turn), 0.0])),
            size=_numbers(np.array([length / 2, _HALF_WIDTH, _THICKNESS / 2])),
            friction=f"{ground.friction:.9g} 0.005 0.0001",
            contype="0",
            conaffinity="1",
        )
