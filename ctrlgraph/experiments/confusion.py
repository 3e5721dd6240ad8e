"""The confusion test: do the conditions of a node hold for no motion but its own?

Examples of every node are recorded, entered from its usual predecessors, and each is judged by the conditions of every
other node: at its end, over its course, and what is plausible. So is who does nothing: from where a node begins, the
targets that the joints then have are held for as long as the node takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.experiments.evaluation_plan import all_targets
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.examples import entries, motion_of, run_example, starts
from ctrlgraph.experiments.initial_state import Failed
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.graph.model import NOTHING
from ctrlgraph.simulation.measures import Motion, broken, left_bounds, measures_of

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.experiments.evaluation_plan import EvaluationPlan
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.project.project import Project

_STILL = """BEGINSCRIPT nothing(void)
  PHASE 0
    TRANSITION to(-1).after(time 1000);
  ENDPHASE
ENDSCRIPT
"""


@dataclass(frozen=True)
class Acceptance:
    """Examples of `motion` for which the conditions of `node` hold, of `examples`; because: the reason that the graph
    file has for it, empty where it has none. `motion` is `NOTHING` for who does nothing where the node begins."""

    node: str
    motion: str
    accepted: int
    examples: int
    because: str

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass
class Confusion:
    """What came of a confusion test.

    examples: how many of each node held by its own conditions; lost: how many did not, or could not be begun; nothing:
    how often who does nothing was looked at, by node; accepted: by node and motion; measures: of the first example of
    each node that held.
    """

    graph: ControllerGraph
    seed: int
    examples: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    nothing: Counter[str] = field(default_factory=Counter)
    accepted: Counter[tuple[str, str]] = field(default_factory=Counter)
    measures: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def acceptances(self) -> list[Acceptance]:
        """Return every node with a motion, not its own, for some of whose examples its conditions hold."""
        found = []
        for (name, motion), count in sorted(self.accepted.items()):
            of = self.nothing[name] if motion == NOTHING else self.examples[motion]
            found.append(Acceptance(name, motion, count, of, self.graph.node(name).also.get(motion, "")))
        return found

    @property
    def unexplained(self) -> list[Acceptance]:
        """Return those for which the graph file has no reason."""
        return [each for each in self.acceptances if not each.because]

    @property
    def needless(self) -> list[tuple[str, str]]:
        """Return node and motion of each reason in the graph file for what was looked for and not seen."""
        return [
            (node.name, motion)
            for node in self.graph
            for motion in node.also
            if self.examples[motion] and (node.name, motion) not in self.accepted
        ]

    @property
    def without_example(self) -> list[str]:
        """Return the nodes of which no example held, of those that planned edges lead to."""
        return [name for name in all_targets(self.graph) if not self.examples[name]]

    @property
    def passed(self) -> bool:
        """Tell whether every acceptance has its reason, and every node an example."""
        return not self.unexplained and not self.without_example

    def as_dict(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "seed": self.seed,
            "examples": {node.name: self.examples[node.name] for node in self.graph},
            "lost": dict(self.lost),
            "without_example": self.without_example,
            "unexplained": [each.as_dict() for each in self.unexplained],
            "explained": [each.as_dict() for each in self.acceptances if each.because],
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
    """Judge examples of nodes by the conditions of all others.

    Args:
        trials: examples of each way in (planned edge): the first undisturbed, the others with noise before the entry
            and, of gaits, other numbers of cycles.
        motions: the nodes of which examples are made; all of them where None.
        on_example: called with the node after each.

    Raises:
        CtrlGraphError: there is no such node.
    """
    graph = project.graph
    found = Confusion(graph, seed)
    still = _nothing(project)
    with Evaluator(project) as evaluator:
        for name in graph.nodes if motions is None else motions:
            node = graph.node(name)
            for way in entries(graph, name):
                took = 0.0
                for begun, cycles in starts(evaluator, way, trials, seed):
                    held = not isinstance(begun, Failed) and run_example(evaluator, begun, cycles).succeeded
                    on_example(name)
                    if isinstance(begun, Failed) or not held:
                        found.lost[name] += 1
                        continue
                    motion = motion_of(begun)
                    found.examples[name] += 1
                    took = took or motion.duration
                    values = measures_of(motion)
                    found.measures.setdefault(name, values)
                    _judge(found, motion, values, [other for other in graph if other.name != name], name)
                if took > 0.0 and not node.is_static:
                    _judge_nothing(found, evaluator, way, node, still, took)
    return found


def fulfils(motion: Motion, values: dict[str, float], node: Node) -> bool:
    """Tell whether a motion with these measures is one of the node's: by its conditions, its bounds and its time."""
    if motion.duration > node.timeout_for(node.cycles[1]) or broken(values, node.conditions):
        return False
    return not left_bounds(motion, node.bounds)


def _judge(found: Confusion, motion: Motion, values: dict[str, float], others: Sequence[Node], name: str) -> None:
    found.accepted.update((node.name, name) for node in others if fulfils(motion, values, node))


def _judge_nothing(
    found: Confusion, evaluator: Evaluator, way: EvaluationPlan, node: Node, still: Controller, seconds: float
) -> None:
    """A static pose that is held is that pose: of others, doing nothing is none."""
    begun = evaluator.begin(way, Perturbations.of(evaluator.project), np.random.default_rng(0))
    if not isinstance(begun, Failed):
        begun.simulation.run(still, timeout=seconds)
        found.nothing[node.name] += 1
        motion = motion_of(begun)
        _judge(found, motion, measures_of(motion), [node], NOTHING)


def _nothing(project: Project) -> Controller:
    """A script that moves no joint: those of the script before it hold their targets, without feedback."""
    library, path = ScriptLibrary([]), Path("nothing.t")
    library.put(path, _STILL)
    return compile_script(library, path, (), project.character)
