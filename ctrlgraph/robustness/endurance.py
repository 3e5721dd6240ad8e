"""Endurance of a gait: its steps, time and distance until it falls, in many perturbed runs."""

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
"""Names of the quantities that are measured in each run."""

FEEDBACK = ("cd", "cv")
"""Quantities of the balance feedback's gains, which are set to 0 for a gait without feedback."""


@dataclass(frozen=True, slots=True)
class Run:
    """Result of running a gait once, until it ends or the maximum duration is reached."""

    seed: int
    """Seed of the random perturbations of this run."""
    lasted: bool
    """True if the gait was still going, without a fall, after the maximum duration."""
    reason: str
    """Why the gait ended, empty if it lasted."""
    steps: float | None
    """Number of steps. None: the character does not have two feet."""
    duration: float
    """Simulated time from the first cycle to the end of the gait, s."""
    distance: float
    """Distance travelled from the first cycle to the end of the gait, m."""


@dataclass(frozen=True, slots=True)
class Endurance:
    """Results of running a gait many times.

    The means of steps, duration and distance are lower bounds if some runs were stopped at the maximum duration.
    """

    node: str
    """Name of the gait."""
    feedback: bool
    """False if the gains of the balance feedback were set to 0."""
    seconds: float
    """Maximum duration of a run, s."""
    runs: tuple[Run, ...]
    """Result of each run."""

    @property
    def lasted(self) -> SuccessCount:
        """Number of runs that lasted for the maximum duration, with the number of all runs."""
        return SuccessCount.of(run.lasted for run in self.runs)

    def mean(self, quantity: str) -> tuple[float, float, float] | None:
        """Return the mean of a quantity over all runs of the gait.

        Args:
            quantity: "steps", "duration" (s) or "distance" (m).

        Returns:
            Mean, and lower and upper bound of its 95 % confidence interval. None if the quantity was not measured.
        """
        values = [value for run in self.runs if (value := getattr(run, quantity)) is not None]
        return bootstrap_mean(values) if values else None

    @property
    def commonest_end(self) -> str:
        """Most frequent kind of failure, such as "torso is above"; empty if all runs lasted."""
        reasons = Counter(reason_kind(run.reason) for run in self.runs if not run.lasted)
        return reasons.most_common(1)[0][0] if reasons else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the results of all runs as data for JSON."""
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
    """Run a gait many times, each time until it falls or a maximum duration is reached.

    The gait is entered over the shortest path from the start pose, and its cycles are repeated. It ends when the motion
    leaves the bounds of the gait's node. If these do not limit the angle of the trunk, it also ends when the trunk
    leans farther than `FALLEN_TORSO`.

    Args:
        project: Project with the gait.
        node: Name of the gait.
        perturbed: Perturbations of all runs. Without random perturbations, the gait is run only once.
        seconds: Maximum duration of a run, s.
        trials: Number of runs.
        seed: Seed of the random perturbations.
        feedback: False sets the gains of the gait's balance feedback (cd, cv) to 0.
        on_run: Called with the result of each run.

    Raises:
        CtrlGraphError: The project has no such node, a node on the path to the gait fails, or `feedback` is False and
            the gait has no balance feedback.
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
                raise CtrlGraphError(f"the gait '{node}' cannot start, because a node before it fails: {begun.reason}")
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
    """Return an evaluation plan that ends with the gait, since not every gait leads on to a static pose."""
    project.graph.node(node)  # reports a misspelt name first
    *before, last = way_to(project.graph, node)
    return EvaluationPlan(
        node, tuple(before) or (last,), (replace(last, edge=last.edge if before else None),), (), False
    )


def without(controller: Controller, quantities: Sequence[str]) -> Controller:
    """Return a copy of a controller in which the constants of given quantities are 0, such as gains of feedback.

    Args:
        controller: Controller to copy.
        quantities: Quantities of the constants to set to 0, such as "cd" and "cv".

    Raises:
        CtrlGraphError: The controller has no constant of these quantities.
    """
    constants = np.array(controller.constants, dtype=np.float64)
    chosen = [i for i, parameter in enumerate(controller.parameters) if parameter.quantity in quantities]
    if not chosen:
        raise CtrlGraphError(
            f"{controller.name} has no feedback to switch off: none of its constants is a {' or '.join(quantities)}"
        )
    constants[chosen] = 0.0
    return controller.with_constants(constants)
