"""Rollouts of one controller, a node or a script, from the start pose or after a node."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ctrlgraph.bounds import MAX_TIMEOUT_S
from ctrlgraph.control.kinds import SCRIPT, kind_of_file
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path
from ctrlgraph.project.controller_names import controller_file
from ctrlgraph.project.rollout import node_rollout
from ctrlgraph.project.script_success import header_conditions
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.measures import Conditions, broken, require
from ctrlgraph.simulation.outcome import Conclusion, Outcome, Status
from ctrlgraph.simulation.phases import PhaseStart, phase_starts
from ctrlgraph.simulation.planar_trace import Trace
from ctrlgraph.simulation.rollout import DEFAULT_TIMEOUT, Rollout
from ctrlgraph.simulation.rollout_course import ConditionCourse, Passage, PassageRecorder, conditions_over_time
from ctrlgraph.simulation.signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Push, Simulation
from ctrlgraph.terrain.terrain import TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Departure
    from ctrlgraph.graph.model import Edge, Node
    from ctrlgraph.project.project import Project

_MANY_CYCLES = 10**6
"""Cycles of a controller that runs for a given time."""


@dataclass(frozen=True, slots=True)
class RolloutRequest:
    """A requested rollout. A script succeeds only by conditions from its header or from the command."""

    name: str
    """Name of the node or the script."""
    rollout: Rollout
    """Rollout of the controller on level ground."""
    lasting: bool = False
    """Whether the goal is to reach the timeout."""
    node: Node | None = None
    """Node of the controller; None for a script."""
    entered: bool = False
    """Whether an edge of the graph may be used; only with the node's own arguments."""


@dataclass(frozen=True)
class RolloutResult:
    """Result of a rollout."""

    request: RolloutRequest
    outcome: Outcome
    trace: Trace
    began: float
    """Simulated time at which the controller began, s."""
    seed: int
    terrain: str
    state_digest: str
    history_digest: str
    edge: Edge | None = None
    """Planned edge whose controller ran; None: the node's own controller."""
    passed_over: Edge | None = None
    """Learned edge that was not used, because it is for other ground."""
    has_feet: bool = True
    """Whether the character has two feet."""
    signals: Signals | None = None
    passages: tuple[Passage, ...] = ()
    """Changes of phase."""
    courses: tuple[ConditionCourse, ...] = ()
    """Conditions and bounds over time."""
    awaited: tuple[Departure, ...] = ()
    """Conditions that the last phase waited for at the timeout."""
    phases: tuple[PhaseStart, ...] = ()
    """Beginnings of phases, on the trace's clock."""

    @property
    def captions(self) -> list[tuple[float, str]]:
        """Return the beginning of each phase, s on the trace's clock, and its caption."""
        return [(phase.time, phase.caption) for phase in self.phases]

    @property
    def headline(self) -> str:
        """Return the outcome in one line, with place and posture if the controller ended by itself."""
        outcome = self.outcome
        if outcome.conclusion not in (Conclusion.FELL, Conclusion.ENDED):
            return f"{outcome.status}: {outcome.reason}" if outcome.reason else str(outcome.status)
        parts = [way_out(outcome.departure) if outcome.departure is not None else "its time was over"]
        parts += self._posture()
        sentence = f"{outcome.conclusion}: {', '.join(parts)}"
        return sentence if outcome.fell else f"{sentence}; there are no success conditions"

    def _posture(self) -> list[str]:
        values, feet = self.outcome.measures, ("no foot", "one foot", "both feet")
        words = [f"torso {values['torso']:.2f} rad"] if "torso" in values else []
        if self.has_feet and "feet_contact" in values:
            words.append(f"{feet[int(values['feet_contact'])]} on the ground")
        return words

    @property
    def succeeded(self) -> bool | None:
        """Return whether it succeeded; None if it ended without conditions."""
        conclusion = self.outcome.conclusion
        return None if conclusion is Conclusion.ENDED else conclusion is Conclusion.SUCCESS

    def as_dict(self) -> dict[str, Any]:
        """Return the result for `--json`."""
        outcome = self.outcome
        left = None if outcome.status is Status.TIMEOUT else outcome.departure
        why = {
            "passages": [each.as_dict() for each in self.passages],
            "awaited": [{"condition": each.condition, **each.place.as_dict()} for each in self.awaited],
            "conditions": {each.name: each.as_dict() for each in self.courses},
        }
        return {
            "controller": self.request.name,
            "cycles": self.request.rollout.cycles if not self.request.lasting else None,
            "seed": self.seed,
            "terrain": self.terrain,
            "status": outcome.status.value,
            "ending": outcome.conclusion.value,
            "succeeded": self.succeeded,
            "reason": outcome.reason,
            "phase": outcome.phase,
            "place": outcome.place and outcome.place.as_dict(),
            "left_through": left and {"condition": left.condition, "fall": left.fell, **left.place.as_dict()},
            "edge": None if self.edge is None else [self.edge.source, self.edge.target, self.edge.kind.value],
            "simulated_s": outcome.simulated_s,
            "wall_s": outcome.wall_s,
            "energy_j": outcome.energy_j,
            "engine_messages": outcome.engine_messages,
            "measures": outcome.measures,
            "state_digest": self.state_digest,
            "history_digest": self.history_digest,
            **{name: value for name, value in why.items() if value},
        }


