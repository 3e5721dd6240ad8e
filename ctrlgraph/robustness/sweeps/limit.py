"""Search for the limit of a perturbation: its largest value with success, in each direction.

The search tries values that are a whole number of steps away from the neutral value (no perturbation). A value
*succeeds* if at least the share `REQUIRED` of its trials recover: the target succeeds and a static pose is reached.

1. The neutral value is tried. If it fails, no value counts as a success.
2. Values 1, 2, 4, 8... steps away are tried until one fails, or until the last value of the axis succeeds.
3. The interval between the largest value that succeeds and the value that fails is halved until they are one step
   apart. The former is the limit.

The trials of a value are run `STAGE` at a time, until the remaining ones cannot change the result. Without random
perturbations, a value has one trial.

If success is not monotonic (a target fails at 3 but succeeds at 5), the limit depends on which failure is found. A
sweep over a grid shows all values. A *confirmed* search also tries some evenly spaced values below the limit. If one of
these fails, the search continues below it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.robustness.batch import TrialBatch, batches_of
from ctrlgraph.robustness.perturbation import Axis, axis_of
from ctrlgraph.robustness.sweeps.summary import REQUIRED
from ctrlgraph.robustness.sweeps.sweep import SweepObserver, check_unchanged, template_of
from ctrlgraph.robustness.sweeps.sweep_log import LIMIT_CONFIRM, LIMIT_STEP, Sweep, SweepStore
from ctrlgraph.robustness.worker_pool import WorkerPool
from ctrlgraph.simulation.trial import Point, Trial

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

STAGE = 4
"""Number of trials of a value that are run before the result is checked."""


@dataclass(frozen=True, slots=True)
class LimitResult:
    """Result of a search for the limit of a perturbation in one direction: the farthest value with success."""

    target: str
    """Node ("walk"), edge ("walk->run") or path that was tested."""
    axis: str
    """Name of the perturbation."""
    direction: int
    """+1: values above the neutral value (no perturbation). -1: values below it."""
    succeeds: float | None
    """The limit: the value farthest from neutral that succeeds. None: the target fails even at the neutral value."""
    fails: float | None
    """Nearest tried value beyond the limit, at which the target fails. None: it succeeds up to the end of the axis."""
    trials: int
    """Number of trials in this direction, without the trials of the neutral value."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result of the search as data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


Search = Generator[int, bool, tuple[int | None, int | None]]
"""Generator that yields numbers to try, is sent True for each that succeeds, and returns the result of `bisect`."""


def bisect(last: int, confirm: int = 0) -> Search:
    """Search the numbers from 0 to `last` for the largest one that succeeds.

    The generator yields a number to try, and must be sent True if the number succeeds, else False.

    Args:
        last: Largest number that may be tried.
        confirm: Number of evenly spaced numbers below the result that must succeed too.

    Returns:
        The largest number that succeeds, or None if 0 fails; and the smallest larger number that was tried and fails,
        or None if `last` succeeds.
    """
    if not (yield 0):
        return None, 0
    succeeded, step, fails = {0}, 1, None
    while max(succeeded) < last:
        trying = min(step, last)
        if not (yield trying):
            fails = trying
            break
        succeeded.add(trying)
        step *= 2
    while True:
        if fails is not None:
            fails = yield from _halve(succeeded, fails)
        for number in _spread(max(succeeded), confirm):
            if number not in succeeded:
                if not (yield number):
                    fails = number
                    break
                succeeded.add(number)
        else:
            return max(succeeded), fails
        succeeded = {number for number in succeeded if number < fails}


def _halve(succeeded: set[int], fails: int) -> Generator[int, bool, int]:
    """Halve the interval between a number that succeeds and one that fails until they differ by 1.

    Like `bisect`, the generator yields a number to try and is sent True if it succeeds.

    Args:
        succeeded: Numbers that succeed. The interval begins at the largest. New numbers that succeed are added.
        fails: Larger number that fails, at which the interval ends.

    Returns:
        The smallest number found that fails.
    """
    while fails - max(succeeded) > 1:
        middle = (max(succeeded) + fails) // 2
        if (yield middle):
            succeeded.add(middle)
        else:
            fails = middle
    return fails


def _spread(largest: int, count: int) -> list[int]:
    """Return `count` evenly spaced integers between 0 and `largest`, sorted and without duplicates."""
    return sorted({round(largest * (i + 1) / (count + 1)) for i in range(count)})


def steps_to_limit(axis: Axis, direction: int, step: float) -> int:
    """Return the number of whole steps from the neutral value (no perturbation) of an axis to the end of the axis.

    Args:
        axis: Axis (numeric perturbation) that is searched.
        direction: +1: towards the maximum of the axis. -1: towards its minimum.
        step: Resolution of the search, in the unit of the axis.
    """
    room = axis.high - axis.neutral if direction > 0 else axis.neutral - axis.low
    return math.floor(room / step + 1e-9)


def value_at(axis: Axis, direction: int, step: float, number: int) -> float:
    """Return the value of an axis that is `number` steps away from the neutral value (no perturbation).

    Args:
        axis: Axis (numeric perturbation) that is searched.
        direction: +1: above the neutral value. -1: below it.
        step: Resolution of the search, in the unit of the axis.
        number: Number of steps.
    """
    return round(axis.neutral + direction * number * step, 9) + 0.0


