"""Response of a motion to pushes: the strongest pushes without a fall.

This is the comparison of Abe and Popovic (2011), section 5, for any node. A node runs from the start pose, and the
tested node follows. A push on the trunk begins some time after the start of the tested node, which runs to its end.
Nothing is random.
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
"""Bounds of the trunk's inclination, rad, and the height of the centre of mass, m, for a fall."""

AGAIN = 0.5
"""Minimum distance of a motion that continues after a push, as a fraction of the distance without a push."""


@dataclass(frozen=True)
class PushLimits:
    """Pushes that a node withstands: ranges of the force around zero, N, forward if positive."""

    node: str
    """Name of the pushed node."""
    upright: tuple[float, float]
    """Range of forces after which the character does not fall, N."""
    continues: tuple[float, float]
    """Range of forces after which the character also moves at least half as far as without a push, N."""


class PushResponse:
    """Simulates a push during a node that follows another node. It is a context manager, which closes the simulation.

    Args:
        project: Project with both nodes.
        node: Name of the node that is pushed.
        before: Name of the node that runs before, once, from the start pose.
        at: Time of the push after the start of the pushed node, s.
        cycles: Number of cycles of the pushed node. None means the minimum of the node.

    Raises:
        CtrlGraphError: A node does not exist, no naive or learned edge leads from `before` to `node`, or `before` does
            not succeed.
    """

    def __init__(self, project: Project, node: str, before: str, at: float, cycles: int | None = None) -> None:
        self.node, self.at, self.character = node, at, project.character
        graph = project.graph
        self._cycles = graph.node(node).cycles[0] if cycles is None else cycles
        first = graph.node(before).cycles[0]
        if graph.planned_edge(before, node) is None:
            raise CtrlGraphError(f"no naive or learned edge leads from '{before}' to '{node}': add one")
        with ExitStack() as failing:
            self.simulation = failing.enter_context(project.environment().simulation(project.character, 0))
            entered = self.simulation.run_rollout(project.rollout(None, before, first, self.simulation.preview))
            if not entered.succeeded:
                raise CtrlGraphError(f"the node '{before}' fails before the push: {entered.status}: {entered.reason}")
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
        """Run the node with a push of some force, N, forward if positive.

        Returns:
            True if the character does not fall; and the distance that it moves forward, m.
        """
        self.simulation.restore(self._began)
        link = self.character.links[self.character.trunk].name
        start = self.simulation.time + self.at
        self.simulation.disturb([Push(start, DURATION_S, link, force)] if force else [])
        outcome = self.simulation.run_rollout(self._rollout)
        succeeded = outcome.status in (Status.COMPLETED, Status.TIMEOUT)
        return succeeded, float(outcome.measures["distance"])

    def limits(self, step: float = 10.0, most: float = 1000.0, on_run: Callable[[], None] = lambda: None) -> PushLimits:
        """Find the strongest pushes without a fall: increase the force in both directions until the character falls.

        Args:
            step: Increment of the force, N.
            most: Maximum force, N.
            on_run: Function that is called after each simulation with a push.

        Raises:
            CtrlGraphError: The node falls without a push.
        """
        succeeded, distance = self.run(0.0)
        if not succeeded:
            raise CtrlGraphError(f"the node '{self.node}' falls even without a push: correct it or choose another node")
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
