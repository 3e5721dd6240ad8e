"""Measure every ordered pair of standing motions without an edge: the direct transition.

    python benchmarks/pairs.py [NODE]... [--trials N] [--seed S] [--jobs N] [-o docs/results/pairs.md] [--json]

With nodes, only their pairs are tried, and the page keeps the rows of the others.

A motion is standing if, by the conditions of the graph, it ends upright and is entered from a motion that does. A pair
without an edge is tried from the first node's usual path, perturbed by noise, on both engines. It succeeds if the
second node and the path to its next static pose succeed. The most frequent reason of failures is listed.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.result_header import header
from ctrlgraph.files import write_text
from ctrlgraph.graph.model import ControllerGraph, EdgeKind, Node
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import perturbations

ROOT = Path(__file__).resolve().parents[1]
ENGINES = ("ode", "mujoco")
NOISE = 0.02
UPRIGHT_HEIGHT, UPRIGHT_TORSO = 0.6, 0.9  # minimum final height of the centre of mass, m, and maximum tilt, rad
Pair = tuple[str, str]
Row = tuple[list[tuple[int, str]], int, int]
"""Result of a pair without an edge: successes and most frequent reason of failure per engine; trials; seed."""
_EDGE = {False: "edge", True: "(edge)"}


def ends_upright(node: Node) -> bool:
    """Return whether the conditions or bounds of a node let it end upright only."""
    lowest = max((each["com_height"][0] for each in (node.success, node.bounds) if "com_height" in each), default=0.0)
    leans = [abs(limit) for each in (node.success, node.bounds) for limit in each.get("torso", ())]
    return lowest >= UPRIGHT_HEIGHT and bool(leans) and min(leans) <= UPRIGHT_TORSO


def standing_motions(graph: ControllerGraph) -> list[str]:
    """Return the nodes that end upright and are entered upright, without those that need an obstacle."""
    upright = {name for name, node in graph.nodes.items() if ends_upright(node) and node.obstacle is None}
    entered = {edge.target for edge in graph.edges if edge.planned and edge.source in upright}
    return [name for name in graph.nodes if name in upright & entered]


def tried(question: tuple[Pair, int, int]) -> dict[str, tuple[int, str]]:
    """Return the number of successful trials of a pair on each engine, and the most frequent reason of failure."""
    (source, target), trials, seed = question
    answer = {}
    with Evaluator(Project(ROOT), untried=True) as evaluator:
        for engine in ENGINES:
            how = perturbations({"noise": NOISE, "engine": engine})
            seen = [evaluator.trial(f"{source}->{target}", how, (), i, seed) for i in range(trials)]
            held = sum(trial.recovered for trial in seen)
            reasons = Counter(trial.reason for trial in seen if not trial.recovered)
            answer[engine] = held, reasons.most_common(1)[0][0] if reasons else ""
    return answer


def planned_pairs(graph: ControllerGraph) -> dict[Pair, bool]:
    """Return the pairs with an edge, and for each whether only goal walks take it."""
    weights: dict[Pair, float] = {}
    for edge in graph.edges:
        if edge.kind is not EdgeKind.CORRECTIVE:
            weights[edge.source, edge.target] = max(edge.weight, weights.get((edge.source, edge.target), 0.0))
    return {pair: weight == 0.0 for pair, weight in weights.items()}


def page(names: list[str], planned: dict[Pair, bool], found: dict[Pair, Row]) -> str:
    """Return the page: counts, a matrix, and a row for each pair without an edge."""
    pairs = [(a, b) for a in names for b in names if a != b]
    rows = [f"| | {' | '.join(str(i + 1) for i in range(len(names)))} |", "| --- |" + " --- |" * len(names)]
    for i, a in enumerate(names):
        cells = [
            "" if a == b else _EDGE[planned[a, b]] if (a, b) in planned else _worst(found.get((a, b))) for b in names
        ]
        rows.append(f"| {i + 1} {a} | {' | '.join(cells)} |")
    reasons = [_reason(pair, found[pair]) for pair in pairs if pair in found]
    edges = [planned[pair] for pair in pairs if pair in planned]
    share = 100.0 * len(edges) / len(pairs)
    return f"""# Pairs of standing motions

Which standing motions can follow each other by a direct transition.

{header("ODE and MuJoCo", "in each row")}
Of the {len(pairs)} ordered pairs of {len(names)} standing motions {len(edges)} ({share:.0f} %) have an edge.
{sum(edges)} of these edges have weight 0: goal walks take them, random walks do not. The other pairs were tried on
each engine from the usual path to the first motion, with noise of {NOISE}; each row has the number of trials. A trial
succeeds if the second motion does and the next static pose is reached. Some pairs succeed here and have no edge: they
failed in a later test with more trials, or were not tested further. With names of nodes the command replaces the rows
of these nodes only.

A number in the matrix is the number of successful trials on the worse engine; (edge) is an edge of weight 0.

{chr(10).join(rows)}

## Pairs without an edge

| pair | ODE | MuJoCo | seed | most frequent failure |
| --- | --- | --- | --- | --- |
{chr(10).join(reasons)}
"""


def _reason(pair: Pair, row: Row) -> str:
    answers, trials, seed = row
    counts = " | ".join(f"{held} of {trials}" for held, _ in answers)
    return f"| {' -> '.join(pair)} | {counts} | {seed} | {_why(answers)} |"


def rows_of(page: str) -> dict[Pair, Row]:
    """Return the rows of an earlier page."""
    found: dict[Pair, Row] = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 2 + len(ENGINES) + 1 and " -> " in cells[0] and cells[-2].isdigit():
            source, target = cells[0].split(" -> ")
            counts = [cell.split(" of ") for cell in cells[1:-2]]
            why = cells[-1].replace("\\|", "|")
            answers = [(int(held), "" if held == trials else why) for held, trials in counts]
            found[source, target] = answers, int(counts[0][1]), int(cells[-2])
    return found


def _worst(row: Row | None) -> str:
    return "" if row is None else str(min(held for held, _ in row[0]))


def _why(answers: list[tuple[int, str]]) -> str:
    reasons = [reason for _, reason in answers if reason]
    return reasons[0].replace("|", "\\|") if reasons else "holds"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", help="only pairs from and to these")
    parser.add_argument("--trials", type=int, default=4)
    parser.add_argument("--seed", type=int, default=98001)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", dest="page", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    graph = Project(ROOT).graph
    names = standing_motions(graph)
    planned = planned_pairs(graph)
    pairs = [(a, b) for a in names for b in names if a != b and (not given.nodes or {a, b} & set(given.nodes))]
    missing = [pair for pair in pairs if pair not in planned]
    found: dict[Pair, Row] = {}
    if given.nodes and given.page is not None and given.page.exists():
        found = rows_of(given.page.read_text(encoding="utf-8"))
    with ProcessPoolExecutor(given.jobs) as pool:
        answers = pool.map(tried, [(pair, given.trials, given.seed) for pair in missing])
        for pair, answer in zip(missing, answers, strict=True):
            found[pair] = [answer[engine] for engine in ENGINES], given.trials, given.seed
            if not given.json:
                print(_reason(pair, found[pair]), flush=True)
    if given.json:
        failed = [(a, b, found[a, b][0]) for a, b in missing]
        print(
            json.dumps([{"from": a, "to": b, **dict(zip(ENGINES, answers, strict=True))} for a, b, answers in failed])
        )
    if given.page is not None:
        kept = {pair: row for pair, row in found.items() if pair not in planned and set(pair) <= set(names)}
        write_text(given.page, page(names, planned, kept))


if __name__ == "__main__":
    main()