def way_out(left: Departure) -> str:
    """Return the transition through which a controller ended, with its place."""
    place = left.place
    return f"left through '{left.condition}' ({display_path(place.path)}:{place.line}:{place.column})"


def find_rollout(
    project: Project,
    name: str,
    args: Sequence[float] = (),
    *,
    cycles: int | None = None,
    time: float | None = None,
    success: Conditions | None = None,
) -> RolloutRequest:
    """Return the rollout of a node or of a controller's file.

    Args:
        project: The project.
        name: Name of the node, or path of the file.
        args: Arguments of the controller; by default those of the node.
        cycles: Repetitions; by default the minimum of the node, or one.
        time: Timeout, s. Without `cycles` the controller is repeated until then.
        success: Conditions of a script; by default those of its header.

    Raises:
        CtrlGraphError: There is neither a node nor a file with this name, or a number is out of range.
        SourceError: The file has errors.
    """
    if time is not None and not (time > 0 and math.isfinite(time)):
        raise CtrlGraphError(f"the time must be above 0 s, not {time:g}")
    if time is not None and time > MAX_TIMEOUT_S:
        raise CtrlGraphError(f"the time must be at most {MAX_TIMEOUT_S:g} s, not {time:g}")
    lasting = time is not None and cycles is None
    if name in project.graph or name in project.graph.drafts:
        if success:
            raise CtrlGraphError(f"'{name}' is a node of the graph: its success conditions are in the graph file")
        entered = name in project.graph
        node = project.graph.node(name) if entered else project.graph.drafts[name]
        if args:  # learned constants are for the node's own arguments
            node = replace(node, args=tuple(args), adapted=None)
        repetitions = cycles or node.cycles[0]
        rollout = node_rollout(node, (project.controller(node), repetitions), repetitions, timeout=time)
        if lasting:
            rollout = replace(rollout, cycles=_MANY_CYCLES)
        return RolloutRequest(name, rollout, lasting=lasting, node=node, entered=entered and not args)
    path = controller_file(project, name)
    kind = kind_of_file(path) or SCRIPT
    controller = project.read_controller(kind, path, tuple(args))
    judged_by = success or (header_conditions(project, path) if kind == SCRIPT else {})
    require(judged_by, project.character)
    repetitions = _MANY_CYCLES if lasting else cycles or 1
    plausible = project.graph.plausible if judged_by else {}
    rollout = Rollout(
        controller, cycles=repetitions, timeout=time or DEFAULT_TIMEOUT, success=judged_by, plausible=plausible
    )
    return RolloutRequest(path.stem, rollout, lasting=lasting)


