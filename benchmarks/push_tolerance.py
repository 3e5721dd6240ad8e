"""Search the parameters of a tracking controller for push tolerance, and measure their viable ranges.

    python benchmarks/push_tolerance.py search PROJECT NODE --after NODE --at S [--budget N] [--seed S]
    python benchmarks/push_tolerance.py ranges PROJECT NODE --after NODE --at S [--push N] [NAME=VALUE ...]

A push acts on the trunk for 0.1 s, starting `--at` seconds after the beginning of the node; each of several times is
tried. Nothing is random. A trial succeeds if the node's conditions and bounds hold. `search` maximizes the range of
successful pushes around zero, in steps of 20 N up to 600 N, over all parameters or those whose ids end as `--only`
says. It draws `--budget` points, log-uniform in the ranges, and continues from the best with the same number of
evaluations of CMA-ES. `ranges` changes one parameter at a time in steps of a quarter of a decade until the node fails
under one push, up to ten decades. Both print JSON with the number of rollouts, so that comparisons can use the same
budget.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ctrlgraph.control.controller import Controller
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.cmaes import make_optimizer
from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout import node_rollout
from ctrlgraph.simulation.simulation import Push, Simulation

STEP, MOST, DURATION = 20.0, 600.0, 0.1
QUARTER, DECADES = 10.0**0.25, 10


@dataclass
class Question:
    """Return whether a node succeeds with these parameters under this push at each of several times."""

    project: Project
    simulation: Simulation
    node: Any
    began: Any
    at: tuple[float, ...]
    rollouts: int = 0

    def holds(self, controller: Controller, push: float) -> bool:
        """Run the node for each time until one fails."""
        return all(self._holds(controller, push, at) for at in (self.at if push else self.at[:1]))

    def _holds(self, controller: Controller, push: float, at: float) -> bool:
        self.rollouts += 1
        self.simulation.restore(self.began)
        link = self.project.character.links[self.project.character.trunk].name
        start = self.simulation.time + at
        self.simulation.disturb([Push(start, DURATION, link, push)] if push else [])
        cycles = self.node.cycles[0]
        rollout = node_rollout(self.node, (controller, cycles), cycles)
        try:
            return bool(self.simulation.run_rollout(rollout).succeeded)
        except CtrlGraphError:  # the Riccati equation has no solution for these weights
            return False

    def limits(self, controller: Controller) -> tuple[float, float]:
        """Return the range of successful pushes backward and forward, in steps; 0 and 0 if it fails without a push."""
        if not self.holds(controller, 0.0):
            return -STEP, -STEP
        found = []
        for sign in (-1.0, 1.0):
            push = 0.0
            while push < MOST and self.holds(controller, sign * (push + STEP)):
                push += STEP
            found.append(push)
        return found[0], found[1]


def changed(controller: Controller, chosen: list[int], values: np.ndarray) -> Controller:
    constants = controller.constants.copy()
    constants[chosen] = values
    return controller.with_constants(constants)


def search(question: Question, controller: Controller, chosen: list[int], budget: int, seed: int) -> dict[str, Any]:
    """Return the best parameters of a search, and their range."""
    ranges = np.array([(controller.parameters[i].low, controller.parameters[i].high) for i in chosen], float)
    low, high = np.log10(ranges).T
    rng, seen = np.random.default_rng(seed), []

    def cost(x: np.ndarray) -> float:
        found = question.limits(changed(controller, chosen, 10.0**x))
        seen.append((sum(found), found, x.tolist()))
        if len(seen) % 20 == 0:
            best = max(seen)
            print(f"{len(seen)} points, {question.rollouts} rollouts: {best[1]}", file=sys.stderr)
        return -sum(found)

    present = np.log10(controller.constants[chosen])
    cost(np.clip(present, low, high))
    for _ in range(budget - 1):
        cost(rng.uniform(low, high))
    start = np.array(max(seen)[2])
    optimizer = make_optimizer("cma", start, 0.5, seed=seed, bounds=(low, high))
    while optimizer.stop is None and optimizer.evaluations < budget:
        points = optimizer.ask()
        optimizer.tell([cost(x) for x in points])
    _, limits, x = max(seen)
    names = [controller.parameters[i].id for i in chosen]
    holding = sum(total > 0 for total, _, _ in seen)
    return {
        "holds": {"backward": limits[0], "forward": limits[1]},
        "values": {name: float(f"{10.0**value:.4g}") for name, value in zip(names, x, strict=True)},
        "points": len(seen),
        "points_that_hold_unpushed": holding,
        "rollouts": question.rollouts,
        "seed": seed,
    }


def ranges(question: Question, controller: Controller, chosen: list[int], push: float) -> dict[str, Any]:
    """Return for each parameter the range in which the node succeeds under a push."""
    answers = {}
    for i in chosen:
        value = float(controller.constants[i])
        row: dict[str, Any] = {"value": value, "holds": question.holds(controller, push)}
        for word, factor in (("least", 1.0 / QUARTER), ("greatest", QUARTER)):
            reached = value
            for _ in range(4 * DECADES):
                if not row["holds"] or not question.holds(changed(controller, [i], np.array([reached * factor])), push):
                    break
                reached *= factor
            row[word] = float(f"{reached:.3g}")
        try:
            row["zero"] = question.holds(changed(controller, [i], np.zeros(1)), push)
        except CtrlGraphError:
            row["zero"] = False
        answers[controller.parameters[i].id] = row
    return {"push": push, "ranges": answers, "rollouts": question.rollouts}


def main() -> None:
    """Parse the command line and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("search", "ranges"))
    parser.add_argument("project", type=Path)
    parser.add_argument("node")
    parser.add_argument("--after", required=True)
    parser.add_argument("--at", type=float, nargs="+", required=True)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--push", type=float, default=-50.0)
    parser.add_argument("--engine", default="ode")
    parser.add_argument("--only", default="", help="ends of ids, separated by commas")
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE")
    given = parser.parse_intermixed_args()
    project = Project(given.project)
    node, before = project.graph.node(given.node), project.graph.node(given.after)
    controller = project.controller(node)
    wanted = tuple(given.only.split(",")) if given.only else ("",)
    chosen = [i for i, parameter in enumerate(controller.parameters) if parameter.id.endswith(wanted)]
    for text in given.values:
        name, _, value = text.partition("=")
        [i] = [i for i, parameter in enumerate(controller.parameters) if parameter.id.endswith(name)]
        controller = changed(controller, [i], np.array([float(value)]))
    world = dataclasses.replace(project.environment(), engine=given.engine)
    with world.simulation(project.character, 0) as simulation:
        outcome = simulation.run_rollout(project.rollout(None, before, before.cycles[0], simulation.preview))
        if not outcome.succeeded:
            sys.exit(f"{before.name} {outcome.status}: {outcome.reason}")
        question = Question(project, simulation, node, simulation.snapshot(), tuple(given.at))
        question.holds(controller, 0.0)  # the reference motion is computed once for all trials
        if given.what == "search":
            found = search(question, controller, chosen, given.budget, given.seed)
        else:
            found = ranges(question, controller, chosen, given.push)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