def decide_value(recovered: int, tried: int, trials: int) -> bool | None:
    """Decide if a value of a perturbation succeeds, or return None while the remaining trials can change the result.

    Args:
        recovered: Number of trials so far that succeeded and then reached a static pose.
        tried: Number of trials so far.
        trials: Number of all trials of the value.
    """
    needed = math.ceil(REQUIRED * trials - 1e-9)
    if recovered >= needed:
        return True
    return False if recovered + trials - tried < needed else None


_Made = defaultdict[tuple[str, Point], dict[int, bool]]
"""True for each trial that succeeded and then reached a static pose, by (id of the sweep, point), then by its index."""


class _Direction:
    """Search for a limit in one direction from the neutral value.

    The value to try next is `asked` steps from the neutral value. At the end of the search, `asked` is None.
    """

    def __init__(self, sweep: Sweep, axis: Axis, direction: int, step: float, confirm: int) -> None:
        self.sweep = sweep
        self.axis, self.direction, self.step = axis, direction, step
        self._search = bisect(steps_to_limit(axis, direction, step), confirm)
        self._tried: set[int] = set()
        self.asked: int | None = next(self._search)
        self.answer: tuple[int | None, int | None] = (None, None)

    @property
    def point(self) -> Point:
        return self._at(self.asked or 0)

    def continue_with(self, succeeds: bool) -> None:
        """Continue the search after the trials at `point`, of which `succeeds` is the result."""
        self._tried.add(self.asked or 0)
        try:
            self.asked = self._search.send(succeeds)
        except StopIteration as end:
            self.asked, self.answer = None, end.value

    def result(self, made: _Made) -> LimitResult:
        succeeds, fails = self.answer
        mine = {self._at(number) for number in self._tried if number}
        return LimitResult(
            target=self.sweep.target,
            axis=self.axis.name,
            direction=self.direction,
            succeeds=None if succeeds is None else self._value(succeeds),
            fails=None if fails is None else self._value(fails),
            trials=sum(len(made[self.sweep.id, point]) for point in mine),
        )

    def _at(self, number: int) -> Point:
        return ((self.axis.name, self._value(number)),)

    def _value(self, number: int) -> float:
        return value_at(self.axis, self.direction, self.step, number)


def find_limits(
    project: Project,
    store: SweepStore,
    sweeps: Sequence[Sweep],
    pool: WorkerPool,
    observer: SweepObserver | None = None,
) -> list[LimitResult]:
    """Search for the limits of perturbations in both directions, and return a result for each sweep and direction.

    All searches run at the same time. Trials that are already stored are not run again.

    Args:
        project: Project to test.
        store: Store that contains the sweeps, and to which trials are added.
        sweeps: Sweeps that search for a limit.
        pool: Worker pool that runs the trials.
        observer: Receives the results of each finished batch of trials.

    Raises:
        Interrupted: Ctrl-C was pressed. Finished trials are stored.
        CtrlGraphError: The project has changed since a sweep began.
    """
    directions = []
    for sweep in sweeps:
        check_unchanged(project, sweep)
        axis = axis_of(sweep.axes[0][0])
        step, confirm = float(str(sweep.perturbations[LIMIT_STEP])), int(str(sweep.perturbations.get(LIMIT_CONFIRM, 0)))
        signs = [sign for sign in (1, -1) if steps_to_limit(axis, sign, step)]
        directions += [_Direction(sweep, axis, sign, step, confirm) for sign in signs]
    made: _Made = defaultdict(dict)

    def count(sweep_id: str, trials: Sequence[Trial]) -> None:
        for trial in trials:
            made[sweep_id, trial.point][trial.index] = trial.recovered

    for sweep in sweeps:
        count(sweep.id, store.trials(sweep.id))
    while any(direction.asked is not None for direction in directions):
        batches = _round(project, directions, made)

        def done(batch: TrialBatch, trials: list[Trial]) -> None:
            store.add(batch.sweep, trials)
            count(batch.sweep, trials)
            if observer is not None:
                observer.ended(trials)

        if batches:
            pool.do(batches, done)
    return [direction.result(made) for direction in directions]


def _round(project: Project, directions: Sequence[_Direction], made: _Made) -> list[TrialBatch]:
    """Continue each search as far as the known trials allow, and return batches of the trials that it needs next.

    Args:
        project: Project to test.
        directions: Searches, each for one sweep and direction.
        made: True for each known trial that recovered, by (id of the sweep, point), then by index.
    """
    wanted: dict[tuple[str, Point], list[TrialBatch]] = {}
    for direction in directions:
        sweep = direction.sweep
        while direction.asked is not None:
            recovered, trials = made[sweep.id, direction.point], sweep.trials_at([direction.point])[direction.point]
            known = decide_value(sum(recovered.values()), len(recovered), trials)
            if known is None:
                items = [(direction.point, i) for i in range(trials) if i not in recovered][:STAGE]
                wanted[sweep.id, direction.point] = list(batches_of(template_of(project, sweep), items))
                break
            direction.continue_with(known)
    return [batch for batches in wanted.values() for batch in batches]
