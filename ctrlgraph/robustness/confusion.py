"""The confusion test: whether the conditions of each node accept its own motion only.

Examples of every node are recorded, entered from its usual predecessors, and evaluated by the conditions of every
other node: at the end, over the whole motion, and its plausible ranges. Doing nothing is tested too: the joints keep
their targets in the state where a node begins, for as long as the node takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.graph.model import NOTHING
from ctrlgraph.robustness.evaluation_plan import all_targets
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.example_measures import accepts
from ctrlgraph.robustness.examples import entries, motion_of, run_example, starts
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.measures import Motion, measures_of

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluation_plan import EvaluationPlan

_STILL = """BEGINSCRIPT nothing(void)
  PHASE 0
    TRANSITION to(-1).after(time 1000);
  ENDPHASE
ENDSCRIPT
"""


@dataclass(frozen=True)
class Acceptance:
    """Examples of a motion for which the conditions of another node hold."""

    node: str
    motion: str
    """Name of the motion, `NOTHING` for doing nothing where the node begins."""
    accepted: int
    """Number of examples for which the conditions hold."""
    examples: int
    """Number of examples."""
    because: str
    """Reason in the graph file, empty without one."""


@dataclass
class Confusion:
    """Result of a confusion test."""

    graph: ControllerGraph
    seed: int
    examples: Counter[str] = field(default_factory=Counter)
    """Number of examples of each node that succeeded."""
    lost: Counter[str] = field(default_factory=Counter)
    """Number of examples that failed or could not be started."""
    nothing: Counter[str] = field(default_factory=Counter)
    """Number of examples of doing nothing, by node."""
    accepted: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of examples accepted, by node and motion."""
    measures: dict[str, dict[str, float]] = field(default_factory=dict)
    """Measures of the first successful example of each node."""

    @property
    def acceptances(self) -> list[Acceptance]:
        """All acceptances of other nodes' motions."""
        found = []
        for (name, motion), count in sorted(self.accepted.items()):
            of = self.nothing[name] if motion == NOTHING else self.examples[motion]
            found.append(Acceptance(name, motion, count, of, self.graph.node(name).also.get(motion, "")))
        return found

    @property
    def unexplained(self) -> list[Acceptance]:
        """Acceptances without a reason in the graph file."""
        return [each for each in self.acceptances if not each.because]

    @property
    def needless(self) -> list[tuple[str, str]]:
        """Node and motion of each reason in the graph file that no example needs."""
        return [
            (node.name, motion)
            for node in self.graph
            for motion in node.also
            if self.examples[motion] and (node.name, motion) not in self.accepted
        ]

    @property
    def without_example(self) -> list[str]:
        """Nodes on planned edges of which no example succeeded."""
        return [name for name in all_targets(self.graph) if not self.examples[name]]

    @property
    def passed(self) -> bool:
        """True if every acceptance has a reason and every node an example."""
        return not self.unexplained and not self.without_example

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
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
    """Evaluate examples of nodes by the conditions of all others.

    Args:
        project: Project with the nodes.
        trials: Number of examples of each planned edge: the first undisturbed, the others with noise before the entry
            and other numbers of cycles of gaits.
        seed: Seed of the noise.
        motions: Nodes of which examples are recorded. None: all.
        on_example: Called with the node after each example.

    Raises:
        CtrlGraphError: A node does not exist.
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


def _judge(found: Confusion, motion: Motion, values: dict[str, float], others: Sequence[Node], name: str) -> None:
    found.accepted.update((node.name, name) for node in others if accepts(node, values, motion))


def _judge_nothing(
    found: Confusion, evaluator: Evaluator, plan: EvaluationPlan, node: Node, still: Controller, seconds: float
) -> None:
    """Evaluate doing nothing, which must not succeed except as a static pose."""
    begun = evaluator.begin(plan, Perturbations.of(evaluator.project), np.random.default_rng(0))
    if not isinstance(begun, Failed):
        begun.simulation.run(still, timeout=seconds)
        found.nothing[node.name] += 1
        motion = motion_of(begun)
        _judge(found, motion, measures_of(motion), [node], NOTHING)


def _nothing(project: Project) -> Controller:
    """Return a script that moves no joint: the targets of the previous script remain."""
    library, path = ScriptLibrary([]), Path("nothing.t")
    library.put(path, _STILL)
    return compile_script(library, path, (), project.character)
