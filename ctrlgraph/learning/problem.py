"""Search problems: the parameters that may change, the cases in which candidates are evaluated, and the objective."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.learning.search_space import SearchSpace
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan
from ctrlgraph.robustness.perturbation import Perturbations

TERMS: dict[str, str] = {
    "failure": "0 if all controllers succeed; else 10 for each controller that is not reached, minus the partial "
    "success of the failed one: its duration, and how nearly its conditions are met",
    "com": "squared distance of the centre of mass from the reference, integrated over time, m2 s (Firmin 2014, F1)",
    "trunk": "squared distance of the upper torso's global angle from the reference, rad2 s (F2)",
    "joints": "squared distances of all joint angles from the reference, rad2 s (F3)",
    "time": "duration, s (as F_time of the source, of test and recovery)",
    "energy": "work of the joints, kJ",
    "effort": "integral of the squared joint torques, (100 N m)2 s (as the source's F_energy)",
    "saturation": "share of the joints' time at their torque limits",
    "change": "mean squared distance of the parameters from their original values, in prior scales",
}
"""Terms of the cost by name, each with its meaning and unit."""

BEFORE_S = 2.0
"""Expected duration of additional source cycles and a bridge from pose to pose, s."""


@dataclass(frozen=True, slots=True)
class Case:
    """One simulated test of each candidate: the nodes to run, and the perturbations under which they run."""

    evaluation_plan: EvaluationPlan
    """Nodes to run before, during and after the test."""
    perturbations: Perturbations = field(default_factory=Perturbations)
    """Perturbations of environment, body, initial state or test."""
    seed: int = 0
    """Seed of the random perturbations."""

    def __str__(self) -> str:
        cycles = ",".join(
            str(segment.cycles) for segment in (self.evaluation_plan.setup[-1], *self.evaluation_plan.test)
        )
        perturbed = ", ".join(f"{name}={value}" for name, value in self.perturbations.as_dict().items())
        return f"{self.evaluation_plan.target} ({cycles} cycles{', ' + perturbed if perturbed else ''})"


@dataclass(frozen=True, slots=True)
class Objective:
    """Weights of the terms and cases in the cost that a search minimises."""

    weights: Mapping[str, float]
    """Weight of each cost term by name (see `TERMS`). A term that is not given has the weight 0, "failure" has 1."""
    worst: float = 1.0
    """Weight of the worst case relative to the mean of all cases."""


@dataclass(frozen=True, slots=True)
class LearnedTransition:
    """The parts of an edge that is learned: additional cycles of the source, a bridging script, and the target.

    The source has already run when the edge is taken. Its additional cycles run with learned constants, and so do the
    first cycles of the target. Later cycles of the target have the constants of its script.
    """

    source: str
    """Name of the source node."""
    target: str
    """Name of the target node."""
    reference: str
    """Existing edge into the target, such as "stand->walk", after which the target is known to succeed. Its motion is
    the reference of the cost terms.
    """
    source_cycles: int = 0
    """Number of additional cycles of the source."""
    bridge: str | None = None
    """Path of the bridging script, relative to the project. None: no bridging script."""
    target_cycles: int | None = None
    """Number of first cycles of the target that run with learned constants. None: all."""
    before_s: float = BEFORE_S
    """Expected duration of the additional source cycles and the bridging script, s."""
    draft: str | None = None
    """Text of a proposed bridging script that is not in a file yet."""

    @property
    def edge(self) -> Edge:
        """The transition as an edge of a graph. It refers to no learned file."""
        return Edge(self.source, self.target, EdgeKind.LEARNED)


@dataclass(frozen=True)
class Problem:
    """A search problem: what may change, the cases, and the cost. It can be sent to worker processes."""

    directory: Path
    """Directory of the project."""
    search_space: SearchSpace
    """Parameters that may change."""
    cases: tuple[Case, ...]
    """Cases in which each candidate is evaluated."""
    objective: Objective
    """Weights of the terms and cases in the cost."""
    transition: LearnedTransition | None = None
    """Edge that is learned. None: constants of nodes are tuned."""
    on: tuple[str, float] | None = None
    """Scheduling variable ("slope" in deg or "obstacle" in m) and the value for which constants are searched. At other
    values, constants are interpolated. None: the constants do not depend on the terrain.
    """
    adapting: tuple[str, ...] = ()
    """Names of the nodes whose constants become gain-scheduled, if `on` is given."""
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Hashes of everything in the project that determines the cost of a candidate, by name ("node walk"). Workers
    compare them with their copy of the project.
    """

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of all nodes that run in a case, sorted."""
        names = {name for case in self.cases for name in case.evaluation_plan.nodes}
        if self.transition is not None:
            names |= {self.transition.source, self.transition.target}
        return tuple(sorted(names))

    @property
    def engines(self) -> tuple[str, ...]:
        """Names of the engines of the cases, without duplicates."""
        return tuple(dict.fromkeys(case.perturbations.engine for case in self.cases))

    @property
    def digest(self) -> str:
        """Hash of all fields except `directory`. A checkpoint stores it, to identify the search problem."""
        ids = [item.ids for item in self.search_space.items]
        numbers = [
            (item.part, item.role, item.value, item.low, item.high, item.spread, item.multiplies)
            for item in self.search_space.items
        ]
        data = [ids, numbers, [asdict(case) for case in self.cases], asdict(self.objective), dict(self.hashes)]
        data.append(None if self.transition is None else asdict(self.transition))
        data.append([self.on, self.adapting])
        return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()[:32]
