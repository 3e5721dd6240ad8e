"""Train a small policy that chooses edges, and compare it with random choices and with the planner.

    python benchmarks/policy.py --seed 1 -o policy.json
    python benchmarks/policy.py --seed 1 --terrain 'random:{seed}:150' --noise 0 --episodes 60 --rounds 4

The task is to go as far as possible in 40 transitions with perturbed initial states, or on courses of stairs, boxes,
gaps and slopes, each with its own seed. A fall ends the episode (`ctrlgraph/Walkthrough-v0` with its reward). The
random policy draws uniformly from the valid actions. The trained policy is fitted Q iteration with extremely
randomized trees (Ernst, Geurts and Wehenkel 2005, "Tree-based batch mode reinforcement learning", JMLR 6, figure 1)
on a growing batch: random walks, then walks by the current policy with one random choice in five. The planner
repeatedly takes the most reliable path (`ctrlgraph.graph.goal_planner`) to a gait and from there to the stand, with
the evidence of the same batch; the gait is the one that goes furthest in training walks. Test walks have other seeds
than training walks.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gymnasium
import numpy as np
from sklearn.ensemble import ExtraTreesRegressor

import ctrlgraph.gym
from ctrlgraph import CtrlGraphError
from ctrlgraph.graph.goal_planner import EdgeEvidence, plan_path
from ctrlgraph.graph.model import Edge
from ctrlgraph.gym.walkthrough import Walkthrough

TRANSITIONS = 40
DISCOUNT = 0.95
SWEEPS = 30  # sweeps of Q iteration: the number of transitions ahead from which a fall is seen
EXPLORED = 0.2
BODY = ("com vx", "com vy", "com height", "com ahead of contacts", "root sine", "root spin")
GROUND = ("slope", "rise", "rise ahead", "drop ahead", "gap ahead", "hurdle ahead", "distance", "size")

Chooser = Callable[[Walkthrough, np.ndarray, dict], int]


@dataclass
class Batch:
    """Transitions: the chosen action (rows of numbers) and its result."""

    chosen: list[np.ndarray]
    rewards: list[float]
    onward: list[np.ndarray]  # (k, n) actions available afterwards; none after a fall
    edges: list[tuple[Edge, bool, float, float]]  # succeeded, m, s


class Choices:
    """Actions of one moment as rows: body and terrain, current node, target node and its features."""

    def __init__(self, env: Walkthrough) -> None:
        self._columns = [env.observation_names.index(name) for name in (*BODY, *GROUND)]
        self._number = {name: i for i, name in enumerate(env.graph.nodes)}
        self._way: dict[str, float] = {}

    def learn_ways(self, batch: Batch) -> None:
        """Update the mean distance of each node from the successful attempts."""
        ways = defaultdict(list)
        for edge, succeeded, way, _ in batch.edges:
            if succeeded:
                ways[edge.target].append(way)
        self._way = {name: float(np.mean(found)) for name, found in ways.items()}

    def rows(self, env: Walkthrough, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the valid actions, (actions, n)."""
        state = observation[self._columns]
        return np.array(
            [
                [*state, self._number[edge.source], self._number[edge.target], env.graph.node(edge.target).is_static]
                for edge, allowed in zip(env.edges, mask[: len(env.edges)], strict=True)
                if allowed
            ],
            np.float32,
        )

    def with_ways(self, rows: np.ndarray) -> np.ndarray:
        """Return the rows with the mean distance of the target, which identifies the node for the trees."""
        names = list(self._number)
        ways = np.array([self._way.get(names[int(k)], 0.0) for k in rows[:, -2]], np.float32)
        room = rows[:, len(BODY) + GROUND.index("distance")] - ways
        return np.column_stack([rows, ways, room])


def walk(
    env: Walkthrough, seed: int, choose: Chooser, choices: Choices, batch: Batch | None = None
) -> tuple[float, int]:
    """Run an episode; return its distance, m, and number of transitions."""
    observation, info = env.reset(seed=seed)
    taken, over = 0, False
    while not over:
        rows = choices.rows(env, observation, info["action_mask"])
        k = choose(env, rows, info)
        action = int(np.flatnonzero(info["action_mask"])[k])
        edge, x, began = env.edges[action], info["x"], info["seconds"]
        observation, reward, fallen, truncated, info = env.step(action)
        taken, over = taken + 1, fallen or truncated
        if batch is not None:
            batch.chosen.append(rows[k])
            batch.rewards.append(reward)
            batch.onward.append(rows[:0] if fallen else choices.rows(env, observation, info["action_mask"]))
            batch.edges.append((edge, info["succeeded"], info["x"] - x, info["seconds"] - began))
    return info["x"], taken


