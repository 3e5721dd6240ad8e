"""Simulations: a character on a terrain runs controllers, one after another.

Names are imported at their first use, so that reading an outcome does not load an engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.outcome import Outcome, Status
    from ctrlgraph.simulation.planar_trace import Trace
    from ctrlgraph.simulation.rollout import Rollout
    from ctrlgraph.simulation.run import run_rollout
    from ctrlgraph.simulation.simulation import Push, Simulation, Snapshot, TorqueNoise, WorldSettings

_MODULES = {
    "Environment": "environment",
    "Outcome": "outcome",
    "Push": "simulation",
    "Rollout": "rollout",
    "Simulation": "simulation",
    "Snapshot": "simulation",
    "Status": "outcome",
    "TorqueNoise": "simulation",
    "Trace": "planar_trace",
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
    """Return a public name of the package.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
