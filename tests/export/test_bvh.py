"""Motion as BVH, read back by a reader of its own: joints are where the simulation had them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import pytest

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.export.bvh import bvh_of
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.signals.recorded_signals import Signals
from tests.export.recorded import MOTIONS, QUADRUPED, RATE, pins, record, spatial_pins, swinging
from tests.spatial_trees import random_tree


@dataclass
class Bone:
    """A joint as a BVH file has it."""

    name: str
    offset: np.ndarray = field(default_factory=lambda: np.zeros(3))
    channels: list[str] = field(default_factory=list)
    children: list[Bone] = field(default_factory=list)


def read(text: str) -> tuple[Bone, float, np.ndarray]:
    """The root, the time of a frame and the frames (n, channels), by the words of the format alone."""
    words = iter(text.split())
    assert next(words) == "HIERARCHY"
    stack: list[Bone] = []
    root = None
    for word in words:
        if word in ("ROOT", "JOINT", "End"):
            bone = Bone(next(words))
            root = root or bone
            if stack:
                stack[-1].children.append(bone)
        elif word == "{":
            stack.append(bone)
        elif word == "}":
            stack.pop()
        elif word == "OFFSET":
            stack[-1].offset = np.array([float(next(words)) for _ in range(3)])
        elif word == "CHANNELS":
            stack[-1].channels = [next(words) for _ in range(int(next(words)))]
        elif word == "MOTION":
            break
    assert (next(words), root is not None) == ("Frames:", True)
    n = int(next(words))
    assert (next(words), next(words)) == ("Frame", "Time:")
    step = float(next(words))
    return root, step, np.array([float(word) for word in words]).reshape(n, -1)


def turn(axis: str, degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(
        {
            "X": [[1, 0, 0], [0, c, -s], [0, s, c]],
            "Y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "Z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
        }[axis]
    )


def places(bone: Bone, frame: list[float], origin: np.ndarray, turned: np.ndarray) -> dict[str, np.ndarray]:
    """Where the joints are in a frame, whose numbers are taken from its front; turns in the order of the channels."""
    at, own = origin + turned @ bone.offset, turned
    for channel in bone.channels:
        value = frame.pop(0)
        if channel.endswith("position"):
            at = at + value * np.eye(3)["XYZ".index(channel[0])]
        else:
            own = own @ turn(channel[0], value)
    found = {bone.name: at}
    for child in bone.children:
        found |= {name: place for name, place in places(child, frame, at, own).items() if name != "Site"}
    return found


@pytest.fixture(scope="module", params=MOTIONS)
def motion(request: pytest.FixtureRequest, project: Project) -> Signals:
    return record(project, request.param)


def test_joints_are_where_the_simulation_had_them_within_a_millimetre(motion: Signals, project: Project) -> None:
    character = project.character
    root, step, frames = read(bvh_of(motion, character, RATE))
    assert step == pytest.approx(1 / RATE)
    assert len(frames) == pytest.approx(len(motion), abs=2)
    wanted, worst = pins(motion, character, np.arange(len(frames)) * step), 0.0
    for n, frame in enumerate(frames):
        found = places(root, frame.tolist(), np.zeros(3), np.eye(3))
        for joint in character.joints:
            left, up, forward = found[character.links[joint.child].name]
            worst = max(
                worst, float(np.linalg.norm([left, forward - wanted[joint.name][n, 0], up - wanted[joint.name][n, 1]]))
            )
    assert worst < 0.001


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_in_space_joints_are_where_the_simulation_had_them_within_a_millimetre(engine: str) -> None:
    project = Project(QUADRUPED, engine=engine)
    motion = record(project, "leap")
    assert isinstance(project.character, SpatialCharacter)
    assert largest_error(motion, project.character) < (0.001 if engine == "ode" else 1e-5)


def largest_error(motion: Signals, character: SpatialCharacter) -> float:
    """The largest distance of a joint of the file from where it was, m."""
    root, step, frames = read(bvh_of(motion, character, RATE))
    wanted, worst = spatial_pins(motion, character, np.arange(len(frames)) * step), 0.0
    for n, frame in enumerate(frames):
        found = places(root, frame.tolist(), np.zeros(3), np.eye(3))
        for name, place in wanted.items():
            worst = max(worst, float(np.linalg.norm(found[name][[2, 0, 1]] - place[n])))
    return worst


@pytest.mark.parametrize("seed", range(5))
def test_links_with_several_joints_at_different_places_are_chains_of_bones(seed: int) -> None:
    character = random_tree(np.random.default_rng(seed), 8, floating=seed > 0)
    motion = swinging(character, seed)
    assert largest_error(motion, character) < 1e-5
    _, _, frames = read(bvh_of(motion, character, RATE))
    assert frames.shape[1] == 3 + 3 * (1 + len(character.joints))
    assert np.abs(np.diff(frames[:, 3:], axis=0)).max() < 100.0  # rotations go on beyond half a turn


def test_nothing_leaves_the_plane_and_names_are_those_of_links(motion: Signals, project: Project) -> None:
    text = bvh_of(motion, project.character, RATE)
    root, _, frames = read(text)
    names = re.findall(r"(?:ROOT|JOINT) (\w+)", text)
    assert sorted(names) == sorted(link.name for link in project.character.links)
    assert names[0] == project.character.links[project.character.root].name
    assert root.channels[:3] == ["Xposition", "Yposition", "Zposition"]
    turning = [i for i in range(frames.shape[1]) if i not in (1, 2) and (i - 3) % 3 != 1]
    assert not frames[:, turning].any()


def test_frames_are_evenly_spaced_whatever_the_samples_are(motion: Signals, project: Project) -> None:
    _, step, frames = read(bvh_of(motion, project.character, 24.0))
    assert step == pytest.approx(1 / 24)
    assert len(frames) == int(motion.columns["time"][-1] * 24 + 1e-6) + 1


def test_motions_that_a_bvh_cannot_contain_are_reported(motion: Signals, project: Project) -> None:
    short = Signals({name: column[:1] for name, column in motion.columns.items()})
    with pytest.raises(CtrlGraphError, match="is shorter than a frame"):
        bvh_of(short, project.character, RATE)
