"""Rollout of a node: the controller that a simulation runs, and the conditions by which it is evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.simulation.measures import scaled_conditions
from ctrlgraph.simulation.rollout import Rollout

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import Node

BEFORE_TARGET_S = 20.0
"""Additional timeout of a learned edge with source cycles or a bridge before its target, s."""


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
        timeout: Upper limit of the timeout, s. None: that of the node for this number of cycles.
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
