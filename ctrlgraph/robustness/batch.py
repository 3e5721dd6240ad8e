"""Batches of trials of a sweep, as they are sent to workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.worker_cache import WorkerCache
from ctrlgraph.simulation.trial import CRASHED, Point, Trial

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluator import Evaluator
    from ctrlgraph.simulation.environment import Environment

T = TypeVar("T")

BATCH = 8
"""Maximum number of trials of a batch, about a second of work."""

Item = tuple[Point, int]
"""A point and the index of a trial there."""


@dataclass(frozen=True)
class TrialBatch:
    """Trials of one target in one environment."""

    sweep: str
    """Id of the sweep."""
    directory: Path
    """Directory of the project."""
    target: str
    """Target of the sweep."""
    fixed: Perturbations
    """Perturbations of all points."""
    seed: int
    """Seed of the sweep."""
    items: tuple[Item, ...]
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Hashes of what the project must contain."""
    deaths: int = 0
    """Number of worker processes that died while they ran it."""

    def crashed(self) -> list[Trial]:
        """Return the trials of a batch that killed too many processes."""
        from ctrlgraph.robustness.noise import trial_seed

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
    """Yield the items in batches, each in one environment, whose initial state is simulated once.

    Args:
        template: Batch whose other fields are copied.
        items: Items in their order.
    """
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


def new_batches(
    project: Project, sweep: str, target: str, fixed: Perturbations, seed: int, items: Iterable[Item]
) -> Iterator[TrialBatch]:
    """Yield the trials of a target in batches, for workers whose project must be the same.

    Args:
        project: Project to test.
        sweep: Name of the trials.
        target: Node, edge or path.
        fixed: Perturbations of all points.
        seed: Seed of the trials.
        items: Items in their order.
    """
    from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes

    hashes = target_hashes(project, evaluation_plans(project.graph, target))
    yield from batches_of(TrialBatch(sweep, project.directory.absolute(), target, fixed, seed, (), hashes), items)


def simulate(batch: TrialBatch) -> list[Trial]:
    """Return the trials of a batch, fewer when the worker is stopped.

    Raises:
        CtrlGraphError: The project in the batch's directory is not the one of the sweep.
    """
    return each_item(
        batch, lambda evaluator, point, index: evaluator.trial(batch.target, batch.fixed, point, index, batch.seed)
    )


def each_item(batch: TrialBatch, function: Callable[[Evaluator, Point, int], T]) -> list[T]:
    """Return the results of a function for each item of a batch, fewer when the worker is stopped.

    Args:
        batch: Trials of a sweep.
        function: Function of this process' evaluator, the point and the number of the trial.

    Raises:
        CtrlGraphError: The project in the batch's directory is not the one of the sweep.
    """
    key = batch.directory, tuple(sorted(batch.hashes.items()))
    return _evaluator.map(key, lambda: _opened(batch), lambda evaluator, item: function(evaluator, *item), batch.items)


_evaluator: WorkerCache[Evaluator] = WorkerCache(lambda evaluator: evaluator.close())


def _opened(batch: TrialBatch) -> Evaluator:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes
    from ctrlgraph.robustness.evaluator import Evaluator

    project = Project(batch.directory)
    here = target_hashes(project, evaluation_plans(project.graph, batch.target, untried=True))
    changed = [name for name, digest in batch.hashes.items() if here.get(name) != digest]
    if changed:
        raise CtrlGraphError(
            f"the project in {batch.directory} is not that of sweep {batch.sweep}: {changed[0]} differs"
        )
    # the command that starts the sweep checks whether a pair of nodes may be tried
    return Evaluator(project, untried=True)
