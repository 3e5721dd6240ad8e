"""The policy to a goal: the edge to take in every node, by value iteration over the evidence of the log.

It minimizes the simulated time until the goal is reached, plus costs of failures and resets. The most reliable path
(`goal_planner`) ignores what happens after a failure. The policy also takes into account what failures cost and where
they lead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.goal_planner import GoalPlan, PlannedEdge, most_reliable_edges, plan_path
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.graph.transition_model import (
    RESET_COST_S,
    FailureAnswer,
    GraphEvidence,
    TransitionModel,
)
from ctrlgraph.policies import ENDED, evaluate
from ctrlgraph.terrain.terrain import TerrainPreview

_SHOWN_ANSWERS = 3
_LEAST_SHOWN = 0.05


@dataclass(frozen=True, slots=True)
class Prospects:
    """Expected results of a walk."""

    no_failure: float
    """Probability that nothing fails."""
    no_reset: float
    """Probability that the goal is reached without a reset."""
    seconds: float
    """Simulated time of walks without a reset, s."""
    seconds_in_all: float
    """Simulated time of all walks, s."""

    def sentence(self) -> str:
        """Return the results as text."""
        return (
            f"p = {self.no_failure:.2f} without a failure, {self.no_reset:.2f} without a reset,"
            f" about {self.seconds:.1f} s"
        )


@dataclass(frozen=True, kw_only=True)
class PolicyPlan(GoalPlan):
    """A policy to a goal; its steps are the path from `source` without failures."""

    choices: Mapping[str, Edge]
    """Edge to take, by node."""
    prospects: Prospects
    path: GoalPlan
    """The most reliable path."""
    path_prospects: Prospects
    """Expected results of this path; after a failure, those of the most reliable path from there."""
    answers: Mapping[str, tuple[FailureAnswer, ...]]
    """What can follow a failure at the target of each step."""

    def explain(self) -> str:
        """Return the path without failures, each edge's evidence, what follows failures, and the alternative."""
        if not self.steps:
            return f"'{self.goal}' is where the walk begins"
        untried = sum(step.evidence.attempts == 0 for step in self.steps)
        assumed = f"; {untried} of {len(self.steps)} edges not tried yet, half assumed to succeed" if untried else ""
        lines = [f"policy {' -> '.join(self.nodes)}: {self.prospects.sentence()}{assumed}"]
        for step in self.steps:
            lines.append(f"  {step.explain()}")
            lines.append(f"    after a failure: {self._after(step.edge.target)}")
        lines.append(self._comparison())
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        found = super().as_dict() | {"expected": asdict(self.prospects)}
        found["most_reliable_path"] = {"nodes": list(self.path.nodes), "expected": asdict(self.path_prospects)}
        found["choices"] = {node: edge.target for node, edge in self.choices.items()}
        found["after_failure"] = {
            node: [
                {
                    "to": None if answer.edge is None else answer.edge.target,
                    "probability": answer.probability,
                    "success": answer.success,
                    "then": [] if answer.edge is None else list(_followed(self.choices, answer.edge.target, self.goal)),
                }
                for answer in answers
            ]
            for node, answers in self.answers.items()
        }
        return found

    def _comparison(self) -> str:
        if self.path.nodes == self.nodes:
            return f"  the most reliable path is the same: {self.path_prospects.sentence()}"
        return f"  rather than the most reliable path {' -> '.join(self.path.nodes)}: {self.path_prospects.sentence()}"

    def _after(self, node: str) -> str:
        shares: dict[str, float] = {}
        for answer in self.answers[node]:
            way = "a reset" if answer.edge is None else self._way_back(answer.edge.target)
            shares[way] = shares.get(way, 0.0) + answer.probability
        likely = sorted(shares.items(), key=lambda item: -item[1])[:_SHOWN_ANSWERS]
        return ", ".join(f"{way} ({100 * share:.0f} %)" for way, share in likely if share >= _LEAST_SHOWN)

    def _way_back(self, node: str) -> str:
        """Return the path from the node after a failure to the node at which it joins the plan."""
        way = _followed(self.choices, node, self.goal)
        joins = next((i for i, each in enumerate(way) if each in self.nodes), len(way) - 1)
        return " -> ".join(way[: joins + 1])


