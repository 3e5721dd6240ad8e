"""What came of sweeps, printed: tables or one JSON object."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ctrlgraph.cli import console
from ctrlgraph.cli.engine_display import print_comparison
from ctrlgraph.cli.sweep_display import print_beside, print_limits, print_sweep

if TYPE_CHECKING:
    from ctrlgraph.experiments.sweeps.comparison_with_source import ComparisonWithSource
    from ctrlgraph.experiments.sweeps.limit import LimitResult
    from ctrlgraph.experiments.sweeps.sweep import SweepResult
    from ctrlgraph.experiments.sweeps.sweep_log import Sweep, Trial


def print_answers(results: Sequence[SweepResult], as_json: bool) -> None:
    """Print what came of sweeps: each of them or, where they are on several engines, where these differ."""
    from ctrlgraph.experiments.sweeps.engine_comparison import compare_engines, engines_of

    answered = [(result.sweep, result.trials) for result in results]
    engines = engines_of(result.sweep for result in results)
    compared = compare_engines(answered) if len(engines) > 1 else []
    if as_json:
        said = {"sweeps": [_sweep_dict(result) for result in results], "wall_s": results[0].wall_s}
        both = {"engines": engines, "comparison": [each.as_dict() for each in compared]} if len(engines) > 1 else {}
        console.print_json(said | both)
        return
    if len(engines) > 1:
        print_comparison(compared, engines, results)
    else:
        for result in results:
            print_sweep(result)
        print_beside(beside_sources(answered))
    made = sum(result.simulated for result in results)
    wall_s = results[0].wall_s
    rate = f", {made / wall_s:.1f} a second" if made and wall_s > 0 else ""
    ids = results[0].sweep.id.partition(".")[0]
    console.stdout().print(f"sweep {ids}: {made} trials in {wall_s:.1f} s{rate}")


def print_limit_answers(
    sweeps: Sequence[Sweep], limits: Sequence[LimitResult], beside: Sequence[ComparisonWithSource], as_json: bool
) -> None:
    """Print what came of searches for a limit."""
    if as_json:
        found = {"sweeps": [sweep.id for sweep in sweeps], "limits": [limit.as_dict() for limit in limits]}
        console.print_json(found | {"beside_source": [row.as_dict() for row in beside]})
    else:
        print_limits(limits)
        print_beside(beside)
        console.stdout().print(f"sweep {sweeps[0].id.partition('.')[0]}, seed {sweeps[0].seed}")


def beside_sources(sweeps: Iterable[tuple[Sweep, list[Trial]]]) -> list[ComparisonWithSource]:
    """Return what the scenario's source says, beside what these sweeps have measured so far."""
    from ctrlgraph.experiments.sweeps.comparison_with_source import beside_source
    from ctrlgraph.experiments.sweeps.summary import summarize

    return [row for sweep, trials in sweeps for row in beside_source(sweep, summarize(trials))]


def _sweep_dict(result: SweepResult) -> dict[str, Any]:
    from ctrlgraph.experiments.sweeps.summary import summarize

    head = dataclasses.asdict(result.sweep)
    points = [point.as_dict() for point in summarize(result.trials)]
    beside = [row.as_dict() for row in beside_sources([(result.sweep, result.trials)])]
    done = {"complete": result.complete, "simulated": result.simulated}
    return head | done | {"points": points, "beside_source": beside}
