"""Single rollouts, as by `ctrlgraph run`: one node or one controller file, from the start pose or after a node."""

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
from ctrlgraph.simulation.recording.phases import PhaseStart, phase_starts
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.rollout import DEFAULT_TIMEOUT, Rollout
from ctrlgraph.simulation.rollout_course import ConditionCourse, Passage, PassageRecorder, conditions_over_time
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Push, Simulation

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Departure
    from ctrlgraph.graph.model import Edge, Node
    from ctrlgraph.project.project import Project

_MANY_CYCLES = 10**6
"""Number of cycles of a controller that is to be repeated until the timeout."""


@dataclass(frozen=True, slots=True)
class RolloutRequest:
    """A rollout to run with `carry_out`: a node or a controller file, for a number of cycles or for a time.

    The success of a node is decided by the conditions in the graph file. The success of a script that is given by its
    file is decided by the conditions in the script's header or on the command line.
    """

    name: str
    """Name of the node or the script."""
    rollout: Rollout
    """Rollout of the controller on level ground."""
    lasting: bool = False
    """True: the controller is to run until the timeout. Reaching the timeout is a success if the conditions are met."""
    node: Node | None = None
    """Node that runs. None: the user has given a controller file, not a node."""
    entered: bool = False
    """True: the controller of an edge may run in place of the node's own. False for a draft (a node that walks do not
    use yet), and for a node that runs with other arguments than those in the graph file."""


@dataclass(frozen=True)
class RolloutResult:
    """Result of a requested rollout: outcome, recorded motion, and details for displays."""

    request: RolloutRequest
    """Rollout that was run."""
    outcome: Outcome
    """Outcome of the requested controller."""
    trace: Trace
    """Recorded motion. It includes the motion of a node that ran before the requested controller."""
    began: float
    """Time of the trace at which the requested controller began, s."""
    seed: int
    """Seed of the engine."""
    terrain: str
    """Name of the terrain."""
    state_digest: str
    """Digest of the state at the end."""
    history_digest: str
    """Digest of all states since the beginning of the simulation or the last reset."""
    edge: Edge | None = None
    """Planned edge whose controller ran. None: the node's own controller or that of the file ran."""
    passed_over: Edge | None = None
    """Learned edge to the node that was not used, because its ground range excludes the ground. None: no such edge."""
    has_feet: bool = True
    """True if the character has two feet."""
    signals: Signals | None = None
    """Recorded signals, if requested."""
    passages: tuple[Passage, ...] = ()
    """Changes from one phase of the controller to the next, if requested."""
    courses: tuple[ConditionCourse, ...] = ()
    """Values over time of the measures that conditions and bounds limit, if requested."""
    awaited: tuple[Departure, ...] = ()
    """Transitions for whose conditions the last phase was waiting at the timeout, if requested."""
    phases: tuple[PhaseStart, ...] = ()
    """Start of each phase. Times are those of the trace."""

    @property
    def captions(self) -> list[tuple[float, str]]:
        """(time of the trace at which a phase starts, s; caption of the phase) for each phase."""
        return [(phase.time, phase.caption) for phase in self.phases]

    @property
    def headline(self) -> str:
        """Outcome as one line of text. Without success conditions, it names the posture and the transition taken."""
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
        """True if the rollout succeeded. None: there are no success conditions, and the character did not fall."""
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
    """Describe the transition by which a controller ended: its condition, and its place in the script."""
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
    """Return the request to run a node, a draft (a node that walks do not use yet) or a controller file.

    Args:
        project: Project with the graph.
        name: Name of the node or draft, or path of the file.
        args: Arguments of the controller. Empty: those of the node.
        cycles: Number of cycles. None: the node's minimum, or one cycle for a file.
        time: Maximum simulated duration, s. Without `cycles`, the controller is repeated until this time. None: the
            timeout of the node, or `DEFAULT_TIMEOUT` for a file.
        success: Success conditions for a file. None: those in the script's header.

    Raises:
        CtrlGraphError: There is no node, draft or file with this name, `time` is out of range, `success` is given for a
            node, or the character lacks a link that a measure needs.
        SourceError: The file of the controller, or a learned file of the node, has errors.
    """
    if time is not None and not (time > 0 and math.isfinite(time)):
        raise CtrlGraphError(f"the simulated time must be above 0 s and finite, not {time:g}")
    if time is not None and time > MAX_TIMEOUT_S:
        raise CtrlGraphError(f"the simulated time must be at most {MAX_TIMEOUT_S:g} s, not {time:g}")
    lasting = time is not None and cycles is None
    if name in project.graph or name in project.graph.drafts:
        if success:
            raise CtrlGraphError(f"--success cannot be given for a node: change 'success' of '{name}' in graph.yaml")
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
        after: Node that runs first. If the graph has a planned edge from `after` to the requested node, and the edge is
            for the ground ahead, the edge's controller runs. None: the rollout begins in the start pose.
        plain: True: the requested node always runs with its own controller, never with that of an edge.
        environment: Environment of the simulation. None: that of the project.
        seed: Seed of the engine.
        pushes: Pushes on the character. Their start times count from the beginning of the rollout.
        signal_rate: Sampling rate of the signals to record, Hz. None: no signals.
        why: True records the changes of phase, and the measures of the conditions over time.
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
        rollout, node, edge = request.rollout, request.node, None
        if node is not None and after is not None and request.entered and not plain:
            edge = project.graph.planned_edge(after.name, node.name, preview)
        used = edge if edge is not None and project.graph.beyond(edge, preview) == 0.0 else None
        if node is not None:  # the edge and the ground ahead decide on the controller
            rollout = project.rollout(used, node, rollout.cycles, preview, length=length, timeout=rollout.timeout)
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


def _run_before(project: Project, simulation: Simulation, node: Node, length: float) -> None:
    """Run the node that precedes a rollout from the start pose, so that the rollout can begin in the state at its end.

    If the node fails, the simulation is reset, and the nodes on the shortest path from the start node to it are run.

    Raises:
        CtrlGraphError: The node, or a node on the path to it, fails.
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
        raise CtrlGraphError(
            f"the preceding node '{node.name}' fails, so correct or replace it: {outcome.status}: {outcome.reason}"
        )


def _judged(request: RolloutRequest, rollout: Rollout, outcome: Outcome) -> Outcome:
    """Change the status of an outcome where a request has its own rules.

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
