"""What fuzzers share: cases that depend on a seed alone, shared among processes, counted by kind, and kept where a law
was broken.

A fuzzer hands `main` its kinds and a function from a kind and a generator to a `Case`.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path


@dataclass(frozen=True)
class Case:
    """One mutated input: what it was, whether it was accepted, which law it broke (empty: none), and what it took."""

    kind: str
    data: bytes
    accepted: bool
    broken: str = ""
    seconds: float = 0.0


Run = Callable[[str, random.Random], Case]


def run_number(run: Run, kinds: Sequence[str], seed: int, number: int) -> Case:
    """Run case `number` of a seed; kinds take turns."""
    kind = kinds[number % len(kinds)]
    began = time.process_time()
    case = run(kind, random.Random(f"{seed} {number}"))
    return Case(kind, case.data, case.accepted, case.broken, time.process_time() - began)


def main(description: str, kinds: Sequence[str], run: Run, arguments: Sequence[str] | None = None) -> int:
    """Run as many cases as the command line asks for, print figures; 1 where a law broke, else 0."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--count", type=int, default=1000, help="how many cases (1000)")
    parser.add_argument("--seed", type=int, default=0, help="of all chance (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--keep", type=Path, help="a directory for the cases that broke a law")
    asked = parser.parse_args(arguments)
    one = partial(run_number, run, kinds, asked.seed)
    if asked.jobs > 1:
        with ProcessPoolExecutor(asked.jobs) as pool:
            cases = list(pool.map(one, range(asked.count), chunksize=20))
    else:
        cases = [one(number) for number in range(asked.count)]
    broken = [(number, case) for number, case in enumerate(cases) if case.broken]
    for kind in kinds:
        mine = [case for case in cases if case.kind == kind]
        slowest = max((case.seconds for case in mine), default=0.0)
        print(
            f"{kind}: {len(mine)} cases, {sum(case.accepted for case in mine)} accepted,"
            f" {sum(bool(case.broken) for case in mine)} broken, slowest {slowest:.2f} s"
        )
    for number, case in broken[:20]:
        print(f"\n--- case {number} of seed {asked.seed} ({case.kind})\n{case.broken}")
        if asked.keep is not None:
            asked.keep.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"\W", "-", case.kind)
            (asked.keep / f"{name}-{asked.seed}-{number}").write_bytes(case.data)
    return 1 if broken else 0
