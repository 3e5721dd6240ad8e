"""The limit of a perturbation by bisection, in each direction.

Values are multiples of the step from the neutral value to the end of the axis. A value *holds* if at least `REQUIRED`
of its trials succeed and reach a static pose. If the neutral value does not hold, there is no limit. Then 1, 2, 4, 8...
steps are tried until a value does not hold, or the end of the axis holds (no limit). The interval between the last
value that holds and the first that does not is halved until they are one step apart; the former is the limit. Trials of
a value are made in stages and end when the rest cannot change the result. Without random perturbations a value has one
trial.

If success is not monotonic (fails at 3, holds at 5), the limit belongs to the first failure found; a grid shows more. A
*confirmed* search also tries some evenly spaced values below the limit, and continues below one that does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.experiments.batch import TrialBatch, batches_of
from ctrlgraph.experiments.perturbation import Axis, axis_of
from ctrlgraph.experiments.sweeps.summary import REQUIRED
from ctrlgraph.experiments.sweeps.sweep import SweepObserver, check_unchanged, template_of
from ctrlgraph.experiments.sweeps.sweep_log import LIMIT_CONFIRM, LIMIT_STEP, Sweep, SweepStore
from ctrlgraph.experiments.worker_pool import Interrupted, WorkerPool
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
    holds: float | None
    """Largest perturbation that holds, None if the neutral value does not."""
    fails: float | None
    """Smallest larger perturbation that fails, None if the axis ends before."""
    trials: int
    """Number of trials in this direction, without the neutral value's."""
    grid_trials: int
    """Number of trials of a grid with the same step up to the largest value tried."""

    @property
    def saved(self) -> int:
        """Fraction of the grid's trials that were saved."""
        return self.grid_trials - self.trials

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"saved": self.saved}


Search = Generator[int, bool, tuple[int | None, int | None]]


def bisect(last: int, confirm: int = 0) -> Search:
    """Search 0..last for the largest number that holds: yield numbers to try, and receive whether each holds.

    Args:
        last: Largest number.
        confirm: Number of values below the result that have to hold too.

    Returns:
        The largest number that holds and the smallest larger one that does not, None without one.
    """
    if not (yield 0):
        return None, 0
    held, step, fails = {0}, 1, None
    while max(held) < last:
        trying = min(step, last)
        if not (yield trying):
            fails = trying
            break
        held.add(trying)
        step *= 2
    while True:
        if fails is not None:
            fails = yield from _halve(held, fails)
        for number in _spread(max(held), confirm):
            if number not in held:
                if not (yield number):
                    fails = number
                    break
                held.add(number)
        else:
            return max(held), fails
        held = {number for number in held if number < fails}


def _halve(held: set[int], fails: int) -> Generator[int, bool, int]:
    """Halve the interval to a number that fails until they are neighbours, and add what holds to `held`."""
    while fails - max(held) > 1:
        middle = (max(held) + fails) // 2
        if (yield middle):
            held.add(middle)
        else:
            fails = middle
    return fails


def _spread(holds: int, count: int) -> list[int]:
    """Return evenly spaced increasing numbers between 0 and `holds`."""
    return sorted({round(holds * (i + 1) / (count + 1)) for i in range(count)})


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
    """Return whether a value holds, or None while further trials could change it.

    Args:
        recovered: Number of successful trials.
        tried: Number of trials so far.
        trials: Number of all trials.
    """
    needed = math.ceil(REQUIRED * trials - 1e-9)
    if recovered >= needed:
        return True
    return False if recovered + trials - tried < needed else None


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

    def tell(self, holds: bool) -> None:
        """Continue with the result at the present point."""
        self._tried.add(self.asked or 0)
        try:
            self.asked = self._search.send(holds)
        except StopIteration as end:
            self.asked, self.answer = None, end.value

    def result(self, trials: Sequence[Trial]) -> LimitResult:
        holds, fails = self.answer
        mine = {self._at(number) for number in self._tried if number}
        points = [self._at(number) for number in range(1, max(self._tried, default=0) + 1)]
        made = self.sweep.trials_at(points)
        return LimitResult(
            target=self.sweep.target,
            axis=self.axis.name,
            direction=self.direction,
            holds=None if holds is None else self._value(holds),
            fails=None if fails is None else self._value(fails),
            trials=sum(trial.point in mine for trial in trials),
            grid_trials=sum(made[point] for point in points),
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
    counts = {sweep.id: _Counts(sweep.counting(store.trials(sweep.id))) for sweep in sweeps}
    while any(direction.asked is not None for direction in directions):
        batches = _round(project, directions, counts)

        def done(batch: TrialBatch, trials: list[Trial]) -> None:
            store.add(batch.sweep, trials)
            counts[batch.sweep].add(trials)
            if observer is not None:
                observer.ended(trials)

        if batches:
            pool.do(batches, done)
    return [direction.result(counts[direction.sweep.id].trials) for direction in directions]


def _round(project: Project, directions: Sequence[_Direction], counts: dict[str, _Counts]) -> list[TrialBatch]:
    """Return the next trials of the searches without duplicates, and continue searches that need none."""
    wanted: dict[tuple[str, Point], list[TrialBatch]] = {}
    for direction in directions:
        sweep = direction.sweep
        while direction.asked is not None:
            made, trials = counts[sweep.id].at(direction.point), sweep.trials_at([direction.point])[direction.point]
            known = verdict(sum(made.values()), len(made), trials)
            if known is None:
                items = [(direction.point, i) for i in range(trials) if i not in made][:STAGE]
                wanted[sweep.id, direction.point] = list(batches_of(template_of(project, sweep), items))
                break
            direction.tell(known)
    return [batch for batches in wanted.values() for batch in batches]


class _Counts:
    """Trials of a sweep by point."""

    def __init__(self, trials: list[Trial]) -> None:
        self.trials: list[Trial] = []
        self._by_point: dict[Point, dict[int, bool]] = {}
        self.add(trials)

    def add(self, trials: Sequence[Trial]) -> None:
        self.trials += trials
        for trial in trials:
            self._by_point.setdefault(trial.point, {})[trial.index] = trial.recovered

    def at(self, point: Point) -> dict[int, bool]:
        """Return whether each trial at a point recovered, by index."""
        return self._by_point.get(point, {})


__all__ = ["REQUIRED", "Interrupted", "LimitResult", "bisect", "find_limits", "verdict"]