def carry_out(
    project: Project,
    request: RolloutRequest,
    *,
    after: Node | None = None,
    plain: bool = False,
    environment: Environment | None = None,
    seed: int = 0,
    pushes: Sequence[Push] = (),
    signal_rate: float | None = None,
    why: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> RolloutResult:
    """Run a rollout from the start pose, or from the state in which another node ends.

    Args:
        project: The project.
        request: The rollout.
        after: Node that precedes it. A planned edge from it to the node is used if it is for the ground.
        plain: Use the node's own controller instead of a planned edge.
        environment: The world; by default the project's.
        seed: Seed of the engine.
        pushes: Pushes; their times count from the beginning of the rollout.
        signal_rate: Samples of signals per simulated second; None: no signals.
        why: Record changes of phase, and conditions over time.
        on_progress: Called with the simulated time of the rollout, s.

    Raises:
        CtrlGraphError: The node `after` fails.
        SourceError: A learned file has errors or is stale.
        SimulationError: A push or a setting is out of range.
    """
    environment = environment or project.environment()
    length = environment.body.length
    with environment.simulation(project.character, seed) as simulation:
        if after is not None:
            _run_before(project, simulation, after, length)
        began = simulation.time
        simulation.disturb([replace(push, start=push.start + began) for push in pushes])
        preview = simulation.preview
        edge = None if plain or after is None else _planned(project, request, after, preview)
        used = edge if edge is not None and project.graph.beyond(edge, preview) == 0.0 else None
        rollout = _on_ground(project, request, used, preview, length)
        recorder = None if signal_rate is None else SignalRecorder(simulation, signal_rate, project.relative)
        if recorder is not None:
            recorder.begin(request.name, 0.0)
        passages = PassageRecorder(simulation) if why else None
        outcome = simulation.run_rollout(
            rollout, on_progress=None if on_progress is None else lambda now: on_progress(now - began)
        )
        return RolloutResult(
            request=request,
            outcome=_judged(request, rollout, outcome),
            trace=simulation.trace,
            began=began,
            seed=seed,
            terrain=simulation.terrain.name,
            state_digest=simulation.state_digest(),
            history_digest=simulation.history_digest(),
            edge=used,
            passed_over=edge if used is None and edge is not None and edge.parameters is not None else None,
            has_feet=len(project.character.roles.feet) == 2,
            signals=None if recorder is None else recorder.signals(),
            passages=() if passages is None else tuple(passages.passages),
            courses=conditions_over_time(simulation.last_trace, rollout.ranges, simulation) if why else (),
            awaited=passages.awaited if passages is not None and outcome.status is Status.TIMEOUT else (),
            phases=phase_starts(simulation.last_trace, rollout.controller),
        )


def _planned(project: Project, request: RolloutRequest, after: Node, preview: TerrainPreview) -> Edge | None:
    if request.node is None or not request.entered:
        return None
    return project.graph.planned_edge(after.name, request.node.name, preview)


def _on_ground(
    project: Project, request: RolloutRequest, edge: Edge | None, preview: TerrainPreview, length: float
) -> Rollout:
    """Return the rollout with the controller for the edge or the ground."""
    if request.node is None:
        return request.rollout
    asked = request.rollout
    return project.rollout(edge, request.node, asked.cycles, preview, length=length, timeout=asked.timeout)


def _run_before(project: Project, simulation: Simulation, node: Node, length: float) -> None:
    """Run a node from the start pose. If it fails, run the path to it from the start node."""

    def run(node: Node, edge: Edge | None) -> Outcome:
        rollout = project.rollout(edge, node, node.cycles[0], simulation.preview, length=length)
        return simulation.run_rollout(rollout)

    outcome, graph = run(node, None), project.graph
    path = graph.shortest_paths(graph.start, simulation.preview).get(node.name, [])
    if not outcome.succeeded and len(path) > 1:
        simulation.reset()
        outcome = run(graph.node(graph.start), None)
        for source, name in pairwise(path):
            if outcome.succeeded:
                outcome = run(graph.node(name), graph.planned_edge(source, name, simulation.preview))
    if not outcome.succeeded:
        raise CtrlGraphError(f"the preceding node '{node.name}' fails: {outcome.status}: {outcome.reason}")


def _judged(request: RolloutRequest, rollout: Rollout, outcome: Outcome) -> Outcome:
    """Return the outcome of a request.

    Reaching the requested time is a success if the measures satisfy the conditions. A script without conditions fails
    if it leaves through a fall exit.
    """
    if request.lasting and outcome.status is Status.TIMEOUT:
        faults = broken(outcome.measures, rollout.conditions)
        left = outcome.departure if outcome.fell else None
        status = Status.FAILED if faults else Status.COMPLETED
        outcome = replace(outcome, status=status, reason=faults[0] if faults else "", departure=left)
    if outcome.conclusion is Conclusion.FELL:
        return replace(outcome, status=Status.FAILED, reason=way_out(outcome.departure) if outcome.departure else "")
    return outcome
