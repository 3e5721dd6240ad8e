"""How long a gait lasts: steps, seconds and metres until it falls, from many perturbed starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.controller import FALLEN_TORSO
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, way_to
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.initial_state import Failed
from ctrlgraph.experiments.noise import trial_seed
from ctrlgraph.runs.statistics import reason_kind
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.statistics import SuccessCount, bootstrap_mean

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.experiments.perturbation import Perturbations
    from ctrlgraph.project.project import Project

QUANTITIES = ("steps", "duration", "distance")
"""The measures that are told of each start."""

FEEDBACK = ("cd", "cv")
"""The constants that are 0 in a gait without feedback."""


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one start. lasted: it was still walking when the time was over; steps: None without two feet."""

    seed: int
    lasted: bool
    reason: str
    steps: float | None
    duration: float
    distance: float


@dataclass(frozen=True, slots=True)
class Endurance:
    """What came of all starts of a gait; feedback: whether its feedback acted.

    A mean is one of what was seen: where some lasted, that of their full time would be greater.
    """

    node: str
    feedback: bool
    seconds: float
    runs: tuple[Run, ...]

    @property
    def lasted(self) -> SuccessCount:
        """Return how many were still walking at the end, with the interval of that rate."""
        return SuccessCount.of(run.lasted for run in self.runs)

    def mean(self, quantity: str) -> tuple[float, float, float] | None:
        """Return the mean of a quantity over the starts, and its 95 % interval; None where it was not measured."""
        values = [value for run in self.runs if (value := getattr(run, quantity)) is not None]
        return bootstrap_mean(values) if values else None

    @property
    def commonest_end(self) -> str:
        """Return why most of those that fell did, without the figures; empty where none fell."""
        reasons = Counter(reason_kind(run.reason) for run in self.runs if not run.lasted)
        return reasons.most_common(1)[0][0] if reasons else ""

    def as_dict(self) -> dict[str, Any]:
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
    """Walk on with a gait from many starts, each for so many seconds or until it falls.

    It is entered as its node is, over the shortest way from the start, and repeated until its time is over or it leaves
    its node's bounds; of one that bounds no trunk, until the trunk is further from upright than a fall is.

    Args:
        perturbed: of the world, the body and the start; every start is the same one where nothing is drawn at random.
        feedback: False sets the gains of its balance feedback (cd, cv) to 0.

    Raises:
        CtrlGraphError: there is no such node, or it cannot be entered.
    """
    with Evaluator(project) as evaluator:
        plan = _plan(project, node)
        runs = []
        for run in _runs(evaluator, plan, perturbed, seconds, perturbed.worth(trials), seed, feedback):
            runs.append(run)
            on_run(run)
    return Endurance(node, feedback, seconds, tuple(runs))


def _plan(project: Project, node: str) -> EvaluationPlan:
    """The way to a gait, the gait, and nothing after it: it may be one that nothing leads on from."""
    project.graph.node(node)  # a misspelt name is told as such, and not as one that nothing leads to
    *before, last = way_to(project.graph, node)
    return EvaluationPlan(
        node, tuple(before) or (last,), (replace(last, edge=last.edge if before else None),), (), False
    )


def _runs(
    evaluator: Evaluator,
    plan: EvaluationPlan,
    perturbed: Perturbations,
    seconds: float,
    trials: int,
    seed: int,
    feedback: bool,
) -> Iterator[Run]:
    project, segment = evaluator.project, plan.test[-1]
    node = project.graph.node(segment.node)
    for index in range(trials):
        own = trial_seed(seed, plan.target, (), index)
        begun = evaluator.begin(plan, perturbed, np.random.default_rng(own))
        if isinstance(begun, Failed):
            raise CtrlGraphError(f"{segment.node} cannot be entered: {begun.reason}")
        simulation = begun.simulation
        # all its cycles at once: a learned edge changes the first ones only
        entered = project.rollout(segment.edge, node, MAX_CYCLES, simulation.preview)
        controller = entered.controller if feedback else without(entered.controller, FEEDBACK)
        # a fall exit ends a cycle, and the next one would begin on the ground
        bounds = {"torso": (-FALLEN_TORSO, FALLEN_TORSO)} | node.bounds
        rollout = Rollout(controller, entered.cycles, seconds, {}, bounds)
        outcome = run_rollout(simulation, rollout)
        lasted = outcome.status is Status.TIMEOUT and not outcome.fell
        reason = "" if lasted else outcome.reason or outcome.conclusion.value
        values = outcome.measures
        yield Run(own, lasted, reason, values.get("steps"), values["duration"], values["distance"])


def without(controller: Controller, quantities: Sequence[str]) -> Controller:
    """Return a controller whose constants of these kinds are 0.

    Raises:
        CtrlGraphError: it has none.
    """
    constants = np.array(controller.constants, dtype=np.float64)
    chosen = [i for i, parameter in enumerate(controller.parameters) if parameter.quantity in quantities]
    if not chosen:
        raise CtrlGraphError(f"{controller.name} has no constant of the kind {' or '.join(quantities)}")
    constants[chosen] = 0.0
    return controller.with_constants(constants)
