"""The table of a question that was put to several engines."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from ctrlgraph.experiments.sweeps.engine_comparison import EngineComparison
    from ctrlgraph.experiments.sweeps.sweep import SweepResult

TESTED = "Fisher's exact test, adjusted for all of them by Benjamini and Hochberg, below 0.05"


def print_comparison(
    compared: Sequence[EngineComparison], engines: Sequence[str], results: Sequence[SweepResult]
) -> None:
    """Print a line for each target and point: success on each engine, and where it differs the first condition that
    does."""
    from rich.table import Table

    out, sweep = console.stdout(), results[0].sweep
    given = ", ".join(f"{name}={value}" for name, value in (compared[0].given if compared else {}).items())
    trials = f"{sweep.trials} trial{'s' * (sweep.trials != 1)} on each engine"
    out.print(f"{given + '; ' if given else ''}{trials}, seed {sweep.seed}; success with its 95 % interval")
    table = Table(box=None, pad_edge=False)
    for title in ("target", *engines, "p", "differs", "the first condition that differs"):
        table.add_column(title, justify="right" if title in (*engines, "p") else "left", overflow="fold")
    for each in compared:
        table.add_row(*_cells(each, engines))
    out.print(table)
    out.print()
    differing = sum(each.differs for each in compared)
    certain = all(each.certain for each in compared)
    how = "which is certain: nothing is drawn at random" if certain else TESTED
    out.print(f"{differing} of {len(compared)} differ ({how})")
    left = [result for result in results if not result.complete]
    if left:
        made, expected = sum(len(r.trials) for r in results), sum(r.expected for r in results)
        out.print(f"{made} of {expected} trials; go on with --resume {shlex.quote(sweep.id.partition('.')[0])}")


def _cells(each: EngineComparison, engines: Sequence[str]) -> list[str]:
    point = ", ".join(f"{name}={value:g}" for name, value in each.point)
    target = f"{each.target} ({point})" if point else each.target
    counts = [each.counts.get(engine) for engine in engines]
    if each.certain:
        rates = ["-" if count is None else "holds" if count.successes else "fails" for count in counts]
    else:
        rates = ["-" if count is None else console.success(count) for count in counts]
    p = "" if each.adjusted is None else "<0.001" if each.adjusted < 0.001 else f"{each.adjusted:.3f}"
    return [target, *rates, p, "yes" if each.differs else "", _first(each)]


def _first(each: EngineComparison) -> str:
    """What fails on the worst engine, where, and how often."""
    if each.first is None or each.worst is None:
        return ""
    place = f" ({each.first.place})" if each.first.place else ""
    trials = "" if each.certain else f", {each.failing} of {each.counts[each.worst].trials}"
    return f"{each.worst}: {each.first.sentence}{place}{trials}"
