"""The rollout of a node: its controller with the conditions of the node."""

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
        node: The node.
        controller: The controller and its number of cycles, which is 1 if an edge has joined several controllers.
        cycles: Number of cycles of the node.
        length: Scale of the body's length; heights in the node's conditions are scaled with it.
        timeout: Timeout, s; None selects that of the node for this number of cycles.
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
