"""The limit of a perturbation by bisection: how far it can go in each direction before the target fails.

The rule. Along an axis, from where nothing is perturbed, the values are whole multiples of the step, in
each direction up to the end of the axis. A value *holds* if at least `REQUIRED` of its trials succeed and
are followed by the static pose. First the value without perturbation is tried: if it does not hold, there
is no limit to be found. Then 1, 2, 4, 8... steps are tried until a value does not hold (or the end of the
axis holds: no limit within it); then the span between the last value that holds and the first that does not
is halved until they are one step apart. The former is the limit. Trials of a value are made a few at a time
and end when no more of them can change the verdict. Where nothing is drawn at random, as at noise 0, a
value has one trial.

Where success is not monotonic (it fails at 3 and holds at 5), the limit is that of the first failure found
on this way, and a grid can tell more. Between the two, a search may be *confirmed*: when it has found a limit,
so many values below it, evenly spread, are tried as well; if one does not hold, the search goes on below it.
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
from ctrlgraph.experiments.sweeps.sweep_log import LIMIT_CONFIRM, LIMIT_STEP, Point, Sweep, SweepStore, Trial
from ctrlgraph.experiments.worker_pool import Interrupted, WorkerPool

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

STAGE = 4
"""So many trials of a value are made before it is asked whether more could change the verdict."""


@dataclass(frozen=True, slots=True)
class LimitResult:
    """How far an axis can go in one direction (+1 or -1).

    holds: the largest perturbation that holds, None where not even the unperturbed target does;
    fails: the smallest beyond it that was found to fail, None where the axis ends before; trials: made
    in this direction, the unperturbed value's not counted; grid_trials: what a grid of the same
    step takes up to the largest value that was tried.
    """

    target: str
    axis: str
    direction: int
    holds: float | None
    fails: float | None
    trials: int
    grid_trials: int

    @property
    def saved(self) -> int:
        return self.grid_trials - self.trials

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"saved": self.saved}


Search = Generator[int, bool, tuple[int | None, int | None]]


def bisect(last: int, confirm: int = 0) -> Search:
    """Search 0..last for the largest number that holds: yields numbers to try, is sent whether each holds.

    Args:
        confirm: so many numbers below the one that is found have to hold, too.

    Returns:
        The largest that holds and the smallest beyond it that does not; None where there is none.
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
    """Halve the span up to a number that fails until they are neighbours; what holds is added to `held`."""
    while fails - max(held) > 1:
        middle = (max(held) + fails) // 2
        if (yield middle):
            held.add(middle)
        else:
            fails = middle
    return fails


def _spread(holds: int, count: int) -> list[int]:
    """So many numbers between 0 and `holds`, evenly spread, rising."""
    return sorted({round(holds * (i + 1) / (count + 1)) for i in range(count)})


def steps_to_end(axis: Axis, direction: int, step: float) -> int:
    """Return how many whole steps lie between the axis' neutral value and its end in a direction."""
    room = axis.high - axis.neutral if direction > 0 else axis.neutral - axis.low
    return math.floor(room / step + 1e-9)


def value_at(axis: Axis, direction: int, step: float, number: int) -> float:
    """Return the value so many steps away from neutral."""
    return round(axis.neutral + direction * number * step, 9) + 0.0


def verdict(recovered: int, tried: int, trials: int) -> bool | None:
    """Tell whether a value holds; None while further trials could change it."""
    needed = math.ceil(REQUIRED * trials - 1e-9)
    if recovered >= needed:
        return True
    return False if recovered + trials - tried < needed else None


class _Direction:
    """The search in one direction of one sweep: what it asks for, and what came of it."""

    def __init__(self, sweep: Sweep, axis: Axis, direction: int, step: float, confirm: int) -> None:
        self.sweep = sweep
        self.axis, self.direction, self.step = axis, direction, step
        self._search = bisect(steps_to_end(axis, direction, step), confirm)
        self._tried: set[int] = set()
        self.asked: int | None = next(self._search)
        self.answer: tuple[int | None, int | None] = (None, None)

    @property
    def point(self) -> Point:
        return self._at(self.asked or 0)

    def tell(self, holds: bool) -> None:
        """Take the verdict on the point that was asked for."""
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
    """Return the limits of sweeps that were asked for with one (they are in the store), in both directions.

    All searches go on side by side; trials that are stored already are not made again.

    Raises:
        Interrupted: at Ctrl-C; what had ended is stored.
        CtrlGraphError: the project has changed since a sweep began.
    """
    directions = []
    for sweep in sweeps:
        check_unchanged(project, sweep)
        axis = axis_of(sweep.axes[0][0])
        step, confirm = float(str(sweep.perturbations[LIMIT_STEP])), int(str(sweep.perturbations.get(LIMIT_CONFIRM, 0)))
        signs = [sign for sign in (1, -1) if steps_to_end(axis, sign, step)]
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
    """The next trials that the searches need, once each; searches that need none go on by themselves."""
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
    """The trials of a sweep, counted by point."""

    def __init__(self, trials: list[Trial]) -> None:
        self.trials: list[Trial] = []
        self._by_point: dict[Point, dict[int, bool]] = {}
        self.add(trials)

    def add(self, trials: Sequence[Trial]) -> None:
        self.trials += trials
        for trial in trials:
            self._by_point.setdefault(trial.point, {})[trial.index] = trial.recovered

    def at(self, point: Point) -> dict[int, bool]:
        """Tell whether each trial that was made there recovered, by its number."""
        return self._by_point.get(point, {})


__all__ = ["REQUIRED", "Interrupted", "LimitResult", "bisect", "find_limits", "verdict"]
