"""Commands of single experiments; they share how a table of outcomes is interrupted and resumed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ctrlgraph.cli import console
from ctrlgraph.paths import display_path


@contextlib.contextmanager
def tabulating(table: Path) -> Iterator[None]:
    """End the command on Ctrl-C with a hint how to resume the table, whose journal is kept."""
    from ctrlgraph.experiments.worker_pool import Interrupted

    try:
        yield
    except Interrupted:
        console.interrupted(f": the same command resumes with {display_path(table)}")


__all__ = ["phase_policy", "stepping"]
