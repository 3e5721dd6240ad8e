"""The logged version of ODE is that of the loaded library."""

from __future__ import annotations

import re
from pathlib import Path

from ctrlgraph.engine.engine import versions
from ctrlgraph.engine.ode import library


def test_the_logged_version_of_ode_is_that_of_the_library_and_of_how_it_was_built() -> None:
    logged = versions("ode")["ode"]
    assert re.fullmatch(r"\S*libode\S* \(.*ODE_double_precision.*\)", logged), logged
    assert logged.startswith(Path(library.loaded_path(library.load().path)).name)
