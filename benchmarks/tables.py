"""Measure how long the files of a motion take to write and how large they are, each format by itself.

python benchmarks/tables.py --seconds 30
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from ctrlgraph import Project
from ctrlgraph.export import SUFFIXES, write_motion
from ctrlgraph.project.rollout_request import carry_out, find_rollout

REPEATS = 5
RATE = 100.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--node", default="walk")
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    project = Project.find()
    request = find_rollout(project, given.node, time=given.seconds)
    carry_out(project, find_rollout(project, given.node, time=0.1), signal_rate=RATE)  # load and compile
    seconds = {}
    for rate in (None, RATE):
        began = time.perf_counter()
        signals = carry_out(project, request, after=project.graph.node("stand"), signal_rate=rate).signals
        seconds[rate] = time.perf_counter() - began
    assert signals is not None
    print(f"{given.seconds:g} s of {given.node}: simulated in {seconds[None]:.2f} s, recorded in {seconds[RATE]:.2f} s")
    print(f"{len(signals)} samples of {len(signals.columns)} columns")
    with tempfile.TemporaryDirectory() as directory:
        for suffix in SUFFIXES:
            path, taken = Path(directory) / f"motion{suffix}", []
            for _ in range(REPEATS):
                began = time.perf_counter()
                write_motion(signals, project.character, path, RATE)
                taken.append(time.perf_counter() - began)
            print(f"{suffix}: {sorted(taken)[REPEATS // 2]:.2f} s, {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
