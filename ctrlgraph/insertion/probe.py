"""Probe rollouts: single unperturbed runs of a new script after every node of a graph, to see how the script ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ctrlgraph.learning.cases import with_cycles
from ctrlgraph.learning.evaluation import Evaluation, each_case, with_hashes
from ctrlgraph.learning.problem import Case, Objective, Problem
from ctrlgraph.learning.search_space import SearchSpace
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment, by_source, way_to
from ctrlgraph.robustness.examples import entries
from ctrlgraph.robustness.initial_state import Failed, run_segment
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.measures import END_S
from ctrlgraph.simulation.outcome import Outcome, Status

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.learning.candidate import CandidateEvaluator
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.worker_pool import WorkerPool
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.simulation import Simulation

START = ""
"""Value of `TerminalState.source` for a rollout from the start pose, without a node before it."""

SEAT, TRUNK, KNEES, HANDS, FEET, OTHER = CARRIERS = ("seat", "trunk", "knees", "hands", "feet", "other")
"""Parts of a body on which the body can rest."""

ENTRIES = 2
"""Number of different numbers of cycles with which a gait runs in the probe rollouts."""


@dataclass(frozen=True)
class Posture:
    """Features of a character's state that describe its posture: trunk angle, height, speed, contacts, joint angles."""

    torso: float
    """Angle of the trunk in the world frame, within -pi and pi, rad."""
    com_height: float
    """Height of the centre of mass above the ground below it, m."""
    com_speed: float
    """Speed of the centre of mass, m/s."""
    feet_contact: int
    """Number of feet in contact with the ground."""
    hands_contact: int
    """Number of hands in contact with the ground."""
    joints: tuple[float, ...] = ()
    """Joint angles, rad."""
    carrying: tuple[str, ...] | None = None
    """Names of the links in contact with the ground shortly before this state. None: unknown."""
    carriers: tuple[str, ...] | None = None
    """Parts of the body, from `CARRIERS`, to which the links in `carrying` belong. None: unknown."""

    def as_dict(self) -> dict[str, float]:
        """Return the rounded features as data for JSON, without `joints`, `carrying` and `carriers`."""
        values = asdict(self)
        del values["joints"], values["carrying"], values["carriers"]
        return {name: round(value, 3) for name, value in values.items()}


@dataclass(frozen=True)
class TerminalState:
    """Result of one probe rollout: how the candidate (the node to insert) started and ended after another node."""

    source: str
    """Name of the node before the candidate. START: the candidate started from the start pose."""
    cycles: tuple[int, int]
    """Number of cycles of the node before the candidate, and number of cycles of the candidate."""
    entry: Posture | None
    """Posture at the start of the candidate. None: the candidate did not start, because a node before it failed."""
    end: Posture | None
    """Posture at the end of the candidate. None: the candidate did not start."""
    status: str
    """Status of the candidate, or of the failed node before the candidate (see `simulation.outcome.Status`)."""
    reason: str
    """Reason of the failure, empty on success."""
    place: str
    """FILE:LINE of the script at which the candidate ended, empty if unknown."""
    measures: Mapping[str, float] = field(default_factory=dict)
    """Measures of the candidate's motion by name."""
    fall_exit: str = ""
    """Condition of the fall exit (transition because of a fall) by which the script ended, such as "fallen x 1.2".
    Empty: the script did not end by a fall exit."""
    again: Mapping[str, float] = field(default_factory=dict)
    """Measures of a second run of the candidate, from the state in which the first run ended, by name. Empty: there was
    no second run."""

    @property
    def completed(self) -> bool:
        """True if the success conditions were met and the script did not end by a fall exit."""
        return self.status == Status.COMPLETED and not self.fall_exit


@dataclass(frozen=True)
class ProbeRollout(Evaluation):
    """A batch of probe rollouts for a worker process: evaluation plans that run once, without perturbations."""

    again: bool = True
    """True: the tested node runs a second time, from the state in which its first run ended."""

    def crashed(self) -> list[Any]:
        """Return results with the status "crashed" for all rollouts of the batch, after too many worker deaths."""
        cases = [self.problem.cases[item] for item in self.items]
        reason = f"the worker process died {self.deaths} times"
        return [
            TerminalState(case.evaluation_plan.source, _cycles(case.evaluation_plan), None, None, "crashed", reason, "")
            for case in cases
        ]


def run_probe(work: ProbeRollout) -> list[TerminalState]:
    """Run the probe rollouts of a batch, and return their results in the order of the batch."""
    return each_case(
        work,
        lambda candidate_evaluator, case: _ending(
            candidate_evaluator, case.evaluation_plan, case.perturbations.environment, again=work.again
        ),
    )


def probe_endings(
    project: Project,
    graph: ControllerGraph,
    node: str,
    sources: Sequence[str],
    pool: WorkerPool,
    observe: Callable[[int], None] = lambda _: None,
) -> list[TerminalState]:
    """Run a candidate node once from the start pose and after each of some nodes, and return how these rollouts ended.

    Gaits run with different numbers of cycles.

    Args:
        project: Scratch project with the candidate.
        graph: Graph with the candidate. Paths of planned edges of this graph lead to the nodes in `sources`.
        node: Name of the candidate.
        sources: Names of the nodes after which the candidate starts.
        pool: Worker processes that run the rollouts.
        observe: Called with the number of rollouts finished so far.

    Raises:
        Interrupted: Ctrl-C was pressed.
    """
    return _run_once(project, probe_plans(graph, node, sources), pool, observe, again=True)


