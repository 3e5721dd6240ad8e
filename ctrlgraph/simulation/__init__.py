"""Simulations: a character on a terrain runs controllers, one after another.

The names are imported when they are asked for: who reads an outcome need not wait for the engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.simulation.outcome import Outcome, Status
    from ctrlgraph.simulation.simulation import Push, Simulation, Snapshot, TorqueNoise, WorldSettings
    from ctrlgraph.simulation.trace import Trace

_HOMES = {
    "Outcome": "outcome",
    "Push": "simulation",
    "Simulation": "simulation",
    "Snapshot": "simulation",
    "Status": "outcome",
    "TorqueNoise": "simulation",
    "Trace": "trace",
    "WorldSettings": "simulation",
}

__all__ = ["Outcome", "Push", "Simulation", "Snapshot", "Status", "TorqueNoise", "Trace", "WorldSettings"]


def __getattr__(name: str) -> Any:
    """Return a name of the package's face.

    Raises:
        AttributeError: it has none of this name.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
