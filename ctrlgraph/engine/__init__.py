"""Physics engines behind one protocol.

Names are imported at their first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # as in `ctrlgraph.kernels`, since engines import numba, too

if TYPE_CHECKING:
    from ctrlgraph.engine.disturbance import TorqueNoise
    from ctrlgraph.engine.engine import ENGINES, Engine
    from ctrlgraph.engine.planar_pushes import Push
    from ctrlgraph.engine.world_settings import WorldSettings

_MODULES = {
    "ENGINES": "engine",
    "Engine": "engine",
    "Push": "planar_pushes",
    "TorqueNoise": "disturbance",
    "WorldSettings": "world_settings",
}

__all__ = [
    "ENGINES",
    "Engine",
    "Push",
    "TorqueNoise",
    "WorldSettings",
]


def __getattr__(name: str) -> Any:
    """Return a public name of the package.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