def example_measures(
    project: Project,
    graph: ControllerGraph,
    nodes: Sequence[str],
    pool: WorkerPool,
    observe: Callable[[int], None] = lambda _: None,
) -> dict[str, Mapping[str, float]]:
    """Simulate one unperturbed motion of each of some nodes, and return its measures by name of the node.

    Each node runs after the first of its usual predecessors. Nodes that cannot be reached or that fail are omitted.

    Args:
        project: Project with the nodes.
        graph: Graph with the edges to the nodes.
        nodes: Names of the nodes.
        pool: Worker processes that run the simulations.
        observe: Called with the number of motions finished so far.

    Raises:
        Interrupted: Ctrl-C was pressed.
    """
    plans = [plan for name in nodes for plan in entries(graph, name)[:1]]
    found = _run_once(project, plans, pool, observe, again=False)
    return {plan.test[-1].node: ending.measures for plan, ending in zip(plans, found, strict=True) if ending.completed}


def _run_once(
    project: Project,
    evaluation_plans: Sequence[EvaluationPlan],
    pool: WorkerPool,
    observe: Callable[[int], None],
    *,
    again: bool,
) -> list[TerminalState]:
    level = Perturbations.of(project)
    cases = tuple(Case(plan, level) for plan in evaluation_plans)
    problem = Problem(project.directory, SearchSpace(()), cases, Objective({}))
    problem = with_hashes(project, problem)
    found: dict[int, TerminalState] = {}

    def done(work: Any, results: list[Any]) -> None:
        found.update(zip(work.items, results, strict=False))
        observe(len(found))

    digest = problem.digest
    pool.do(
        (ProbeRollout(problem, digest, 0, (), tuple(items), again=again) for items in by_source(evaluation_plans)), done
    )
    return [found[i] for i in sorted(found)]


def probe_plans(graph: ControllerGraph, node: str, sources: Sequence[str]) -> list[EvaluationPlan]:
    """Return the plans (nodes to run) of the probe rollouts: the candidate from the start pose, and after each source.

    Args:
        graph: Graph with the candidate.
        node: Name of the candidate.
        sources: Names of the nodes after which the candidate starts.
    """
    ways = [EvaluationPlan(node, (), (Segment(node, None, graph.node(node).cycles[0]),), (), False)]
    for source in sources:
        segment = Segment(node, None, graph.node(node).cycles[0])
        plan = EvaluationPlan(f"{source}->{node}", way_to(graph, source), (segment,), (), False)
        ways += with_cycles(graph, plan, ENTRIES)
    return ways


def _cycles(plan: EvaluationPlan) -> tuple[int, int]:
    return (plan.setup[-1].cycles if plan.setup else 1, plan.test[0].cycles)


def _ending(
    candidate_evaluator: CandidateEvaluator, plan: EvaluationPlan, environment: Environment, *, again: bool
) -> TerminalState:
    evaluator = candidate_evaluator.evaluator
    environment = evaluator.home(plan, environment)
    simulation, project = evaluator.simulation(environment), evaluator.project
    if plan.setup:
        entry = evaluator.entry(plan, environment)
        if isinstance(entry, Failed):
            reason = f"{entry.node} {entry.outcome.status}: {entry.outcome.reason}"
            return TerminalState(plan.source, _cycles(plan), None, None, entry.outcome.status.value, reason, "")
        simulation.disturb()
        simulation.restore(entry.state)
    else:
        simulation.disturb()
        simulation.reset()
    segment, began = plan.test[0], posture(simulation)
    outcome = run_segment(project, simulation, segment, environment)
    end, second = posture(simulation), {}
    if again and outcome.succeeded and not outcome.fell:
        second = dict(run_segment(project, simulation, segment, environment).measures)
    return TerminalState(
        source=plan.source,
        cycles=_cycles(plan),
        entry=began,
        end=end,
        status=outcome.status.value,
        reason=outcome.reason,
        place=_place(outcome),
        measures=dict(outcome.measures),
        fall_exit=outcome.departure.condition if outcome.departure is not None and outcome.fell else "",
        again=second,
    )


def _place(outcome: Outcome) -> str:
    place = outcome.departure.place if outcome.departure is not None and outcome.fell else outcome.place
    return "" if place is None else f"{place.path.rpartition('/')[2]}:{place.line}"


def posture(simulation: Simulation) -> Posture:
    """Return the posture that the character of a simulation has now."""
    character, kinematics = simulation.character, simulation.snapshot().kinematics
    angle = float(kinematics.link[character.trunk, 2])
    x, y, vx, vy = (float(value) for value in kinematics.com)

    def touching(links: Sequence[int]) -> int:
        return int(sum(kinematics.contact[i] for i in links))

    # a resting link may lose contact for a single time step, so contacts shortly before count too
    late = [i for i, last in enumerate(kinematics.last_contact) if last >= simulation.time - END_S]
    return Posture(
        torso=math.remainder(angle, math.tau),
        com_height=y - simulation.terrain.height(x),
        com_speed=math.hypot(vx, vy),
        feet_contact=touching(character.roles.feet),
        hands_contact=touching(character.roles.hands),
        joints=tuple(kinematics.joint[:, 0].tolist()),
        carrying=tuple(character.links[i].name for i in late),
        carriers=tuple(dict.fromkeys(carrier(character, i) for i in late)),
    )


def carrier(character: Character, link: int) -> str:
    """Return the part of the body to which a link belongs, from `CARRIERS`.

    The root link is the seat, unless it is the trunk.

    Args:
        character: Character with the link.
        link: Index of the link.
    """
    roles = character.roles
    for name, links in ((KNEES, roles.shins), (HANDS, roles.hands), (FEET, roles.feet)):
        if link in links:
            return name
    if link == character.trunk:
        return TRUNK
    return SEAT if link == character.root else TRUNK if link in roles.axial else OTHER
