"""How a candidate does after every node of a graph: where it begins, how it ends, what its end is like."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ctrlgraph.experiments.evaluation_plan import EvaluationPlan, Segment, way_to
from ctrlgraph.experiments.examples import entries
from ctrlgraph.experiments.initial_state import Failed, run_segment
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.optimization.cases import with_cycles
from ctrlgraph.optimization.evaluation import Evaluation, each_case, problem_hashes
from ctrlgraph.optimization.problem import Case, Objective, Problem
from ctrlgraph.optimization.search_space import SearchSpace
from ctrlgraph.simulation.measures import END_S
from ctrlgraph.simulation.outcome import Outcome, Status

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.kernels.arrays import Kinematics
    from ctrlgraph.optimization.candidate import CandidateEvaluator
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.simulation import Simulation

START = ""
"""In place of a node's name: the start pose."""

SEAT, TRUNK, KNEES, HANDS, FEET, OTHER = CARRIERS = ("seat", "trunk", "knees", "hands", "feet", "other")
"""What a character can rest on."""

ENTRIES = 2
"""After so many different numbers of a gait's cycles the candidate is looked at."""


@dataclass(frozen=True)
class Posture:
    """A state in a few numbers: torso rad (wrapped), com_height m, com_speed m/s, feet and hands in contact,
    all joint angles, rad, and the names of the links in contact and what these are, of `CARRIERS` (None: not known)."""

    torso: float
    com_height: float
    com_speed: float
    feet_contact: int
    hands_contact: int
    joints: tuple[float, ...] = ()
    carrying: tuple[str, ...] | None = None
    carriers: tuple[str, ...] | None = None

    def as_dict(self) -> dict[str, float]:
        """Without the joints and links, rounded."""
        values = asdict(self)
        del values["joints"], values["carrying"], values["carriers"]
        return {name: round(value, 3) for name, value in values.items()}


@dataclass(frozen=True)
class TerminalState:
    """One unperturbed run after a node (START: from the start pose).

    cycles: of that node, and of the candidate; entry: None where the node itself cannot be reached, and `reason`
    says why; fall_exit: the `fallen` that it left through ("fallen x 1.2"), empty where it left otherwise; again:
    measures of the candidate run once more from its own end.
    """

    source: str
    cycles: tuple[int, int]
    entry: Posture | None
    end: Posture | None
    status: str
    reason: str
    place: str
    measures: Mapping[str, float] = field(default_factory=dict)
    fall_exit: str = ""
    again: Mapping[str, float] = field(default_factory=dict)

    @property
    def completed(self) -> bool:
        """Return its script ended, its conditions held (so far as it has any), and it did not leave through a fall."""
        return self.status == Status.COMPLETED and not self.fall_exit


@dataclass(frozen=True)
class ProbeRollout(Evaluation):
    """A piece of work: the cases' plans are run once, unperturbed, and looked at.

    again: what is tested also runs once more, from its own end.
    """

    again: bool = True

    def crashed(self) -> list[Any]:
        cases = [self.problem.cases[item] for item in self.items]
        reason = f"its process died {self.deaths} times"
        return [
            TerminalState(
                _source(case.evaluation_plan), _cycles(case.evaluation_plan), None, None, "crashed", reason, ""
            )
            for case in cases
        ]


def look(work: ProbeRollout) -> list[TerminalState]:
    """Return what a pool does with such a piece of work."""
    return each_case(
        work,
        lambda candidate_evaluator, case: _ending(
            candidate_evaluator, case.evaluation_plan, case.how.environment, again=work.again
        ),
    )


def endings(
    project: Project,
    graph: ControllerGraph,
    node: str,
    sources: Sequence[str],
    pool: WorkerPool,
    observe: Callable[[int], None] = lambda _: None,
) -> list[TerminalState]:
    """Return the candidate from the start pose and after each of the sources, after different numbers of cycles.

    Args:
        project: a staging project that holds the candidate.
        graph: by whose planned edges the sources are reached, with the candidate among its nodes.
        observe: told how many of the looks are done.

    Raises:
        Interrupted: at Ctrl-C.
    """
    return _run_once(project, looked_at(graph, node, sources), pool, observe, again=True)


