"""Response of a motion to a push after a transition: the limits without a fall.

The comparison of Abe and Popovic (2011), section 5, for any node: a push on the trunk begins some seconds after the
node, which runs to its end. Nothing is random.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.rollout import Rollout

DURATION_S = 0.1
"""Duration of a push, s."""

BOUNDS = {"torso": (-1.0, 1.0), "com_height": (0.5, 1.4)}
"""Bounds of the trunk beyond which the character has fallen."""

AGAIN = 0.5
"""Minimum speed of walking, as a fraction of the speed before the push."""


@dataclass(frozen=True)
class PushLimits:
    """Ranges of pushes about zero, N, forward if positive."""

    node: str
    upright: tuple[float, float]
    """Range without a fall."""
    continues: tuple[float, float]
    """Range in which the node also moves at least half as far as without a push."""


class PushResponse:
    """A node that is entered from another one and pushed. The simulation has to be closed.

    Args:
        before: Node that runs first, from the start pose, once.
        at: Time of the push after the start of the node, s.
        cycles: Number of cycles. None: the least.

    Raises:
        CtrlGraphError: A node or the edge does not exist, or the first node fails.
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
            entered = self.simulation.run_rollout(project.rollout(None, before, first, self.simulation.preview))
            if not entered.succeeded:
                raise CtrlGraphError(f"{before} {entered.status}: {entered.reason}")
            self._began = self.simulation.snapshot()
            edge = graph.planned_edge(before, node, self.simulation.preview)
            found = project.rollout(edge, node, self._cycles, self.simulation.preview)
            failing.pop_all()
        # evaluated by falls alone, not by its conditions
        self._rollout = Rollout(found.controller, found.cycles, found.timeout, {}, BOUNDS, {})

    def __enter__(self) -> PushResponse:
        return self

    def __exit__(self, *_: object) -> None:
        self.simulation.close()

    def run(self, force: float) -> tuple[bool, float]:
        """Return whether the node succeeds under a push (N), and how far it moves, m."""
        self._begin(force)
        outcome = self.simulation.run_rollout(self._rollout)
        succeeded = outcome.status in (Status.COMPLETED, Status.TIMEOUT)
        return succeeded, float(outcome.measures["distance"])

    def limits(self, step: float = 10.0, most: float = 1000.0, on_run: Callable[[], None] = lambda: None) -> PushLimits:
        """Return the limits of pushes, searched outward from zero.

        Args:
            step: Step of the force, N.
            most: Strongest push to try, N.
            on_run: Called after each run.

        Raises:
            CtrlGraphError: The node falls without a push.
        """
        succeeded, distance = self.run(0.0)
        if not succeeded:
            raise CtrlGraphError(f"{self.node} falls without a push")
        upright, continues = [0.0, 0.0], [0.0, 0.0]
        for k, sign in enumerate((-1.0, 1.0)):
            on, force = True, step
            while force <= most:
                succeeded, far = self.run(sign * force)
                on_run()
                if not succeeded:
                    break
                upright[k] = sign * force
                on = on and far * math.copysign(1.0, distance) >= AGAIN * abs(distance)
                continues[k] = sign * force if on else continues[k]
                force += step
        return PushLimits(self.node, (upright[0], upright[1]), (continues[0], continues[1]))

    def _begin(self, force: float) -> None:
        self.simulation.restore(self._began)
        link = self.character.links[self.character.trunk].name
        start = self.simulation.time + self.at
        self.simulation.disturb([Push(start, DURATION_S, link, force)] if force else [])
