"""What a push does to a motion that another one leads into: up to which it does not fall, and how it answers.

The comparison of Abe and Popovic (2011), section 5, for nodes of any kind: a push on the trunk begins so many seconds
after the node, and the node is watched to its end. Nothing is random.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.arrays import body_soles
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.aftermath import AGAIN
from ctrlgraph.experiments.gait_pushes import BOUNDS
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.signals import SignalRecorder, Signals

DURATION_S = 0.1
"""Of a push."""


@dataclass(frozen=True)
class PushLimits:
    """The ranges of pushes (N, forward positive) about zero in which a node does not fall, and in which it also gets
    on: comes half as far as without a push."""

    node: str
    holds: tuple[float, float]
    gets_on: tuple[float, float]

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers for JSON."""
        return asdict(self)


class PushResponse:
    """A node that is entered from another one and pushed: a simulation to be closed.

    Args:
        before: the node that runs first, from the start pose, once.
        at: when the push begins, s after the node does.
        cycles: of the node; None: the fewest that it has.

    Raises:
        CtrlGraphError: there is no such node, no edge, or what leads into it fails.
    """

    def __init__(self, project: Project, node: str, before: str, at: float, cycles: int | None = None) -> None:
        self.node, self.at, self.character = node, at, project.character
        graph = project.graph
        self._cycles = graph.node(node).cycles[0] if cycles is None else cycles
        first = graph.node(before).cycles[0]
        if graph.planned_edge(before, node) is None:
            raise CtrlGraphError(f"no naive or learned edge leads from '{before}' to '{node}'")
        with ExitStack() as failing:
            self.simulation = failing.enter_context(project.environment().simulation(project.character, 0))
            entered = run_rollout(self.simulation, project.rollout(None, before, first, self.simulation.preview))
            if not entered.succeeded:
                raise CtrlGraphError(f"{before} {entered.status}: {entered.reason}")
            self._began = self.simulation.snapshot()
            edge = graph.planned_edge(before, node, self.simulation.preview)
            found = project.rollout(edge, node, self._cycles, self.simulation.preview)
            failing.pop_all()
        # what ends it is a fall; what it was to achieve is not asked
        self._rollout = Rollout(found.controller, found.cycles, found.timeout, {}, BOUNDS, {})

    def __enter__(self) -> PushResponse:
        return self

    def __exit__(self, *_: object) -> None:
        self.simulation.close()

    def run(self, force: float) -> tuple[bool, float]:
        """Return whether it holds under a push (N), and how far it comes, m."""
        self._begin(force)
        outcome = run_rollout(self.simulation, self._rollout)
        held = outcome.status in (Status.COMPLETED, Status.TIMEOUT)
        return held, float(outcome.measures["distance"])

    def limits(self, step: float = 10.0, most: float = 1000.0, on_run: Callable[[], None] = lambda: None) -> PushLimits:
        """Return up to which pushes it holds, and gets on, seeking outward from none in steps of so many N.

        Raises:
            CtrlGraphError: it falls without a push.
        """
        held, way = self.run(0.0)
        if not held:
            raise CtrlGraphError(f"{self.node} falls without a push")
        holds, gets_on = [0.0, 0.0], [0.0, 0.0]
        for k, sign in enumerate((-1.0, 1.0)):
            on, force = True, step
            while force <= most:
                held, far = self.run(sign * force)
                on_run()
                if not held:
                    break
                holds[k] = sign * force
                on = on and far * math.copysign(1.0, way) >= AGAIN * abs(way)
                gets_on[k] = sign * force if on else gets_on[k]
                force += step
        return PushLimits(self.node, (holds[0], holds[1]), (gets_on[0], gets_on[1]))

    def signals(self, force: float, rate: float = 500.0) -> Signals:
        """Return the signals of the node under a push (N), in samples a second."""
        self._begin(force)
        recorder = SignalRecorder(self.simulation, rate)
        recorder.begin(self.node, 0.0)
        run_rollout(self.simulation, self._rollout)
        self.simulation.watch(None)
        return recorder.signals()

    def _begin(self, force: float) -> None:
        self.simulation.restore(self._began)
        link = self.character.links[self.character.trunk].name
        start = self.simulation.time + self.at
        self.simulation.disturb([Push(start, DURATION_S, link, force)] if force else [])


def leg_phase(signals: Signals, character: Character) -> tuple[Floats, Floats]:
    """Return the phase of a walk in every sample, rad, and which foot stands (0: the right one, 1: the left one).

    That is the angle from the vertical, clockwise, of the line from the middle of the standing sole to the hip,
    whatever controller walks. The foot stands that came down last.

    Raises:
        CtrlGraphError: the character has no two feet.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"the character {character.name} has no two feet")
    soles, columns = body_soles(character), signals.columns
    hips = [joint for joint in character.joints if joint.parent == character.root]
    if not hips:
        raise CtrlGraphError(f"the character {character.name} has no hips at its root")
    root = character.links[character.root]
    hip_x, hip_y = _place(columns, root.name, hips[0].x - root.x, hips[0].y - root.y)
    strikes = [
        np.diff(columns[f"contact.{character.links[foot].name}"].astype(float), prepend=0.0) > 0 for foot in feet
    ]
    stands, now = np.zeros(len(signals), dtype=np.int64), 0
    for i in range(len(signals)):
        now = 0 if strikes[0][i] else (1 if strikes[1][i] else now)
        stands[i] = now
    angles = []
    for foot in feet:
        middle = soles[foot].mean(axis=0)
        x, y = _place(columns, character.links[foot].name, float(middle[0]), float(middle[1]))
        angles.append(np.arctan2(hip_x - x, hip_y - y))
    return np.where(stands == 0, angles[0], angles[1]), stands.astype(np.float64)


def _place(columns: dict[str, Any], link: str, x: float, y: float) -> tuple[Floats, Floats]:
    """Where a point of a link's frame is in every sample."""
    turn = columns[f"rotation.{link}"]
    cosine, sine = np.cos(turn), np.sin(turn)
    return columns[f"x.{link}"] + x * cosine + y * sine, columns[f"y.{link}"] + y * cosine - x * sine
