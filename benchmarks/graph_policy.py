"""The graph's policy beside the most reliable path: expected and measured success and time, in a world that shakes.

    python benchmarks/graph_policy.py -o docs/results/graph-policy.md --json graph-policy.json

In a copy of the project, random walks in which the body is shaken at random (`shaken_world.py`) are logged: what both
know. Then ways are drawn by a seed: some at random, some among those whose most reliable path is likely to fail. The
walk up to where a way begins is simulated once and unshaken; from there each trial goes on, shaken by its own seed, by
the path and by the policy. A trial has succeeded where it comes to the goal without beginning anew and before ten
failures. Where both take the same edges and nothing fails, their trials are the same, and simulated once. With --json,
what was ended is gone on with.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from shaken_world import ShakenEnvironment, Shaking

from ctrlgraph import Project, walk_random
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import write_text
from ctrlgraph.graph.goal_planner import GoalPlan, plan_path
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.policy_planner import PolicyPlan, plan_policy
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.graph.transition_model import GraphEvidence
from ctrlgraph.graph.visits import Balance
from ctrlgraph.runs.record import AttemptRecord
from ctrlgraph.simulation.planar_snapshot import Snapshot
from ctrlgraph.statistics import SuccessCount, bootstrap_mean, newcombe_interval
from ctrlgraph.terrain.terrain import LEVEL
from ctrlgraph.walkthrough.goal_walk import PathWalk, PolicyWalk
from ctrlgraph.walkthrough.log_evidence import graph_evidence
from ctrlgraph.walkthrough.walker import Walker, WalkIdentity

SHIPPED = ("controllers", "characters", "learned", "graph.yaml")
RISKY = 0.7
"""Of ways that are likely to fail: the probability that nothing does, at most."""

ROUND = 10
"""Trials of each way that are made before the next ones of the others, and what has come of them is written."""


class BegunAnew(Exception):
    """A trial would have to begin anew: it has failed."""


class TrialWalker(Walker):
    """A walker that does not begin anew."""

    def start(self) -> AttemptRecord:
        raise BegunAnew


Plans = dict[tuple[Any, ...], GoalPlan]
"""What was planned, by planner, node, goal and the edges that had failed: the same again in other trials."""


class KeptPath(PathWalk):
    """A walk by the most reliable path, of which no plan is made twice."""

    plans_kept: Plans

    def _plan(self, goal: str, known: GraphEvidence) -> GoalPlan:
        return _kept(self, goal, lambda: super(KeptPath, self)._plan(goal, known))


class KeptPolicy(PolicyWalk):
    """A walk by the policy, of which no plan is made twice."""

    plans_kept: Plans

    def _plan(self, goal: str, known: GraphEvidence) -> PolicyPlan:
        plan = _kept(self, goal, lambda: super(KeptPolicy, self)._plan(goal, known))
        assert isinstance(plan, PolicyPlan)
        return plan


def _kept(walk: KeptPath | KeptPolicy, goal: str, make: Callable[[], GoalPlan]) -> GoalPlan:
    key = (type(walk), walk.walker.node, goal, frozenset(walk.failed.items()))
    if key not in walk.plans_kept:
        walk.plans_kept[key] = make()
    return walk.plans_kept[key]


@dataclass(frozen=True)
class Trial:
    """One walk from a way's beginning: whether it came to the goal, after how many simulated s, with how many
    failures."""

    seed: int
    arrived: bool
    seconds: float
    failures: int


@dataclass(frozen=True)
class Way:
    """A node to begin in, as it is come to unshaken, and one to go to."""

    source: str
    goal: str
    risky: bool
    plan: PolicyPlan
    begin: Snapshot


class Comparison:
    """A project in its shaken world, what is known of it, and trials in it."""

    def __init__(self, project: Project, world: ShakenEnvironment) -> None:
        self.project, self.world = project, world
        self._plain = project.environment()
        self._plans: Plans = {}
        with project.read_log() as log:
            self.known = graph_evidence(project, log, world.digest)
        self._simulation = self._plain.simulation(project.character, keep_trace=False)

    def ways(self, rng: np.random.Generator, count: int) -> list[Way]:
        """Return so many ways of two edges or more, each with another goal: every second one is likely to fail."""
        graph = self.project.graph
        names = [node.name for node in graph if node.obstacle is None]
        found: list[Way] = []
        while len(found) < count:
            source, goal = (str(name) for name in rng.choice(names, 2, replace=False))
            risky = len(found) % 2 == 1
            try:
                plan = plan_policy(graph, source, goal, self.known, LEVEL)
            except CtrlGraphError:
                continue
            assert plan.path is not None
            if len(plan.path.steps) < 2 or goal in {way.goal for way in found}:
                continue
            if risky and plan.path.probability > RISKY:
                continue
            begin = self._beginning(source)
            if begin is not None:
                found.append(Way(source, goal, risky, plan, begin))
        return found

    def _beginning(self, source: str) -> Snapshot | None:
        """The state in which the unshaken walk to a node ends; None where it fails."""
        graph, simulation = self.project.graph, self._simulation
        walker = Walker(self.project, simulation, None, WalkIdentity("", 0, 0, self.world.digest))
        simulation.disturb()
        walker.start()
        if source != graph.start:
            for step in plan_path(graph, graph.start, source, self.known.edges, LEVEL).steps:
                cycles = graph.node(step.edge.target).cycles[0]
                if not walker.take(PlannedTransition(step.edge, cycles)).succeeded:
                    return None
        return simulation.snapshot()

    def trials(self, way: Way, seed: int) -> tuple[Trial, Trial]:
        """Return the trial by the path and the one by the policy."""
        assert way.plan.path is not None
        same = [step.edge for step in way.plan.steps] == [step.edge for step in way.plan.path.steps]
        by_path = self._trial(way, KeptPath, seed)
        return by_path, by_path if same and by_path.failures == 0 else self._trial(way, KeptPolicy, seed)

    def _trial(self, way: Way, kind: type[KeptPath | KeptPolicy], seed: int) -> Trial:
        simulation = self._simulation
        simulation.restore(way.begin)
        self.world.shaking.disturb(simulation, np.random.default_rng(seed), quiet=0.0)
        walker = TrialWalker(self.project, simulation, None, WalkIdentity("", 0, 0, self.world.digest))
        walker.node = way.source
        walk = kind(walker, self._with_failures)
        walk.plans_kept = self._plans
        try:
            arrived = walk.through([way.goal])
        except (BegunAnew, CtrlGraphError):
            arrived = False
        return Trial(seed, arrived, walker.walked_s, walk.failed.total())

    def _with_failures(self, failed: Mapping[Edge, int]) -> GraphEvidence:
        edges = {edge: replace(each, failed_now=failed.get(edge, 0)) for edge, each in self.known.edges.items()}
        return replace(self.known, edges=edges)


def scratch_copy(directory: Path) -> Project:
    """Return a copy of the project that is found from here, made where there is none yet."""
    origin = Project.find().directory
    for name in SHIPPED:
        if not (directory / name).exists():
            directory.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (origin / name).is_dir() else shutil.copy
            copy(origin / name, directory / name)
    return Project(directory)


def summary(trials: list[Trial]) -> dict[str, Any]:
    """Return the counts and the times of trials."""
    arrived = [trial.seconds for trial in trials if trial.arrived]
    return {
        "arrived": SuccessCount.of(trial.arrived for trial in trials).as_dict(),
        "no_failure": SuccessCount.of(trial.arrived and not trial.failures for trial in trials).as_dict(),
        "seconds": bootstrap_mean(arrived) if arrived else None,
        "failures": sum(trial.failures for trial in trials),
        "trials": [asdict(trial) for trial in trials],
    }


def compared(way: Way, by_path: list[Trial], by_policy: list[Trial]) -> dict[str, Any]:
    """Return what is known of a way."""
    plan = way.plan
    assert plan.path is not None and plan.path_prospects is not None
    both = [(a.seconds, b.seconds) for a, b in zip(by_path, by_policy, strict=True) if a.arrived and b.arrived]
    return {
        "source": way.source,
        "goal": way.goal,
        "risky": way.risky,
        "path": {"nodes": plan.path.nodes, "expected": plan.path_prospects.as_dict(), **summary(by_path)},
        "policy": {"nodes": plan.nodes, "expected": plan.prospects.as_dict(), **summary(by_policy)},
        "saved_s": bootstrap_mean([a - b for a, b in both]) if both else None,
        "both": both,
    }


def overall(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return both planners' counts over all ways, and what the policy changes."""
    counts = {}
    for name in ("path", "policy"):
        for what in ("arrived", "no_failure"):
            each = [row[name][what] for row in rows]
            successes = sum(count["successes"] for count in each)
            counts[name, what] = SuccessCount(successes, sum(count["trials"] for count in each))
    saved = [a - b for row in rows for a, b in row["both"]]
    return {
        "counts": {f"{name} {what}": count.as_dict() for (name, what), count in counts.items()},
        "more_arrived": newcombe_interval(counts["path", "arrived"], counts["policy", "arrived"]),
        "saved_s": bootstrap_mean(saved) if saved else None,
    }


