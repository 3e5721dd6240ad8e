"""A problem: parameters, the cases in which each candidate is tried, and how what happens is weighed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ctrlgraph.experiments.evaluation_plan import EvaluationPlan
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.graph.model import Edge, EdgeKind
from ctrlgraph.optimization.search_space import SearchSpace

TERMS: dict[str, str] = {
    "failure": "0 where everything held; else 10 for each controller not reached, less what was reached of the "
    "one that failed, more for how far its conditions are from holding",
    "com": "squared distance of the centre of mass from the reference, integrated over time, m2 s (Firmin 2014, F1)",
    "trunk": "squared distance of the upper torso's global angle from the reference, rad2 s (F2)",
    "joints": "squared distances of all joint angles from the reference, rad2 s (F3)",
    "time": "duration, s (as the source's F_time, of the whole course)",
    "energy": "work of the joints, kJ",
    "effort": "integral of the squared joint torques, (100 N m)2 s (as the source's F_energy)",
    "saturation": "share of the joints' time at their torque limits",
    "change": "mean squared distance of the parameters from their present values, in spreads",
}
"""What is measured of each candidate, and its unit."""


@dataclass(frozen=True, slots=True)
class Case:
    """One situation in which a candidate is tried: a plan, what is perturbed, and the seed of what is drawn."""

    evaluation_plan: EvaluationPlan
    how: Perturbations = field(default_factory=Perturbations)
    seed: int = 0

    def __str__(self) -> str:
        cycles = ",".join(
            str(segment.cycles) for segment in (self.evaluation_plan.setup[-1], *self.evaluation_plan.test)
        )
        perturbed = ", ".join(f"{name}={value}" for name, value in self.how.as_dict().items())
        return f"{self.evaluation_plan.target} ({cycles} cycles{', ' + perturbed if perturbed else ''})"


@dataclass(frozen=True, slots=True)
class Objective:
    """weights: of TERMS, summed in each case; worst: weight of the worst case beside the mean of all."""

    weights: Mapping[str, float]
    worst: float = 1.0


@dataclass(frozen=True, slots=True)
class LearnedTransition:
    """What a learned edge runs: so many more cycles of the source, a bridging script, the target's first cycles
    with constants of their own and the rest as they are. `bridge` is a path in the project; `draft` is the text of
    one that is proposed, and stands in no file yet.

    target_cycles: None: all cycles of the target; reference: an edge (a->target) by which the target is known
    to do well.
    """

    source: str
    target: str
    reference: str
    source_cycles: int = 0
    bridge: str | None = None
    target_cycles: int | None = None
    draft: str | None = None

    @property
    def edge(self) -> Edge:
        """Return the learned edge, as it will stand in the graph but for its file."""
        return Edge(self.source, self.target, EdgeKind.LEARNED)


@dataclass(frozen=True)
class Problem:
    """Everything that the cost of a candidate depends on; sent to workers as it is.

    directory: of the project; transition: the learned edge's parts, None where scripts are tuned; on: the ground that
    `adapting` nodes are adapted to: elsewhere a candidate is interpolated, as it will be once it is written;
    hashes: of what the project must hold.
    """

    directory: Path
    search_space: SearchSpace
    cases: tuple[Case, ...]
    objective: Objective
    transition: LearnedTransition | None = None
    on: tuple[str, float] | None = None
    adapting: tuple[str, ...] = ()
    hashes: Mapping[str, str] = field(default_factory=dict)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Return every node that a case runs."""
        names = {name for case in self.cases for name in case.evaluation_plan.nodes}
        if self.transition is not None:
            names |= {self.transition.source, self.transition.target}
        return tuple(sorted(names))

    @property
    def engines(self) -> tuple[str, ...]:
        """Return the engines that the cases are tried on, each once, in their order."""
        return tuple(dict.fromkeys(case.how.engine for case in self.cases))

    @property
    def digest(self) -> str:
        """Return the hash of the whole problem, by which a checkpoint knows its own; the place of the project does not
        count."""
        ids = [item.ids for item in self.search_space.items]
        numbers = [
            (item.part, item.role, item.value, item.low, item.high, item.spread, item.multiplies)
            for item in self.search_space.items
        ]
        data = [ids, numbers, [asdict(case) for case in self.cases], asdict(self.objective), dict(self.hashes)]
        data.append(None if self.transition is None else asdict(self.transition))
        data.append([self.on, self.adapting])
        return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()[:32]
