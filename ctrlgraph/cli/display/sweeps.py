"""Progress of trials on stderr, and tables of sweeps, limits, comparisons of engines, and calibrations of basins."""

from __future__ import annotations

import contextlib
import dataclasses
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ctrlgraph.robustness.basins.classifier import Basin
    from ctrlgraph.robustness.sweeps.engine_comparison import EngineComparison
    from ctrlgraph.robustness.sweeps.limit import LimitResult
    from ctrlgraph.robustness.sweeps.summary import PointSummary
    from ctrlgraph.robustness.sweeps.sweep import SweepResult
    from ctrlgraph.robustness.sweeps.sweep_log import Sweep
    from ctrlgraph.simulation.trial import Point, Trial


class TrialProgress:
    """Progress bar of trials on stderr, with their number and the share that succeeded and recovered."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar, self._task = bar, task
        self._done = self._recovered = 0

    def planned(self, trials: int) -> None:
        """Set the total number of trials."""
        self._bar.update(self._task, total=trials)

    def ended(self, trials: Sequence[Trial]) -> None:
        """Count a batch of finished trials."""
        self._done += len(trials)
        self._recovered += sum(trial.recovered for trial in trials)
        share = f", {100 * self._recovered / self._done:.0f} % succeed" if self._done else ""
        self._bar.update(self._task, completed=self._done, description=f"{self._done} trials{share}")


@contextlib.contextmanager
def showing_trials() -> Iterator[TrialProgress]:
    """Show a progress bar of trials on stderr during the block."""
    with console.progress("trials") as (bar, task):
        yield TrialProgress(bar, task)


def print_sweep(result: SweepResult) -> None:
    """Print the table of one sweep."""
    from ctrlgraph.robustness.sweeps.summary import summarize

    sweep, out = result.sweep, console.stdout()
    out.print(f"{sweep.target}{_given(sweep)}")
    points = summarize(result.trials)
    if len(sweep.axes) == 2:
        _print_grid(sweep, points)
    else:
        _print_rows(sweep, points, result.trials)
    if not result.complete:
        out.print(f"{len(result.trials)} of {result.expected} trials; continue with --resume {shlex.quote(sweep.id)}")
    out.print()


def _given(sweep: Sweep) -> str:
    given = f"{listed_values(sweep.fixed)}; " if sweep.fixed else ""
    times = f"{sweep.trials} trials per point" if sweep.trials > 1 else "nothing is random: one trial per point"
    if sweep.trials > 1 and 1 in sweep.trials_at(sweep.points()).values():
        times += ", one where nothing is random"
    return f" ({given}{times}, seed {sweep.seed})"


def listed_values(values: Mapping[str, object]) -> str:
    """Return perturbations as a text such as "slope=3, friction=0.8"."""
    shown = (f"{value:g}" if isinstance(value, float) else value for value in values.values())
    return ", ".join(f"{name}={value}" for name, value in zip(values, shown, strict=True))


def _print_rows(sweep: Sweep, points: Sequence[PointSummary], trials: Sequence[Trial]) -> None:
    from ctrlgraph.robustness.sweeps.summary import failure_kinds

    by_point: dict[Point, list[Trial]] = {}
    for trial in trials:
        by_point.setdefault(trial.point, []).append(trial)
    made, rows = sweep.trials_at(by_point), []
    for point in points:
        kinds = failure_kinds(by_point[point.point])
        recovered = console.percent(point.rate, point.count.interval if made[point.point] > 1 else None)
        cells = (recovered, console.percent(point.succeeded / point.trials))
        rows.append((*(f"{value:g}" for _, value in point.point), *cells, kinds[0][0] if kinds else ""))
    axes = [name for name, _ in sweep.axes]
    right = (*axes, "recovered", "succeeded")
    console.print_table((*axes, "recovered", "succeeded", "commonest failure"), rows, right=right)


def _print_grid(sweep: Sweep, points: Sequence[PointSummary]) -> None:
    """Print the share of trials that recovered (%) at each point of a grid with two axes.

    The rows are the values of the first axis, and the columns are the values of the second axis.
    """
    (down, rows), (across, columns) = sweep.axes
    rates = {tuple(value for _, value in point.point): point.rate for point in points}
    titles = (down, *(f"{value:g}" for value in columns))
    cells = [[f"{row:g}", *(_hundredths(rates.get((row, column))) for column in columns)] for row in rows]
    console.print_table(titles, cells, title=f"recovered, %, by {down} (down) and {across} (across)", right=titles)


def _hundredths(rate: float | None) -> str:
    return "" if rate is None else f"{100 * rate:.0f}"


def print_limits(results: Sequence[LimitResult]) -> None:
    """Print a table of limits, with a row for each target, axis and direction."""
    rows = []
    for r in results:
        succeeds = "nothing" if r.succeeds is None else f"{r.succeeds:g}"
        fails = "-" if r.fails is None else f"{r.fails:g}"
        direction = "up" if r.direction > 0 else "down"
        rows.append((r.target, r.axis, direction, succeeds, fails, str(r.trials)))
    numbers = ("succeeds at", "fails at", "trials")
    console.print_table(("target", "axis", "direction", *numbers), rows, right=numbers)


def print_answers(results: Sequence[SweepResult], as_json: bool) -> None:
    """Print the results of sweeps: a table for each sweep, or a comparison if there are several engines.

    Args:
        results: Results of at least one sweep.
        as_json: Print JSON.
    """
    from ctrlgraph.robustness.sweeps.engine_comparison import compare_engines, engines_of

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
    made = sum(result.simulated for result in results)
    wall_s = results[0].wall_s
    rate = f", {made / wall_s:.1f} a second" if made and wall_s > 0 else ""
    ids = results[0].sweep.id.partition(".")[0]
    console.stdout().print(f"sweep {ids}: {made} trials in {wall_s:.1f} s{rate}")


def print_limit_answers(sweeps: Sequence[Sweep], limits: Sequence[LimitResult], as_json: bool) -> None:
    """Print the results of searches for limits.

    Args:
        sweeps: The stored sweeps whose trials the searches made.
        limits: The limits found.
        as_json: Print JSON.
    """
    if as_json:
        found = {"sweeps": [sweep.id for sweep in sweeps], "limits": [limit.as_dict() for limit in limits]}
        console.print_json(found)
    else:
        print_limits(limits)
        console.stdout().print(f"sweep {sweeps[0].id.partition('.')[0]}, seed {sweeps[0].seed}")


def _sweep_dict(result: SweepResult) -> dict[str, Any]:
    from ctrlgraph.robustness.sweeps.summary import summarize

    head = dataclasses.asdict(result.sweep)
    points = [point.as_dict() for point in summarize(result.trials)]
    done = {"complete": result.complete, "simulated": result.simulated}
    return head | done | {"points": points}


TESTED = "Fisher's exact test, adjusted for all of them by Benjamini and Hochberg, below 0.05"
"""Statistical test of the differences between engines, as the printed comparison describes it."""


def print_comparison(
    compared: Sequence[EngineComparison], engines: Sequence[str], results: Sequence[SweepResult]
) -> None:
    """Print a comparison of engines.

    The table has a row for each target and point, with the success on each engine and the first condition that differs.

    Args:
        compared: Comparison of each target and point.
        engines: Names of the engines.
        results: Results of the sweeps, one for each engine and target.
    """
    out, sweep = console.stdout(), results[0].sweep
    given = ", ".join(f"{name}={value}" for name, value in (compared[0].given if compared else {}).items())
    trials = f"{sweep.trials} trial{'s' * (sweep.trials != 1)} on each engine"
    out.print(f"{given + '; ' if given else ''}{trials}, seed {sweep.seed}; success with its 95 % interval")
    numbers = (*engines, "p")
    titles = ("target", *numbers, "differs", "the first condition that differs")
    console.print_table(titles, [_cells(each, engines) for each in compared], right=numbers)
    out.print()
    differing = sum(each.differs for each in compared)
    certain = all(each.certain for each in compared)
    how = "which is certain: nothing is random" if certain else TESTED
    out.print(f"{differing} of {len(compared)} differ ({how})")
    left = [result for result in results if not result.complete]
    if left:
        made, expected = sum(len(r.trials) for r in results), sum(r.expected for r in results)
        out.print(f"{made} of {expected} trials; continue with --resume {shlex.quote(sweep.id.partition('.')[0])}")


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
    """Return which condition fails first on the worst engine, in which place, and in how many trials."""
    if each.first is None or each.worst is None:
        return ""
    place = f" ({each.first.place})" if each.first.place else ""
    trials = "" if each.certain else f", {each.failing} of {each.counts[each.worst].trials}"
    return f"{each.worst}: {each.first.sentence}{place}{trials}"


def print_calibrations(basins: Sequence[Basin]) -> None:
    """Print how well the classifier of each basin of attraction predicts success on held-out states.

    The table has a row for each basin, with its Brier score. A line for each basin compares the predicted probabilities
    with the success.
    """
    measured = [(basin.node, basin.calibration) for basin in basins if basin.calibration is not None]
    if not measured:
        return
    rows = []
    for node, found in measured:
        turns = f"{found.groups} {found.left_out}{'s' * (found.groups != 1)}"
        rows.append((node, turns, f"{found.brier:.3f}", f"{found.base_brier:.3f}"))
    numbers = ("Brier", "base rate's")
    console.print_table(("node", "held out", *numbers), rows, right=numbers)
    for node, found in measured:
        seen = [
            f"{100 * b.low:.0f}-{100 * b.high:.0f} %: {b.succeeded} of {b.states}, {console.success(b.count)}"
            for b in found.bins
            if b.states
        ]
        console.stdout().print(f"{node}, success by prediction: {'; '.join(seen)}")
