"""Extras (named groups of optional packages): their purpose, whether they are installed, and how to install them."""

from __future__ import annotations

import importlib.util
import sys
from typing import NamedTuple

from ctrlgraph.errors import CtrlGraphError


class Extra(NamedTuple):
    """An extra: a named group of optional packages."""

    purpose: str
    """The feature that needs the packages, as it begins the message "FEATURE needs the package NAME"."""
    modules: dict[str, str]
    """Name of the module to import, by name of the package to install, as in {"scikit-learn": "sklearn"}."""


_WEB = {"starlette": "starlette", "uvicorn": "uvicorn", "watchfiles": "watchfiles", "websockets": "websockets"}

EXTRAS = {
    "basins": Extra("a basin of attraction", {"scikit-learn": "sklearn"}),
    "cluster": Extra("--cluster", {"distributed": "distributed"}),
    "footsteps": Extra("--solver qp", {"daqp": "daqp"}),
    "gym": Extra("ctrlgraph.gym", {"gymnasium": "gymnasium"}),
    "report": Extra("a report", {"jinja2": "jinja2"}),
    "rerun": Extra("an .rrd file", {"rerun-sdk": "rerun"}),
    "trace": Extra("a .parquet file", {"pyarrow": "pyarrow"}),
    "video": Extra("an .mp4 or .webm film (not a .gif)", {"imageio-ffmpeg": "imageio_ffmpeg"}),
    "web": Extra("the live page", _WEB),
}
"""All extras, by the name that pip knows, as in `pip install 'ctrlgraph[video]'`."""


def install_command(extra: str) -> str:
    """Return the shell command that installs an extra, such as "pip install 'ctrlgraph[video]'"."""
    return f"pip install 'ctrlgraph[{extra}]'"


def is_there(module: str) -> bool:
    """Return whether a module is installed, without importing it."""
    if module in sys.modules:
        return sys.modules[module] is not None
    return importlib.util.find_spec(module) is not None


def require(extra: str) -> None:
    """Check that all packages of an extra are installed, before work that needs them.

    Args:
        extra: Name of the extra, a key of `EXTRAS`.

    Raises:
        CtrlGraphError: A package of the extra is missing. The message contains the command that installs it.
    """
    purpose, modules = EXTRAS[extra]
    for package, module in modules.items():
        if not is_there(module):
            raise CtrlGraphError(f"{purpose} needs the package {package}: {install_command(extra)}")
