"""Progress of an integration (the insertion of a controller into the graph), on stderr."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ctrlgraph.cli import console
from ctrlgraph.cli.display.searches import showing_search

if TYPE_CHECKING:
    from ctrlgraph.learning.search import SearchResult


class IntegrationDisplay(contextlib.ExitStack):
    """Progress of an integration: a bar each for probe rollouts, trials and searches.

    For probe rollouts and trials, the expected duration is printed as soon as it can be estimated.
    """

    def __init__(self, seed: int, minutes: float) -> None:
        """
        Args:
            seed: Seed of the integration.
            minutes: Maximum wall time for learning, min.
        """
        super().__init__()
        self._seed: int | None = seed
        self._minutes = minutes
        self._began = 0.0
        self._done = self._first = 0
        self._run_s = math.nan
        self._advance: Callable[[int], None] = lambda done: None
        self._show: Callable[[SearchResult], None] = lambda done: None

    def begun(self, what: str, total: int) -> None:
        """Show that a series of probe rollouts or trials begins.

        Args:
            what: Description of the series.
            total: Number of rollouts or trials.
        """
        self._end()
        if self._seed is not None:
            console.echo(f"seed {self._seed}", err=True)
            if self._minutes > 0.0:
                most = console.duration(60.0 * self._minutes)
                console.echo(f"promising transitions are learned for at most {most} (--minutes) afterwards", err=True)
            self._seed = None
        # a probe rollout takes as long as a trial: both lead to the node and run it
        about = "" if math.isnan(self._run_s) else f", about {console.duration(total * self._run_s)}"
        console.echo(f"{what}: {total} rollouts{about}", err=True)
        bar, task = self.enter_context(console.progress(what, total=total))
        self._advance = lambda done: bar.update(task, completed=done)

    def advanced(self, done: int) -> None:
        """Show the number of rollouts or trials that are finished."""
        if self._done == 0:  # compilation and reading precede the first one
            self._began, self._first = time.monotonic(), done
        self._done = done
        self._advance(done)

    def searching(self, what: str, generations: int) -> None:
        """Show that the search for a learned edge begins.

        Args:
            what: The edge.
            generations: Maximum number of generations.
        """
        self._end()
        console.echo(f"learning {what}", err=True)
        self._show = self.enter_context(showing_search(generations, what))

    def generation(self, done: SearchResult) -> None:
        """Show the search after a finished generation."""
        self._show(done)

    def _end(self) -> None:
        if self._done > self._first:
            self._run_s = (time.monotonic() - self._began) / (self._done - self._first)
        self._done = self._first = 0
        self.close()
