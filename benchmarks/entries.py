"""Measure the success of every motion from perturbed initial states, by family of predecessors.

    python benchmarks/entries.py [NODE]... [--trials N] [--engine ode] [--seed S] [-o docs/results/entries.md]

A family is the kind of state in which the preceding motions end: standing still, walking or running, inverted, or near
the ground. The trials of a family are distributed over its edges. Each initial state is the end of the usual path to
the source, run for a random number of cycles and perturbed by noise. The motion itself runs for any number of cycles
that the graph allows. A trial succeeds if the node's own conditions hold. Obstacles are met at one of eight distances.
"""

from __future__ import annotations

import argparse
import itertools
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.pairs import ends_upright
from benchmarks.result_header import header
from ctrlgraph.files import write_text
from ctrlgraph.graph.model import ControllerGraph, Node
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, Segment
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.statistics import SuccessCount

ROOT = Path(__file__).resolve().parents[1]
NOISE = 0.02
AT_REST = 0.3
"""Maximum final speed of a standing state, m/s."""
WANTED = 0.99


@dataclass(frozen=True)
class Question:
    """A node, a family of its predecessors, and the nodes of the family."""

    node: str
    family: str
    sources: tuple[str, ...]
    trials: int
    engine: str
    seed: int


def family(node: Node) -> str:
    """Return the family of the state in which a motion ends."""
    if ("inverted" in node.success and not ends_upright(node)) or node.bounds.get("torso", (0.0, 0.0))[0] > 2.0:
        return "upside down"
    if not ends_upright(node):
        return "low"
    return "at rest" if node.success.get("com_speed", (0.0, np.inf))[1] <= AT_REST else "on the move"


def questions(graph: ControllerGraph, nodes: list[str], trials: int, engine: str, seed: int) -> Iterator[Question]:
    """Return the families of each node, in the order of the graph."""
    for name in nodes or graph.nodes:
        families: dict[str, list[str]] = {}
        for edge in graph.edges:
            if edge.planned and edge.target == name:
                families.setdefault(family(graph.node(edge.source)), []).append(edge.source)
        for kind, sources in families.items():
            yield Question(name, kind, tuple(dict.fromkeys(sources)), trials, engine, seed)


def answer(question: Question) -> tuple[int, Counter[str]]:
    """Return the number of successful trials, and the reasons of the others with their source."""
    held, reasons = 0, Counter[str]()
    with Evaluator(Project(ROOT)) as evaluator:
        for i, source in zip(range(question.trials), itertools.cycle(question.sources), strict=False):
            own = zlib.crc32(f"{question.node} {question.family} {i}".encode())
            reason = _trial(evaluator, source, question, np.random.default_rng([question.seed, own]))
            held += reason is None
            if reason is not None:
                reasons[f"{source}: {reason}"] += 1
    return held, reasons


def _trial(evaluator: Evaluator, source: str, question: Question, rng: np.random.Generator) -> str | None:
    """Return why a trial fails; None if it succeeds."""
    graph = evaluator.project.graph
    way = _with_cycles(evaluator.evaluation_plan(f"{source}->{question.node}"), graph, rng)
    begun = evaluator.begin(way, perturbations({"noise": NOISE, "engine": question.engine}), rng)
    if isinstance(begun, Failed):
        return f"entry: {begun.reason}"
    for _, outcome in itertools.islice(evaluator.segments(begun), len(way.test)):
        if not outcome.succeeded:
            return outcome.reason
    return None


def _with_cycles(way: EvaluationPlan, graph: ControllerGraph, rng: np.random.Generator) -> EvaluationPlan:
    """Return the plan with random cycles: those that the graph allows for the test, up to two more for the source."""

    def drawn(segment: Segment, low: int, high: int) -> Segment:
        return replace(segment, cycles=int(rng.integers(low, max(low, high) + 1)))

    *before, source = way.setup
    most = graph.node(source.node).cycles[1]
    setup = (*before, drawn(source, source.cycles, min(source.cycles + 2, most)))
    return replace(way, setup=setup, test=tuple(drawn(s, *graph.node(s.node).cycles) for s in way.test))


HEAD = """# Entries

How often each motion succeeds from perturbed initial states.

{header}
Each motion is entered from each family of motions that lead to it, with noise of {noise} in the initial state
([robustness](../reference/robustness.md#perturbations)) and different numbers of cycles before it. It succeeds if its
own conditions hold. Of {families} families {whole} succeed in at least {wanted:.0%} of trials. The interval is
Wilson's, 95 %. With names of nodes the command replaces the rows of these nodes only, so each row has its engine and
seed; nothing was tuned with these seeds.

| motion | from | sources | successes | interval | engine | seed | most frequent failure |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def row(question: Question, held: int, reasons: Counter[str]) -> str:
    """Return a row of the page."""
    low, high = SuccessCount(held, question.trials).interval
    (why, _), *_ = [*reasons.most_common(1), ("", 0)]
    return (
        f"| {question.node} | {question.family} | {len(question.sources)} | {held} of {question.trials} "
        f"| {100 * low:.1f}-{100 * high:.1f} % | {question.engine} | {question.seed} | {why.replace('|', '')} |"
    )


def page(measured: dict[tuple[str, str], str], graph: ControllerGraph, before: str) -> str:
    """Return the page with the new rows; other nodes keep their rows from `before`."""
    kept = {(cells[0], cells[1]): line for line in before.splitlines() if len(cells := _cells(line)) == 8}
    asked = [(q.node, q.family) for q in questions(graph, [], 0, "", 0)]
    rows = [{**kept, **measured}[each] for each in asked if each in kept or each in measured]
    counts = [[int(n) for n in _cells(line)[3].split(" of ")] for line in rows]
    whole = sum(held >= WANTED * trials for held, trials in counts)
    head = HEAD.format(
        header=header("in each row", "in each row"), noise=NOISE, families=len(rows), whole=whole, wanted=WANTED
    )
    return head + "\n".join(rows) + "\n"


def _cells(line: str) -> list[str]:
    """Return the cells of a row of the page; None for other lines."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("| ") else []
    return cells if len(cells) == 8 and " of " in cells[3] else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", help="only these")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--engine", default="ode")
    parser.add_argument("--seed", type=int, default=98002)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", dest="page", type=Path)
    given = parser.parse_args()
    graph = Project(ROOT).graph
    asked = list(questions(graph, given.nodes, given.trials, given.engine, given.seed))
    rows, whole = {}, 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for question, (held, reasons) in zip(asked, pool.map(answer, asked), strict=True):
            rows[question.node, question.family] = row(question, held, reasons)
            whole += held >= WANTED * given.trials
            print(rows[question.node, question.family], flush=True)
    print(f"{whole} of {len(rows)} families hold in {WANTED:.0%} and more")
    if given.page is not None:
        before = given.page.read_text(encoding="utf-8") if given.nodes and given.page.exists() else ""
        write_text(given.page, page(rows, graph, before))


if __name__ == "__main__":
    main()
