"""Versions of the software that affects motions, for the log."""

from __future__ import annotations

import platform

from ctrlgraph.version import __version__


def versions(*engines: str) -> dict[str, str]:
    """Return the versions of ctrlgraph, these engines, numpy and Python."""
    from importlib.metadata import version

    from ctrlgraph.engine.engine import ENGINES

    return {
        "ctrlgraph": __version__,
        **{engine: ENGINES[engine].load().version() for engine in engines},
        "numpy": version("numpy"),
        "python": platform.python_version(),
    }
