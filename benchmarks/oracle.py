"""Record digests of simulations before a change that must not alter any motion, and compare them afterwards.

    python benchmarks/oracle.py record before.json [--only PART]... [--jobs N]   # in the unchanged tree
    python benchmarks/oracle.py check before.json [--only PART]... [--jobs N]    # in the changed tree

    python benchmarks/oracle.py record tests/data/golden_digests.json --only sample   # after an intended change

Each digest belongs to a command line, which is run in a scratch copy of a shipped project. The digests cover the states
(all links, every bit), the outcomes with their measures, the trials of sweeps, the history of searches, and the results
of bit-exact replays. Hashes of scripts and graphs are left out, because a change may define them differently. `check`
prints each difference and returns exit code 1 if there is one. All questions together take an hour or two, so each
answer is appended to before.json.record or before.json.check at once. If such a file exists, its answers are kept and
only the other questions are asked: delete it after the code has changed.

Other versions of the numerical libraries or another processor may give other bits. A file of digests therefore also
contains a fingerprint of the machine, and `check` refuses to compare digests of different machines.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import multiprocessing
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = {
    "humanoid": ROOT,
    "biped": ROOT / "projects" / "biped",
    "five-link": ROOT / "projects" / "five-link",
    "tracking": ROOT / "projects" / "tracking",
}
PROJECT_FILES = (
    *("graph.yaml", "gate.yaml", "characters", "controllers", "learned", "scenarios"),
    *("tracking", "stepping", "regulators"),
)
ENGINES = ("ode", "mujoco")
SEED = 4

SWEEPS = (
    "walk --sweep slope=-6:6:3",
    "walk --sweep friction=0.6:1.2:0.3",
    "stand --sweep gravity=9:10.5:0.5",
    "walk --sweep mass=0.97:1.03:0.03",
    "walk --sweep mass.rFoot=0.9:1.1:0.1",
    "squat --sweep length=0.98:1.02:0.02",
    "kip --sweep torque=0.8:1.2:0.2",
    "walk --sweep noise=0:0.06:0.03 --trials 3",
    "walk --sweep push=-300:300:300 --sweep phase=0.2:0.6:0.4",
    "walk --sweep push_duration=0.05:0.15:0.1 --with push=200 --with phase=0.3",
    "stand --sweep push_angle=-90:90:90 --with push=100 --with push_time=0.3",
    "stand --sweep push_time=0.1:0.5:0.4 --with push=100 --with push_link=pelvis",
    "walk --with push=250 --sweep slope=0:2:2 --trials 3",
    "walk --sweep actuator_noise=0:0.02:0.02 --trials 2",
    "stand --sweep delay=0:0.008:0.004",
    "walk --sweep step=0.001:0.002:0.001",
    "crawl --sweep quickstep=0:100:50",
    "walk->skip->walk --sweep noise=0.01:0.02:0.01 --trials 2",
    "walk --with terrain=box=2:0.3:0.03 --sweep friction=0.9:1:0.1",
    "walk --with engine=mujoco --sweep noise=0:0.03:0.03 --trials 3",
    "walk --limit slope=1",
    "stand --limit push=100 --confirm 2",
    "hop --limit noise=0.05 --trials 3",
)

SEARCHES = (
    "tune hop --generations 2 --seed 5 --entries 1 --no-numerics --population 4",
    "tune stand --generations 4 --seed 6 --optimizer 1+1 --entries 1 --over push=-50/50",
    "tune walk --on slope=3 --generations 2 --seed 7 --optimizer 1+1 --entries 1 --no-numerics",
    "learn walk stand --generations 2 --seed 8 --population 4 --entries 2 --no-numerics",
    "learn stand skip --generations 3 --seed 9 --optimizer 1+1 --entries 1",
)

SAMPLE = (
    *("stand", "walk", "run", "skip", "squat", "jump"),
    *("hop", "sit_down", "kip", "handspring", "backflip", "crawl"),
)


@dataclass(frozen=True)
class Question:
    """A command line whose results are digested."""

    part: str
    kind: str
    """Key of `ANSWERS`."""
    words: str
    project: str = "humanoid"

    @property
    def name(self) -> str:
        """Return the key of its digest."""
        return f"{self.part}: {self.project}: {self.words}"


def walks() -> Iterator[Question]:
    """Yield random walks in all projects, of the humanoid also on slopes, each verified by a replay."""
    for seed in range(30):
        ground = ("flat", "slope=4", "slope=-4")[seed % 3]
        words = f"walk --random --transitions 60 --seed {91000 + seed} --terrain {ground} --no-states --json"
        yield Question("walks", "logged", words)
    for seed in range(6):
        words = f"walk --random --transitions 60 --seed {92000 + seed} --engine mujoco --no-states --json"
        yield Question("walks", "logged", words)
    for project in PROJECTS:
        for engine in ENGINES:
            words = f"walk --random --transitions 20 --seed 93000 --engine {engine} --json"
            yield Question("walks", "replayed", words, project)


def goals() -> Iterator[Question]:
    """Yield a walk to every node of every project on both engines, of the humanoid also on a slope where walks fail."""
    for project in PROJECTS:
        for node in nodes(project):
            for engine in ENGINES:
                yield Question("goals", "logged", f"goto {node} --seed 3 --engine {engine} --json", project)
            if project == "humanoid":
                yield Question("goals", "logged", f"goto {node} --seed 3 --terrain slope=7 --json", project)


def edges() -> Iterator[Question]:
    """Yield every planned edge of every project on both engines."""
    for project in PROJECTS:
        for source, target in planned(project):
            for engine in ENGINES:
                yield Question("edges", "ran", f"run {target} --from {source} --engine {engine} --json", project)


def sweeps() -> Iterator[Question]:
    """Yield sweeps with every kind of perturbation, limits, and every edge with noise."""
    for words in SWEEPS:
        yield Question("sweeps", "tabled", words)
    for project in PROJECTS:
        for engine in ENGINES:
            words = f"--edges --with noise=0.02 --trials 2 --engine {engine}"
            yield Question("sweeps", "tabled", words, project)


def searches() -> Iterator[Question]:
    """Yield a few generations of both optimizers."""
    for words in SEARCHES:
        yield Question("searches", "searched", words)


def sample() -> Iterator[Question]:
    """Yield a dozen nodes on both engines, for the tests."""
    for node in SAMPLE:
        for engine in ENGINES:
            yield Question("sample", "ran", f"run {node} --cycles 1 --engine {engine} --json")


PARTS = {"sample": sample, "walks": walks, "goals": goals, "edges": edges, "sweeps": sweeps, "searches": searches}


def main() -> int:
    """Record or check digests; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "check"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", action="append", choices=list(PARTS), help="only this part; may be repeated")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    parts = given.only or list(PARTS)
    if given.action == "check":
        recorded = json.loads(given.file.read_text(encoding="utf-8"))
        if recorded["machine"] != machine():
            print("these digests were recorded on a machine whose floating-point results differ", file=sys.stderr)
            return 2
    partial = given.file.with_name(f"{given.file.name}.{given.action}")
    found = answers(parts, given.jobs, partial)
    partial.unlink()
    if given.action == "record":
        text = json.dumps({"machine": machine(), "digests": found}, indent=1, sort_keys=True)
        given.file.write_text(text + "\n", encoding="utf-8")
        print(f"{len(found)} digests recorded in {given.file}")
        return 0
    prefixes = tuple(f"{part}: " for part in parts)
    expected = {name: digest for name, digest in recorded["digests"].items() if name.startswith(prefixes)}
    differing = differences(expected, found)
    for line in differing:
        print(line)
    print(f"{len(expected)} digests expected, {len(differing)} differences")
    return 1 if differing else 0