def example_measures(
    project: Project,
    graph: ControllerGraph,
    nodes: Sequence[str],
    pool: WorkerPool,
    observe: Callable[[int], None] = lambda _: None,
) -> dict[str, Mapping[str, float]]:
    """Return the measures of one undisturbed example of each node, entered from the first of its usual predecessors.

    Nodes that cannot be reached, or whose example does not hold, are left out.

    Args:
        project: in which they are simulated.
        graph: by whose edges they are entered.
        nodes: their names.
        pool: does the work.
        observe: told how many examples are done.

    Raises:
        Interrupted: at Ctrl-C.
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
    cases = tuple(Case(way, level) for way in evaluation_plans)
    problem = Problem(project.directory, SearchSpace(()), cases, Objective({}))
    problem = replace(problem, hashes=problem_hashes(project, problem))
    found: dict[int, TerminalState] = {}

    def done(work: Any, results: list[Any]) -> None:
        found.update(zip(work.items, results, strict=False))
        observe(len(found))

    digest = problem.digest
    pool.do(
        (ProbeRollout(problem, digest, 0, (), tuple(items), again=again) for items in _by_source(evaluation_plans)),
        done,
    )
    return [found[i] for i in sorted(found)]


def looked_at(graph: ControllerGraph, node: str, sources: Sequence[str]) -> list[EvaluationPlan]:
    """Return the plans of the looks: the candidate alone from the start pose, and after each source."""
    ways = [EvaluationPlan(node, (), (Segment(node, None, graph.node(node).cycles[0]),), (), False)]
    for source in sources:
        segment = Segment(node, None, graph.node(node).cycles[0])
        way = EvaluationPlan(f"{source}->{node}", way_to(graph, source), (segment,), (), False)
        ways += with_cycles(graph, way, ENTRIES)
    return ways


def _by_source(evaluation_plans: Sequence[EvaluationPlan]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for i, way in enumerate(evaluation_plans):
        groups.setdefault(_source(way), []).append(i)
    return list(groups.values())


def _source(way: EvaluationPlan) -> str:
    return way.setup[-1].node if way.setup else START


def _cycles(way: EvaluationPlan) -> tuple[int, int]:
    return (way.setup[-1].cycles if way.setup else 1, way.test[0].cycles)


def _ending(
    candidate_evaluator: CandidateEvaluator, way: EvaluationPlan, environment: Environment, *, again: bool
) -> TerminalState:
    evaluator = candidate_evaluator.evaluator
    environment = evaluator.home(way, environment)
    simulation, project = evaluator.simulation(environment), evaluator.project
    if way.setup:
        entry = evaluator.entry(way, environment)
        if isinstance(entry, Failed):
            reason = f"{entry.node} {entry.outcome.status}: {entry.outcome.reason}"
            return TerminalState(_source(way), _cycles(way), None, None, entry.outcome.status.value, reason, "")
        simulation.disturb()
        simulation.restore(entry.state)
    else:
        simulation.disturb()
        simulation.reset()
    segment, began = way.test[0], _posture_of(simulation)
    outcome = run_segment(project, simulation, segment, environment)
    end, second = _posture_of(simulation), {}
    if again and outcome.succeeded and not outcome.fell:
        second = dict(run_segment(project, simulation, segment, environment).measures)
    return TerminalState(
        source=_source(way),
        cycles=_cycles(way),
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


def _posture_of(simulation: Simulation) -> Posture:
    return posture(simulation.snapshot().kinematics, simulation)


def posture(kinematics: Kinematics, simulation: Simulation) -> Posture:
    """Return the posture of a state of a simulation's character on its ground."""
    character = simulation.character
    angle = float(kinematics.link[character.trunk, 2])
    x, y, vx, vy = (float(value) for value in kinematics.com)

    def touching(links: Sequence[int]) -> int:
        return int(sum(kinematics.contact[i] for i in links))

    # contacts flicker: what stands still may lose touch for a single step
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
    """Return which of `CARRIERS` a link is; the root is a seat, unless it is the trunk."""
    roles = character.roles
    for name, links in ((KNEES, roles.shins), (HANDS, roles.hands), (FEET, roles.feet)):
        if link in links:
            return name
    if link == character.trunk:
        return TRUNK
    return SEAT if link == character.root else TRUNK if link in roles.axial else OTHER