def plan_policy(
    graph: ControllerGraph,
    source: str,
    goal: str,
    evidence: GraphEvidence,
    preview: TerrainPreview | None = None,
    *,
    reset_cost: float = RESET_COST_S,
) -> PolicyPlan:
    """Return the best policy to a goal over naive and learned edges.

    Args:
        graph: controller graph.
        source: name of the source node.
        goal: name of the goal node.
        evidence: logged success of the edges.
        preview: the ground; edges for other ground are only taken if no other edges lead to the goal.
        reset_cost: cost of a reset in addition to the time before it, simulated s.

    Raises:
        CtrlGraphError: there is no such node, no planned edges lead from one to the other, or the cost is out of range.
    """
    if not 0.0 <= reset_cost <= 1e5:
        raise CtrlGraphError(f"a reset costs 0 to 100000 s, not {reset_cost:g}")
    path = plan_path(graph, source, goal, evidence.edges, preview)
    if preview is not None and any(graph.beyond(step.edge, preview) > 0.0 for step in path.steps):
        preview = None  # as for the path itself: only edges for other ground lead to the goal
    model = TransitionModel(graph, goal, evidence, preview, reset_cost)
    solution = model.solution
    actions = zip(graph.nodes, solution.action.tolist(), strict=False)
    choices = {node: model.edges[action] for node, action in actions if action >= 0}
    way = _followed(choices, source, goal)
    steps = tuple(PlannedEdge(choices[node], evidence.of(choices[node])) for node in way[:-1])
    reliable = most_reliable_edges(graph, goal, evidence.edges, preview)
    by_path = solution.choice.copy()
    for node in graph.nodes:
        if node != goal:
            by_path[model.state(node)] = model.choice(node, reliable.get(node))
    visited = dict.fromkeys(step.edge.target for step in steps)
    return PolicyPlan(
        source,
        goal,
        steps,
        choices=choices,
        prospects=_prospects(model, solution.choice, source, steps),
        path=path,
        path_prospects=_prospects(model, by_path, source, path.steps),
        answers={node: tuple(model.answers(node)) for node in visited},
    )


def _followed(choices: Mapping[str, Edge], node: str, goal: str) -> tuple[str, ...]:
    """Return the nodes of a policy from `node` without failures, up to the goal or the first repetition."""
    nodes = [node]
    while nodes[-1] != goal and nodes[-1] in choices and choices[nodes[-1]].target not in nodes:
        nodes.append(choices[nodes[-1]].target)
    return tuple(nodes)


def _prospects(
    model: TransitionModel, choice: NDArray[np.int64], source: str, steps: tuple[PlannedEdge, ...]
) -> Prospects:
    state, table, lasting = model.state(source), model.table, model.without_resets
    arrives = evaluate(lasting, choice, np.where(lasting.next_state == ENDED, 1.0, 0.0))
    # each duration is weighted with the probability that the goal is reached after this outcome
    later = np.where(lasting.next_state >= 0, arrives[lasting.next_state], 1.0 * (lasting.next_state == ENDED))
    timed = evaluate(lasting, choice, lasting.duration * later)
    ends = [step.edge.target for step in steps] or [source]
    sure = float(np.prod([step.evidence.probability for step in steps])) if ends[-1] == model.goal else 0.0
    return Prospects(
        no_failure=sure,
        no_reset=float(arrives[state]),
        seconds=float(timed[state] / arrives[state]) if arrives[state] > 0.0 else float("nan"),
        seconds_in_all=float(evaluate(table, choice, table.duration)[state]),
    )
