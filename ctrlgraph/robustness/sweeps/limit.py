"""The limit of a perturbation by bisection, in each direction.

Values are multiples of the step from the neutral value to the end of the axis. A value *succeeds* if at least
`REQUIRED` of its trials succeed and reach a static pose. If the neutral value fails, there is no limit. Then 1, 2, 4,
8... steps are tried until a value fails, or the end of the axis succeeds (no limit). The interval between the last
value that succeeds and the first that fails is halved until they are one step apart; the former is the limit. Trials of
a value are made in stages and end when the rest cannot change the result. Without random perturbations a value has one
trial.

If success is not monotonic (fails at 3, succeeds at 5), the limit belongs to the first failure found; a grid shows
more. A *confirmed* search also tries some evenly spaced values below the limit, and continues below one that fails.
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
"""Number of trials of a value before the result is checked."""


@dataclass(frozen=True, slots=True)
class LimitResult:
    """The limit of an axis in one direction."""

    target: str
    axis: str
    direction: int
    """+1 or -1."""
    succeeds: float | None
    """Largest perturbation that succeeds, None if the neutral value does not."""
    fails: float | None
    """Smallest larger perturbation that fails, None if the axis ends before."""
    trials: int
    """Number of trials in this direction, without the neutral value's."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


Search = Generator[int, bool, tuple[int | None, int | None]]


def bisect(last: int, confirm: int = 0) -> Search:
    """Search 0..last for the largest number that succeeds: yield numbers to try, and receive whether each succeeds.

    Args:
        last: Largest number.
        confirm: Number of values below the result that have to succeed too.

    Returns:
        The largest number that succeeds and the smallest larger one that does not, None without one.
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
    """Halve the interval to a number that fails until they are neighbours, and add what succeeds to `succeeded`."""
    while fails - max(succeeded) > 1:
        middle = (max(succeeded) + fails) // 2
        if (yield middle):
            succeeded.add(middle)
        else:
            fails = middle
    return fails


def _spread(largest: int, count: int) -> list[int]:
    """Return evenly spaced increasing numbers between 0 and `largest`."""
    return sorted({round(largest * (i + 1) / (count + 1)) for i in range(count)})


def steps_to_limit(axis: Axis, direction: int, step: float) -> int:
    """Return the number of whole steps from the neutral value of an axis to its end.

    Args:
        axis: The axis.
        direction: +1 or -1.
        step: Step of the axis.
    """
    room = axis.high - axis.neutral if direction > 0 else axis.neutral - axis.low
    return math.floor(room / step + 1e-9)


def value_at(axis: Axis, direction: int, step: float, number: int) -> float:
    """Return the value some steps away from the neutral value.

    Args:
        axis: The axis.
        direction: +1 or -1.
        step: Step of the axis.
        number: Number of steps.
    """
    return round(axis.neutral + direction * number * step, 9) + 0.0


def verdict(recovered: int, tried: int, trials: int) -> bool | None:
    """Return whether a value succeeds, or None while further trials could change it.

    Args:
        recovered: Number of successful trials.
        tried: Number of trials so far.
        trials: Number of all trials.
    """
    needed = math.ceil(REQUIRED * trials - 1e-9)
    if recovered >= needed:
        return True
    return False if recovered + trials - tried < needed else None


_Made = defaultdict[tuple[str, Point], dict[int, bool]]
"""Whether each trial recovered, by sweep and point, then by index."""


class _Direction:
    """The search in one direction of one sweep."""

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
        """Continue with the result at the present point."""
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
    """Return the limits of sweeps in both directions.

    All searches run side by side. Stored trials are not repeated.

    Args:
        project: Project to test.
        store: Store with the sweeps.
        sweeps: Sweeps that are searches for a limit.
        pool: Worker pool.
        observer: Called with the numbers of trials.

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
    """Return the next trials of the searches without duplicates, and continue searches that need none."""
    wanted: dict[tuple[str, Point], list[TrialBatch]] = {}
    for direction in directions:
        sweep = direction.sweep
        while direction.asked is not None:
            recovered, trials = made[sweep.id, direction.point], sweep.trials_at([direction.point])[direction.point]
            known = verdict(sum(recovered.values()), len(recovered), trials)
            if known is None:
                items = [(direction.point, i) for i in range(trials) if i not in recovered][:STAGE]
                wanted[sweep.id, direction.point] = list(batches_of(template_of(project, sweep), items))
                break
            direction.continue_with(known)
    return [batch for batches in wanted.values() for batch in batches]