def differences(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    """Return one line for each digest that differs, is missing or is new."""
    return [
        f"differs: {name} (was {expected.get(name, 'missing')}, is {found.get(name, 'missing')})"
        for name in sorted(expected.keys() | found.keys())
        if expected.get(name) != found.get(name)
    ]


def answers(parts: list[str], jobs: int, partial: Path) -> dict[str, str]:
    """Return the digests of these parts by the names of the questions.

    Args:
        parts: Names of `PARTS`.
        jobs: Number of worker processes.
        partial: File of finished answers, one JSON object per line. It is continued if it exists.
    """
    questions = [question for part in parts for question in PARTS[part]()]
    found: dict[str, str] = {}
    if partial.exists():
        for line in partial.read_text(encoding="utf-8").splitlines():
            found |= json.loads(line)
    questions = [question for question in questions if question.name not in found]
    with (
        partial.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=load_kernels) as pool,
    ):
        for done in as_completed([pool.submit(answer, question) for question in questions]):
            found |= done.result()
            print(json.dumps(done.result()), file=file, flush=True)
            print(f"\r{len(found)} digests", end="", file=sys.stderr)
    print(file=sys.stderr)
    return found


def load_kernels() -> None:
    """Load the kernels of both engines into this process, so that forked children need not."""
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.simulation import Simulation

    project = Project(ROOT)
    for engine in ENGINES:
        with Simulation(project.character, engine=engine) as simulation:
            simulation.run(project.controller("stand"), timeout=0.01)


def answer(question: Question) -> dict[str, str]:
    """Return the digests that answer a question."""
    with tempfile.TemporaryDirectory() as scratch:
        results = ANSWERS[question.kind](Path(scratch), question)
    return {question.name + suffix: digest(result) for suffix, result in results.items()}


def command_words(words: str) -> list[str]:
    """Return the arguments that execute a question.

    The keys of digests contain the options of former versions, so that old digests remain comparable.
    """
    found: list[str] = []
    rest = words.split()
    while rest:
        word = rest.pop(0)
        if word in ("--terrain", "--friction"):
            found += ["--with", f"{word.removeprefix('--')}={rest.pop(0)}"]
        elif word == "--random":
            found += [word, "--balance", "weights"]  # the former default
        elif word not in ("--sweep", "--limit"):  # axes are arguments
            found.append(word)
    return found


