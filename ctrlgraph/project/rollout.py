"""Rollout of a node: what a simulation runs (controller, cycles, timeout) and the conditions that decide on success."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.simulation.measures import scaled_conditions
from ctrlgraph.simulation.rollout import Rollout

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Node

BEFORE_TARGET_S = 20.0
"""Additional timeout of a learned edge that runs cycles of the source or a bridging script before the target, s."""


def node_rollout(
    node: Node, controller: tuple[Controller, int], cycles: int, *, length: float = 1.0, timeout: float | None = None
) -> Rollout:
    """Return the rollout that runs a node for a number of cycles.

    Args:
        node: Node with the conditions and the timeout.
        controller: Controller to run, and how often to run it. The controller of a learned edge may run once and
            contain all `cycles` cycles.
        cycles: Number of cycles of the node.
        length: Factor by which all lengths of the body are scaled. Heights in the node's conditions are scaled too.
        timeout: Maximum simulated duration, s, if it is less than the node's timeout for this number of cycles. None:
            the node's timeout.
    """
    program, repetitions = controller
    own = node.timeout_for(cycles)
    if CONTROLLER_KINDS[program.kind].judged_from(program):
        own += BEFORE_TARGET_S
    return Rollout(
        controller=program,
        cycles=repetitions,
        timeout=own if timeout is None else min(own, timeout),
        success=scaled_conditions(node.success, length),
        bounds=scaled_conditions(node.bounds, length),
        plausible=scaled_conditions(node.plausible, length),
    )
