"""Optional dependencies: their purpose, whether they are installed, and how to install them."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass

from ctrlgraph.errors import CtrlGraphError


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of the package."""

    name: str
    modules: dict[str, str]
    """Imported modules by package."""
    purpose: str
    """Subject of the message "only ... need it"."""
    missing: str
    """Error message if it is required, with {package} and {install}."""

    @property
    def install(self) -> str:
        """Return the command that installs it."""
        return f"pip install 'ctrlgraph[{self.name}]'"


EXTRAS = {
    extra.name: extra
    for extra in (
        Extra("basins", {"scikit-learn": "sklearn"}, "`robustness basins`", "basins need {package}: {install}"),
        Extra("cluster", {"distributed": "distributed"}, "--cluster ADDRESS", "--cluster needs dask: {install}"),
        Extra("gym", {"gymnasium": "gymnasium"}, "ctrlgraph.gym", "ctrlgraph.gym needs {package}: {install}"),
        Extra(
            "report",
            {"jinja2": "jinja2"},
            "`report`",
            "a report needs the package '{package}': install the extra with {install}",
        ),
        Extra("rerun", {"rerun-sdk": "rerun"}, "`export` to .rrd", "an .rrd needs {package}: {install}"),
        Extra("trace", {"pyarrow": "pyarrow"}, "`trace` to .parquet", "a .parquet needs {package}: {install}"),
        Extra(
            "video",
            {"imageio-ffmpeg": "imageio_ffmpeg"},
            "films as .mp4 and .webm",
            "an .mp4 or .webm needs the extra 'video' (python -m {install}); a .gif needs nothing more",
        ),
        Extra(
            "web",
            {"starlette": "starlette", "uvicorn": "uvicorn", "watchfiles": "watchfiles", "websockets": "websockets"},
            "`edit`",
            "the live page needs {package}: {install}",
        ),
    )
}


def is_there(module: str) -> bool:
    """Return whether a module can be imported, without importing it."""
    if module in sys.modules:
        return sys.modules[module] is not None
    return importlib.util.find_spec(module) is not None


def require(name: str) -> None:
    """Check that an extra is installed, before work that needs it.

    Raises:
        CtrlGraphError: A package of it is missing.
    """
    extra = EXTRAS[name]
    for package, module in extra.modules.items():
        if not is_there(module):
            raise CtrlGraphError(extra.missing.format(package=package, install=extra.install))
