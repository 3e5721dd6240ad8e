"""A problem: the parameters, the cases in which candidates are evaluated, and the weights of the cost."""

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
    "change": "mean squared distance of the parameters from their present values, in prior scales",
}
"""Terms of the cost, with their units."""


@dataclass(frozen=True, slots=True)
class Case:
    """One situation in which candidates are evaluated."""

    evaluation_plan: EvaluationPlan
    perturbations: Perturbations = field(default_factory=Perturbations)
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
    """Weights of the cost."""

    weights: Mapping[str, float]
    """Weights of `TERMS`, summed in each case."""
    worst: float = 1.0
    """Weight of the worst case relative to the mean of all cases."""


@dataclass(frozen=True, slots=True)
class LearnedTransition:
    """The parts of a learned edge: additional cycles of the source, a bridging script, and the target.

    The first cycles of the target have their own constants. Later cycles have those of the target's script.
    """

    source: str
    target: str
    reference: str
    """Edge (a->target) with known success of the target."""
    source_cycles: int = 0
    """Number of additional cycles of the source."""
    bridge: str | None = None
    """Path of the bridging script in the project."""
    target_cycles: int | None = None
    """Number of cycles of the target with their own constants. None: all."""
    before_s: float = 2.0
    """Expected duration of everything before the target, s."""
    draft: str | None = None
    """Text of a proposed bridging script that has not been written to a file yet."""

    @property
    def edge(self) -> Edge:
        """Learned edge, without its file."""
        return Edge(self.source, self.target, EdgeKind.LEARNED)


@dataclass(frozen=True)
class Problem:
    """Everything that determines the cost of a candidate, in the form that is sent to workers."""

    directory: Path
    """Directory of the project."""
    search_space: SearchSpace
    cases: tuple[Case, ...]
    objective: Objective
    transition: LearnedTransition | None = None
    """Learned edge, or None if scripts are tuned."""
    on: tuple[str, float] | None = None
    """Terrain to which the nodes in `adapting` are adapted. On other terrain their constants are interpolated."""
    adapting: tuple[str, ...] = ()
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Hashes of what the project must contain."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """Every node that runs in a case."""
        names = {name for case in self.cases for name in case.evaluation_plan.nodes}
        if self.transition is not None:
            names |= {self.transition.source, self.transition.target}
        return tuple(sorted(names))

    @property
    def engines(self) -> tuple[str, ...]:
        """Engines of the cases, without duplicates."""
        return tuple(dict.fromkeys(case.perturbations.engine for case in self.cases))

    @property
    def digest(self) -> str:
        """Hash of the problem without the directory of the project. Checkpoints use it to identify the problem."""
        ids = [item.ids for item in self.search_space.items]
        numbers = [
            (item.part, item.role, item.value, item.low, item.high, item.spread, item.multiplies)
            for item in self.search_space.items
        ]
        data = [ids, numbers, [asdict(case) for case in self.cases], asdict(self.objective), dict(self.hashes)]
        data.append(None if self.transition is None else asdict(self.transition))
        data.append([self.on, self.adapting])
        return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()[:32]
