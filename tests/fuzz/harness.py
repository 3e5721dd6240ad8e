"""What all fuzzers share: one command line, cases that depend on nothing but the seed and their number, and figures.

A kind of fuzzing is a function `attempt(seed, number) -> Verdict`; `main` makes many attempts and exits with 1 where a
law broke. The case of a number is the same whatever the count and the number of jobs. Attempts are made in processes of
their own, so that one that aborts or hangs is named, and the others are made all the same.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType


@dataclass(frozen=True)
class Limits:
    """What an attempt may take: s of computing, s of waiting (a busy machine makes an attempt wait although nothing is
    wrong), and bytes of address space of a process, None for any number."""

    computing_s: float = 20.0
    waiting_s: float = 300.0
    memory: int | None = None


USUAL = Limits()


@dataclass(frozen=True)
class Verdict:
    """What came of one attempt.

    `outcome` is a short word that is counted; `broken` says which law broke, None where all hold; `material` is what
    was tried, to be kept: the bytes of one file, or of several by their names; `sums` are figures that are added up.
    """

    outcome: str
    broken: str | None = None
    material: bytes | Mapping[str, bytes] = b""
    sums: Mapping[str, int] = field(default_factory=dict)


Attempt = Callable[[int, int], Verdict]


@dataclass
class Figures:
    """What came of many attempts."""

    outcomes: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    memory_mb: float = 0.0
    failures: list[tuple[int, Verdict]] = field(default_factory=list)

    def add(self, number: int, verdict: Verdict, computed_s: float, memory_mb: float) -> None:
        self.outcomes[verdict.outcome] += 1
        self.sums.update(verdict.sums)
        self.slowest = max(self.slowest, (computed_s, number))
        self.memory_mb = max(self.memory_mb, memory_mb)
        if verdict.broken is not None:
            self.failures.append((number, verdict))


class _TooLong(BaseException):
    """Not an `Exception`: what is attempted must not take it for one of its own."""


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


def _one(attempt: Attempt, seed: int, number: int, limits: Limits) -> tuple[Verdict, float, float]:
    """Make an attempt; the verdict, s of computing, MB of memory."""
    began = time.process_time()
    try:
        with _computing(limits.computing_s):
            verdict = attempt(seed, number)
    except _TooLong:
        verdict = Verdict("too long", f"more than {limits.computing_s:g} s of computing")
    except Exception:
        verdict = Verdict("crash", traceback.format_exc())
    memory_mb = (
        max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    )
    return verdict, time.process_time() - began, memory_mb


def run(attempt: Attempt, numbers: Iterable[int], seed: int, limits: Limits = USUAL) -> Figures:
    """Make the attempts of these numbers in this process, one after another."""
    figures = Figures()
    for number in numbers:
        figures.add(number, *_one(attempt, seed, number, limits))
    return figures


# --- processes ---


def _work(attempt: Attempt, seed: int, limits: Limits, numbers: Connection) -> None:
    """Make the attempts of the numbers that come, and send back what came of each."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever asked for this ends us
    if limits.memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    while (number := numbers.recv()) is not None:
        verdict, *used = _one(attempt, seed, number, limits)
        numbers.send((verdict if verdict.broken is not None else replace(verdict, material=b""), *used))


class _Worker:
    """A process that makes one attempt after another; `number` is the one it is at."""

    def __init__(self, attempt: Attempt, seed: int, limits: Limits) -> None:
        self._limits = limits
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(attempt, seed, limits, theirs))
        self._process.start()
        theirs.close()

    def begin(self, number: int) -> None:
        self.number, self.until = number, time.monotonic() + self._limits.waiting_s
        self.pipe.send(number)

    def result(self) -> tuple[Verdict, float, float] | None:
        """What came of the attempt; None while it goes on."""
        try:
            if self.pipe.poll():
                verdict, computed_s, memory_mb = self.pipe.recv()
                return verdict, computed_s, memory_mb
        except EOFError:
            self._process.join()
            return Verdict("abort", f"its process ended with {self._process.exitcode}"), 0.0, 0.0
        if time.monotonic() > self.until:
            return Verdict("hang", f"no end after {self._limits.waiting_s:g} s"), 0.0, 0.0
        return None

    def end(self, *, at_once: bool = False) -> None:
        if at_once:
            self._process.kill()
        elif self._process.is_alive():
            self.pipe.send(None)
        self._process.join()
        self.pipe.close()


