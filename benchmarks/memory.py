"""The memory of long walks and of statistics over many attempts, as one JSON object.

    python benchmarks/memory.py [--transitions N] [--attempts M] [--seed S] [--no-states] [--directory DIR]

Walks the shipped graph over N transitions (5,000) with its states kept, and takes statistics over a log of M attempts
(1,000,000) that it makes up. Each is measured in a process of its own, by the greatest resident memory that the
system saw of it, and beside a short one of its kind (50 transitions, 100 attempts), which is what Python, the
compiled kernels and the libraries take by themselves. With 0 transitions or attempts that part is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.runs.record import AttemptRecord, RunRecord
from ctrlgraph.runs.store import RunLog

RUN = "1121-aaaaa"
SHORT_WALK, SHORT_LOG = 50, 100


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
    """A walk's peak memory, the size of its states, and how long it took."""
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
    """The peak memory of statistics over a log that was made up, and how long they took."""
    runs = directory / "runs"
    for path in runs.glob("runs.sqlite*"):
        path.unlink()
    fill(runs, Project(directory), attempts, seed)
    _, memory, seconds = measured(directory, ["stats", "--json"])
    size = (runs / "runs.sqlite").stat().st_size
    return {"attempts": attempts, "log_mb": round(size / 1e6, 1), "wall_s": round(seconds, 1), "peak_mb": memory}


def measured(directory: Path, command: list[str]) -> tuple[str, float, float]:
    """What a command prints, its greatest resident memory in MB, and its seconds."""
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
    """A log of so many attempts over the edges of a graph, one in ten of which failed."""
    with RunLog.open(runs) as log:
        log.begin_run(RunRecord(RUN, "ctrlgraph walk", 1e9, seed, project.graph.digest, {}, {"world": {}}))
        with log._transaction():  # one for all: each attempt in its own would take minutes
            log._connection.executemany(*_rows(made_up(project, attempts, seed)))


def _rows(attempts: Iterator[AttemptRecord]) -> tuple[str, Iterator[list[object]]]:
    from ctrlgraph.runs import store

    return store._INSERT_ATTEMPT, (store._row(attempt) for attempt in attempts)


def made_up(project: Project, attempts: int, seed: int) -> Iterator[AttemptRecord]:
    """Attempts that nobody has simulated."""
    rng = random.Random(seed)
    edges = [edge for edge in project.graph.edges if edge.planned]
    measures = {"torso": 0.1, "com_height": 0.98, "com_speed": 0.2, "flight": 0.0, "turn": 0.0}
    one = AttemptRecord(
        run=RUN, walk=0, position=0, node="", source=None, edge_kind="naive", condition=None, planned=True, args=(0.5,),
        cycles=1, status="completed", reason="", phase=2, script="controllers/gaits/walk.t", line=12, started_s=0.0,
        simulated_s=1.0, wall_s=0.1, energy_j=100.0, entry_digest="0" * 16, exit_digest="1" * 16,
        history_digest="2" * 16, seed=1, program_hash="p" * 64, graph_hash="g" * 64, edge_hash="e" * 32,
        engine_messages=0, measures=measures,
    )  # fmt: skip
    for position in range(attempts):
        edge, fell = rng.choice(edges), rng.random() < 0.1
        yield replace(
            one,
            position=position,
            node=edge.target,
            source=edge.source,
            edge_kind=edge.kind.value,
            status="failed" if fell else "completed",
            reason=f"torso {rng.uniform(1, 3):.4g} is above 1" if fell else "",
            line=rng.randrange(5, 40),
            simulated_s=rng.uniform(0.3, 4.0),
            energy_j=rng.uniform(10, 900),
        )


if __name__ == "__main__":
    main()
