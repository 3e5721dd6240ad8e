"""A trial: one controller, a node or a script, run once from the start pose."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.measures import Conditions, broken
from ctrlgraph.outcome import Outcome, Status
from ctrlgraph.physics.world import WorldSettings
from ctrlgraph.simulation import Push, Simulation
from ctrlgraph.terrain import Terrain
from ctrlgraph.trace import Trace

if TYPE_CHECKING:
    from ctrlgraph.control.program import Program
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project import Project

# A controller that is to last for a given time repeats itself as often as that takes.
_MANY_CYCLES = 10**6
_SCRIPT_TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What is run. Conditions are the node's; a script has none and succeeds when it ends.

    `adapted` is the node whose controller is adapted to the ground on which the trial begins.
    """

    name: str
    program: Program
    cycles: int = 1
    timeout: float = _SCRIPT_TIMEOUT
    lasting: bool = False  # reaching the timeout is what is asked for
    success: Conditions = field(default_factory=dict)
    bounds: Conditions = field(default_factory=dict)
    adapted: Node | None = None


@dataclass(frozen=True)
class TrialResult:
    """How a trial ended; `began` is the simulated time at which the controller began, in s."""

    trial: Trial
    outcome: Outcome
    trace: Trace
    began: float
    seed: int
    terrain: str
    state_digest: str
    history_digest: str

    def as_dict(self) -> dict[str, Any]:
        """The result for `--json`."""
        outcome, place = self.outcome, self.outcome.place
        return {
            "controller": self.trial.name,
            "cycles": self.trial.cycles if not self.trial.lasting else None,
            "seed": self.seed,
            "terrain": self.terrain,
            "status": outcome.status.value,
            "succeeded": outcome.succeeded,
            "reason": outcome.reason,
            "phase": outcome.phase,
            "place": None if place is None else {"path": place.path, "line": place.line, "column": place.column},
            "simulated_s": outcome.simulated_s,
            "wall_s": outcome.wall_s,
            "energy_j": outcome.energy_j,
            "engine_messages": outcome.engine_messages,
            "measures": outcome.measures,
            "state_digest": self.state_digest,
            "history_digest": self.history_digest,
        }


def find_trial(
    project: Project,
    name: str,
    args: Sequence[float] = (),
    *,
    cycles: int | None = None,
    time: float | None = None,
) -> Trial:
    """The node of this name, or the script of this path.

    Args:
        args: the controller's arguments; without any, a node's own.
        cycles: how often it runs from its first phase; without it, a node's least number, or once.
        time: s for which it is to last, repeating itself unless `cycles` is given.

    Raises:
        CtrlGraphError: there is neither a node nor a script of the name, or a number is out of range.
        SourceError: the script has errors.
    """
    if time is not None and not (time > 0 and math.isfinite(time)):
        raise CtrlGraphError(f"the time must be above 0 s, not {time:g}")
    lasting = time is not None and cycles is None
    if name in project.graph:
        node = project.graph.node(name)
        if args:  # what the node is adapted with was found for its own arguments
            node = replace(node, args=tuple(args), adapted=None)
        return Trial(
            name=name,
            program=project.controller(node),
            cycles=_MANY_CYCLES if lasting else cycles or node.cycles[0],
            timeout=time or max(node.timeout, node.timeout * (cycles or 1) / node.cycles[1]),
            lasting=lasting,
            success=node.success,
            bounds=node.bounds,
            adapted=None if node.adapted is None else node,
        )
    path = Path(name)
    if not path.is_file():
        hint = suggestion(name, project.graph.nodes)
        sentence = f"'{name}' is neither a node of the graph nor a script"
        raise CtrlGraphError(f"{sentence}; {hint}" if hint else sentence)
    return Trial(
        name=path.stem,
        program=project.compile(path, tuple(args)),
        cycles=_MANY_CYCLES if lasting else cycles or 1,
        timeout=time or _SCRIPT_TIMEOUT,
        lasting=lasting,
    )


def run_trial(
    project: Project,
    trial: Trial,
    *,
    after: Node | None = None,
    terrain: Terrain | None = None,
    settings: WorldSettings | None = None,
    seed: int = 0,
    pushes: Sequence[Push] = (),
    on_progress: Callable[[float], None] | None = None,
) -> TrialResult:
    """Run a trial from the start pose, or from the state in which the node `after` ends.

    The pushes' times count from the trial's own beginning.

    Raises:
        CtrlGraphError: the node `after` fails.
        SimulationError: a push or a setting is out of range.
    """
    with Simulation(project.character, terrain, settings=settings, seed=seed) as simulation:
        if after is not None:
            _run_before(project, simulation, after)
        began = simulation.time
        simulation.disturb([replace(push, start=push.start + began) for push in pushes])
        outcome = simulation.run(
            trial.program if trial.adapted is None else project.controller(trial.adapted, simulation.ahead),
            cycles=trial.cycles,
            timeout=trial.timeout,
            success=trial.success,
            bounds=trial.bounds,
            on_progress=None if on_progress is None else lambda now: on_progress(now - began),
        )
        return TrialResult(
            trial=trial,
            outcome=_judged(trial, outcome),
            trace=simulation.trace,
            began=began,
            seed=seed,
            terrain=simulation.terrain.name,
            state_digest=simulation.state_digest(),
            history_digest=simulation.history_digest(),
        )


def _run_before(project: Project, simulation: Simulation, node: Node) -> None:
    outcome = simulation.run(
        project.controller(node, simulation.ahead),
        cycles=node.cycles[0],
        timeout=node.timeout,
        success=node.success,
        bounds=node.bounds,
    )
    if not outcome.succeeded:
        raise CtrlGraphError(f"{node.name}, which was to come before, {outcome.status}: {outcome.reason}")


def _judged(trial: Trial, outcome: Outcome) -> Outcome:
    """Lasting for its time is what was asked for: then the measures decide."""
    if not trial.lasting or outcome.status is not Status.TIMEOUT:
        return outcome
    faults = broken(outcome.measures, trial.success)
    status = Status.FAILED if faults else Status.COMPLETED
    return replace(outcome, status=status, reason=faults[0] if faults else "")
