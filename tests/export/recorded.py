"""What was recorded, for readers of files to compare with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.planar.arrays import body_arrays
from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout_request import carry_out, find_rollout
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.simulation.signals.spatial_signals import POSE, SPATIAL_QUANTITIES
from tests.spatial_trees import SpatialState, SpatialTree

RATE = 100.0
MOTIONS = ("run", "backflip")
QUADRUPED = Path(__file__).parents[2] / "projects" / "quadruped"


def record(project: Project, node: str) -> Signals:
    """The signals of a node that is entered from the stand."""
    request = find_rollout(project, node)
    signals = carry_out(project, request, after=project.graph.node("stand"), signal_rate=RATE).signals
    assert signals is not None
    return signals


def column(signals: Signals, name: str, at: np.ndarray) -> np.ndarray:
    return np.interp(at, signals.columns["time"], signals.columns[name])


def centres(signals: Signals, character: Character, at: np.ndarray) -> dict[str, np.ndarray]:
    """Where the links' centres of mass were, (n, 2) m by name."""
    return {
        link.name: np.column_stack([column(signals, f"{axis}.{link.name}", at) for axis in "xy"])
        for link in character.links
    }


def pins(signals: Signals, character: Character, at: np.ndarray) -> dict[str, np.ndarray]:
    """Where the joints were, (n, 2) m by the joint's name: in the middle of where its two links had them."""
    body, centre, found = body_arrays(character), centres(signals, character, at), {}
    for j, joint in enumerate(character.joints):
        ends = []
        for link, (ax, ay) in ((joint.parent, body.anchor[j]), (joint.child, body.child_anchor[j])):
            name = character.links[link].name
            angle = column(signals, f"rotation.{name}", at)
            c, s = np.cos(angle), np.sin(angle)
            ends.append(centre[name] + np.column_stack([ax * c + ay * s, ay * c - ax * s]))
        found[joint.name] = (ends[0] + ends[1]) / 2
    return found


def swinging(character: SpatialCharacter, seed: int) -> Signals:
    """Poses of a second in which a spatial character turns over and its joints swing, without their velocities."""
    rng, tree, n = np.random.default_rng(seed), SpatialTree(character), 101
    phase, joints = rng.uniform(0.0, 6.0, len(character.joints)), character.joint_names
    axis, place, fixed = rng.normal(size=3), rng.normal(size=3), character.links[character.root]
    columns: dict[str, list[float]] = {"time": [], "node": []}
    for time in np.linspace(0.0, 1.0, n).tolist():
        turned = Rotation.from_rotvec(4.0 * time * axis).as_quat(scalar_first=True)
        root = np.concatenate([place * (1.0 + time), turned])
        if not character.floating:
            root = np.array([*fixed.position, *fixed.orientation])
        angles = 2.5 * np.sin(phase + 3.0 * time)
        poses = tree.at(SpatialState(root, angles, np.zeros(tree.n))).poses
        values = {"time": time, "node": "swing"} | dict.fromkeys((f"velocity.{name}" for name in joints), 0.0)
        values |= {f"angle.{name}": angle for name, angle in zip(joints, angles, strict=True)}
        for link, pose in zip(character.link_names, poses, strict=True):
            values |= {f"{quantity}.{link}": value for quantity, value in zip(POSE, pose, strict=True)}
            values |= dict.fromkeys((f"{part}{axis}.{link}" for part in "vw" for axis in "xyz"), 0.0)
        for name, value in values.items():
            columns.setdefault(name, []).append(value)
    return Signals({name: np.array(values) for name, values in columns.items()}, SPATIAL_QUANTITIES)


def spatial_pins(signals: Signals, character: SpatialCharacter, at: np.ndarray) -> dict[str, np.ndarray]:
    """Where the last joint of each link but the root was, (n, 3) m by the link's name, as a point of the link."""
    found = {}
    for link in character.link_names:
        joint = next((j for j in reversed(character.joints) if character.link_names[j.child] == link), None)
        if joint is not None:
            time = signals.columns["time"]
            turned = Rotation.from_quat(np.column_stack([signals.columns[f"q{part}.{link}"] for part in "xyzw"]))
            place = np.column_stack([column(signals, f"{axis}.{link}", at) for axis in "xyz"])
            found[link] = place + Slerp(time, turned)(at).apply(joint.anchor)
    return found
