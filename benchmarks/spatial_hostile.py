"""Count how commands end on hostile files of a project in space. `tests/fuzz/spatial_files.py` makes the files."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from fuzz import spatial_files
from fuzz.harness import Verdict, run_apart

OUTCOMES = ("refused", "accepted with a warning", "accepted", "broken")
COUNT, SEED = 1000, 1

TEXT = """\
`python benchmarks/space.py hostile --count {count} --seed {seed}` changes files of the quadruped project and of two
small characters: half of them at random, half in ways that are wrong on purpose. For a refused file, the command ends
with the exit code 1 and a sentence with the place of each error. An accepted character is drawn, and simulated on both
engines. A case is broken if a command ends otherwise, takes more than 10 s or 6 GiB, or opens a file outside the
project."""


def hostile(count: int = COUNT, seed: int = SEED, jobs: int = 1) -> Iterator[str]:
    """Return the lines of the section about hostile files.

    Args:
        count: number of cases.
        seed: seed of the cases.
        jobs: number of processes.
    """

    def says(number: int, verdict: Verdict) -> None:
        if verdict.broken is not None:
            print(f"case {number} of seed {seed}: {verdict.broken}", file=sys.stderr, flush=True)

    figures = run_apart(spatial_files.attempt, range(count), seed, jobs, spatial_files.LIMITS, says)
    found: dict[str, Counter[str]] = {}
    for outcome, times in figures.outcomes.items():
        kind, _, end = outcome.partition(": ")
        # "crash", "abort" and "too long" are outcomes of the harness without a kind
        found.setdefault(kind if end else "unknown", Counter())[end or "broken"] += times
    yield "## Hostile files\n"
    yield f"{TEXT.format(count=count, seed=seed)}\n"
    yield f"| files | {' | '.join(OUTCOMES)} |"
    yield "| --- | --- | --- | --- | --- |"
    for kind, ends in found.items():
        yield f"| {kind} | {' | '.join(str(ends[end]) for end in OUTCOMES)} |"
    totals = [sum(ends[end] for ends in found.values()) for end in OUTCOMES]
    yield f"| all | {' | '.join(map(str, totals))} |\n"