def page(rows: list[dict[str, Any]], total: dict[str, Any], given: argparse.Namespace, known: str) -> str:
    """Return the page for the documentation."""
    lines = [
        "# The graph's policy, measured",
        "",
        "What [`ctrlgraph goto --policy`](policies.md#the-graphs-policy) does beside the most reliable path, in a world"
        " in which the body is shaken at random moments. Written by",
        "",
        "```sh",
        f"python benchmarks/graph_policy.py --walks {given.walks} --share {given.share:g} --every {given.every:g}"
        f" --evidence-seed {given.evidence_seed} --seed {given.seed} --ways {given.ways} --trials {given.trials}"
        " -o docs/results/graph-policy.md",
        "```",
        "",
        f"{known} Shakes last 0.2 s, come every {given.every:g} s on average, and are torques in all joints and a push"
        f" on the trunk with {given.share:g} of the torque limits and of the weight as standard deviations.",
        "",
        f"Ways are drawn by seed {given.seed}; every second one (marked *) among those whose most reliable path is"
        f" expected to go without a failure in {RISKY:g} of walks at most."
        f" {_made(rows, given)}, with seeds from {given.seed} on, the same for both."
        " *Arrived* is come to the goal without beginning anew and before ten failures, with Wilson's 95 % interval;"
        " seconds are simulated, from the way's beginning, of the trials that arrived. *Expected* is what the log's"
        " posterior says before the first trial; it knows nothing of the ten failures after which a walk is given up.",
        "",
        "| from -> to | planner | expected: arrived | s | no failure | measured: arrived | s | no failure |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        for name in ("path", "policy"):
            lines.append(_row(row, name))
    counts = {name: SuccessCount(each["successes"], each["trials"]) for name, each in total["counts"].items()}
    low, high = total["more_arrived"]
    lines += [
        "",
        f"All ways together: {counts['path arrived']} arrived by the most reliable path, {counts['policy arrived']} by"
        f" the policy (a difference of {100 * low:+.1f} to {100 * high:+.1f} points, Newcombe); without a failure"
        f" {counts['path no_failure']} and {counts['policy no_failure']}.",
    ]
    if total["saved_s"] is not None:
        mean, least, most = total["saved_s"]
        lines[-1] += f" Where both arrived, the policy saved {mean:.2f} s a trial ({least:.2f} to {most:.2f})."
    lines += ["", "The ways as planned before the first trial:", ""]
    for row in rows:
        path, policy = (" -> ".join(row[name]["nodes"]) for name in ("path", "policy"))
        lines.append(f"- path {path}; " + ("the policy the same" if path == policy else f"policy {policy}"))
    return "\n".join(lines) + "\n"


def _made(rows: list[dict[str, Any]], given: argparse.Namespace) -> str:
    made = len(rows[0]["path"]["trials"])
    return f"Of each {made} trials were made" + ("" if made == given.trials else f", of {given.trials} so far")


def _row(row: dict[str, Any], name: str) -> str:
    found, expected = row[name], row[name]["expected"]
    way = f"{row['source']} -> {row['goal']}{' *' if row['risky'] else ''}" if name == "path" else ""
    seconds = found["seconds"]
    timed = "-" if seconds is None else f"{seconds[0]:.1f} ({seconds[1]:.1f}-{seconds[2]:.1f})"
    cells = [
        way,
        name,
        f"{100 * expected['no_reset']:.0f} %",
        f"{expected['seconds']:.1f}",
        f"{100 * expected['no_failure']:.0f} %",
        str(SuccessCount(found["arrived"]["successes"], found["arrived"]["trials"])),
        timed,
        str(SuccessCount(found["no_failure"]["successes"], found["no_failure"]["trials"])),
    ]
    return "| " + " | ".join(cells) + " |"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--project", type=Path, default=Path("graph-policy"), help="the copy, made where there is none")
    parser.add_argument("--walks", type=int, default=60, help="random walks of 50 transitions that are logged first")
    parser.add_argument(
        "--share", type=float, default=0.2, help="how strong shakes are, of torque limits and of the weight"
    )
    parser.add_argument("--every", type=float, default=3.0, help="mean time between shakes, s")
    parser.add_argument("--evidence-seed", type=int, default=124601)
    parser.add_argument("--seed", type=int, default=127000, help="of the ways, and the first of the trials")
    parser.add_argument("--ways", type=int, default=10)
    parser.add_argument("--trials", type=int, default=100, help="of each way, by each planner")
    parser.add_argument("--json", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="the page")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    project = scratch_copy(given.project)
    world = ShakenEnvironment(engine=project.engine, shaking=Shaking(given.share, given.every))
    runs = project.runs_directory / "runs.sqlite"
    if not runs.exists():
        print(f"walking {given.walks} times at random", file=sys.stderr)
        walk_random(
            project,
            transitions=50,
            walks=given.walks,
            seed=given.evidence_seed,
            world=world,
            keep_states=False,
            balance=Balance.VISITS,
        )
    with project.read_log() as log:
        attempts = list(log.attempts())
    failed = sum(not attempt.succeeded for attempt in attempts)
    known = (
        f"Both know {given.walks} random walks of 50 transitions by visits (seed {given.evidence_seed}):"
        f" {len(attempts)} attempts, of which {failed} failed."
    )
    comparison = Comparison(project, world)
    ways = comparison.ways(np.random.default_rng(given.seed), given.ways)
    done = _done(given, ways)
    # all ways in turn, some trials at a time: what is written after each round is a comparison of all of them
    for first in range(0, given.trials, ROUND):
        for i, way in enumerate(ways):
            missing = range(max(first, len(done[i][0])), min(first + ROUND, given.trials))
            for seed in missing:
                for kept, trial in zip(
                    done[i], comparison.trials(way, given.seed + i * given.trials + seed), strict=True
                ):
                    kept.append(trial)
        rows = [compared(way, *trials) for way, trials in zip(ways, done, strict=True)]
        text = _written(rows, given, known)
        print(f"{min(first + ROUND, given.trials)} of {given.trials} trials of each way", file=sys.stderr, flush=True)
    print(text)


def _done(given: argparse.Namespace, ways: list[Way]) -> list[tuple[list[Trial], list[Trial]]]:
    """The trials that an earlier call with the same settings has written, by way: by the path, by the policy."""
    nothing: list[tuple[list[Trial], list[Trial]]] = [([], []) for _ in ways]
    if given.json is None or not given.json.exists():
        return nothing
    before = json.loads(given.json.read_text(encoding="utf-8"))
    if before["settings"] != _settings(given):
        return nothing
    return [
        ([Trial(**each) for each in row["path"]["trials"]], [Trial(**each) for each in row["policy"]["trials"]])
        for row in before["ways"]
    ]


def _settings(given: argparse.Namespace) -> dict[str, Any]:
    return {name: value for name, value in vars(given).items() if name not in ("project", "json", "output")}


def _written(rows: list[dict[str, Any]], given: argparse.Namespace, known: str) -> str:
    """The page, written with the data to where they were asked for."""
    total = overall(rows)
    text = page(rows, total, given, known)
    if given.output is not None:
        write_text(given.output, text)
    if given.json is not None:
        write_text(given.json, json.dumps({"settings": _settings(given), "ways": rows, "overall": total}, indent=1))
    return text


if __name__ == "__main__":
    main()