def fitted(batch: Batch, choices: Choices, seed: int) -> ExtraTreesRegressor:
    """Fit Q iteration: each sweep fits the rewards plus the previous sweep's value of the best next action."""
    choices.learn_ways(batch)
    rows = choices.with_ways(np.array(batch.chosen))
    after = choices.with_ways(np.concatenate(batch.onward))
    owner = np.repeat(np.arange(len(batch.onward)), [len(each) for each in batch.onward])
    rewards, values = np.array(batch.rewards), np.zeros(len(rows))
    for _ in range(SWEEPS):
        trees = ExtraTreesRegressor(n_estimators=40, min_samples_leaf=4, random_state=seed, n_jobs=1)
        trees.fit(rows, rewards + DISCOUNT * values)
        best = np.full(len(rows), -np.inf)
        np.maximum.at(best, owner, trees.predict(after))
        values = np.where(np.isfinite(best), best, 0.0)
    return trees


def by_chance(rng: np.random.Generator) -> Chooser:
    return lambda env, rows, info: int(rng.integers(len(rows)))


def by_value(trees: ExtraTreesRegressor, choices: Choices, explored: float, rng: np.random.Generator) -> Chooser:
    def choose(env: Walkthrough, rows: np.ndarray, info: dict) -> int:
        if rng.random() < explored:
            return int(rng.integers(len(rows)))
        return int(np.argmax(trees.predict(choices.with_ways(rows))))

    return choose


def by_reliability(batch: Batch, gait: str) -> Chooser:
    """Repeat the most reliable path to a gait and back to the stand."""
    found: dict[Edge, list[tuple[bool, float]]] = defaultdict(list)
    for edge, succeeded, _, seconds in batch.edges:
        found[edge].append((succeeded, seconds))
    evidence = {}
    for edge, tries in found.items():
        done = [seconds for succeeded, seconds in tries if succeeded]
        evidence[edge] = EdgeEvidence(len(tries), len(done), float(np.mean(done)) if done else float("nan"))
    heading = {"to": gait}

    def choose(env: Walkthrough, rows: np.ndarray, info: dict) -> int:
        start = env.graph.start
        if info["node"] == heading["to"] or info["node"] in (gait, start):
            heading["to"] = start if info["node"] == gait else gait
        preview = env.preview
        edge = plan_path(env.graph, info["node"], heading["to"], evidence, preview).steps[0].edge
        allowed = [each for each, ok in zip(env.edges, info["action_mask"], strict=False) if ok]
        return allowed.index(edge) if edge in allowed else 0

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--episodes", type=int, default=40, help="by chance, and again in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--terrain", default="flat")
    parser.add_argument("--noise", type=float, default=0.15)
    parser.add_argument("--tests", type=int, default=20)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    env = gymnasium.make(ctrlgraph.gym.WALKTHROUGH, terrain=given.terrain, noise=given.noise, transitions=TRANSITIONS)
    env = env.unwrapped
    assert isinstance(env, Walkthrough)
    rng, choices, batch = np.random.default_rng(given.seed), Choices(env), Batch([], [], [], [])
    seeds = iter(range(10_000 * given.seed, 10**9))  # test walks have lower seeds
    began, chooser = time.process_time(), by_chance(rng)
    for r in range(given.rounds + 1):
        ways = [walk(env, next(seeds), chooser, choices, batch)[0] for _ in range(given.episodes)]
        trees = fitted(batch, choices, given.seed)
        chooser = by_value(trees, choices, EXPLORED, rng)
        print(
            f"round {r}: {np.mean(ways):.1f} m, {len(batch.rewards)} transitions, {time.process_time() - began:.0f} s"
        )
    trained_s = time.process_time() - began
    reliable = best_gait(env, batch, choices, [next(seeds) for _ in range(6)])
    ways: dict[str, list[float]] = {}
    for name, make in (
        ("chance", lambda: by_chance(np.random.default_rng(given.seed))),
        (f"most reliable path, by {reliable}", lambda: by_reliability(batch, reliable)),
        ("policy", lambda: by_value(trees, choices, 0.0, rng)),
    ):
        choose, found = make(), []
        for seed in range(given.tests):
            found.append(walk(env, seed, choose, choices))
        ways[name] = [x for x, _ in found]
        x, transitions = np.array(found).T
        middle, error = x.mean(), x.std(ddof=1) / len(x) ** 0.5
        whole = int((transitions == TRANSITIONS).sum())
        print(
            f"{name}: {middle:.1f} m (standard error {error:.1f}), {transitions.mean():.1f} transitions, {whole} whole"
        )
    if given.output is not None:
        result = {"seed": given.seed, "trained_s": trained_s, "transitions": len(batch.rewards), "metres": ways}
        given.output.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def best_gait(env: Walkthrough, batch: Batch, choices: Choices, seeds: list[int]) -> str:
    """Return the node with the longest distance over the most reliable path, of those that go more than a metre."""
    choices.learn_ways(batch)
    far: dict[str, float] = {}
    for name, way in choices._way.items():
        if way < 1.0 or env.graph.node(name).obstacle is not None:
            continue
        try:
            far[name] = float(np.mean([walk(env, seed, by_reliability(batch, name), choices)[0] for seed in seeds]))
        except CtrlGraphError:  # no path leads there and back
            continue
    return max(far, key=lambda name: far[name])


if __name__ == "__main__":
    main()
