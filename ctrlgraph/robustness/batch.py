"""Batches of simulated trials, as a sweep sends them to its worker processes."""

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
"""Maximum number of trials in a batch. A full batch takes about a second."""

Item = tuple[Point, int]
"""A trial to run: its point (values of the varied perturbations), and its index among the trials at this point."""


@dataclass(frozen=True)
class TrialBatch:
    """A group of trials of one target, which one worker process runs."""

    sweep: str
    """Id of the sweep, or another name that the sender of the batch has chosen."""
    directory: Path
    """Directory of the project."""
    target: str
    """Node ("walk"), edge ("walk->run") or path that is tested."""
    fixed: Perturbations
    """Perturbations that are the same in all trials."""
    seed: int
    """Seed from which the seeds of the trials are derived."""
    items: tuple[Item, ...]
    """Point (values of the varied perturbations) and index at this point, of each trial to run."""
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Hashes of the sender's project by name, such as "node walk" (see `target_hashes`). A worker whose copy of the
    project has another hash refuses the batch.
    """
    deaths: int = 0
    """Number of worker processes that died while they ran this batch."""

    def crashed(self) -> list[Trial]:
        """Return a failed result with the status `CRASHED` for each trial, since worker processes died too often."""
        from ctrlgraph.robustness.noise import trial_seed

        reason = f"the worker process died {self.deaths} times"
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
    """Divide trials into batches of at most `BATCH` trials that have the same environment.

    Args:
        template: Batch from which all fields except `items` are copied.
        items: Point and index of each trial, in the order in which the trials are put into batches.
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
    """Divide trials of a target into batches, with hashes by which a worker checks its copy of the project.

    Args:
        project: Project to test.
        sweep: Name by which the receiver of the results recognizes the batches.
        target: Node ("walk"), edge ("walk->run") or path.
        fixed: Perturbations that are the same in all trials.
        seed: Seed from which the seeds of the trials are derived.
        items: Point and index of each trial, in the order in which the trials are put into batches.
    """
    from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes

    hashes = target_hashes(project, evaluation_plans(project.graph, target))
    yield from batches_of(TrialBatch(sweep, project.directory.absolute(), target, fixed, seed, (), hashes), items)


def simulate(batch: TrialBatch) -> list[Trial]:
    """Simulate the trials of a batch and return their results; fewer if the worker is stopped before the end.

    Args:
        batch: Batch to run.

    Raises:
        CtrlGraphError: The project has changed: its hashes are not those of the batch.
    """
    return each_item(
        batch, lambda evaluator, point, index: evaluator.trial(batch.target, batch.fixed, point, index, batch.seed)
    )


def each_item(batch: TrialBatch, function: Callable[[Evaluator, Point, int], T]) -> list[T]:
    """Call a function for each trial of a batch and return its results; fewer if the worker is stopped before the end.

    Args:
        batch: Batch whose trials are processed.
        function: Called with the evaluator of this process (it runs trials), and the point and the index of a trial.

    Raises:
        CtrlGraphError: The project has changed: its hashes are not those of the batch.
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
            f"the project in {batch.directory} has changed since the trials began ('{changed[0]}'): start the"
            " trials again"
        )
    # the command that starts the sweep checks whether a pair of nodes may be tried
    return Evaluator(project, untried=True)
