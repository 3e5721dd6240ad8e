"""An integration as people see it while it goes on."""

from __future__ import annotations

import math
import time
from types import TracebackType
from typing import TYPE_CHECKING

from ctrlgraph.cli import console
from ctrlgraph.cli.search_display import SearchDisplay

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ctrlgraph.optimization.search import Generation


class IntegrationDisplay:
    """What goes on (stderr): a bar of looks and trials, about how long they take, and each search as `learn` shows it.

    Args:
        seed: of all; minutes: how long may be learned.
    """

    def __init__(self, seed: int, minutes: float) -> None:
        self._seed: int | None = seed
        self._minutes = minutes
        self._began = 0.0
        self._done = self._first = 0
        self._run_s = math.nan
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._search: SearchDisplay | None = None

    def __enter__(self) -> IntegrationDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def begun(self, what: str, total: int) -> None:
        """Looks or trials begin, so many of them."""
        self._end()
        if self._seed is not None:  # once, when there is something to be repeated
            console.echo(f"seed {self._seed}", err=True)
            if self._minutes > 0.0:
                most = console.duration(60.0 * self._minutes)
                console.echo(f"what comes near is learned for {most} at most (--budget), after the trials", err=True)
            self._seed = None
        self._done = self._first = 0
        # looks and trials are alike: a way to the node, and the node
        about = "" if math.isnan(self._run_s) else f", about {console.duration(total * self._run_s)}"
        console.echo(f"{what}: {total} runs{about}", err=True)
        if not console.stderr().is_terminal:
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn())
        counts = (TextColumn("{task.completed} of {task.total}"), TimeRemainingColumn())
        self._bar = Progress(*columns, *counts, console=console.stderr(), transient=True)
        self._bar.start()
        self._task = self._bar.add_task(what, total=total)

    def advanced(self, done: int) -> None:
        """So many are done."""
        if self._done == 0:  # what comes before the first is compiling and reading as well
            self._began, self._first = time.monotonic(), done
        self._done = done
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)

    def searching(self, what: str, generations: int) -> None:
        """Note that a search begins."""
        self._end()
        console.echo(f"learning {what}", err=True)
        self._search = SearchDisplay(generations, what)
        self._search.__enter__()

    def generation(self, done: Generation) -> None:
        """Note that a generation of it has ended."""
        if self._search is not None:
            self._search.generation(done)

    def _end(self) -> None:
        if self._done > self._first:
            self._run_s = (time.monotonic() - self._began) / (self._done - self._first)
        self._done = 0
        if self._bar is not None:
            self._bar.stop()
        if self._search is not None:
            self._search.__exit__(None, None, None)
        self._bar = self._search = None
