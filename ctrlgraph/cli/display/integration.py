"""Display of the progress of `ctrlgraph integrate`, which adds a controller to the graph, on stderr."""

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
    """Progress bars of the work of `ctrlgraph integrate`: series of rollouts (simulations) and searches, in turn.

    The expected duration of a series is printed if an earlier series was timed.
    """

    def __init__(self, seed: int, minutes: float) -> None:
        """Create the display. A bar is shown when the first series of rollouts begins.

        Args:
            seed: Seed of the command, which is printed at the beginning.
            minutes: Maximum wall time of all searches, min.
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
        """Show that a series of rollouts begins.

        Args:
            what: Description of the series, such as "leap after all nodes".
            total: Number of rollouts in the series.
        """
        self._end()
        if self._seed is not None:
            console.echo(f"seed {self._seed}", err=True)
            if self._minutes > 0.0:
                most = console.duration(60.0 * self._minutes)
                console.echo(f"promising transitions are learned for at most {most} (--minutes) afterwards", err=True)
            self._seed = None
        # all rollouts lead to the node and run it, so those of different series take about the same time
        about = "" if math.isnan(self._run_s) else f", about {console.duration(total * self._run_s)}"
        console.echo(f"{what}: {total} rollouts{about}", err=True)
        bar, task = self.enter_context(console.progress(what, total=total))
        self._advance = lambda done: bar.update(task, completed=done)

    def advanced(self, done: int) -> None:
        """Show how many rollouts of the series are finished."""
        if self._done == 0:  # the time before the first rollout includes compilation and reading of files
            self._began, self._first = time.monotonic(), done
        self._done = done
        self._advance(done)

    def searching(self, what: str, generations: int) -> None:
        """Show that the search for the constants of a learned edge begins.

        Args:
            what: Name of the edge, such as "walk -> leap".
            generations: Maximum number of generations of the search.
        """
        self._end()
        console.echo(f"learning {what}", err=True)
        self._show = self.enter_context(showing_search(generations, what))

    def generation(self, done: SearchResult) -> None:
        """Show the state of the search after a finished generation."""
        self._show(done)

    def _end(self) -> None:
        if self._done > self._first:
            self._run_s = (time.monotonic() - self._began) / (self._done - self._first)
        self._done = self._first = 0
        self.close()
