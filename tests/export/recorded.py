"""What was recorded, for readers of files to compare with."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.kernels.planar.arrays import body_arrays
from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout_request import carry_out, find_rollout
from ctrlgraph.simulation.signals import Signals

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
