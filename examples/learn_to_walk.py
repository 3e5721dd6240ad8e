"""Learn to walk by joint targets: CMA-ES on a linear policy for `ctrlgraph/Joints-v0`, with two worker processes.

    python learn_to_walk.py --seed 1 --minutes 10 -o policy.json --filmstrip walk.png
    python learn_to_walk.py --policy policy.json            # evaluates a saved policy

The policy adds to the reference pose, for four pairs of joints, a linear function of a clock, the trunk's lean and
spin, the speed, and the place of the centre of mass. Both legs have the same weights; the left one is half a cycle
behind, so that the feet take turns. (With the contacts of the feet as inputs it learns to gallop instead.)

The seeds of the evaluation are not among those of the training; the baselines are an action of zeros, the middle of
every joint's range, and the reference pose. With `--generations` in place of `--minutes` the result is the same on
every run.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import math
import multiprocessing
import os
import time
from pathlib import Path

import gymnasium
import numpy as np
from cmaes import CMA

import ctrlgraph.gym  # registers the environments

JOINTS = ("bHip", "bKnee", "bAnkle", "bShoulder")  # b: both sides
BODY = ("root sine", "root spin", "com vx", "com ahead of contacts")
CLOCK_HZ = 1.0  # at the beginning of the search; one cycle is two steps
HELD_OUT, VALIDATION = 1_000_000, 2_000_000  # where the seeds begin; those of the training are below


class LinearPolicy:
    """Maps scaled observations to actions, (J,).

    Args:
        env: the environment that it acts in.
        weights: one row for each of `JOINTS`, then the logarithm of the clock's rate over `CLOCK_HZ`.
    """

    def __init__(self, env: gymnasium.Env, weights: np.ndarray) -> None:
        own = env.unwrapped
        character, column = own.character, own.observation_names.index
        sides = np.array([character.both_joints[name] for name in JOINTS])
        self._joint = np.vectorize(character.joint_names.index)(sides.T)  # (2, rows)
        self._rest = own.action_of({})
        self._body = [column(name) for name in BODY]
        self._inputs = np.ones((2, 5 + len(BODY)))  # of the right leg, and of the left one
        self._weights = weights[:-1].reshape(len(JOINTS), -1)
        self._turn = 2 * np.pi * CLOCK_HZ * np.exp(np.clip(weights[-1], -1.0, 1.0)) / own.metadata["render_fps"]
        self._phase = 0.0

    @staticmethod
    def size() -> int:
        """Return the number of weights."""
        return len(JOINTS) * (5 + len(BODY)) + 1

    def __call__(self, observation: np.ndarray) -> np.ndarray:
        sine, cosine = math.sin(self._phase), math.cos(self._phase)
        self._phase += self._turn
        twice = 2 * sine * cosine, cosine**2 - sine**2  # sine and cosine of twice the phase: the same for both legs
        self._inputs[:, 1:5] = (sine, cosine, *twice), (-sine, -cosine, *twice)
        self._inputs[:, 5:] = observation[self._body]
        action = self._rest.copy()
        action[self._joint] += self._inputs @ self._weights.T
        return action


def walking(step) -> float:
    """The reward of the training: a little for each step without a fall, and speed up to 1.2 m/s."""
    return 0.3 + 2.0 * min(step.way / step.seconds, 1.2)


def episode(env: gymnasium.Env, act, seed: int) -> tuple[float, float, float]:
    """Run an episode; returns the sum of its rewards, the seconds until its end, and the way forward, m."""
    observation, info = env.reset(seed=seed)
    total, x, over = 0.0, info["x"], False
    while not over:
        observation, reward, terminated, truncated, info = env.step(act(observation))
        total, over = total + reward, terminated or truncated
    return total, info["seconds"], info["x"] - x


def make(project: str | None, engine: str | None, seconds: float, **more) -> gymnasium.Env:
    """Return the environment with scaled observations."""
    return gymnasium.make(
        ctrlgraph.gym.JOINTS, project=project, engine=engine, seconds=seconds, observation="scaled", **more
    )


_env: gymnasium.Env | None = None  # a worker's own


def start_worker(*given) -> None:
    """Make the environment of a worker process."""
    global _env
    _env = make(*given, reward=walking)


def score(task: tuple[np.ndarray, tuple[int, ...]]) -> float:
    """Return the mean sum of rewards of a policy over some seeds."""
    weights, seeds = task
    return float(np.mean([episode(_env, LinearPolicy(_env, weights), seed)[0] for seed in seeds]))


def train(options: argparse.Namespace) -> np.ndarray:
    """Return the weights that did best on the validation seeds."""
    given = (options.project, options.engine, options.seconds)
    optimizer = CMA(np.zeros(LinearPolicy.size()), options.sigma, seed=options.seed, population_size=options.population)
    draw = np.random.default_rng(options.seed)
    best, found, generation = -np.inf, np.zeros(LinearPolicy.size()), 0
    start_worker(*given)  # compiles once, before the workers start
    _env.reset(seed=0)
    with contextlib.ExitStack() as stack:
        run = map
        if options.jobs > 1:
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(options.jobs, start_worker, given))
            run = functools.partial(pool.map, chunksize=1)
        began = time.monotonic()
        while time.monotonic() - began < 60 * options.minutes and generation < options.generations:
            seeds = tuple(draw.integers(HELD_OUT, size=options.episodes).tolist())
            asked = [optimizer.ask() for _ in range(optimizer.population_size)]
            scores = run(score, [(weights, seeds) for weights in asked])
            optimizer.tell([(weights, -value) for weights, value in zip(asked, scores, strict=True)])
            generation += 1
            if generation % 10 and generation < options.generations:
                continue
            value = np.mean(list(run(score, [(optimizer.mean, (VALIDATION + k,)) for k in range(4)])))
            if value > best:
                best, found = value, optimizer.mean.copy()
            minutes = (time.monotonic() - began) / 60
            print(f"generation {generation}, {minutes:.1f} min: mean reward {value:.0f}, best {best:.0f}", flush=True)
    took = os.times()
    minutes, processor = (time.monotonic() - began) / 60, (took.user + took.children_user) / 60
    print(f"{generation} generations in {minutes:.1f} min, {processor:.1f} min of CPU time with start and compilation")
    return found


def read(path: Path) -> np.ndarray:
    """Return the weights of a saved policy."""
    try:
        weights = np.array(json.loads(path.read_text(encoding="utf-8"))["weights"], float)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path} is not a saved policy: {error!r}") from None
    if weights.shape != (LinearPolicy.size(),) or not np.isfinite(weights).all():
        raise SystemExit(f"{path}: a policy has {LinearPolicy.size()} finite weights")
    return weights


def evaluate(options: argparse.Namespace, weights: np.ndarray) -> None:
    """Print what the policy and the baselines do on held-out seeds."""
    with make(options.project, options.engine, 20.0) as env:
        rest = env.unwrapped.action_of({})
        ways = {"zero action": lambda _: 0 * rest, "reference pose": lambda _: rest, "policy": None}
        print(f"{options.evaluations} held-out seeds, at most 20 s: mean (least to greatest)")
        for name, act in ways.items():
            runs = [episode(env, act or LinearPolicy(env, weights), HELD_OUT + k) for k in range(options.evaluations)]
            _, seconds, way = np.array(runs).T
            print(
                f"{name:>15}: {seconds.mean():5.1f} s ({seconds.min():.1f} to {seconds.max():.1f}), "
                f"{way.mean():5.1f} m ({way.min():.1f} to {way.max():.1f})"
            )


def filmstrip(options: argparse.Namespace, weights: np.ndarray, path: Path) -> None:
    """Draw twelve moments, 0.12 s apart, in two rows; the policy has walked for two seconds before."""
    from PIL import Image

    pictures = []
    with make(options.project, options.engine, 20.0, render_mode="rgb_array", size=(240, 270)) as env:
        policy = LinearPolicy(env, weights)
        observation, _ = env.reset(seed=HELD_OUT)
        for step in range(170):
            observation, _, terminated, *_ = env.step(policy(observation))
            if (step >= 100 and step % 6 == 0) or terminated:
                pictures.append(env.render())
            if terminated:
                break
    blank = np.full_like(pictures[0], 255)
    pictures += [blank] * (12 - len(pictures))
    Image.fromarray(np.vstack([np.hstack(pictures[:6]), np.hstack(pictures[6:])])).save(path)
    print(f"saved {path}")


def main() -> None:
    """Train or read a policy, evaluate it, and show it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", help="a project directory; the nearest one upwards without")
    parser.add_argument("--engine", help="ode or mujoco; the project's own without")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0, help="of training, wall time")
    parser.add_argument("--generations", type=int, default=10**6, help="end the training after so many")
    parser.add_argument("--population", type=int, default=24)
    parser.add_argument("--episodes", type=int, default=1, help="per candidate")
    parser.add_argument("--seconds", type=float, default=10.0, help="of an episode of the training")
    parser.add_argument("--sigma", type=float, default=0.15, help="first step size of the search")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--evaluations", type=int, default=20, help="held-out seeds")
    parser.add_argument("-o", "--output", type=Path, default=Path("policy.json"))
    parser.add_argument("--policy", type=Path, help="evaluate this file instead of training")
    parser.add_argument("--filmstrip", type=Path, metavar="PNG", help="draw the policy's walk")
    options = parser.parse_args()
    if options.policy is None:
        weights = train(options)
        saved = {"joints": JOINTS, "body": BODY, "seed": options.seed, "weights": weights.tolist()}
        options.output.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")
        print(f"saved {options.output}")
    else:
        weights = read(options.policy)
    evaluate(options, weights)
    if options.filmstrip is not None:
        filmstrip(options, weights, options.filmstrip)


if __name__ == "__main__":
    main()
