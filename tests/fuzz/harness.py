"""What all fuzzers share: one command line, cases that depend on nothing but the seed and their number, and figures.

A kind of fuzzing is a function `attempt(random, number) -> Verdict`; `main` runs it many times and exits with 1 where a
law broke. The case of a number is the same whatever the count and the number of jobs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SECONDS, WAITING = 20.0, 300.0
"""Seconds of computing, and of waiting, after which an attempt is stopped: no input may take so long. On a busy machine
an attempt waits although nothing is wrong."""

_CHUNK = 50


@dataclass(frozen=True)
class Verdict:
    """What came of one attempt.

    `outcome` is a short word that is counted; `broken` says which law broke, None where all hold; `material` is what
    was tried, to be kept.
    """

    outcome: str
    broken: str | None = None
    material: bytes = b""


Attempt = Callable[[random.Random, int], Verdict]


@dataclass
class Figures:
    """What came of many attempts."""

    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    memory_mb: float = 0.0
    failures: list[tuple[int, Verdict]] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        self.outcomes += other.outcomes
        self.slowest = max(self.slowest, other.slowest)
        self.memory_mb = max(self.memory_mb, other.memory_mb)
        self.failures += other.failures


class _TooLong(BaseException):
    """Not an `Exception`: what is attempted must not take it for one of its own."""


_TIMERS = ((signal.SIGPROF, signal.ITIMER_PROF, SECONDS), (signal.SIGALRM, signal.ITIMER_REAL, WAITING))


@contextmanager
def _limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _TooLong

    before = [signal.signal(kind, stop) for kind, _, _ in _TIMERS]
    for _, timer, seconds in _TIMERS:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (kind, timer, _), handler in zip(_TIMERS, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(kind, handler)


def run(attempt: Attempt, numbers: Iterable[int], seed: int) -> Figures:
    """Make the attempts of these numbers, one after another."""
    figures = Figures()
    for number in numbers:
        began = time.process_time()
        try:
            with _limit():
                verdict = attempt(random.Random(f"{seed}:{number}"), number)
        except _TooLong:
            verdict = Verdict("too long", f"took longer than {SECONDS:g} s of computing or {WAITING:g} s of waiting")
        except Exception:
            verdict = Verdict("crash", traceback.format_exc())
        figures.slowest = max(figures.slowest, (time.process_time() - began, number))
        figures.outcomes[verdict.outcome] += 1
        if verdict.broken is not None:
            figures.failures.append((number, verdict))
    figures.memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def main(kind: str, attempt: Attempt, arguments: list[str] | None = None) -> int:
    """Run the command line of a kind of fuzzing; its exit code."""
    parser = argparse.ArgumentParser(prog=f"tests/fuzz/{kind}.py")
    parser.add_argument("--count", type=int, default=1000, help="how many cases")
    parser.add_argument("--seed", type=int, default=0, help="which cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case, to repeat one")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--keep", type=Path, help="a directory for what broke a law")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    last = options.first + options.count
    chunks = [range(start, min(start + _CHUNK, last)) for start in range(options.first, last, _CHUNK)]
    figures = Figures()
    for part in _parts(attempt, chunks, options.seed, options.jobs):
        figures.add(part)
    _print(kind, options.seed, figures, time.perf_counter() - began)
    if options.keep is not None and figures.failures:
        _keep(options.keep, kind, options.seed, figures)
    return 1 if figures.failures else 0


def _parts(attempt: Attempt, chunks: list[range], seed: int, jobs: int) -> Iterator[Figures]:
    if jobs <= 1:
        for chunk in chunks:
            yield run(attempt, chunk, seed)
        return
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        yield from pool.imap(_Chunk(attempt, seed), chunks)


@dataclass(frozen=True)
class _Chunk:
    attempt: Attempt
    seed: int

    def __call__(self, chunk: range) -> Figures:
        return run(self.attempt, chunk, self.seed)


def _print(kind: str, seed: int, figures: Figures, seconds: float) -> None:
    total = sum(figures.outcomes.values())
    print(f"{kind}: {total} cases of seed {seed} in {seconds:.0f} s, {len(figures.failures)} broke a law")
    for outcome, count in figures.outcomes.most_common():
        print(f"  {count:7d}  {outcome}")
    print(f"  slowest: case {figures.slowest[1]} in {figures.slowest[0]:.2f} s; memory: {figures.memory_mb:.0f} MB")
    for number, verdict in figures.failures[:20]:
        print(f"case {number}: {verdict.broken}", file=sys.stderr)


def _keep(directory: Path, kind: str, seed: int, figures: Figures) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for number, verdict in figures.failures:
        (directory / f"{kind}-{seed}-{number}").write_bytes(verdict.material)
        (directory / f"{kind}-{seed}-{number}.why").write_text(f"{verdict.broken}\n", encoding="utf-8")