def run_apart(
    attempt: Attempt, numbers: range, seed: int, jobs: int, limits: Limits, says: Callable[..., None]
) -> Figures:
    """Make the attempts of these numbers in `jobs` processes; `says` is called after each attempt."""
    figures, left, workers = Figures(), iter(numbers), []
    try:
        for number in itertools.islice(left, jobs):
            workers.append(_Worker(attempt, seed, limits))
            workers[-1].begin(number)
        while workers:
            wait([worker.pipe for worker in workers], timeout=1.0)
            for worker in [*workers]:
                if (result := worker.result()) is None:
                    continue
                figures.add(worker.number, *result)
                says(worker.number, result[0])
                lost = result[0].outcome in ("abort", "hang")
                if (number := next(left, None)) is not None and not lost:
                    worker.begin(number)
                    continue
                worker.end(at_once=lost)
                workers.remove(worker)
                if number is not None:
                    workers.append(_Worker(attempt, seed, limits))
                    workers[-1].begin(number)
    finally:
        for worker in workers:
            worker.end(at_once=True)
    figures.failures.sort(key=lambda failure: failure[0])
    return figures


# --- the command line ---


def main(
    kind: str,
    attempt: Attempt,
    arguments: list[str] | None = None,
    *,
    limits: Limits = USUAL,
    prepare: Callable[[int], object] | None = None,
) -> int:
    """Run the command line of a kind of fuzzing; its exit code.

    `prepare` is called with the count before the processes begin, which share what it has kept.
    """
    parser = argparse.ArgumentParser(prog=f"tests/fuzz/{kind}.py")
    parser.add_argument("--count", type=int, default=1000, help="how many cases (1000)")
    parser.add_argument("--seed", type=int, default=0, help="which cases (0)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case, to repeat one (0)")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once (1)")
    parser.add_argument("--keep", type=Path, help="a directory for what broke a law")
    options = parser.parse_args(arguments)
    began = said = time.monotonic()
    done = 0

    def says(number: int, verdict: Verdict) -> None:
        nonlocal said, done
        done += 1
        if verdict.broken is not None:
            print(f"{kind}: case {number} of seed {options.seed}: {verdict.broken}", file=sys.stderr, flush=True)
            if options.keep is not None:
                keep(options.keep / f"{kind}-{options.seed}-{number}", verdict)
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(f"{kind}: {done} of {options.count} cases", file=sys.stderr, flush=True)

    with _scratch():
        if prepare is not None:
            prepare(options.count)
        numbers = range(options.first, options.first + options.count)
        figures = run_apart(attempt, numbers, options.seed, max(1, options.jobs), limits, says)
    show(kind, options.seed, figures, time.monotonic() - began)
    return 1 if figures.failures else 0


@contextmanager
def _scratch() -> Iterator[None]:
    """What processes leave behind that are ended lies in one temporary directory, which is gone afterwards."""
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
    print(f"  slowest: case {figures.slowest[1]} in {figures.slowest[0]:.2f} s; memory: {figures.memory_mb:.0f} MB")


def keep(path: Path, verdict: Verdict) -> None:
    """Keep what broke a law, and beside it which one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(verdict.material, bytes):
        path.write_bytes(verdict.material)
    else:
        for name, content in verdict.material.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
    path.with_name(f"{path.name}.why").write_text(f"{verdict.broken}\n", encoding="utf-8")
