"""Rollout of a node: the controller that a simulation runs, and the conditions by which it is evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.simulation.measures import scaled_conditions
from ctrlgraph.simulation.rollout import Rollout

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Node


def node_rollout(
    node: Node, controller: tuple[Controller, int], cycles: int, *, length: float = 1.0, timeout: float | None = None
) -> Rollout:
    """Return the rollout that runs a node for a number of cycles.

    Args:
        node: Node with the conditions and the timeout.
        controller: Controller to run, and how often it is repeated. A learned edge may have joined `cycles` cycles to
            one controller that runs once.
        cycles: Number of cycles of the node.
        length: Factor by which all lengths of the body are scaled. Heights in the node's conditions are scaled too.
        timeout: Maximum simulated duration, s. None: the timeout of the node for this number of cycles.
    """
    program, repetitions = controller
    return Rollout(
        controller=program,
        cycles=repetitions,
        timeout=node.timeout_for(cycles) if timeout is None else timeout,
        success=scaled_conditions(node.success, length),
        bounds=scaled_conditions(node.bounds, length),
        plausible=scaled_conditions(node.plausible, length),
    )
