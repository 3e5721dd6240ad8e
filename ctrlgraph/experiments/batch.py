"""A batch: some trials of one sweep, done in whatever process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.experiments.resident import Resident
from ctrlgraph.experiments.sweeps.sweep_log import CRASHED, Point, Trial
from ctrlgraph.parallel import until_stopped

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Evaluator
    from ctrlgraph.simulation.environment import Environment

T = TypeVar("T")

BATCH = 8
"""Trials of a batch: about a second's work, so that little is lost with a process and little is sent."""

Item = tuple[Point, int]
"""A point and the number of a trial there."""


@dataclass(frozen=True)
class TrialBatch:
    """Trials of one target in one world, as they are sent to a worker.

    directory: of the project; hashes: of what the project must hold there; deaths: how many
    processes have died over it.
    """

    sweep: str
    directory: Path
    target: str
    fixed: Perturbations
    seed: int
    items: tuple[Item, ...]
    hashes: Mapping[str, str] = field(default_factory=dict)
    deaths: int = 0

    def singly(self) -> list[TrialBatch]:
        """Return each trial as a batch of its own."""
        return [replace(self, items=(item,)) for item in self.items]

    def crashed(self) -> list[Trial]:
        """Return what is stored of a batch over which too many processes have died."""
        from ctrlgraph.experiments.noise import trial_seed

        reason = f"its process died {self.deaths} times"
        return [
            Trial(
                target=self.target,
                point=point,
                index=index,
                seed=trial_seed(self.seed, self.target, point, index),
                succeeded=False,
                recovered=False,
                status=CRASHED,
                reason=reason,
                phase=None,
                script=None,
                line=None,
                simulated_s=0.0,
            )
            for point, index in self.items
        ]


def batches_of(template: TrialBatch, items: Iterable[Item]) -> Iterator[TrialBatch]:
    """Return the items in batches, each in one world: the entry into it is simulated once."""
    gathered: list[Item] = []
    world: Environment | None = None
    for point, index in items:
        environment = template.fixed.with_values(point).environment
        if gathered and (len(gathered) >= BATCH or environment != world):
            yield replace(template, items=tuple(gathered))
            gathered = []
        world = environment
        gathered.append((point, index))
    if gathered:
        yield replace(template, items=tuple(gathered))


def simulate(batch: TrialBatch) -> list[Trial]:
    """Return the trials of a batch, in order; fewer where the worker was asked to end early.

    Raises:
        CtrlGraphError: the project in the batch's directory is not the one that the sweep was begun with.
    """
    return each_item(
        batch, lambda evaluator, point, index: evaluator.trial(batch.target, batch.fixed, point, index, batch.seed)
    )


def each_item(batch: TrialBatch, do: Callable[[Evaluator, Point, int], T]) -> list[T]:
    """Return what `do` makes of each item in this process' evaluator; fewer where the worker was asked to end early."""
    with _evaluator.holding((batch.directory, _stamp(batch.hashes)), lambda: _opened(batch.directory)) as evaluator:
        _check_hashes(evaluator, batch)
        results: list[T] = []
        with until_stopped():
            for point, index in batch.items:
                results.append(do(evaluator, point, index))
        return results


_evaluator: Resident[Evaluator] = Resident(lambda evaluator: evaluator.close())


def _opened(directory: Path) -> Evaluator:
    from ctrlgraph.experiments.evaluator import Evaluator
    from ctrlgraph.project.project import Project

    # whether a pair of nodes may be tried is asked where the question is put
    return Evaluator(Project(directory), untried=True)


def _stamp(hashes: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(hashes.items()))


def _check_hashes(evaluator: Evaluator, batch: TrialBatch) -> None:
    from ctrlgraph.experiments.evaluation_plan import evaluation_plans, target_hashes

    here = target_hashes(evaluator.project, evaluation_plans(evaluator.project.graph, batch.target, untried=True))
    changed = [name for name, digest in batch.hashes.items() if here.get(name) != digest]
    if changed:
        raise CtrlGraphError(
            f"the project in {batch.directory} is not that of sweep {batch.sweep}: {changed[0]} differs"
        )
