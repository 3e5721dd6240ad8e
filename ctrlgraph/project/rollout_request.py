"""Single rollouts on request: run one node or one file of a controller, from the start pose or after a node."""

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
"""Number of cycles of a controller that is repeated until a given time."""


@dataclass(frozen=True, slots=True)
class RolloutRequest:
    """A rollout to run.

    A node is evaluated by its conditions in the graph file. A script that is given by its file is evaluated by the
    conditions of its header or of the command.
    """

    name: str
    """Name of the node or the script."""
    rollout: Rollout
    """Rollout of the controller on level ground."""
    lasting: bool = False
    """True if the controller is to run until the timeout, which is then a success."""
    node: Node | None = None
    """Node that runs. None for a file that is not used as a node."""
    entered: bool = False
    """True if an edge may lead to the node: it is not a draft, and has its arguments in the graph file."""


@dataclass(frozen=True)
class RolloutResult:
    """Result of a rollout."""

    request: RolloutRequest
    """Rollout that was run."""
    outcome: Outcome
    """Outcome of the controller."""
    trace: Trace
    """Recorded motion, including that of a node that ran before."""
    began: float
    """Time at which the controller began, s, on the clock of the trace."""
    seed: int
    """Seed of the engine."""
    terrain: str
    """Name of the terrain."""
    state_digest: str
    """Digest of the state at the end."""
    history_digest: str
    """Digest of all states."""
    edge: Edge | None = None
    """Planned edge whose controller ran. None: the controller of the node itself or of the file ran."""
    passed_over: Edge | None = None
    """Learned edge that could not be used, since it is for other ground."""
    has_feet: bool = True
    """True if the character has two feet."""
    signals: Signals | None = None
    """Recorded signals, if requested."""
    passages: tuple[Passage, ...] = ()
    """Changes of the controller's phase, if requested."""
    courses: tuple[ConditionCourse, ...] = ()
    """Measures of the conditions and bounds over time, if requested."""
    awaited: tuple[Departure, ...] = ()
    """Conditions for which the last phase was waiting at the timeout, if requested."""
    phases: tuple[PhaseStart, ...] = ()
    """Starts of the phases, on the clock of the trace."""

    @property
    def captions(self) -> list[tuple[float, str]]:
        """(start in s on the clock of the trace, caption) of each phase."""
        return [(phase.time, phase.caption) for phase in self.phases]

    @property
    def headline(self) -> str:
        """Outcome in one line. For a controller without conditions, with the place in the script and the posture."""
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
        """True if the rollout succeeded. None if there are no conditions and the character did not fall."""
        conclusion = self.outcome.conclusion
        return None if conclusion is Conclusion.ENDED else conclusion is Conclusion.SUCCESS

    def as_dict(self) -> dict[str, Any]:
        """Return the result as data for the option `--json`."""
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
    """Return a text with the transition by which a controller ended, and the place of the transition in the script."""
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
    """Return the rollout of a node, a draft, or a file of a controller.

    Args:
        project: Project with the graph.
        name: Name of the node or draft, or path of the file.
        args: Arguments of the controller. Empty: those of the node.
        cycles: Number of cycles. None: the minimum of the node, or one for a file.
        time: Maximum simulated duration, s. Without `cycles`, the controller is repeated until then. None: the timeout
            of the node, or a default.
        success: Success conditions of a file. None: those of the script's header.

    Raises:
        CtrlGraphError: There is no node, draft or file with this name, `time` is out of range, `success` is given for a
            node, or the character lacks what a measure needs.
        SourceError: The file of the controller, or a learned file of the node, has errors.
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
        project: Project with the graph and the character.
        request: Rollout to run.
        after: Node that runs first. If the graph has a planned edge from it to the requested node, and the edge is for
            the ground ahead, the edge's controller is used. None: the rollout begins in the start pose.
        plain: True always uses the controller of the requested node itself.
        environment: Environment of the simulation. None: that of the project.
        seed: Seed of the engine.
        pushes: Pushes on the character. Their start times count from the beginning of the rollout.
        signal_rate: Sampling rate of the signals to record, Hz. None: no signals.
        why: True records changes of phase, and conditions over time.
        on_progress: Called with the simulated time since the beginning of the rollout, s.

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
    """Return the requested rollout with the controller for an edge and the ground ahead."""
    if request.node is None:
        return request.rollout
    asked = request.rollout
    return project.rollout(edge, request.node, asked.cycles, preview, length=length, timeout=asked.timeout)


def _run_before(project: Project, simulation: Simulation, node: Node, length: float) -> None:
    """Run a node from the start pose. If it fails, reset, and run the shortest path from the start node to it.

    Raises:
        CtrlGraphError: The node fails in both cases.
    """

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
    """Return the outcome with the status that it has for a request.

    If the controller was to run until the timeout, reaching the timeout is a success, provided that the conditions are
    met. A controller without conditions fails if it ends by a fall exit (a transition because of a fall).
    """
    if request.lasting and outcome.status is Status.TIMEOUT:
        faults = broken(outcome.measures, rollout.conditions)
        left = outcome.departure if outcome.fell else None
        status = Status.FAILED if faults else Status.COMPLETED
        outcome = replace(outcome, status=status, reason=faults[0] if faults else "", departure=left)
    if outcome.conclusion is Conclusion.FELL:
        return replace(outcome, status=Status.FAILED, reason=way_out(outcome.departure) if outcome.departure else "")
    return outcome
