"""Planar motions as MuJoCo models: the character, the ground, and key frames.

Axes: X forward, Z up. Units: metres, radians, seconds. The root link has three joints: a slide joint for the x and one
for the height of its centre of mass, and a hinge joint for its angle, clockwise. Every other hinge joint has the name
of the character's joint. A key frame has `time`, `qpos` and `qvel`: `mujoco.mj_resetDataKeyframe(model, data, k)`
restores the pose and velocities of key frame k.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from ctrlgraph.character.mjcf.writer import model_element
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.export.frames import frame_times, sampled
from ctrlgraph.export.ground_below import Ground, ground_below, profile_of
from ctrlgraph.export.planar_poses import tree_poses
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.terrain import Terrain

ROOT_JOINTS = 3
"""Number of MuJoCo joints of the root link."""
_THICKNESS, _HALF_WIDTH = 0.1, 2.0  # m


def mjcf_of(signals: Signals, character: PlanarCharacter, rate: float, ground: Ground = None) -> str:
    """Return a motion as the text of a MuJoCo model (XML): the character and the ground, with a key frame per frame.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        rate: Key frames per simulated second.
        ground: The ground. Unless it is level at height 0, it is written as boxes below the motion. Default: level
            ground at height 0.

    Raises:
        CtrlGraphError: The motion is shorter than a frame, or a link is named "world", like the ground in MuJoCo.
    """
    root = model_element(character)
    at = frame_times(signals, rate)
    world = root.find("worldbody")
    assert world is not None
    profile = profile_of(ground)
    if (profile.y != 0.0).any():
        _replace_floor(world, profile, signals)
    poses, order = tree_poses(signals, character, at), _joints_in_order(world, character)
    positions = np.column_stack([poses.place, poses.rotation[:, character.root], poses.joint[:, order]])
    rates = [f"velocity.{character.joints[j].name}" for j in order]
    velocities = np.column_stack([sampled(signals, name, at) for name in ("root_vx", "root_vy", "root_spin", *rates)])
    keyframe = SubElement(root, "keyframe")
    for time, place, velocity in zip(at.tolist(), positions, velocities, strict=True):
        SubElement(keyframe, "key", time=f"{time:.9g}", qpos=_numbers(place), qvel=_numbers(velocity))
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _joints_in_order(world: Element, character: PlanarCharacter) -> list[int]:
    """Return the indices of the character's joints in the order in which the MuJoCo model lists them."""
    names = [joint.get("name", "") for joint in world.iter("joint")][ROOT_JOINTS:]
    return [character.joint_names.index(name) for name in names]


def _numbers(values: Floats) -> str:
    return " ".join(f"{value + 0.0:.9g}" for value in values.tolist())


def _replace_floor(world: Element, ground: Terrain, signals: Signals) -> None:
    """Replace the level floor of a MuJoCo model by a box for each straight segment of the ground below the motion."""
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
