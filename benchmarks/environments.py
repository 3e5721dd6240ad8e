"""Compare the speed of `ctrlgraph/Joints-v0` on both engines with Gymnasium's `Walker2d-v5`.

    python benchmarks/environments.py [--project DIR] [--steps N] [--repetitions N]

The environments take turns. Each takes random actions and is reset after a fall. The median CPU time of the repetitions
is printed. A step of Joints-v0 is 20 ms (ten time steps of 2 ms), one of Walker2d-v5 8 ms (four of 2 ms); simulated
seconds per second compare equal simulated times. The project is that of the humanoid by default. Walker2d-v5 needs
`pip install glfw imageio` and is omitted without these packages.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import gymnasium

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.gym import JOINTS
from ctrlgraph.gym.joints import STEP_S

ROOT = Path(__file__).resolve().parents[1]


def environments(project: Path) -> dict[str, tuple[gymnasium.Env, float]]:
    """Return the available environments of a project, with the simulated seconds of a step."""
    made: dict[str, tuple[gymnasium.Env, float]] = {}
    for engine in ("ode", "mujoco"):
        try:
            made[f"Joints-v0, {engine}"] = gymnasium.make(JOINTS, project=project, engine=engine), STEP_S
        except CtrlGraphError as error:
            print(f"Joints-v0, {engine}: {error}")
    try:
        walker = gymnasium.make("Walker2d-v5")
    except (ImportError, gymnasium.error.DependencyNotInstalled) as error:
        print(f"Walker2d-v5: {error}; pip install glfw imageio")
    else:
        made["Walker2d-v5, mujoco"] = walker, walker.unwrapped.dt
    return made


def run(env: gymnasium.Env, steps: int) -> float:
    """Take random actions; return the CPU time, s."""
    actions = [env.action_space.sample() for _ in range(100)]
    env.reset(seed=1)
    began = time.process_time()
    for n in range(steps):
        _, _, terminated, truncated, _ = env.step(actions[n % 100])
        if terminated or truncated:
            env.reset()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--project", type=Path, default=ROOT, metavar="DIR")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--repetitions", type=int, default=9)
    given = parser.parse_args()
    made = environments(given.project)
    for env, _ in made.values():
        env.action_space.seed(1)
        run(env, 100)  # compile
    taken: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(given.repetitions):
        for name, (env, _) in made.items():
            taken[name].append(run(env, given.steps) / given.steps)
    print(f"{'':20} {'time steps/step':>15} {'us/step':>8} {'steps/s':>8} {'simulated s/s':>14}")
    for name, (_, seconds) in made.items():
        step = statistics.median(taken[name])
        print(f"{name:20} {round(seconds / 0.002):15} {1e6 * step:8.0f} {1 / step:8.0f} {seconds / step:14.1f}")


if __name__ == "__main__":
    main()
