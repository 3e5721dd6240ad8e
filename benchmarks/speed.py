"""Compare the cost of a simulation step with that of another checkout.

    python benchmarks/speed.py OLD_CHECKOUT [--repetitions N] [--seconds S]

Another process compiles the kernels first. Then one worker process per checkout repeats the same motion. The workers
take turns, every other time in the other order, so that a change of the machine's load affects both. The table shows
the median CPU time of a step and the median of the ratios of neighbouring repetitions.

The other checkout is imported from its directory by the Python that runs this script; it needs the same dependencies.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[1]
NODES = ("walk", "backflip", "stand")
ENGINES = ("ode", "mujoco")

WORKER = """
import json, sys
from pathlib import Path
from time import process_time

from ctrlgraph import Project, Simulation

project = Project(Path(sys.argv[1]))
node, engine, seconds = sys.argv[2], sys.argv[3], float(sys.argv[4])
with Simulation(project.character, engine=engine) as simulation:
    simulation.run(project.controller(project.graph.start), timeout=15)
    start, controller = simulation.snapshot(), project.controller(node)
    for _ in sys.stdin:
        steps, spent = 0, 0.0
        while steps * simulation.settings.dt < seconds:
            simulation.restore(start)
            started = process_time()
            outcome = simulation.run(controller, cycles=10**6, timeout=seconds)
            spent += process_time() - started
            steps += round(outcome.simulated_s / simulation.settings.dt)
        print(json.dumps([1e6 * spent / steps, simulation.state_digest()]), flush=True)
"""


class Worker:
    """A process that repeats a motion of one checkout."""

    def __init__(self, checkout: Path, node: str, engine: str, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(ROOT), node, engine, str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=tempfile.gettempdir(),
            env=os.environ | {"PYTHONPATH": str(checkout)},
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def measure(self) -> tuple[float, str]:
        """Return the CPU time of a step in microseconds, and the digest of the last state."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a worker ended; see its message above")
        cost, digest = json.loads(line)
        return cost, digest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path, metavar="OLD_CHECKOUT")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=10.0, help="simulated seconds of a repetition")
    given = parser.parse_args()
    print("| node | engine | old, us | new, us | new / old | same states |")
    print("| --- | --- | --- | --- | --- | --- |")
    for node in NODES:
        for engine in ENGINES:
            print(compare(given.old.resolve(), node, engine, given.repetitions, given.seconds), flush=True)


def compare(old: Path, node: str, engine: str, repetitions: int, seconds: float) -> str:
    """Return a row of the table."""
    digests = []
    for checkout in (old, ROOT):  # a process that compiles keeps the compiler's objects, and is slower afterwards
        with Worker(checkout, node, engine, seconds) as compiling:
            digests.append(compiling.measure()[1])
    pairs = []
    with Worker(old, node, engine, seconds) as before, Worker(ROOT, node, engine, seconds) as after:
        for worker in (before, after):
            worker.measure()  # the first repetition also loads the kernels
        for n in range(repetitions):
            one, two = (before, after) if n % 2 == 0 else (after, before)
            costs = {one: one.measure()[0], two: two.measure()[0]}
            pairs.append((costs[before], costs[after]))
    medians = [statistics.median(costs) for costs in zip(*pairs, strict=True)]
    ratio = statistics.median(new / old for old, new in pairs)
    same = "yes" if digests[0] == digests[1] else "no"
    return f"| {node} | {engine} | {medians[0]:.1f} | {medians[1]:.1f} | {ratio:.3f} | {same} |"


if __name__ == "__main__":
    main()
