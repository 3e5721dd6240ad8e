"""Endurance of a gait: steps, seconds and metres until it falls, from many perturbed starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.falls import FALLEN_TORSO
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, way_to
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.noise import trial_seed
from ctrlgraph.run_log.statistics import reason_kind
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.statistics import SuccessCount, bootstrap_mean

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.perturbation import Perturbations

QUANTITIES = ("steps", "duration", "distance")
"""Measures of each start."""

FEEDBACK = ("cd", "cv")
"""Constants that are 0 in a gait without feedback."""


@dataclass(frozen=True, slots=True)
class Run:
    """Result of one start."""

    seed: int
    lasted: bool
    """True if it was still walking at the end of the time."""
    reason: str
    """Reason of the fall."""
    steps: float | None
    """Number of steps, None without two feet."""
    duration: float
    """Duration, s."""
    distance: float
    """Distance, m."""


@dataclass(frozen=True, slots=True)
class Endurance:
    """Result of all starts of a gait. Means are lower bounds if some starts lasted for the whole time."""

    node: str
    feedback: bool
    """True if the feedback was active."""
    seconds: float
    """Maximum duration, s."""
    runs: tuple[Run, ...]

    @property
    def lasted(self) -> SuccessCount:
        """Success count of the starts that lasted."""
        return SuccessCount.of(run.lasted for run in self.runs)

    def mean(self, quantity: str) -> tuple[float, float, float] | None:
        """Return the mean of a quantity over the starts with its 95 % interval, or None if it was not measured."""
        values = [value for run in self.runs if (value := getattr(run, quantity)) is not None]
        return bootstrap_mean(values) if values else None

    @property
    def commonest_end(self) -> str:
        """Return the most frequent reason for a fall, without measured values; empty if no start fell."""
        reasons = Counter(reason_kind(run.reason) for run in self.runs if not run.lasted)
        return reasons.most_common(1)[0][0] if reasons else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        low, high = self.lasted.interval
        rates = {"trials": len(self.runs), "lasted": self.lasted.successes, "low": low, "high": high}
        means = {name: _named(self.mean(name)) for name in QUANTITIES}
        head = {"node": self.node, "feedback": self.feedback, "seconds": self.seconds}
        return head | rates | means | {"runs": [asdict(run) for run in self.runs]}


def _named(mean: tuple[float, float, float] | None) -> dict[str, float] | None:
    return None if mean is None else dict(zip(("mean", "low", "high"), mean, strict=True))


def endurance(
    project: Project,
    node: str,
    perturbed: Perturbations,
    *,
    seconds: float,
    trials: int,
    seed: int,
    feedback: bool = True,
    on_run: Callable[[Run], None] = lambda _: None,
) -> Endurance:
    """Run a gait from many starts, until it falls or its time is over.

    It is entered over the shortest path from the start pose and repeated until it leaves its node's bounds, or, if
    these do not contain the trunk, until the trunk is farther from upright than in a fall.

    Args:
        project: Project with the gait.
        node: Name of the gait.
        perturbed: Perturbations. Without random ones, every start is the same.
        seconds: Maximum duration, s.
        trials: Number of starts.
        seed: Seed of the random perturbations.
        feedback: False sets the gains of its balance feedback (cd, cv) to 0.
        on_run: Called after each start.

    Raises:
        CtrlGraphError: The node does not exist, or cannot be reached.
    """
    plan, gait = _plan(project, node), project.graph.node(node)
    # a fall exit ends a cycle, after which the next would begin on the ground
    bounds = {"torso": (-FALLEN_TORSO, FALLEN_TORSO)} | gait.bounds
    runs = []
    with Evaluator(project) as evaluator:
        for index in range(perturbed.distinct_trials(trials)):
            own = trial_seed(seed, plan.target, (), index)
            begun = evaluator.begin(plan, perturbed, np.random.default_rng(own))
            if isinstance(begun, Failed):
                raise CtrlGraphError(f"{node} cannot be reached: {begun.reason}")
            # all cycles at once, since a learned edge changes only the first ones
            entered = project.rollout(plan.test[-1].edge, gait, MAX_CYCLES, begun.simulation.preview)
            controller = entered.controller if feedback else without(entered.controller, FEEDBACK)
            outcome = begun.simulation.run_rollout(Rollout(controller, entered.cycles, seconds, {}, bounds))
            lasted = outcome.status is Status.TIMEOUT and not outcome.fell
            reason = "" if lasted else outcome.reason or outcome.conclusion.value
            values = outcome.measures
            runs.append(Run(own, lasted, reason, values.get("steps"), values["duration"], values["distance"]))
            on_run(runs[-1])
    return Endurance(node, feedback, seconds, tuple(runs))


def _plan(project: Project, node: str) -> EvaluationPlan:
    """Return the plan of a gait without recovery, which not every gait has."""
    project.graph.node(node)  # reports a misspelt name first
    *before, last = way_to(project.graph, node)
    return EvaluationPlan(
        node, tuple(before) or (last,), (replace(last, edge=last.edge if before else None),), (), False
    )


def without(controller: Controller, quantities: Sequence[str]) -> Controller:
    """Return a controller whose constants of some quantities are 0.

    Args:
        controller: Controller to change.
        quantities: Quantities of the constants.

    Raises:
        CtrlGraphError: It has none.
    """
    constants = np.array(controller.constants, dtype=np.float64)
    chosen = [i for i, parameter in enumerate(controller.parameters) if parameter.quantity in quantities]
    if not chosen:
        raise CtrlGraphError(f"{controller.name} has no constant of the kind {' or '.join(quantities)}")
    constants[chosen] = 0.0
    return controller.with_constants(constants)
