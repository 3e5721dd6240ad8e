"""Spatial motions as MuJoCo models: the character, the ground, and key frames.

Axes: X forward, Y to the left, Z up. Units: metres, radians, seconds. A key frame has `time`, `qpos` and `qvel`. The
positions of a floating root are those of its centre of mass and its quaternion.
"""

from __future__ import annotations

import math
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from ctrlgraph.character.mjcf.spatial_writer import FLOOR, joints_in_order, spatial_model_element
from ctrlgraph.character.mjcf.writer import numbers
from ctrlgraph.character.spatial.spatial_frames import quaternion_of, rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.export.frames import frame_times, sampled
from ctrlgraph.export.ground_below import MARGIN, Ground
from ctrlgraph.export.link_poses import link_poses, poses_at
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.spatial.height_field import CELL
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain, in_space

_DEPTH = 0.1
"""Thickness of the ground below a profile, m."""
_BASE = 1.0
"""Thickness of the ground below the lowest point of a height field, m."""
_LEVEL = 1e-9
"""Range of heights below which ground is level, m."""


def spatial_mjcf_of(signals: Signals, character: SpatialCharacter, rate: float, ground: Ground = None) -> str:
    """Return a motion as the text of a MuJoCo model (XML): the character and the ground, with a key frame per frame.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        rate: Key frames per simulated second.
        ground: The ground. Default: level ground at height 0.

    Raises:
        CtrlGraphError: The motion is shorter than a frame, or a link is named "world", like the ground in MuJoCo.
    """
    root = spatial_model_element(character)
    at = frame_times(signals, rate)
    _replace_floor(root, in_space(ground), link_poses(signals, character).position)
    order = joints_in_order(character)
    angles, rates = (
        np.column_stack([sampled(signals, f"{quantity}.{character.joints[j].name}", at) for j in order])
        for quantity in ("angle", "velocity")
    )
    if character.floating:
        poses, name = poses_at(signals, character, at), character.links[character.root].name
        place, turn = poses.position[:, character.root], poses.orientation[:, character.root]
        velocity, spin = (
            np.column_stack([sampled(signals, f"{part}{axis}.{name}", at) for axis in "xyz"]) for part in "vw"
        )
        own_spin = np.einsum("nji,nj->ni", rotation_matrix(turn), spin)  # in the frame of the link
        angles, rates = np.column_stack([place, turn, angles]), np.column_stack([velocity, own_spin, rates])
    keyframe = SubElement(root, "keyframe")
    for time, position, speed in zip(at.tolist(), angles, rates, strict=True):
        SubElement(keyframe, "key", time=f"{time:.9g}", qpos=_rounded(position), qvel=_rounded(speed))
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def _rounded(values: Floats) -> str:
    return " ".join(f"{value + 0.0:.9g}" for value in values.tolist())


def _replace_floor(root: Element, ground: SpatialTerrain, position: Floats) -> None:
    """Replace the level floor of a MuJoCo model by the ground below a motion.

    Args:
        root: The root element of the model.
        ground: The ground.
        position: Positions of the links (n, L, 3), m.
    """
    world = root.find("worldbody")
    assert world is not None
    floor = next(geom for geom in world.iter("geom") if geom.get("name") == FLOOR)
    floor.set("friction", f"{ground.friction:.9g} 0.005 0.0001")
    low, high = position[:, :, :2].min(axis=(0, 1)) - MARGIN, position[:, :, :2].max(axis=(0, 1)) + MARGIN
    if ground.grid.size:
        _add_field(root, floor, ground, low, high)
    elif len(ground.profile.x) == 2:
        along, across = ground.gradient
        z = np.array([-along, -across, 1.0]) / math.sqrt(along**2 + across**2 + 1.0)
        x = np.array([1.0, 0.0, along]) / math.hypot(1.0, along)
        floor.set("pos", numbers(0.0, 0.0, float(ground.profile.height(0.0))))
        floor.set("quat", numbers(*quaternion_of(np.column_stack([x, np.cross(z, x), z]))))
    else:
        _add_profile(world, floor, ground, low, high)
    base = SpatialTerrain(ground.name, ground.profile, ground.bank, ground.grid)
    for x, y, half_length, half_width, cosine, sine, top in ground.tops.tolist():
        turn = math.atan2(sine, cosine)
        half = (top - min(base.height(x, y), top) + _BASE) / 2  # reaches into the ground
        block = SubElement(world, "geom", type="box", pos=numbers(x, y, top - half))
        block.attrib |= {"quat": numbers(math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2))}
        block.attrib |= {"size": numbers(half_length, half_width, half), "friction": floor.attrib["friction"]}


def _add_profile(world: Element, floor: Element, ground: SpatialTerrain, low: Floats, high: Floats) -> None:
    """Replace the floor by a box below each straight segment of a profile.

    Args:
        world: The element of the world.
        floor: The floor.
        ground: The ground.
        low: Smallest x and y of the part that is written (2,), m.
        high: Largest x and y of this part (2,), m.
    """
    world.remove(floor)
    profile = ground.profile
    inside = (profile.x > low[0]) & (profile.x < high[0])
    xs = np.concatenate([[low[0]], profile.x[inside], [high[0]]])
    zs = np.concatenate([[profile.height(low[0])], profile.y[inside], [profile.height(high[0])]])
    for x, z, run, rise in zip(
        xs[:-1].tolist(), zs[:-1].tolist(), np.diff(xs).tolist(), np.diff(zs).tolist(), strict=True
    ):
        length = math.hypot(run, rise)
        if length == 0.0:
            continue
        below, turn = _DEPTH / 2 / length, -math.atan2(rise, run) / 2
        box = SubElement(world, "geom", type="box", friction=floor.attrib["friction"])
        box.attrib |= {
            "pos": numbers(x + run / 2 + rise * below, float(low[1] + high[1]) / 2, z + rise / 2 - run * below),
            "quat": numbers(math.cos(turn), 0.0, math.sin(turn), 0.0),
            "size": numbers(length / 2, float(high[1] - low[1]) / 2, _DEPTH / 2),
        }


def _add_field(root: Element, floor: Element, ground: SpatialTerrain, low: Floats, high: Floats) -> None:
    """Turn the floor into a height field with the points of the ground's own.

    Args:
        root: The root element of the model.
        floor: The floor.
        ground: The ground.
        low: Smallest x and y of the part that is written (2,), m.
        high: Largest x and y of this part (2,), m.
    """
    (i0, j0), (i1, j1) = np.floor(low / CELL).astype(int), np.ceil(high / CELL).astype(int)
    x, y = np.arange(i0, i1 + 1) * CELL, np.arange(j0, j1 + 1) * CELL
    base = SpatialTerrain(ground.name, ground.profile, ground.bank, ground.grid)
    heights = base.heights(*np.meshgrid(x, y))  # rows along y
    least, range_ = float(heights.min()), max(float(np.ptp(heights)), _LEVEL)
    asset = Element("asset")
    root.insert(1, asset)
    SubElement(
        asset,
        "hfield",
        name="ground",
        nrow=str(len(y)),
        ncol=str(len(x)),
        size=numbers((x[-1] - x[0]) / 2, (y[-1] - y[0]) / 2, range_, _BASE),
        elevation=_rounded(heights[::-1].ravel() - least),
    )
    del floor.attrib["size"]
    floor.attrib |= {"type": "hfield", "hfield": "ground"}
    floor.set("pos", numbers((x[0] + x[-1]) / 2, (y[0] + y[-1]) / 2, least))
