"""The confusion test: whether the conditions of each node accept its own motion only.

Examples of every node's motion are recorded. Each example is then evaluated by the conditions of every other node:
conditions at the end, bounds during the whole motion, and plausible ranges. None of the other nodes should accept it.
Doing nothing is tested too: from the state in which a node begins, the joints keep their targets for as long as the
node takes. The node itself should not accept this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.character.spatial_model import SPATIAL
from ctrlgraph.control.keyframes.keyframes import new_keyframes
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.graph.model import NOTHING
from ctrlgraph.robustness.evaluation_plan import all_targets
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.example_measures import accepts
from ctrlgraph.robustness.examples import entries, motion_of, run_example, starts
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.measures import Motion, SpatialMotion, measures_of

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluation_plan import EvaluationPlan

_STILL_S = 1000.0
_STILL = f"""BEGINSCRIPT nothing(void)
  PHASE 0
    TRANSITION to(-1).after(time {_STILL_S:g});
  ENDPHASE
ENDSCRIPT
"""


@dataclass(frozen=True)
class Acceptance:
    """How often the conditions of one node accept the motion of another node."""

    node: str
    """Node whose conditions are evaluated."""
    motion: str
    """Node whose motion is evaluated, or `NOTHING` for doing nothing."""
    accepted: int
    """Number of examples of the motion that meet the conditions."""
    examples: int
    """Number of examples of the motion."""
    because: str
    """Why the graph file allows the acceptance (`also` of the node); empty if it gives no reason."""


@dataclass
class Confusion:
    """Result of a confusion test: which nodes' conditions accept recorded motions (examples) of other nodes."""

    graph: ControllerGraph
    """Graph with the nodes."""
    seed: int
    """Seed of the random perturbations of the examples."""
    examples: Counter[str] = field(default_factory=Counter)
    """Number of successful examples, by node. Only these are evaluated by the conditions of other nodes."""
    lost: Counter[str] = field(default_factory=Counter)
    """Number of examples that failed or could not be started, by node."""
    nothing: Counter[str] = field(default_factory=Counter)
    """Number of examples in which the character did nothing instead of running a node, by this node."""
    accepted: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of accepted examples, by (node whose conditions accept them, node whose motion they are or `NOTHING`)."""
    measures: dict[str, dict[str, float]] = field(default_factory=dict)
    """Measures of the first successful example, by node and name of the measure."""

    @property
    def acceptances(self) -> list[Acceptance]:
        """Pairs of a node and another motion that the node's conditions accept at least once, sorted by name."""
        found = []
        for (name, motion), count in sorted(self.accepted.items()):
            of = self.nothing[name] if motion == NOTHING else self.examples[motion]
            found.append(Acceptance(name, motion, count, of, self.graph.node(name).also.get(motion, "")))
        return found

    @property
    def unexplained(self) -> list[Acceptance]:
        """Pairs of a node and another motion that the node accepts although the graph file has no reason (`also`)."""
        return [each for each in self.acceptances if not each.because]

    @property
    def needless(self) -> list[tuple[str, str]]:
        """(node, motion) of each reason in the graph file (`also`) without use: the node never accepts the motion."""
        return [
            (node.name, motion)
            for node in self.graph
            for motion in node.also
            if self.examples[motion] and (node.name, motion) not in self.accepted
        ]

    @property
    def without_example(self) -> list[str]:
        """Nodes that can be reached from the start node by planned (naive or learned) edges, but never succeeded."""
        return [name for name in all_targets(self.graph) if not self.examples[name]]

    @property
    def passed(self) -> bool:
        """True if the graph file has a reason for each acceptance, and each reachable node has a successful example."""
        return not self.unexplained and not self.without_example

    def as_dict(self) -> dict[str, Any]:
        """Return the result of the confusion test as data for JSON."""
        return {
            "passed": self.passed,
            "seed": self.seed,
            "examples": {node.name: self.examples[node.name] for node in self.graph},
            "lost": dict(self.lost),
            "without_example": self.without_example,
            "unexplained": [asdict(each) for each in self.unexplained],
            "explained": [asdict(each) for each in self.acceptances if each.because],
            "needless": [list(each) for each in self.needless],
        }


def confusion(
    project: Project,
    *,
    trials: int,
    seed: int,
    motions: Sequence[str] | None = None,
    on_example: Callable[[str], None] = lambda _: None,
) -> Confusion:
    """Record example motions of nodes, and test whether the conditions of other nodes accept them.

    Args:
        project: Project with the nodes.
        trials: Number of examples for each planned edge into a node. The first is undisturbed. The others have random
            torques before the start of the node and, for gaits, a random number of cycles.
        seed: Seed of the random torques and numbers of cycles.
        motions: Names of the nodes of which examples are recorded. None: all.
        on_example: Called with the name of the node after each example.

    Raises:
        CtrlGraphError: `motions` contains a name that no node of the graph has.
    """
    graph = project.graph
    found = Confusion(graph, seed)
    still = _nothing(project)
    with Evaluator(project) as evaluator:
        for name in graph.nodes if motions is None else motions:
            node = graph.node(name)
            for plan in entries(graph, name):
                took = 0.0
                for begun, cycles in starts(evaluator, plan, trials, seed):
                    succeeded = not isinstance(begun, Failed) and run_example(evaluator, begun, cycles).succeeded
                    on_example(name)
                    if isinstance(begun, Failed) or not succeeded:
                        found.lost[name] += 1
                        continue
                    motion = motion_of(begun)
                    found.examples[name] += 1
                    took = took or motion.duration
                    values = measures_of(motion)
                    found.measures.setdefault(name, values)
                    _judge(found, motion, values, [other for other in graph if other.name != name], name)
                if took > 0.0 and not node.is_static:
                    _judge_nothing(found, evaluator, plan, node, still, took)
    return found


def _judge(
    found: Confusion, motion: Motion | SpatialMotion, values: dict[str, float], others: Sequence[Node], name: str
) -> None:
    found.accepted.update((node.name, name) for node in others if accepts(node, values, motion))


def _judge_nothing(
    found: Confusion, evaluator: Evaluator, plan: EvaluationPlan, node: Node, still: Controller, seconds: float
) -> None:
    """Let the character do nothing for some seconds instead of running a node, and test if the node accepts this."""
    begun = evaluator.begin(plan, Perturbations.of(evaluator.project), np.random.default_rng(0))
    if not isinstance(begun, Failed):
        begun.simulation.run(still, timeout=seconds)
        found.nothing[node.name] += 1
        motion = motion_of(begun)
        _judge(found, motion, measures_of(motion), [node], NOTHING)


def _nothing(project: Project) -> Controller:
    """Return a controller that sets no joint targets, so that those of the previous controller remain."""
    if project.character.morphology == SPATIAL:  # scripts are for the plane
        nothing = np.zeros(0, np.int64), np.array([0.0, _STILL_S]), np.zeros((2, 0)), np.zeros((0, 2))
        return new_keyframes("nothing", (), *nothing)
    library, path = ScriptLibrary([]), Path("nothing.t")
    library.put(path, _STILL)
    return compile_script(library, path, (), project.character)
