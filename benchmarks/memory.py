"""Measure the memory of long walks and of statistics over many attempts; prints one JSON object.

    python benchmarks/memory.py [--transitions N] [--attempts M] [--seed S] [--no-states] [--directory DIR]

Walks N transitions (5,000) with recorded states, and computes statistics of a synthetic log of M attempts (1,000,000).
Each part runs in its own process, next to a short one of the same kind (50 transitions, 100 attempts) that shows the
memory of Python, the compiled kernels and the libraries. The figures are peaks of resident memory. With 0 transitions
or attempts, that part is omitted.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ctrlgraph.graph.model import Edge
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.run_log import run_log
from ctrlgraph.run_log.record import START, AttemptRecord, RunRecord, new_run_id
from ctrlgraph.run_log.rows import row_of
from ctrlgraph.run_log.run_log import RunLog

SHORT_WALK, SHORT_LOG = 50, 100
RUN_LENGTH, WALK_LENGTH = 2000, 100
MEASURES = [f"measure_{i}" for i in range(12)]
LIMITS = [("torso", 1.0), ("com_speed", 0.4), ("flight", 0.1), ("turn", 6.0), ("drift", 0.5)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transitions", type=int, default=5000)
    parser.add_argument("--attempts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-states", action="store_true")
    parser.add_argument("--directory", type=Path, help="where the project is made; a temporary directory without it")
    options = parser.parse_args()
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory(dir=options.directory) as scratch:
        directory = Path(scratch) / "project"
        copy_project(directory)
        for name, transitions in (("short_walk", SHORT_WALK), ("walk", options.transitions)):
            if options.transitions:
                found[name] = walk(directory, transitions, options.seed, options.no_states)
        for name, attempts in (("short_stats", SHORT_LOG), ("stats", options.attempts)):
            if options.attempts:
                found[name] = stats(directory, attempts, options.seed)
    print(json.dumps(found, indent=2))


def walk(directory: Path, transitions: int, seed: int, no_states: bool) -> dict[str, object]:
    """Return a walk's peak memory, the size of its states, and its duration."""
    states = ["--no-states"] if no_states else []
    asked = ["walk", "--transitions", str(transitions), "--seed", str(seed), "--json", *states]
    out, memory, seconds = measured(directory, asked)
    summary = json.loads(out)
    kept = list((directory / "runs" / summary["run"]).glob("*.npz"))
    return {
        "transitions": summary["transitions"],
        "simulated_s": round(summary["simulated_s"], 1),
        "wall_s": round(seconds, 1),
        "peak_mb": memory,
        "state_files": len(kept),
        "states_mb": round(sum(path.stat().st_size for path in kept) / 1e6, 1),
    }


def stats(directory: Path, attempts: int, seed: int) -> dict[str, object]:
    """Return the peak memory and duration of statistics over a synthetic log."""
    runs = directory / "runs"
    for path in runs.glob("runs.sqlite*"):
        path.unlink()
    fill(runs, Project(directory), attempts, seed)
    _, memory, seconds = measured(directory, ["stats", "--json"])
    size = (runs / "runs.sqlite").stat().st_size
    return {"attempts": attempts, "log_mb": round(size / 1e6, 1), "wall_s": round(seconds, 1), "peak_mb": memory}


def measured(directory: Path, command: list[str]) -> tuple[str, float, float]:
    """Return a command's output, peak resident memory, MB, and duration, s."""
    began = time.perf_counter()
    arguments = [sys.executable, "-m", "ctrlgraph", "--project", str(directory), *command]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return out, round(usage.ru_maxrss * unit / 1e6, 1), time.perf_counter() - began


def fill(runs: Path, project: Project, attempts: int, seed: int) -> None:
    """Write a log of random walks over the planned edges of a graph, without simulation.

    One attempt in ten fails and is followed by a corrective edge or a reset. Every second run has the hashes of the
    present edges.
    """
    rng = random.Random(seed)
    world = project.environment()
    edges = [edge for edge in project.graph.edges if edge.planned]
    hashes = {edge: project.edge_hash(edge, world.digest) for edge in (None, *project.graph.edges)}
    with RunLog.open(runs) as log:
        for number in range(math.ceil(attempts / RUN_LENGTH)):
            begun = 1e9 + number * 3600
            settings = {"mode": "random", "world": world.as_dict()}
            record = RunRecord(new_run_id(begun), "ctrlgraph walk", begun, seed, project.graph.digest, {}, settings)
            run = log.begin_run(record).id
            made = itertools.islice(made_up(project, edges, hashes, run, number % 2 == 0, rng), RUN_LENGTH)
            count = min(RUN_LENGTH, attempts - number * RUN_LENGTH)
            with log._transaction():  # shared by all attempts: one call for each would take minutes
                log._connection.executemany(run_log._INSERT_ATTEMPT, map(row_of, itertools.islice(made, count)))


def made_up(
    project: Project,
    edges: Sequence[Edge],
    hashes: Mapping[Edge | None, str],
    run: str,
    current: bool,
    rng: random.Random,
) -> Iterator[AttemptRecord]:
    """Yield the attempts of a synthetic run."""
    graph = project.graph
    measures = {name: rng.uniform(0, 2) for name in MEASURES}
    leaving: dict[str, list[Edge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    corrections: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        if not edge.planned:
            corrections.setdefault(edge.source, []).append(edge)
    one = AttemptRecord(
        run=run, walk=0, position=0, node="", source=None, edge_kind=START, condition=None, planned=False, args=(),
        cycles=1, status="completed", reason="", phase=2, script="", line=12, started_s=0.0, simulated_s=1.0,
        wall_s=0.1, energy_j=100.0, entry_digest="0" * 32, exit_digest="1" * 32, history_digest="2" * 32, seed=1,
        program_hash="p" * 64, graph_hash=graph.digest, edge_hash="", engine_messages=0, measures=measures,
    )  # fmt: skip
    for walk in itertools.count():
        at, started, edge = graph.start, 0.0, None
        for position in range(WALK_LENGTH):
            fails = edge is not None and rng.random() < 0.1
            node = graph.node(at)
            measure, limit = rng.choice(LIMITS)
            seconds = rng.lognormvariate(0.6, 0.5)
            yield replace(
                one,
                walk=walk,
                position=position,
                node=at,
                source=edge and edge.source,
                edge_kind=edge.kind.value if edge else START,
                planned=edge is not None and edge.planned,
                args=node.args,
                cycles=rng.randint(*node.cycles),
                status=rng.choices(("failed", "timeout", "diverged"), (90, 9, 1))[0] if fails else "completed",
                reason=f"{measure} {rng.uniform(1, 3):.4g} is above {limit}" if fails else "",
                phase=rng.randrange(6),
                script=node.file,
                line=rng.randrange(5, 40),
                started_s=started,
                simulated_s=seconds,
                wall_s=seconds / 8,
                energy_j=rng.uniform(10, 900),
                edge_hash=hashes[edge] if current else f"{rng.randrange(50):032x}",
                measures=measures | {"torso": rng.gauss(0, 0.1)},
            )
            started += seconds
            follows = corrections.get(at, []) if fails else leaving.get(at, [])
            edge = rng.choice(follows) if follows else None
            at = edge.target if edge else graph.start


if __name__ == "__main__":
    main()
