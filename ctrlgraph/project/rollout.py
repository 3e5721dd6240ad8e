"""The rollout of a node: its controller, or that of the edge it is entered over, judged by the node's conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.simulation.measures import scaled_conditions
from ctrlgraph.simulation.rollout import Rollout

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Node


def node_rollout(
    node: Node,
    controller: tuple[Controller, int],
    cycles: int,
    *,
    length: float = 1.0,
    timeout: float | None = None,
) -> Rollout:
    """Return the rollout that runs a node for a number of cycles.

    Args:
        node: The node.
        controller: What runs, and how often: the cycles of an edge may be one program that runs once.
        cycles: Number of cycles.
        length: Of the body, as a factor; heights in the node's conditions are scaled with it.
        timeout: S, instead of the node's own for these cycles.
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
