"""The harness of the fuzzers: the command line, the processes of the attempts, and the counts.

A kind of fuzzing is a module with `COUNT`, `LIMITS` and a function `attempt(seed, number) -> Verdict`. The case of a
number depends only on the seed and the number. Attempts run in separate processes: if one aborts or hangs, it is
reported, and the others still run.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

from ctrlgraph.parallel import IsolatedProcesses, WorkerDied


@dataclass(frozen=True)
class Limits:
    """Limits of an attempt."""

    computing_s: float = 20.0
    """CPU time, s."""
    waiting_s: float = 300.0
    """Wall time, s. It is long because the machine may be busy."""
    memory: int | None = None
    """Address space of a process, bytes; None: any size."""


@dataclass(frozen=True)
class Verdict:
    """Result of one attempt."""

    outcome: str
    """Short text; the harness counts equal ones."""
    broken: str | None = None
    """Description of the law that is broken; None where all hold."""
    material: bytes | Mapping[str, bytes] = b""
    """The case: the content of one file, or of several by their names."""
    sums: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the harness adds up."""


Attempt = Callable[[int, int], Verdict]


@dataclass
class Figures:
    """Results of many attempts."""

    outcomes: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, Verdict]] = field(default_factory=list)

    def add(self, number: int, verdict: Verdict) -> None:
        """Count an attempt."""
        self.outcomes[verdict.outcome] += 1
        self.sums.update(verdict.sums)
        if verdict.broken is not None:
            self.failures.append((number, verdict))


class _TooLong(BaseException):
    """The limit of CPU time. It is no `Exception`, so that the tested code does not catch it."""


@contextmanager
def _computing(seconds: float) -> Iterator[None]:
    def stop(signum: int, frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _one(attempt: Attempt, seed: int, number: int, limits: Limits) -> Verdict:
    """Make an attempt."""
    try:
        with _computing(limits.computing_s):
            return attempt(seed, number)
    except _TooLong:
        return Verdict("too long", f"more than {limits.computing_s:g} s of computing")
    except Exception:
        return Verdict("crash", traceback.format_exc())


def run(attempt: Attempt, numbers: Iterable[int], seed: int) -> Figures:
    """Make the attempts of these numbers in this process."""
    figures = Figures()
    for number in numbers:
        figures.add(number, _one(attempt, seed, number, Limits()))
    return figures


# --- processes ---


def _limited(attempt: Attempt, seed: int, number: int, limits: Limits) -> Verdict:
    """Make an attempt in a process that ends if it exceeds the wall time."""
    if limits.memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    signal.alarm(math.ceil(limits.waiting_s))
    verdict = _one(attempt, seed, number, limits)
    signal.alarm(0)
    return verdict if verdict.broken is not None else replace(verdict, material=b"")


def run_apart(
    attempt: Attempt, numbers: range, seed: int, jobs: int, limits: Limits, says: Callable[..., None]
) -> Figures:
    """Make the attempts of these numbers in `jobs` processes, and call `says` after each."""
    figures = Figures()
    with IsolatedProcesses(jobs) as pool:
        running = {pool.submit(_limited, attempt, seed, number, limits): number for number in numbers}
        for future in as_completed(running):
            try:
                verdict = future.result()
            except WorkerDied:
                verdict = Verdict("abort", f"its process died, or did not end within {limits.waiting_s:g} s")
            figures.add(running[future], verdict)
            says(running[future], verdict)
    figures.failures.sort(key=lambda failure: failure[0])
    return figures


# --- the command line ---

KINDS = ("scripts", "yaml_files", "mjcf_files", "spatial_files", "checkpoints", "kills")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 if a law is broken, else 0."""
    parser = argparse.ArgumentParser(prog="tests/fuzz", description="Run fuzzers; exit with 1 if a law is broken.")
    parser.add_argument("kinds", nargs="*", default=KINDS, metavar="KIND", help=f"of {', '.join(KINDS)} (all)")
    parser.add_argument("--count", type=int, help="number of cases of each kind (that of the kind)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the cases (0)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case, to repeat one (0)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (1)")
    parser.add_argument("--keep", type=Path, help="directory for cases that break a law")
    options = parser.parse_args(arguments)
    with _scratch():
        return max(_run_kind(kind, options) for kind in options.kinds)


def _run_kind(kind: str, options: argparse.Namespace) -> int:
    module, began = importlib.import_module(f"fuzz.{kind}"), time.monotonic()
    count = module.COUNT if options.count is None else options.count

    def says(number: int, verdict: Verdict) -> None:
        if verdict.broken is not None:
            print(f"{kind}: case {number} of seed {options.seed}: {verdict.broken}", file=sys.stderr, flush=True)
            if options.keep is not None:
                keep(options.keep / f"{kind}-{options.seed}-{number}", verdict)

    numbers = range(options.first, options.first + count)
    figures = run_apart(module.attempt, numbers, options.seed, max(1, options.jobs), module.LIMITS, says)
    show(kind, options.seed, figures, time.monotonic() - began)
    return 1 if figures.failures else 0


@contextmanager
def _scratch() -> Iterator[None]:
    """Use one temporary directory, which is removed with the files of ended processes."""
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(prefix="ctrlgraph-fuzz-", ignore_cleanup_errors=True) as directory:
        tempfile.tempdir = os.environ["TMPDIR"] = directory
        try:
            yield
        finally:
            tempfile.tempdir = None
            os.environ.pop("TMPDIR")
            os.environ.update({} if before is None else {"TMPDIR": before})


def show(kind: str, seed: int, figures: Figures, seconds: float) -> None:
    """Print the figures."""
    total = figures.outcomes.total()
    print(f"{kind}: {total} cases of seed {seed} in {seconds:.0f} s, {len(figures.failures)} broke a law")
    for outcome, count in sorted(figures.outcomes.items()):
        print(f"  {count:7d}  {outcome}")
    if figures.sums:
        print("  sums: " + ", ".join(f"{number} {name}" for name, number in sorted(figures.sums.items())))


def keep(path: Path, verdict: Verdict) -> None:
    """Write a case that broke a law, and beside it the description of the law."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(verdict.material, bytes):
        path.write_bytes(verdict.material)
    else:
        for name, content in verdict.material.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
    path.with_name(f"{path.name}.why").write_text(f"{verdict.broken}\n", encoding="utf-8")
