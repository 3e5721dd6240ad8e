"""Simulations: a character on a terrain runs controllers, one after another.

The names are imported when they are asked for: who reads an outcome need not wait for the engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.outcome import Outcome, Status
    from ctrlgraph.simulation.rollout import Rollout
    from ctrlgraph.simulation.run import run_rollout
    from ctrlgraph.simulation.simulation import Push, Simulation, Snapshot, TorqueNoise, WorldSettings
    from ctrlgraph.simulation.trace import Trace

_HOMES = {
    "Environment": "environment",
    "Outcome": "outcome",
    "Push": "simulation",
    "Rollout": "rollout",
    "Simulation": "simulation",
    "Snapshot": "simulation",
    "Status": "outcome",
    "TorqueNoise": "simulation",
    "Trace": "trace",
    "WorldSettings": "simulation",
    "run_rollout": "run",
}

__all__ = [
    "Environment",
    "Outcome",
    "Push",
    "Rollout",
    "Simulation",
    "Snapshot",
    "Status",
    "TorqueNoise",
    "Trace",
    "WorldSettings",
    "run_rollout",
]


def __getattr__(name: str) -> Any:
    """Return a name of the package's face.

    Raises:
        AttributeError: it has none of this name.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
