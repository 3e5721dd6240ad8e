"""Printing of results under perturbations: progress of trials, and tables of sweeps, limits, engines and basins.

A trial is one simulation of a target (node, edge or path). It recovers if a static pose is reached after its success.
"""

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
    """Progress bar on stderr with the number of finished trials, and the share that succeeded and then recovered."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar, self._task = bar, task
        self._done = self._recovered = 0

    def planned(self, trials: int) -> None:
        """Set the number of trials at which the bar is full."""
        self._bar.update(self._task, total=trials)

    def ended(self, trials: Sequence[Trial]) -> None:
        """Add finished trials to the counts, and show these."""
        self._done += len(trials)
        self._recovered += sum(trial.recovered for trial in trials)
        share = f", {100 * self._recovered / self._done:.0f} % succeed" if self._done else ""
        self._bar.update(self._task, completed=self._done, description=f"{self._done} trials{share}")


@contextlib.contextmanager
def showing_trials() -> Iterator[TrialProgress]:
    """Show a progress bar of trials on stderr during a `with` block."""
    with console.progress("trials") as (bar, task):
        yield TrialProgress(bar, task)


def print_sweep(result: SweepResult) -> None:
    """Print the success of a target at each point of a sweep (trials over a grid of perturbations) as a table."""
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
    """Return values of perturbations, by name of the perturbation, as a text such as "slope=3, friction=0.8"."""
    return ", ".join(f"{name}={f'{value:g}' if isinstance(value, float) else value}" for name, value in values.items())


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
    """Print the share of trials that succeeded and recovered at each point of a sweep with two axes, %.

    The table has a row for each value of the first axis, and a column for each value of the second axis.

    Args:
        sweep: The sweep.
        points: Summary of the trials at each point of the grid.
    """
    (down, rows), (across, columns) = sweep.axes
    rates = {tuple(value for _, value in point.point): point.rate for point in points}
    titles = (down, *(f"{value:g}" for value in columns))
    cells = [
        [f"{row:g}", *(f"{100 * rates[row, column]:.0f}" if (row, column) in rates else "" for column in columns)]
        for row in rows
    ]
    console.print_table(titles, cells, title=f"recovered, %, by {down} (down) and {across} (across)", right=titles)


def print_answers(results: Sequence[SweepResult], as_json: bool) -> None:
    """Print the results of sweeps (trials over a grid of perturbations) as tables or as JSON.

    Each sweep gets a table. If the sweeps were made on several engines, one table compares the engines instead.

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
    """Print the limits (largest perturbations with success) that searches found, as a table or as JSON.

    Args:
        sweeps: Records under which the log stores the trials of the searches.
        limits: The limits found.
        as_json: Print JSON.
    """
    if as_json:
        found = {"sweeps": [sweep.id for sweep in sweeps], "limits": [limit.as_dict() for limit in limits]}
        console.print_json(found)
        return
    rows = []
    for limit in limits:
        succeeds = "nothing" if limit.succeeds is None else f"{limit.succeeds:g}"
        fails = "-" if limit.fails is None else f"{limit.fails:g}"
        direction = "up" if limit.direction > 0 else "down"
        rows.append((limit.target, limit.axis, direction, succeeds, fails, str(limit.trials)))
    numbers = ("succeeds at", "fails at", "trials")
    console.print_table(("target", "axis", "direction", *numbers), rows, right=numbers)
    console.stdout().print(f"sweep {sweeps[0].id.partition('.')[0]}, seed {sweeps[0].seed}")


def _sweep_dict(result: SweepResult) -> dict[str, Any]:
    from ctrlgraph.robustness.sweeps.summary import summarize

    points = [point.as_dict() for point in summarize(result.trials)]
    done = {"complete": result.complete, "simulated": result.simulated, "points": points}
    return dataclasses.asdict(result.sweep) | done


TESTED = "p below 0.05 in Fisher's exact test, adjusted for all comparisons by Benjamini and Hochberg"
"""Description of the statistical test by which two engines differ, printed below the comparison of engines."""


def print_comparison(
    compared: Sequence[EngineComparison], engines: Sequence[str], results: Sequence[SweepResult]
) -> None:
    """Print a table that compares the success of trials on several physics engines.

    The table has a row for each target and point (values of the perturbations), with the success on each engine, and
    the failure that distinguishes the worst engine most from the best one.

    Args:
        compared: Comparison of the engines for each target and point, in the order of the rows.
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
    """Return the failure that distinguishes the worst engine most from the best one, as a text for a table.

    The text is empty if all engines have the same success.
    """
    if each.first is None or each.worst is None:
        return ""
    place = f" ({each.first.place})" if each.first.place else ""
    trials = "" if each.certain else f", {each.failing} of {each.counts[each.worst].trials}"
    return f"{each.worst}: {each.first.sentence}{place}{trials}"


def print_calibrations(basins: Sequence[Basin]) -> None:
    """Print how well the classifiers of basins predict the success of initial states that were not used for learning.

    The basin of attraction of a node is the set of initial states from which it succeeds. The table has a row for each
    basin with its Brier score (mean squared error of the predicted probability). A line for each basin compares
    predicted probabilities with success rates.
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
