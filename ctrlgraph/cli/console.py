"""What several commands print with: consoles, JSON, percentages, progress.

Results go to stdout, everything else to stderr; rich is imported when something is printed.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

PIPE_WIDTH = 160  # a table that goes into a file or a pipe is not cut to 80 columns


@cache
def stdout() -> Console:
    """The console for results."""
    return _console(stderr=False)


@cache
def stderr() -> Console:
    """The console for progress and remarks."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    from rich.console import Console
    from rich.text import Text

    class OurConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process by itself; main() has its own way

        def print(self, *objects: Any, **options: Any) -> None:
            # a sentence in a pipe or a file is one line, whatever the width
            if not self.is_terminal and all(isinstance(item, str | Text) for item in objects):
                options.setdefault("soft_wrap", True)
            super().print(*objects, **options)

    console = OurConsole(stderr=stderr, highlight=False, markup=False)  # names and paths may hold brackets
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    return console


def print_json(value: Any) -> None:
    """Print as JSON; numbers that JSON cannot say (NaN, infinity) become null."""
    click.echo(json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def percent(share: float | None, interval: tuple[float, float] | None = None) -> str:
    """A share from 0 to 1 as "97 %", with its interval "97 % (91-99)"; None is "-"."""
    if share is None:
        return "-"
    text = f"{100 * share:.0f} %"
    return text if interval is None else f"{text} ({100 * interval[0]:.0f}-{100 * interval[1]:.0f})"


@contextmanager
def progress(description: str, total: float | None = None) -> Iterator[tuple[Progress, Any]]:
    """A progress bar on stderr as (bar, task); it shows only on a terminal and is gone at the end."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    console = stderr()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar, bar.add_task(description, total=total)
