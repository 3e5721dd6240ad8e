"""Versions of what a motion depends on, as the log keeps them."""

from __future__ import annotations

import platform

import ctrlgraph


def versions() -> dict[str, str]:
    """Versions of what a motion depends on."""
    from importlib.metadata import version

    return {
        "ctrlgraph": ctrlgraph.__version__,
        "ode": version("ode-python"),
        "numpy": version("numpy"),
        "python": platform.python_version(),
    }
