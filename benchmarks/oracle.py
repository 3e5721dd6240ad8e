"""An oracle for changes that must not change any motion: digests of simulations, recorded before and compared after.

    python benchmarks/oracle.py record before.json [--only PART]... [--jobs N]   # in the tree as it was
    python benchmarks/oracle.py check before.json [--only PART]... [--jobs N]    # in the changed one

Everything is asked through the command line, in a scratch copy of the project, so that the code below it may be built
anew while the questions stay. What is digested are states (every attempt's history of all bodies, in every bit),
verdicts with their measured numbers, and the optimisers' course; hashes of scripts and graphs are left out, as these
change with how they are defined. `check` prints what differs and ends with exit code 1 where anything does.

Digests are kept only as long as a change is under way: another motion, library or machine gives other bits.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT_FILES = ("graph.yaml", "gate.yaml", "characters", "controllers", "learned", "scenarios")

Answer = dict[str, str]

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
)

SEARCHES = (
    "tune hop --generations 2 --seed 5 --entries 1 --no-numerics --population 4",
    "tune stand --generations 4 --seed 6 --optimizer 1+1 --entries 1 --over push=-50/50",
    "tune walk --on slope=3 --generations 2 --seed 7 --optimizer 1+1 --entries 1 --no-numerics",
    "learn walk stand --generations 2 --seed 8 --population 4 --entries 2 --no-numerics",
    "learn stand skip --generations 3 --seed 9 --optimizer 1+1 --entries 1",
)


def main() -> int:
    """Record or check; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "check"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", action="append", choices=list(PARTS), help="only this part; may be repeated")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    found = answers(given.only or list(PARTS), given.jobs)
    if given.action == "record":
        given.file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(found)} digests recorded in {given.file}")
        return 0
    known = json.loads(given.file.read_text(encoding="utf-8"))
    parts = tuple(f"{part}: " for part in given.only or PARTS)
    expected = {name: digest for name, digest in known.items() if name.startswith(parts)}
    differ = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
    for name in differ:
        print(f"differs: {name} (was {expected.get(name, 'not there')}, is {found.get(name, 'not there')})")
    print(f"{len(expected) - len([n for n in differ if n in expected])} of {len(expected)} digests are the same")
    return 1 if differ else 0


def answers(parts: list[str], jobs: int) -> Answer:
    """The digests of these parts, by question."""
    questions = [question for part in parts for question in PARTS[part]()]
    found: Answer = {}
    with ThreadPoolExecutor(jobs) as pool:
        for done in pool.map(lambda question: question(), questions):
            found |= done
            print(f"\r{len(found)} digests", end="", file=sys.stderr)
    print(file=sys.stderr)
    return found


Question = Callable[[], Answer]


def walks() -> Iterator[Question]:
    """Thirty random walks on level ground, uphill and downhill, and six on the other engine."""
    for seed in range(30):
        ground = ("flat", "slope=4", "slope=-4")[seed % 3]
        words = f"walk --random --transitions 60 --seed {91000 + seed} --terrain {ground} --no-states --json"
        yield lambda words=words: logged("walks", words)
    for seed in range(6):
        words = f"walk --random --transitions 60 --seed {92000 + seed} --engine mujoco --no-states --json"
        yield lambda words=words: logged("walks", words)


def goals() -> Iterator[Question]:
    """A walk to every node, with failures on slopes."""
    for node in nodes():
        for ground in ("flat", "slope=7"):
            yield lambda words=f"goto {node} --seed 3 --terrain {ground} --json": logged("goals", words)


def entries() -> Iterator[Question]:
    """Every node from every predecessor, by itself and as the graph enters it."""
    yield lambda: tabled("entries", "--edges --with noise=0.02 --trials 2")
    for source, target in planned():
        yield lambda words=f"run {target} --from {source} --plain --json": ran("entries", words)


def sweeps() -> Iterator[Question]:
    """Sweeps with every kind of perturbation, and limits."""
    for words in SWEEPS:
        yield lambda words=words: tabled("sweeps", words)
    for words in ("walk --limit slope=1", "stand --limit push=100 --confirm 2", "hop --limit noise=0.05 --trials 3"):
        yield lambda words=words: tabled("sweeps", words)


def searches() -> Iterator[Question]:
    """A few generations of both optimisers."""
    for words in SEARCHES:
        yield lambda words=words: searched("searches", words)


PARTS = {"walks": walks, "goals": goals, "entries": entries, "sweeps": sweeps, "searches": searches}


def logged(part: str, words: str) -> Answer:
    """What the run log says of a walk, attempt by attempt."""
    with tempfile.TemporaryDirectory() as scratch:
        ctrlgraph(scratch, words)
        with sqlite3.connect(Path(scratch) / "runs" / "runs.sqlite") as log:
            rows = log.execute(
                "SELECT node, source, edge_kind, condition, cycles, status, reason, phase, started_s, simulated_s,"
                " energy_j, entry_digest, exit_digest, history_digest, measures FROM attempts ORDER BY walk, position"
            ).fetchall()
        log.close()
    return {f"{part}: {words}": digest(rows)}


def ran(part: str, words: str) -> Answer:
    """How a controller ended that was run by itself."""
    with tempfile.TemporaryDirectory() as scratch:
        result = json.loads(ctrlgraph(scratch, words) or "null")
    kept = None if result is None else [result[name] for name in ("simulated_s", "history_digest", "state_digest")]
    return {f"{part}: {words}": digest(kept)}


def tabled(part: str, words: str) -> Answer:
    """Every trial of a sweep or of a search for a limit."""
    with tempfile.TemporaryDirectory() as scratch:
        ctrlgraph(scratch, f"robustness {words} --seed 4 --jobs 1 --csv trials.csv --json")
        rows = (Path(scratch) / "trials.csv").read_text(encoding="utf-8").splitlines()
    rows[0] = rows[0].replace("recovered", "followed")  # the column's name when the digests were recorded
    return {f"{part}: {words}": digest(rows)}


def searched(part: str, words: str) -> Answer:
    """The optimiser's course: its state, the best candidate and every generation's costs."""
    with tempfile.TemporaryDirectory() as scratch:
        ctrlgraph(scratch, f"{words} --trials 2 --jobs 1 --dry-run --checkpoint search.json --json")
        kept = json.loads((Path(scratch) / "search.json").read_text(encoding="utf-8"))
    return {f"{part}: {words}": digest([kept[name] for name in ("optimizer", "best_x", "history", "simulated_s")])}


def ctrlgraph(directory: str, words: str) -> str:
    """What a command prints in a copy of the project; a failure of a motion is an answer, a fault is not."""
    for name in PROJECT_FILES:
        source, copy = ROOT / name, Path(directory) / name
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
    program = [
        sys.executable,
        "-c",
        "import sys; from ctrlgraph.cli.main import main; sys.exit(main())",
        *words.split(),
    ]
    done = subprocess.run(program, cwd=directory, capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode not in (0, 1) or "fault in ctrlgraph" in done.stderr:
        raise SystemExit(f"ctrlgraph {words} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def nodes() -> list[str]:
    """The nodes of the graph."""
    from ctrlgraph.project.project import Project

    return list(Project(ROOT).graph.nodes)


def planned() -> list[tuple[str, str]]:
    """Source and target of every planned edge, each pair once."""
    from ctrlgraph.project.project import Project

    return list(dict.fromkeys((edge.source, edge.target) for edge in Project(ROOT).graph.edges if edge.planned))


def digest(value: object) -> str:
    """Hash of plain data."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
