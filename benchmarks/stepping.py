"""Measure the tabulation of steps with one and two processes, or write the small gait set of the graph's node.

    python benchmarks/stepping.py jobs [--rounds 2]
    python benchmarks/stepping.py few

`jobs` tabulates all steps with one and with two processes, alternating, and prints wall and CPU seconds of each round.
The ratio of neighbouring wall times is meaningful even on a busy machine. `few` writes the gaits and the table of
projects/tracking/stepping/few.yaml: those of the hundred gaits with FEW_STRIDES and FEW_SPEEDS.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from ctrlgraph.character.files import load_character
from ctrlgraph.control.stepping.gait_set import GaitSet
from ctrlgraph.control.stepping.stepping import read_entry, sampler
from ctrlgraph.experiments.gaits.stepping import tabulate_steps
from ctrlgraph.parallel import IsolatedProcesses

PROJECT = Path(__file__).resolve().parents[1] / "projects" / "tracking"
FEW_STRIDES = (0.30, 0.38, 0.46, 0.54, 0.62, 0.66)
FEW_SPEEDS = (0.60, 0.70, 0.80)


def main() -> None:
    """Run the requested part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["jobs", "few"])
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    globals()[f"show_{asked.what}"](asked)


def cpu_seconds() -> float:
    """Return the CPU time of this process and its finished children, s."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def show_jobs(asked: argparse.Namespace) -> None:
    """Return wall and CPU seconds of the whole table."""
    file = PROJECT / "stepping" / "over_gaps.yaml"
    character = load_character(PROJECT / "characters" / "walker.yaml")
    entry = read_entry(file)[1]
    gaits = GaitSet.load(file.parent / entry.gaits, character.digest)
    print("| round | processes | wall s | CPU s |\n| --- | --- | --- | --- |")
    for number in range(asked.rounds):
        for jobs in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                began, cpu = time.perf_counter(), cpu_seconds()
                with contextlib.ExitStack() as workers:
                    executor = workers.enter_context(IsolatedProcesses(jobs)) if jobs > 1 else None
                    steps = Path(folder) / "steps.npz"
                    tabulate_steps(sampler(entry, character, gaits), steps, executor=executor, width=jobs)
                wall, spent = time.perf_counter() - began, cpu_seconds() - cpu
            print(f"| {number + 1} | {jobs} | {wall:.1f} | {spent:.1f} |", flush=True)


def show_few(asked: argparse.Namespace) -> None:
    """Write the gaits and the table of the node."""
    folder = PROJECT / "stepping"
    character = load_character(PROJECT / "characters" / "walker.yaml")
    every = GaitSet.load(folder / "gaits.npz", character.digest)
    kept = sorted({every.nearest(stride, speed) for stride in FEW_STRIDES for speed in FEW_SPEEDS})
    few = GaitSet(**{name: array[kept] for name, array in every._arrays.items()}, character=every.character)
    few.save(folder / "few_gaits.npz")
    table = tabulate_steps(sampler(read_entry(folder / "few.yaml")[1], character, few), folder / "few_steps.npz")
    print(f"{few.count} gaits, {table.status.size} steps; strides {np.unique(few.stride.round(2)).tolist()}")


if __name__ == "__main__":
    main()