def logged(scratch: Path, question: Question) -> dict[str, Any]:
    """Return the run log's rows of a walk."""
    ctrlgraph(scratch, question.project, question.words)
    with contextlib.closing(sqlite3.connect(scratch / "runs" / "runs.sqlite")) as log:
        rows = log.execute(
            "SELECT node, source, edge_kind, condition, cycles, status, reason, phase, started_s, simulated_s,"
            " energy_j, entry_digest, exit_digest, history_digest, measures FROM attempts ORDER BY walk, position"
        ).fetchall()
    return {"": rows}


def replayed(scratch: Path, question: Question) -> dict[str, Any]:
    """Return the run log's rows of a walk and the result of its verified replay."""
    rows = logged(scratch, question)[""]
    verdict = json.loads(ctrlgraph(scratch, question.project, "replay last --verify --json"))
    verdict.pop("run", None)
    for walk in verdict["walks"]:
        walk.pop("wall_s", None)
    return {"": rows, " (replay)": verdict}


def ran(scratch: Path, question: Question) -> dict[str, Any]:
    """Return how a single controller ended."""
    result = json.loads(ctrlgraph(scratch, question.project, question.words) or "null")
    return {"": None if result is None else [result[n] for n in ("simulated_s", "history_digest", "state_digest")]}


def tabled(scratch: Path, question: Question) -> dict[str, Any]:
    """Return every trial of a sweep or of a search for a limit."""
    action = "limit" if "--limit" in question.words else "sweep"
    words = f"robustness {action} {question.words} --seed {SEED} --jobs 1 -o trials.csv --json"
    ctrlgraph(scratch, question.project, words)
    header, *rows = (scratch / "trials.csv").read_text(encoding="utf-8").splitlines()
    return {"": [header, *sorted(rows)]}


def searched(scratch: Path, question: Question) -> dict[str, Any]:
    """Return the best constants, and cost, step size and terms of every generation."""
    words = f"{question.words} --trials 2 --jobs 1 --dry-run --checkpoint search.json --json"
    ctrlgraph(scratch, question.project, words)
    kept = json.loads((scratch / "search.json").read_text(encoding="utf-8"))
    # digests keep the former names, so that earlier recordings compare
    names = {"succeeded": "held"}
    history = [{names.get(k, k): value for k, value in entry.items() if k != "costs"} for entry in kept["history"]]
    return {"": [kept["values"], history, kept["simulated_s"]]}


ANSWERS = {"logged": logged, "replayed": replayed, "ran": ran, "tabled": tabled, "searched": searched}


def ctrlgraph(directory: Path, project: str, words: str) -> str:
    """Return what a command prints in a copy of the project.

    The command runs in a forked child, which has the modules and kernels already loaded and leaves nothing behind.

    Raises:
        RuntimeError: The command ended with an exit code other than 0 (success) and 1 (a motion failed).
    """
    for name in PROJECT_FILES:
        source, copy = PROJECTS[project] / name, directory / name
        if copy.exists() or not source.exists():
            continue
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
    from ctrlgraph.cli.main import main as run  # imported before the fork

    output, errors = directory / "stdout.txt", directory / "stderr.txt"
    child = os.fork()
    if child == 0:
        code = 70
        with contextlib.suppress(BaseException):
            os.chdir(directory)
            for stream, path in ((1, output), (2, errors)):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
            code = run(command_words(words))
            sys.stdout.flush()
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code not in (0, 1):
        raise RuntimeError(f"ctrlgraph {words} ended with {code}: {errors.read_text(encoding='utf-8')}")
    return output.read_text(encoding="utf-8")


def nodes(project: str) -> list[str]:
    """Return the names of the project's nodes."""
    from ctrlgraph.project.project import Project

    return list(Project(PROJECTS[project]).graph.nodes)


def planned(project: str) -> list[tuple[str, str]]:
    """Return source and target of every planned edge, each pair once."""
    from ctrlgraph.project.project import Project

    graph = Project(PROJECTS[project]).graph
    return list(dict.fromkeys((edge.source, edge.target) for edge in graph.edges if edge.planned))


def machine() -> str:
    """Return a fingerprint of what determines the bits: library versions and results of elementary functions."""
    import importlib.metadata as metadata

    versions = []
    for package in ("numba", "llvmlite", "numpy", "mujoco-core", "ode-python"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions.append(f"{package} {metadata.version(package)}")
    x = np.linspace(-20, 20, 4001)
    functions = (np.sin, np.cos, np.exp, np.tanh, np.arctan, lambda v: np.outer(v[:64], v[:64]) @ np.cos(v[:64]))
    bits = hashlib.sha256(b"".join(function(x).tobytes() for function in functions)).hexdigest()[:16]
    return ", ".join([sys.platform, *versions, bits])


def digest(value: object) -> str:
    """Return the hash of plain data."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
