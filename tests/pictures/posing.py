"""Synthetic motion for the tests of pictures: joint angles over time, by forward kinematics alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ctrlgraph.character.files import load_character
from ctrlgraph.character.model import Character
from ctrlgraph.simulation.recording.planar_trace import Trace

HUMANOID = Path(__file__).parents[2] / "characters" / "humanoid.yaml"
Angles = dict[str, float]


def durations(path: Path) -> list[int]:
    """The durations of a film's pictures, ms; equal consecutive pictures are one."""
    with Image.open(path) as film:
        found = []
        for frame in range(film.n_frames):
            film.seek(frame)
            film.load()
            found.append(film.info["duration"])
        return found


def humanoid() -> Character:
    """Return the shipped humanoid."""
    return load_character(HUMANOID)


def pose(
    character: Character, angles: Angles, root_angle: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Position (L, 2) and angle (L,) of the links, the root's centre of mass at the origin."""
    position = np.zeros((len(character.links), 2))
    angle = np.zeros(len(character.links))
    angle[character.root] = root_angle
    done = {character.root}
    while len(done) < len(character.links):
        for joint in character.joints:
            for near, far, sign in ((joint.parent, joint.child, 1), (joint.child, joint.parent, -1)):
                if near in done and far not in done:
                    angle[far] = angle[near] + sign * angles.get(joint.name, 0.0)
                    a, b = character.links[near], character.links[far]
                    hinge = position[near] + _turned(joint.x - a.x, joint.y - a.y, angle[near])
                    position[far] = hinge - _turned(joint.x - b.x, joint.y - b.y, angle[far])
                    done.add(far)
    return position, angle


def _turned(x: float, y: float, angle: float) -> NDArray[np.float64]:
    return np.array([x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)])


def motion(
    character: Character, duration: float, at: Callable[[float], tuple[Angles, float, float, float | None]]
) -> Trace:
    """A trace at 100 Hz; `at(time)` gives joint angles, root angle, x, and the lowest point's height."""
    time = np.arange(0.0, duration + 1e-9, 0.01)
    masses = np.array([link.mass for link in character.links])
    position, angle, com = [], [], []
    for t in time:
        angles, root_angle, x, lift = at(float(t))
        points, turns = pose(character, angles, root_angle)
        lowest = min(
            points[i, 1] + _turned(c.x, c.y, turns[i])[1] - c.radius
            for i, link in enumerate(character.links)
            for c in link.contacts
        )
        points += (x, (lift or 0.0) - lowest)
        position.append(points)
        angle.append(turns)
        com.append(masses @ points / masses.sum())
    n, centre = len(time), np.array(com)
    velocity = np.gradient(centre, time, axis=0) if n > 1 else np.zeros((n, 2))
    contact = np.zeros((n, len(character.links)), dtype=bool)
    return Trace(
        time=time,
        position=np.array(position),
        angle=np.array(angle),
        contact=contact,
        com=centre,
        com_velocity=velocity,
        phase=np.zeros(n, dtype=np.int64),
        energy=np.zeros(n),
    )


def walking(character: Character, duration: float, speed: float = 1.0) -> Trace:
    """Something like a walk."""

    def at(t: float) -> tuple[Angles, float, float, float]:
        swing = np.sin(2 * np.pi * t / 1.1)
        angles = {"rHip": -0.1 - 0.45 * swing, "lHip": -0.1 + 0.45 * swing}
        angles |= {"rKnee": 0.25 + 0.5 * max(np.cos(2 * np.pi * t / 1.1), 0.0)}
        angles |= {"lKnee": 0.25 + 0.5 * max(-np.cos(2 * np.pi * t / 1.1), 0.0)}
        angles |= {"rShoulder": 0.5 * swing, "lShoulder": -0.5 * swing, "rElbow": -0.5, "lElbow": -0.5}
        return angles, 0.04, speed * t, 0.0

    return motion(character, duration, at)


def flipping(character: Character, duration: float = 1.6) -> Trace:
    """Something like a backflip."""

    def at(t: float) -> tuple[Angles, float, float, float]:
        air = float(np.clip((t - 0.4) / 0.8, 0.0, 1.0))
        tuck = np.sin(np.pi * np.clip(t / duration, 0, 1)) ** 2
        angles = {f"{s}{j}": a * tuck for s in "rl" for j, a in (("Hip", -2.0), ("Knee", 2.3), ("Shoulder", -1.4))}
        return angles, -2 * np.pi * air, -0.3 * air, 3.2 * air * (1 - air)

    return motion(character, duration, at)
