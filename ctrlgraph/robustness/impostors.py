"""Impostors: altered motions of a node, which the node's success conditions should reject.

An alteration (`control.alteration`) changes the targets of arms, head, trunk or knees. The node's controller runs with
it from a state in which the node usually begins. An impostor that falls counts as rejected. An alteration that hardly
changes the motion, such as limp arms while standing, makes no impostor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.alteration import alterations
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, motion_of
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.perturbation import Perturbations

if TYPE_CHECKING:
    from ctrlgraph.control.alteration import Alteration
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluator import Begun
    from ctrlgraph.simulation.outcome import Outcome

_DIFFERENT = 0.25
"""Minimum change of the motion of an impostor: root-mean-square change of the angle of at least one joint, rad."""


@dataclass(frozen=True)
class Impostor:
    """A node's motion with an alteration, evaluated by the conditions of the node."""

    node: str
    """Name of the node."""
    alteration: str
    """Name of the alteration, such as `arms_up`."""
    accepted: bool
    """True if the altered motion meets the node's conditions."""
    rejected_by: str
    """Why the motion was rejected; empty if it was accepted."""
    because: str
    """Why the graph file allows the conditions to accept this alteration (`also`); empty if it gives no reason."""


def impostors(
    project: Project, nodes: Sequence[str] | None = None, on_impostor: Callable[[str], None] = lambda _: None
) -> list[Impostor]:
    """Run each node with each alteration (changed targets of some joints), and test if the node's conditions accept it.

    Nodes that cannot be reached without perturbations, or whose kind of controller cannot be altered, are omitted.

    Args:
        project: Project with the nodes.
        nodes: Names of nodes. None: all.
        on_impostor: Called with the name of the node after each alteration.

    Raises:
        CtrlGraphError: The graph has no node of a name in `nodes`.
    """
    changes, found = alterations(project.character), list[Impostor]()
    with Evaluator(project) as evaluator:
        for name in project.graph.nodes if nodes is None else nodes:
            node = project.graph.node(name)
            genuine = _run(evaluator, node, None)
            for alteration, change in changes.items():
                altered = genuine and _run(evaluator, node, change)
                on_impostor(name)
                if genuine and altered and np.max(_differences(genuine[1], altered[1])) >= _DIFFERENT:
                    outcome, because = altered[0], node.also.get(alteration, "")
                    found.append(Impostor(name, alteration, outcome.succeeded, outcome.reason, because))
    return found


def _run(evaluator: Evaluator, node: Node, change: Alteration | None) -> tuple[Outcome, NDArray[np.float64]] | None:
    """Run a node with an alteration, or unchanged (None), and return its outcome and joint angles.

    The angles have the shape (samples, joints), rad. The result is None if the node cannot be reached or altered.
    """
    project = evaluator.project
    plan = next(iter(entries(project.graph, node.name)), None)
    begun: Begun | Failed | None = None
    if plan is not None:
        begun = evaluator.begin(plan, Perturbations.of(project), np.random.default_rng(0))
    if begun is None or isinstance(begun, Failed):
        return None
    segment, simulation = begun.plan.test[0], begun.simulation
    rollout = project.rollout(segment.edge, segment.node, node.cycles[0], simulation.preview)
    if change is not None:
        controller = CONTROLLER_KINDS[node.controller].alter(rollout.controller, project.character, change)
        if controller is None:
            return None
        rollout = replace(rollout, controller=controller)
    return simulation.run_rollout(rollout), motion_of(begun).trace.joint_angles(project.character)


def _differences(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the root-mean-square difference of each joint's angle between two motions, (joints,), rad.

    Samples at the same fraction of each motion's duration are compared.

    Args:
        one: Joint angles of one motion, (samples, joints), rad.
        other: Joint angles of the other motion, (samples, joints), rad.
    """
    at = np.linspace(0.0, 1.0, 100)
    angles = [
        np.array([np.interp(at, np.linspace(0.0, 1.0, len(each)), column) for column in each.T])
        for each in (one, other)
    ]
    return np.asarray(np.sqrt(np.mean((angles[0] - angles[1]) ** 2, axis=1)))
