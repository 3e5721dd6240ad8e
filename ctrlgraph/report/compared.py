"""What `--compare` names: two runs, two versions of the graph, or two sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.errors import NothingLogged, RunLogError
from ctrlgraph.experiments.sweeps.sweep_log import matching
from ctrlgraph.report.comparison import Comparison, compare
from ctrlgraph.report.evidence import gather
from ctrlgraph.report.sweep_comparison import SweepsComparison, compare_sweeps
from ctrlgraph.report.sweeps import SweepSource, SweepView, views_of

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

SWEEP = "sweep:"
"""Before a sweep's id, where a run could be meant as well."""


def compared(
    project: Project,
    names: tuple[str, str],
    source: SweepSource | None,
    *,
    current: bool = False,
) -> Comparison | SweepsComparison:
    """Return the comparison of two runs or of two sweeps, the earlier first.

    A name is a run's as for `evidence.gather`, or `sweep:ID`: a sweep's id, the beginning of one, or `last`;
    `sweep:` can be left out where no run is called so.

    Raises:
        RunLogError: a name is unknown or fits several, one is a run and the other a sweep, or there is nothing
            to compare.
    """
    kinds = [_is_sweep(project, source, name) for name in names]
    if not any(kinds):
        return _runs(project, names, current)
    if not all(kinds):
        sweep, run = names if kinds[0] else reversed(names)
        raise RunLogError(f"'{sweep}' is a sweep and '{run}' is none: two runs or two sweeps can be compared")
    a, b = (_views(project, source, name) for name in names)
    shown = [views[0].sweep.id.partition(".")[0] for views in (a, b)]
    return compare_sweeps(f"sweep {shown[0]}", a, f"sweep {shown[1]}", b)


def _is_sweep(project: Project, source: SweepSource | None, name: str) -> bool:
    if name.startswith(SWEEP):
        return True
    if source is None or ":" in name or name == "last" or not matching(source.sweeps(), name):
        return False
    try:
        with project.read_log() as log:
            return not any(run.id.startswith(name) for run in log.runs())
    except NothingLogged:
        return True


def _views(project: Project, source: SweepSource | None, name: str) -> list[SweepView]:
    wanted = name.removeprefix(SWEEP)
    found = [] if source is None else matching(source.sweeps(), wanted)
    if source is None or not found or not wanted:
        raise RunLogError(f"there is no sweep '{wanted}'")
    commands = dict.fromkeys(sweep.id.partition(".")[0] for sweep in found)
    if len(commands) > 1:
        raise RunLogError(f"several sweeps begin with '{wanted}': {', '.join(commands)}")
    views = views_of(source, found, project)
    if not views:
        raise RunLogError(f"there is nothing to compare: sweep '{wanted}' has no trials")
    return views


def _runs(project: Project, names: tuple[str, str], current: bool) -> Comparison:
    with gather(project, [names[0]], current=current) as a, gather(project, [names[1]], current=current) as b:
        for name, side in zip(names, (a, b), strict=True):
            if not len(side.attempts):
                raise RunLogError(f"there is nothing to compare: '{name}' has no attempts")
        if {run.id for run in a.runs} == {run.id for run in b.runs}:
            raise RunLogError(f"'{names[0]}' and '{names[1]}' are the same: there is nothing to compare")
        shown = [name if ":" in name else side.runs[0].id for name, side in zip(names, (a, b), strict=True)]
        return compare(shown[0], a, shown[1], b)
