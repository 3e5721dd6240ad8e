"""Run log: all attempts of walks in SQLite, and statistics of them.

Names are imported at their first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.runs.record import AttemptRecord, RunRecord
    from ctrlgraph.runs.statistics import Statistics, summarize
    from ctrlgraph.runs.store import RunLog

_MODULES = {
    "AttemptRecord": "record",
    "RunLog": "store",
    "RunRecord": "record",
    "Statistics": "statistics",
    "summarize": "statistics",
}

__all__ = [
    "AttemptRecord",
    "RunLog",
    "RunRecord",
    "Statistics",
    "summarize",
]


def __getattr__(name: str) -> Any:
    """Return a public name of the package.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
